"""Columns and values of rows as Notion's properties, and its filters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from yardkit.apps.notes import Column, ColumnKind, Option, Page, Person, Table
from yardkit.apps.store import Store
from yardkit.servers.notes.dialects.toolathlon.app import Data, invalid, number_of, time_of, user_of, uuid_of
from yardkit.servers.notes.dialects.toolathlon.rich_text import plain_of, shown_text
from yardkit.servers.notes.engine.rows import Condition, Operator, Reading, column_of

TYPES: dict[str, ColumnKind] = {
    "title": "title", "rich_text": "text", "number": "number", "select": "select", "multi_select": "multi_select",
    "status": "status", "date": "date", "checkbox": "checkbox", "url": "url", "email": "email",
    "phone_number": "phone", "people": "people", "relation": "relation", "files": "files", "created_time": "created",
    "last_edited_time": "edited",
}  # fmt: skip
"""Kinds of columns by Notion's names."""
NAMES: dict[ColumnKind, str] = {ours: theirs for theirs, ours in TYPES.items()}
_CHOICES = ("select", "multi_select", "status")
_LISTS = ("title", "rich_text", "relation", "people")
_OPERATORS: dict[str, Operator] = {
    "equals": "is", "does_not_equal": "is_not", "contains": "contains", "does_not_contain": "lacks",
    "starts_with": "starts_with", "ends_with": "ends_with", "greater_than": "over", "less_than": "under",
    "greater_than_or_equal_to": "at_least", "less_than_or_equal_to": "at_most", "before": "under", "after": "over",
    "on_or_before": "at_most", "on_or_after": "at_least", "is_empty": "empty", "is_not_empty": "not_empty",
}  # fmt: skip
_PERIODS = {
    "past_week": (-7, 0), "past_month": (-30, 0), "past_year": (-365, 0), "next_week": (0, 7), "next_month": (0, 30),
    "next_year": (0, 365),
}  # fmt: skip
"""From how many days on until when."""


def property_id(column: Column) -> str:
    """The id of a property: always the same for the same name."""
    return "title" if column.kind == "title" else sha256(column.name.encode()).hexdigest()[:4]


def schema_of(column: Column) -> Data:
    """A column as a property of a database."""
    kind = NAMES[column.kind]
    held: Data = {}
    if kind in _CHOICES:
        held = {"options": [_option(option) for option in column.options]} | (
            {"groups": []} if kind == "status" else {}
        )
    elif kind == "number":
        held = {"format": column.format}
    elif kind == "relation":
        target = uuid_of(Table, column.table_id or 0)
        held = {"database_id": target, "type": "single_property", "single_property": {}}
    return {"id": property_id(column), "name": column.name, "type": kind, kind: held}


def _option(option: Option) -> Data:
    number = sha256(option.name.encode()).hexdigest()[:8]
    return {"id": number, "name": option.name, "color": option.color, "description": None}


def column_of_schema(store: Store, name: str, given: Mapping[str, Any], old: Column | None = None) -> Column:
    """A column of such a property.

    Raises:
        Problem: it is of no kind that there is here.
    """
    kinds = [kind for kind in (*TYPES, given.get("type")) if kind in given and kind in TYPES]
    if not kinds:
        if old is not None:
            return old
        raise invalid(
            f"body failed validation: body.properties.{name} should have one of {', '.join(TYPES)}, "
            f"instead was `{', '.join(given) or 'undefined'}`."
        )
    held = given[kinds[0]] or {}
    options = [Option(str(one["name"]), str(one.get("color") or "default")) for one in held.get("options") or ()]
    before = old.options if old and not options else []
    table_id = number_of(store, Table, held["database_id"], "database_id") if held.get("database_id") else None
    return Column(name, TYPES[kinds[0]], options or before, table_id, str(held.get("format") or "number"))


def values_shown(store: Store, table: Table, row: Page) -> Data:
    """The properties of a row."""
    reading = Reading(store, table)
    return {column.name: value_shown(column, reading.value(column, row)) for column in table.columns}


