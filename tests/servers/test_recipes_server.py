"""The server `recipes`, and howtocook's five tools on it."""
# ruff: noqa: RUF001 - Chinese

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.answers import caller, facts, told

from yardkit.apps.recipes import APP, CATEGORIES, RECORDS, collection
from yardkit.apps.store import opened
from yardkit.servers.recipes.dialects.toolathlon import mcp as howtocook
from yardkit.servers.recipes.engine.steps import steps_of
from yardkit.servers.recipes.server import mcp
from yardkit.world import World, use_world

call, theirs = caller(mcp), caller(howtocook)


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    made = World.create(tmp_path / "world", task="t", seed=1)
    with use_world(made):
        yield made


def does(tool: str, **arguments: Any) -> Any:
    return facts(call(tool, **arguments))


def refused(tool: str, *, by: Any = call, **arguments: Any) -> str:
    answer = by(tool, **arguments)
    assert answer.is_error, told(answer)
    return told(answer)


def foreign(tool: str, **arguments: Any) -> Any:
    answer = theirs(f"mcp_howtocook_{tool}", **arguments)
    assert not answer.is_error, told(answer)
    return json.loads(told(answer))


def test_the_collection_is_whole() -> None:
    assert [sum(one.category == category for one in collection()) for category in CATEGORIES] == [12] * 10
    assert len({one.id for one in collection()}) == len({one.name_en for one in collection()}) == 120
    for recipe in collection():
        for steps in steps_of(recipe):
            assert len(steps) >= 2
            assert not any("{" in step or "  " in step for step in steps), steps


def test_recipes_are_found_by_what_is_in_them_and_what_is_not() -> None:
    with_egg = does("find_recipes", ingredients=["egg"], limit=200)
    without = does("find_recipes", avoid=["鸡蛋"], limit=200)
    assert with_egg["total"] + without["total"] == 120
    quick = does("find_recipes", category="汤", max_minutes=20)["recipes"]
    assert quick
    assert all(one["minutes"] <= 20 and one["category"] == "汤" for one in quick)
    assert [one["name"] for one in does("find_recipes", query="KUNG chicken")["recipes"]] == ["宫保鸡丁"]
    assert does("find_recipes", limit=100, offset=100)["recipes"][-1]["id"] == "vegetable-12"


def test_a_recipe_is_for_as_many_as_eat() -> None:
    two, five = (
        does("read_recipe", recipe=name, servings=people) for name, people in (("meat-01", None), ("番茄炖牛腩", 5))
    )
    assert [part["quantity"] * 2.5 for part in two["ingredients"]] == [part["quantity"] for part in five["ingredients"]]
    assert five["steps_en"][-1] == "Add the beef brisket, tomato, onion and simmer for 90 minutes."
    assert "番茄" in five["steps"][-1]
    assert "similar:" in refused("read_recipe", recipe="番茄")
    assert "Steamed sea bass" in refused("read_recipe", recipe="Steemed sea bas")


def test_meals_are_planned_the_same_again_and_without_what_is_avoided() -> None:
    plan = does("plan_meals", servings=4, days=7, avoid=["egg", "虾"])
    assert plan == does("plan_meals", servings=4, days=7, avoid=["egg", "虾"])
    dishes = [dish["id"] for day in plan["days"] for meal in ("breakfast", "lunch", "dinner") for dish in day[meal]]
    assert len(plan["days"]) == 7
    for dish in set(dishes):
        parts = does("read_recipe", recipe=dish)["ingredients"]
        assert not any(part["name_en"] == "egg" or "虾" in part["name"] for part in parts)
    assert "leaves no recipe in 早餐" in refused("plan_meals", servings=1, avoid=["", "e", "粉", "果", "o", "a"])


def test_a_shopping_list_sums_equal_things() -> None:
    listed = does("make_shopping_list", recipes=["番茄炒蛋", "Tomato egg soup"], servings=2)
    tomato = next(one for one in listed["fresh"] if one["name"] == "番茄")
    assert (tomato["quantity"], tomato["unit"], tomato["recipes"]) == (5, "个", ["vegetable-05", "soup-01"])
    assert {one["name"] for one in listed["spices"]} == {"盐", "糖", "葱"}


def test_a_world_with_recipes_of_its_own_has_those(world: World) -> None:
    own = replace(collection()[0], id="own-1", name="外婆鲈鱼", name_en="Grandmother's bass")
    with opened(APP, *RECORDS, writes=True, world=world) as store:
        store.put(own)
    assert [one["id"] for one in does("find_recipes")["recipes"]] == ["own-1"]
    assert foreign("getRecipeById", query="外婆")["id"] == "own-1"


def test_howtocook_lists_and_shows_recipes() -> None:
    everything = foreign("getAllRecipes", no_param="x")
    assert (len(everything), list(everything[0])) == (120, ["name", "description"])
    soups = foreign("getRecipesByCategory", category="汤")
    assert (len(soups), list(soups[0])) == (12, ["id", "name", "description", "ingredients"])
    assert soups[0]["ingredients"][0] == {"name": "番茄", "text_quantity": "- 番茄 2 个"}
    whole = foreign("getRecipeById", query="清蒸鲈鱼")
    assert (whole["category"], whole["servings"], whole["total_time_minutes"]) == ("水产", 2, 26)
    assert whole["steps"][0] == {"step": 1, "description": "鲈鱼处理干净，装盘。"}
    assert len(foreign("getRecipeById", query="番茄")["possibleMatches"]) == 5
    assert (
        json.loads(refused("mcp_howtocook_getRecipeById", by=theirs, query="石头汤面"))["error"] == "未找到匹配的菜谱"
    )
    assert "category" in refused("mcp_howtocook_getRecipesByCategory", by=theirs, category="soup")


def test_howtocook_plans_a_week_and_what_to_buy() -> None:
    plan = foreign("recommendMeals", peopleCount=3, allergies=["虾"], avoidItems=["葱"])
    assert [day["day"] for day in [*plan["weekdays"], *plan["weekend"]]] == [
        "周一",
        "周二",
        "周三",
        "周四",
        "周五",
        "周六",
        "周日",
    ]
    dishes = [
        dish
        for day in [*plan["weekdays"], *plan["weekend"]]
        for meal in ("breakfast", "lunch", "dinner")
        for dish in day[meal]
    ]
    assert not any("虾" in part["name"] or "葱" in part["name"] for dish in dishes for part in dish["ingredients"])
    assert [len(plan[part][0]["lunch"]) for part in ("weekdays", "weekend")] == [2, 3]
    bought = plan["groceryList"]["ingredients"]
    assert bought[0]["recipeCount"] == max(one["recipeCount"] for one in bought)
    assert {part["name"] for dish in dishes for part in dish["ingredients"]} == {one["name"] for one in bought}
    assert foreign("recommendMeals", peopleCount=3, allergies=["虾"], avoidItems=["葱"]) == plan


@pytest.mark.parametrize(("people", "meat", "light"), [(1, 1, 1), (4, 3, 2), (9, 5, 5)])
def test_howtocook_chooses_dishes_for_a_meal(people: int, meat: int, light: int) -> None:
    got = foreign("whatToEat", peopleCount=people)
    assert (got["meatDishCount"], got["vegetableDishCount"], len(got["dishes"])) == (meat, light, meat + light)
    assert got["message"] == f"为{people}人推荐的菜品，包含{meat}个荤菜和{light}个素菜。"
