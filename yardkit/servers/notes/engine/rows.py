"""Rows of tables: their values are checked, shown, sorted and asked for."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Literal

from yardkit.apps.notes import Column, Option, Page, Person, Table
from yardkit.apps.store import Store
from yardkit.servers.notes.engine.context import find_actor, opened_notes, take_fitting, title_of, tree_of
from yardkit.servers.notes.engine.editing import keep_version, put_drafts, touch_page
from yardkit.servers.notes.engine.markdown_reading import describe_lost, drafts_of
from yardkit.world import Problem, World

Operator = Literal[
    "is", "is_not", "contains", "lacks", "starts_with", "ends_with", "over", "under", "at_least", "at_most", "empty",
    "not_empty",
]  # fmt: skip
"""Dates are over what is earlier; at_least a day is from its beginning on, at_most a day to its end."""
_NO_VALUES = ("created", "edited")
_DAY = 10
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
MAX_VALUE = 20_000
"""Characters of a text."""


@dataclass(frozen=True)
class Condition:
    """What must hold of a column. value: of empty and not_empty none."""

    column: str
    operator: Operator = "is"
    value: Any = None


@dataclass(frozen=True)
class Sort:
    """A column to sort by."""

    column: str
    descending: bool = False


@dataclass(frozen=True)
class Row:
    """A row.

    Attributes:
        values: by column, its title among them; a relation as the rows that it leads to.
        notes: what of a given text is not kept.
    """

    id: int
    values: dict[str, Any]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rows:
    """A page of rows of a table. total: all that match; next_offset: where it goes on, null at its end."""

    table_id: int
    title: str
    columns: dict[str, str]
    rows: list[Row]
    total: int
    next_offset: int | None = None


def query_table(
    world: World,
    table_id: int,
    conditions: Sequence[Condition] = (),
    sorts: Sequence[Sort] = (),
    *,
    any_of: bool = False,
    offset: int = 0,
    limit: int = 50,
) -> Rows:
    """Rows of which all conditions hold, or `any_of` them, in the order of `sorts`, else as they were made.

    Raises:
        Problem: there is no such table or column, or a condition does not fit its column.
    """
    with opened_notes(world) as store:
        table = store.get(Table, table_id)
        reading = Reading(store, table)
        tests = [reading.make_test(condition) for condition in conditions]
        rows = store.find(Page, "table_id = ? AND archived IS NULL", [table_id])
        combine = any if any_of and tests else all
        matching_rows = [row for row in rows if combine(test(row) for test in tests)]
        for sort in reversed(sorts):
            column = column_of(table, sort.column)
            matching_rows.sort(key=lambda row: reading.rank(column, row), reverse=sort.descending)
        page_rows = [Row(row.id, reading.format_values(row)) for row in matching_rows[offset : offset + limit]]
        kinds = {column.name: describe_column(column) for column in table.columns}
        return Rows(table.id, table.title, kinds, *take_fitting(page_rows, len(matching_rows), offset))


def describe_column(column: Column) -> str:
    """What a column holds, in a word or a few."""
    if column.options:
        return f"{column.kind}: {', '.join(option.name for option in column.options)}"
    return f"relation to table {column.table_id}" if column.kind == "relation" else column.kind


def save_row(
    world: World,
    table_id: int,
    row_id: int | None = None,
    values: Mapping[str, Any] | None = None,
    markdown: str | None = None,
) -> Row:
    """A new row, or changes to one: the columns that `values` names, null empties one; and the text of its page.

    Raises:
        Problem: there is no such table, row or column, or a value does not fit.
    """
    with opened_notes(world, writes=True) as store:
        table = store.get(Table, table_id)
        row = row_of(store, table, row_id) if row_id is not None else None
        if row is None and not values:
            raise Problem("a new row needs values; give at least its title")
        saved = put_row(store, table, row, values or {})
        if markdown is not None:
            if row is not None and tree_of(store, saved.id).list_children(None):
                raise Problem(f"row {saved.id} already has a text; change it with edit_note_page")
            put_drafts(store, saved.id, None, drafts_of(markdown))
        return Row(saved.id, Reading(store, table).format_values(saved), describe_lost(markdown or ""))


def row_of(store: Store, table: Table, row_id: int) -> Page:
    """A row of a table.

    Raises:
        Problem: there is none of this number in it.
    """
    row = store.get(Page, row_id)
    if row.table_id != table.id:
        raise Problem(f"page {row_id} ({row.title!r}) is not a row of table {table.id} ({table.title!r})")
    return row


def put_row(
    store: Store, table: Table, row: Page | None, values: Mapping[str, Any], *, adds_options: bool = False
) -> Page:
    """As `save_row`, within a transaction; `adds_options`: what cannot be chosen yet can be from now on."""
    table = _with_options(store, table, values) if adds_options else table
    taken = {name: taken_value(store, column_of(table, name), value) for name, value in values.items()}
    title_column = next(column.name for column in table.columns if column.kind == "title")
    title = taken.pop(title_column, row.title if row else None)
    row_values = {
        name: value for name, value in {**(row.values if row else {}), **taken}.items() if value not in (None, [])
    }
    if row is not None:
        keep_version(store, row)
        return touch_page(store, row, title=title or "", values=row_values)
    number, stamp, who = store.next_id(Page), store.make_stamp(Page, "created"), find_actor(store)
    last = store.count(Page, "table_id = ?", [table.id])
    return store.put(
        Page(
            number, title or "", stamp, stamp, None, table.id, last + 1, author_id=who, editor_id=who, values=row_values
        )
    )


def _with_options(store: Store, table: Table, values: Mapping[str, Any]) -> Table:
    columns = []
    for column in table.columns:
        given = values.get(column.name) if column.kind in ("select", "multi_select") else None
        names = given if isinstance(given, list) else [given] if given else []
        new = [name for name in names if name not in [option.name for option in column.options]]
        columns.append(replace(column, options=[*column.options, *(Option(str(name)) for name in new)]))
    return table if columns == table.columns else store.change(table, columns=columns)


def column_of(table: Table, name: str) -> Column:
    """A column by its name, whatever its case where only one fits so.

    Raises:
        Problem: there is none.
    """
    exact = [column for column in table.columns if column.name == name]
    near = [column for column in table.columns if column.name.casefold() == name.casefold()]
    if not exact and len(near) != 1:
        there = ", ".join(column.name for column in table.columns)
        raise Problem(f"table {table.id} ({table.title!r}) has no column {name!r}; it has {there}")
    return (exact or near)[0]


def taken_value(store: Store, column: Column, value: Any) -> Any:
    """A value as a row keeps it.

    Raises:
        Problem: it does not fit the column.
    """
    if value is None or value == "":
        return "" if column.kind == "title" else None
    makers: dict[str, Callable[[], Any]] = {
        "title": lambda: title_of(str(value)),
        "number": lambda: _parse_number(column, value),
        "checkbox": lambda: _parse_boolean(column, value),
        "date": lambda: _parse_period(column, value),
        "select": lambda: _parse_option(column, value),
        "status": lambda: _parse_option(column, value),
        "multi_select": lambda: [_parse_option(column, option_value) for option_value in _to_list(value)],
        "people": lambda: [_parse_person(store, person_value) for person_value in _to_list(value)],
        "relation": lambda: [_parse_related(store, column, related_value) for related_value in _to_list(value)],
        "files": lambda: [str(text_value) for text_value in _to_list(value)],
    }
    if column.kind in _NO_VALUES:
        raise Problem(f"column {column.name!r} is of kind {column.kind!r}, which cannot be set")
    return makers.get(column.kind, lambda: _parse_text(column, value))()


def _parse_text(column: Column, value: Any) -> str:
    if not isinstance(value, str | int | float) or len(str(value)) > MAX_VALUE:
        raise Problem(f"{column.name!r} takes a text of at most {MAX_VALUE:,} characters, not {str(value)[:60]!r}")
    return str(value)


def _to_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _parse_number(column: Column, value: Any) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Problem(f"{column.name!r} takes a number, not {value!r}")
    try:
        return value if isinstance(value, int | float) else float(value) if "." in value else int(value)
    except ValueError as error:
        raise Problem(f"{column.name!r} takes a number, not {value!r}") from error


def _parse_boolean(column: Column, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Problem(f"{column.name!r} takes true or false, not {value!r}")
    return value


def _parse_period(column: Column, value: Any) -> str:
    parts = str(value).split("/")
    try:
        moments = [datetime.fromisoformat(part).isoformat() for part in parts]
    except ValueError as error:
        raise Problem(
            f"{column.name!r} takes a date such as 2026-03-16 or 2026-03-16/2026-03-18, not {value!r}"
        ) from error
    if len(parts) > 2 or (len(parts) == 2 and moments[1] < moments[0]):
        raise Problem(f"{column.name!r} takes a period that does not end before it starts, not {value!r}")
    return "/".join(parts)


def _parse_option(column: Column, value: Any) -> str:
    names = [option.name for option in column.options]
    matching_names = [name for name in names if name.casefold() == str(value).strip().casefold()]
    if not matching_names:
        raise Problem(
            f"{value!r} is not an option of {column.name!r}; it has {', '.join(names)}. alter_table adds options"
        )
    return matching_names[0]


def _parse_person(store: Store, value: Any) -> int:
    if isinstance(value, int):
        return store.get(Person, value).id
    word = str(value).strip().casefold()
    people = store.find(Person)
    matching_ids = [person.id for person in people if word in (person.name.casefold(), person.email.casefold())]
    if len(matching_ids) != 1:
        some = ", ".join(f"{person.name} <{person.email}>" for person in people[:10])
        raise Problem(f"{value!r} matches {len(matching_ids)} people; use a mail address, such as {some}")
    return matching_ids[0]


def _parse_related(store: Store, column: Column, value: Any) -> int:
    table = store.get(Table, column.table_id or 0)
    if isinstance(value, int):
        return row_of(store, table, value).id
    related_rows = store.find(
        Page, "table_id = ? AND archived IS NULL AND title = ? COLLATE NOCASE", [table.id, str(value).strip()]
    )
    if len(related_rows) != 1:
        raise Problem(f"table {table.id} ({table.title!r}) has {len(related_rows)} rows {value!r}; use the row number")
    return related_rows[0].id


def read_row_values(store: Store, page: Page) -> dict[str, Any]:
    """The values of a row; of other pages none."""
    table = store.find(Table, "id = ?", [page.table_id])
    return Reading(store, table[0]).format_values(page) if table else {}


class Reading:
    """Values of the rows of a table, with the titles and names that their numbers stand for."""

    def __init__(self, store: Store, table: Table) -> None:
        self.store, self.table = store, table
        self._names: dict[int, str] | None = None
        self._titles: dict[int, str] = {}

    def format_values(self, row: Page) -> dict[str, Any]:
        """The values of a row as a person reads them; those that it has not are left out."""
        displayed_values = {
            column.name: self._format_value(column, self.value(column, row)) for column in self.table.columns
        }
        return {name: value for name, value in displayed_values.items() if value not in (None, "", [])}

    def value(self, column: Column, row: Page) -> Any:
        """A value as it is kept."""
        own_fields = {"title": row.title, "created": row.created, "edited": row.edited}
        if column.kind == "checkbox":
            return bool(row.values.get(column.name, False))
        return own_fields[column.kind] if column.kind in own_fields else row.values.get(column.name)

    def _format_value(self, column: Column, value: Any) -> Any:
        if column.kind == "people" and value:
            return [self._get_person_name(number) for number in value]
        if column.kind == "relation" and value:
            return [{"id": number, "title": self._get_title(number)} for number in value]
        return value

    def _get_person_name(self, number: int) -> str:
        if self._names is None:
            self._names = {person.id: person.name for person in self.store.find(Person)}
        return self._names.get(number, f"person {number}")

    def _get_title(self, number: int) -> str:
        if number not in self._titles:
            title_pages = self.store.find(Page, "id = ?", [number])
            self._titles[number] = title_pages[0].title if title_pages else ""
        return self._titles[number]

    def rank(self, column: Column, row: Page) -> Any:
        """Where a row stands by a column: rows without a value come last, options in their own order."""
        value = self.value(column, row)
        if column.kind in ("select", "status") and value:
            names = [option.name for option in column.options]
            return (0, names.index(value) if value in names else len(names), "")
        if value in (None, "", []):
            return (1, 0, "")
        if isinstance(value, int | float):
            return (0, value, "")
        displayed_value = self._format_value(column, value)
        return (0, 0, str(displayed_value[0] if isinstance(displayed_value, list) else displayed_value).casefold())

    def make_test(self, condition: Condition) -> Callable[[Page], bool]:
        """Whether a condition holds of a row.

        Raises:
            Problem: it does not fit its column.
        """
        column = column_of(self.table, condition.column)
        operator = condition.operator
        if operator in ("empty", "not_empty"):
            return lambda row: _is_empty(self.value(column, row)) == (operator == "empty")
        operand = _parse_operand(self.store, column, operator, condition.value)
        holds = _TESTS[operator]

        def test(row: Page) -> bool:
            value = self.value(column, row)
            if value in (None, "", []):
                return operator in ("is_not", "lacks")
            return holds(_to_comparable(column, value), operand)

        return test


def _is_empty(value: Any) -> bool:
    """Whether there is no value; a box that is not checked counts, the number 0 does not."""
    return value is False or value in (None, "", [])


def _parse_operand(store: Store, column: Column, operator: Operator, value: Any) -> Any:
    """What a condition compares with."""
    if value is None:
        raise Problem(f"the condition on {column.name!r} has no value; give one, or use the operator empty")
    if operator in ("contains", "lacks", "is", "is_not") and column.kind in ("people", "relation", "multi_select"):
        return taken_value(store, column, value if operator in ("is", "is_not") else [value])
    if operator in ("over", "under", "at_least", "at_most"):
        if column.kind not in ("number", "date", "created", "edited"):
            raise Problem(f"{operator!r} compares numbers and dates, but {column.name!r} is of kind {column.kind!r}")
        if column.kind == "number":
            return _parse_number(column, value)
        return _parse_day(column, value)
    if column.kind in ("date", "created", "edited"):
        return _parse_day(column, value)
    if column.kind in ("number", "checkbox", "select", "status") and operator in ("is", "is_not"):
        return taken_value(store, column, value)
    return str(value).casefold()


def _parse_day(column: Column, value: Any) -> str:
    period_text = _parse_period(column, value)
    return period_text if len(period_text) > _DAY else date.fromisoformat(period_text).isoformat()


def _to_comparable(column: Column, value: Any) -> Any:
    if column.kind in ("people", "relation", "multi_select", "number", "checkbox", "select", "status", "files"):
        return value
    return str(value).split("/")[0] if column.kind in ("date", "created", "edited") else str(value).casefold()


def _cut_time(value: Any, operand: Any) -> Any:
    """A time as precise as what it is compared with."""
    return value[: len(operand)] if isinstance(value, str) and isinstance(operand, str) else value


def _is_on(value: Any, operand: Any) -> bool:
    """Whether a time is on a day."""
    return isinstance(operand, str) and bool(_DATE.fullmatch(operand)) and bool(_cut_time(value, operand) == operand)


def _contains_operand(value: Any, operand: Any) -> bool:
    if isinstance(value, list):
        return (
            all(operand_part in value for operand_part in operand)
            if isinstance(operand, list)
            else operand in map(str.casefold, value)
        )
    return str(operand) in str(value).casefold()


_TESTS: dict[Operator, Callable[[Any, Any], bool]] = {
    "is": lambda value, operand: value == operand or _is_on(value, operand),
    "is_not": lambda value, operand: not _TESTS["is"](value, operand),
    "contains": _contains_operand,
    "lacks": lambda value, operand: not _contains_operand(value, operand),
    "starts_with": lambda value, operand: str(value).casefold().startswith(str(operand)),
    "ends_with": lambda value, operand: str(value).casefold().endswith(str(operand)),
    "over": lambda value, operand: bool(_cut_time(value, operand) > operand),
    "under": lambda value, operand: bool(_cut_time(value, operand) < operand),
    "at_least": lambda value, operand: bool(_cut_time(value, operand) >= operand),
    "at_most": lambda value, operand: bool(_cut_time(value, operand) <= operand),
}  # fmt: skip
