"""Recipes in the dialect of Toolathlon's howtocook: five tools with its objects. Its chance is that of the world."""
# ruff: noqa: RUF001, RUF002 - Chinese

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from yardkit.apps.recipes import ENGLISH, Ingredient, Recipe, recipes_of
from yardkit.kit.dialect import Offset, Text, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.recipes.engine.choosing import Picker, build_shopping_list, filter_suitable, recipe_named
from yardkit.servers.recipes.engine.kitchen import DAYS, Category
from yardkit.servers.recipes.engine.steps import steps_of
from yardkit.world import Problem, current_world

mcp = make_server("recipes", "A collection of Chinese recipes: look them up, plan a week, choose dishes for a meal.")

People = Annotated[int, Field(description="用餐人数，1-10之间的整数 (people).", ge=1, le=10)]
_LIGHT = ("素菜", "汤", "甜品", "饮品", "半成品加工")


@tool(mcp, name="mcp_howtocook_getAllRecipes")
def get_all_recipes(
    no_param: Annotated[str, Field(description="无参数 (of no account).")] = "",  # noqa: ARG001
    offset: Offset = 0,
) -> TextPage:
    """获取所有菜谱 (names and descriptions of all recipes)."""
    return cut_page(_format_json([_build_name_fields(recipe) for recipe in recipes_of(current_world())]), offset)


@tool(mcp, name="mcp_howtocook_getRecipesByCategory")
def get_recipes_by_category(
    category: Annotated[Category, Field(description="菜谱分类 (category).")], offset: Offset = 0
) -> TextPage:
    """根据分类查询菜谱 (recipes of a category)."""
    simple_recipes = [
        _build_simple_recipe(recipe) for recipe in recipes_of(current_world()) if recipe.category == category
    ]
    return cut_page(_format_json(simple_recipes), offset)


@tool(mcp, name="mcp_howtocook_getRecipeById")
def get_recipe_by_id(query: Annotated[str, Field(description="菜谱名称或ID (name or id).", max_length=200)]) -> Text:
    """根据菜谱名称或ID查询指定菜谱的完整详情 (all of a recipe)."""
    recipes = recipes_of(current_world())
    try:
        return Text(_format_json(_build_full_recipe(recipe_named(recipes, query))))
    except Problem as problem:
        near = [recipe for recipe in recipes if query.lower() in (recipe.name + _describe_recipe(recipe)).lower()][:5]
        if not near:
            advice = "请检查菜谱名称是否正确，或尝试使用关键词搜索"
            raise Problem(
                _format_json({"error": "未找到匹配的菜谱", "query": query, "suggestion": advice})
            ) from problem
    matches = [{"id": recipe.id, **_build_name_fields(recipe), "category": recipe.category} for recipe in near]
    message = "未找到精确匹配，以下是可能的匹配项："
    return Text(_format_json({"message": message, "query": query, "possibleMatches": matches}))


@tool(mcp, name="mcp_howtocook_recommendMeals")
def recommend_meals(
    peopleCount: People,  # noqa: N803 - their name
    allergies: Annotated[list[str] | None, Field(description="过敏原列表 (allergies).", max_length=50)] = None,
    avoidItems: Annotated[list[str] | None, Field(description="忌口食材列表 (to avoid).", max_length=50)] = None,  # noqa: N803
    offset: Offset = 0,
) -> TextPage:
    """智能推荐菜谱，创建一周的膳食计划以及大致的购物清单 (a week's meals and what to buy)."""
    world, avoid = current_world(), [*(allergies or []), *(avoidItems or [])]
    picker = Picker(world, filter_suitable(recipes_of(world), avoid), f"week:{peopleCount}")
    chosen: list[Recipe] = []
    days = [_plan_day(picker, place, peopleCount, chosen) for place in range(7)]
    plan = {"weekdays": days[:5], "weekend": days[5:], "groceryList": _build_groceries(chosen)}
    return cut_page(_format_json(plan), offset)


