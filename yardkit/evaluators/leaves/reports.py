"""Leaves about reports that people read: titles that stand out, tables on paper, pictures inside, pages in order."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from yardkit.evaluators.readers.answers import find_numbers, fold
from yardkit.evaluators.readers.media.shown_pictures import find_alike, inner_pictures
from yardkit.evaluators.readers.office.documents import Document, read_document
from yardkit.evaluators.readers.pages.pdf import Pdf, Word, read_pdf
from yardkit.evaluators.readers.pages.printed_rows import find_rows, row_text
from yardkit.evaluators.readers.pages.rendered import (
    find_cut_cells,
    find_outside,
    find_overlaps,
    find_tofu,
    render_pages,
)
from yardkit.evaluators.readers.tables import near
from yardkit.evaluators.readers.web.browser import browse_page
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import counted

Value = str | float
Cell = list[Word]
"""The words of a cell."""
_WIDTHS_PX = (390, 1280)
"""Of a telephone and of a screen."""
_LARGER, _SMALL_PX = 1.1, 9.0
_ALIGNED_PT, _GAP_PT = 4.0, 6.0
_MARKUP = re.compile(
    r"^\s*#{1,6}\s|\*\*|^\s*\|.*\|\s*$|^\s*```|\{\{\s*image_|!\[|</?(?:b|i|br|p|td|tr|h\d)>", re.MULTILINE
)


def headlines(
    id: str, says: str, path: str, wanted: Callable[[Facts], Sequence[str]], *, weight: float = 1.0
) -> Checkpoint:
    """Some lines of a PDF file are titles, in this order: alone in their line, in larger letters than most of it."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found = _headlines(read_pdf(submission, path))
        rest = iter(found)
        lacking = [title for title in wanted(facts) if fold(title) not in rest]
        return finding(not lacking, f"titles {found}; missing, or not in order: {lacking}")

    return leaf(id, says, check, observes=(f"file:{path}", f"pages:{path}"), kind="format", weight=weight)


def outline(
    id: str, says: str, path: str, wanted: Callable[[Facts], Sequence[tuple[int, str]]], *, weight: float = 1.0
) -> Checkpoint:
    """A document or web page has a title, by its style or as its first heading, and below it just these headings, each
    with its level, counted from 1 for those right below the title.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        read = read_html(submission, path) if path.endswith(".html") else read_document(submission, path)
        found = [(level, fold(text)) for level, text in read.headings]
        paragraphs = read.paragraphs if isinstance(read, Document) else []
        styled = any(paragraph.style == "Title" and paragraph.text.strip() for paragraph in paragraphs)
        below = found if styled else [(level, text) for level, text in found[1:] if level > found[0][0]]
        base = below[0][0] - 1 if below else 0
        truth = [(level, fold(text)) for level, text in wanted(facts)]
        return finding([(level - base, text) for level, text in below] == truth, f"a title: {styled}; headings {found}")

    kinds = ("text", "words", "headings") if path.endswith(".html") else ("body", "paragraphs", "styles")
    observes = (f"file:{path}", *(f"{kind}:{path}" for kind in kinds))
    return leaf(id, says, check, observes=observes, kind="format", weight=weight)


def printed_table(
    id: str,
    says: str,
    path: str,
    columns: Sequence[str],
    wanted: Callable[[Facts], Iterable[Sequence[Value]]],
    tolerance: float = 0.005,
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """A PDF file has a table with these headers and just these rows, in order, on one page or more.

    Each row stands in one line, and what is in a column stands below each other.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        rows = [list(row) for row in wanted(facts)]
        found = _table_rows(read_pdf(submission, path), columns)
        texts = [[row_text(cell) for cell in row] for row in found]
        wrong = [
            f"{cells}, not {truth}"
            for cells, truth in zip(texts, rows, strict=False)
            if not _same(cells, truth, tolerance)
        ]
        askew = [name for name, *cells in zip(columns, *found, strict=True) if not _is_column(cells)] if found else []
        holds = len(found) == len(rows) and not wrong and not askew
        says = f"{counted(len(found), 'row')} below {list(columns)}, {len(rows)} expected"
        return finding(holds, f"{says}; not in line: {askew}; wrong: {'; '.join(wrong[:4])}")

    return leaf(id, says, check, observes=(f"file:{path}", f"pages:{path}"), weight=weight)


def contains_picture(
    id: str, says: str, path: str, picture: Callable[[Submission, Facts], str], *, weight: float = 1.0
) -> Checkpoint:
    """A document, deck or PDF file holds a delivered picture, of any size and compression, but not distorted."""

    def check(submission: Submission, facts: Facts) -> Finding:
        source = picture(submission, facts)
        found = inner_pictures(submission, path)
        return finding(
            find_alike(submission, source, found), f"{counted(len(found), 'picture')} in {path}, looked for {source}"
        )

    suffix = PurePosixPath(path).suffix
    kind = {".pdf": "pages", ".docx": "pictures", ".pptx": "pictures"}[suffix]
    return leaf(id, says, check, observes=(f"file:{path}", f"{kind}:{path}"), weight=weight)


