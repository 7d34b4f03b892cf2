"""Columns of a sheet: widths, hiding, outline."""

from __future__ import annotations

import copy
import re
from typing import Any

from yardkit.servers.sheets.engine.cells.grid import ORDER, Content, Grid
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, Area, area_of
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag
from yardkit.world import Problem

PADDING = 2.0
STANDARD = 9.140625
_NARROWEST, _WIDEST = 6.0, 60.0
MAX_LEVEL = 7
_DATE_PART = re.compile(r'"[^"]*"|[\\_*].|\[[^\]]*\]|am/pm|a/p|d+|m+|y+|h+|s+|.')
_DATE_WORDS = {"ddd": 3, "dddd": 9, "mmm": 3, "mmmm": 9, "mmmmm": 1, "yyyy": 4, "am/pm": 2, "a/p": 1}
_QUOTED = re.compile(r'"([^"]*)"')


def set_width(grid: Grid, columns: str, width: float) -> None:
    """Set the width of ``B`` or ``B:D`` in characters; other properties of the columns stay.

    Raises:
        Problem: no such columns, or a width outside 0 to 255.
    """
    if not 0 <= width <= 255:
        raise Problem(f"{width:g} characters is not a valid width; use 0 to 255")
    span = area_of(columns if ":" in columns else f"{columns}:{columns}")
    for entry in columns_of(grid, span):
        entry.set("width", f"{width:g}")
        entry.set("customWidth", "1")


def autofit_columns(grid: Grid, columns: str) -> None:
    """Make columns as wide as their longest value (as it is shown, within bounds); "all" means the used ones.

    Raises:
        Problem: no such columns.
    """
    used = grid.get_used_area()
    if used is None:
        return
    span = used
    if columns != "all":
        span = area_of(columns if ":" in columns else f"{columns}:{columns}")
    merged = {(area.top, area.left) for area in grid.list_merged() if area.columns > 1}
    widths: dict[int, float] = {}
    for cell, content in grid.contents(Area(used.top, span.left, used.bottom, span.right)):
        if (cell.row, cell.column) not in merged:
            widths[cell.column] = max(widths.get(cell.column, 0.0), measure_length(grid, content))
    for column, longest in widths.items():
        set_fitted(grid, column, longest)


def set_fitted(grid: Grid, column: int, longest: float) -> None:
    """Make a column as wide as a value of so many characters, within bounds, and say that it is fitted."""
    width = min(max(longest + PADDING, _NARROWEST), _WIDEST)
    for entry in columns_of(grid, Area(1, column, 1, column)):
        entry.set("width", f"{width:.4g}")
        entry.set("customWidth", "1")
        entry.set("bestFit", "1")


def mark_columns(grid: Grid, span: Area, marks: dict[str, str | int]) -> None:
    """Set attributes of columns; an empty text takes one away, a number counts on a level of the outline."""
    for entry in columns_of(grid, span):
        entry.set("width", entry.get("width", f"{STANDARD}"))
        apply_marks(entry, marks)
    levels = [int(entry.get("outlineLevel", "0")) for entry in ensure_child(grid.root, "cols", ORDER)]
    note_level(grid, "outlineLevelCol", max(levels, default=0))


def apply_marks(entry: Any, marks: dict[str, str | int]) -> None:
    """Set attributes of a row or column.

    Raises:
        Problem: the outline would be deeper than Excel's seven levels.
    """
    for name, value in marks.items():
        if isinstance(value, int):
            level = int(entry.get(name, "0")) + value
            if level > MAX_LEVEL:
                raise Problem(f"groups can be nested at most {MAX_LEVEL} deep; ungroup some first")
            value = str(level) if level > 0 else ""  # noqa: PLW2901 - the level as text
        if value:
            entry.set(name, value)
        else:
            entry.attrib.pop(name, None)


