"""Photographs of a restaurant's lunch and dinner menus: the same dishes at other prices."""

import random
from typing import Any

from yardkit.state_init.rendering import MenuItem, MenuSection, draw_menu, photograph_picture, save_image
from yardkit.state_init.rendering.menus import MenuStyle
from yardkit.world import World

DISHES = {
    "Starters": ("Tomato soup", "Garden salad", "Garlic bread", "Smoked trout", "Grilled halloumi"),
    "Main dishes": ("Mushroom risotto", "Roast chicken", "Baked salmon", "Beef goulash", "Spinach lasagne"),
    "Desserts": ("Apple crumble", "Lemon tart", "Plum cake", "Walnut parfait"),
}
SHOPS = ("The Old Mill", "Harbour Kitchen", "Villa Rosa", "The Green Door")
STYLES: tuple[MenuStyle, ...] = ("classic", "board")
Prices = dict[str, int]
"""Cents by dish."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Two photographs; `others` are the shares without the service, by the other menu, and the bill of all."""
    dishes = {title: rng.sample(names, 3) for title, names in DISHES.items()}
    service, people = rng.choice([10, 12, 15]), rng.choice([3, 4, 5])
    lunch, dinner, ordered = (
        _choose_prices(dishes, rng),
        _choose_prices(dishes, rng),
        _choose_order(dishes, people, rng),
    )
    share, rest = _compute_share(dinner, ordered, service, people)
    others = {
        "service_forgotten": _compute_share(dinner, ordered, 0, people)[0],
        "lunch_prices": _compute_share(lunch, ordered, service, people)[0],
        "bill_of_all": _compute_share(dinner, ordered, service, 1)[0],
    }
    if rest or share in others.values():
        return seed(world, rng)
    shop, style, files = rng.choice(SHOPS), rng.choice(STYLES), rng.sample(["menu_1.jpg", "menu_2.jpg"], 2)
    for meal, prices, file in zip(("Lunch", "Dinner"), (lunch, dinner), files, strict=True):
        sections = [
            MenuSection(title, [MenuItem(name, f"{prices[name] / 100:.2f}") for name in names])
            for title, names in dishes.items()
        ]
        sheet = draw_menu(shop, sections, style, rng, footer=f"{meal} menu", width=900)
        save_image(photograph_picture(sheet, rng, strength=0.3), world.files / file)
    words = [f"{count} x {name.lower()}" for name, count in ordered.items()]
    return {
        "prompt": {"people": people, "service": service, "ordered": f"{', '.join(words[:-1])} and {words[-1]}"},
        "gt_answer": {"whitelist": [[share]], "blacklist": None},
        "others": others,
    }


def _choose_prices(dishes: dict[str, list[str]], rng: random.Random) -> Prices:
    ranges = {"Starters": (480, 990), "Main dishes": (1290, 2490), "Desserts": (560, 890)}
    return {name: rng.randrange(*ranges[title], 10) for title, names in dishes.items() for name in names}


def _choose_order(dishes: dict[str, list[str]], people: int, rng: random.Random) -> dict[str, int]:
    """A main dish for each guest, of two kinds, and something before and after."""
    starter, dessert = rng.choice(dishes["Starters"]), rng.choice(dishes["Desserts"])
    first_dish, other = rng.sample(dishes["Main dishes"], 2)
    first = rng.randint(1, people - 1)
    return {starter: rng.randint(1, 3), first_dish: first, other: people - first, dessert: rng.randint(1, people)}


def _compute_share(prices: Prices, ordered: dict[str, int], service: int, people: int) -> tuple[str, int]:
    """Of one guest, in dollars, and what is left over: 0 where it is a whole number of cents."""
    total = sum(prices[name] * count for name, count in ordered.items())
    cents, rest = divmod(total * (100 + service), 100 * people)
    return f"{cents / 100:.2f}", rest
