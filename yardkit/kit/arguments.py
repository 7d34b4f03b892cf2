"""Preparing the arguments of tools: values that are always refused, values that count as omitted, error texts."""

import json
import math
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any

from yardkit.kit.synonyms import by_our_words
from yardkit.world import Problem

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
_KINDS = ((bool, "boolean"), (str, "string"), (int, "integer"), (float, "number"), (dict, "object"))
"""Of values that are no list, as schemas name them; what is true or false is a whole number to Python."""
_LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


class Shape:
    """The allowed values by a JSON schema without references, analysed once for all calls."""

    def __init__(self, *schemas: dict[str, Any]) -> None:
        self.variants = [variant for schema in schemas for variant in (schema, *schema.get("anyOf", []))]

    @cached_property
    def names(self) -> dict[str, None]:
        """The named fields of its objects."""
        return dict.fromkeys(name for variant in self.variants for name in variant.get("properties", {}))

    @cached_property
    def is_open(self) -> bool:
        """Whether it may be an object with arbitrary fields."""
        return any(variant.get("additionalProperties") for variant in self.variants)

    @cached_property
    def holds_objects(self) -> bool:
        """Whether it may contain objects with named fields."""
        inner = [shape for shape in (self._rest, *self._first) if shape]
        return bool(self.names) or self.is_open or any(shape.holds_objects for shape in inner)

    @cached_property
    def takes_text(self) -> bool:
        choices = [(*variant.get("enum", ()), variant.get("const")) for variant in self.variants]
        return self._accepts_kind("string") or any(isinstance(choice, str) for known in choices for choice in known)

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The maximum magnitude of a number; the schema's own limits are checked later."""
        if self.takes_text or not (self._accepts_kind("integer") or self._accepts_kind("number")):
            return -sys.float_info.max, sys.float_info.max
        usual: float = MAX_NUMBER if self._accepts_kind("number") else MAX_INTEGER
        stated = [abs(variant[key]) for variant in self.variants for key in _LIMITS if key in variant]
        most = max(usual, *stated) if stated else usual
        return -most, most

    def item(self, index: int) -> "Shape":
        """The shape of an item of a list."""
        return self._first[index] if index < len(self._first) else self._rest or ANYTHING

    @property
    def same_for_all(self) -> "Shape | None":
        """The common shape of all items of a list, if there is one."""
        return None if self._first else self._rest or ANYTHING

    def get_field(self, name: str) -> "Shape":
        """Return the shape of a field of an object."""
        return self._named.get(name, self._free)

    def may_lack(self, name: str) -> bool:
        """Whether a null in this field can only mean that it was omitted."""
        objects = [variant for variant in self.variants if name in variant.get("properties", {})]
        optional = all(name not in variant.get("required", []) for variant in objects)
        return bool(objects) and optional and not self.get_field(name).takes_null

    @cached_property
    def takes_null(self) -> bool:
        return self._accepts_kind("null")

    @cached_property
    def _first(self) -> "list[Shape]":
        return [Shape(schema) for variant in self.variants for schema in variant.get("prefixItems", [])]

    @cached_property
    def _rest(self) -> "Shape | None":
        items = [variant["items"] for variant in self.variants if isinstance(variant.get("items"), dict)]
        return Shape(*items) if items else None

    @cached_property
    def _named(self) -> "dict[str, Shape]":
        return {
            name: Shape(
                *(variant["properties"][name] for variant in self.variants if name in variant.get("properties", {}))
            )
            for name in self.names
        }

    @cached_property
    def _free(self) -> "Shape":
        """The shape of arbitrary fields."""
        inner = [variant.get("additionalProperties") for variant in self.variants]
        return Shape(*(schema for schema in inner if isinstance(schema, dict)))

    def _accepts_kind(self, kind: str) -> bool:
        stated = [variant for variant in self.variants if {"type", "anyOf", "enum", "const"} & set(variant)]
        return not stated or any(variant.get("type") == kind for variant in stated)

    def wrap_list(self, value: Any) -> Any:
        """Return the value; if only a list is allowed and a single item, or the list as JSON text, was given, a list.

        Lists of lists and lists of a fixed length are left as they are, since models do not abbreviate those.
        """
        kind = next((name for type_, name in _KINDS if isinstance(value, type_)), "")
        if not kind or self._accepts_kind(kind) or not self._accepts_kind("array"):
            return value
        if kind == "string" and value.lstrip().startswith("["):
            with suppress(ValueError, RecursionError):
                return json.loads(value)
        item = self.same_for_all
        least = max((variant.get("minItems", 0) for variant in self.variants), default=0)
        fits = item is not None and (item._accepts_kind(kind) or (kind == "integer" and item._accepts_kind("number")))
        return [value] if fits and least <= 1 else value

    def is_plainly_right(self, value: Any) -> bool:
        """Whether a value is obviously valid, which is true of most and cheap to find out for large arguments."""
        kind = type(value)
        if kind is str:
            return self.takes_text and not _UNWRITABLE.search(value)
        if kind is int or kind is float:
            low, high = self.bounds
            return bool(low <= value <= high)
        return kind is bool or value is None


ANYTHING = Shape({})


