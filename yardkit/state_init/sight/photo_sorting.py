"""The world of sight/photo_sorting: real photographs, drawn ones of bottles, photographed papers; shots and copies."""

import datetime
import hashlib
import random
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.photos import PhotoName, another_shot, as_taken, load_photo, measure_difference
from yardkit.state_init.rendering import (
    Bottle,
    Receipt,
    ReceiptLine,
    bottle_scene,
    draw_receipt,
    handwritten_note,
    photograph_picture,
)
from yardkit.world import World, save_bytes, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDERS: dict[PhotoName, str] = {
    "astronaut": "people",
    "officer": "people",
    "photographer": "people",
    "cat": "animals",
    "coffee": "drinks",
    "bricks": "other",
    "gravel": "other",
    "rocket": "other",
}
TWICE: tuple[PhotoName, ...] = ("astronaut", "officer", "photographer", "cat", "coffee", "rocket")
"""Of which a second shot can be told from the first."""
COPY_LEVELS, OTHERS = 3.0, 8.0
"""By how many levels copies differ at most, and two shots at least."""
Orientation = Literal[1, 3, 6, 8]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Mix shots and copies under numbers of a camera; the facts are where each file belongs, by its name."""
    shots: list[tuple[str, Image]] = [(folder, load_photo(name)) for name, folder in FOLDERS.items() if name != "cat"]
    shots += [("animals", shot) for shot in (load_photo("cat"), another_shot(load_photo("cat"), rng))]
    shots += [(FOLDERS[name], another_shot(load_photo(name), rng)) for name in rng.sample(TWICE, 2) if name != "cat"]
    shots += [("drinks", _draw_bottles(rng)), ("papers", _draw_shop_receipt(rng)), ("papers", _draw_note(rng))]
    rng.shuffle(shots)
    numbers = iter(rng.sample(range(1201, 9899), 2 * len(shots)))
    facts: dict[str, dict[str, Any]] = {}
    copied = set(rng.sample(range(len(shots)), 4))
    day = datetime.datetime(2026, 2, 2, 8)  # noqa: DTZ001 - a camera has no zone
    for place, (folder, image) in enumerate(shots):
        day += datetime.timedelta(days=rng.randint(0, 3), minutes=rng.randint(1, 240))
        turned: Orientation = rng.choice((1, 1, 1, 6, 8))
        name = f"IMG_{next(numbers)}.jpg"
        facts[name] = _save_photo(world, name, image, day, turned) | {"folder": folder, "copy_of": ""}
        if place in copied:
            copy = f"IMG_{next(numbers)}.jpg"
            facts[copy] = _save_copy(world, copy, image, day, rng) | {"folder": "copies", "copy_of": name}
    _check_distinct([image for _, image in shots])
    save_text(world.files / "camera" / "index.dat", f"LUMORA {rng.randint(1000, 9999)}\n")
    save_text(world.files / "wishes.txt", "Prints for the hall: two of the cat, the rocket in large.\n")
    pictures = dict(sorted(facts.items()))
    return {"pictures": pictures, "different": len(shots)}


def _save_photo(world: World, name: str, image: "Image", day: datetime.datetime, turned: Orientation) -> dict[str, str]:
    data = as_taken(image, f"{day:%Y:%m:%d %H:%M:%S}", orientation=turned)
    save_bytes(world.files / "camera" / name, data)
    return {"taken": day.date().isoformat(), "digest": hashlib.sha256(data).hexdigest()}


def _save_copy(world: World, name: str, image: "Image", day: datetime.datetime, rng: random.Random) -> dict[str, str]:
    """Smaller, compressed more strongly; one that keeps its EXIF data may be stored turned."""
    from PIL import Image

    part, keeps = rng.uniform(0.55, 0.8), rng.random() < 0.5
    small = image.resize((round(image.width * part), round(image.height * part)), Image.Resampling.LANCZOS)
    assert measure_difference(small, image) < COPY_LEVELS, "a copy must be known as one"  # noqa: S101
    taken = f"{day:%Y:%m:%d %H:%M:%S}" if keeps else ""
    turned: Orientation = rng.choice((3, 6, 8)) if keeps else 1
    data = as_taken(small, taken, orientation=turned, quality=72)
    save_bytes(world.files / "camera" / name, data)
    return {"taken": day.date().isoformat() if keeps else "", "digest": hashlib.sha256(data).hexdigest()}


def _check_distinct(images: list["Image"]) -> None:
    """No two shots may pass for copies of each other."""
    differences = [measure_difference(image, other) for place, image in enumerate(images) for other in images[:place]]
    assert min(differences) > OTHERS, f"two shots differ by {min(differences):.1f} levels only"  # noqa: S101


def _draw_bottles(rng: random.Random) -> "Image":
    kinds = rng.sample([("Lager", (96, 54, 20)), ("Pilsner", (34, 66, 34)), ("Stout", (60, 34, 18))], 2)
    bottles = [(Bottle(name, "beer", glass), count) for (name, glass), count in zip(kinds, (2, 1), strict=True)]
    return photograph_picture(bottle_scene(bottles, rng, 640, 480).image, rng, strength=0.25, frame=False)


def _draw_shop_receipt(rng: random.Random) -> "Image":
    cents = [rng.randrange(150, 2_900, 5) for _ in range(4)]
    names = rng.sample(("Tomatoes", "Rye bread", "Olive oil", "Batteries", "Soap", "Pears", "Coffee beans"), 4)
    lines = [ReceiptLine(name, f"{amount / 100:.2f}") for name, amount in zip(names, cents, strict=True)]
    content = Receipt("Corner Market", lines, [("TOTAL EUR", f"{sum(cents) / 100:.2f}")], address=["3 Mill Road"])
    return _fit_image(photograph_picture(draw_receipt(content, "till", rng), rng, strength=0.3))


def _draw_note(rng: random.Random) -> "Image":
    lines = [
        "Plumber comes on",
        f"{rng.choice(('Monday', 'Tuesday', 'Friday'))} at {rng.randint(8, 11)}:30,",
        "keys are with Rosa",
    ]
    return _fit_image(photograph_picture(handwritten_note(lines, "sticky", rng), rng, strength=0.3))


def _fit_image(image: "Image") -> "Image":
    image.thumbnail((800, 800))
    return image
