"""MCP surface of the spreadsheet server: cells and sheets here, what lies on them in objects.py and looks.py."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import FileRef, tool
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.arguments import (
    Dates,
    InBook,
    Limit,
    Offset,
    OutBook,
    Range,
    Rows,
    Sheet,
    build_result,
    report_written,
)
from yardkit.servers.sheets.engine import results
from yardkit.servers.sheets.objects import mcp
from yardkit.world import InFile, OutFile, Problem, current_world, lock_file


@tool(mcp, bulk=True)
def inspect_workbook(
    path: InBook,
    sheet: Annotated[str | None, Field(description="Only this sheet.")] = None,
    profile: Annotated[
        bool, Field(description="Also profile each column: types, missing and duplicate values, outliers.")
    ] = False,
) -> results.WorkbookSummary:
    """Inspect a workbook: sheets, used ranges, headers, tables, charts, formulas, errors, names."""
    return engine.inspect_workbook(path, sheet, profiled=profile)


@tool(mcp, bulk=True)
def read_cells(
    path: InBook,
    sheet: Sheet = None,
    range: Range = None,  # noqa: A002 - the word of spreadsheets
    show: Annotated[
        Literal["values", "formulas", "details"],
        Field(description="Values; formulas instead; or each cell's type, formula and formats."),
    ] = "values",
    offset: Offset = 0,
    limit: Limit = 200,
) -> results.SheetCells:
    """Read cells row by row with their types; long ranges are paged."""
    return engine.read_cells(path, sheet, range, show=show, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def read_records(
    path: InBook,
    sheet: Sheet = None,
    range: Range = None,  # noqa: A002 - the word of spreadsheets
    offset: Offset = 0,
    limit: Limit = 200,
) -> results.Records:
    """Read rows as records keyed by the header, which is the first row of the range or table."""
    return engine.read_records(path, sheet, range, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def find_cells(
    path: InBook,
    query: Annotated[str, Field(description="Text, pattern, or cell or range to trace.")],
    by: Annotated[
        Literal["text", "whole", "regex", "formula", "format", "precedents", "dependents"],
        Field(
            description="Part of a value, the whole value, pattern (RE2), part of a formula, of a format ('bold', "
            "'fill FFFF00', '0.00%'); cells it reads; cells that read it."
        ),
    ] = "text",
    sheet: Annotated[
        str | None, Field(description="Only this sheet; for precedents, dependents: the sheet of `query`.")
    ] = None,
    match_case: Annotated[bool, Field(description="Match case.")] = False,
    offset: Annotated[int, Field(description="Matches to skip.", ge=0)] = 0,
) -> results.SearchHits:
    """Find cells by value, formula or format, or trace what a formula reads (precedents) or what reads it."""
    return engine.find_cells(path, query, by=by, sheet=sheet, match_case=match_case, offset=offset)


@tool(mcp, bulk=True)
def compare_workbooks(
    path: InBook,
    other: Annotated[InFile, Field(description="Newer workbook.")],
    sheet: Annotated[str | None, Field(description="Only this sheet.")] = None,
    formats: Annotated[bool, Field(description="Also compare formats.")] = False,
    offset: Annotated[int, Field(description="Differences to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="At most this many differences.", ge=1, le=2000)] = 200,
) -> results.Comparison:
    """Compare two workbooks: sheets, names, added and deleted rows and columns, cells that differ otherwise."""
    return engine.compare_workbooks(path, other, sheet, formats=formats, offset=offset, limit=limit)


@tool(mcp, bulk=True, writes=True, destructive=True)
def write_cells(
    path: OutBook,
    rows: Rows,
    start_cell: Annotated[str, Field(description="First cell.")] = "A1",
    sheet: Sheet = None,
    number_format: Annotated[
        str | None, Field(description="For the written cells, such as '0.00', '#,##0 \"EUR\"', '0.0%'.")
    ] = None,
    dates: Dates = True,
    keep_where_null: Annotated[bool, Field(description="Leave cells unchanged where the value is null.")] = False,
) -> results.Written:
    """Write values and formulas; creates the workbook or sheet if missing; keeps formats of existing cells."""
    with lock_file(path, current_world().locks):
        applied = engine.write_cells(
            path,
            sheet,
            start_cell,
            rows,
            now=current_world().now,
            dates=dates,
            number_format=number_format,
            keep_empty=keep_where_null,
        )
    return report_written(path, applied)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def append_rows(path: OutBook, rows: Rows, sheet: Sheet = None, dates: Dates = True) -> results.Written:
    """Add rows below the last used row, or above a totals row; tables grow and formats continue."""
    with lock_file(path, current_world().locks):
        applied = engine.append_rows(path, sheet, rows, now=current_world().now, dates=dates)
    return report_written(path, applied)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def edit_workbook(
    path: InBook,
    edits: Annotated[
        list[engine.Operation],
        Field(
            min_length=1,
            max_length=200,
            description="What each takes: write range (first cell), values; clear range, how (formats, all); "
            "insert_/delete_ rows or columns range (5:7, C:D); move, copy range, to, to_sheet, how (copy: values, "
            "formats); transpose range, to; replace find, replacement, regex, entire_cell, in_formulas; sort range, "
            "by (['Name', '-C']); filter range, by, test, value (deletes other rows); deduplicate range, by; fill "
            "range, how (down, right, series); split range, value (delimiter), to; convert range, how (number_comma: "
            "decimal comma ...); seek_goal range (formula), value, by (cell to change); recalculate.",
        ),
    ],
) -> results.Written:
    """Apply operations in order, all or none; references in formulas, names, tables, rules and charts are adjusted."""
    with lock_file(path, current_world().locks):
        done, saved = engine.edit_workbook(path, edits, now=current_world().now)
    return build_result(path, "; ".join(done), saved)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def change_sheets(
    path: OutBook,
    action: Annotated[
        Literal["add", "rename", "copy", "move", "delete", "hide", "show"],
        Field(description="References to the sheet (formulas, names, charts) are updated; add creates a new workbook."),
    ],
    sheet: Annotated[str | None, Field(description="Sheet to change; not for add.")] = None,
    name: Annotated[str | None, Field(description="New name: add, rename, copy (at most 31 characters).")] = None,
    position: Annotated[int | None, Field(description="Position from 1: add, copy, move.", ge=1)] = None,
) -> results.Written:
    """Add, rename, copy, move, delete, hide or show a sheet."""
    with lock_file(path, current_world().locks):
        done, saved = engine.change_sheets(path, action, sheet, name, position, now=current_world().now)
    return build_result(path, done, saved)


@tool(mcp, bulk=True, writes=True, destructive=True)
def import_data(
    source: Annotated[
        InFile, Field(description=".csv, .tsv, .txt, .json, .jsonl, .parquet, .xls, .ods, .xlsb, .xlsx.")
    ],
    path: OutBook,
    sheet: Sheet = None,
    start_cell: Annotated[str, Field(description="First cell.")] = "A1",
    from_sheet: Annotated[str | None, Field(description="Sheet of a workbook; default: the first.")] = None,
    delimiter: Annotated[str | None, Field(description="CSV; detected by default.", min_length=1, max_length=1)] = None,
    decimal: Annotated[Literal[".", ","], Field(description="Decimal mark of CSV numbers.")] = ".",
    typed: Annotated[bool, Field(description="Convert CSV columns of numbers and ISO dates; false: text.")] = True,
) -> results.Written:
    """Import a data file or a sheet of another workbook into a sheet; creates the workbook or sheet if missing."""
    with lock_file(path, current_world().locks):
        applied = engine.import_data(
            source,
            path,
            sheet,
            start=start_cell,
            from_sheet=from_sheet,
            reading=engine.Reading(delimiter, decimal, typed),
            now=current_world().now,
        )
    return report_written(path, applied)


@tool(mcp, bulk=True, writes=True, destructive=True)
def export_data(
    path: InBook,
    target: Annotated[
        OutFile,
        Field(
            description="By its extension: .csv, .tsv, .json, .jsonl, .parquet, .ods, .xls, .pdf; .xlsx (from .xls, "
            ".ods)."
        ),
    ],
    sheet: Sheet = None,
    range: Range = None,  # noqa: A002 - the word of spreadsheets
    delimiter: Annotated[str | None, Field(min_length=1, max_length=1, description="CSV; default: a comma.")] = None,
) -> results.Exported:
    """Export values of a sheet or range as a data file, dates in ISO 8601; or the entire workbook as ODS, XLS, PDF."""
    if target == path:
        raise Problem(f"the target {path.name!r} is the workbook itself; choose another file")
    rows, columns, note = engine.export_data(path, sheet, range, target, delimiter=delimiter)
    return results.Exported(FileRef.from_path(target), rows, columns, note)