def value_shown(column: Column, value: Any) -> Data:
    """A value as a property of a page."""
    kind = NAMES[column.kind]
    return {"id": property_id(column), "type": kind, kind: _held(column, kind, value)}


def _held(column: Column, kind: str, value: Any) -> Any:
    chosen = {
        option.name: {k: v for k, v in _option(option).items() if k != "description"} for option in column.options
    }
    makers: dict[str, Callable[[], Any]] = {
        "title": lambda: shown_text(str(value or "")),
        "rich_text": lambda: shown_text(str(value or "")),
        "select": lambda: chosen.get(value) if value else None,
        "status": lambda: chosen.get(value) if value else None,
        "multi_select": lambda: [chosen[one] for one in value or () if one in chosen],
        "date": lambda: _date(str(value)) if value else None,
        "people": lambda: [user_of(number) for number in value or ()],
        "relation": lambda: [{"id": uuid_of(Page, number)} for number in value or ()],
        "files": lambda: [{"name": one, "type": "external", "external": {"url": one}} for one in value or ()],
        "created_time": lambda: time_of(value),
        "last_edited_time": lambda: time_of(value),
    }
    return makers[kind]() if kind in makers else value


def _date(value: str) -> Data:
    start, _, end = value.partition("/")
    return {"start": start, "end": end or None, "time_zone": None}


