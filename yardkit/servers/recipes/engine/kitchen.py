"""What the tools tell: lists of recipes, a recipe, a menu, a shopping list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from yardkit.apps.recipes import Ingredient, Recipe, recipes_of
from yardkit.servers.recipes.engine.choosing import (
    Picker,
    ShoppingList,
    build_shopping_list,
    contains_any,
    describe_unknown,
    filter_suitable,
    recipe_named,
    scale_recipe,
)
from yardkit.servers.recipes.engine.steps import steps_of
from yardkit.world import World

Category = Literal["水产", "早餐", "调料", "甜品", "饮品", "荤菜", "半成品加工", "汤", "主食", "素菜"]
DAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")


@dataclass(frozen=True)
class RecipeLine:
    """A recipe in a list; minutes: of preparation and cooking together."""

    id: str
    name: str
    name_en: str
    category: str
    difficulty: int
    minutes: int


@dataclass(frozen=True)
class Recipes:
    """A page of recipes.

    Attributes:
        recipes: of the page.
        total: all that match.
        next_offset: where the list goes on, null at its end.
        notes: ingredients that were asked for or to be avoided and that no recipe has.
    """

    recipes: list[RecipeLine]
    total: int
    next_offset: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecipeView:
    """A recipe for a number of people, with its steps in Chinese and English."""

    id: str
    name: str
    name_en: str
    category: str
    difficulty: int
    people: int
    prep_minutes: int
    cook_minutes: int
    ingredients: list[Ingredient]
    steps: list[str]
    steps_en: list[str]


@dataclass(frozen=True)
class DayMeals:
    """What is eaten on a day."""

    day: str
    breakfast: list[RecipeLine]
    lunch: list[RecipeLine]
    dinner: list[RecipeLine]


@dataclass(frozen=True)
class Menu:
    """Meals of some days; no dish twice while there are others. notes: what is to be avoided and no recipe has."""

    people: int
    days: list[DayMeals]
    notes: tuple[str, ...] = ()


def find_recipes(
    world: World,
    query: str = "",
    category: str | None = None,
    ingredients: Sequence[str] = (),
    avoid: Sequence[str] = (),
    max_minutes: int | None = None,
    offset: int = 0,
    limit: int = 30,
) -> Recipes:
    """Recipes whose name has each word of the query, with all of `ingredients` and none of what is to be avoided."""
    recipes = recipes_of(world)
    matching_recipes = [
        recipe
        for recipe in filter_suitable(recipes, avoid)
        if category in (None, recipe.category)
        and all(word in f"{recipe.name} {recipe.name_en}".casefold() for word in query.casefold().split())
        and all(contains_any(recipe, [ingredient_name]) for ingredient_name in ingredients)
        and (max_minutes is None or _sum_minutes(recipe) <= max_minutes)
    ]
    end = offset + limit
    return Recipes(
        [_build_line(recipe) for recipe in matching_recipes[offset:end]],
        len(matching_recipes),
        end if end < len(matching_recipes) else None,
        tuple(describe_unknown(recipes, [*avoid, *ingredients])),
    )


def read_recipe(world: World, recipe: str, people: int | None = None) -> RecipeView:
    """A recipe by its id or name, with quantities for so many people.

    Raises:
        Problem: there is none, or several fit.
    """
    scaled_recipe = scale_recipe(recipe_named(recipes_of(world), recipe), people)
    facts = (
        scaled_recipe.id,
        scaled_recipe.name,
        scaled_recipe.name_en,
        scaled_recipe.category,
        scaled_recipe.difficulty,
        scaled_recipe.servings,
    )
    return RecipeView(
        *facts,
        scaled_recipe.prep_minutes,
        scaled_recipe.cook_minutes,
        scaled_recipe.ingredients,
        *steps_of(scaled_recipe),
    )


def plan_meals(world: World, people: int, days: int, avoid: Sequence[str]) -> Menu:
    """Meals for so many people and days; the dishes of a meal are of different kinds.

    Raises:
        Problem: too few recipes are left without what is to be avoided.
    """
    recipes = recipes_of(world)
    picker = Picker(world, filter_suitable(recipes, avoid), f"plan:{people}:{days}")
    dish_count = max(2, -(-people // 2))
    planned_meals = []
    for day in range(days):
        breakfast = picker.pick(["早餐"], 1 if people < 5 else 2)
        lunch = picker.pick(["水产", "荤菜", "素菜", "主食"], dish_count)
        dinner = picker.pick(["荤菜", "素菜", "汤", "主食"], dish_count)
        meals = ([_build_line(recipe) for recipe in meal] for meal in (breakfast, lunch, dinner))
        planned_meals.append(DayMeals(DAYS[day % len(DAYS)], *meals))
    return Menu(people, planned_meals, tuple(describe_unknown(recipes, avoid)))


def shopping_list(world: World, recipes: Sequence[str], people: int) -> ShoppingList:
    """What to buy for recipes, by ids or names, each cooked once for so many people.

    Raises:
        Problem: there is no such recipe.
    """
    known = recipes_of(world)
    return build_shopping_list(scale_recipe(recipe_named(known, recipe_name), people) for recipe_name in recipes)


def _build_line(recipe: Recipe) -> RecipeLine:
    facts = (recipe.id, recipe.name, recipe.name_en, recipe.category, recipe.difficulty)
    return RecipeLine(*facts, _sum_minutes(recipe))


def _sum_minutes(recipe: Recipe) -> int:
    return recipe.prep_minutes + recipe.cook_minutes
