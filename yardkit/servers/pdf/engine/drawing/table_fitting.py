"""Tables of Markdown that would run off the paper: set smaller, and where that is not enough, with broken words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.world.fonts import font_file

SMALLEST_PT = 5.0
STYLE = """
:is(th, td) code { font-size: 0.86em }
table.narrow :is(th, td) { padding: 2pt 3pt } table.fitted :is(th, td, th *, td *) { font-size: inherit !important }
table.broken :is(th, td), .long { overflow-wrap: anywhere }
"""
"""CSS of the classes that `fit_tables` and `fit_document` set."""
_ATTEMPTS = 3
_PT = 0.75
"""Of a pixel of CSS."""
_SIZES_PT = (10.5, 9.0, 8.0, 7.25, 6.5, 5.75, SMALLEST_PT)
_BY_COLUMNS = ((16, 5.0), (12, 6.5), (9, 8.0))
"""How large a table of so many columns is set anyway."""
_EDGES_PT, _NARROW_EDGES_PT = 12.6, 6.6
"""Padding and border of a cell."""
_LONG_EM = 14.0
"""A wider word is broken rather than that all the table becomes small for it."""
_MONO_EM, _WIDEST_EM = 0.52, 1.1
_SLACK = 1.01
_INDENTS_PT = {"li": 30.0, "blockquote": 15.0, "dd": 30.0}
_PIECE = re.compile("[\\u2e80-\\uffef]|[^\\s\\u2e80-\\uffef]+")
"""What is not broken between two lines: a word, or a sign of a script that breaks anywhere."""


@dataclass
class _Ruler:
    """Measures words in em, in the widest of the faces that a table has."""

    face: Any
    size: float

    def measure_widest(self, text: str) -> float:
        best = 0.0
        for word in _PIECE.findall(text):
            if len(word) * _WIDEST_EM > best:
                best = max(best, self.face.getlength(word[:200]) / self.size, _MONO_EM * len(word))
        return best


def fit_tables(root: Any, room_pt: float) -> list[str]:
    """Give the tables below `root` (of an HTML tree) sizes at which they fit into `room_pt`; what is said of those that
    fit only with words that are broken.
    """
    notes = []
    for table, indent, columns in _measure_tables(root):
        if columns and not _fit_table(table, columns, room_pt - indent):
            notes.append(_describe_fit(len(columns)))
    return notes


def fit_document(root: Any, laid_out: Callable[[], Any]) -> tuple[Any, list[str]]:
    """As `fit_tables` where the document has styles of its own: tables that run off the page are set smaller until they
    fit as they are laid out. The document of WeasyPrint, and what is said.
    """
    columns = {table: len(widths) for table, _, widths in _measure_tables(root)}
    document = laid_out()
    for attempt in range(1, _ATTEMPTS + 1):
        wide = _too_wide(document)
        if not wide:
            return document, []
        for table, size in wide.items():
            _set_table(table, "narrow fitted", max(size, SMALLEST_PT) if attempt < _ATTEMPTS else SMALLEST_PT)
        document = laid_out()
    wide = _too_wide(document)
    for table in wide:
        _set_table(table, "broken", SMALLEST_PT)
    return (laid_out() if wide else document), [_describe_fit(columns.get(table, 0)) for table in wide]


def _too_wide(document: Any) -> dict[Any, float]:
    """The tables that reach beyond the margin, and the size in points at which they would not."""
    from weasyprint.formatting_structure.boxes import TableBox, TableCellBox

    wide_tables: dict[Any, float] = {}
    for page in document.pages:
        sheet = page._page_box
        edge = sheet.content_box_x() + sheet.width
        for box in sheet.descendants():
            if isinstance(box, TableBox) and box.border_box_x() + box.border_width() > edge + 1:
                sizes = [
                    descendant.style["font_size"]
                    for descendant in box.descendants()
                    if isinstance(descendant, TableCellBox)
                ]
                share = max(edge - box.border_box_x(), 1) / box.border_width()
                size = share * max(sizes, default=box.style["font_size"]) * _PT
                wide_tables[box.element] = min(size, wide_tables.get(box.element, size))
    return wide_tables


def _set_table(table: Any, kind: str, size: float) -> None:
    kinds = dict.fromkeys([*table.get("class", "").split(), *kind.split()])
    table.set("class", " ".join(kinds))
    table.set("style", f"{table.get('style', '')}; font-size: {size:.2f}pt !important")


def _describe_fit(columns: int) -> str:
    return (
        f"a table of {columns} columns is wider than the page at {SMALLEST_PT:g} pt, words in it are "
        "broken; give it fewer columns, landscape or larger paper"
    )


def _measure_tables(root: Any) -> list[tuple[Any, float, list[float]]]:
    """The tables, how far they are indented, and the widest word of each column; long words are marked."""
    if next(root.iter("table"), None) is None:
        return []
    from PIL import ImageFont

    ruler = _Ruler(ImageFont.truetype(font_file("Liberation Sans", bold=True), 100), 100)
    return [(table, indent, _measure_columns(table, ruler)) for table, indent in _iter_tables(root, 0.0)]


def _iter_tables(element: Any, indent: float) -> Iterator[tuple[Any, float]]:
    for child in element:
        if child.tag == "table":
            yield child, indent
        else:
            yield from _iter_tables(child, indent + _INDENTS_PT.get(child.tag, 0.0))


def _measure_columns(table: Any, ruler: _Ruler) -> list[float]:
    """The widest word of each column in em, those that are broken counted as `_LONG_EM`."""
    widths: list[float] = []
    for row in table.iter("tr"):
        for number, cell in enumerate(candidate for candidate in row if candidate.tag in ("td", "th")):
            wide = ruler.measure_widest("".join(cell.itertext()))
            if wide > _LONG_EM:
                cell.set("class", f"{cell.get('class', '')} long".strip())
            widths += [0.0] * (number + 1 - len(widths))
            widths[number] = max(widths[number], min(wide, _LONG_EM))
    return widths


def _fit_table(table: Any, columns: list[float], room_pt: float) -> bool:
    """Set the size of a table; whether it fits without breaking further words."""
    usual = next((size for least, size in _BY_COLUMNS if len(columns) >= least), _SIZES_PT[0])
    em = sum(columns) * _SLACK
    edges = _EDGES_PT if len(columns) < _BY_COLUMNS[-1][0] else _NARROW_EDGES_PT
    if em * usual + edges * len(columns) <= room_pt:
        return True
    sizes = [size for size in _SIZES_PT if size <= usual]
    room = room_pt - _NARROW_EDGES_PT * len(columns)
    size = next((size for size in sizes if em * size <= room), None)
    table.set("class", f"{table.get('class', '')} narrow{'' if size else ' broken'}".strip())
    table.set("style", f"font-size: {size or SMALLEST_PT:g}pt; {table.get('style', '')}")
    return size is not None
