"""The steps of a recipe, in Chinese and in English, as its way of cooking gives them."""
# ruff: noqa: RUF001, E501 - Chinese, whose signs count twice

from collections.abc import Sequence

from yardkit.apps.recipes import Ingredient, Recipe

_STEPS = {
    "炒": (
        ("{main}洗净切好。", "Wash and cut the {main}."),
        ("锅中热油，下{spices}炒香。", "Heat the oil and fry the {spices}."),
        ("下{rest}，大火翻炒{minutes}分钟。", "Add the {rest} and stir-fry on high heat for {minutes} minutes."),
    ),
    "炖": (
        ("{main}切块，冷水下锅焯水。", "Cut the {main} and blanch it from cold."),
        ("加{spices}与没过食材的热水。", "Add the {spices} and hot water to cover."),
        ("加入{rest}，小火炖{minutes}分钟。", "Add the {rest} and simmer for {minutes} minutes."),
    ),
    "蒸": (
        ("{main}处理干净，装盘。", "Clean the {main} and put it on a plate."),
        ("放上{spices}。", "Lay the {spices} on it."),
        ("水开后{rest}上锅蒸{minutes}分钟。", "Steam the {rest} for {minutes} minutes over boiling water."),
    ),
    "煮": (
        ("{main}洗净备用。", "Wash the {main}."),
        ("水烧开，放入{rest}煮{minutes}分钟。", "Bring water to the boil and cook the {rest} for {minutes} minutes."),
        ("加{spices}调味。", "Season with the {spices}."),
    ),
    "煎": (
        ("备好{rest}。", "Prepare the {rest}."),
        ("平底锅小火加热，两面共煎{minutes}分钟。", "Fry both sides in a pan on low heat for {minutes} minutes in all."),
        ("加{spices}。", "Season with the {spices}."),
    ),
    "炸": (
        ("{main}切好擦干。", "Cut the {main} and dry it."),
        ("油烧到六成热，下{rest}炸{minutes}分钟。", "Heat the oil to 170 degrees and fry the {rest} for {minutes} minutes."),
        ("加{spices}。", "Season with the {spices}."),
    ),
    "烤": (
        ("烤箱预热到180度。", "Heat the oven to 180 degrees."),
        ("{rest}拌匀，加{spices}。", "Mix the {rest} and season with the {spices}."),
        ("烤{minutes}分钟。", "Bake for {minutes} minutes."),
    ),
    "拌": (
        ("{main}备好。", "Prepare the {main}."),
        ("{spices}调成汁。", "Mix the {spices} into a sauce."),
        ("{rest}拌匀，共{minutes}分钟。", "Toss the {rest} with it; {minutes} minutes in all."),
    ),
    "冲": (
        ("{main}处理好。", "Prepare the {main}."),
        ("{rest}一起搅打或冲泡{minutes}分钟。", "Blend or steep the {rest} for {minutes} minutes."),
    ),
    "腌": (
        ("{main}洗净晾干。", "Wash and dry the {main}."),
        ("与{spices}装入干净的罐子，共{minutes}分钟。", "Fill a clean jar with it and the {spices}; {minutes} minutes of work."),
        ("密封一周。", "Keep it closed for a week."),
    ),
}  # fmt: skip


def steps_of(recipe: Recipe) -> tuple[list[str], list[str]]:
    """The steps in Chinese, and in English."""
    parts = [part for part in recipe.ingredients if part.name != "油"]
    rest = [part for part in parts if part.shelf != "spices"] or parts[:1]
    spices, main = [part for part in parts if part not in rest], rest[0]
    pairs = [pair for pair in _STEPS[recipe.method] if spices or "{spices}" not in pair[0]]
    chinese = {
        "main": main.name,
        "rest": _join_names(rest),
        "spices": _join_names(spices),
        "minutes": recipe.cook_minutes,
    }
    english = {
        **chinese,
        "main": main.name_en,
        "rest": _join_english_names(rest),
        "spices": _join_english_names(spices),
    }
    return [ours.format(**chinese) for ours, _ in pairs], [theirs.format(**english) for _, theirs in pairs]


def _join_names(parts: Sequence[Ingredient]) -> str:
    return "、".join(part.name for part in parts)


def _join_english_names(parts: Sequence[Ingredient]) -> str:
    return ", ".join(part.name_en for part in parts)
