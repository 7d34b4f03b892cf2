"""Formats of cells, merged cells."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.compat.toolathlon.sheets.app import changing_all, format_span, merged_in, to_rgb
from yardkit.compat.toolathlon.sheets.rules import rule_of
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.layout.sheet_layout import Layout
from yardkit.servers.sheets.engine.objects import conditional_formats
from yardkit.world import InFile, current_world, lock_file

Border = Literal[
    "thin", "medium", "thick", "double", "dashed", "dotted", "hair", "mediumDashed", "dashDot", "mediumDashDot",
    "dashDotDot", "mediumDashDotDot", "slantDashDot", "none",
]  # fmt: skip
Align = Literal["left", "center", "right", "justify", "fill", "general", "centerContinuous", "distributed"]


@dataclass(frozen=True)
class Protection:
    """What holds for cells once their sheet is protected."""

    locked: bool | None = None
    hidden: bool | None = None


def format_range(
    filepath: InFile,
    sheet_name: str,
    start_cell: str,
    end_cell: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    font_size: float | None = None,
    font_color: str | None = None,
    bg_color: str | None = None,
    border_style: Border | None = None,
    border_color: str | None = None,
    number_format: str | None = None,
    alignment: Align | None = None,
    wrap_text: bool | None = None,
    merge_cells: bool = False,
    protection: Protection | None = None,
    conditional_format: dict[str, Any] | None = None,
) -> str:
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
    return f"Range {sheet_name}!{area} formatted successfully"


def merge_cells(filepath: InFile, sheet_name: str, start_cell: str, end_cell: str) -> str:
    area = format_span(start_cell, end_cell)
    _lay_out(filepath, sheet_name, Layout(merge=(area,)))
    return f"Range '{area}' merged in sheet '{sheet_name}'"


def unmerge_cells(filepath: InFile, sheet_name: str, start_cell: str, end_cell: str) -> str:
    area = format_span(start_cell, end_cell)
    _lay_out(filepath, sheet_name, Layout(unmerge=(area,)))
    return f"Range '{area}' unmerged in sheet '{sheet_name}'"


def get_merged_cells(filepath: InFile, sheet_name: str) -> str:
    return json.dumps(merged_in(filepath, sheet_name))


def _lay_out(path: Path, sheet: str, layout: Layout) -> None:
    with lock_file(path, current_world().locks):
        engine.set_layout(path, sheet, layout, now=current_world().now)
