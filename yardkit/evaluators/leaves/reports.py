"""Leaves about reports that people read: visible titles, printed tables, pictures, clean pages."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.media.embedded_pictures import contains_delivered_picture, inner_pictures
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
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.readers.web.browser import browse_page
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

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


def check_headlines(
    id: str, statement: str, path: str, expected: Callable[[Facts], Sequence[str]], *, weight: float = 1.0
) -> Checkpoint:
    """Some lines of a PDF file are titles, in this order: alone in their line, in larger letters than most text."""

    def check(submission: Submission, facts: Facts) -> Finding:
        headlines = _list_headlines(read_pdf(submission, path))
        rest = iter(headlines)
        missing_titles = [title for title in expected(facts) if simplify_text(title) not in rest]
        return make_finding(not missing_titles, f"titles {headlines}; missing, or not in order: {missing_titles}")

    return make_checkpoint(id, statement, check, covers=(f"file:{path}", f"pages:{path}"), kind="format", weight=weight)


def check_outline(
    id: str, statement: str, path: str, expected: Callable[[Facts], Sequence[tuple[int, str]]], *, weight: float = 1.0
) -> Checkpoint:
    """A document or web page has a title, by its style or as its first heading, and below it exactly these headings,
    each with its level, counted from 1 for those directly below the title.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        read = read_html(submission, path) if path.endswith(".html") else read_document(submission, path)
        headings = [(level, simplify_text(text)) for level, text in read.headings]
        paragraphs = read.paragraphs if isinstance(read, Document) else []
        styled = any(paragraph.style == "Title" and paragraph.text.strip() for paragraph in paragraphs)
        below = headings if styled else [(level, text) for level, text in headings[1:] if level > headings[0][0]]
        base = below[0][0] - 1 if below else 0
        truth = [(level, simplify_text(text)) for level, text in expected(facts)]
        return make_finding(
            [(level - base, text) for level, text in below] == truth, f"a title: {styled}; headings {headings}"
        )

    kinds = ("text", "words", "headings") if path.endswith(".html") else ("body", "paragraphs", "styles")
    covers = (f"file:{path}", *(f"{kind}:{path}" for kind in kinds))
    return make_checkpoint(id, statement, check, covers=covers, kind="format", weight=weight)


