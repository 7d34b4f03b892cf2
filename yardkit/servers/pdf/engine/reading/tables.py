"""Tables of asked pages, by ruled lines or by aligned words (pdfplumber)."""

from __future__ import annotations

import io
import itertools
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.pdf.engine.package.document import check_pdf, open_pdf, render_pdf, wrong_password
from yardkit.servers.pdf.engine.package.pages import expression_of, has_overlap, round_box, select_pages
from yardkit.servers.pdf.engine.reading.reading_order import Line, lines_of
from yardkit.servers.pdf.engine.reading.table_cells import CellTexts
from yardkit.servers.pdf.engine.reading.table_frames import without_boxes, without_grounds
from yardkit.servers.pdf.engine.reading.unruled_tables import unruled_tables
from yardkit.servers.pdf.engine.reading.words import Word, words_of
from yardkit.world import Problem
from yardkit.world.boxes import Box

PRELOAD = ("pdfplumber", "pypdfium2", "pikepdf")
MAX_PAGES_READ = 30
MAX_CELLS = 8_000
_MAX_ROW = 72
_READ_SHARE = 0.98
_RULE = 1.0
"""How far the rules of a table may lie outside of its box, which is rounded."""

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
        with render_pdf(path, password) as document:
            numbers = select_pages(pages, len(document))
            asked = sorted(set(numbers[:MAX_PAGES_READ]))
            with pdfplumber.open(path, password=password, pages=asked) as pdf:
                pages_by_number = {page.page_number: page for page in pdf.pages}
                for number in numbers[:MAX_PAGES_READ]:
                    words = words_of(document[number - 1])
                    page_tables = _read_page_tables(pages_by_number[number], words, strategy, box)
                    for turn in sorted({word.turn for word in words if word.turn}):
                        page_tables += _read_sideways_tables(path, password, number, turn, strategy, box)
                    tables += page_tables
                    pages_by_number[number].close()
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


def _read_sideways_tables(
    path: Path, password: str, number: int, turn: int, strategy: Strategy, box: list[float] | None
) -> list[PdfTable]:
    """The tables of a page whose text is turned, read on the page turned back."""
    import pdfplumber
    import pikepdf
    import pypdfium2

    buffer = io.BytesIO()
    with open_pdf(path, password) as pdf, pikepdf.new() as alone:
        alone.pages.append(pdf.pages[number - 1])
        alone.pages[0].rotate(-turn, relative=True)
        alone.save(buffer)
    with closing(pypdfium2.PdfDocument(buffer)) as document, pdfplumber.open(buffer) as pdf:
        words = words_of(document[0])
        width, height = document[0].get_size()
        inner = _turn_box(box, turn, (height, width) if turn % 180 else (width, height)) if box else None
        turned_tables = _read_page_tables(pdf.pages[0], words, strategy, inner)
    return [
        replace(table, page=number, box=_turn_box(table.box, -turn % 360, (width, height))) for table in turned_tables
    ]


def _turn_box(box: list[float], turn: int, size: tuple[float, float]) -> list[float]:
    """A box on a page of a size, as it lies when the page is turned counterclockwise by `turn` degrees."""
    x0, y0, x1, y1 = box
    width, height = size
    lying = {90: (y0, width - x1, y1, width - x0), 180: (width - x1, height - y1, width - x0, height - y0)}
    return round_box(lying.get(turn, (height - y1, x0, height - y0, x1)))


def _complete_characters(page: Any, lines: list[Line]) -> None:
    """Give a page of pdfplumber the characters that PDFium reads where it has read fewer.

    It reads none in a font whose encoding is a CMap within the file.
    """
    expected = sum(len(word.text) for line in lines for word in line.words)
    if sum(not char["text"].isspace() for char in page.chars) >= _READ_SHARE * expected:
        return
    left, top = float(page.bbox[0]), float(page.bbox[1])
    page.objects["char"] = [
        _make_character(page, text, box, left, top, upright=word.level)
        for line in lines
        for word in line.words
        for text, box in zip(word.text, word.chars, strict=True)
    ]


