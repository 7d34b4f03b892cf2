"""Columns and values of rows as Notion's properties, and its filters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from yardkit.apps.notes import Column, ColumnKind, Option, Page, Person, Table
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.notes.app import Data, make_validation_problem, number_of, time_of, user_of, uuid_of
from yardkit.compat.toolathlon.notes.rich_text import build_text, read_bare_text
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
    column_schema: Data = {}
    if kind in _CHOICES:
        column_schema = {"options": [_build_option(option) for option in column.options]} | (
            {"groups": []} if kind == "status" else {}
        )
    elif kind == "number":
        column_schema = {"format": column.format}
    elif kind == "relation":
        target = uuid_of(Table, column.table_id or 0)
        column_schema = {"database_id": target, "type": "single_property", "single_property": {}}
    return {"id": property_id(column), "name": column.name, "type": kind, kind: column_schema}


def _build_option(option: Option) -> Data:
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
        raise make_validation_problem(
            f"body failed validation: body.properties.{name} should have one of {', '.join(TYPES)}, "
            f"instead was `{', '.join(given) or 'undefined'}`."
        )
    column_data = given[kinds[0]] or {}
    options = [
        Option(str(option_data["name"]), str(option_data.get("color") or "default"))
        for option_data in column_data.get("options") or ()
    ]
    before = old.options if old and not options else []
    table_id = (
        number_of(store, Table, column_data["database_id"], "database_id") if column_data.get("database_id") else None
    )
    return Column(name, TYPES[kinds[0]], options or before, table_id, str(column_data.get("format") or "number"))


def list_values(store: Store, table: Table, row: Page) -> Data:
    """The properties of a row."""
    reading = Reading(store, table)
    return {column.name: build_property_value(column, reading.value(column, row)) for column in table.columns}


def build_property_value(column: Column, value: Any) -> Data:
    """A value as a property of a page."""
    kind = NAMES[column.kind]
    return {"id": property_id(column), "type": kind, kind: _build_value(column, kind, value)}


def _build_value(column: Column, kind: str, value: Any) -> Any:
    chosen = {
        option.name: {k: v for k, v in _build_option(option).items() if k != "description"} for option in column.options
    }
    makers: dict[str, Callable[[], Any]] = {
        "title": lambda: build_text(str(value or "")),
        "rich_text": lambda: build_text(str(value or "")),
        "select": lambda: chosen.get(value) if value else None,
        "status": lambda: chosen.get(value) if value else None,
        "multi_select": lambda: [chosen[option_name] for option_name in value or () if option_name in chosen],
        "date": lambda: _build_date(str(value)) if value else None,
        "people": lambda: [user_of(number) for number in value or ()],
        "relation": lambda: [{"id": uuid_of(Page, number)} for number in value or ()],
        "files": lambda: [
            {"name": file_name, "type": "external", "external": {"url": file_name}} for file_name in value or ()
        ],
        "created_time": lambda: time_of(value),
        "last_edited_time": lambda: time_of(value),
    }
    return makers[kind]() if kind in makers else value


def _build_date(value: str) -> Data:
    start, _, end = value.partition("/")
    return {"start": start, "end": end or None, "time_zone": None}


def values_of(store: Store, table: Table, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of our columns of such properties.

    Raises:
        Problem: there is no such column, or a value is of another kind.
    """
    values = {}
    for name, given_value in given.items():
        by_id = [column for column in table.columns if property_id(column) == name]
        if not by_id and name not in [column.name for column in table.columns]:
            raise make_validation_problem(f"{name} is not a property that exists.")
        column = by_id[0] if by_id else column_of(table, name)
        values[column.name] = _parse_value(store, column, given_value)
    return values


def _parse_value(store: Store, column: Column, given: Any) -> Any:
    kind = NAMES[column.kind]
    if isinstance(given, list) and kind in ("title", "rich_text"):
        given = {kind: given}
    if not isinstance(given, dict) or kind not in given:
        raise make_validation_problem(f"{column.name} is expected to be {kind}.")
    given_value = given[kind]
    if given_value is None:
        return None
    makers: dict[str, Callable[[], Any]] = {
        "title": lambda: read_bare_text(store, given_value, f"properties.{column.name}.title"),
        "rich_text": lambda: read_bare_text(store, given_value, f"properties.{column.name}.rich_text"),
        "select": lambda: _choose_option(column, given_value),
        "status": lambda: _choose_option(column, given_value),
        "multi_select": lambda: [_choose_option(column, option_data) for option_data in given_value],
        "date": lambda: "/".join(str(given_value[end]) for end in ("start", "end") if given_value.get(end)),
        "people": lambda: [number_of(store, Person, person_data.get("id"), "people.id") for person_data in given_value],
        "relation": lambda: [number_of(store, Page, page_data.get("id"), "relation.id") for page_data in given_value],
        "files": lambda: [
            str((file_data.get("external") or {}).get("url") or file_data.get("name")) for file_data in given_value
        ],
    }
    try:
        return makers[kind]() if kind in makers else given_value
    except (AttributeError, TypeError, KeyError) as error:
        raise make_validation_problem(f"{column.name} is expected to be {kind}.") from error


