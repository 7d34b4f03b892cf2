"""Names of ingredients: singular and plural, other usual names, and kinds such as dairy."""

import re
from functools import cache

from yardkit.apps.recipes import Ingredient, load_collection

_SAME = (
    ("prawn", "shrimp"),
    ("aubergine", "eggplant"),
    ("coriander", "cilantro"),
    ("spring onion", "scallion", "green onion"),
    ("yoghurt", "yogurt"),
    ("chilli", "chili", "chile"),
    ("peanut", "groundnut"),
    ("sweet corn", "corn", "maize", "sweetcorn"),
    ("chip", "fry", "french fry"),
    ("green pepper", "bell pepper", "capsicum"),
    ("starch", "cornstarch", "cornflour"),
    ("soy", "soya"),
    ("lotus root", "renkon"),
    ("wood ear", "black fungus"),
    ("white fungus", "snow fungus", "tremella"),
    ("squid", "calamari"),
    ("goji berry", "wolfberry"),
    ("courgette", "zucchini"),
    ("white radish", "daikon"),
    ("chinese cabbage", "napa cabbage"),
    ("seaweed", "nori", "laver"),
    ("spaghetti", "pasta"),
    ("tofu", "bean curd"),
    ("oat", "oatmeal"),
    ("cocoa", "cacao"),
    ("yam", "chinese yam"),
    ("番茄", "西红柿"),
    ("土豆", "马铃薯"),
    ("玉米", "苞米"),
    ("奶酪", "芝士", "乳酪"),
    ("奶油", "忌廉"),
    ("虾", "虾仁", "大虾"),
    ("姜", "生姜"),
    ("蒜", "大蒜"),
    ("葱", "大葱", "小葱"),
    ("鸡蛋", "蛋"),
)
"""Names of one thing, in the singular."""
_PORK = ("pork", "bacon", "ham", "luncheon meat")
_FISH = ("fish", "sea bass", "salmon", "hairtail")
_SHELLFISH = ("prawn", "crab", "clam", "squid", "oyster")
_WHEAT = ("flour", "bread", "noodle", "spaghetti", "bun", "dumpling", "flatbread", "soy sauce", "curry roux")
_KINDS: dict[str, tuple[str, ...]] = {
    "pork": _PORK,
    "meat": (*_PORK, "beef", "lamb", "chicken", "duck"),
    "poultry": ("chicken", "duck"),
    "fish": _FISH,
    "shellfish": _SHELLFISH,
    "crustacean": ("prawn", "crab"),
    "mollusc": ("clam", "squid", "oyster"),
    "seafood": (*_FISH, *_SHELLFISH),
    "dairy": ("milk", "butter", "cheese", "cream", "yoghurt"),
    "lactose": ("milk", "butter", "cheese", "cream", "yoghurt"),
    "nut": ("peanut",),
    "gluten": _WHEAT,
    "wheat": _WHEAT,
    "soy": ("soy", "tofu", "bean paste"),
    "mushroom": ("enoki", "shiitake", "wood ear", "white fungus"),
    "alcohol": ("wine",),
}
"""What belongs to a kind, by words in the singular."""
_CHINESE_KINDS = {
    "肉": "meat", "肉类": "meat", "禽肉": "poultry", "家禽": "poultry", "海鲜": "seafood", "水产": "seafood",
    "鱼": "fish", "鱼类": "fish", "贝类": "mollusc", "贝": "mollusc", "甲壳类": "crustacean", "乳制品": "dairy",
    "奶制品": "dairy", "乳糖": "lactose", "坚果": "nut", "麸质": "gluten", "面筋": "gluten", "小麦": "wheat",
    "大豆": "soy", "黄豆": "soy", "豆制品": "soy", "蘑菇": "mushroom", "菌菇": "mushroom", "酒": "alcohol",
    "酒精": "alcohol",
}  # fmt: skip
_NOT_OF_KIND = {("noodle", "rice noodles")}
"""Ingredients that have a word of a kind and do not belong to it."""
_ENDINGS = (("ies", "y"), ("oes", "o"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("sses", "ss"))
_IRREGULAR = {"leaves": "leaf", "loaves": "loaf", "halves": "half", "shelves": "shelf"}
_KEPT_ENDINGS = ("ss", "us", "is")


def is_named(part: Ingredient, thing: str) -> bool:
    """Whether an ingredient is the thing: by words of its English name, or a part of its Chinese one.

    What is named in Chinese is looked for by its English name, too: 猪肉 (pork) is in 五花肉 (pork belly).
    """
    text = " ".join(thing.casefold().split())
    if not text:
        return False
    if not text.isascii():
        by_name = any(name in part.name or name in part.name_en.casefold() for name in _list_names(text))
        english = _CHINESE_KINDS.get(text) or _map_english().get(text, "")
        return by_name or is_named(part, english)
    words = _list_singulars(text)
    if any(_has_words(part.name_en, _list_singulars(name)) for name in _list_names(" ".join(words))):
        return True
    members = _KINDS.get(" ".join(words), ())
    return any(
        _has_words(part.name_en, _list_singulars(member))
        for member in members
        if (member, part.name_en.casefold()) not in _NOT_OF_KIND
    )


def is_kind(thing: str) -> bool:
    """Whether a thing is a kind of ingredients, such as dairy."""
    text = " ".join(thing.casefold().split())
    return " ".join(_list_singulars(text)) in _KINDS or text in _CHINESE_KINDS


@cache
def _map_english() -> dict[str, str]:
    """The English names of the ingredients of the collection, by the Chinese ones."""
    return {part.name: part.name_en for recipe in load_collection() for part in recipe.ingredients}


@cache
def _list_names(name: str) -> tuple[str, ...]:
    """The names of what is called so."""
    return (name, *(other for names in _SAME if name in names for other in names if other != name))


def _has_words(name: str, words: tuple[str, ...]) -> bool:
    """Whether words, in the singular, are next to each other in a name."""
    present = _list_singulars(name.casefold())
    return any(present[at : at + len(words)] == words for at in range(len(present) - len(words) + 1))


@cache
def _list_singulars(name: str) -> tuple[str, ...]:
    return tuple(_make_singular(word) for word in re.findall(r"[^\W\d_]+", name))


def _make_singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending, singular in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + singular
    return word if len(word) < 4 or word.endswith(_KEPT_ENDINGS) else word.removesuffix("s")