def printed_table(
    id: str,
    statement: str,
    path: str,
    columns: Sequence[str],
    expected: Callable[[Facts], Iterable[Sequence[Value]]],
    tolerance: float = 0.005,
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """A PDF file has a table with these headers and exactly these rows, in order, on one or more pages.

    Each row is in one line, and the cells of a column are aligned.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        rows = [list(row) for row in expected(facts)]
        table_rows = _table_rows(read_pdf(submission, path), columns)
        texts = [[row_text(cell) for cell in row] for row in table_rows]
        wrong = [
            f"{cells}, not {truth}"
            for cells, truth in zip(texts, rows, strict=False)
            if not _matches_cells(cells, truth, tolerance)
        ]
        askew = (
            [name for name, *cells in zip(columns, *table_rows, strict=True) if not _is_column(cells)]
            if table_rows
            else []
        )
        holds = len(table_rows) == len(rows) and not wrong and not askew
        evidence = f"{format_count(len(table_rows), 'row')} below {list(columns)}, {len(rows)} expected"
        return make_finding(holds, f"{evidence}; not in line: {askew}; wrong: {'; '.join(wrong[:4])}")

    return make_checkpoint(id, statement, check, covers=(f"file:{path}", f"pages:{path}"), weight=weight)


def contains_picture(
    id: str, statement: str, path: str, picture: Callable[[Submission, Facts], str], *, weight: float = 1.0
) -> Checkpoint:
    """A document, deck or PDF file contains a delivered picture, in any size and compression but not distorted."""

    def check(submission: Submission, facts: Facts) -> Finding:
        source = picture(submission, facts)
        pictures = inner_pictures(submission, path)
        return make_finding(
            contains_delivered_picture(submission, source, pictures),
            f"{format_count(len(pictures), 'picture')} in {path}, looked for {source}",
        )

    suffix = PurePosixPath(path).suffix
    kind = {".pdf": "pages", ".docx": "pictures", ".pptx": "pictures"}[suffix]
    return make_checkpoint(id, statement, check, covers=(f"file:{path}", f"{kind}:{path}"), weight=weight)


def check_neatness(id: str, statement: str, path: str, *, weight: float = 1.0) -> Checkpoint:
    """A file looks clean: nothing is cut off, covered or overprinted, no letter is missing from its font, no page is
    empty, and no Markdown or HTML source is visible. A web page fits a telephone and a screen.
    """

    def check(submission: Submission, _facts: Facts) -> Finding:
        faults = list(_page_faults(submission, path) if path.endswith(".html") else _paper_faults(submission, path))
        return make_finding(not faults, "; ".join(faults[:5]) or "pages are in order")

    kinds = ("pages", "text", "body", "cells")
    covers = (f"file:{path}", *(f"{kind}:{path}" for kind in kinds))
    return make_checkpoint(id, statement, check, covers=covers, kind="format", weight=weight)


@dataclass(frozen=True)
class ExpectedFinding:
    """A required finding of a report: exactly one of some names, with its figure."""

    names: Iterable[str]
    name: str
    figure: float
    tolerance: float = 0.005


def check_report_findings(
    id: str,
    statement: str,
    path: str,
    title: str,
    expected: Callable[[Facts], Iterable[ExpectedFinding]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """Below a title of a PDF file are the right names and none of the others, each with its figure."""

    def check(submission: Submission, facts: Facts) -> Finding:
        text = _section_text(read_pdf(submission, path), title)
        wrong = []
        for expected_finding in expected(facts):
            named = [
                name
                for name in expected_finding.names
                if re.search(rf"(?<!\w){re.escape(simplify_text(name))}(?!\w)", simplify_text(text))
            ]
            figures = [
                number
                for number in find_numbers(text)
                if is_near(number, expected_finding.figure, expected_finding.tolerance)
            ]
            wrong += (
                []
                if named == [expected_finding.name] and figures
                else [f"{named}, not {expected_finding.name} with {expected_finding.figure:.2f}"]
            )
        return make_finding(not wrong, f"{text[:300]!r}; wrong: {'; '.join(wrong)}")

    return make_checkpoint(id, statement, check, covers=(f"file:{path}", f"pages:{path}"), weight=weight)


def _section_text(pdf: Pdf, title: str) -> str:
    """Return the text of a PDF file from a title to the next one; empty if it has no such title."""
    titles, lines, within = set(_list_headlines(pdf)), list[str](), False
    for page in pdf.pages:
        for row in find_rows(page):
            text = row_text(row)
            if simplify_text(text) in titles:
                within = simplify_text(text) == simplify_text(title)
            elif within:
                lines.append(text)
    return "\n".join(lines)


def _list_headlines(pdf: Pdf) -> list[str]:
    sizes = Counter(word.size_pt for page in pdf.pages for word in page.words)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    rows = (row for page in pdf.pages for row in find_rows(page))
    return [simplify_text(row_text(row)) for row in rows if all(word.size_pt >= _LARGER * body for word in row)]


def _table_rows(pdf: Pdf, columns: Sequence[str]) -> list[list[Cell]]:
    """List the rows below the headers while they have as many cells; repeated headers do not count."""
    rows: list[list[Cell]] = []
    within = False
    for page in pdf.pages:
        for row in map(_join_cells, find_rows(page)):
            head = [simplify_text(row_text(cell)) for cell in row] == [simplify_text(column) for column in columns]
            within = head or (within and len(row) == len(columns))
            rows += [row] if within and not head else []
    return rows


def _join_cells(row: list[Word]) -> list[Cell]:
    """Join the words of a row that are as close as in a sentence."""
    cells = [[row[0]]]
    for last, word in pairwise(row):
        if word.box[0] - last.box[2] > max(last.size_pt, _GAP_PT):
            cells.append([])
        cells[-1].append(word)
    return cells


def _is_column(cells: Sequence[Cell]) -> bool:
    """Whether cells are aligned in a column, by their left edges, middles or right edges."""
    lefts, rights = [cell[0].box[0] for cell in cells], [cell[-1].box[2] for cell in cells]
    middles = [(left + right) / 2 for left, right in zip(lefts, rights, strict=True)]
    return any(max(line) - min(line) <= _ALIGNED_PT for line in (lefts, middles, rights))


def _matches_cells(cells: Sequence[str], truth: Sequence[Value], tolerance: float) -> bool:
    return all(
        simplify_text(cell) == simplify_text(value) if isinstance(value, str) else _is_number(cell, value, tolerance)
        for cell, value in zip(cells, truth, strict=True)
    )


def _is_number(cell: str, value: float, tolerance: float) -> bool:
    numbers = find_numbers(cell)
    return len(numbers) == 1 and is_near(numbers[0], value, tolerance)


def _paper_faults(submission: Submission, path: str) -> Iterator[str]:
    pdf = read_pdf(submission, path) if path.endswith(".pdf") else render_pages(submission, path)
    for page in pdf.pages:
        yield from (f"outside page {page.number}: {word}" for word in find_outside(page))
        yield from (f"{region!r} overlaps {other!r}" for region, other in find_overlaps(page))
        if not page.words and not page.pictures:
            yield f"page {page.number} is empty"
    yield from find_tofu(pdf)
    yield from find_cut_cells(pdf)
    yield from _list_markup_faults("\n".join(row_text(row) for page in pdf.pages for row in find_rows(page)))


def _page_faults(submission: Submission, path: str) -> Iterator[str]:
    for view in browse_page(submission, path, _WIDTHS_PX):
        yield from (f"{view.width} px: {fault}" for fault in view.list_misfits())
        yield from _list_markup_faults(view.text)
        for words in view.words:
            if words.size_px < _SMALL_PX:
                yield f"{words.text[:30]!r} is {words.size_px:g} px high"
            if len(words.boxes) > 1 and words.text.strip().isalnum():
                yield f"{view.width} px: the word {words.text.strip()[:30]!r} is broken"


def _list_markup_faults(text: str) -> Iterator[str]:
    yield from (f"source of markup: {match.group().strip()!r}" for match in _MARKUP.finditer(text))
