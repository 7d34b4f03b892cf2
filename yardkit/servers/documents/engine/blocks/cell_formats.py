"""Single cells of tables: borders of all kinds, patterns, padding of each side, text; widths of single columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from yardkit.servers.documents.engine.blocks.table_edits import edit_table
from yardkit.servers.documents.engine.formatting import looks
from yardkit.servers.documents.engine.formatting.looks import set_text_look, to_twips
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.grids import Cell, Grid
from yardkit.servers.documents.engine.markup.names import (
    TWIPS_PER_CM,
    P,
    ensure_child,
    find_all,
    find_element,
    get_attribute,
    insert_child,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import list_runs, text_of
from yardkit.servers.documents.engine.markup.specs import Look, TableEdit
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.inline_content import checked_text
from yardkit.world import Problem

Line = Literal["single", "double", "thick", "dotted", "dashed", "none"]
Unit = Literal["points", "inches", "cm", "percent", "auto"]
Side = Literal["top", "left", "bottom", "right"]
_POINTS_OF_LINES: dict[Line, float] = {"single": 0.5, "double": 0.5, "thick": 1.5, "dotted": 0.5, "dashed": 0.5}
_CM_PER_UNIT = {"points": 2.54 / 72, "inches": 2.54, "cm": 1.0}
_SIDES: tuple[Side, ...] = ("top", "left", "bottom", "right")
MAX_CM = 55.0
"""Word's widest page."""


def cell_at(table: Any, row: int, column: int) -> Cell:
    """The cell at a place, counted from 0; of merged cells the first.

    Raises:
        Problem: the table has none there.
    """
    grid = Grid(table)
    return grid.owner(grid.at(row, column))


def set_borders(cells: Iterable[Cell], line: Line, color: str = "000000") -> None:
    """Draw all sides of cells, or take their lines out."""
    for cell in cells:
        borders = ensure_child(ensure_child(cell.element, "w:tcPr"), "w:tcBorders")
        for side in _SIDES:
            if line == "none":
                insert_child(borders, make_element(f"w:{side}", val="nil"))
                continue
            size = round(_POINTS_OF_LINES[line] * 8)
            insert_child(borders, make_element(f"w:{side}", val=line, sz=size, space=0, color=color))


def set_shading(cell: Cell, color: str, pattern: str = "clear") -> None:
    """Fill a cell; a pattern other than clear is drawn over the colour."""
    fill = looks.make_shading(color)
    fill.set(qualify_name("w:val"), pattern)
    insert_child(ensure_child(cell.element, "w:tcPr"), fill)


def set_padding(cell: Cell, sides_cm: Mapping[Side, float]) -> None:
    """Set the space between text and edge on some sides of a cell; the others stay."""
    margins = ensure_child(ensure_child(cell.element, "w:tcPr"), "w:tcMar")
    for side, width in sides_cm.items():
        if not 0 <= width <= MAX_CM:
            raise Problem(f"{width:.2f} cm is not a valid padding; use 0 to {MAX_CM:g} cm")
        insert_child(margins, make_element(f"w:{side}", w=to_twips(width), type="dxa"))


def set_text(writer: Writer, cell: Cell, text: str) -> None:
    """Set the text of a cell as it stands, lines as line breaks; its first paragraph keeps its format, others go."""
    first, *others = [child for child in cell.element if child.tag == P]
    for other in others:
        cell.element.remove(other)
    tracking.replace_span(first, 0, len(text_of(first)), checked_text(text), None)
    writer.written.append(first)


def format_text(cell: Cell, look: Look) -> None:
    """Give all text of a cell a look."""
    for paragraph in cell.element.iter(P):
        for run in list_runs(paragraph):
            set_text_look(ensure_child(run, "w:rPr"), look)


def column_widths_cm(writer: Writer, table: Any) -> list[float]:
    """The widths of the columns; where the table does not state them, equal parts of the text width."""
    count = Grid(table).width
    stated = [int(get_attribute(column, "w:w") or 0) for column in find_all(table, "w:tblGrid/w:gridCol")]
    if len(stated) == count and all(stated):
        return [width / TWIPS_PER_CM for width in stated]
    return [page_sections.text_width_cm(writer.document, table) / count] * count


def set_column_widths(writer: Writer, table: Any, widths: Mapping[int, float], unit: Unit) -> None:
    """Set the widths of columns, counted from 0, the others stay; percent are parts of the text width.

    Raises:
        Problem: no such column, or a width that is none.
    """
    known = column_widths_cm(writer, table)
    wrong = [column for column in widths if not 0 <= column < len(known)]
    if wrong:
        raise Problem(f"the table has no column {wrong[0]}; it has {len(known)}, counted from 0")
    if unit == "auto":
        _free_widths(table, set(widths))
        return
    for column, width in widths.items():
        known[column] = in_cm(writer, table, width, unit)
    edit_table(writer, writer.document.anchor(table), [TableEdit("layout", widths_cm=known)])


def set_width(writer: Writer, table: Any, width: float, unit: Unit) -> None:
    """Set the width of a table; its columns keep their proportions. Auto lets the text decide.

    Raises:
        Problem: a width that is none.
    """
    properties = ensure_child(table, "w:tblPr")
    if unit == "auto":
        insert_child(properties, make_element("w:tblW", w=0, type="auto"))
        return
    known, total_width = column_widths_cm(writer, table), in_cm(writer, table, width, unit)
    scaled = [value * total_width / sum(known) for value in known]
    edit_table(writer, writer.document.anchor(table), [TableEdit("layout", widths_cm=scaled)])
    if unit == "percent":
        insert_child(properties, make_element("w:tblW", w=round(width * 50), type="pct"))


def to_cm(width: float, unit: Literal["points", "inches", "cm"]) -> float:
    """A length in cm."""
    return width * _CM_PER_UNIT[unit]


def in_cm(writer: Writer, table: Any, width: float, unit: Unit) -> float:
    """A width in cm.

    Raises:
        Problem: it is not above 0, or wider than a page can be.
    """
    percent = page_sections.text_width_cm(writer.document, table) / 100
    width_cm = width * (percent if unit == "percent" else _CM_PER_UNIT[unit])
    if not 0 < width_cm <= MAX_CM:
        raise Problem(f"{width:g} {unit} is not a valid width; use more than 0 and at most {MAX_CM:g} cm")
    return width_cm


def _free_widths(table: Any, columns: set[int]) -> None:
    """Let the text decide on the widths of columns."""
    for line in Grid(table).cells:
        for cell in line:
            if columns & set(range(cell.column, cell.column + cell.span)):
                insert_child(ensure_child(cell.element, "w:tcPr"), make_element("w:tcW", w=0, type="auto"))
    layout = find_element(table, "w:tblPr/w:tblLayout")
    if layout is not None:
        layout.set(qualify_name("w:type"), "autofit")
