"""What of the brochure's tables and lines must look as it did, though their texts and widths are new."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from yardkit.evaluators.readers.office.document_styles import val, w
from yardkit.evaluators.readers.office.documents import Cell, Document, Look, Paragraph

TWIPS_PER_MM = 1440 / 25.4
WIDER_MM = 4.5
"""By so much a table may reach over the margins with the distances of its cells."""


def other_looks(now: Document, before: Document, starts: list[str]) -> Iterator[str]:
    """Cells of the tables, and the lines below those that begin so, that look otherwise than before."""
    for table, was in zip(now.tables, before.tables, strict=False):
        if (table.style, table.header_rows) != (was.style, was.header_rows):
            yield f"table in style {table.style} with {table.header_rows} header rows"
        for row, old in zip(table.cells, was.cells, strict=False):
            pairs = ((new, cell) for new, cell in zip(row, old, strict=False) if new.text.strip())
            yield from (new.text for new, cell in pairs if _cell(new) != _cell(cell, old[0]))
    for start in starts:
        line, stood = _below(now, start), _below(before, start)
        if line is None or stood is None or _dress(line) != _dress(stood):
            yield f"the line below {start!r}"


def _cell(cell: Cell, beside: Cell | None = None) -> tuple[str, frozenset[Look]]:
    """Fill and looks of a cell; an empty one is to look as the one beside it."""
    return cell.fill, _looks((cell if cell.text.strip() or beside is None else beside).paragraphs)


def _looks(paragraphs: tuple[Paragraph, ...]) -> frozenset[Look]:
    """Fonts are left out: a program may name that of the Chinese for all letters."""
    runs = [run for paragraph in paragraphs for run in paragraph.runs if run.text.strip()]
    return frozenset(replace(run.look, font="") for run in runs)


def _dress(paragraph: Paragraph) -> tuple[str, str, str, frozenset[Look]]:
    return paragraph.style, paragraph.alignment, paragraph.list_kind, _looks((paragraph,))


def _below(read: Document, start: str) -> Paragraph | None:
    lines = [paragraph for paragraph in read.paragraphs if paragraph.text.strip()]
    return next((below for above, below in pairwise(lines) if above.text.startswith(start)), None)


def fixed_rows(root: Any) -> int:
    """The rows that do not grow with their text."""
    return sum(val(row, "trPr/trHeight", "hRule") == "exact" for row in root.iter(w("tr")))


def too_wide(root: Any, room_mm: float) -> list[str]:
    """The tables of fixed widths that reach over the margins."""
    found = []
    for table in root.iter(w("tbl")):
        if val(table, "tblPr/tblLayout", "type") != "fixed":
            continue
        grid = _sum(table.find(w("tblGrid")), "gridCol", "w")
        rows = [
            sum(_number(val(cell, "tcPr/tcW", "w")) for cell in row.iter(w("tc")) if _absolute(cell))
            for row in table.iter(w("tr"))
        ]
        indent = max(0.0, _number(val(table, "tblPr/tblInd", "w")))
        wide = (max([grid, *rows]) + indent) / TWIPS_PER_MM
        found += [f"{wide:.0f} mm"] if wide > room_mm + WIDER_MM else []
    return found


def _absolute(cell: Any) -> bool:
    return val(cell, "tcPr/tcW", "type") in ("dxa", None)


def _sum(element: Any, name: str, attribute: str) -> float:
    return sum(_number(node.get(w(attribute))) for node in element.iter(w(name))) if element is not None else 0.0


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
