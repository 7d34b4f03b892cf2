"""Text of pages: plain in reading order, laid out as on the page, lines or words with boxes; and search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.pdf.engine.package.document import render_pdf
from yardkit.servers.pdf.engine.package.pages import expression_of, has_overlap, round_box, select_pages
from yardkit.servers.pdf.engine.reading.reading_order import Line, lines_of, paragraphs_of
from yardkit.servers.pdf.engine.reading.text_folding import find_spans, normalize_text
from yardkit.servers.pdf.engine.reading.unread_text import has_unread_text
from yardkit.servers.pdf.engine.reading.words import Word, words_of
from yardkit.world import Problem
from yardkit.world.boxes import Box

PRELOAD = ("pypdfium2", "pypdfium2.raw", "pikepdf", "re2")
MAX_CHARS = 40_000
MAX_PIECES = 1_500
MAX_QUERY = 1_000
BESIDE = "the page also shows values of fields or comments: read_pdf_form, list_pdf_items what='annotations'"
OFF_PAGE = "some of the text lies off the page as shown (cropped away); box=[0, 0, {0:g}, {1:g}] leaves that out"
_CONTEXT = 60
_END_OF_LINE_HYPHENS = "-\u2010\u00ad"
_EAST_ASIAN = re.compile("[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")

Form = Literal["plain", "layout", "lines", "words"]


@dataclass(frozen=True)
class Piece:
    """A line or a word.

    Attributes:
        text: its text.
        box: [x0, y0, x1, y1] in points on the page as displayed, origin top left.
    """

    text: str
    box: list[float]


@dataclass(frozen=True)
class PageText:
    """The text of one page, or its lines or words."""

    page: int
    text: str = ""
    pieces: list[Piece] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True)
class PdfText:
    """Text of some pages; what did not fit begins at `next_offset` of the first of `next_pages`."""

    path: str
    total_pages: int
    pages: list[PageText]
    next_pages: str = ""
    next_offset: int = 0


def read_text(
    path: Path,
    password: str = "",
    pages: str | None = None,
    form: Form = "plain",
    box: list[float] | None = None,
    offset: int = 0,
) -> PdfText:
    """The text of the pages.

    Args:
        path: the file.
        password: of the file.
        pages: page expression.
        form: plain in reading order, laid out with spaces as on the page, or lines or words with boxes.
        box: only what lies in it, points on the page as shown.
        offset: characters (or pieces) of the first page to skip.

    Raises:
        Problem: the file cannot be read, or a page does not exist.
    """
    done: list[PageText] = []
    with render_pdf(path, password) as document:
        numbers = select_pages(pages, len(document))
        room = MAX_PIECES if form in ("lines", "words") else MAX_CHARS
        for position, number in enumerate(numbers):
            full_page = _page_text(document, number, form, box)
            if box is None and has_unread_text(document, document[number - 1]):
                full_page = replace(full_page, note="; ".join(filter(None, [full_page.note, BESIDE])))
            part, more = _cut_page(full_page, offset, room)
            done.append(part)
            if more:
                return PdfText(path.name, len(document), done, expression_of(numbers[position:]), more)
            room, offset = room - max(len(part.text), len(part.pieces), 20), 0
            if room <= 0 and position + 1 < len(numbers):
                return PdfText(path.name, len(document), done, expression_of(numbers[position + 1 :]))
        return PdfText(path.name, len(document), done)


def _page_text(document: Any, number: int, form: Form, box: list[float] | None) -> PageText:
    page = document[number - 1]
    words = words_of(page, box)
    if not words:
        return PageText(number, note="no text, but images: perhaps a scan; see add_pdf_text_layer" * is_scan(page))
    width, height = page.get_size()
    off = box is None and any(not has_overlap(word.box, (0, 0, width, height)) for word in words)
    note = OFF_PAGE.format(width, height) if off else ""
    if form == "words":
        return PageText(number, pieces=[Piece(word.text, round_box(word.box)) for word in words], note=note)
    lines = lines_of(words)
    if form == "lines":
        return PageText(number, pieces=[Piece(line.text, round_box(line.box)) for line in lines], note=note)
    return PageText(number, join_lines(lines) if form == "plain" else laid_out(lines), note=note)


def is_scan(page: Any) -> bool:
    """Whether a page has no text, but pictures."""
    return not page.get_textpage().get_text_range().strip() and any(
        thing.type == 3 for thing in page.get_objects(max_depth=4)
    )


def is_picture(page: Any) -> bool:
    """Whether pictures cover most of a page, as in a scan: text over them is a layer that lies about on the letters."""
    bounds = [thing.get_bounds() for thing in page.get_objects(max_depth=4) if thing.type == 3]
    covered = sum((right - left) * (top - bottom) for left, bottom, right, top in bounds)
    return bool(covered > 0.8 * page.get_width() * page.get_height())


def _cut_page(page: PageText, offset: int, room: int) -> tuple[PageText, int]:
    """A part of a page, and the offset of the next part or 0."""
    page_content = page.text or page.pieces
    if offset and offset >= len(page_content):
        raise Problem(
            f"offset {offset} is beyond the end of page {page.page}, which has {len(page_content)}; use offset=0"
        )
    end = offset + max(room, 1)
    part = PageText(page.page, page.text[offset:end], page.pieces[offset:end], page.note)
    return part, end if end < len(page_content) else 0


def join_lines(lines: list[Line]) -> str:
    """Lines as text, an empty line between paragraphs."""
    return "\n\n".join("\n".join(line.text for line in group) for group in paragraphs_of(lines))


def laid_out(lines: list[Line]) -> str:
    """Text with spaces and empty lines, so that it stands about as on the page."""
    words = [word for line in lines for word in line.words if word.level]
    if not words:
        return join_lines(lines)
    widths = sorted((word.box[2] - word.box[0]) / len(word.text) for word in words)
    step = max(widths[len(widths) // 2], 1.0)
    left = min(word.box[0] for word in words)
    rows = rows_of(words)
    out: list[str] = []
    below = 0.0
    for row in rows:
        if out and row[0].box[1] - below > 0.8 * row[0].height:
            out.append("")
        out.append(_row_text(row, left, step))
        below = max(word.box[3] for word in row)
    return "\n".join(out)


def rows_of(words: list[Word]) -> list[list[Word]]:
    """Level words row by row over the whole width, from left to right."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda candidate: candidate.middle):
        if rows and abs(rows[-1][0].middle - word.middle) < 0.5 * min(rows[-1][0].height, word.height):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda member: member.box[0]) for row in rows]


