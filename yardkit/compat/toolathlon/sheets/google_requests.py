"""The requests of a batch update of the Sheets API, on a workbook: the kinds that are in use."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from yardkit.compat.toolathlon.sheets.google_books import properties_of, sheet_named, sheet_numbers
from yardkit.compat.toolathlon.sheets.google_looks import BORDERS, border_of, change_of, parse_cell
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.edits.operation import Name
from yardkit.servers.sheets.engine.layout.sheet_layout import Layout
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell, column_name
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import Problem

Body = Mapping[str, Any]
_PASTES = {"PASTE_NORMAL": None, "PASTE_FORMULA": None, "PASTE_VALUES": "values", "PASTE_FORMAT": "formats"}


@dataclass(frozen=True)
class Book:
    """The workbook that requests work on."""

    path: Path
    now: datetime

    def sheet(self, body: Body, name: str = "sheetId") -> str:
        """The sheet that a request names by its number; without one the first."""
        return sheet_named(self.path, body.get(name, 0))

    def edit(self, *steps: engine.Operation) -> str:
        """Do something to cells; what was done."""
        return engine.edit_workbook(self.path, list(steps), now=self.now)[0][-1]

    def lay_out(self, sheet: str, layout: Layout) -> None:
        """Change the layout of a sheet."""
        engine.set_layout(self.path, sheet, layout, now=self.now)

    def format(self, sheet: str, area: Area, change: engine.Change) -> None:
        """Change the look of cells."""
        if change != engine.Change():
            engine.format_cells(self.path, sheet, str(area), change, now=self.now)

    def write(self, sheet: str, area: Area, rows: list[list[Scalar]]) -> None:
        """Write values and formulas."""
        engine.write_cells(self.path, sheet, str(Cell(area.top, area.left)), rows, now=self.now, keep_empty=True)


def run_requests(path: Path, requests: Sequence[Body], now: datetime) -> list[dict[str, Any]]:
    """Do requests in order; the reply to each.

    Raises:
        Problem: one cannot be done; it says which. The workbook is then of no use.
    """
    book, replies = Book(path, now), []
    for number, request in enumerate(requests):
        kind, body = next(iter(request.items()), ("", {}))
        if len(request) != 1 or kind not in _KINDS or not isinstance(body, dict):
            raise Problem(f"Invalid requests[{number}]: {kind!r} is not a supported request; use {', '.join(_KINDS)}")
        try:
            replies.append(_KINDS[kind](book, body) or {})
        except Problem as problem:
            raise Problem(f"Invalid requests[{number}].{kind}: {problem}") from problem
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            message = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise Problem(f"Invalid requests[{number}].{kind}: {message}") from error
    return replies


def _parse_area(book: Book, place: Body) -> tuple[str, Area]:
    """The sheet and area of a GridRange: half open, from 0; what is left out reaches to the end."""
    sheet = book.sheet(place)
    area = Area(
        place.get("startRowIndex", 0) + 1,
        place.get("startColumnIndex", 0) + 1,
        place.get("endRowIndex", MAX_ROW),
        place.get("endColumnIndex", MAX_COLUMN),
    )
    if not 1 <= area.top <= area.bottom <= MAX_ROW or not 1 <= area.left <= area.right <= MAX_COLUMN:
        raise Problem(f"{dict(place)} is not a valid range: it starts at 0 or later and ends after its start")
    return sheet, area


def _parse_lines(book: Book, place: Body) -> tuple[str, str]:
    """The sheet and the rows or columns of a DimensionRange, such as ``3:5`` or ``B:C``."""
    first, last = place.get("startIndex", 0) + 1, place["endIndex"]
    rows = place.get("dimension", "ROWS") == "ROWS"
    if not 1 <= first <= last <= (MAX_ROW if rows else MAX_COLUMN):
        raise Problem(f"startIndex {first - 1} and endIndex {last} contain no rows or columns")
    return book.sheet(place), f"{first}:{last}" if rows else f"{column_name(first)}:{column_name(last)}"


def _add_sheet(book: Book, body: Body) -> dict[str, Any]:
    new_properties = body.get("properties", {})
    title = new_properties.get("title") or _free_title(book)
    _require_free(book, title)
    place = new_properties.get("index")
    engine.add_sheet(book.path, title, now=book.now, position=None if place is None else place + 1)
    _set_grid(book, title, new_properties.get("gridProperties", {}))
    return {"addSheet": {"properties": properties_of(book.path, title)}}


def _free_title(book: Book) -> str:
    return next(title for title in (f"Sheet{n}" for n in range(1, 10_000)) if title not in sheet_numbers(book.path))


def _require_free(book: Book, title: str) -> None:
    if title.casefold() in (name.casefold() for name in sheet_numbers(book.path)):
        raise Problem(f'A sheet with the name "{title}" already exists. Please enter another name.')


def _delete_sheet(book: Book, body: Body) -> None:
    engine.delete_sheet(book.path, sheet_named(book.path, body["sheetId"]), now=book.now)


def _duplicate_sheet(book: Book, body: Body) -> dict[str, Any]:
    source = book.sheet(body, "sourceSheetId")
    title = body.get("newSheetName") or f"Copy of {source}"[:31]
    _require_free(book, title)
    place = body.get("insertSheetIndex")
    engine.copy_sheet(book.path, source, title, now=book.now, position=None if place is None else place + 1)
    return {"duplicateSheet": {"properties": properties_of(book.path, title)}}


def _update_sheet(book: Book, body: Body) -> None:
    new_properties = body["properties"]
    sheet, title = book.sheet(new_properties), new_properties.get("title")
    if title and title != sheet:
        if title.casefold() != sheet.casefold():
            _require_free(book, title)
        engine.rename_sheet(book.path, sheet, title, now=book.now)
        sheet = title
    if "index" in new_properties:
        engine.change_sheets(book.path, "move", sheet, None, new_properties["index"] + 1, now=book.now)
    if "hidden" in new_properties:
        engine.change_sheets(book.path, "hide" if new_properties["hidden"] else "show", sheet, None, None, now=book.now)
    tab = change_of(
        {"backgroundColor": new_properties.get("tabColorStyle", {}).get("rgbColor") or new_properties.get("tabColor")}
    )
    if tab.fill_color:
        book.lay_out(sheet, Layout(tab_color=tab.fill_color))
    _set_grid(book, sheet, new_properties.get("gridProperties", {}))


def _set_grid(book: Book, sheet: str, new_properties: Body) -> None:
    rows, columns = new_properties.get("frozenRowCount"), new_properties.get("frozenColumnCount")
    if rows is not None or columns is not None:
        first = Cell((rows or 0) + 1, (columns or 0) + 1)
        book.lay_out(sheet, Layout(freeze_at=str(first) if rows or columns else "none"))
    if "hideGridlines" in new_properties:
        book.lay_out(sheet, Layout(gridlines=not new_properties["hideGridlines"]))


def _insert_lines(book: Book, body: Body) -> None:
    _change_lines(book, body["range"], "insert_rows", "insert_columns")


def _delete_lines(book: Book, body: Body) -> None:
    _change_lines(book, body["range"], "delete_rows", "delete_columns")


def _change_lines(book: Book, place: Body, rows: Name, columns: Name) -> None:
    sheet, lines = _parse_lines(book, place)
    book.edit(engine.Operation(rows if lines[0].isdigit() else columns, sheet, lines))


def _append_lines(book: Book, body: Body) -> None:
    """A sheet of a workbook has all the rows and columns that it can have."""
    book.sheet(body)
    if int(body["length"]) < 1:
        raise Problem(f"length {body['length']} adds nothing; give at least 1")


def _update_lines(book: Book, body: Body) -> None:
    sheet, lines = _parse_lines(book, body["range"])
    new_properties, rows = body["properties"], lines[0].isdigit()
    pixels = new_properties.get("pixelSize")
    if pixels is not None:
        size = {lines: pixels * 0.75} if rows else {lines: max(0.1, round((pixels - 5) / 7, 2))}
        book.lay_out(sheet, Layout(heights=size) if rows else Layout(widths=size))
    if "hiddenByUser" in new_properties:
        book.lay_out(sheet, Layout(hide=(lines,)) if new_properties["hiddenByUser"] else Layout(show=(lines,)))


def _fit_lines(book: Book, body: Body) -> None:
    sheet, lines = _parse_lines(book, body["dimensions"])
    if not lines[0].isdigit():  # rows fit by themselves
        book.lay_out(sheet, Layout(autofit=lines))


def _update_cells(book: Book, body: Body) -> None:
    if "range" in body:
        sheet, area = _parse_area(book, body["range"])
    else:
        start = body["start"]
        row, column = start.get("rowIndex", 0) + 1, start.get("columnIndex", 0) + 1
        sheet, area = book.sheet(start), Area(row, column, row, column)
    _put_cells(book, sheet, Cell(area.top, area.left), body.get("rows", []), body.get("fields", "*"))


def _append_cells(book: Book, body: Body) -> None:
    sheet = book.sheet(body)
    used = engine.inspect_workbook(book.path, sheet).sheets[0].used_range
    last = int(used.rpartition(":")[2].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) if used else 0
    _put_cells(book, sheet, Cell(last + 1, 1), body.get("rows", []), body.get("fields", "*"))


def _put_cells(book: Book, sheet: str, first: Cell, rows: Sequence[Body], fields: str) -> None:
    cells = [[cell or {} for cell in row.get("values", [])] for row in rows]
    width = max((len(row) for row in cells), default=0)
    if not width:
        return
    if _is_asked("userEnteredValue", fields):
        values = [[*map(parse_cell, row), *[None] * (width - len(row))] for row in cells]
        book.write(sheet, Area(first.row, first.column, first.row, first.column), values)
    if _is_asked("userEnteredFormat", fields):
        for down, row in enumerate(cells):
            for right, cell in enumerate(row):
                place = Cell(first.row + down, first.column + right)
                change = change_of(cell.get("userEnteredFormat", {}))
                book.format(sheet, Area(place.row, place.column, place.row, place.column), change)


def _repeat_cell(book: Book, body: Body) -> None:
    sheet, area = _parse_area(book, body["range"])
    cell, fields = body.get("cell", {}), body.get("fields", "*")
    if _is_asked("userEnteredValue", fields) and cell.get("userEnteredValue"):
        book.write(sheet, area, [[parse_cell(cell)]])
        if area.size > 1:
            first = Area(area.top, area.left, area.top, area.left)
            steps = [_make_copy_operation(sheet, first, Area(*spot, *spot)) for spot in list(area.cells())[1:]]
            book.edit(*steps)
    if _is_asked("userEnteredFormat", fields):
        book.format(sheet, area, change_of(cell.get("userEnteredFormat", {})))


def _make_copy_operation(sheet: str, source: Area, target: Area) -> engine.Operation:
    return engine.Operation("copy", sheet, str(source), to=str(target))


def _is_asked(name: str, fields: str) -> bool:
    return fields.strip() in ("*", "") or name in fields


def _merge_cells(book: Book, body: Body) -> None:
    sheet, area = _parse_area(book, body["range"])
    kind = body.get("mergeType", "MERGE_ALL")
    parts = {
        "MERGE_ALL": [area],
        "MERGE_ROWS": [Area(row, area.left, row, area.right) for row in range(area.top, area.bottom + 1)],
        "MERGE_COLUMNS": [Area(area.top, column, area.bottom, column) for column in range(area.left, area.right + 1)],
    }
    book.lay_out(sheet, Layout(merge=tuple(map(str, parts[kind]))))


def _unmerge_cells(book: Book, body: Body) -> None:
    sheet, area = _parse_area(book, body["range"])
    book.lay_out(sheet, Layout(unmerge=(str(area),)))


def _update_borders(book: Book, body: Body) -> None:
    sheet, area = _parse_area(book, body["range"])
    strips = {
        "top": (Area(area.top, area.left, area.top, area.right), "top"),
        "bottom": (Area(area.bottom, area.left, area.bottom, area.right), "bottom"),
        "left": (Area(area.top, area.left, area.bottom, area.left), "left"),
        "right": (Area(area.top, area.right, area.bottom, area.right), "right"),
        "innerHorizontal": (Area(area.top + 1, area.left, area.bottom, area.right), "top"),
        "innerVertical": (Area(area.top, area.left + 1, area.bottom, area.right), "left"),
    }
    for name in BORDERS:
        part, side = strips[name]
        if body.get(name) and part.rows > 0 and part.columns > 0:
            book.format(sheet, part, border_of(body[name], side))


def _sort_range(book: Book, body: Body) -> None:
    sheet, area = _parse_area(book, body["range"])
    specs = [(spec.get("dimensionIndex", 0) + 1, spec.get("sortOrder", "ASCENDING")) for spec in body["sortSpecs"]]
    by = [("-" if order == "DESCENDING" else "") + column_name(column) for column, order in specs]
    book.edit(engine.Operation("sort", sheet, str(area), by=by, header=False))


def _find_replace(book: Book, body: Body) -> dict[str, Any]:
    sheet, place = None, None
    if "range" in body:
        sheet, area = _parse_area(book, body["range"])
        place = str(area)
    elif not body.get("allSheets"):
        sheet = book.sheet(body)
    step = engine.Operation(
        "replace", sheet, place, find=body["find"], replacement=body.get("replacement", ""),
        regex=bool(body.get("searchByRegex")), entire_cell=bool(body.get("matchEntireCell")),
        match_case=bool(body.get("matchCase")),
    )  # fmt: skip
    count = int(book.edit(step).removesuffix(" cells").rpartition(" ")[2])
    return {"findReplace": {"valuesChanged": count, "occurrencesChanged": count}} if count else {"findReplace": {}}


def _paste_range(book: Book, body: Body) -> None:
    how = _PASTES[body.get("pasteType", "PASTE_NORMAL")]
    (sheet, source), (other, target) = (_parse_area(book, body[name]) for name in ("source", "destination"))
    down, across = (
        max(1, size // part) for size, part in ((target.rows, source.rows), (target.columns, source.columns))
    )
    if target.rows == MAX_ROW or target.columns == MAX_COLUMN:
        down = across = 1
    steps = [
        engine.Operation("copy", sheet, str(source), to=str(Cell(row, column)), to_sheet=other, how=how)  # type: ignore[arg-type]
        for row in range(target.top, target.top + down * source.rows, source.rows)
        for column in range(target.left, target.left + across * source.columns, source.columns)
    ]
    book.edit(*steps)


_KINDS: dict[str, Callable[[Book, Body], dict[str, Any] | None]] = {
    "addSheet": _add_sheet,
    "deleteSheet": _delete_sheet,
    "duplicateSheet": _duplicate_sheet,
    "updateSheetProperties": _update_sheet,
    "insertDimension": _insert_lines,
    "deleteDimension": _delete_lines,
    "appendDimension": _append_lines,
    "updateDimensionProperties": _update_lines,
    "autoResizeDimensions": _fit_lines,
    "updateCells": _update_cells,
    "appendCells": _append_cells,
    "repeatCell": _repeat_cell,
    "mergeCells": _merge_cells,
    "unmergeCells": _unmerge_cells,
    "updateBorders": _update_borders,
    "sortRange": _sort_range,
    "findReplace": _find_replace,
    "copyPaste": _paste_range,
}