def neat(id: str, says: str, path: str, *, weight: float = 1.0) -> Checkpoint:
    """What is seen of a file is in order: nothing is cut off, covered or written over, no sign lacks its letter, no
    page is empty, and no Markdown or HTML stands there as its source. A web page fits a telephone and a screen.
    """

    def check(submission: Submission, _facts: Facts) -> Finding:
        faults = list(_page_faults(submission, path) if path.endswith(".html") else _paper_faults(submission, path))
        return finding(not faults, "; ".join(faults[:5]) or "pages are in order")

    kinds = ("pages", "text", "body", "cells")
    observes = (f"file:{path}", *(f"{kind}:{path}" for kind in kinds))
    return leaf(id, says, check, observes=observes, kind="format", weight=weight)


@dataclass(frozen=True)
class Found:
    """What a report has to find: of some names just one, with its figure."""

    names: Iterable[str]
    name: str
    figure: float
    tolerance: float = 0.005


def findings(
    id: str, says: str, path: str, title: str, wanted: Callable[[Facts], Iterable[Found]], *, weight: float = 1.0
) -> Checkpoint:
    """Below a title of a PDF file stand the right names and none of the others, each with its figure."""

    def check(submission: Submission, facts: Facts) -> Finding:
        text = _section_text(read_pdf(submission, path), title)
        wrong = []
        for found in wanted(facts):
            named = [name for name in found.names if re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", fold(text))]
            figures = [number for number in find_numbers(text) if near(number, found.figure, found.tolerance)]
            wrong += [] if named == [found.name] and figures else [f"{named}, not {found.name} with {found.figure:.2f}"]
        return finding(not wrong, f"{text[:300]!r}; wrong: {'; '.join(wrong)}")

    return leaf(id, says, check, observes=(f"file:{path}", f"pages:{path}"), weight=weight)


def _section_text(pdf: Pdf, title: str) -> str:
    """What a PDF file says below a title, down to the next one; empty if it has no such title."""
    titles, lines, within = set(_headlines(pdf)), list[str](), False
    for page in pdf.pages:
        for row in find_rows(page):
            text = row_text(row)
            if fold(text) in titles:
                within = fold(text) == fold(title)
            elif within:
                lines.append(text)
    return "\n".join(lines)


def _headlines(pdf: Pdf) -> list[str]:
    sizes = Counter(word.size_pt for page in pdf.pages for word in page.words)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    rows = (row for page in pdf.pages for row in find_rows(page))
    return [fold(row_text(row)) for row in rows if all(word.size_pt >= _LARGER * body for word in row)]


def _table_rows(pdf: Pdf, columns: Sequence[str]) -> list[list[Cell]]:
    """The rows below that of the headers, as far as they have as many cells; headers that are repeated are none."""
    rows: list[list[Cell]] = []
    within = False
    for page in pdf.pages:
        for row in map(_cells, find_rows(page)):
            head = [fold(row_text(cell)) for cell in row] == [fold(column) for column in columns]
            within = head or (within and len(row) == len(columns))
            rows += [row] if within and not head else []
    return rows


def _cells(row: list[Word]) -> list[Cell]:
    """The words of a row, those together that stand as close as in a sentence."""
    cells = [[row[0]]]
    for last, word in pairwise(row):
        if word.box[0] - last.box[2] > max(last.size_pt, _GAP_PT):
            cells.append([])
        cells[-1].append(word)
    return cells


def _is_column(cells: Sequence[Cell]) -> bool:
    """Whether cells stand below each other: their left edges, middles or right edges in one line."""
    lefts, rights = [cell[0].box[0] for cell in cells], [cell[-1].box[2] for cell in cells]
    middles = [(left + right) / 2 for left, right in zip(lefts, rights, strict=True)]
    return any(max(line) - min(line) <= _ALIGNED_PT for line in (lefts, middles, rights))


def _same(cells: Sequence[str], truth: Sequence[Value], tolerance: float) -> bool:
    return all(
        fold(cell) == fold(value) if isinstance(value, str) else _is_number(cell, value, tolerance)
        for cell, value in zip(cells, truth, strict=True)
    )


def _is_number(cell: str, value: float, tolerance: float) -> bool:
    numbers = find_numbers(cell)
    return len(numbers) == 1 and near(numbers[0], value, tolerance)


def _paper_faults(submission: Submission, path: str) -> Iterator[str]:
    pdf = read_pdf(submission, path) if path.endswith(".pdf") else render_pages(submission, path)
    for page in pdf.pages:
        yield from (f"outside page {page.number}: {word}" for word in find_outside(page))
        yield from (f"{one!r} overlaps {other!r}" for one, other in find_overlaps(page))
        if not page.words and not page.pictures:
            yield f"page {page.number} is empty"
    yield from find_tofu(pdf)
    yield from find_cut_cells(pdf)
    yield from _markup("\n".join(row_text(row) for page in pdf.pages for row in find_rows(page)))


def _page_faults(submission: Submission, path: str) -> Iterator[str]:
    for view in browse_page(submission, path, _WIDTHS_PX):
        yield from (f"{view.width} px: {fault}" for fault in view.misfits())
        yield from _markup(view.text)
        for words in view.words:
            if words.size_px < _SMALL_PX:
                yield f"{words.text[:30]!r} is {words.size_px:g} px high"
            if len(words.boxes) > 1 and words.text.strip().isalnum():
                yield f"{view.width} px: the word {words.text.strip()[:30]!r} is broken"


def _markup(text: str) -> Iterator[str]:
    yield from (f"source of markup: {match.group().strip()!r}" for match in _MARKUP.finditer(text))
