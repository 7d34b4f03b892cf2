"""What of the brochure's tables and lines must look as it did, though their texts and widths are new."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from yardkit.evaluators.readers.office.document_styles import qualify_word_name, read_attribute
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
            yield from (new.text for new, cell in pairs if _describe_cell(new) != _describe_cell(cell, old[0]))
    for start in starts:
        line, stood = _find_below(now, start), _find_below(before, start)
        if line is None or stood is None or _describe_paragraph(line) != _describe_paragraph(stood):
            yield f"the line below {start!r}"


def _describe_cell(cell: Cell, beside: Cell | None = None) -> tuple[str, frozenset[Look]]:
    """Fill and looks of a cell; an empty one is to look as the one beside it."""
    return cell.fill, _collect_looks((cell if cell.text.strip() or beside is None else beside).paragraphs)


def _collect_looks(paragraphs: tuple[Paragraph, ...]) -> frozenset[Look]:
    """Fonts are left out: a program may name that of the Chinese for all letters."""
    runs = [run for paragraph in paragraphs for run in paragraph.runs if run.text.strip()]
    return frozenset(replace(run.look, font="") for run in runs)


def _describe_paragraph(paragraph: Paragraph) -> tuple[str, str, str, frozenset[Look]]:
    return paragraph.style, paragraph.alignment, paragraph.list_kind, _collect_looks((paragraph,))


def _find_below(read: Document, start: str) -> Paragraph | None:
    lines = [paragraph for paragraph in read.paragraphs if paragraph.text.strip()]
    return next((below for above, below in pairwise(lines) if above.text.startswith(start)), None)


def fixed_rows(root: Any) -> int:
    """The rows that do not grow with their text."""
    return sum(read_attribute(row, "trPr/trHeight", "hRule") == "exact" for row in root.iter(qualify_word_name("tr")))


def too_wide(root: Any, room_mm: float) -> list[str]:
    """The tables of fixed widths that reach over the margins."""
    wide_tables = []
    for table in root.iter(qualify_word_name("tbl")):
        if read_attribute(table, "tblPr/tblLayout", "type") != "fixed":
            continue
        grid = _sum_attributes(table.find(qualify_word_name("tblGrid")), "gridCol", "w")
        rows = [
            sum(
                _parse_number(read_attribute(cell, "tcPr/tcW", "w"))
                for cell in row.iter(qualify_word_name("tc"))
                if _has_absolute_width(cell)
            )
            for row in table.iter(qualify_word_name("tr"))
        ]
        indent = max(0.0, _parse_number(read_attribute(table, "tblPr/tblInd", "w")))
        wide = (max([grid, *rows]) + indent) / TWIPS_PER_MM
        wide_tables += [f"{wide:.0f} mm"] if wide > room_mm + WIDER_MM else []
    return wide_tables


def _has_absolute_width(cell: Any) -> bool:
    return read_attribute(cell, "tcPr/tcW", "type") in ("dxa", None)


def _sum_attributes(element: Any, name: str, attribute: str) -> float:
    return (
        sum(_parse_number(node.get(qualify_word_name(attribute))) for node in element.iter(qualify_word_name(name)))
        if element is not None
        else 0.0
    )


def _parse_number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
