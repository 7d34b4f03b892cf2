"""Looks of tables: borders, shading, alignment, merged cells, text of cells."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from yardkit.compat.toolathlon.documents.app import Color, Doc, edit_text, open_writer, table_at, to_underline
from yardkit.kit.dialect import Text
from yardkit.servers.documents.engine.blocks import cell_formats, table_edits
from yardkit.servers.documents.engine.markup.grids import Cell, Grid, format_reference
from yardkit.servers.documents.engine.markup.specs import Look, TableEdit
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.world import Problem

Horizontal = Literal["left", "center", "right", "justify"]
Vertical = Literal["top", "center", "bottom"]
Pattern = Literal[
    "clear", "solid", "pct5", "pct10", "pct20", "pct25", "pct30", "pct40", "pct50", "pct60", "pct70", "pct75", "pct80",
    "pct90", "horzStripe", "vertStripe", "diagStripe", "diagCross", "nil",
]  # fmt: skip


def format_table(
    filename: Doc,
    table_index: int,
    has_header_row: bool | None = None,
    border_style: cell_formats.Line | None = None,
    shading: list[Color] | list[list[Color | None]] | None = None,
) -> Text:
    def change(writer: Writer, table: Any) -> None:
        grid = Grid(table)
        if border_style:
            cell_formats.set_borders((cell for row in grid.cells for cell in row), border_style)
        if has_header_row is not None:
            _edit_table(writer, table, TableEdit("layout", header_rows=int(has_header_row)))
            if has_header_row:
                _edit_table(writer, table, TableEdit("format", "1:1", bold=True))
        for number, colors in enumerate(shading or []):
            row_colors = [colors] * grid.width if isinstance(colors, str) else colors
            for column, color in enumerate(row_colors):
                if color:
                    cell_formats.set_shading(cell_formats.cell_at(table, number, column), color)

    return _change_table(filename, table_index, change, f"Table at index {table_index} formatted successfully.")


def set_table_cell_shading(
    filename: Doc, table_index: int, row_index: int, col_index: int, fill_color: Color, pattern: Pattern = "clear"
) -> Text:
    done = f"Cell shading applied to table {table_index}, cell ({row_index},{col_index})."
    return _change_cell(
        filename,
        table_index,
        row_index,
        col_index,
        lambda _, cell: cell_formats.set_shading(cell, fill_color, pattern),
        done,
    )


def apply_table_alternating_rows(
    filename: Doc, table_index: int, color1: Color = "FFFFFF", color2: Color = "F2F2F2"
) -> Text:
    def change(_: Writer, table: Any) -> None:
        for row in Grid(table).cells:
            for cell in row:
                cell_formats.set_shading(cell, color2 if cell.row % 2 else color1)

    return _change_table(filename, table_index, change, f"Alternating row shading applied to table {table_index}.")


def highlight_table_header(
    filename: Doc, table_index: int, header_color: Color = "4472C4", text_color: Color = "FFFFFF"
) -> Text:
    def change(_: Writer, table: Any) -> None:
        for cell in Grid(table).cells[0]:
            cell_formats.set_shading(cell, header_color)
            cell_formats.format_text(cell, Look(bold=True, color=text_color))

    return _change_table(filename, table_index, change, f"Header highlighting applied to table {table_index}.")


def merge_table_cells(
    filename: Doc, table_index: int, start_row: int, start_col: int, end_row: int, end_col: int
) -> Text:
    return _merge_cells(filename, table_index, (start_row, start_col), (end_row, end_col))


def merge_table_cells_horizontal(filename: Doc, table_index: int, row_index: int, start_col: int, end_col: int) -> Text:
    return _merge_cells(filename, table_index, (row_index, start_col), (row_index, end_col))


def merge_table_cells_vertical(filename: Doc, table_index: int, col_index: int, start_row: int, end_row: int) -> Text:
    return _merge_cells(filename, table_index, (start_row, col_index), (end_row, col_index))


def set_table_cell_alignment(
    filename: Doc,
    table_index: int,
    row_index: int,
    col_index: int,
    horizontal: Horizontal = "left",
    vertical: Vertical = "top",
) -> Text:
    edit = TableEdit("format", format_reference(row_index, col_index), align=horizontal, valign=vertical)
    done = f"Cell alignment set to {horizontal}/{vertical} in table {table_index}, cell ({row_index},{col_index})."
    return _change_table(filename, table_index, lambda writer, table: _edit_table(writer, table, edit), done)


def set_table_alignment_all(
    filename: Doc, table_index: int, horizontal: Horizontal = "left", vertical: Vertical = "top"
) -> Text:
    edit = TableEdit("format", align=horizontal, valign=vertical)
    done = f"Alignment of all cells of table {table_index} set to {horizontal}/{vertical}."
    return _change_table(filename, table_index, lambda writer, table: _edit_table(writer, table, edit), done)


def format_table_cell_text(
    filename: Doc,
    table_index: int,
    row_index: int,
    col_index: int,
    text_content: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    color: Color | None = None,
    font_size: float | None = None,
    font_name: str | None = None,
) -> Text:
    look = Look(
        bold=bold, italic=italic, underline=to_underline(underline), color=color, size_pt=font_size, font=font_name
    )

    def change(writer: Writer, cell: Cell) -> None:
        if text_content is not None:
            cell_formats.set_text(writer, cell, text_content)
        cell_formats.format_text(cell, look)

    done = f"Cell text formatted in table {table_index}, cell ({row_index},{col_index})."
    return _change_cell(filename, table_index, row_index, col_index, change, done)


def set_table_cell_padding(
    filename: Doc,
    table_index: int,
    row_index: int,
    col_index: int,
    top: float | None = None,
    bottom: float | None = None,
    left: float | None = None,
    right: float | None = None,
    unit: Literal["points", "inches", "cm"] = "points",
) -> Text:
    given: dict[cell_formats.Side, float | None] = {"top": top, "bottom": bottom, "left": left, "right": right}
    sides = {side: cell_formats.to_cm(width, unit) for side, width in given.items() if width is not None}
    if not sides:
        raise Problem("no side is given; give top, bottom, left or right")
    done = f"Cell padding set in table {table_index}, cell ({row_index},{col_index})."
    return _change_cell(
        filename, table_index, row_index, col_index, lambda _, cell: cell_formats.set_padding(cell, sides), done
    )


def _merge_cells(path: Path, number: int, first: tuple[int, int], last: tuple[int, int]) -> Text:
    if first[0] > last[0] or first[1] > last[1]:
        raise Problem(f"the cells {first} to {last} are none; name the upper left one first")
    if first == last:
        raise Problem(f"{first} is one cell; name a range of cells to merge")
    edit = TableEdit("merge", f"{format_reference(*first)}:{format_reference(*last)}")
    done = f"Cells merged in table {number} from ({first[0]},{first[1]}) to ({last[0]},{last[1]})."
    return _change_table(path, number, lambda writer, table: _edit_table(writer, table, edit), done)


def _edit_table(writer: Writer, table: Any, edit: TableEdit) -> None:
    table_edits.edit_table(writer, writer.document.anchor(table), [edit])


def _change_table(path: Path, number: int, change: Callable[[Writer, Any], None], done: str) -> Text:
    with open_writer(path, track=False) as writer:
        table = table_at(writer.document, number)
        change(writer, table)
        writer.written.append(table)
    return edit_text(done, writer)


def _change_cell(
    path: Path, number: int, row: int, column: int, change: Callable[[Writer, Cell], None], done: str
) -> Text:
    return _change_table(
        path, number, lambda writer, table: change(writer, cell_formats.cell_at(table, row, column)), done
    )
