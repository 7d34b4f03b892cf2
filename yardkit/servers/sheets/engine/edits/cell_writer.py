"""Changing cells: values, formulas, rows at the end; the workbook or sheet is made when it is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from yardkit.servers.sheets.engine.cells.bulk_values import Formula, RowWriter
from yardkit.servers.sheets.engine.cells.cell_elements import check_not_merged
from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.dynamic_arrays import empty_spill, metadata_index
from yardkit.servers.sheets.engine.cells.grid import FormulaCell, Grid
from yardkit.servers.sheets.engine.cells.total_rows import data_above_totals
from yardkit.servers.sheets.engine.compute.date_display import code_of_call
from yardkit.servers.sheets.engine.compute.saved_workbook import Saved, save_workbook
from yardkit.servers.sheets.engine.layout.fitted_sizes import fit_area
from yardkit.servers.sheets.engine.moves.grown_tables import grow_above_totals, grow_with_readers
from yardkit.servers.sheets.engine.notation import formulas
from yardkit.servers.sheets.engine.notation.array_formulas import can_spill
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell, cell_of
from yardkit.servers.sheets.engine.notation.rewritten_formulas import fill_formula, with_columns
from yardkit.servers.sheets.engine.notation.values import Scalar, Stored, to_stored_value
from yardkit.servers.sheets.engine.package.new_sheets import add_sheet_part, new_workbook
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.tables import Table, list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

MAX_CELLS = 250_000
_BARE_COLUMN = re.compile(r"[^\w\\\].]\[")


@dataclass(frozen=True)
class Applied:
    """What a write did: the sheet, the area, and what recomputing found."""

    sheet: str
    area: Area
    saved: Saved
    created: str


def write_cells(
    path: Path,
    sheet: str | None,
    start: str,
    rows: list[list[Scalar]],
    *,
    now: datetime,
    dates: bool = True,
    number_format: str | None = None,
    keep_empty: bool = False,
) -> Applied:
    """Write `rows` with their first value at the cell `start`; "=..." is a formula, null empties (or keeps) a cell.

    Raises:
        Problem: too many cells, a bad formula or value, a cell hidden in a merged area or in an array formula.
    """
    book, grid, created_name = _open_target(path, sheet)
    first = cell_of(start)
    area, fresh = _compute_area(first, rows), grid.get_used_area() is None
    written = put_rows(book, grid, first, rows, dates=dates, number_format=number_format, keep_empty=keep_empty)
    touched = list_changed_cells(grid.info.name, first, rows, keep_empty=keep_empty)
    dress = partial(fit_area, grid, area, fresh=fresh)
    saved = save_workbook(book, {grid.info.name: grid}, path, touched=touched, written=written, now=now, dress=dress)
    return Applied(grid.info.name, area, saved, created_name)


def append_rows(
    path: Path, sheet: str | None, rows: list[list[Scalar]], *, now: datetime, dates: bool = True
) -> Applied:
    """Write `rows` below the last used row, from the first used column; a table that ends there grows with them.

    Where the table or the sheet ends in totals, they go above them. The new cells take the style of the row above
    them, so that formats go on.

    Raises:
        Problem: as `write_cells`; or room above a totals row would tear a table beside it.
    """
    book, grid, created_name = _open_target(path, sheet)
    used = grid.get_used_area()
    first = Cell(used.bottom + 1, used.left) if used else Cell(1, 1)
    area = _compute_area(first, rows)
    grids = {grid.info.name: grid}
    moved: set[Place] = set()
    grown = _last_tables(book, grid, area)
    for table in grown:
        moved |= grow_with_readers(book, grids, table, len(rows))
        first = Cell(table.area.bottom - table.totals + 1, first.column)
        rows = _fill_calculated_columns(grid, table, first, rows)
    data = None if grown else _data_above_totals(book, grid)
    if data:
        moved |= grow_above_totals(book, grids, grid.info.name, data, len(rows))
        first = Cell(data.bottom + 1, first.column)
    if first.row <= (used.bottom if used else 0):
        created_name = "above the totals, which take them in"
    if used and used.rows > 1:
        _take_styles(grid, first.row - 1, _compute_area(first, rows))
    area = Area(first.row, area.left, first.row + len(rows) - 1, area.right)
    written = put_rows(book, grid, first, rows, dates=dates, number_format=None, keep_empty=True)
    touched = chain(moved, list_changed_cells(grid.info.name, first, rows, keep_empty=True))
    dress = partial(fit_area, grid, area, fresh=used is None)
    saved = save_workbook(book, grids, path, touched=touched, written=written, now=now, dress=dress)
    return Applied(grid.info.name, area, saved, created_name)


def _last_tables(book: Workbook, grid: Grid, area: Area) -> list[Table]:
    """The tables that end right above `area`, in its columns."""
    return [
        table
        for table in list_tables(book, grid.info)
        if table.area.bottom == area.top - 1 and table.area.left <= area.right and area.left <= table.area.right
    ]


def _data_above_totals(book: Workbook, grid: Grid) -> Area | None:
    """The data that totals at the end of a plain sheet sum up, unless rows below it would tear something."""
    data = data_above_totals(grid)
    areas = [*grid.list_merged(), *(table.area for table in list_tables(book, grid.info))]
    return data if data and not any(area.top <= data.bottom < area.bottom for area in areas) else None


def recalculate_workbook(path: Path, *, now: datetime) -> Saved:
    """Compute every formula anew and store the values."""
    book = Workbook.open(path)
    return save_workbook(book, {}, path, touched=set(), written=set(), now=now, everything=True)


def _fill_calculated_columns(grid: Grid, table: Table, first: Cell, rows: list[list[Scalar]]) -> list[list[Scalar]]:
    """The rows with the formulas of calculated columns, where they hold nothing, as Excel fills them.

    Calculated is a column with one formula, moved along, in the last two rows of the table, or in its only one.
    """
    last = table.area.bottom - table.totals
    formulas_of = {
        column: [
            formulas.format_formula(name)
            for name in (_formula_at(grid, last - step, column) for step in (0, 1))
            if name
        ]
        for column in range(table.area.left, table.area.right + 1)
    }
    single = last - table.area.top == 1
    filled_rows = []
    for index, row in enumerate(rows):
        wide = [*row, *[None] * (table.area.right - first.column + 1 - len(row))]
        for column, texts in formulas_of.items():
            at = column - first.column
            if not texts or not 0 <= at < len(wide) or wide[at] is not None:
                continue
            if single or (len(texts) > 1 and fill_formula(texts[1], 1, 0) == texts[0]):
                wide[at] = fill_formula(texts[0], index + 1, 0)
        filled_rows.append(wide)
    return filled_rows


def _formula_at(grid: Grid, row: int, column: int) -> str:
    content = next((content for _, content in grid.contents(Area(row, column, row, column))), None)
    return (content.formula or "") if content else ""


def _open_target(path: Path, sheet: str | None) -> tuple[Workbook, Grid, str]:
    """The workbook and the sheet, made where they are missing, and what was made."""
    if not path.exists():
        book = new_workbook(path, sheet or "Sheet1")
        return book, Grid(book, book.sheet(None)), f"new workbook with the sheet {book.sheet(None).name!r}"
    book = Workbook.open(path)
    if sheet is None or any(info.name.casefold() == sheet.casefold() for info in book.sheets):
        return book, Grid(book, book.sheet(sheet)), ""
    info = add_sheet_part(book, sheet)
    return book, Grid(book, info), f"new sheet {sheet!r}"


def _compute_area(first: Cell, rows: list[list[Scalar]]) -> Area:
    width = max((len(row) for row in rows), default=0)
    if not rows or not width:
        raise Problem("there are no values to write; give at least one row with one value")
    if len(rows) * width > MAX_CELLS:
        raise Problem(f"{len(rows) * width:,} cells are too many for one call; write at most {MAX_CELLS:,} at a time")
    area = Area(first.row, first.column, first.row + len(rows) - 1, first.column + width - 1)
    if area.bottom > MAX_ROW or area.right > MAX_COLUMN:
        raise Problem(f"the values would reach {Cell(area.bottom, area.right)}, beyond the sheet's end at XFD1048576")
    return area


def list_changed_cells(sheet: str, first: Cell, rows: list[list[Scalar]], *, keep_empty: bool) -> Iterator[Place]:
    """The cells that `put_rows` changes."""
    numbers = range(first.row, first.row + len(rows))
    return ((sheet, cell) for cell in _list_filled_cells(first, rows, numbers, keep_empty=keep_empty))


def put_rows(
    book: Workbook,
    grid: Grid,
    first: Cell,
    rows: list[list[Scalar]],
    *,
    dates: bool,
    number_format: str | None,
    keep_empty: bool,
) -> set[Place]:
    """Put rows of values into a sheet; the cells with formulas among those that changed."""
    writer = RowWriter(grid, number_format)
    merged = grid.list_merged()
    # Only rows that are there can hold what stands in the way, apart from areas that cover whole rows.
    careful = bool(merged) or grid.has_arrays()
    there = [number for number, _ in enumerate(rows, start=first.row) if careful or not writer.accepts(number)]
    named = list(_list_filled_cells(first, rows, there, keep_empty=keep_empty))
    if merged:
        check_not_merged(merged, named)
    release_cells(book, grid, named)
    written: set[Place] = set()
    names = book.named
    for number, row in enumerate(rows, start=first.row):
        if writer.accepts(number) and (
            simple_row := _to_simple_row(grid, Cell(number, first.column), row, names, dates)
        ):
            writer.put(number, first.column, simple_row)
        else:
            for cell in _list_filled_cells(first, rows, [number], keep_empty=keep_empty):
                value = row[cell.column - first.column]
                put_cell(book, grid, cell, value, dates=dates, number_format=number_format)
        written.update(
            (grid.info.name, Cell(number, column))
            for column, value in enumerate(row, start=first.column)
            if type(value) is str and is_formula(value)
        )
    return written


def _list_filled_cells(
    first: Cell, rows: list[list[Scalar]], numbers: Iterable[int], *, keep_empty: bool
) -> Iterator[Cell]:
    """The cells of some rows that are to be written."""
    for number in numbers:
        for column, value in enumerate(rows[number - first.row], start=first.column):
            if value is not None or not keep_empty:
                yield Cell(number, column)


def is_formula(value: Scalar) -> bool:
    return isinstance(value, str) and value.startswith("=") and len(value) > 1


def _to_simple_row(
    grid: Grid,
    first: Cell,
    row: list[Scalar],
    names: dict[str, str],
    dates: bool,
) -> list[Stored | Formula] | None:
    """A row as it can be written at once; None where one of its formulas fills more than its cell."""
    row_values: list[Stored | Formula] = []
    try:
        for value in row:
            if type(value) is str and is_formula(value):
                formula = _check_formula(grid, Cell(first.row, first.column + len(row_values)), value)
                if can_spill(formula, names):
                    return None
                row_values.append(Formula(formula, code_of_call(formula)))
            else:
                row_values.append(value if type(value) is int else to_stored_value(value, dates=dates))
    except Problem as problem:
        cell = Cell(first.row, first.column + len(row_values))
        raise Problem(f"{cell}: {problem}. Nothing was saved") from problem
    return row_values


@contextmanager
def _name_cell_in_problems(cell: Cell) -> Iterator[None]:
    """Say which cell a problem is about."""
    try:
        yield
    except Problem as problem:
        raise Problem(f"{cell}: {problem}. Nothing was saved") from problem


def put_cell(book: Workbook, grid: Grid, cell: Cell, value: Scalar, *, dates: bool, number_format: str | None) -> None:
    with _name_cell_in_problems(cell):
        if isinstance(value, str) and is_formula(value):
            _put_formula(book, grid, cell, value)
        else:
            grid.set_value(cell, to_stored_value(value, dates=dates))
    if number_format is not None and value is not None:
        element = grid.ensure(cell)
        style = int(element.get("s", "0"))
        element.set("s", str(book.styles.derive_style(style, Change(number_format=number_format))))


def _put_formula(book: Workbook, grid: Grid, cell: Cell, text: str) -> None:
    formula = _check_formula(grid, cell, text)
    _show_as_date(book, grid, cell, formula)
    if can_spill(formula, book.named):
        area = Area(cell.row, cell.column, cell.row, cell.column)
        grid.set_formula(cell, formula, area, metadata_index(book))
    else:
        grid.set_formula(cell, formula)


def _check_formula(grid: Grid, cell: Cell, text: str) -> str:
    bare = _BARE_COLUMN.search(text)
    around = (
        next((candidate.name for candidate in list_tables(grid.book, grid.info) if cell in candidate.area), "")
        if bare
        else ""
    )
    formula = formulas.with_sheets(formulas.check_formula(text, around), [sheet.name for sheet in grid.book.sheets])
    formula_words = formulas.list_words(formula)
    for table in (
        [candidate for candidate in list_tables(grid.book) if candidate.name.lower() in formula_words]
        if formula_words
        else ()
    ):
        formula = with_columns(formulas.with_table(formula, table.name), table.name, partial(_find_column, table))
    return formula


def _find_column(table: Table, name: str) -> str:
    """The name of a column as the table has it."""
    table_column = next((column for column in table.columns if column.casefold() == name.casefold()), None)
    if table_column is None and not name.startswith("#"):
        raise Problem(f"the table {table.name!r} has no column {name!r}; it has {', '.join(table.columns)}")
    return table_column or name


def release_cells(book: Workbook, grid: Grid, cells: list[Cell]) -> None:
    """Make formulas that share or fill cells let go of those that are to be written."""
    released_cells = set(cells)
    rows = set(grid.rows_with_formulas())
    replaced = [formula for cell in cells if cell.row in rows and (formula := _formula_element(grid, cell)) is not None]
    for si in {formula.get("si", "") for formula in replaced if formula.get("t") == "shared"}:
        grid.share_no_more(si)
    for anchor, formula_cell in grid.map_formulas().items() if grid.has_arrays() else ():
        if formula_cell.area is not None and any(cell in released_cells for cell in formula_cell.area.cells()):
            _check_dynamic(anchor, formula_cell, released_cells)
            empty_spill(grid, anchor, formula_cell, ends=anchor in released_cells)
    if replaced:
        book.drop_calculation_chain()


def _show_as_date(book: Workbook, grid: Grid, cell: Cell, formula: str) -> None:
    """As Excel does when a formula with a date function is typed into a cell without a format."""
    code = code_of_call(formula)
    element = grid.ensure(cell)
    style = int(element.get("s", "0"))
    if code and book.styles.number_format(style) == "General":
        element.set("s", str(book.styles.derive_style(style, Change(number_format=code))))


def _formula_element(grid: Grid, cell: Cell) -> Any | None:
    element = grid.find(cell)
    return None if element is None else element.find(qualify_tag("f"))


def _check_dynamic(anchor: Cell, formula: FormulaCell, released_cells: set[Cell]) -> None:
    if anchor not in released_cells and not formula.dynamic:
        area = formula.area
        raise Problem(f"part of {area} cannot be changed: the array formula in {anchor} fills it; write to {anchor}")


def _take_styles(grid: Grid, row: int, area: Area) -> None:
    for column in range(area.left, area.right + 1):
        above = grid.find(Cell(row, column))
        style = above.get("s") if above is not None else None
        if style:
            for below in range(area.top, area.bottom + 1):
                grid.ensure(Cell(below, column)).set("s", style)