def _row_text(row: list[Word], left: float, step: float) -> str:
    text = ""
    for word in row:
        column = round((word.box[0] - left) / step)
        text += " " * (max(column - len(text), 1) if text else column) + word.text
    return text


@dataclass(frozen=True)
class Match:
    """A place where the text stands.

    Attributes:
        page: from 1.
        text: as it stands there.
        boxes: one per line, points on the page as displayed, origin top left.
        context: the text around it.
    """

    page: int
    text: str
    boxes: list[list[float]]
    context: str = ""


@dataclass(frozen=True)
class PdfMatches:
    """Matches in the order of pages and reading; `next_offset` is where the next ones begin.

    Attributes:
        pages_without_text: perhaps scans.
        pages_with_fields_or_comments: whose values and texts are not searched; read_pdf_form and list_pdf_items show
            them.
    """

    path: str
    query: str
    total: int
    matches: list[Match]
    next_offset: int | None = None
    pages_without_text: str = ""
    pages_with_fields_or_comments: str = ""


def search_text(
    path: Path,
    query: str,
    password: str = "",
    pages: str | None = None,
    regex: bool = False,
    match_case: bool = False,
    whole_words: bool = False,
    offset: int = 0,
    limit: int = 100,
    by_lines: bool = False,
    loose: bool = False,
) -> PdfMatches:
    """Where a text or a regular expression (RE2) stands; it may run over the end of a line.

    A regular expression meets a space where a line ends, nothing after a hyphen, or `by_lines` the line end itself.
    What is searched `loose` is found in all that looks the same, too (see `text_folding`).

    Raises:
        Problem: the file cannot be read, a page does not exist, or the query is no usable pattern.
    """
    pattern = compile_query(query, regex=regex, match_case=match_case, whole_words=whole_words)
    of_folded = compile_normalized_query(query, pattern, regex, match_case, whole_words) if loose else None
    matches: list[Match] = []
    blank: list[int] = []
    beside: list[int] = []
    with render_pdf(path, password) as document:
        for number in select_pages(pages, len(document)):
            words = words_of(document[number - 1])
            blank += [] if words else [number]
            beside += [number] if has_unread_text(document, document[number - 1]) else []
            matches += find_matches(
                lines_of(words), pattern, number, literal=by_lines or not regex, of_folded=of_folded
            )
    if offset and offset >= len(matches):
        raise Problem(f"offset {offset} is beyond the end: there are {len(matches)} matches; use offset=0")
    end = offset + limit
    more = end if end < len(matches) else None
    return PdfMatches(
        path.name, query, len(matches), matches[offset:end], more, expression_of(blank), expression_of(beside)
    )


