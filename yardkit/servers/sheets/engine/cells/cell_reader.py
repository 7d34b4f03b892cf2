"""Reading cells: pages of typed values, formulas, formats, and records."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from yardkit.servers.sheets.engine.cells.bulk_values import read_values
from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.notation.formulas import format_formula
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.servers.sheets.engine.package.tables import list_tables
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.results import CellDetail, Records, SheetCells
from yardkit.world import Problem
from yardkit.world.wording import format_count

MAX_CELLS = 50_000
MAX_CHARACTERS = 1_000_000
Show = Literal["values", "formulas", "details"]


def read_cells(
    path: Path,
    sheet: str | None = None,
    area: str | None = None,
    *,
    show: Show = "values",
    offset: int = 0,
    limit: int = 200,
) -> SheetCells:
    """The cells of a range (``A1:C10``, a table's or a defined name; without: the used range), `limit` rows at most.

    Raises:
        Problem: no workbook, no such sheet or range, or `offset` beyond the end.
    """
    book = Workbook.open(path)
    sheet, area = named_area(book, sheet, area)
    grid = Grid(book, book.sheet(sheet))
    full_area = resolve_area(grid, area)
    if full_area is None:
        return SheetCells(grid.info.name, "A1", [], [], 0, None, [])
    if offset >= full_area.rows:
        raise Problem(
            f"offset {offset} is beyond the end: the range {full_area} has {full_area.rows} rows; start with offset=0"
        )
    page = _compute_page(full_area, offset, limit)
    if show == "values":
        rows, uncomputed_count = read_values(grid, page)
        uncomputed = [str(cell) for cell in uncomputed_count]
        contents: dict[Cell, Content] = {}
    else:
        contents = dict(grid.contents(page))
        uncomputed = [str(cell) for cell, content in contents.items() if content.uncomputed]
        rows = [] if show == "details" else _build_rows(page, contents, show)
    details = _build_details(grid, page, contents) if show == "details" else []
    rows, details, page = _cut_page(rows, details, page)
    after = page.bottom - full_area.top + 1
    return SheetCells(
        grid.info.name, str(page), rows, details, full_area.rows, after if after < full_area.rows else None, uncomputed
    )


def read_records(
    path: Path, sheet: str | None = None, area: str | None = None, *, offset: int = 0, limit: int = 200
) -> Records:
    """The rows below the header (the first row) of a range, a table or the used range as records.

    Empty rows and the totals row of a table are left out.

    Raises:
        Problem: as `read_cells`; or there is no header row.
    """
    book = Workbook.open(path)
    sheet, area = named_area(book, sheet, area)
    grid = Grid(book, book.sheet(sheet))
    full_area = resolve_area(grid, area)
    if full_area is None:
        raise Problem(f"the sheet {grid.info.name!r} is empty; there is no header row")
    totals = next((table.totals for table in list_tables(book, grid.info) if table.area == full_area), 0)
    (header, *rows), uncomputed_count = read_values(grid, replace(full_area, bottom=full_area.bottom - totals))
    columns = unique_names(header)
    filled = [row for row in rows if any(value is not None for value in row)]
    page = _shorten_rows(filled[offset : offset + limit])
    after = offset + len(page)
    records = [dict(zip(columns, row, strict=True)) for row in page]
    uncomputed = [str(cell) for cell in uncomputed_count]
    return Records(grid.info.name, columns, records, len(filled), after if after < len(filled) else None, uncomputed)


def read_all_values(path: Path, sheet: str | None = None, area: str | None = None) -> list[list[Scalar]]:
    """All values of a range (without: the used range), row by row, uncut."""
    return read_stored(path, sheet, area).rows


@dataclass(frozen=True)
class Stored:
    """The values of a range, whether its sheet has formulas, and those in it without a value."""

    rows: list[list[Scalar]] = field(default_factory=list)
    formulas: bool = False
    uncomputed: list[Cell] = field(default_factory=list)

    def __str__(self) -> str:
        """What is to be said where only the values are taken."""
        if not self.uncomputed:
            return ""
        some = ", ".join(map(str, self.uncomputed[:5])) + " ..." * (len(self.uncomputed) > 5)
        number = format_count(len(self.uncomputed), "formula")
        return f"{number} without a stored value came empty ({some}); recalculate that workbook first (edit_workbook)"


def read_stored(path: Path, sheet: str | None, area: str | None) -> Stored:
    """What the file holds as values of a range (without: the used range), uncut."""
    book = Workbook.open(path)
    sheet, area = named_area(book, sheet, area)
    grid = Grid(book, book.sheet(sheet))
    full_area = resolve_area(grid, area)
    if full_area is None:
        return Stored()
    rows, uncomputed = read_values(grid, full_area)
    return Stored(rows, b"<f" in grid.source.data, uncomputed)


def named_area(book: Workbook, sheet: str | None, area: str | None) -> tuple[str | None, str | None]:
    """Sheet and range; a table's name or a defined name may stand for both, and ``Sheet!A1`` too."""
    if area is None:
        return sheet, None
    for table in list_tables(book):
        if table.name.casefold() == area.casefold():
            return table.sheet, str(table.area)
    names = {name.name.casefold(): name.formula for name in book.names}
    text = names.get(area.casefold(), area).lstrip("=")
    if "!" in text:
        own, _, text = text.rpartition("!")
        sheet = own.strip("'").replace("''", "'")
    return sheet, text


def resolve_area(grid: Grid, area: str | None) -> Area | None:
    """The asked area, cut to what is used where it names whole rows or columns; the used area without one."""
    used = grid.get_used_area()
    if area is None:
        return used
    asked = area_of(area)
    open_ended = asked.rows > 100_000 or asked.columns > 10_000
    if not open_ended:
        return asked
    return asked.clip(used) if used and asked.meets(used) else None


def _compute_page(full_area: Area, offset: int, limit: int) -> Area:
    rows = max(1, min(limit, MAX_CELLS // full_area.columns))
    top = full_area.top + offset
    return Area(top, full_area.left, min(full_area.bottom, top + rows - 1), full_area.right)


def _build_rows(page: Area, contents: dict[Cell, Content], show: Show) -> list[list[Scalar]]:
    rows: list[list[Scalar]] = [[None] * page.columns for _ in range(page.rows)]
    for cell, content in contents.items():
        formula = format_formula(content.formula) if content.formula is not None and show == "formulas" else None
        rows[cell.row - page.top][cell.column - page.left] = content.value if formula is None else formula
    return rows


def _build_details(grid: Grid, page: Area, contents: dict[Cell, Content]) -> list[CellDetail]:
    """The cells that hold something or are seen; of merged ones the first."""
    formats = CellFormats(grid.book)
    merged = {Cell(area.top, area.left): str(area) for area in grid.list_merged()}
    covered = {
        cell for area in grid.list_merged() if area.meets(page) for cell in area.clip(page).cells()
    } - merged.keys()
    return [
        CellDetail(
            str(cell),
            content.value,
            content.kind,
            None if content.formula is None else format_formula(content.formula),
            grid.book.styles.number_format(content.style),
            formats.words(content.style) or None,
            merged.get(cell),
        )
        for cell, content in contents.items()
        if content.kind != "empty"
        or content.formula is not None
        or (formats.seen_empty(content.style) and cell not in covered)
    ]


def _cut_page(
    rows: list[list[Scalar]], details: list[CellDetail], page: Area
) -> tuple[list[list[Scalar]], list[CellDetail], Area]:
    """The page cut after the row at which its text would grow too long."""
    if rows:
        rows = _shorten_rows(rows)
        return rows, details, Area(page.top, page.left, page.top + len(rows) - 1, page.right)
    size, last = 0, page.bottom
    for detail in details:
        size += len(str(detail)) + 40
        row = int("".join(filter(str.isdigit, detail.cell)))
        if size > MAX_CHARACTERS and row > page.top:
            last = row - 1
            break
    remaining_details = [detail for detail in details if int("".join(filter(str.isdigit, detail.cell))) <= last]
    return rows, remaining_details, Area(page.top, page.left, last, page.right)


def _shorten_rows(rows: list[list[Scalar]]) -> list[list[Scalar]]:
    """As many rows as fit a result, at least one."""
    texts = [value for row in rows for value in row if type(value) is str]
    if len("".join(texts)) + 12 * sum(map(len, rows)) <= MAX_CHARACTERS:
        return rows
    size = 0
    for index, row in enumerate(rows):
        size += sum(len(value) if type(value) is str else 8 for value in row) + 4 * len(row)
        if size > MAX_CHARACTERS and index:
            return rows[:index]
    return rows


def unique_names(header: list[Scalar]) -> list[str]:
    """Names of columns from a header row, each one once."""
    names: list[str] = []
    for index, value in enumerate(header, start=1):
        name = str(value).strip() if value is not None else f"column {index}"
        while name in names:
            name = f"{name} ({index})"
        names.append(name)
    return names