def values_of(store: Store, table: Table, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of our columns of such properties.

    Raises:
        Problem: there is no such column, or a value is of another kind.
    """
    values = {}
    for name, held in given.items():
        by_id = [column for column in table.columns if property_id(column) == name]
        if not by_id and name not in [column.name for column in table.columns]:
            raise invalid(f"{name} is not a property that exists.")
        column = by_id[0] if by_id else column_of(table, name)
        values[column.name] = _value(store, column, held)
    return values


def _value(store: Store, column: Column, given: Any) -> Any:
    kind = NAMES[column.kind]
    if isinstance(given, list) and kind in ("title", "rich_text"):
        given = {kind: given}
    if not isinstance(given, dict) or kind not in given:
        raise invalid(f"{column.name} is expected to be {kind}.")
    held = given[kind]
    if held is None:
        return None
    makers: dict[str, Callable[[], Any]] = {
        "title": lambda: plain_of(store, held, f"properties.{column.name}.title"),
        "rich_text": lambda: plain_of(store, held, f"properties.{column.name}.rich_text"),
        "select": lambda: _chosen(column, held),
        "status": lambda: _chosen(column, held),
        "multi_select": lambda: [_chosen(column, one) for one in held],
        "date": lambda: "/".join(str(held[end]) for end in ("start", "end") if held.get(end)),
        "people": lambda: [number_of(store, Person, one.get("id"), "people.id") for one in held],
        "relation": lambda: [number_of(store, Page, one.get("id"), "relation.id") for one in held],
        "files": lambda: [str((one.get("external") or {}).get("url") or one.get("name")) for one in held],
    }
    try:
        return makers[kind]() if kind in makers else held
    except (AttributeError, TypeError, KeyError) as error:
        raise invalid(f"{column.name} is expected to be {kind}.") from error


def _chosen(column: Column, given: Data) -> str:
    if given.get("name"):
        return str(given["name"])
    found = [option.name for option in column.options if _option(option)["id"] == given.get("id")]
    if not found:
        raise invalid(f"{column.name}: there is no option {given.get('id')!r}.")
    return found[0]


def items_of(column: Column, value: Any) -> list[Data] | None:
    """A value as property items where Notion shows a list of them, else None."""
    shown = value_shown(column, value)
    if shown["type"] not in _LISTS:
        return None
    return [
        {"object": "property_item", "id": shown["id"], "type": shown["type"], shown["type"]: one}
        for one in shown[shown["type"]]
    ]


Test = Callable[[Page], bool]


def test_of(store: Store, table: Table, given: Any, today: date) -> Test:
    """Whether a filter holds of a row.

    Raises:
        Problem: it is none.
    """
    if not given:
        return lambda _: True
    for name, combine in (("and", all), ("or", any)):
        if name in given:
            tests = [test_of(store, table, one, today) for one in given[name]]
            return lambda row, combine=combine, tests=tests: combine(test(row) for test in tests)  # type: ignore[misc]
    return _leaf(store, table, given, today)


def _leaf(store: Store, table: Table, given: Data, today: date) -> Test:
    column, kind = _filtered(table, given)
    held = given.get(kind)
    if not isinstance(held, dict) or len(held) != 1:
        raise invalid(f"body failed validation: body.filter.{kind} should be an object with one condition.")
    ((operator, value),) = held.items()
    whole = replace(table, columns=[*(one for one in table.columns if one.name != column.name), column])
    reading = Reading(store, whole)
    if operator in _PERIODS or operator == "this_week":
        first, last = _PERIODS.get(operator, (-today.weekday(), 6 - today.weekday()))
        bounds = [(today + timedelta(days=days)).isoformat() for days in (first, last)]
        conditions = [Condition(column.name, "at_least", bounds[0]), Condition(column.name, "at_most", bounds[1])]
        tests = [reading.test(condition) for condition in conditions]
        return lambda row: all(test(row) for test in tests)
    if operator not in _OPERATORS:
        raise invalid(f"body failed validation: body.filter.{kind}.{operator} is not one of {', '.join(_OPERATORS)}.")
    return reading.test(Condition(column.name, _OPERATORS[operator], _wanted(store, column, operator, value)))


def _filtered(table: Table, given: Data) -> tuple[Column, str]:
    """The column that a filter is about, and the kind of its condition."""
    stamp = given.get("timestamp")
    if stamp in ("created_time", "last_edited_time"):
        return Column(f"\0{stamp}", TYPES[stamp]), str(stamp)
    name = str(given.get("property") or "")
    found = [column for column in table.columns if name in (column.name, property_id(column))]
    if not found:
        raise invalid(f"Could not find property with name or id: {name}")
    kinds = [kind for kind in given if kind not in ("property", "type")]
    if len(kinds) != 1:
        raise invalid(f"body failed validation: body.filter.{name} should have one kind of condition.")
    kind = NAMES[found[0].kind]
    if kinds[0] != kind and not {kinds[0], kind} <= {"title", "rich_text", "url", "email", "phone_number"}:
        raise invalid(f"database property {kind} does not match filter {kinds[0]}")
    return found[0], kinds[0]


def _wanted(store: Store, column: Column, operator: str, value: Any) -> Any:
    if operator in ("contains", "does_not_contain") and column.kind == "relation":
        return number_of(store, Page, value, "filter.relation")
    if operator in ("contains", "does_not_contain") and column.kind == "people":
        return number_of(store, Person, value, "filter.people")
    if isinstance(value, str) and column.kind in ("date", "created", "edited"):
        return value.replace(".000Z", "+00:00").replace("Z", "+00:00")
    return value


def sorted_rows(store: Store, table: Table, rows: Sequence[Page], sorts: Sequence[Data]) -> list[Page]:
    """Rows in the order of Notion's sorts.

    Raises:
        Problem: one names no property.
    """
    found = list(rows)
    for sort in reversed(sorts):
        stamp = sort.get("timestamp")
        if stamp:
            column = Column(str(stamp), TYPES.get(str(stamp), "created"))
        else:
            name = str(sort.get("property") or "")
            named = [one for one in table.columns if name in (one.name, property_id(one))]
            if not named:
                raise invalid(f"Could not find sort property with name or id: {name}")
            column = named[0]
        reading = Reading(store, table)
        down = sort.get("direction") == "descending"
        found.sort(key=lambda row: reading.rank(column, row), reverse=down)
    return found
