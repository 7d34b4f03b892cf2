"""The server `recipes`, and howtocook's five tools on it."""
# ruff: noqa: RUF001 - Chinese

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.answers import make_caller, read_facts, read_text

from yardkit.apps.recipes import APP, CATEGORIES, RECORDS, load_collection
from yardkit.apps.store import open_store
from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.recipes.engine.steps import steps_of
from yardkit.servers.recipes.server import mcp
from yardkit.world import World, use_world

call, theirs = make_caller(mcp), make_caller(load_server("recipes", "toolathlon"))


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="t", seed=1)
    with use_world(new_world):
        yield new_world


def call_recipes(tool: str, **arguments: Any) -> Any:
    return read_facts(call(tool, **arguments))


def refuse_call(tool: str, *, by: Any = call, **arguments: Any) -> str:
    answer = by(tool, **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def call_foreign(tool: str, **arguments: Any) -> Any:
    answer = theirs(f"mcp_howtocook_{tool}", **arguments)
    assert not answer.is_error, read_text(answer)
    return json.loads(read_text(answer))


def test_the_collection_is_whole() -> None:
    assert [sum(recipe.category == category for recipe in load_collection()) for category in CATEGORIES] == [12] * 10
    assert (
        len({recipe.id for recipe in load_collection()}) == len({recipe.name_en for recipe in load_collection()}) == 120
    )
    for recipe in load_collection():
        for steps in steps_of(recipe):
            assert len(steps) >= 2
            assert not any("{" in step or "  " in step for step in steps), steps


def test_recipes_are_found_by_what_is_in_them_and_what_is_not() -> None:
    with_egg = call_recipes("find_recipes", ingredients=["egg"], limit=200)
    without = call_recipes("find_recipes", avoid=["鸡蛋"], limit=200)
    assert with_egg["total"] + without["total"] == 120
    quick = call_recipes("find_recipes", category="汤", max_minutes=20)["recipes"]
    assert quick
    assert all(recipe["minutes"] <= 20 and recipe["category"] == "汤" for recipe in quick)
    assert [recipe["name"] for recipe in call_recipes("find_recipes", query="KUNG chicken")["recipes"]] == ["宫保鸡丁"]
    assert call_recipes("find_recipes", limit=100, offset=100)["recipes"][-1]["id"] == "vegetable-12"


def test_a_recipe_is_for_as_many_as_eat() -> None:
    two, five = (
        call_recipes("read_recipe", recipe=name, servings=people)
        for name, people in (("meat-01", None), ("番茄炖牛腩", 5))
    )
    assert [part["quantity"] * 2.5 for part in two["ingredients"]] == [part["quantity"] for part in five["ingredients"]]
    assert five["steps_en"][-1] == "Add the beef brisket, tomato, onion and simmer for 90 minutes."
    assert "番茄" in five["steps"][-1]
    assert "similar:" in refuse_call("read_recipe", recipe="番茄")
    assert "Steamed sea bass" in refuse_call("read_recipe", recipe="Steemed sea bas")


def test_meals_are_planned_the_same_again_and_without_what_is_avoided() -> None:
    plan = call_recipes("plan_meals", servings=4, days=7, avoid=["egg", "虾"])
    assert plan == call_recipes("plan_meals", servings=4, days=7, avoid=["egg", "虾"])
    dishes = [dish["id"] for day in plan["days"] for meal in ("breakfast", "lunch", "dinner") for dish in day[meal]]
    assert len(plan["days"]) == 7
    for dish in set(dishes):
        parts = call_recipes("read_recipe", recipe=dish)["ingredients"]
        assert not any(part["name_en"] == "egg" or "虾" in part["name"] for part in parts)
    assert "leaves no recipe in 早餐" in refuse_call(
        "plan_meals", servings=1, avoid=["", "粉", "蛋", "面", "米", "奶", "豆", "馒", "饼"]
    )


@pytest.mark.parametrize(
    ("thing", "same"),
    [
        ("eggs", "egg"),
        (" Tomatoes", "tomato"),
        ("potatoes", "土豆"),
        ("shrimps", "prawns"),
        ("peanut", "花生"),
        ("strawberry", "strawberries"),
        ("eggplants", "aubergine"),
        ("Scallions", "spring onion"),
        ("西红柿", "番茄"),
        ("猪肉", "pork"),
        ("牛肉", "beef"),
        ("海鲜", "seafood"),
        ("乳制品", "dairy"),
        ("tea leaf", "tea leaves"),
    ],
)
def test_an_ingredient_has_a_singular_a_plural_and_other_names(thing: str, same: str) -> None:
    first, second = (
        {recipe["id"] for recipe in call_recipes("find_recipes", avoid=[name], limit=200)["recipes"]}
        for name in (thing, same)
    )
    assert first == second
    assert len(first) < 120


def test_an_ingredient_is_meant_by_whole_words_and_kinds_have_members() -> None:
    def names_of(thing: str) -> set[str]:
        recipes = call_recipes("find_recipes", ingredients=[thing], limit=200)["recipes"]
        read = (call_recipes("read_recipe", recipe=recipe["id"])["ingredients"] for recipe in recipes)
        return {part["name_en"] for parts in read for part in parts}

    assert not names_of("pea")
    assert not names_of("ham sand")
    assert {"prawns", "crab", "clams", "squid"} <= names_of("shellfish")
    without = call_recipes("find_recipes", avoid=["dairy"], limit=200)["recipes"]
    remaining = {
        part["name_en"]
        for recipe in without
        for part in call_recipes("read_recipe", recipe=recipe["id"])["ingredients"]
    }
    assert remaining.isdisjoint({"milk", "butter", "cheese", "cream", "yoghurt"})


def test_what_no_recipe_has_is_said() -> None:
    messages = call_recipes("find_recipes", avoid=["pineapples", "eggs"], ingredients=["brocoli"])["notes"]
    assert [message.partition(";")[0] for message in messages] == [
        "no recipe has an ingredient called 'pineapples'",
        "no recipe has an ingredient called 'brocoli'",
    ]
    assert "similar: broccoli" in messages[1]
    assert "'pineapples'" in call_recipes("plan_meals", servings=2, days=1, avoid=["pineapples"])["notes"][0]


def test_a_shopping_list_sums_equal_things() -> None:
    listed = call_recipes("make_shopping_list", recipes=["番茄炒蛋", "Tomato egg soup"], servings=2)
    tomato = next(ingredient for ingredient in listed["fresh"] if ingredient["name"] == "番茄")
    assert (tomato["quantity"], tomato["unit"], tomato["recipes"]) == (5, "个", ["vegetable-05", "soup-01"])
    assert {ingredient["name"] for ingredient in listed["spices"]} == {"盐", "糖", "葱"}


def test_a_world_with_recipes_of_its_own_has_those(world: World) -> None:
    own = replace(load_collection()[0], id="own-1", name="外婆鲈鱼", name_en="Grandmother's bass")
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(own)
    assert [recipe["id"] for recipe in call_recipes("find_recipes")["recipes"]] == ["own-1"]
    assert call_foreign("getRecipeById", query="外婆")["id"] == "own-1"


def test_howtocook_lists_and_shows_recipes() -> None:
    everything = call_foreign("getAllRecipes", no_param="x")
    assert (len(everything), list(everything[0])) == (120, ["name", "description"])
    soups = call_foreign("getRecipesByCategory", category="汤")
    assert (len(soups), list(soups[0])) == (12, ["id", "name", "description", "ingredients"])
    assert soups[0]["ingredients"][0] == {"name": "番茄", "text_quantity": "- 番茄 2 个"}
    recipe_reply = call_foreign("getRecipeById", query="清蒸鲈鱼")
    assert (recipe_reply["category"], recipe_reply["servings"], recipe_reply["total_time_minutes"]) == ("水产", 2, 26)
    assert recipe_reply["steps"][0] == {"step": 1, "description": "鲈鱼处理干净，装盘。"}
    assert len(call_foreign("getRecipeById", query="番茄")["possibleMatches"]) == 5
    assert (
        json.loads(refuse_call("mcp_howtocook_getRecipeById", by=theirs, query="石头汤面"))["error"]
        == "未找到匹配的菜谱"
    )
    assert "category" in refuse_call("mcp_howtocook_getRecipesByCategory", by=theirs, category="soup")


def test_howtocook_plans_a_week_and_what_to_buy() -> None:
    plan = call_foreign("recommendMeals", peopleCount=3, allergies=["虾"], avoidItems=["葱"])
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
    assert bought[0]["recipeCount"] == max(ingredient["recipeCount"] for ingredient in bought)
    assert {part["name"] for dish in dishes for part in dish["ingredients"]} == {
        ingredient["name"] for ingredient in bought
    }
    assert call_foreign("recommendMeals", peopleCount=3, allergies=["虾"], avoidItems=["葱"]) == plan


@pytest.mark.parametrize(("people", "meat", "light"), [(1, 1, 1), (4, 3, 2), (9, 5, 5)])
def test_howtocook_chooses_dishes_for_a_meal(people: int, meat: int, light: int) -> None:
    got = call_foreign("whatToEat", peopleCount=people)
    assert (got["meatDishCount"], got["vegetableDishCount"], len(got["dishes"])) == (meat, light, meat + light)
    assert got["message"] == f"为{people}人推荐的菜品，包含{meat}个荤菜和{light}个素菜。"


@pytest.mark.parametrize(
    ("thing", "part"),
    [("猪肉", "五花肉"), ("牛肉", "牛腩"), ("鸡肉", "鸡翅"), ("shellfish", "蚝油"), ("wheat", "咖喱块")],
)
def test_what_is_avoided_is_left_out_under_its_other_names(thing: str, part: str) -> None:
    assert call_recipes("find_recipes", avoid=[thing], ingredients=[part]).get("total", 0) == 0


def test_kinds_say_that_ready_made_ingredients_are_not_known() -> None:
    assert "check their packages" in " ".join(call_recipes("find_recipes", avoid=["dairy"])["notes"])
    assert not call_recipes("find_recipes", avoid=["milk"]).get("notes")
