"""Tables of slides: made, filled, formatted; rows and columns come and go, and merged cells stay right."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.inputs import Scalar, ShapeKey, TableEdit
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, Box, find_shape
from yardkit.servers.slides.engine.package.units import make_solid_fill, to_emu
from yardkit.servers.slides.engine.text.paragraphs import (
    Format,
    apply_format,
    as_paragraphs,
    read_text,
    write_paragraphs,
)
from yardkit.world import Problem
from yardkit.world.wording import format_count

MAX_CELLS = 5000
_SIDE_TAGS = ("lnL", "lnR", "lnT", "lnB")
_ALIGN = {"left": "l", "center": "ctr", "right": "r"}
_ANCHOR = {"top": "t", "middle": "ctr", "bottom": "b"}
_AFTER_FILL = ("cell3D", "headers", "extLst")
_AMOUNT = re.compile(r"[-+−(]?\s*[€$£¥]?\s*\d[\d.,' \u00a0]*\)?\s*(%|[€$£¥]|pp)?")  # noqa: RUF001 - a minus sign
_FILL_TAGS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")


@dataclass(frozen=True)
class Range:
    """Rows and columns from 0, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


def format_cell(value: Scalar) -> str:
    """A value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def add(
    path: Path,
    slide: int,
    rows: list[list[Scalar]],
    box: Box,
    *,
    widths_cm: list[float] | None,
    size_pt: float | None,
    header: bool,
    name: str | None,
) -> int:
    """Add a table; numbers stand to the right; the id of its shape."""
    columns = max(map(len, rows))
    if columns == 0 or len(rows) * columns > MAX_CELLS:
        raise Problem(f"a table of {len(rows)} x {columns} cells is not valid; use 1 to {MAX_CELLS} cells")
    if widths_cm and (len(widths_cm) != columns or min(widths_cm) <= 0):
        raise Problem(f"column_widths_cm has {len(widths_cm)} widths; give {columns} above 0")
    with edit_deck(path) as deck:
        place = [round(value) for value in vars(box).values()]
        frame = deck.get_slide(slide).shapes.add_table(len(rows), columns, *place)
        frame.name = name or frame.name
        table = frame.table
        table.first_row = header
        for column, width in zip(table.columns, widths_cm or [], strict=False):
            column.width = to_emu(width)
        _settle_frame(frame)
        body = rows[1:] if header else rows
        numeric = [_is_numeric(body, at) for at in range(columns)]
        for row, values in enumerate(rows):
            for column in range(columns):
                cell = table.cell(row, column)
                _write_cell(deck, slide, cell, values[column] if column < len(values) else None)
                _format_cells(cell, Format(size_pt=size_pt or 14), "right" if numeric[column] else None, "middle", None)
        deck.promise(
            "the cells",
            lambda saved: (
                read_texts(find_shape(saved.get_slide(slide), frame.shape_id).shape)[0][0] == format_cell(rows[0][0])
            ),
        )
    return int(frame.shape_id)


def _is_numeric(body: list[list[Scalar]], at: int) -> bool:
    """Whether a column holds numbers, and nothing else."""
    return any(_is_number(row, at) for row in body) and all(_is_number(row, at, empty=True) for row in body)


def _is_number(row: list[Scalar], at: int, *, empty: bool = False) -> bool:
    value = row[at] if at < len(row) else None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        number or (empty and value in (None, "")) or (isinstance(value, str) and bool(_AMOUNT.fullmatch(value.strip())))
    )


def read_texts(shape: Any) -> list[list[str]]:
    """The texts of all cells, row by row; cells that a merged one covers are empty."""
    return [[read_text(cell._tc.get_or_add_txBody()) for cell in row.cells] for row in shape.table.rows]


def table_of(deck: Deck, slide: int, key: ShapeKey) -> Any:
    """The graphic frame of a table.

    Raises:
        Problem: the shape is no table.
    """
    shape = find_shape(deck.get_slide(slide), key).shape
    if not getattr(shape, "has_table", False):
        raise Problem(f"shape {shape.shape_id} {shape.name!r} is not a table; use read_slides to see the tables")
    return shape


def edit_table(path: Path, slide: int, key: ShapeKey, edits: list[TableEdit]) -> tuple[int, int]:
    """Apply operations to a table in their order, or none; its rows and columns afterwards."""
    with edit_deck(path) as deck:
        frame = table_of(deck, slide, key)
        for number, table_edit in enumerate(edits, 1):
            try:
                _OPERATIONS[table_edit.op](deck, slide, frame, table_edit)
            except Problem as problem:
                raise Problem(f"operation {number} ({table_edit.op}): {problem}; none was applied") from problem
        _settle_frame(frame)
        expected_texts = read_texts(frame)
        deck.promise("the cells", lambda saved: read_texts(table_of(saved, slide, frame.shape_id)) == expected_texts)
    return len(frame.table.rows), len(frame.table.columns)


def _to_range(frame: Any, table_edit: TableEdit) -> Range:
    rows, columns = len(frame.table.rows), len(frame.table.columns)
    to_row, to_column = table_edit.to_row or table_edit.row, table_edit.to_column or table_edit.column
    if not (1 <= table_edit.row <= to_row <= rows and 1 <= table_edit.column <= to_column <= columns):
        raise Problem(
            f"rows {table_edit.row} to {to_row}, columns {table_edit.column} to {to_column} are not "
            f"in the table of {rows} rows and {columns} columns"
        )
    return Range(table_edit.row - 1, table_edit.column - 1, to_row - 1, to_column - 1)


def _list_cells(frame: Any, area: Range) -> Iterator[Any]:
    for row in range(area.top, area.bottom + 1):
        for column in range(area.left, area.right + 1):
            yield frame.table.cell(row, column)


def _set_values(deck: Deck, slide: int, frame: Any, table_edit: TableEdit) -> None:
    if not table_edit.values or not any(table_edit.values):
        raise Problem("set needs values: a list of rows")
    bottom, right = (
        table_edit.row + len(table_edit.values) - 1,
        table_edit.column + max(map(len, table_edit.values)) - 1,
    )
    area = _to_range(frame, TableEdit("set", table_edit.row, table_edit.column, bottom, right))
    for row, values in enumerate(table_edit.values):
        for column, value in enumerate(values):
            cell = frame.table.cell(area.top + row, area.left + column)
            if cell.is_spanned and value not in (None, ""):
                where = f"row {table_edit.row + row}, column {table_edit.column + column}"
                raise Problem(f"{where} is part of a merged cell; split it first")
            _write_cell(deck, slide, cell, value)


def _write_cell(deck: Deck, slide: int, cell: Any, value: Scalar) -> None:
    lines = format_cell(value).split("\n")
    write_paragraphs(deck.get_slide(slide), cell._tc.get_or_add_txBody(), as_paragraphs([*lines]))


def _format_range(_deck: Deck, _slide: int, frame: Any, table_edit: TableEdit) -> None:
    change = Format(
        bold=table_edit.bold,
        italic=table_edit.italic,
        size_pt=table_edit.size_pt,
        color=table_edit.color,
        font=table_edit.font,
    )
    if (
        change == Format()
        and (table_edit.fill, table_edit.align, table_edit.vertical, table_edit.border) == (None,) * 4
    ):
        raise Problem("format needs bold, italic, size_pt, color, font, fill, border, align or vertical")
    area = _to_range(frame, table_edit)
    for cell in _list_cells(frame, area):
        _format_cells(cell, change, table_edit.align, table_edit.vertical, table_edit.fill)
    if table_edit.border:
        _draw_borders(frame, area, table_edit.border)


def _draw_borders(frame: Any, area: Range, color: str) -> None:
    """Lines of one point around the cells, or none; also on the side of the cells around, which could cover them."""
    rows, columns = len(frame.table.rows), len(frame.table.columns)
    for cell in _list_cells(frame, area):
        _draw_border(cell, color, _SIDE_TAGS)
    around = (
        ("lnR", Range(area.top, area.left - 1, area.bottom, area.left - 1)),
        ("lnL", Range(area.top, area.right + 1, area.bottom, area.right + 1)),
        ("lnB", Range(area.top - 1, area.left, area.top - 1, area.right)),
        ("lnT", Range(area.bottom + 1, area.left, area.bottom + 1, area.right)),
    )
    for side, beside in around:
        if min(beside.top, beside.left) >= 0 and beside.bottom < rows and beside.right < columns:
            for cell in _list_cells(frame, beside):
                _draw_border(cell, color, (side,))


def _draw_border(cell: Any, color: str, sides: tuple[str, ...]) -> None:
    from lxml import etree

    properties = cell._tc.get_or_add_tcPr()
    for side in sides:
        for old in properties.findall(f"{A}{side}"):
            properties.remove(old)
        line = etree.Element(f"{A}{side}", w="12700")
        line.append(etree.Element(f"{A}noFill") if color.lower() == "none" else make_solid_fill(color))
        before = _SIDE_TAGS[: _SIDE_TAGS.index(side)]
        properties.insert(sum(properties.find(f"{A}{other}") is not None for other in before), line)


def _format_cells(cell: Any, change: Format, align: str | None, vertical: str | None, fill: str | None) -> None:
    from lxml import etree

    for paragraph in cell._tc.get_or_add_txBody().iterfind(f"{A}p"):
        if align:
            paragraph.get_or_add_pPr().set("algn", _ALIGN[align])
        runs = [run.get_or_add_rPr() for run in paragraph.iterfind(f"{A}r")]
        end = paragraph.find(f"{A}endParaRPr")
        if not runs and end is None:
            end = etree.SubElement(paragraph, f"{A}endParaRPr")
        for properties in [*runs, *([] if end is None else [end])]:
            apply_format(properties, change)
    properties = cell._tc.get_or_add_tcPr()
    if vertical:
        properties.set("anchor", _ANCHOR[vertical])
    if fill:
        for tag in _FILL_TAGS:
            for old in properties.findall(f"{A}{tag}"):
                properties.remove(old)
        fill_element = etree.SubElement(properties, f"{A}noFill") if fill.lower() == "none" else make_solid_fill(fill)
        after = [child for child in properties if child.tag.rsplit("}", 1)[-1] in _AFTER_FILL]
        after[0].addprevious(fill_element) if after else properties.append(fill_element)


def _merge_cells(_deck: Deck, _slide: int, frame: Any, table_edit: TableEdit) -> None:
    area = _to_range(frame, table_edit)
    if (area.top, area.left) == (area.bottom, area.right):
        raise Problem("merge needs to_row or to_column beyond the cell itself")
    if any(cell.is_spanned or cell.is_merge_origin for cell in _list_cells(frame, area)):
        raise Problem("the range touches a merged cell; split it first")
    frame.table.cell(area.top, area.left).merge(frame.table.cell(area.bottom, area.right))


def _split_cells(_deck: Deck, _slide: int, frame: Any, table_edit: TableEdit) -> None:
    origins = [cell for cell in _list_cells(frame, _to_range(frame, table_edit)) if cell.is_merge_origin]
    if not origins:
        raise Problem("no merged cell starts in the range")
    for cell in origins:
        cell.split()


def _find_merged_ranges(frame: Any) -> list[Range]:
    merged_ranges = []
    for row in range(len(frame.table.rows)):
        for column in range(len(frame.table.columns)):
            cell = frame.table.cell(row, column)
            if cell.is_merge_origin:
                merged_ranges.append(Range(row, column, row + cell.span_height - 1, column + cell.span_width - 1))
    return merged_ranges


def _split_merged(frame: Any) -> list[Range]:
    """The merged ranges, which are split now: `_put_together` merges them again after rows or columns have changed."""
    areas = _find_merged_ranges(frame)
    for area in areas:
        frame.table.cell(area.top, area.left).split()
    return areas


def _put_together(frame: Any, areas: list[Range]) -> None:
    for area in areas:
        if area.bottom >= area.top and area.right >= area.left and (area.bottom, area.right) != (area.top, area.left):
            frame.table.cell(area.top, area.left).merge(frame.table.cell(area.bottom, area.right))


def _insert_rows(deck: Deck, slide: int, frame: Any, table_edit: TableEdit) -> None:
    at, count = _check_position(
        max(table_edit.count, len(table_edit.values)), len(frame.table.rows), table_edit.row, "row"
    )
    areas = _split_merged(frame)
    body = frame.table._tbl
    like = body.tr_lst[max(at - 1, 1) if at > 1 and len(body.tr_lst) > 1 else min(1, len(body.tr_lst) - 1)]
    for offset in range(count):
        new_row = copy.deepcopy(like)
        _forget_identity(new_row)
        rows = body.tr_lst
        rows[at + offset].addprevious(new_row) if at + offset < len(rows) else rows[-1].addnext(new_row)
        for column in range(len(frame.table.columns)):
            values = table_edit.values[offset] if offset < len(table_edit.values) else []
            _write_cell(
                deck, slide, frame.table.cell(at + offset, column), values[column] if column < len(values) else None
            )
    _put_together(frame, [_shift_range(area, at, count, "top", "bottom") for area in areas])


def _check_position(count: int, size: int, at: int, what: str) -> tuple[int, int]:
    if not 1 <= at <= size + 1 or not 1 <= count <= 200:
        raise Problem(
            f"{format_count(count, what)} cannot be inserted at {at}; give {what} 1 to {size + 1} and a count of 1"
            " to 200"
        )
    return at - 1, count


def _shift_range(area: Range, at: int, count: int, first: str, last: str) -> Range:
    """A merged range after `count` rows or columns came in at `at`."""
    values = dict(vars(area))
    if values[first] >= at:
        values[first] += count
    if values[last] >= at:
        values[last] += count
    return Range(**values)


def _forget_identity(element: Any) -> None:
    """Copied rows and columns must not share the ids that PowerPoint gives them."""
    for extension in list(element.iter(f"{A}extLst")):
        if extension.getparent() is element:
            element.remove(extension)


def _insert_columns(deck: Deck, slide: int, frame: Any, table_edit: TableEdit) -> None:
    wide = max(map(len, table_edit.values), default=0)
    at, count = _check_position(max(table_edit.count, wide), len(frame.table.columns), table_edit.column, "column")
    areas = _split_merged(frame)
    grid, total = frame.table._tbl.tblGrid, sum(column.width for column in frame.table.columns)
    like = max(at - 1, 0)
    for offset in range(count):
        for holder in [grid, *frame.table._tbl.tr_lst]:
            cells = [child for child in holder if child.tag in (f"{A}gridCol", f"{A}tc")]
            new_cell = copy.deepcopy(cells[like])
            _forget_identity(new_cell)
            cells[at + offset].addprevious(new_cell) if at + offset < len(cells) else cells[-1].addnext(new_cell)
        for row in range(len(frame.table.rows)):
            values = [line[offset] if offset < len(line) else None for line in table_edit.values]
            cell = frame.table.cell(row, at + offset)
            _write_cell(deck, slide, cell, values[row] if row < len(values) else None)
            if table_edit.values and not _is_centred(cell):
                body = table_edit.values[1:] if frame.table.first_row else table_edit.values
                _format_cells(cell, Format(), "right" if _is_numeric(body, offset) else "left", None, None)
    wide = sum(column.width for column in frame.table.columns)
    for column in frame.table.columns:
        column.width = round(column.width * total / wide)
    _put_together(frame, [_shift_range(area, at, count, "left", "right") for area in areas])


def _is_centred(cell: Any) -> bool:
    return any(element.get("algn") in ("ctr", "just") for element in cell._tc.iterfind(f"{A}txBody/{A}p/{A}pPr"))


def _delete_rows(_deck: Deck, _slide: int, frame: Any, table_edit: TableEdit) -> None:
    area = _to_range(frame, TableEdit("delete_rows", table_edit.row, 1, table_edit.to_row))
    _check_left(len(frame.table.rows), area.bottom - area.top + 1)
    areas = _split_merged(frame)
    for merged in areas:
        _hand_on(
            frame,
            merged,
            Range(_get_first_remaining(merged.top, merged.bottom, area.top, area.bottom), merged.left, 0, 0),
        )
    for row in frame.table._tbl.tr_lst[area.top : area.bottom + 1]:
        frame.table._tbl.remove(row)
    _put_together(frame, [_shrink_range(merged, area.top, area.bottom, "top", "bottom") for merged in areas])


def _delete_columns(_deck: Deck, _slide: int, frame: Any, table_edit: TableEdit) -> None:
    area = _to_range(frame, TableEdit("delete_columns", 1, table_edit.column, None, table_edit.to_column))
    _check_left(len(frame.table.columns), area.right - area.left + 1)
    areas = _split_merged(frame)
    for merged in areas:
        _hand_on(
            frame,
            merged,
            Range(merged.top, _get_first_remaining(merged.left, merged.right, area.left, area.right), 0, 0),
        )
    for holder in [frame.table._tbl.tblGrid, *frame.table._tbl.tr_lst]:
        cells = [child for child in holder if child.tag in (f"{A}gridCol", f"{A}tc")]
        for cell in cells[area.left : area.right + 1]:
            holder.remove(cell)
    _put_together(frame, [_shrink_range(merged, area.left, area.right, "left", "right") for merged in areas])


def _get_first_remaining(first: int, last: int, start: int, end: int) -> int:
    """The first place of a merged range that is left when those from `start` to `end` go; `first` where none is."""
    return next((at for at in range(first, last + 1) if not start <= at <= end), first)


def _hand_on(frame: Any, merged: Range, to: Range) -> None:
    """What a merged cell holds moves to the cell with which the rest of it begins."""
    if (merged.top, merged.left) != (to.top, to.left):
        old, new = (frame.table.cell(area.top, area.left)._tc for area in (merged, to))
        for child in list(new):
            new.remove(child)
        for child in list(old):
            new.append(copy.deepcopy(child))


def _check_left(size: int, gone: int) -> None:
    if gone >= size:
        raise Problem("nothing would be left of the table; delete its shape instead (edit_slide_shapes)")


def _shrink_range(area: Range, start: int, end: int, first: str, last: str) -> Range:
    """A merged range after the rows or columns from `start` to `end` are gone."""
    values = dict(vars(area))
    remaining_indices = [at for at in range(values[first], values[last] + 1) if not start <= at <= end]
    gone = end - start + 1
    left = [at - gone if at > end else at for at in remaining_indices]
    values[first], values[last] = (left[0], left[-1]) if left else (0, -1)
    return Range(**values)


def _set_sizes(_deck: Deck, _slide: int, frame: Any, table_edit: TableEdit) -> None:
    area = _to_range(frame, table_edit)
    if table_edit.width_cm is None and table_edit.height_cm is None:
        raise Problem("size needs width_cm or height_cm")
    for column in range(area.left, area.right + 1):
        if table_edit.width_cm is not None:
            frame.table.columns[column].width = to_emu(table_edit.width_cm)
    for row in range(area.top, area.bottom + 1):
        if table_edit.height_cm is not None:
            frame.table.rows[row].height = to_emu(table_edit.height_cm)


def _set_style(_deck: Deck, _slide: int, frame: Any, table_edit: TableEdit) -> None:
    style_flags = {
        "first_row": table_edit.header,
        "horz_banding": table_edit.banded,
        "last_row": table_edit.total,
        "first_col": table_edit.first_column,
    }
    if set(style_flags.values()) == {None}:
        raise Problem("style needs header, banded, total or first_column")
    for name, value in style_flags.items():
        if value is not None:
            setattr(frame.table, name, value)


def _settle_frame(frame: Any) -> None:
    """The frame is as large as its columns and rows."""
    frame.width = sum(column.width for column in frame.table.columns)
    frame.height = sum(row.height for row in frame.table.rows)


_OPERATIONS: dict[str, Callable[[Deck, int, Any, TableEdit], None]] = {
    "set": _set_values,
    "format": _format_range,
    "merge": _merge_cells,
    "split": _split_cells,
    "insert_rows": _insert_rows,
    "insert_columns": _insert_columns,
    "delete_rows": _delete_rows,
    "delete_columns": _delete_columns,
    "size": _set_sizes,
    "style": _set_style,
}
