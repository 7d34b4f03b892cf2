"""A menu on a photo, with a dish that is crossed out and a price below a stain; a glossary, and last year's prices."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.rendering.ink import Face, encode_image, get_pen, make_paper, text_width, write_line
from yardkit.state_init.rendering.photo import photograph_picture
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_bytes

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class Dish:
    """A dish in both languages, with the letters of its allergens."""

    german: str
    english: str
    allergens: str = ""


_DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
SECTIONS = {
    (section["german"], section["english"]): [Dish(*dish) for dish in section["dishes"]] for section in _DATA["menu"]
}
EUROS = {section["german"]: section["euros"] for section in _DATA["menu"]}
"""What a dish of a section costs, from and to."""
DISHES = [*(dish for dishes in SECTIONS.values() for dish in dishes), *(Dish(*dish) for dish in _DATA["others"])]
ALLERGENS: dict[str, str] = _DATA["allergens"]
WIDTH = 1200
INK, RED, STAIN = (34, 32, 30), (176, 30, 36), (92, 60, 34)
ITEM = Face("Liberation Sans", 36)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Choose the dishes, draw the menu, cross one out, spill coffee on a price."""
    menu = {head: rng.sample(dishes, len(dishes) - 1) for head, dishes in SECTIONS.items()}
    dishes = [dish for chosen in menu.values() for dish in chosen]
    prices = {dish: _choose_price(rng, EUROS[german]) for (german, _), chosen in menu.items() for dish in chosen}
    crossed, stained = rng.sample(dishes, 2)
    photo = photograph_picture(_draw_old_menu(menu, prices, crossed, stained, rng), rng, 0.45)
    save_bytes(world.files / "menu.jpg", encode_image(photo, "jpeg", 90))
    _write_papers(world, rng, stained, prices[stained])
    lines: list[list[str]] = []
    for head, chosen in menu.items():
        lines.append([*head, "", ""])
        lines += [[dish.german, dish.english, dish.allergens, prices[dish]] for dish in chosen if dish != crossed]
    used = sorted({letter for _, _, letters, _ in lines for letter in letters.split(", ") if letter})
    return {
        "lines": lines,
        "crossed": [crossed.german, crossed.english, prices[crossed]],
        "stained": [stained.german, prices[stained]],
        "legend": [f"{letter} = {ALLERGENS[letter]}" for letter in used],
        "unused": [f"{letter} = {text}" for letter, text in ALLERGENS.items() if letter not in used],
    }


def _draw_old_menu(
    menu: dict[tuple[str, str], list[Dish]], prices: dict[Dish, str], crossed: Dish, stained: Dish, rng: random.Random
) -> "Image":
    """The old menu, flat."""
    sheet = make_paper(WIDTH, 1500, (250, 246, 236), rng)
    draw, y = get_pen(sheet), 160
    write_line(draw, (WIDTH / 2, 60), "Gasthaus zum Anker", Face("Liberation Serif", 70, bold=True), INK, "center")
    for (german, _), dishes in menu.items():
        y += 30
        write_line(draw, (110, y), german, Face("Liberation Sans", 44, bold=True), RED)
        y += 74
        for dish in dishes:
            write_line(draw, (110, y), dish.german, ITEM, INK)
            price = write_line(draw, (WIDTH - 110, y), f"{prices[dish]} €", ITEM, INK, "right")
            if dish == crossed:
                end = 110 + text_width(dish.german, ITEM)
                draw.line([(100, y + 24), (end + 12, y + 18)], fill=RED, width=5)
                write_line(draw, (end + 40, y - 4), "entfällt", Face("Comic Neue", 40, bold=True), RED)
            if dish == stained:
                draw.ellipse([price[0] - 30, y - 16, WIDTH - 128 + 30, y + 62], fill=STAIN)
            y += 62
    return sheet.crop((0, 0, WIDTH, y + 60))


def _choose_price(rng: random.Random, euros: Sequence[int]) -> str:
    return f"{rng.randrange(10 * euros[0], 10 * euros[1]) / 10:.2f}".replace(".", ",")


def _write_papers(world: World, rng: random.Random, stained: Dish, price: str) -> None:
    """The glossary, and the prices of last year, of which one still holds."""
    rows = [[dish.german, dish.english, dish.allergens] for dish in sorted(DISHES, key=lambda dish: dish.english)]
    heads = [[*head, ""] for head in SECTIONS]
    letters = [["Letter", "Meaning"], *([letter, text] for letter, text in ALLERGENS.items())]
    sheets = {"Dishes": [["German", "English", "Allergens"], *heads, *rows], "Allergens": letters}
    save_workbook(world.files / "glossary.xlsx", sheets, world.now)
    old = [
        (dish.german, price if dish == stained else _choose_price(rng, (4, 22)))
        for dish in rng.sample(DISHES, len(DISHES))
    ]
    save_csv(world.files / "price_list.csv", [("Dish", "Price EUR"), *old])