def compile_query(query: str, *, regex: bool, match_case: bool, whole_words: bool = False) -> Any:
    """The query as an RE2 pattern; a plain text may break over lines, with or without a hyphen.

    Raises:
        Problem: it is empty, too long, or no regular expression.
    """
    import re2

    if not query.strip() or len(query) > MAX_QUERY:
        raise Problem(f"the query must have 1 to {MAX_QUERY:,} characters, not {len(query.strip()):,}")
    body = f"(?:{query})" if regex else _escape_literal(query)
    if whole_words:
        first, last = (
            (r"\b", r"\b") if regex else (_make_word_edge(query.strip()[0]), _make_word_edge(query.strip()[-1]))
        )
        body = first + body + last
    options = re2.Options()
    options.case_sensitive = match_case
    options.log_errors = False
    try:
        return re2.compile(body, options)
    except re2.error as error:
        reason = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise Problem(f"{query!r} is not a valid RE2 expression: {reason}; escape special characters") from error


def compile_normalized_query(query: str, pattern: Any, regex: bool, match_case: bool, whole_words: bool) -> Any:
    """The pattern for folded texts; the same one where folding does not change the query."""
    normalized_query = query if regex else normalize_text(query)
    if normalized_query == query or not normalized_query.strip():
        return pattern
    return compile_query(normalized_query, regex=regex, match_case=match_case, whole_words=whole_words)


def _escape_literal(query: str) -> str:
    words = ["".join(re.escape(char) + _line_end(char) for char in word[:-1]) for word in query.split()]
    ends = [re.escape(word[-1]) for word in query.split()]
    return r"\s+".join(word + end for word, end in zip(words, ends, strict=True))


def _make_word_edge(char: str) -> str:
    """What stands at the edge of a whole word: RE2 knows it for letters without accents only, and not for signs."""
    return r"\b" if char.isascii() and (char.isalnum() or char == "_") else ""


def _line_end(char: str) -> str:
    """How a line may end after a character of a word: Chinese and Japanese do so anywhere, others at a hyphen."""
    return r"\n?" if char in _END_OF_LINE_HYPHENS or _EAST_ASIAN.match(char) else rf"(?:[{_END_OF_LINE_HYPHENS}]\n)?"


def find_matches(
    lines: list[Line], pattern: Any, page: int, *, literal: bool, of_folded: Any = None
) -> Iterator[Match]:
    """The matches in the lines of a page, and those of another pattern in its folded text."""
    text, owners = _build_searchable_text(lines, " " if not literal else "\n")
    match_spans = (
        find_spans(pattern, text, of_folded) if of_folded else [match.span() for match in pattern.finditer(text)]
    )
    for start, end in match_spans:
        owned = [owners[index] for index in range(start, end) if owners[index]]
        if not owned:
            continue
        context = text[max(0, start - _CONTEXT) : end + _CONTEXT].replace("\n", " ")
        yield Match(page, text[start:end].replace("\n", " "), _boxes_by_line(owned), context)


Owner = tuple[int, Box] | None


def _build_searchable_text(lines: list[Line], line_end: str) -> tuple[str, list[Owner]]:
    """The text of the lines, and for each character its line and box; none for what divides words."""
    text: list[str] = []
    owners: list[Owner] = []
    for number, line in enumerate(lines):
        for position, word in enumerate(line.words):
            if position:
                text.append("\t" if position in line.gaps else " ")
                owners.append(None)
            text.append(word.text)
            owners += [(number, box) for box in word.chars]
        end = "" if line_end == " " and text[-1][-1:] in _END_OF_LINE_HYPHENS else line_end
        text.append(end)
        owners += [None] * len(end)
    return "".join(text), owners


def _boxes_by_line(owned: list[Any]) -> list[list[float]]:
    by_line: dict[int, list[Box]] = {}
    for number, box in owned:
        by_line.setdefault(number, []).append(box)
    return [
        round_box(
            (
                min(b[0] for b in line_boxes),
                min(b[1] for b in line_boxes),
                max(b[2] for b in line_boxes),
                max(b[3] for b in line_boxes),
            )
        )
        for line_boxes in by_line.values()
    ]