def prepare_arguments(arguments: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """Normalize the arguments of a call: use our names, drop optional nulls, and wrap a single item in a list, also in
    inner objects.

    Raises:
        Problem: a text has half a character or a control character, a number is far too large, an inner object has an
            unknown field, or the nesting is too deep. It names the argument and the place.
    """
    if not arguments.keys() <= shape.names.keys():
        arguments = by_our_words(arguments, shape.names)
    arguments = _normalize_value(arguments, shape)
    wrong = list(_find_faults(arguments, shape, "")) or list(_unknown_fields(arguments, shape, ""))
    if wrong:
        raise Problem(summarize_lines(wrong))
    return arguments


def summarize_lines(lines: list[str]) -> str:
    """Join the first few lines into one, with the number of omitted ones."""
    more = f"; and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    return "; ".join(lines[:_MOST_NAMED]) + more


def format_value(value: Any) -> str:
    """Format a value for an error."""
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return f"a number of about {int(value.bit_length() * math.log10(2)):,} digits"
    return repr(value)[:120]


def inner_fields(shape: Shape, place: tuple[int | str, ...]) -> str:
    """List the fields of the innermost object on the way to `place`; empty if that is the call itself."""
    names: dict[str, None] = {}
    for part in place:
        shape = shape.item(part) if isinstance(part, int) else shape.get_field(part)
        names = shape.names or names
    return f", an object with {', '.join(names)}" if names else ""


def _find_faults(value: Any, shape: Shape, place: str, depth: int = 0) -> Iterator[str]:
    """Yield a line for each text and number in `value` that no tool could use.

    Raises:
        Problem: it is nested too deeply.
    """
    if isinstance(value, str):
        yield from _faults_of_text(value, place)
        number = None if shape.takes_text else _number_in(value)
        if number is not None:
            yield from _faults_of_number(number, shape, place)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _faults_of_number(value, shape, place)
    elif isinstance(value, list | dict) and depth > MAX_NESTING:
        raise Problem(f"{place[:40]}...: lists and objects are nested deeper than {MAX_NESTING}; give them flatter")
    elif isinstance(value, list):
        yield from _faults_of_items(value, shape, place, depth)
    elif isinstance(value, dict):
        yield from _faults_of_fields(value, shape, place, depth)


def _faults_of_items(items: list[Any], shape: Shape, place: str, depth: int) -> Iterator[str]:
    same = shape.same_for_all
    for index, item in enumerate(items):
        inner = same or shape.item(index)
        if not inner.is_plainly_right(item):
            yield from _find_faults(item, inner, _join_location(place, index), depth + 1)


def _faults_of_fields(fields: dict[str, Any], shape: Shape, place: str, depth: int) -> Iterator[str]:
    for name, item in fields.items():
        yield from _faults_of_text(name, _join_location(place, "(a name)"))
        if not shape.get_field(name).is_plainly_right(item):
            yield from _find_faults(item, shape.get_field(name), _join_location(place, name), depth + 1)


def _join_location(place: str, part: object) -> str:
    return f"{place}.{part}" if place else str(part)


def _faults_of_text(text: str, place: str) -> Iterator[str]:
    match = _UNWRITABLE.search(text)
    if match:
        sign = match[0]
        is_half = "\ud800" <= sign <= "\udfff" or sign == HALF
        kind = (
            "an unpaired surrogate, such as half of an emoji" if is_half else f"U+{ord(sign):04X}, a control character"
        )
        around = _to_printable(text[max(0, match.start() - 20) : match.start() + 20])
        yield f"{_to_printable(place)}: character {match.start() + 1} is {kind}; leave it out (given: {around!r})"


def _to_printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _number_in(text: str) -> float | None:
    """Return the number that a text would be converted to if a number is expected."""
    try:
        return float(text) if len(text) < sys.get_int_max_str_digits() else math.inf
    except ValueError:
        return None


def _faults_of_number(number: float, shape: Shape, place: str) -> Iterator[str]:
    low, high = shape.bounds
    if not low <= number <= high:
        most = f"{high:,}" if isinstance(high, int) else f"{high:g}"
        yield f"{_to_printable(place)}: give a number from -{most} to {most} (given: {format_value(number)})"


def _normalize_value(value: Any, shape: Shape) -> Any:
    """Remove fields that are null if they are optional and not nullable, and wrap single items in fields that must be
    lists.
    """
    if not shape.holds_objects:
        return value
    if isinstance(value, list):
        return [_normalize_value(item, shape.item(index)) for index, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    return {
        name: _normalize_value(shape.get_field(name).wrap_list(item), shape.get_field(name))
        for name, item in value.items()
        if item is not None or not shape.may_lack(name)
    }


def _unknown_fields(value: Any, shape: Shape, place: str) -> Iterator[str]:
    """Yield a line for each unknown field of an inner object, which pydantic would ignore silently."""
    if not shape.holds_objects:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unknown_fields(item, shape.item(index), f"{place}{index}.")
    elif isinstance(value, dict) and not shape.is_open:
        strange = [name for name in value if name not in shape.names] if shape.names and place else []
        if strange:
            named = ", ".join(f"{place}{name}" for name in strange)
            yield f"{named}: there is no such field in an object with {', '.join(shape.names)}"
        for name in value:
            if name in shape.names:
                yield from _unknown_fields(value[name], shape.get_field(name), f"{place}{name}.")