def note_level(grid: Grid, name: str, level: int) -> None:
    """State the depth of the outline, which makes room for its buttons."""
    settings = ensure_child(grid.root, "sheetFormatPr", ORDER)
    settings.set("defaultRowHeight", settings.get("defaultRowHeight", "15"))
    if level:
        settings.set(name, str(level))
    else:
        settings.attrib.pop(name, None)


def measure_length(grid: Grid, content: Content) -> float:
    """Characters that a value takes; bold and large ones take more."""
    if content.value is None:
        return 0.0
    text = f"{content.value:.10g}" if isinstance(content.value, float) else str(content.value)
    code = grid.book.styles.number_format(content.style)
    if content.kind == "number" and isinstance(content.value, int | float) and code != "General":
        decimals = len(code.split(";")[0].partition(".")[2].rstrip('%"_) EUR$€'))
        text = f"{content.value:{',' if ',' in code else ''}.{min(decimals, 15)}f}" + ("%" if "%" in code else "")
        text += " " * _length_of_words(code)
    if content.kind == "date" and grid.book.styles.is_date(content.style):
        text = " " * _length_of_date(code)
    longest = max((len(line) for line in text.split("\n")), default=0)
    return longest * grid.book.styles.font_scale(content.style)


def _length_of_words(code: str) -> int:
    """Characters of a number format that stand beside the number: quoted words, spaces, signs of currencies."""
    code = code.split(";")[0]
    return sum(map(len, _QUOTED.findall(code))) + sum(_QUOTED.sub("", code).count(name) for name in " €$£¥_")


def _length_of_date(code: str) -> int:
    """Characters of the longest date in a number format: those of a Wednesday in September."""
    return sum(_length_of_part(part) for part in _DATE_PART.findall(code.split(";")[0].lower()))


def _length_of_part(part: str) -> int:
    if part[0] in '"\\[_*':
        return {'"': len(part) - 2, "[": 3 * (part[1:2] in "hms"), "*": 0}.get(part[0], 1)
    return _DATE_WORDS.get(part, 2 if part.isalpha() else 1)


def columns_of(grid: Grid, span: Area) -> list[Any]:
    """An entry for each column of `span`, split off from entries for several; all in order."""
    known = {
        column: entry
        for entry in grid.root.iterfind(f"{qualify_tag('cols')}/{qualify_tag('col')}")
        for column in _get_span(entry)
    }
    parent = ensure_child(grid.root, "cols", ORDER)
    remaining_entries = _split_entries(known, span)
    column_entries = []
    for column in range(span.left, span.right + 1):
        entry = remaining_entries.get((column, column))
        if entry is None:
            entry = parent.makeelement(qualify_tag("col"), {})
        remaining_entries[column, column] = entry
        column_entries.append(entry)
    for old in list(parent):
        parent.remove(old)
    for (first, last), entry in sorted(remaining_entries.items(), key=lambda item: item[0]):
        entry.set("min", str(first))
        entry.set("max", str(last))
        entry.set("width", entry.get("width", f"{STANDARD}"))
        parent.append(entry)
    grid.changed = True
    return column_entries


def _get_span(entry: Any) -> range:
    return range(int(entry.get("min", "1")), min(int(entry.get("max", "1")), MAX_COLUMN) + 1)


def _split_entries(entries: dict[int, Any], span: Area) -> dict[tuple[int, int], Any]:
    """The column entries as they are outside of `span`, one for each column inside."""
    remaining_entries: dict[tuple[int, int], Any] = {}
    for entry in {id(entry): entry for entry in entries.values()}.values():
        columns = _get_span(entry)
        before = range(columns.start, min(columns.stop, span.left))
        after = range(max(columns.start, span.right + 1), columns.stop)
        inside = range(max(columns.start, span.left), min(columns.stop, span.right + 1))
        for part in [before, after, *(range(column, column + 1) for column in inside)]:
            if len(part):
                remaining_entries[part.start, part.stop - 1] = copy.deepcopy(entry)
    return remaining_entries
