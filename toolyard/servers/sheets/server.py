"""MCP surface of the spreadsheet server: cells and sheets here, what lies on them in objects.py."""

from typing import Annotated, Literal

from pydantic import Field

from toolyard.servers.sheets import engine
from toolyard.servers.sheets.arguments import (
    Dates,
    InBook,
    Limit,
    Offset,
    OldSheet,
    OutBook,
    Range,
    Rows,
    Sheet,
    SheetName,
    result,
    written,
)
from toolyard.servers.sheets.engine import results
from toolyard.servers.sheets.objects import mcp
from toolyard.servers.surface import FileRef, tool
from toolyard.world import InFile, OutFile, Problem, current_world, locked


@tool(mcp)
def inspect_workbook(path: InBook) -> results.WorkbookSummary:
    """Show what a workbook holds: sheets with used ranges, headers, tables, charts, formulas, errors, names."""
    return engine.inspect(path)


@tool(mcp)
def read_cells(
    path: InBook,
    sheet: Sheet = None,
    range: Range = None,  # noqa: A002 - the word of spreadsheets
    show: Annotated[
        Literal["values", "formulas", "details"],
        Field(description="values; formulas in place of their values; or each cell with type, formula and format."),
    ] = "values",
    offset: Offset = 0,
    limit: Limit = 200,
) -> results.SheetCells:
    """Read cells, row by row, with their types; long ranges in pages."""
    return engine.read_cells(path, sheet, range, show=show, offset=offset, limit=limit)


@tool(mcp)
def read_records(
    path: InBook,
    sheet: Sheet = None,
    range: Range = None,  # noqa: A002 - the word of spreadsheets
    offset: Offset = 0,
    limit: Limit = 200,
) -> results.Records:
    """Read rows as records keyed by the header, which is the first row of the range or table."""
    return engine.read_records(path, sheet, range, offset=offset, limit=limit)


@tool(mcp, writes=True, destructive=True)
def write_cells(
    path: OutBook,
    rows: Rows,
    start_cell: Annotated[str, Field(description="Where the first value goes.")] = "A1",
    sheet: Sheet = None,
    number_format: Annotated[
        str | None, Field(description="Number format for the written cells, such as '0.00', '#,##0 \"EUR\"', '0.0%'.")
    ] = None,
    dates: Dates = True,
    keep_where_null: Annotated[bool, Field(description="Leave cells as they are where the value is null.")] = False,
) -> results.Written:
    """Write values and formulas; makes the workbook or the sheet when missing; formats of existing cells stay."""
    with locked(path, current_world().locks):
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
    return written(path, applied)


@tool(mcp, writes=True, idempotent=False)
def append_rows(path: OutBook, rows: Rows, sheet: Sheet = None, dates: Dates = True) -> results.Written:
    """Add rows below the last used row with the formats of the row above; a table that ends there grows."""
    with locked(path, current_world().locks):
        applied = engine.append_rows(path, sheet, rows, now=current_world().now, dates=dates)
    return written(path, applied)


@tool(mcp, writes=True)
def recalculate_workbook(path: InBook) -> results.Written:
    """Compute all formulas anew and store their values in the file."""
    with locked(path, current_world().locks):
        saved = engine.recalculate(path, now=current_world().now)
    return result(path, f"Recalculated {len(saved.values)} formulas", saved)


@tool(mcp, writes=True)
def format_cells(
    path: InBook,
    range: Annotated[str, Field(description="Such as A1:C10, B:D or 1:1.")],  # noqa: A002 - the word of spreadsheets
    sheet: Sheet = None,
    number_format: Annotated[str | None, Field(description="Such as '0.00', '#,##0', '0.0%', 'yyyy-mm-dd'.")] = None,
    bold: Annotated[bool | None, Field(description="Bold or not.")] = None,
    italic: Annotated[bool | None, Field(description="Italic or not.")] = None,
    font_size: Annotated[float | None, Field(description="In points.", ge=1, le=409)] = None,
    font_color: Annotated[str | None, Field(description="RRGGBB.")] = None,
    fill_color: Annotated[str | None, Field(description="RRGGBB, or none.")] = None,
    align: Annotated[Literal["left", "center", "right", "general"] | None, Field(description="Horizontal.")] = None,
    vertical: Annotated[Literal["top", "center", "bottom"] | None, Field(description="Vertical.")] = None,
    wrap: Annotated[bool | None, Field(description="Break long text into lines.")] = None,
    border: Annotated[
        Literal["thin", "medium", "thick", "double", "none"] | None, Field(description="All four sides of each cell.")
    ] = None,
) -> results.Written:
    """Change the look of cells; what is not given stays as it is."""
    fonts = {"font_color": engine.color(font_color), "fill_color": engine.color(fill_color)}
    change = engine.Change(
        number_format=number_format,
        bold=bold,
        italic=italic,
        font_size=font_size,
        horizontal=align,
        vertical=vertical,
        wrap=wrap,
        border=border,
        **fonts,
    )
    with locked(path, current_world().locks):
        name, area, saved = engine.format_cells(path, sheet, range, change, now=current_world().now)
    return result(path, f"Formatted {name}!{area}", saved)


