"""The records of the app `recipes`: dishes with their ingredients, and a built-in collection.

A world without its own records has the collection ``recipes.txt``: 120 dishes of ten categories, written for this
project. Names are Chinese with an English one beside them; the steps follow from the way of cooking.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from yardkit.apps.store import open_store
from yardkit.world import World

APP = "recipes"
CATEGORIES = ("水产", "早餐", "调料", "甜品", "饮品", "荤菜", "半成品加工", "汤", "主食", "素菜")
Shelf = Literal["fresh", "pantry", "spices", "others"]
_ENGLISH = (
    *("seafood", "breakfast", "sauce", "dessert", "drink", "meat", "ready-made", "soup", "staple", "vegetable"),
)
ENGLISH = dict(zip(CATEGORIES, _ENGLISH, strict=True))
"""The categories' English names."""
SERVINGS = 2


@dataclass(frozen=True)
class Ingredient:
    """A part of a recipe. shelf: its place in a shop."""

    name: str
    name_en: str
    quantity: float
    unit: str
    shelf: Shelf


@dataclass(frozen=True)
class Recipe:
    """A dish.

    Attributes:
        category: one of `CATEGORIES`.
        method: one word for the way of cooking, such as 炒.
        servings: the number of people that the quantities are for.
        difficulty: 1 to 5.
        cook_minutes: cooking time; prep_minutes: preparation time.
    """

    id: str
    name: str
    name_en: str
    category: str
    method: str
    servings: int
    difficulty: int
    prep_minutes: int
    cook_minutes: int
    ingredients: list[Ingredient]


RECORDS = (Recipe,)


def recipes_of(world: World) -> list[Recipe]:
    """Return the recipes of a world, by category and number, or those of the collection if it has no records."""
    with open_store(APP, *RECORDS, world=world) as store:
        own = store.find(Recipe)
    return (
        sorted(own, key=lambda recipe: (CATEGORIES.index(recipe.category), recipe.id))
        if own
        else list(load_collection())
    )


@cache
def load_collection() -> tuple[Recipe, ...]:
    """Load the built-in recipes."""
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    rows = [line.split("|") for line in lines if not line.startswith("#")]
    known = {row[0]: row[1:] for row in rows if len(row) == 3}
    dishes = [row for row in rows if len(row) == 7]
    counts = dict.fromkeys(CATEGORIES, 0)
    recipes = []
    for category, name, english, parts, method, minutes, difficulty in dishes:
        counts[category] += 1
        identity = f"{ENGLISH[category]}-{counts[category]:02}"
        ingredients = [_parse_ingredient(part, known) for part in parts.split(",")]
        times = (4 + 2 * len(ingredients), int(minutes))
        recipes.append(
            Recipe(identity, name, english, category, method, SERVINGS, int(difficulty), *times, ingredients)
        )
    return tuple(recipes)


def _parse_ingredient(part: str, known: dict[str, list[str]]) -> Ingredient:
    name, quantity, unit = part.split(" ")
    english, shelf = known[name]
    return Ingredient(name, english, float(quantity), unit, shelf)  # type: ignore[arg-type]
