"""The cells of a pivot table: headings, items and values, in tabular form."""

from __future__ import annotations

from datetime import datetime

from yardkit.servers.sheets.engine.cells.cell_elements import check_not_merged
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell
from yardkit.servers.sheets.engine.notation.values import Stored
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.pivots.pivot_data import Item, Key, Source, Sums, format_item, select_items
from yardkit.servers.sheets.engine.pivots.pivot_spec import PivotSpec
from yardkit.servers.sheets.engine.pivots.pivot_xml import header_rows
from yardkit.world import Problem

Place = tuple[str, Cell]
GRAND = "Grand Total"


def write_pivot(grid: Grid, first: Cell, source: Source, spec: PivotSpec, pivot_sums: Sums) -> tuple[Area, set[Place]]:
    """Write a pivot table from `first` on: its filters, a free row, then the table; the table's area and all cells.

    Raises:
        Problem: it does not fit the sheet, or there are filled cells in the way.
    """
    filters = _build_filter_cells(first, source, spec)
    top = Cell(first.row + (len(spec.filters) + 1 if spec.filters else 0), first.column)
    cells = (
        filters | _build_heading_cells(top, source, spec, pivot_sums) | _build_item_cells(top, source, spec, pivot_sums)
    )
    formats = _build_value_cells(top, spec, pivot_sums)
    area = _compute_area(top, spec, pivot_sums)
    _check_free(grid, Area(first.row, first.column, area.bottom, max(area.right, first.column + bool(filters))))
    for cell, value in cells.items():
        grid.set_value(cell, _to_stored_item(value))
    for cell, (number, code) in formats.items():
        grid.set_value(cell, None if number is None else int(number) if number.is_integer() else number)
        if code and number is not None:
            element = grid.ensure(cell)
            style = int(element.get("s", "0"))
            element.set("s", str(grid.book.styles.derive_style(style, Change(number_format=code))))
    return area, {(grid.info.name, cell) for cell in (*cells, *formats)}


def clear_pivot(grid: Grid, area: Area) -> set[Place]:
    """Empty the cells of a pivot table; which they were."""
    cells = [(cell, element) for cell, element in grid.iter_elements(area) if len(element)]
    for _, element in cells:
        grid.clear(element)
    return {(grid.info.name, cell) for cell, _ in cells}


def _compute_area(top: Cell, spec: PivotSpec, pivot_sums: Sums) -> Area:
    across = (len(pivot_sums.columns) + 1 if spec.columns else 1) * len(spec.values)
    bottom = top.row + header_rows(spec) + len(pivot_sums.rows)
    area = Area(top.row, top.column, bottom, top.column + len(spec.rows) + across - 1)
    if area.bottom > MAX_ROW or area.right > MAX_COLUMN:
        raise Problem("the pivot table extends beyond the sheet; use fewer fields or fields with fewer items")
    return area


def _check_free(grid: Grid, area: Area) -> None:
    filled = [str(cell) for cell, element in grid.iter_elements(area) if len(element)]
    if filled:
        raise Problem(
            f"the pivot table needs {area}, which has filled cells ({', '.join(filled[:4])}); choose free ones"
        )
    check_not_merged(
        grid.list_merged(), [cell for merged in grid.list_merged() if merged.meets(area) for cell in merged.cells()]
    )
    table = next((candidate for candidate in list_tables(grid.book, grid.info) if candidate.area.meets(area)), None)
    if table is not None:
        raise Problem(f"the pivot table needs {area}, which overlaps the table {table.name!r}; choose free cells")


def _build_filter_cells(first: Cell, source: Source, spec: PivotSpec) -> dict[Cell, Item]:
    cells: dict[Cell, Item] = {}
    for offset, (name, selected_items) in enumerate(spec.filters.items()):
        item_positions = select_items(source, name, selected_items)
        single_item = source.items[name][item_positions[0]] if selected_items and len(item_positions) == 1 else None
        several = "(Multiple Items)" if len(item_positions) < len(source.items[name]) else "(All)"
        cells[Cell(first.row + offset, first.column)] = name
        filter_text = (
            format_item(single_item)
            if selected_items and len(item_positions) == 1 and single_item is None
            else single_item
        )
        cells[Cell(first.row + offset, first.column + 1)] = several if filter_text is None else filter_text
    return cells


def _build_heading_cells(top: Cell, source: Source, spec: PivotSpec, pivot_sums: Sums) -> dict[Cell, Item]:
    """The rows above the values: names of fields, items of the columns, names of the values."""
    cells: dict[Cell, Item] = {}
    last = top.row + header_rows(spec) - 1
    start = top.column + len(spec.rows)
    for offset, name in enumerate(spec.rows):
        cells[Cell(last, top.column + offset)] = name
    several = len(spec.values) > 1
    if not spec.columns:
        return cells | {Cell(top.row, start + number): value.name for number, value in enumerate(spec.values)}
    if not several:
        cells[top] = spec.values[0].name
    for offset, name in enumerate([*spec.columns, "Values"] if several else spec.columns):
        cells[Cell(top.row, start + offset)] = name
    before: Key = ()
    for index, key in enumerate([*pivot_sums.columns, ()]):
        column = start + index * len(spec.values)
        cells |= _column_head(Cell(top.row + 1, column), source, spec, key, before)
        before = key
    return cells


def _column_head(first: Cell, source: Source, spec: PivotSpec, key: Key, before: Key) -> dict[Cell, Item]:
    """The items above one column (or one column for each value); the empty key is the grand total."""
    several = len(spec.values) > 1
    cells: dict[Cell, Item] = {}
    if not key:
        for number, value in enumerate(spec.values):
            cells[Cell(first.row, first.column + number)] = f"Total {value.name}" if several else GRAND
        return cells
    for level, position in enumerate(key):
        if before[: level + 1] != key[: level + 1]:
            cells[Cell(first.row + level, first.column)] = _label_item(source.items[spec.columns[level]][position])
    if several:
        row = first.row + len(key)
        cells |= {Cell(row, first.column + number): value.name for number, value in enumerate(spec.values)}
    return cells


def _build_item_cells(top: Cell, source: Source, spec: PivotSpec, pivot_sums: Sums) -> dict[Cell, Item]:
    """The items of the rows, each outer one once, and the grand total."""
    cells: dict[Cell, Item] = {}
    row = top.row + header_rows(spec)
    before: Key = ()
    for key in pivot_sums.rows:
        for level, position in enumerate(key):
            if before[: level + 1] != key[: level + 1]:
                cells[Cell(row, top.column + level)] = _label_item(source.items[spec.rows[level]][position])
        before = key
        row += 1
    cells[Cell(row, top.column)] = GRAND
    return cells


def _build_value_cells(top: Cell, spec: PivotSpec, pivot_sums: Sums) -> dict[Cell, tuple[float | None, str]]:
    cells: dict[Cell, tuple[float | None, str]] = {}
    start, first = top.column + len(spec.rows), top.row + header_rows(spec)
    columns: list[Key] = [*pivot_sums.columns, ()] if spec.columns else [()]
    for down, row in enumerate([*pivot_sums.rows, ()]):
        for across, column in enumerate(columns):
            for number, value in enumerate(spec.values):
                cell = Cell(first + down, start + across * len(spec.values) + number)
                cells[cell] = (pivot_sums.cells.get((row, column, number)), value.number_format)
    return cells


def _label_item(item: Item) -> Item:
    return "(blank)" if item is None else item


def _to_stored_item(item: Item) -> Stored:
    if isinstance(item, datetime):
        return item.date() if item.time() == datetime.min.time() else item
    return int(item) if isinstance(item, float) and item.is_integer() else item
