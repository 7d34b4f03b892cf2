"""The tools of the `recipes` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.recipes.engine import kitchen
from yardkit.servers.recipes.engine.choosing import ShoppingList
from yardkit.world import current_world

mcp = make_server(
    "recipes",
    "A collection of recipes, Chinese with English names. Quantities are for a number of people that can be chosen.",
)

Avoid = Annotated[
    list[str],
    Field(description="Ingredients that nobody gets, by parts of their names in Chinese or English.", max_length=50),
]


@tool(mcp, bulk=True)
def find_recipes(
    query: Annotated[str, Field(description="Words of the name, Chinese or English.", max_length=200)] = "",
    category: Annotated[kitchen.Category | None, Field(description="Only of this category.")] = None,
    ingredients: Annotated[list[str], Field(description="All of these are in it.", max_length=20)] = [],  # noqa: B006
    avoid: Avoid = [],  # noqa: B006
    max_minutes: Annotated[int | None, Field(description="Minutes at most, all together.", ge=1, le=1_000)] = None,
    offset: Annotated[int, Field(description="Recipes to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Recipes at most.", ge=1, le=200)] = 30,
) -> kitchen.Recipes:
    """Find recipes by name, category, ingredients and time."""
    return kitchen.find_recipes(current_world(), query, category, ingredients, avoid, max_minutes, offset, limit)


@tool(mcp, bulk=True)
def read_recipe(
    recipe: Annotated[str, Field(description="Id or name.", min_length=1, max_length=200)],
    servings: Annotated[int | None, Field(description="Quantities for so many.", ge=1, le=50)] = None,
) -> kitchen.RecipeView:
    """Read a recipe: ingredients with quantities, and steps."""
    return kitchen.read_recipe(current_world(), recipe, servings)


@tool(mcp, bulk=True)
def plan_meals(
    servings: Annotated[int, Field(description="How many eat.", ge=1, le=20)],
    days: Annotated[int, Field(description="For so many days from Monday on.", ge=1, le=14)] = 7,
    avoid: Avoid = [],  # noqa: B006
) -> kitchen.Menu:
    """Plan breakfasts, lunches and dinners, the same for the same wishes."""
    return kitchen.plan_meals(current_world(), servings, days, avoid)


@tool(mcp, bulk=True)
def make_shopping_list(
    recipes: Annotated[list[str], Field(description="Ids or names of recipes.", min_length=1, max_length=100)],
    servings: Annotated[int, Field(description="For how many each is cooked.", ge=1, le=50)] = 2,
) -> ShoppingList:
    """Sum up what recipes need, by the part of the shop where it stands."""
    return kitchen.shopping_list(current_world(), recipes, servings)
