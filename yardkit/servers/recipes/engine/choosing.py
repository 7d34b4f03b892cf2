"""Recipes by name, without what is to be avoided, for a number of people, and chosen by the chance of a world."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from yardkit.apps.recipes import Recipe
from yardkit.servers.recipes.engine.ingredients import is_kind, is_named
from yardkit.world import Problem, World


@dataclass(frozen=True)
class Bought:
    """What is bought of an ingredient. quantity: of all recipes together; recipes: their ids."""

    name: str
    name_en: str
    quantity: float
    unit: str
    recipes: list[str]


@dataclass(frozen=True)
class ShoppingList:
    """What to buy, by the part of the shop where it stands."""

    fresh: list[Bought]
    pantry: list[Bought]
    spices: list[Bought]
    others: list[Bought]


def filter_suitable(recipes: Iterable[Recipe], avoid: Sequence[str]) -> list[Recipe]:
    """Those recipes in which nothing is to be avoided."""
    return [recipe for recipe in recipes if not contains_any(recipe, avoid)]


def contains_any(recipe: Recipe, things: Sequence[str]) -> bool:
    """Whether an ingredient is one of some things, by its Chinese or English name."""
    return any(is_named(part, thing) for thing in things for part in recipe.ingredients)


def describe_unknown(recipes: Sequence[Recipe], things: Sequence[str]) -> list[str]:
    """Which things no recipe has, so that leaving them out or asking for them does nothing; what is not known."""
    parts = {(part.name, part.name_en): part for recipe in recipes for part in recipe.ingredients}.values()
    names = sorted({name for part in parts for name in (part.name, part.name_en)})
    messages = []
    for thing in filter(str.strip, things):
        if not any(is_named(part, thing) for part in parts):
            near = get_close_matches(thing.strip().casefold(), names, 3, 0.6)
            hint = f"; similar: {', '.join(near)}" if near else ""
            messages.append(f"no recipe has an ingredient called {thing.strip()!r}{hint}")
    if any(map(is_kind, things)):
        messages.append(
            "kinds are known by the names of ingredients; what ready-made ones such as frozen dumplings, sauces or "
            "roux contain is not known, so check their packages"
        )
    return messages


def recipe_named(recipes: Sequence[Recipe], recipe_name: str) -> Recipe:
    """The recipe with an id or a name, or the only one whose name holds it.

    Raises:
        Problem: there is none, or there are several.
    """
    text = recipe_name.strip().casefold()
    for recipe in recipes:
        if text in (recipe.id, recipe.name.casefold(), recipe.name_en.casefold()):
            return recipe
    near = [recipe for recipe in recipes if text and text in f"{recipe.name} {recipe.name_en}".casefold()]
    if len(near) == 1:
        return near[0]
    close = get_close_matches(
        recipe_name, [name for recipe in recipes for name in (recipe.name, recipe.name_en)], 5, 0.4
    )
    names = [f"{recipe.id} {recipe.name}" for recipe in near[:8]] or close
    raise Problem(f"{recipe_name!r} is not a single recipe; similar: {', '.join(names) or 'none, use find_recipes'}")


def scale_recipe(recipe: Recipe, people: int | None) -> Recipe:
    """A recipe for so many people."""
    if people is None or people == recipe.servings:
        return recipe
    share = people / recipe.servings
    parts = [replace(part, quantity=round(part.quantity * share, 2)) for part in recipe.ingredients]
    return replace(recipe, servings=people, ingredients=parts)


def build_shopping_list(recipes: Iterable[Recipe]) -> ShoppingList:
    """All that recipes need; equal things in equal units are one."""
    purchases: dict[tuple[str, str], Bought] = {}
    shelves: dict[str, list[tuple[str, str]]] = {"fresh": [], "pantry": [], "spices": [], "others": []}
    for recipe in recipes:
        for part in recipe.ingredients:
            key = (part.name, part.unit)
            if key not in purchases:
                purchases[key] = Bought(part.name, part.name_en, 0.0, part.unit, [])
                shelves[part.shelf].append(key)
            old = purchases[key]
            purchases[key] = replace(
                old, quantity=round(old.quantity + part.quantity, 2), recipes=[*old.recipes, recipe.id]
            )
    return ShoppingList(**{shelf: [purchases[key] for key in keys] for shelf, keys in shelves.items()})


class Picker:
    """Chooses dishes by chance, the same in the same world for a `purpose`, none twice while there are others."""

    def __init__(self, world: World, recipes: Sequence[Recipe], purpose: str) -> None:
        self._rng = random.Random(f"{world.task}:{world.seed}:recipes:{purpose}")  # noqa: S311 - not secrecy
        self._all, self._left = list(recipes), list(recipes)

    def pick(self, categories: Sequence[str], count: int) -> list[Recipe]:
        """Dishes of these categories in turn; chance says with which category it begins.

        Raises:
            Problem: none of them has a dish.
        """
        start = self._rng.randrange(len(categories))
        picked_recipes: list[Recipe] = []
        for place in range(count):
            choice = self._list_candidates([categories[(start + place) % len(categories)]]) or self._list_candidates(
                categories
            )
            if not choice:
                raise Problem(f"avoiding these ingredients leaves no recipe in {', '.join(categories)}; avoid fewer")
            picked_recipes.append(self._rng.choice(choice))
            self._left = [recipe for recipe in self._left if recipe != picked_recipes[-1]]
        return picked_recipes

    def _list_candidates(self, categories: Sequence[str]) -> list[Recipe]:
        fresh = [recipe for recipe in self._left if recipe.category in categories]
        return fresh or [recipe for recipe in self._all if recipe.category in categories]