@tool(mcp, writes=True)
def set_sheet_layout(
    path: InBook,
    sheet: Sheet = None,
    freeze_at: Annotated[
        str | None, Field(description="First cell that scrolls: A2 freezes row 1, B2 also column A, A1 thaws.")
    ] = None,
    column_widths: Annotated[
        dict[str, float] | None, Field(description='Widths in characters by column: {"A": 30, "C:E": 12}.')
    ] = None,
) -> results.Written:
    """Freeze panes and set widths of columns."""
    with locked(path, current_world().locks):
        saved = engine.set_layout(path, sheet, freeze_at=freeze_at, widths=column_widths or {}, now=current_world().now)
    return result(path, "Layout set", saved)


@tool(mcp, writes=True, idempotent=False)
def add_sheet(path: OutBook, name: SheetName) -> results.Written:
    """Add an empty sheet at the end; makes the workbook when missing."""
    with locked(path, current_world().locks):
        saved = engine.add_sheet(path, name, now=current_world().now)
    return result(path, f"Added the sheet {name!r}", saved)


@tool(mcp, writes=True, idempotent=False)
def rename_sheet(path: InBook, sheet: OldSheet, name: SheetName) -> results.Written:
    """Rename a sheet; formulas, names and charts that refer to it follow."""
    with locked(path, current_world().locks):
        saved = engine.rename_sheet(path, sheet, name, now=current_world().now)
    return result(path, f"Renamed {sheet!r} to {name!r}", saved)


@tool(mcp, writes=True, idempotent=False)
def copy_sheet(path: InBook, sheet: OldSheet, name: SheetName) -> results.Written:
    """Copy the cells, formats and rules of a sheet to a new one; charts, pictures and tables are not copied."""
    with locked(path, current_world().locks):
        saved, left_out = engine.copy_sheet(path, sheet, name, now=current_world().now)
    without = f" without its {', '.join(left_out)}" if left_out else ""
    return result(path, f"Copied {sheet!r} to {name!r}{without}", saved)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_sheet(path: InBook, sheet: OldSheet) -> results.Written:
    """Delete a sheet with all that is on it; formulas that referred to it say #REF!."""
    with locked(path, current_world().locks):
        saved = engine.delete_sheet(path, sheet, now=current_world().now)
    return result(path, f"Deleted the sheet {sheet!r}", saved)


@tool(mcp, writes=True, destructive=True)
def import_csv(
    csv_path: Annotated[InFile, Field(description="CSV file, relative to the workspace.")],
    path: OutBook,
    sheet: Sheet = None,
    start_cell: Annotated[str, Field(description="Where the first field goes.")] = "A1",
    delimiter: Annotated[str | None, Field(description="By default found.", min_length=1, max_length=1)] = None,
    typed: Annotated[
        bool, Field(description="Columns of numbers and of ISO dates get that type; false: all text.")
    ] = True,
) -> results.Written:
    """Write a CSV file into a sheet; makes the workbook or the sheet when missing."""
    with locked(path, current_world().locks):
        applied = engine.import_csv(
            csv_path, path, sheet, start=start_cell, delimiter=delimiter, typed=typed, now=current_world().now
        )
    return written(path, applied)


@tool(mcp, writes=True, destructive=True)
def export_csv(
    path: InBook,
    csv_path: Annotated[OutFile, Field(description="CSV file to write, relative to the workspace.")],
    sheet: Sheet = None,
    range: Range = None,  # noqa: A002 - the word of spreadsheets
    delimiter: Annotated[str, Field(min_length=1, max_length=1, description="Between fields.")] = ",",
) -> results.Exported:
    """Write the values of a sheet or range as a UTF-8 CSV file; dates in ISO 8601."""
    if csv_path == path:
        raise Problem(f"csv_path {path.name!r} is the workbook itself; name another file")
    rows, columns = engine.export_csv(path, sheet, range, csv_path, delimiter=delimiter)
    return results.Exported(FileRef.of(csv_path), rows, columns)
