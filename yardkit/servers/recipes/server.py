"""The tools of the `recipes` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.recipes.engine import kitchen
from yardkit.servers.recipes.engine.choosing import ShoppingList
from yardkit.world import current_world

mcp = make_server(
    "recipes",
    "A collection of recipes, Chinese with English names. Quantities scale to the number of people.",
)

Avoid = Annotated[
    list[str],
    Field(
        description="Ingredients to avoid: whole words of the English name, singular or plural; usual other names "
        "(shrimp) and kinds (dairy, nuts, seafood); or part of the Chinese name.",
        max_length=50,
    ),
]


@tool(mcp, bulk=True)
def find_recipes(
    query: Annotated[str, Field(description="Words in the name, Chinese or English.", max_length=200)] = "",
    category: Annotated[kitchen.Category | None, Field(description="Category; by default all.")] = None,
    ingredients: Annotated[
        list[str], Field(description="Ingredients that must all be in it, named as in avoid.", max_length=20)
    ] = [],  # noqa: B006
    avoid: Avoid = [],  # noqa: B006
    max_minutes: Annotated[int | None, Field(description="Maximum total time in minutes.", ge=1, le=1_000)] = None,
    offset: Annotated[int, Field(description="Recipes to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Maximum number of recipes.", ge=1, le=200)] = 30,
) -> kitchen.Recipes:
    """Search recipes by name, category, ingredients and time."""
    return kitchen.find_recipes(current_world(), query, category, ingredients, avoid, max_minutes, offset, limit)


@tool(mcp, bulk=True)
def read_recipe(
    recipe: Annotated[str, Field(description="Id or name of the recipe.", min_length=1, max_length=200)],
    servings: Annotated[int | None, Field(description="Number of people.", ge=1, le=50)] = None,
) -> kitchen.RecipeView:
    """Read a recipe: ingredients with quantities, and steps."""
    return kitchen.read_recipe(current_world(), recipe, servings)


@tool(mcp, bulk=True)
def plan_meals(
    servings: Annotated[int, Field(description="Number of people.", ge=1, le=20)],
    days: Annotated[int, Field(description="Number of days, from Monday.", ge=1, le=14)] = 7,
    avoid: Avoid = [],  # noqa: B006
) -> kitchen.Menu:
    """Plan breakfasts, lunches and dinners; the same arguments give the same plan."""
    return kitchen.plan_meals(current_world(), servings, days, avoid)


@tool(mcp, bulk=True)
def make_shopping_list(
    recipes: Annotated[list[str], Field(description="Ids or names of recipes.", min_length=1, max_length=100)],
    servings: Annotated[int, Field(description="Number of people, for each recipe.", ge=1, le=50)] = 2,
) -> ShoppingList:
    """Total the ingredients of recipes, grouped by shop section."""
    return kitchen.shopping_list(current_world(), recipes, servings)
