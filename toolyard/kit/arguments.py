"""Arguments of tools before a tool sees them: what is refused for all, what counts as left out, what is said."""

import json
import math
import re
import sys
from collections.abc import Iterator
from typing import Any

from toolyard.world import Problem

Schema = dict[str, Any]

MAX_INTEGER = 10**9
"""Either way, of an integer for which a tool states no limit of its own: a count, a place, an offset."""
MAX_NUMBER = 1e100
"""The same for other numbers. Numbers beside text, such as values of cells, may be what a float can be."""
MAX_NESTING = 60
"""Lists and objects within one another; a schema of ours goes nine deep."""
HALF = "\ufffe"
"""Put by transports where half a character stood, which they cannot hand on; it is refused as that."""
_MOST_NAMED = 5
"""Wrong arguments of one call that are named."""
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no document of XML and no string of C can hold."""
_SUSPICIOUS = re.compile(r"\\u(?:00[01]|d[89a-f]|fff[ef])|\\[bf]|\d{10}|\d[eE]|[nN][aA][nN]|[iI][nN][fF]|null")
"""Where JSON does not show it, there is nothing to look for in any single value."""


def ready(arguments: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """The arguments of a call without the optional ones that are null, in inner objects too.

    Raises:
        Problem: a text holds half a character or a control character, a number is beyond all use, an inner object has
            a field that there is not, or all is nested too deep. It names the argument and the place.
    """
    if _nesting(arguments) > MAX_NESTING:
        raise Problem(f"lists and objects are nested deeper than {MAX_NESTING}; give them flatter")
    if _is_suspicious(arguments):
        wrong = list(_faults(arguments, schema, ""))
        if wrong:
            raise Problem(some(wrong))
        arguments = _without_nulls(arguments, schema)
    unknown = list(_unknown_fields(arguments, schema, ""))
    if unknown:
        raise Problem(some(unknown))
    return arguments


def some(lines: list[str]) -> str:
    """The first few of the lines as one, with the number of those that are not there."""
    more = f"; and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    return "; ".join(lines[:_MOST_NAMED]) + more


def shown(value: Any) -> str:
    """The value as an error names it."""
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return f"a number of about {int(value.bit_length() * math.log10(2)):,} digits"
    return repr(value)[:120]


def inner_fields(schema: Schema, place: tuple[int | str, ...]) -> str:
    """What the innermost object on the way to `place` takes, if that is not the call itself; else empty."""
    fields: list[str] = []
    for part in place:
        schema = _step(schema, part)
        fields = list(schema.get("properties", {})) or fields
    return f", an object with {', '.join(fields)}" if fields else ""


def _step(schema: Schema, part: int | str) -> Schema:
    steps = (
        variant.get("items") if isinstance(part, int) else variant.get("properties", {}).get(part)
        for variant in _variants(schema)
    )
    return next((step for step in steps if isinstance(step, dict)), {})


def _variants(schema: Schema) -> list[Schema]:
    return [schema, *schema.get("anyOf", [])]


def _nesting(value: Any) -> int:
    """How deep lists and objects stand within one another, counted to one more than may be."""
    depth, level = 0, [value]
    while level and depth <= MAX_NESTING:
        inner = [part for part in level if isinstance(part, dict | list)]
        level = [item for part in inner for item in (part.values() if isinstance(part, dict) else part)]
        depth += 1
    return depth


def _is_suspicious(arguments: dict[str, Any]) -> bool:
    try:
        return _SUSPICIOUS.search(json.dumps(arguments)) is not None
    except (TypeError, ValueError):  # a number of more digits than Python writes; an object of a caller in this process
        return True


def _faults(value: Any, schema: Schema, place: str) -> Iterator[str]:
    """A line for each text and number within `value` that no tool could use."""
    if isinstance(value, str):
        yield from _faults_of_text(value, place)
        number = None if _takes(schema, "string") else _number_in(value)
        if number is not None:
            yield from _faults_of_number(number, schema, place)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _faults_of_number(value, schema, place)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if item is not None:
                yield from _faults(item, _item_schema(schema, index), _joined(place, index))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _faults_of_text(name, _joined(place, "(a name)"))
            yield from _faults(item, _field_schema(schema, name), _joined(place, name))


def _joined(place: str, part: object) -> str:
    return f"{place}.{part}" if place else str(part)


def _faults_of_text(text: str, place: str) -> Iterator[str]:
    found = _UNWRITABLE.search(text)
    if found:
        sign = found[0]
        surrogate = "\ud800" <= sign <= "\udfff"
        kind = "half a character, as of an emoji cut in two" if surrogate or sign == HALF else "a control character"
        around = _printable(text[max(0, found.start() - 20) : found.start() + 20])
        yield (
            f"{_printable(place)}: character {found.start() + 1} is U+{ord(sign):04X}, {kind}; "
            f"leave it out (given: {around!r})"
        )


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _number_in(text: str) -> float | int | None:
    """The number that a text would be taken for where a number is wanted."""
    try:
        return float(text) if len(text) < sys.get_int_max_str_digits() else math.inf
    except ValueError:
        return None


def _faults_of_number(number: float, schema: Schema, place: str) -> Iterator[str]:
    low, high = bounds(schema)
    if not low <= number <= high:
        at_most = f"{high:,}" if isinstance(high, int) else f"{high:g}"
        yield f"{_printable(place)}: give a number from -{at_most} to {at_most} (given: {shown(number)})"


def bounds(schema: Schema) -> tuple[float, float]:
    """What a number may be at most, either way, where the schema admits it; the limits that it states come later."""
    if _takes(schema, "string") or not (_takes(schema, "integer") or _takes(schema, "number")):
        return -sys.float_info.max, sys.float_info.max
    most: float = MAX_NUMBER if _takes(schema, "number") else MAX_INTEGER
    stated = [abs(variant[key]) for variant in _variants(schema) for key in _LIMITS if key in variant]
    most = max(most, *stated) if stated else most
    return -most, most


_LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def _takes(schema: Schema, kind: str) -> bool:
    return any(variant.get("type") == kind or _is_choice_of(variant, kind) for variant in _variants(schema))


def _is_choice_of(schema: Schema, kind: str) -> bool:
    choices = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return kind == "string" and any(isinstance(choice, str) for choice in choices)


def _item_schema(schema: Schema, index: int) -> Schema:
    """What an item of a list must be."""
    first, rest = (
        [variant[key] for variant in _variants(schema) if variant.get(key)] for key in ("prefixItems", "items")
    )
    inner: list[Schema] = [items[index] for items in first if index < len(items)] or rest
    return inner[0] if inner else {}


def _field_schema(schema: Schema, name: str) -> Schema:
    """What a field of an object must be: all that it may be in the kinds of objects that there may be."""
    found = [variant["properties"][name] for variant in _variants(schema) if name in variant.get("properties", {})]
    free = [variant["additionalProperties"] for variant in _variants(schema) if variant.get("additionalProperties")]
    found += [] if found else [inner for inner in free if isinstance(inner, dict)]
    return found[0] if len(found) == 1 else {"anyOf": [inner for part in found for inner in _variants(part)]}


def _without_nulls(value: Any, schema: Schema) -> Any:
    """The value without the fields of objects that are null, may be left out, and may not be null."""
    if isinstance(value, list):
        inner = _item_schema(schema, len(value))
        plain = not {"properties", "anyOf", "items", "additionalProperties"} & set(inner)
        return value if plain else [_without_nulls(item, inner) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _without_nulls(item, _field_schema(schema, name))
        for name, item in value.items()
        if item is not None or not _may_be_left_out(name, schema)
    }


def _may_be_left_out(name: str, schema: Schema) -> bool:
    """Whether a null in this field can only mean that nothing is given."""
    objects = [variant for variant in _variants(schema) if name in variant.get("properties", {})]
    return bool(objects) and not any(
        name in variant.get("required", []) or _takes(variant["properties"][name], "null") or _is_any(variant, name)
        for variant in objects
    )


def _is_any(schema: Schema, name: str) -> bool:
    return not {"type", "anyOf", "enum", "const"} & set(schema["properties"][name])


def _unknown_fields(value: Any, schema: Schema, place: str) -> Iterator[str]:
    """A line for each field of an inner object that is none: pydantic would leave it out without a word."""
    variants = _variants(schema)
    if isinstance(value, list):
        inner = _item_schema(schema, len(value))
        for index, item in enumerate(value if inner.get("properties") or inner.get("anyOf") else ()):
            yield from _unknown_fields(item, inner, f"{place}{index}.")
    elif isinstance(value, dict) and not any(variant.get("additionalProperties") for variant in variants):
        known = {name: inner for variant in variants for name, inner in variant.get("properties", {}).items()}
        strange = [name for name in value if name not in known] if known and place else []
        if strange:
            named = ", ".join(f"{place}{name}" for name in strange)
            yield f"{named}: there is no such field in an object with {', '.join(known)}"
        for name in value:
            if name in known:
                yield from _unknown_fields(value[name], known[name], f"{place}{name}.")
