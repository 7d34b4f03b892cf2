"""Photographs of the people who go on a boat trip, and of the board with its prices."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.booth_prints import Shot, draw_print
from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.rendering import MenuItem, MenuSection, draw_menu, photograph_picture, save_image
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

PEOPLE = ("collins", "hopper", "douglass", "caller")
CREW = 3
"""How many are on the photograph ``apollo``."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Three photographs of people and one of a board; `others` are the costs by other prices and counts."""
    people = rng.sample(PEOPLE, len(PEOPLE))
    groups: list[Any] = rng.choice([[1, 2, CREW], [1, 1, CREW], [2, 2, CREW], [1, 1, 2], [2, CREW, 1]])
    count, least = sum(groups), rng.choice([5, 6])
    single, other = rng.randrange(1200, 1900, 50), rng.randrange(600, 1100, 50)
    reduced = single - rng.randrange(150, 450, 50)
    for number, size in enumerate(rng.sample(groups, 3), start=1):
        image = _load_crew(rng) if size == CREW else _draw_booth([people.pop() for _ in range(size)], rng)
        save_image(image, world.files / f"photo_{number}.jpg", 92)
    trips = [
        MenuSection("Lighthouse trip", _list_menu_items(single, reduced, least)),
        MenuSection("Harbour tour", _list_menu_items(other, other - 100, least)),
    ]
    board = draw_menu("Boat trips", trips, "board", rng, width=820, footer="all prices for one person")
    save_image(photograph_picture(board, rng, strength=0.25), world.files / "board.jpg")
    price, wrong = (reduced, single) if count >= least else (single, reduced)
    return {
        "gt_answer": {"whitelist": [[_format_dollars(count * price)]], "blacklist": None},
        "others": {
            "other_price": _format_dollars(count * wrong),
            "one_on_each_photograph": _format_dollars(3 * single),
        },
    }


def _list_menu_items(single: int, reduced: int, least: int) -> list[MenuItem]:
    return [
        MenuItem("Adults", _format_dollars(single)),
        MenuItem(f"Groups from {least} people", _format_dollars(reduced)),
    ]


def _format_dollars(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _draw_booth(people: list[str], rng: random.Random) -> "Image":
    """One shot in its mount, or two side by side; the detector takes one that fills its picture for two."""
    from PIL import ImageOps

    shots = [Shot(who, "", rng.random() < 0.5, rng.uniform(0.95, 1.05)) for who in people]
    return draw_print(shots) if len(shots) > 1 else ImageOps.pad(shots[0].draw(), (600, 600), color=(236, 234, 228))


def _load_crew(rng: random.Random) -> "Image":
    """As it is or mirrored: the embedded detector finds all three on either."""
    from PIL import ImageOps

    image = load_photograph("apollo").reduce(2)
    return ImageOps.mirror(image) if rng.random() < 0.5 else image