@tool(mcp, name="mcp_howtocook_whatToEat")
def what_to_eat(peopleCount: People) -> Text:  # noqa: N803
    """不知道吃什么？根据人数直接推荐适合的菜品组合 (dishes for a meal)."""
    world = current_world()
    picker = Picker(world, recipes_of(world), f"meal:{peopleCount}")
    light, meat = (peopleCount + 1) // 2, -(-(peopleCount + 1) // 2)
    fish = picker.pick(["水产"], 1) if peopleCount > 8 else []
    meats = [*fish, *picker.pick(["荤菜", "水产"], meat - len(fish))]
    others = picker.pick(_LIGHT, light)
    return Text(
        _format_json(
            {
                "peopleCount": peopleCount,
                "meatDishCount": len(meats),
                "vegetableDishCount": len(others),
                "dishes": [_build_simple_recipe(recipe) for recipe in [*meats, *others]],
                "message": f"为{peopleCount}人推荐的菜品，包含{len(meats)}个荤菜和{len(others)}个素菜。",
            }
        )
    )


def _plan_day(picker: Picker, place: int, people: int, chosen: list[Recipe]) -> dict[str, Any]:
    """The meals of a day; those of a weekend have more dishes, of meat and fish."""
    if place < 5:
        first, dish_count = max(1, -(-people // 5)), max(2, -(-people // 3))
        kinds, late = ["主食", "水产", "荤菜", "素菜", "甜品"], ["主食", "水产", "荤菜", "素菜", "甜品", "汤"]
    else:
        first, dish_count = max(2, -(-people // 3)), max(2, -(-people // 3)) + (1 if people <= 4 else 2)
        kinds = late = ["荤菜", "水产"]
    meals = {
        "breakfast": picker.pick(["早餐"], first),
        "lunch": picker.pick(kinds, dish_count),
        "dinner": picker.pick(late, dish_count),
    }
    for dishes in meals.values():
        chosen += dishes
    return {
        "day": DAYS[place],
        **{name: [_build_simple_recipe(recipe) for recipe in dishes] for name, dishes in meals.items()},
    }


def _build_groceries(recipes: Sequence[Recipe]) -> dict[str, Any]:
    listed, names = build_shopping_list(recipes), {recipe.id: recipe.name for recipe in recipes}
    shelves = {name: getattr(listed, name) for name in ("fresh", "pantry", "spices", "others")}
    parts = sorted(
        (purchase for shelf in shelves.values() for purchase in shelf), key=lambda purchase: -len(purchase.recipes)
    )
    ingredient_rows = [
        {
            "name": purchase.name,
            "totalQuantity": purchase.quantity,
            "unit": purchase.unit,
            "recipeCount": len(purchase.recipes),
            "recipes": list(dict.fromkeys(names[recipe] for recipe in purchase.recipes)),
        }
        for purchase in parts
    ]
    return {
        "ingredients": ingredient_rows,
        "shoppingPlan": {name: [purchase.name for purchase in shelf] for name, shelf in shelves.items()},
    }


def _describe_recipe(recipe: Recipe) -> str:
    minutes = recipe.prep_minutes + recipe.cook_minutes
    return f"{recipe.name}（{recipe.name_en}），{recipe.category}，约{minutes}分钟。"


def _build_name_fields(recipe: Recipe) -> dict[str, Any]:
    return {"name": recipe.name, "description": _describe_recipe(recipe)}


def _build_simple_recipe(recipe: Recipe) -> dict[str, Any]:
    parts = [{"name": part.name, "text_quantity": _format_quantity(part)} for part in recipe.ingredients]
    return {"id": recipe.id, **_build_name_fields(recipe), "ingredients": parts}


def _build_full_recipe(recipe: Recipe) -> dict[str, Any]:
    parts = [
        {
            "name": part.name,
            "quantity": part.quantity,
            "unit": part.unit,
            "text_quantity": _format_quantity(part),
            "notes": "",
        }
        for part in recipe.ingredients
    ]
    return {
        "id": recipe.id,
        **_build_name_fields(recipe),
        "source_path": f"dishes/{ENGLISH[recipe.category]}/{recipe.name}.md",
        "image_path": None,
        "category": recipe.category,
        "difficulty": recipe.difficulty,
        "tags": [recipe.category],
        "servings": recipe.servings,
        "ingredients": parts,
        "steps": [{"step": number, "description": text} for number, text in enumerate(steps_of(recipe)[0], 1)],
        "prep_time_minutes": recipe.prep_minutes,
        "cook_time_minutes": recipe.cook_minutes,
        "total_time_minutes": recipe.prep_minutes + recipe.cook_minutes,
        "additional_notes": [],
    }


def _format_quantity(part: Ingredient) -> str:
    return f"- {part.name} {part.quantity:g} {part.unit}"


def _format_json(facts: object) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=2)
