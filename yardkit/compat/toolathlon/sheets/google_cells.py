"""Values and formulas of spreadsheets on the drive: google_sheet's tools of cells."""

from typing import Any

from yardkit.compat.toolathlon.sheets.google_books import (
    book_of,
    edit_spreadsheet,
    format_answer,
    make_failure,
    properties_of,
    sheet_numbers,
    title_of,
)
from yardkit.compat.toolathlon.sheets.google_values import cell_data, cells_of, interpret_typed, rows_of
from yardkit.kit.dialect import Text
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of, column_name
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import Problem, current_world

MAX_RESULTS = 1000


def get_sheet_data(spreadsheet_id: str, sheet: str, range: str | None = None, include_grid_data: bool = False) -> str:
    path, full = book_of(spreadsheet_id), f"{sheet}!{range}" if range else sheet
    if sheet not in sheet_numbers(path):
        raise _make_range_problem(full)
    if include_grid_data:
        return format_answer(_grid_data(spreadsheet_id, sheet, range)).text
    sheet_data = {"range": full, "values": rows_of(path, sheet, range)}
    return format_answer({"spreadsheetId": spreadsheet_id, "valueRanges": [sheet_data]}).text


def get_sheet_formulas(spreadsheet_id: str, sheet: str, range: str | None = None) -> str:
    path = book_of(spreadsheet_id)
    if sheet not in sheet_numbers(path):
        raise _make_range_problem(f"{sheet}!{range}" if range else sheet)
    return format_answer(rows_of(path, sheet, range, formulas=True)).text


def update_cells(spreadsheet_id: str, sheet: str, range: str, data: list[list[Scalar]]) -> Text:
    return format_answer(_update_ranges(spreadsheet_id, sheet, {range: data})[0])


def batch_update_cells(spreadsheet_id: str, sheet: str, ranges: dict[str, list[list[Scalar]]]) -> Text:
    done = _update_ranges(spreadsheet_id, sheet, ranges)
    totals = {f"totalU{name[1:]}": sum(update[name] for update in done) for name in _COUNTS}
    return format_answer(
        {"spreadsheetId": spreadsheet_id, **totals, "totalUpdatedSheets": int(bool(done)), "responses": done}
    )


def get_multiple_sheet_data(queries: list[dict[str, str]]) -> str:
    return format_answer([{**query, **_answer_query(query)} for query in queries]).text


def get_multiple_spreadsheet_summary(spreadsheet_ids: list[str], rows_to_fetch: int = 5) -> str:
    return format_answer(
        [_summarize_spreadsheet(spreadsheet_id, rows_to_fetch) for spreadsheet_id in spreadsheet_ids]
    ).text


def find_in_spreadsheet(
    spreadsheet_id: str, query: str, sheet: str | None = None, case_sensitive: bool = False, max_results: int = 50
) -> Text:
    path = book_of(spreadsheet_id)
    if sheet is not None and sheet not in sheet_numbers(path):
        raise make_failure(f"Sheet '{sheet}' not found")
    search_text = query if case_sensitive else query.lower()
    hits: list[dict[str, str]] = []
    for name in [sheet] if sheet else list(sheet_numbers(path)):
        for number, row in enumerate(rows_of(path, name, None), 1):
            for column, value in enumerate(row, 1):
                if search_text in (value if case_sensitive else value.lower()):
                    hits.append({"sheet": name, "cell": f"{column_name(column)}{number}", "value": value})
    return format_answer(hits[:max_results])


_COUNTS = ("updatedRows", "updatedColumns", "updatedCells")


def _make_range_problem(full: str) -> Problem:
    return Problem(f"Unable to parse range: {full}; use list_sheets to see the sheets")


def _update_ranges(spreadsheet_id: str, sheet: str, ranges: dict[str, list[list[Scalar]]]) -> list[dict[str, Any]]:
    done = []
    with edit_spreadsheet(spreadsheet_id) as copy:
        if sheet not in sheet_numbers(copy):
            raise _make_range_problem(f"{sheet}!{next(iter(ranges), '')}")
        for place, data in ranges.items():
            first = _first_cell(sheet, place, data)
            width = max((len(row) for row in data), default=0)
            if width:
                rows = [[*map(interpret_typed, row), *[None] * (width - len(row))] for row in data]
                engine.write_cells(copy, sheet, str(first), rows, now=current_world().now, keep_empty=True)
            written = Area(first.row, first.column, first.row + len(data) - 1, first.column + width - 1)
            counts = (len(data), width, sum(value is not None for row in data for value in row))
            facts = {"spreadsheetId": spreadsheet_id, "updatedRange": f"{sheet}!{written if width else first}"}
            done.append({**facts, **dict(zip(_COUNTS, counts, strict=True))})
    return done


def _first_cell(sheet: str, place: str, data: list[list[Scalar]]) -> Cell:
    """The first cell of a range, into which the data fit."""
    area = area_of(place)
    width = max((len(row) for row in data), default=0)
    if ":" in place and (len(data) > area.rows or width > area.columns):
        over = f"row [{area.bottom + 1}]" if len(data) > area.rows else f"column [{column_name(area.right + 1)}]"
        raise Problem(f"Requested writing within range [{sheet}!{place}], but tried writing to {over}")
    return Cell(area.top, area.left)


def _answer_query(query: dict[str, str]) -> dict[str, Any]:
    if not all(query.get(name) for name in ("spreadsheet_id", "sheet", "range")):
        return {"error": "Missing required keys (spreadsheet_id, sheet, range)"}
    try:
        path, sheet = book_of(query["spreadsheet_id"]), query["sheet"]
        if sheet not in sheet_numbers(path):
            raise _make_range_problem(f"{sheet}!{query['range']}")
        return {"data": rows_of(path, sheet, query["range"])}
    except Problem as problem:
        return {"error": str(problem)}


def _summarize_spreadsheet(spreadsheet_id: str, rows: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"spreadsheet_id": spreadsheet_id, "title": None, "sheets": [], "error": None}
    try:
        path, facts["title"] = book_of(spreadsheet_id), title_of(spreadsheet_id)
        for name, number in sheet_numbers(path).items():
            header, *rest = rows_of(path, name, f"1:{rows}") or [[]]
            sheet_facts = {"title": name, "sheet_id": number, "headers": header, "first_rows": rest, "error": None}
            facts["sheets"].append(sheet_facts)
    except Problem as problem:
        facts["error"] = f"Error fetching spreadsheet {spreadsheet_id}: {problem}"
    return facts


def _grid_data(spreadsheet_id: str, sheet: str, place: str | None) -> dict[str, Any]:
    path = book_of(spreadsheet_id)
    grid, area, contents = cells_of(path, sheet, place)
    formats = CellFormats(grid.book)
    data: list[dict[str, Any]] = [{}]
    if area is not None:
        rows = [
            {"values": [cell_data(grid, formats, contents[cell]) if cell in contents else {} for cell in row.cells()]}
            for row in (Area(number, area.left, number, area.right) for number in range(area.top, area.bottom + 1))
        ]
        data = [{"startRow": area.top - 1, "startColumn": area.left - 1, "rowData": rows}]
    grid_facts = {"properties": properties_of(path, sheet), "data": data}
    return {"spreadsheetId": spreadsheet_id, "properties": {"title": title_of(spreadsheet_id)}, "sheets": [grid_facts]}
