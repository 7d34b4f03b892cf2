"""Recipes in the dialect of Toolathlon's howtocook: five tools with its objects. Its chance is that of the world."""
# ruff: noqa: RUF001 - Chinese

import json
from collections.abc import Sequence
from typing import Any

from yardkit.apps.recipes import ENGLISH, Ingredient, Recipe, recipes_of
from yardkit.servers.recipes.engine.choosing import Picker, build_shopping_list, filter_suitable, recipe_named
from yardkit.servers.recipes.engine.kitchen import DAYS, Category
from yardkit.servers.recipes.engine.steps import steps_of
from yardkit.world import Problem, current_world

_LIGHT = ("素菜", "汤", "甜品", "饮品", "半成品加工")


def mcp_howtocook_getAllRecipes(no_param: str = "") -> str:
    return _format_json([_build_name_fields(recipe) for recipe in recipes_of(current_world())])


def mcp_howtocook_getRecipesByCategory(category: Category) -> str:
    simple_recipes = [
        _build_simple_recipe(recipe) for recipe in recipes_of(current_world()) if recipe.category == category
    ]
    return _format_json(simple_recipes)


def mcp_howtocook_getRecipeById(query: str) -> str:
    recipes = recipes_of(current_world())
    try:
        return _format_json(_build_full_recipe(recipe_named(recipes, query)))
    except Problem as problem:
        near = [recipe for recipe in recipes if query.lower() in (recipe.name + _describe_recipe(recipe)).lower()][:5]
        if not near:
            advice = "请检查菜谱名称是否正确，或尝试使用关键词搜索"
            raise Problem(
                _format_json({"error": "未找到匹配的菜谱", "query": query, "suggestion": advice})
            ) from problem
    matches = [{"id": recipe.id, **_build_name_fields(recipe), "category": recipe.category} for recipe in near]
    message = "未找到精确匹配，以下是可能的匹配项："
    return _format_json({"message": message, "query": query, "possibleMatches": matches})


def mcp_howtocook_recommendMeals(
    peopleCount: int, allergies: list[str] | None = None, avoidItems: list[str] | None = None
) -> str:
    world, avoid = current_world(), [*(allergies or []), *(avoidItems or [])]
    picker = Picker(world, filter_suitable(recipes_of(world), avoid), f"week:{peopleCount}")
    chosen: list[Recipe] = []
    days = [_plan_day(picker, place, peopleCount, chosen) for place in range(7)]
    plan = {"weekdays": days[:5], "weekend": days[5:], "groceryList": _build_groceries(chosen)}
    return _format_json(plan)


def mcp_howtocook_whatToEat(peopleCount: int) -> str:
    world = current_world()
    picker = Picker(world, recipes_of(world), f"meal:{peopleCount}")
    light, meat = (peopleCount + 1) // 2, -(-(peopleCount + 1) // 2)
    fish = picker.pick(["水产"], 1) if peopleCount > 8 else []
    meats = [*fish, *picker.pick(["荤菜", "水产"], meat - len(fish))]
    others = picker.pick(_LIGHT, light)
    return _format_json(
        {
            "peopleCount": peopleCount,
            "meatDishCount": len(meats),
            "vegetableDishCount": len(others),
            "dishes": [_build_simple_recipe(recipe) for recipe in [*meats, *others]],
            "message": f"为{peopleCount}人推荐的菜品，包含{len(meats)}个荤菜和{len(others)}个素菜。",
        }
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