def _choose_option(column: Column, given: Data) -> str:
    if given.get("name"):
        return str(given["name"])
    matching_names = [option.name for option in column.options if _build_option(option)["id"] == given.get("id")]
    if not matching_names:
        raise make_validation_problem(f"{column.name}: there is no option {given.get('id')!r}.")
    return matching_names[0]


def items_of(column: Column, value: Any) -> list[Data] | None:
    """A value as property items where Notion shows a list of them, else None."""
    property_data = build_property_value(column, value)
    if property_data["type"] not in _LISTS:
        return None
    return [
        {
            "object": "property_item",
            "id": property_data["id"],
            "type": property_data["type"],
            property_data["type"]: entry_value,
        }
        for entry_value in property_data[property_data["type"]]
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
            tests = [test_of(store, table, filter_data, today) for filter_data in given[name]]
            return lambda row, combine=combine, tests=tests: combine(test(row) for test in tests)  # type: ignore[misc]
    return _make_leaf_test(store, table, given, today)


def _make_leaf_test(store: Store, table: Table, given: Data, today: date) -> Test:
    column, kind = _find_filter_column(table, given)
    condition = given.get(kind)
    if not isinstance(condition, dict) or len(condition) != 1:
        raise make_validation_problem(
            f"body failed validation: body.filter.{kind} should be an object with one condition."
        )
    ((operator, value),) = condition.items()
    new_table = replace(
        table, columns=[*(table_column for table_column in table.columns if table_column.name != column.name), column]
    )
    reading = Reading(store, new_table)
    if operator in _PERIODS or operator == "this_week":
        first, last = _PERIODS.get(operator, (-today.weekday(), 6 - today.weekday()))
        bounds = [(today + timedelta(days=days)).isoformat() for days in (first, last)]
        conditions = [Condition(column.name, "at_least", bounds[0]), Condition(column.name, "at_most", bounds[1])]
        tests = [reading.make_test(condition) for condition in conditions]
        return lambda row: all(test(row) for test in tests)
    if operator not in _OPERATORS:
        raise make_validation_problem(
            f"body failed validation: body.filter.{kind}.{operator} is not one of {', '.join(_OPERATORS)}."
        )
    return reading.make_test(
        Condition(column.name, _OPERATORS[operator], _parse_operand(store, column, operator, value))
    )


def _find_filter_column(table: Table, given: Data) -> tuple[Column, str]:
    """The column that a filter is about, and the kind of its condition."""
    stamp = given.get("timestamp")
    if stamp in ("created_time", "last_edited_time"):
        return Column(f"\0{stamp}", TYPES[stamp]), str(stamp)
    name = str(given.get("property") or "")
    matching_columns = [column for column in table.columns if name in (column.name, property_id(column))]
    if not matching_columns:
        raise make_validation_problem(f"Could not find property with name or id: {name}")
    kinds = [kind for kind in given if kind not in ("property", "type")]
    if len(kinds) != 1:
        raise make_validation_problem(f"body failed validation: body.filter.{name} should have one kind of condition.")
    kind = NAMES[matching_columns[0].kind]
    if kinds[0] != kind and not {kinds[0], kind} <= {"title", "rich_text", "url", "email", "phone_number"}:
        raise make_validation_problem(f"database property {kind} does not match filter {kinds[0]}")
    return matching_columns[0], kinds[0]


def _parse_operand(store: Store, column: Column, operator: str, value: Any) -> Any:
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
    ordered_rows = list(rows)
    for sort in reversed(sorts):
        stamp = sort.get("timestamp")
        if stamp:
            column = Column(str(stamp), TYPES.get(str(stamp), "created"))
        else:
            name = str(sort.get("property") or "")
            named = [
                table_column for table_column in table.columns if name in (table_column.name, property_id(table_column))
            ]
            if not named:
                raise make_validation_problem(f"Could not find sort property with name or id: {name}")
            column = named[0]
        reading = Reading(store, table)
        down = sort.get("direction") == "descending"
        ordered_rows.sort(key=lambda row: reading.rank(column, row), reverse=down)
    return ordered_rows
