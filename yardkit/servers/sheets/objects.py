"""Tools for what lies on sheets: charts, pivot tables, tables, names, notes, links, pictures, protection."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import tool
from yardkit.servers.sheets.arguments import InBook, Sheet
from yardkit.servers.sheets.engine.contents import object_list
from yardkit.servers.sheets.engine.graphics import chart_spec, charts, pictures, sparklines
from yardkit.servers.sheets.engine.layout.sheet_layout import normalize_color as checked_color
from yardkit.servers.sheets.engine.objects import annotations, defined_names, protection, table_changes
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.pivots import pivot_spec, pivot_tables
from yardkit.servers.sheets.engine.results import Changed
from yardkit.servers.sheets.looks import Color, report_change
from yardkit.servers.sheets.looks import mcp as mcp
from yardkit.world import InFile, Problem, current_world, lock_file
from yardkit.world.wording import format_count

Action = Annotated[Literal["add", "change", "delete"], Field(description="Action.")]
Pixels = Annotated[int | None, Field(description="Pixels.")]
Title = Annotated[str | None, Field(description="Empty: none.")]
Where = Annotated[str | None, Field(description="First cell (E2) or range (E2:L18).")]


@tool(mcp, bulk=True)
def read_objects(
    path: InBook,
    sheet: Annotated[str | None, Field(description="Only this sheet.")] = None,
    kinds: Annotated[list[object_list.Kind], Field(description="Default: all except print, layout.")] = [],  # noqa: B006
) -> object_list.Objects:
    """Read charts, pivots, rules, comments, pictures ... with all their properties."""
    return object_list.read_objects(path, sheet, list(kinds))


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def set_chart(
    path: InBook,
    action: Action = "add",
    sheet: Sheet = None,
    chart: Annotated[str | None, Field(description="Chart to change or delete.")] = None,
    type: Annotated[chart_spec.ChartType | None, Field(description="Default: column.")] = None,  # noqa: A002
    data: Annotated[
        str | None,
        Field(description="Block (Data!A1:C9): names in its first row, categories or x in its first column."),
    ] = None,
    series: Annotated[
        list[chart_spec.Series] | None,
        Field(
            description="Instead of data: ranges; name: text or '=B1'; categories: labels or x; type: to combine two."
        ),
    ] = None,
    title: Title = None,
    x_title: Annotated[str | None, Field(description="Title of the x axis.")] = None,
    y_title: Title = None,
    y2_title: Annotated[str | None, Field(description="Title of the second axis.")] = None,
    legend: Annotated[chart_spec.Legend | None, Field(description="Position.")] = None,
    data_labels: Annotated[chart_spec.Labels | None, Field(description="Label per point.")] = None,
    at: Where = None,
) -> Changed:
    """Add, change or delete a chart; a change leaves what is not given."""
    chart_change = charts.ChartChange(type, data, series, title, x_title, y_title, y2_title, legend, data_labels, at)
    with lock_file(path, current_world().locks):
        if action == "add":
            return report_change(path, "Added a chart", charts.add_chart(path, sheet, chart_change))
        if action == "delete":
            return report_change(path, f"Deleted {charts.delete_chart(path, sheet, chart)}")
        return report_change(path, "Changed the chart", charts.change_chart(path, sheet, chart, chart_change))


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def set_pivot(
    path: InBook,
    action: Annotated[Literal["add", "refresh", "delete"], Field(description="Action.")] = "add",
    pivot: Annotated[str | None, Field(description="Name.")] = None,
    data: Annotated[str | None, Field(description="Range with header (Data!A1:F99) or table.")] = None,
    sheet: Annotated[str | None, Field(description="Created if missing.")] = None,
    at: Annotated[str, Field(description="First cell.")] = "A3",
    rows: Annotated[list[str], Field(description="Fields.")] = [],  # noqa: B006
    columns: Annotated[list[str], Field(description="Fields.")] = [],  # noqa: B006
    values: Annotated[list[pivot_spec.PivotValue], Field(description="Aggregated fields.")] = [],  # noqa: B006
    filters: Annotated[dict[str, list[str]], Field(description="Field: items to include ([]: all).")] = {},  # noqa: B006
) -> Changed:
    """Add a pivot table with its values, refresh it from its source, or delete it."""
    with lock_file(path, current_world().locks):
        now = current_world().now
        if action == "refresh":
            return report_change(path, "Refreshed", pivot_tables.refresh_pivot(path, pivot, now=now))
        if action == "delete":
            return report_change(path, f"Deleted {pivot_tables.delete_pivot(path, pivot, now=now)}")
        if data is None:
            raise Problem("add needs data, such as Data!A1:F99")
        pivot_settings = pivot_spec.PivotSpec(pivot or "", rows, columns, values, filters)
        return report_change(path, "Added", pivot_tables.add_pivot(path, data, sheet, at, pivot_settings, now=now))


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def set_table(
    path: InBook,
    action: Action = "add",
    table: Annotated[str | None, Field(description="Table to change or delete.")] = None,
    sheet: Sheet = None,
    range: Annotated[str | None, Field(description="With header; a change resizes.")] = None,  # noqa: A002
    name: Annotated[str | None, Field(description="New name.")] = None,
    style: Annotated[str | None, Field(description="TableStyleMedium2 ..., or none.")] = None,
    totals: Annotated[
        dict[str, table_changes.Total] | None, Field(description='{"Sales": "sum"}; {} removes them.')
    ] = None,
) -> Changed:
    """Make cells a table, change it, or turn it back into plain cells."""
    table_change = table_changes.TableChange(name, range, style, None, dict(totals) if totals is not None else None)
    with lock_file(path, current_world().locks):
        now = current_world().now
        if action == "add":
            if range is None:
                raise Problem("add needs a range, such as A1:D20")
            existing_table, _ = table_changes.add_table(path, sheet, range, table_change, now=now)
            return report_change(path, "Made a table", object_list.table_info(existing_table, Workbook.open(path)))
        if table is None:
            raise Problem(f"{action} needs the name of the table")
        if action == "delete":
            existing_table = table_changes.delete_table(path, table)
            return report_change(
                path, f"{existing_table.name} at {existing_table.sheet}!{existing_table.area} is plain cells now"
            )
        existing_table, _ = table_changes.change_table(path, table, table_change, now=now)
        return report_change(path, "Changed the table", object_list.table_info(existing_table, Workbook.open(path)))


@tool(mcp, writes=True, destructive=True, bulk=True)
def set_name(
    path: InBook,
    name: Annotated[str, Field(description="Defined name.")],
    refers_to: Annotated[str | None, Field(description="Range, value, or '=formula'; null deletes.")],
    scope: Annotated[str | None, Field(description="Scope; default: the workbook.")] = None,
) -> Changed:
    """Define, change or delete a name; formulas that use it are recalculated."""
    with lock_file(path, current_world().locks):
        now = current_world().now
        if refers_to is None:
            old, saved = defined_names.delete_name(path, name, scope, now=now)
            done = f"Deleted the name {old.name}, which was {old.formula}"
        else:
            defined_name, saved = defined_names.set_name(path, name, refers_to, scope, now=now)
            done = f"{defined_name.name} = {defined_name.formula}"
        renewed = f"; {format_count(saved.renewed, 'formula value')} renewed" if saved.renewed else ""
        named = ", ".join(f"{sheet}!{cell}" for sheet, cell in saved.broken)
        return report_change(path, f"{done}{renewed}" + (f"; now an error: {named}" if named else ""))


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def annotate_cells(
    path: InBook,
    edits: Annotated[
        list[annotations.Annotation],
        Field(
            description="Applied all or none. A second comment is a reply; link target: https:, mailto:, #Sheet!A1.",
            min_length=1,
        ),
    ],
    sheet: Sheet = None,
    author: Annotated[str, Field(description="Author.")] = "Author",
) -> Changed:
    """Write, resolve and delete notes, threaded comments and hyperlinks of cells."""
    with lock_file(path, current_world().locks):
        changed_annotations = annotations.annotate_cells(path, sheet, edits, author, now=current_world().now)
    return report_change(path, f"{format_count(len(edits), 'change')} made", *changed_annotations)


@tool(mcp, writes=True, destructive=True, bulk=True)
def set_sparklines(
    path: InBook,
    at: Annotated[str, Field(description="Cells, one sparkline each.")],
    data: Annotated[str | None, Field(description="One row (or column) per cell; null deletes.")],
    sheet: Sheet = None,
    type: Annotated[Literal["line", "column", "win_loss"], Field(description="Kind.")] = "line",  # noqa: A002
    color: Color = None,
) -> Changed:
    """Add sparklines to cells, or delete them."""
    with lock_file(path, current_world().locks):
        if data is None:
            return report_change(
                path, f"Deleted {format_count(sparklines.delete_sparklines(path, sheet, at), 'sparkline')}"
            )
        shade = checked_color(color)
        new_sparklines = sparklines.add_sparklines(path, sheet, at, data, type, shade, markers=False)
        return report_change(path, f"Added {format_count(len(new_sparklines), 'sparkline')}", *new_sparklines[:20])


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def place_image(
    path: InBook,
    action: Action = "add",
    sheet: Sheet = None,
    image: Annotated[InFile | None, Field(description="Picture file.")] = None,
    name: Annotated[str | None, Field(description="Picture to change or delete.")] = None,
    at: Where = None,
    width_px: Pixels = None,
    height_px: Pixels = None,
    alt_text: Annotated[str | None, Field(description="Alt text.")] = None,
) -> Changed:
    """Add, replace, move, resize or delete a picture; width or height alone keeps its proportions."""
    with lock_file(path, current_world().locks):
        if action == "delete":
            return report_change(path, f"Deleted {pictures.delete_image(path, sheet, name)}")
        if action == "change":
            changed_image = pictures.change_image(
                path, sheet, name, image, at=at, width=width_px, height=height_px, alt_text=alt_text
            )
            return report_change(path, "Changed the picture", changed_image)
        if image is None:
            raise Problem("add needs image, a picture file of the workspace")
        changed_image = pictures.place_image(
            path, sheet, image, at or "A1", width=width_px, height=height_px, alt_text=alt_text or ""
        )
        return report_change(path, "Placed a picture", changed_image)


@tool(mcp, writes=True, destructive=True, bulk=True)
def protect_workbook(
    path: InBook,
    action: Annotated[
        Literal["protect_sheet", "unprotect_sheet", "protect_structure", "unprotect_structure"],
        Field(description="Structure: the list of sheets."),
    ],
    sheet: Sheet = None,
    password: Annotated[str | None, Field(description="New or current password.")] = None,
    unlocked: Annotated[list[str], Field(description="Ranges left open for input.")] = [],  # noqa: B006
    allow: Annotated[list[protection.Allow], Field(description="What users may still do.")] = [],  # noqa: B006
) -> Changed:
    """Protect a sheet or the list of sheets, or remove that."""
    world = current_world()
    salt = world.make_rng().randbytes(16)
    with lock_file(path, world.locks):
        if action == "protect_sheet":
            sheet_protection = protection.protect_sheet(
                path, sheet, password, list(allow), unlocked, salt, now=world.now
            )
        elif action == "unprotect_sheet":
            sheet_protection = protection.unprotect_sheet(path, sheet, password)
        elif action == "protect_structure":
            sheet_protection = protection.protect_structure(path, password, salt)
        else:
            sheet_protection = protection.unprotect_structure(path, password)
    return report_change(
        path, str(sheet_protection).capitalize() if not sheet_protection.sheet else str(sheet_protection)
    )
