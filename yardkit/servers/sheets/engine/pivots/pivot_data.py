"""The data of a pivot table: its source as typed fields, and its sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.cells.ranges import list_contents
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.pivots.pivot_spec import PivotSpec, PivotValue
from yardkit.world import Problem

Item = str | float | bool | datetime | None
"""A value of the source; None is an empty cell."""
Key = tuple[int, ...]
"""Positions of items in their fields, outermost first."""
MAX_ROWS, MAX_ITEMS = 200_000, 5_000


@dataclass(frozen=True)
class Source:
    """The source of a pivot table: names of its fields, its records, and the items of each field in order."""

    fields: list[str]
    records: list[list[Item]]
    items: dict[str, list[Item]]

    def column(self, name: str) -> list[Item]:
        index = self.fields.index(name)
        return [record[index] for record in self.records]


@dataclass(frozen=True)
class Sums:
    """What a pivot table shows: keys of its rows and columns in order, and the value of each of its cells.

    The empty key stands for the grand total.
    """

    rows: list[Key]
    columns: list[Key]
    cells: dict[tuple[Key, Key, int], float | None]


def read_source(grid: Grid, area: Area, spec: PivotSpec) -> Source:
    """The fields and records of `area`, whose first row names the fields.

    Raises:
        Problem: no header, no rows, too many, or a field that the source lacks.
    """
    if area.rows < 2 or area.rows > MAX_ROWS + 1:
        raise Problem(f"{area} has {area.rows - 1} rows below its header; a pivot table needs 1 to {MAX_ROWS:,}")
    header, *rows = list_contents(grid, area)
    fields = [_get_heading(content, index) for index, content in enumerate(header)]
    doubled = [name for name, count in Counter(map(str.casefold, fields)).items() if count > 1]
    if doubled:
        raise Problem(f"two columns of the source are called {doubled[0]!r}; rename one")
    fixed = _list_fields(spec, fields)
    records = [[_to_item(content) for content in row] for row in rows]
    items = {name: _order_items(record[fields.index(name)] for record in records) for name in fixed}
    for name, field_items in items.items():
        if len(field_items) > MAX_ITEMS:
            raise Problem(f"the field {name!r} has {len(field_items):,} different items; the limit is {MAX_ITEMS:,}")
    return Source(fields, records, items)


def checked_spec(spec: PivotSpec, fields: list[str]) -> PivotSpec:
    """`spec` with its fields written as the source writes them, and headings for all values.

    Raises:
        Problem: a field that there is not, one in two places, or no rows or values.
    """
    known = {name.casefold(): name for name in fields}

    def exact(name: str) -> str:
        if name.casefold() not in known:
            raise Problem(f"the source has no field {name!r}; it has {', '.join(fields)}")
        return known[name.casefold()]

    rows, columns = [exact(name) for name in spec.rows], [exact(name) for name in spec.columns]
    filters = {exact(name): items for name, items in spec.filters.items()}
    placed = Counter([*rows, *columns, *filters])
    twice = [name for name, count in placed.items() if count > 1]
    if twice:
        raise Problem(f"the field {twice[0]!r} is used twice; use each field only once in rows, columns and filters")
    if not rows or not spec.values:
        raise Problem("a pivot table needs at least one field in rows and one in values")
    values = [
        _name_value(
            PivotValue(exact(pivot_value.field), pivot_value.function, pivot_value.name, pivot_value.number_format)
        )
        for pivot_value in spec.values
    ]
    names = [value.name.casefold() for value in values]
    clash = next((name for name in names if name in known or names.count(name) > 1), None)
    if clash is not None:
        raise Problem(f"the heading {clash!r} is already a field or another value; give the value another name")
    return PivotSpec(spec.name, rows, columns, values, filters)


def compute_sums(source: Source, spec: PivotSpec) -> Sums:
    """The sums of all records that pass the filters.

    Raises:
        Problem: a filter names an item that there is not, or nothing passes.
    """
    filtered_records = _filter_records(source, spec)
    rows, columns = _build_keys(source, spec.rows), _build_keys(source, spec.columns)
    groups: dict[tuple[Key, Key], list[int]] = {}
    for index in filtered_records:
        for row in (rows[index], ()):
            for column in {columns[index], ()}:
                groups.setdefault((row, column), []).append(index)
    cells = {}
    for number, value in enumerate(spec.values):
        data = source.column(value.field)
        for (row, column), members in groups.items():
            cells[row, column, number] = _compute_total(value.function, [data[index] for index in members])
    shown_rows = sorted({rows[index] for index in filtered_records})
    return Sums(shown_rows, sorted({columns[index] for index in filtered_records} - {()}), cells)


def select_items(source: Source, name: str, selected_texts: Sequence[str]) -> list[int]:
    """Positions of the items of a field that a filter lets through; all without `wanted`.

    Raises:
        Problem: an item that there is not.
    """
    texts = {format_item(item).casefold(): index for index, item in enumerate(source.items[name])}
    if not selected_texts:
        return list(texts.values())
    missing = [item for item in selected_texts if item.casefold() not in texts]
    if missing:
        known = ", ".join(format_item(item) for item in source.items[name][:20])
        raise Problem(f"the field {name!r} has no item {missing[0]!r}; it has {known}")
    return sorted(texts[item.casefold()] for item in selected_texts)


def format_item(item: Item) -> str:
    """An item as people name it."""
    if item is None:
        return "(blank)"
    if isinstance(item, datetime):
        return item.date().isoformat() if item.time() == datetime.min.time() else item.isoformat(timespec="seconds")
    if isinstance(item, bool):
        return str(item).upper()
    return f"{item:.15g}" if isinstance(item, float) else item


def _list_fields(spec: PivotSpec, fields: list[str]) -> list[str]:
    exact = checked_spec(spec, fields)
    return [*exact.rows, *exact.columns, *exact.filters]


def _get_heading(content: Content | None, index: int) -> str:
    if content is None or content.value is None or not str(content.value).strip():
        raise Problem(f"column {index + 1} of the source has no name in the first row; add one")
    return str(content.value).strip()


def _to_item(content: Content | None) -> Item:
    if content is None or content.value is None or content.kind == "empty":
        return None
    value = content.value
    if content.kind == "date" and isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return value
    return value if isinstance(value, bool | str) else float(value)


def get_identity(item: Item) -> Item:
    """Texts that differ in letter case only are one item."""
    return item.casefold() if isinstance(item, str) else item


def _order_items(values: Iterable[Item]) -> list[Item]:
    """The different items: numbers, dates, texts, booleans, the empty one last."""
    unique: dict[tuple[str, Item], Item] = {}
    for value in values:
        unique.setdefault((type(value).__name__, get_identity(value)), value)
    ranks = {"float": 0, "datetime": 1, "str": 2, "bool": 3, "NoneType": 4}

    def key(item: Item) -> tuple[int, float, str]:
        number = item.timestamp() if isinstance(item, datetime) else item if isinstance(item, float) else 0.0
        return ranks[type(item).__name__], number, item.casefold() if isinstance(item, str) else str(item)

    return sorted(unique.values(), key=key)


def _name_value(value: PivotValue) -> PivotValue:
    name = value.name.strip() or f"{value.function.capitalize()} of {value.field}"
    return PivotValue(value.field, value.function, name, value.number_format)


def _build_keys(source: Source, names: list[str]) -> list[Key]:
    columns = [(source.column(name), _index_positions(source.items[name])) for name in names]
    return [
        tuple(positions[type(values[index]).__name__, get_identity(values[index])] for values, positions in columns)
        for index in range(len(source.records))
    ]


def _index_positions(items: list[Item]) -> dict[tuple[str, Item], int]:
    return {(type(item).__name__, get_identity(item)): index for index, item in enumerate(items)}


def _filter_records(source: Source, spec: PivotSpec) -> list[int]:
    passing = list(range(len(source.records)))
    for name, selected_texts in spec.filters.items():
        allowed = set(select_items(source, name, selected_texts))
        keys = _build_keys(source, [name])
        passing = [index for index in passing if keys[index][0] in allowed]
    if not passing:
        raise Problem("no row of the source passes the filters; the pivot table would be empty")
    return passing


def _compute_total(function: str, values: list[Item]) -> float | None:
    if function == "count":
        return float(sum(value is not None for value in values))
    numbers = [float(value) for value in values if isinstance(value, float) and not isinstance(value, bool)]
    if not numbers:
        return 0.0 if function == "sum" else None
    if function == "sum":
        import math

        return math.fsum(numbers)
    return {"average": sum(numbers) / len(numbers), "min": min(numbers), "max": max(numbers)}[function]
