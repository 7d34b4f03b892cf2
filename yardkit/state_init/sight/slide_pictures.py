"""A deck for an open day whose pictures lie on the wrong slides; one fits nowhere, and one is missing."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.state_init import rendering
from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.names import make_people
from yardkit.state_init.photographs import vary_photograph
from yardkit.world import World, save_bytes, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

PHOTOGRAPHS = ("cup", "cat", "astronaut", "rocket")
"""The embedded detector tells the first three; the fourth is the one in which it finds nothing, and no words are."""
STREETS = ("Mill Lane", "Castle Road", "Harbour Street", "Garden Row", "Station Road")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun")
BOX_MM = (18.0, 44.0, 186.0)
"""Left, top and width of a picture; to the right of it stands a text."""
TEXT_BOX_MM = (214.0, 52.0, 108.0, 100.0)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the deck; the facts tell what each picture shows by its slide, where it belongs, and the titles."""
    year = rng.choice((2023, 2024))
    known = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    slides = {kind: [text.format(year=year) for text in rng.choice(choices)] for kind, choices in known.items()}
    missing = rng.choice(PHOTOGRAPHS)
    order = rng.sample(sorted(slides), len(slides))
    pictures = {
        kind: rendering.encode_image(image, "jpeg", 90)
        for kind, image in _make_pictures(rng, year).items()
        if kind != missing
    }
    slide_kinds = _mix_pictures(rng, order, [kind for kind in order if kind != missing])
    author = make_people(rng, 1)[0].name
    deck = Deck("Open day", author=author, now=world.now, brand=Brand("Museum of the City", accent="7A3E12"))
    deck.title_slide("Open day", "Museum of the City, 9 May 2026")
    for kind, picture in zip(order, slide_kinds, strict=True):
        title, text = slides[kind]
        number = rng.randint(1000, 9999)
        picture_shape = deck.picture(
            title, pictures[picture], f"IMG_{number}.jpg", box_mm=BOX_MM, notes=f"Half a minute: {title}."
        )
        deck.text_box(picture_shape, text, TEXT_BOX_MM, size_pt=20)
    deck.add_bullets("Thank you", ["The doors close at eight.", "Write to us: hello@museum.example"])
    deck.save(world.files / "open_day.pptx")
    _write_others(world, rng, author, [slides[kind][0] for kind in order])
    return {
        "prompt": {"first": 2, "last": len(order) + 1},
        "shown": {str(number): kind for number, kind in enumerate(slide_kinds, 2)},
        "wanted": {str(number): "" if kind == missing else kind for number, kind in enumerate(order, 2)},
        "titles": [slides[kind][0] for kind in order],
        "missing": slides[missing][0],
        "year": year,
    }


def _mix_pictures(rng: random.Random, order: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """What is shown on each slide: one picture fits nowhere, and at most one lies where it belongs."""
    while True:
        mixed_kinds = rng.sample([*kinds, "other chart"], len(order))
        if sum(picture == kind for picture, kind in zip(mixed_kinds, order, strict=True)) <= 1:
            return mixed_kinds


def _make_pictures(rng: random.Random, year: int) -> dict[str, "Image"]:
    pictures = {kind: vary_photograph({"astronaut": "collins"}.get(kind, kind), rng) for kind in PHOTOGRAPHS}
    drinks = [
        (rendering.Bottle("Lager", "beer", (96, 54, 20)), rng.randint(1, 2)),
        (rendering.Bottle("Cola", "soda", (48, 20, 14)), rng.randint(1, 2)),
        (rendering.Bottle("Lemonade", "water", (150, 188, 206)), 1),
    ]
    soups, mains = (("Tomato soup", "Onion soup"), ("Quiche", "Lasagne", "Goulash", "Fish cakes"))
    lunch = [
        rendering.MenuItem(name, f"{rng.randint(42, 118) / 10:.2f}")
        for name in (rng.choice(soups), *rng.sample(mains, 3))
    ]
    colors = rng.choice((("#1f5fa8",), ("#b03a48",), ("#3a7d44",)))
    pictures |= {
        "bottles": rendering.bottle_scene(drinks, rng, 800, 560).image,
        "menu": rendering.draw_menu(
            "Lunch", [rendering.MenuSection("Today", lunch)], rng.choice(("classic", "modern", "board")), rng
        ),
        "sign": rendering.street_sign(f"{rng.choice(STREETS)}", rng),
    }
    for kind, when in (("chart", year), ("other chart", year + rng.choice((-1, 1)))):
        visitors = [float(rng.randint(120, 980)) for _ in MONTHS]
        pictures[kind] = rendering.bar_chart(
            f"Visitors in {when}", list(MONTHS), {"Visitors": visitors}, rendering.ChartStyle(colors), rng
        )
    return pictures


def _write_others(world: World, rng: random.Random, author: str, titles: Sequence[str]) -> None:
    """Who does what, a list of last year, a picture that has nothing to do with it."""
    save_text(world.files / "running_order.txt", "".join(f"{title}\n" for title in titles) + f"\nShown by {author}.\n")
    save_text(world.files / "open_day_2025_todo.md", "- [x] order chairs\n- [x] print posters\n- [ ] thank the band\n")
    save_bytes(world.files / "poster_draft.jpg", rendering.encode_image(vary_photograph("mona_lisa", rng), "jpeg", 85))
