"""The world of gta/price_on_photo: a menu with two prices for each drink, and a photograph of a cup."""

import random
from decimal import Decimal
from typing import Any

from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.rendering import MenuItem, MenuSection, draw_menu, photograph_picture, save_image
from yardkit.world import World

DRINKS = ("Espresso", "Flat White", "Cappuccino", "Latte", "Mocha", "Cortado", "Hot Chocolate", "Chai")
CAKES = ("Carrot Cake", "Apple Pie", "Brownie", "Almond Slice", "Banana Bread", "Scone")
NAMES = ("Coffee for two", "Morning set", "Break time", "Desk set")
COLORS = {"yellow": "#FFFF00", "cyan": "#00FFFF", "lime": "#00FF00"}
WHERE = {"At the table": "at the table", "To take away": "to take away"}


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Price everything twice; the facts hold the line that is to be written, and what it would be at other prices."""
    drinks, cakes = rng.sample(DRINKS, 5), rng.sample(CAKES, 3)
    here = {name: Decimal(rng.randrange(260, 560, 10)) / 100 for name in (*drinks, *cakes)}
    prices = {section: {name: price - off for name, price in here.items()} for section, off in _make_sections(rng)}
    sections = [
        MenuSection(title, [MenuItem(name, f"{price:.2f}") for name, price in items.items()])
        for title, items in prices.items()
    ]
    shot = photograph_picture(draw_menu("The Corner", sections, "modern", rng, width=1000), rng, strength=0.3)
    save_image(shot, world.files / "menu.jpg")
    save_image(_load_counter(rng), world.files / "counter.jpg")
    count, first, second, name = rng.choice((2, 3)), rng.choice(drinks), rng.choice(cakes), rng.choice(NAMES)
    section, color = rng.choice(list(WHERE)), rng.choice(list(COLORS))
    lines = {title: f"{name}: ${count * of[first] + of[second]:.2f}" for title, of in prices.items()}
    return {
        "line": lines.pop(section),
        "elsewhere": lines.popitem()[1],
        "single": f"{name}: ${prices[section][first] + prices[section][second]:.2f}",
        "color": COLORS[color],
        "gt_answer": None,
        "prompt": {
            "count": count,
            "first": first,
            "second": second,
            "where": WHERE[section],
            "name": name,
            "color": color,
        },
    }


def _make_sections(rng: random.Random) -> list[tuple[str, Decimal]]:
    """The two parts of the menu, and by how much one is cheaper."""
    parts = list(zip(WHERE, (Decimal(0), Decimal(rng.choice((30, 40, 60))) / 100), strict=True))
    return parts if rng.random() < 0.5 else parts[::-1]


def _load_counter(rng: random.Random) -> Any:
    """A photograph of a cup, 1000 pixels wide, somewhat darker or lighter, perhaps mirrored."""
    from PIL import ImageEnhance, ImageOps

    image = load_photograph("cup").resize((1000, 667))
    image = ImageEnhance.Brightness(image).enhance(rng.uniform(0.7, 0.85))
    return ImageOps.mirror(image) if rng.random() < 0.5 else image
