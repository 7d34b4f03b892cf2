"""Formats of cells, merged cells."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import tool
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.dialects.toolathlon.app import (
    Book,
    End,
    LastCell,
    Sheet,
    Start,
    changing_all,
    format_span,
    mcp,
    merged_in,
    to_rgb,
)
from yardkit.servers.sheets.dialects.toolathlon.rules import rule_of
from yardkit.servers.sheets.engine.layout.sheet_layout import Layout
from yardkit.servers.sheets.engine.objects import conditional_formats
from yardkit.world import current_world, lock_file

Border = Literal[
    "thin", "medium", "thick", "double", "dashed", "dotted", "hair", "mediumDashed", "dashDot", "mediumDashDot",
    "dashDotDot", "mediumDashDotDot", "slantDashDot", "none",
]  # fmt: skip
Align = Literal["left", "center", "right", "justify", "fill", "general", "centerContinuous", "distributed"]
Switch = Annotated[bool | None, Field(description="Or not.")]


@dataclass(frozen=True)
class Protection:
    """What holds for cells once their sheet is protected."""

    locked: bool | None = None
    hidden: bool | None = None


@tool(mcp, writes=True)
def format_range(
    filepath: Book,
    sheet_name: Sheet,
    start_cell: Start,
    end_cell: End = None,
    bold: Switch = None,
    italic: Switch = None,
    underline: Switch = None,
    font_size: Annotated[float | None, Field(description="Points.")] = None,
    font_color: Annotated[str | None, Field(description="RRGGBB.")] = None,
    bg_color: Annotated[str | None, Field(description="RRGGBB.")] = None,
    border_style: Annotated[Border | None, Field(description="All sides of each cell.")] = None,
    border_color: Annotated[str | None, Field(description="RRGGBB.")] = None,
    number_format: Annotated[str | None, Field(description="Such as 0.00 or yyyy-mm-dd.")] = None,
    alignment: Annotated[Align | None, Field(description="Across.")] = None,
    wrap_text: Switch = None,
    merge_cells: Annotated[bool, Field(description="Also make one cell of the range.")] = False,
    protection: Annotated[Protection | None, Field(description="Of the cells.")] = None,
    conditional_format: Annotated[
        dict[str, Any] | None,
        Field(
            description="{'type': cell_is, formula, color_scale, data_bar or icon_set, 'params': {...}}, such as "
            "{'operator': 'greaterThan', 'formula': ['100'], 'fill': {'fgColor': 'FFC7CE'}}."
        ),
    ] = None,
) -> Text:
    """Apply formatting to a range of cells; what is not given stays."""
    area, now = format_span(start_cell, end_cell), current_world().now
    cell_protection = protection or Protection()
    underlined = None if underline is None else "single" if underline else "none"
    border = border_style or ("thin" if border_color else None)
    change = engine.Change(
        number_format=number_format, bold=bold, italic=italic, underline=underlined, font_size=font_size,
        font_color=to_rgb(font_color), fill_color=to_rgb(bg_color), border=border, border_color=to_rgb(border_color),
        horizontal=alignment, wrap=wrap_text, locked=cell_protection.locked, hide_formula=cell_protection.hidden,
    )  # fmt: skip
    with changing_all(filepath) as copy:
        if change != engine.Change():
            engine.format_cells(copy, sheet_name, area, change, now=now)
        if conditional_format:
            conditional_formats.add_rule(copy, sheet_name, area, rule_of(conditional_format))
        if merge_cells:
            engine.set_layout(copy, sheet_name, Layout(merge=(area,)), now=now)
    return Text(f"Range {sheet_name}!{area} formatted successfully")


@tool(mcp, writes=True)
def merge_cells(filepath: Book, sheet_name: Sheet, start_cell: Start, end_cell: LastCell) -> Text:
    """Merge a range of cells; no value but that of the first cell may get lost."""
    area = format_span(start_cell, end_cell)
    _lay_out(filepath, sheet_name, Layout(merge=(area,)))
    return Text(f"Range '{area}' merged in sheet '{sheet_name}'")


@tool(mcp, writes=True)
def unmerge_cells(filepath: Book, sheet_name: Sheet, start_cell: Start, end_cell: LastCell) -> Text:
    """Unmerge a range of cells."""
    area = format_span(start_cell, end_cell)
    _lay_out(filepath, sheet_name, Layout(unmerge=(area,)))
    return Text(f"Range '{area}' unmerged in sheet '{sheet_name}'")


@tool(mcp)
def get_merged_cells(filepath: Book, sheet_name: Sheet) -> Text:
    """Get merged cells in a worksheet, as a JSON list of ranges."""
    return Text(json.dumps(merged_in(filepath, sheet_name)))


def _lay_out(path: Path, sheet: str, layout: Layout) -> None:
    with lock_file(path, current_world().locks):
        engine.set_layout(path, sheet, layout, now=current_world().now)
