"""Tools for how sheets look, what they accept and how they print."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import FileRef, tool
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.app import mcp as mcp
from yardkit.servers.sheets.arguments import InBook, Sheet
from yardkit.servers.sheets.engine.layout.sheet_layout import OUTLINE, Layout
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.servers.sheets.engine.objects import conditional_formats, print_setup, validations
from yardkit.servers.sheets.engine.results import Changed
from yardkit.world import current_world, lock_file
from yardkit.world.wording import format_count

Cells = Annotated[str, Field(description="A1:C10, B:D, 1:1, or several: A1:A9 C1:C9.")]
Color = Annotated[str | None, Field(description="RRGGBB.")]
Bold = Annotated[bool | None, Field(description="Bold.")]
Italic = Annotated[bool | None, Field(description="Italic.")]
Spans = Annotated[list[str], Field(description="Such as 2:5 or B:D.")]
Side = Literal["left", "right", "top", "bottom", "outline"]


@tool(mcp, writes=True, bulk=True)
def format_cells(
    path: InBook,
    range: Cells,  # noqa: A002 - the word of spreadsheets
    sheet: Sheet = None,
    number_format: Annotated[str | None, Field(description="'#,##0.00', '0.0%', 'yyyy-mm-dd' ...")] = None,
    style: Annotated[str | None, Field(description="Cell style: Good, Heading 1, Total ..., or the file's.")] = None,
    bold: Bold = None,
    italic: Italic = None,
    underline: Annotated[Literal["single", "double", "none"] | None, Field(description="Underline.")] = None,
    strike: Annotated[bool | None, Field(description="Strikethrough.")] = None,
    font: Annotated[str | None, Field(description="Font name.")] = None,
    size_pt: Annotated[float | None, Field(description="Size in points.")] = None,
    font_color: Color = None,
    fill_color: Annotated[str | None, Field(description="RRGGBB or none.")] = None,
    align: Annotated[
        Literal["left", "center", "right", "justify", "fill", "general"] | None, Field(description="Horizontal.")
    ] = None,
    vertical: Annotated[Literal["top", "center", "bottom"] | None, Field(description="Vertical.")] = None,
    wrap: Annotated[bool | None, Field(description="Wrap text.")] = None,
    indent: Annotated[int | None, Field(description="Indent level.")] = None,
    rotation: Annotated[int | None, Field(description="Degrees.")] = None,
    border: Annotated[
        Literal["thin", "medium", "thick", "double", "dashed", "dotted", "hair", "none"] | None,
        Field(description="Line style."),
    ] = None,
    border_sides: Annotated[list[Side], Field(description="Default: all sides of each cell.")] = [],  # noqa: B006
    border_color: Color = None,
) -> Changed:
    """Format cells; settings that are not given stay as they are."""
    change = engine.Change(
        number_format=number_format, style=style, bold=bold, italic=italic, underline=underline, strike=strike,
        font_name=font, font_size=size_pt, font_color=engine.normalize_color(font_color),
        fill_color=engine.normalize_color(fill_color), horizontal=align, vertical=vertical, wrap=wrap, indent=indent,
        rotation=rotation, border=border, border_color=engine.normalize_color(border_color),
        sides=_choose_sides(list(border_sides)),
    )  # fmt: skip
    with lock_file(path, current_world().locks):
        name, area, _ = engine.format_cells(path, sheet, range, change, now=current_world().now)
    return report_change(path, f"Formatted {name}!{area if ' ' not in range else range}")


@tool(mcp, writes=True, bulk=True)
def set_sheet_layout(
    path: InBook,
    sheet: Sheet = None,
    freeze_at: Annotated[
        str | None, Field(description="First unfrozen cell (B2 freezes row 1 and column A); A1 unfreezes.")
    ] = None,
    column_widths: Annotated[dict[str, float], Field(description='In characters: {"A": 30, "C:E": 12}.')] = {},  # noqa: B006
    row_heights: Annotated[dict[str, float], Field(description='In points: {"1": 30, "3:9": 18}.')] = {},  # noqa: B006
    autofit: Annotated[str | None, Field(description="Columns to autofit: A:D, or all.")] = None,
    hide: Spans = [],  # noqa: B006
    unhide: Spans = [],  # noqa: B006
    group: Spans = [],  # noqa: B006
    ungroup: Spans = [],  # noqa: B006
    collapse: Annotated[bool, Field(description="Collapse the groups.")] = False,
    merge: Annotated[list[str], Field(description="Ranges with values only top left.")] = [],  # noqa: B006
    unmerge: Annotated[list[str], Field(description="Ranges.")] = [],  # noqa: B006
    gridlines: Annotated[bool | None, Field(description="Show.")] = None,
    zoom: Annotated[int | None, Field(description="Percent.")] = None,
    tab_color: Annotated[str | None, Field(description="RRGGBB or none.")] = None,
    right_to_left: Annotated[bool | None, Field(description="Sheet direction.")] = None,
) -> Changed:
    """Set frozen panes, sizes, hidden, grouped and merged cells, and the view of a sheet."""
    layout = Layout(
        freeze_at=freeze_at, widths=column_widths, heights=row_heights, autofit=autofit, hide=tuple(hide),
        show=tuple(unhide), group=tuple(group), ungroup=tuple(ungroup), collapse=collapse, merge=tuple(merge),
        unmerge=tuple(unmerge), gridlines=gridlines, zoom=zoom, tab_color=engine.normalize_color(tab_color),
        right_to_left=right_to_left,
    )  # fmt: skip
    with lock_file(path, current_world().locks):
        engine.set_layout(path, sheet, layout, now=current_world().now)
    return report_change(path, "Layout set")


@tool(mcp, writes=True, destructive=True, idempotent=False, bulk=True)
def set_conditional_format(
    path: InBook,
    range: Annotated[str, Field(description="Formulas are relative to its first cell.")],  # noqa: A002
    rule: Annotated[conditional_formats.Kind, Field(description="Kind.")],
    sheet: Sheet = None,
    operator: Annotated[
        str,
        Field(
            description="cell: = <> > >= < <= between; text: containing, 'begins with', 'ends with'; date: today, "
            "'last 7 days', 'this month' ...; average: above, below; 'not between', 'not containing'."
        ),
    ] = "",
    value: Annotated[Scalar, Field(description="Number, text, ISO date, '=formula'; rank for top, bottom.")] = None,
    value2: Annotated[Scalar, Field(description="Upper bound of between.")] = None,
    percent: Annotated[bool, Field(description="Rank in percent.")] = False,
    fill_color: Color = None,
    font_color: Color = None,
    bold: Bold = None,
    colors: Annotated[list[str], Field(description="color_scale: lowest first, 2 or 3; data_bar: 1.")] = [],  # noqa: B006
    icons: Annotated[str, Field(description="Or 3_arrows, 3_flags, 4_ratings, 5_arrows ...")] = "3_traffic_lights",
) -> Changed:
    """Add a conditional format with the lowest priority, or delete those of the range."""
    with lock_file(path, current_world().locks):
        if rule == "delete":
            count = conditional_formats.delete_rules(path, sheet, range)
            return report_change(path, f"Took {format_count(count, 'conditional format')} out of {range}")
        look = conditional_formats.Look(engine.normalize_color(fill_color), engine.normalize_color(font_color), bold)
        shades = tuple(engine.normalize_color(color) or "" for color in colors)
        format_rule = conditional_formats.Rule(rule, operator, value, value2, look, shades, icons, percent=percent)
        return report_change(
            path, "Added a conditional format", conditional_formats.add_rule(path, sheet, range, format_rule)
        )


@tool(mcp, writes=True, destructive=True, bulk=True)
def set_validation(
    path: InBook,
    range: Cells,  # noqa: A002 - the word of spreadsheets
    allow: Annotated[validations.Allow, Field(description="Kind.")],
    sheet: Sheet = None,
    items: Annotated[list[str], Field(description="List items, or one range: ['=Lists!A1:A9'].")] = [],  # noqa: B006
    operator: Annotated[validations.Operator, Field(description="Comparison.")] = "between",
    value: Annotated[Scalar, Field(description="Number, ISO date or time, '=formula'.")] = None,
    value2: Annotated[Scalar, Field(description="Upper bound of between.")] = None,
    prompt: Annotated[str, Field(description="Shown when a cell is selected.")] = "",
    error: Annotated[str, Field(description="Shown when a value is invalid.")] = "",
    error_style: Annotated[Literal["stop", "warning", "information"], Field(description="stop rejects it.")] = "stop",
) -> Changed:
    """Set what cells accept (validation); anything removes it."""
    with lock_file(path, current_world().locks):
        if allow == "anything":
            count = validations.delete_validation(path, sheet, range)
            return report_change(path, f"Took {format_count(count, 'validation')} out of {range}")
        validation_rule = validations.Accepts(
            allow, tuple(items), operator, value, value2, prompt=prompt, error=error, error_style=error_style
        )
        return report_change(path, "Validation set", validations.set_validation(path, sheet, range, validation_rule))


@tool(mcp, writes=True, bulk=True)
def set_print(
    path: InBook,
    sheet: Sheet = None,
    orientation: Annotated[Literal["portrait", "landscape"] | None, Field(description="Page.")] = None,
    paper: Annotated[print_setup.Paper | None, Field(description="Paper size.")] = None,
    print_area: Annotated[str | None, Field(description="Range, or none for all.")] = None,
    title_rows: Annotated[str | None, Field(description="Repeat: 1:2, or none.")] = None,
    title_columns: Annotated[str | None, Field(description="Repeat: A:A, or none.")] = None,
    fit_wide: Annotated[int | None, Field(description="Pages; 0: no limit.")] = None,
    fit_tall: Annotated[int | None, Field(description="Pages.")] = None,
    scale: Annotated[int | None, Field(description="Percent.")] = None,
    page_header: Annotated[
        list[str] | None, Field(description="[left, center, right]; &P page, &N pages, &D date, &A sheet, &F file.")
    ] = None,
    page_footer: Annotated[list[str] | None, Field(description="As page_header.")] = None,
    margins: Annotated[dict[str, float] | None, Field(description="Inches: left, top, header ...")] = None,
    breaks: Annotated[list[str] | None, Field(description="All page breaks: before row 20, column D.")] = None,
    centered: Annotated[bool | None, Field(description="Horizontally.")] = None,
) -> Changed:
    """Set the print layout of a sheet; settings that are not given stay."""
    print_change = print_setup.Print(
        orientation, paper, print_area, title_rows, title_columns, fit_wide, fit_tall, scale, page_header, page_footer,
        margins, breaks, centered,
    )  # fmt: skip
    with lock_file(path, current_world().locks):
        return report_change(path, "Print set-up changed", print_setup.set_print(path, sheet, print_change))


def _choose_sides(given: list[Side]) -> tuple[str, ...]:
    if OUTLINE in given:
        return (OUTLINE,)
    return tuple(given) or ("left", "right", "top", "bottom")


def report_change(path: Path, done: str, *results: object) -> Changed:
    """A saved change to the workbook at `path`, and what it then says."""
    return Changed(done, FileRef.from_path(path), list(results))


__all__ = ["Color", "mcp", "report_change"]