def _make_character(page: Any, text: str, box: Box, left: float, top: float, *, upright: bool) -> dict[str, Any]:
    """A character as pdfplumber holds it."""
    x0, y0, x1, y1 = box[0] + left, box[1] + top, box[2] + left, box[3] + top
    place = {"x0": x0, "x1": x1, "top": y0, "bottom": y1, "doctop": page.initial_doctop + y0}
    size = {"width": x1 - x0, "height": y1 - y0, "size": y1 - y0, "fontname": ""}
    return {"object_type": "char", "text": text, "upright": upright, **place, **size}


def _read_page_tables(page: Any, words: list[Word], strategy: Strategy, box: list[float] | None) -> list[PdfTable]:
    """The tables of a page whose text is mostly level; those that stand sideways are read on the page turned back."""
    _complete_characters(page, lines_of(words))
    left, top = float(page.bbox[0]), float(page.bbox[1])
    if box:
        cut = (box[0] + left - _RULE, box[1] + top - _RULE, box[2] + left + _RULE, box[3] + top + _RULE)
        page, words = page.crop(cut, strict=False), [word for word in words if has_overlap(word.box, box)]
    place = _Place(words, left, top)
    ruled_tables = [] if strategy == "text" else _find_tables(page, "lines", place)
    if strategy == "auto" and ruled_tables:
        ruled_tables += _find_unruled_tables(
            page.page_number, [word for word in words if not any(_is_in_box(word, t.box) for t in ruled_tables)]
        )
    if not ruled_tables and strategy != "lines":
        ruled_tables = [
            table for table in _find_tables(page, "text", place) if strategy == "text" or _is_convincing(table.rows)
        ]
    return [table for table in ruled_tables if _is_level(words, table.box)]


def _find_unruled_tables(number: int, words: list[Word]) -> list[PdfTable]:
    """The tables without rules among words that stand in no ruled one."""
    unruled_rows = unruled_tables(words)
    return [PdfTable(number, round_box(box), rows, ruled=False) for box, rows in unruled_rows if _is_convincing(rows)]


def _is_in_box(word: Word, box: list[float]) -> bool:
    x, y = (word.box[0] + word.box[2]) / 2, word.middle
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_level(words: list[Word], box: list[float]) -> bool:
    """Whether most of the letters in a box do not run up, down or upside down."""
    turned = sum(len(word.text) * (1 if word.turn else -1) for word in words if _is_in_box(word, box))
    return turned <= 0


@dataclass(frozen=True)
class _Place:
    """The words of a page, and where pdfplumber has the page's corner."""

    words: list[Word]
    left: float
    top: float

    def box(self, cell: Any) -> Box:
        return (cell[0] - self.left, cell[1] - self.top, cell[2] - self.left, cell[3] - self.top)


def _find_tables(page: Any, how: str, place: _Place) -> list[PdfTable]:
    settings: dict[str, Any] = {"vertical_strategy": how, "horizontal_strategy": how}
    if how == "lines":
        page = without_grounds(page)
        settings["explicit_vertical_lines"] = _open_sides(page)
    out = []
    for found_table in page.find_tables(settings):
        table = without_boxes(page, found_table) if how == "lines" else found_table
        texts = CellTexts(place.words, [place.box(cell) for cell in table.cells], ruled=how == "lines")
        rows = [["" if cell is None else texts.read_cell(place.box(cell)) for cell in row.cells] for row in table.rows]
        rows = [row for row in rows if how == "lines" or any(row)]
        if len(rows) < 1 or max(map(len, rows)) < 2 or not any(any(row) for row in rows):
            continue
        out.append(PdfTable(page.page_number, round_box(place.box(table.bbox)), rows, how == "lines"))
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


def _is_convincing(rows: list[list[str]]) -> bool:
    """Whether aligned words look like a table and not like running text cut into pieces."""
    cells = [cell for row in rows for cell in row]
    filled = sum(bool(cell) for cell in cells) / max(len(cells), 1)
    numbers = sum(any(char.isdigit() for char in cell) for cell in cells) / max(sum(map(bool, cells)), 1)
    return len(rows) >= 3 and filled > 0.6 and numbers > 0.25
