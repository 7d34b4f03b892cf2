"""Drinks of a bar, for seeds: bottles on a table, their prices, the menu."""

import random
from decimal import Decimal
from pathlib import Path
from typing import Any

from yardkit.state_init.rendering import (
    Bottle,
    MenuItem,
    MenuSection,
    Scene,
    bottle_scene,
    draw_menu,
    photograph_picture,
    save_image,
)
from yardkit.state_init.rendering.menus import MenuStyle

BEERS = ("Lager", "Pilsner", "Stout", "Cider", "Porter")
WINES = ("Merlot", "Riesling", "Chianti", "Malbec")
SOFT = ("Cola", "Lemonade", "Tonic", "Aqua", "Ginger")
BROWN, GREEN, DARK, CLEAR = (96, 54, 20), (34, 66, 34), (48, 20, 14), (150, 188, 206)
LABELS = ((240, 234, 214), (246, 240, 200), (226, 236, 240), (250, 250, 250))
Prices = dict[str, dict[str, Decimal]]
"""Prices by section of the menu and name."""


def draw_prices(names: dict[str, list[str]], rng: random.Random) -> Prices:
    """Beer and wine stand twice on the menu: what comes in a glass has another price."""

    def priced(chosen: list[str], low: int, high: int) -> dict[str, Decimal]:
        cents = rng.sample(range(low, high, 10), len(chosen))
        return {name: Decimal(value) / 100 for name, value in zip(chosen, cents, strict=True)}

    return {
        "Draught": priced(names["beer"][:2], 410, 690),
        "Bottled beer": priced(names["beer"], 390, 720),
        "Wine by the glass": priced(names["wine"][:2], 520, 840),
        "Wine by the bottle": priced(names["wine"], 1850, 3490),
        "Bottled soft drinks": priced(names["soft"], 260, 480),
    }


def bottle_price(name: str, prices: Prices) -> Decimal:
    return next(items[name] for section, items in prices.items() if "ottle" in section and name in items)


def bottle_kinds(names: dict[str, list[str]], rng: random.Random) -> dict[str, Bottle]:
    bottles: dict[str, Bottle] = {}
    for name in names["beer"]:
        bottles[name] = Bottle(name, "beer", rng.choice([BROWN, GREEN]), rng.choice(LABELS), cap=(150, 30, 30))
    for name in names["wine"]:
        bottles[name] = Bottle(name, "wine", GREEN, rng.choice(LABELS), cap=(70, 20, 34))
    for name in names["soft"]:
        label = rng.choice(LABELS)
        clear = name in ("Aqua", "Tonic")
        bottles[name] = Bottle(name, "water", CLEAR, label) if clear else Bottle(name, "soda", DARK, label)
    return bottles


def save_bottle_photo(
    path: Path, kinds: dict[str, Bottle], drunk: dict[str, int], size: tuple[int, int], rng: random.Random
) -> None:
    """A photo in which no label is hidden by a bottle in front of it."""
    bottles = [(kinds[name], count) for name, count in drunk.items()]
    scene = bottle_scene(bottles, rng, *size)
    while not _is_readable(scene):
        scene = bottle_scene(bottles, rng, *size)
    save_image(photograph_picture(scene.image, rng, strength=0.35, frame=False), path)


def _is_readable(scene: Scene) -> bool:
    """Whether the middle of each bottle, where the name stands, is free."""
    back = len(scene.bottles) // 2
    fronts = [box for _, box in scene.bottles[back:]]
    middles = [(box[0] * 0.8 + box[2] * 0.2, box[0] * 0.2 + box[2] * 0.8) for _, box in scene.bottles[:back]]
    return not any(front[0] < right and left < front[2] for left, right in middles for front in fronts)


def drinks_menu(season: str, prices: Prices, style: MenuStyle, rng: random.Random) -> Any:
    sections = [
        MenuSection(title, [MenuItem(name, f"{price:.2f}") for name, price in items.items()])
        for title, items in prices.items()
    ]
    return draw_menu("The Copper Pot", sections, style, rng, footer=season, width=1000 if style == "modern" else 800)
