"""Tables of asked pages, by ruled lines or by aligned words (pdfplumber)."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from toolyard.kit.pages.space import Box
from toolyard.servers.pdf.engine.package.document import check_pdf, rendered, wrong_password
from toolyard.servers.pdf.engine.package.pages import expression_of, rounded, select
from toolyard.servers.pdf.engine.reading.reading_order import lines_of
from toolyard.servers.pdf.engine.reading.table_frames import without_boxes
from toolyard.servers.pdf.engine.reading.words import words_of
from toolyard.world import Problem

PRELOAD = ("pdfplumber", "pypdfium2", "pikepdf")
MAX_PAGES_READ = 30
MAX_CELLS = 8_000
_MAX_ROW = 72
_READ_SHARE = 0.98

Strategy = Literal["auto", "lines", "text"]


@dataclass(frozen=True)
class PdfTable:
    """A table: rows of cells, empty cells as empty text; `box` in points on the page as displayed."""

    page: int
    box: list[float]
    rows: list[list[str]]
    ruled: bool = True


@dataclass(frozen=True)
class PdfTables:
    """Tables of the pages read; `next_pages` were not read yet."""

    path: str
    tables: list[PdfTable] = field(default_factory=list)
    next_pages: str = ""
    note: str = ""


def read_tables(
    path: Path,
    password: str = "",
    pages: str | None = None,
    strategy: Strategy = "auto",
    box: list[float] | None = None,
) -> PdfTables:
    """The tables of the pages, at most `MAX_PAGES_READ` pages at once.

    Raises:
        Problem: the file cannot be read or a page does not exist.
    """
    import pdfplumber
    from pdfminer.pdfdocument import PDFPasswordIncorrect
    from pdfminer.psparser import PSException

    check_pdf(path)
    tables: list[PdfTable] = []
    read = 0
    try:
        with rendered(path, password) as document, contextlib.ExitStack() as stack:
            numbers = select(pages, len(document))
            asked = sorted(set(numbers[:MAX_PAGES_READ]))
            pdf = stack.enter_context(pdfplumber.open(path, password=password, pages=asked))
            held = {page.page_number: page for page in pdf.pages}
            for number in numbers[:MAX_PAGES_READ]:
                _complete(held[number], document[number - 1])
                tables += _tables(held[number], strategy, box)
                held[number].close()
                read += 1
                if sum(len(row) for table in tables for row in table.rows) > MAX_CELLS:
                    break
    except PDFPasswordIncorrect as error:
        raise wrong_password(path, password) from error
    except (PSException, KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise Problem(
            f"{path.name!r} cannot be analysed for tables ({error}); try read_pdf_text form='layout'"
        ) from error
    note = (
        ""
        if tables
        else "no table found; strategy='text' looks for aligned words, read_pdf_text form='layout' keeps columns"
    )
    return PdfTables(path.name, tables, expression_of(numbers[read:]), note)


def _complete(page: Any, shown: Any) -> None:
    """Give a page of pdfplumber the characters that PDFium reads where it has read fewer.

    It reads none in a font whose encoding is a CMap within the file.
    """
    lines = lines_of(words_of(shown))
    expected = sum(len(word.text) for line in lines for word in line.words)
    if sum(not char["text"].isspace() for char in page.chars) >= _READ_SHARE * expected:
        return
    left, top = float(page.bbox[0]), float(page.bbox[1])
    made = []
    for line in lines:
        for position, word in enumerate(line.words):
            if position and position not in line.gaps and word.chars and line.words[position - 1].chars:
                before, after = line.words[position - 1].chars[-1], word.chars[0]
                made.append((" ", (before[2], before[1], max(after[0], before[2]), before[3]), word.level))
            made += [(text, box, word.level) for text, box in zip(word.text, word.chars, strict=True)]
    page.objects["char"] = [_char(page, text, box, left, top, upright=bool(level)) for text, box, level in made]


def _char(page: Any, text: str, box: Box, left: float, top: float, *, upright: bool) -> dict[str, Any]:
    """A character as pdfplumber holds it."""
    x0, y0, x1, y1 = box[0] + left, box[1] + top, box[2] + left, box[3] + top
    place = {"x0": x0, "x1": x1, "top": y0, "bottom": y1, "doctop": page.initial_doctop + y0}
    size = {"width": x1 - x0, "height": y1 - y0, "size": y1 - y0, "fontname": ""}
    return {"object_type": "char", "text": text, "upright": upright, **place, **size}


def _tables(page: Any, strategy: Strategy, box: list[float] | None) -> list[PdfTable]:
    left, top = float(page.bbox[0]), float(page.bbox[1])
    if box:
        cut = (box[0] + left, box[1] + top, box[2] + left, box[3] + top)
        page = page.crop(cut, strict=False)
    found = [] if strategy == "text" else _found(page, "lines", left, top)
    if not found and strategy != "lines":
        found = [
            pdf_table
            for pdf_table in _found(page, "text", left, top)
            if strategy == "text" or _convincing(pdf_table.rows)
        ]
    return found


def _found(page: Any, how: str, left: float, top: float) -> list[PdfTable]:
    settings: dict[str, Any] = {"vertical_strategy": how, "horizontal_strategy": how}
    if how == "lines":
        settings["explicit_vertical_lines"] = _open_sides(page)
    out = []
    for found in page.find_tables(settings):
        table = without_boxes(page, found) if how == "lines" else found
        rows = [[(cell or "").strip() for cell in row] for row in table.extract()]
        rows = [row for row in rows if how == "lines" or any(row)]
        if len(rows) < 1 or max(map(len, rows)) < 2 or not any(any(row) for row in rows):
            continue
        x0, y0, x1, y1 = table.bbox
        out.append(
            PdfTable(page.page_number, rounded((x0 - left, y0 - top, x1 - left, y1 - top)), rows, how == "lines")
        )
    return out


def _open_sides(page: Any) -> list[dict[str, Any]]:
    """The sides that cells between rules lack: where both rules are drawn cell by cell, their ends tell the columns."""
    rules: dict[int, set[tuple[int, int]]] = {}
    for edge in page.edges:
        if edge["orientation"] == "h":
            rules.setdefault(round(edge["top"]), set()).add((round(edge["x0"]), round(edge["x1"])))
    upright = [(edge["top"], edge["bottom"]) for edge in page.edges if edge["orientation"] == "v"]
    sides = []
    for top, bottom in itertools.pairwise(sorted(rules)):
        middle = (top + bottom) / 2
        same = len(rules[top]) > 1 and rules[top] == rules[bottom] and bottom - top < _MAX_ROW
        if same and not any(above < middle < below for above, below in upright):
            for x in {end for rule in rules[top] for end in rule}:
                side = {"object_type": "line", "x0": x, "x1": x, "top": top, "bottom": bottom}
                sides.append({**side, "width": 0, "height": bottom - top})
    return sides


def _convincing(rows: list[list[str]]) -> bool:
    """Whether aligned words look like a table and not like running text cut into pieces."""
    cells = [cell for row in rows for cell in row]
    filled = sum(bool(cell) for cell in cells) / max(len(cells), 1)
    numbers = sum(any(char.isdigit() for char in cell) for cell in cells) / max(sum(map(bool, cells)), 1)
    return len(rows) >= 3 and filled > 0.6 and numbers > 0.25
