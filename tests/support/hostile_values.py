"""Arguments of tools drawn from their schemas, hostile values among them."""

import math
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]

FILES: tuple[str, ...] = (
    "book.xlsx",
    "letter.docx",
    "deck.pptx",
    "paper.pdf",
    "page.html",
    "notes.txt",
    "table.csv",
    "data.json",
)
FILES += ("photo.png", "drawing.svg", "sound.wav", "pets.db", "mail.eml", "notes.md", "torn.xlsx", "torn.pdf")
FILES += ("torn.docx", "torn.pptx", "torn.png", "text.xlsx", "text.pdf", "empty.docx", "\u202egnp.exe", "sub/more.txt")
PLACES: tuple[str, ...] = (
    ".",
    "sub",
    "out",
    "secret",
    "loop",
    "pipe",
    "../outside/secret.txt",
    "out/secret.txt",
    "/etc/passwd",
    "..",
)
PLACES += ("sub/../../outside", "/proc/self/environ", "none.txt", "new/a.xlsx", "new.pdf", "new.docx", "new.png", "/")
WORDS: tuple[str, ...] = (
    "x",
    "Plan",
    "A1",
    "A1:B2",
    "Plan!B2",
    "h1",
    "1",
    "1-2",
    "2026-03-16",
    "#ff0000",
    "sin(x)",
    "x^2 = 4",
    "Ada Berg",
)
WORDS += ("SELECT * FROM pet", "name", "p and q", "=SUM(A1:A3)", "python", "title", "en", "{{name}}", "Item", "cm", "m")
NASTY: tuple[str, ...] = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud83d",
    "\udc80",
    "\x1b[31m",
    "\u202e\u05d0\u05d1",
    "\ufeff",
    "\uffff",
    "x" * 5000,
)
NASTY += (
    "\U0001f469\u200d\U0001f680",
    "a\u0301" * 50,
    "-1",
    "1e999",
    "nan",
    "9" * 400,
    "../" * 40,
    "%s%n",
    "[",
    "(" * 300,
)
NASTY += (
    "{" * 300,
    "=" * 99,
    "</w:t>",
    "<!--",
    "]]>",
    "&#0;",
    "'; DROP TABLE pet; --",
    "\\" * 99,
    "\n" * 200,
    "a\tb\rc\n",
)
INTEGERS = (0, 1, 2, 3, 5, 100)
NASTY_INTEGERS = (-1, 2**31, 2**63, -(2**63), 10**9, 10**30, 10**400)
NUMBERS = (0, 1, 0.5, 2.5, 12)
NASTY_NUMBERS = (-1, -0.0, 5e-324, 1e99, 1e308, -1e308, math.inf, math.nan, 10**400)
WILDNESS = (300, 30, 8)
"""One value in so many of a call is hostile: calls that are right all through come far, wild ones are soon refused."""


def nest_values(depth: int) -> Any:
    """Lists and objects within one another."""
    value: Any = 1
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


OTHERS = st.sampled_from([None, True, [], {}, [[]], "text", 0, nest_values(12), nest_values(200), ["a", 1, None]])


@st.composite
def arguments_of(draw: st.DrawFn, schema: Schema, paths: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """The arguments of a call; those in `paths` mostly name one of these files."""
    required, wild = schema.get("required", []), draw(st.sampled_from(WILDNESS))
    chosen = {}
    for name, inner in schema.get("properties", {}).items():
        if name in required or draw(st.integers(0, 2)) == 0:
            usual = st.sampled_from(paths[name]) if name in paths and _is_text(inner) else _draw_value(inner, wild)
            chosen[name] = draw(_choose_sometimes(usual, _draw_hostile(inner), wild))
    return chosen


def _is_text(schema: Schema) -> bool:
    return schema.get("type") == "string"


def _choose_sometimes(
    usual: st.SearchStrategy[Any], hostile: st.SearchStrategy[Any], wild: int
) -> st.SearchStrategy[Any]:
    return st.integers(1, wild).flatmap(lambda chance: hostile if chance == wild // 2 else usual)


def _draw_hostile(schema: Schema) -> st.SearchStrategy[Any]:
    """A value at the edge of what the schema admits, or of another type."""
    kind = schema.get("type")
    if kind == "string":
        return st.sampled_from([*NASTY, *PLACES]) | st.text(max_size=30)
    if kind in ("integer", "number"):
        edges = [schema[key] for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if key in schema]
        beyond = [edge + step for edge in edges for step in (-1, 1)]
        return st.sampled_from([*edges, *beyond, *(NASTY_INTEGERS if kind == "integer" else NASTY_NUMBERS)])
    return OTHERS


def _draw_value(schema: Schema, wild: int) -> st.SearchStrategy[Any]:
    """A value that the schema admits."""
    if "anyOf" in schema:
        return st.one_of([_draw_value(variant, wild) for variant in schema["anyOf"]])
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    return _OF_TYPE.get(schema.get("type", ""), lambda *_: OTHERS)(schema, wild)


def _draw_text(schema: Schema, wild: int) -> st.SearchStrategy[Any]:
    return _choose_sometimes(st.sampled_from([*WORDS, *FILES]), _draw_hostile(schema), wild)


def _draw_number(schema: Schema, wild: int) -> st.SearchStrategy[Any]:
    low: Any = schema.get("minimum", schema.get("exclusiveMinimum", -math.inf))
    high: Any = schema.get("maximum", schema.get("exclusiveMaximum", math.inf))
    inside = [number for number in (INTEGERS if schema["type"] == "integer" else NUMBERS) if low <= number <= high]
    return _choose_sometimes(st.sampled_from(inside or [low]), _draw_hostile(schema), wild)


def _draw_list(schema: Schema, wild: int) -> st.SearchStrategy[Any]:
    items = schema.get("items") if isinstance(schema.get("items"), dict) else None
    least = schema.get("minItems", 0)
    if "prefixItems" in schema:
        return st.tuples(*(_draw_value(item, wild) for item in schema["prefixItems"])).map(list)
    return st.lists(_draw_value(items or {}, wild), min_size=least, max_size=max(least, 3))


def _draw_object(schema: Schema, wild: int) -> st.SearchStrategy[Any]:
    properties = schema.get("properties", {})
    if not properties:
        return st.dictionaries(
            st.sampled_from([*WORDS, *NASTY[:6]]), _draw_value(_get_free_schema(schema), wild), max_size=3
        )
    required = schema.get("required", [])
    fields = {
        name: _choose_sometimes(_draw_value(inner, wild), st.none() | _draw_hostile(inner), wild)
        for name, inner in properties.items()
    }
    return st.fixed_dictionaries(
        {name: fields[name] for name in required},
        optional={name: fields[name] for name in fields if name not in required},
    )


def _get_free_schema(schema: Schema) -> Schema:
    inner = schema.get("additionalProperties")
    return inner if isinstance(inner, dict) else {}


_OF_TYPE: dict[str, Callable[[Schema, int], st.SearchStrategy[Any]]] = {
    "string": _draw_text,
    "integer": _draw_number,
    "number": _draw_number,
    "boolean": lambda *_: st.booleans(),
    "null": lambda *_: st.none(),
    "array": _draw_list,
    "object": _draw_object,
}
