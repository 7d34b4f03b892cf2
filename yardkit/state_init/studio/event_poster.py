"""The world of studio/event_poster: a portrait of another shape than the poster, texts with a correction, logos."""

import datetime
import random
from typing import Any

from yardkit.state_init.booth_prints import CUTS
from yardkit.state_init.material import fill_in
from yardkit.state_init.names import make_people
from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.photos import as_taken
from yardkit.state_init.rendering import save_image
from yardkit.state_init.rendering.ink import make_noise_generator
from yardkit.state_init.rendering.logos import MARKS, draw_house_logo
from yardkit.world import World, save_bytes

TITLES = (
    "The Long Way Home: Letters from Three Continents",
    "What the Archive Keeps: An Evening of Lost Voices",
    "Night Trains and Early Ferries: Stories on the Move",
    "Small Hours, Great Questions: A Talk with Music",
    "Between Two Rivers: Readings from a Border Town",
)
PLACES = ("Old Customs House, Quay Street 14", "Municipal Library, Hall 2", "Kestrel Theatre, Mill Road 8")
HOUSES = ("Harbour Hall", "Kestrel House", "Orchard Forum", "Quayside Stage")
ACCENTS = ((226, 92, 60), (38, 150, 140), (228, 168, 44), (92, 120, 220))
ENLARGED = 2
CORNERS = ("top left", "top right", "bottom left", "bottom right")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write portrait, texts, rules and logos; the facts hold the face, the right texts and the measures."""
    who = rng.choice([name for name in sorted(CUTS) if name != "mona_lisa"])
    face, size = _write_portrait(world, who, rng)
    day = datetime.date(2026, 4, 1) + datetime.timedelta(days=rng.randint(8, 60))
    old, hours = day - datetime.timedelta(days=rng.choice((1, 2, 7))), rng.sample(("19:00", "19:30", "20:00"), 2)
    texts = {
        "title": rng.choice(TITLES),
        "when": f"{day:%A}, {day.day} {day:%B}, {hours[0]}",
        "where": rng.choice(PLACES),
    }
    old_when = f"{old:%A}, {old.day} {old:%B}, {hours[1]}"
    number, seats = rng.randint(40, 180), rng.choice((120, 180, 240))
    fill_in(
        world, "event.md", **texts, old_when=old_when, number=number, guest=make_people(rng, 1)[0].name, seats=seats,
        changed="12 March",
    )  # fmt: skip
    measures = {
        "title_px": rng.choice((42, 44, 46)),
        "line_px": rng.choice((24, 26)),
        "margin": rng.choice((48, 52, 56)),
        "corner": rng.choice(CORNERS),
        "logo": rng.choice((180, 200, 210)),
        "clear": rng.choice((30, 36)),
    }
    fill_in(world, "poster_rules.md", **measures)
    house, mark, accent = rng.choice(HOUSES), rng.choice(MARKS), rng.choice(ACCENTS)
    for name, ink in (("light", (250, 250, 248)), ("dark", (26, 30, 40))):
        save_image(
            draw_house_logo(house, mark, ink, accent if name == "light" else ink), world.files / f"logo_{name}.png"
        )
    return {"texts": texts, "face": face, "size": size, **measures}


def _write_portrait(world: World, who: str, rng: random.Random) -> tuple[list[int], list[int]]:
    """The portrait as a camera kept it, turned and with fine grain; the face and the size as it is shown."""
    import numpy as np
    from PIL import Image

    image = load_photograph(who)
    large = image.resize((image.width * ENLARGED, image.height * ENLARGED), Image.Resampling.BICUBIC)
    grain = make_noise_generator(rng).normal(0, 2.2, (large.height, large.width, 1))
    pixels = np.clip(np.asarray(large, dtype=float) * rng.uniform(0.94, 1.04) + grain, 0, 255)
    shot = Image.fromarray(pixels.astype(np.uint8))
    taken = f"2026:02:{rng.randint(10, 27)} 14:{rng.randint(10, 59)}:07"
    save_bytes(world.files / "portrait.jpg", as_taken(shot, taken, orientation=rng.choice((1, 6, 8)), quality=92))
    return [side * ENLARGED for side in CUTS[who][1]], list(shot.size)  # type: ignore[misc]
