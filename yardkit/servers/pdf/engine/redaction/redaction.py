"""Redaction: what was named is taken out of the file, not covered; and the saved file is searched for it.

Glyphs leave the text operators, pixels the images, terms the annotations, fields, bookmarks, metadata and attachments.
A page from which it cannot be taken surgically becomes a picture, and the result says so. What cannot be searched never
counts as clean: it goes, too, which the result says, or nothing is saved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.kit.pages.space import space_in_pdfium
from yardkit.servers.pdf.engine.content.glyphs import Walk
from yardkit.servers.pdf.engine.content.searchable_text import (
    EMPTIED_STREAMS,
    LOST,
    Unsearchable,
    empty_stream,
    list_undecodable,
    walk_result,
)
from yardkit.servers.pdf.engine.drawing.colors import parse_rgb
from yardkit.servers.pdf.engine.drawing.overlay import add_content
from yardkit.servers.pdf.engine.forms.flattening import drop_fields
from yardkit.servers.pdf.engine.forms.widget_appearances import draw_missing_appearances
from yardkit.servers.pdf.engine.package.document import make_stream, open_pdf, render_pdf, save_pdf, warnings_of
from yardkit.servers.pdf.engine.package.pages import check_on_page, expression_of, select_pages, space_of
from yardkit.servers.pdf.engine.reading.page_text import (
    compile_normalized_query,
    compile_query,
    is_picture,
    is_scan,
    search_text,
)
from yardkit.servers.pdf.engine.redaction.attached_files import Dropped, drop_attached
from yardkit.servers.pdf.engine.redaction.eraser import Eraser, picture_page
from yardkit.servers.pdf.engine.redaction.scrubber import Scrubber
from yardkit.servers.pdf.engine.redaction.terms import Terms
from yardkit.servers.pdf.engine.redaction.verification import TERM_REMAINS, Remains, find_remains
from yardkit.world import Problem
from yardkit.world.boxes import Box
from yardkit.world.wording import format_count

PRELOAD = (
    "pikepdf",
    "pypdfium2",
    "pypdfium2.raw",
    "re2",
    "PIL.Image",
    "PIL.ImageDraw",
    "fontTools.agl",
    "reportlab.pdfbase",
)
MAX_AREAS = 20_000
_AROUND = 0.3
"""How far the letters of a scan may lie beside the text that was laid over them, by the height of that."""
_LEAST = (2, 1)
"""How many glyphs, and different ones, a word has: signs that stand alone, such as bullets, are no words."""


@dataclass(frozen=True)
class Area:
    """A part of a page to redact: box in points as displayed."""

    page: int
    box: list[float]


@dataclass(frozen=True)
class Redacted:
    """What was taken out, and how that was checked.

    Attributes:
        matches: places found, by the term that found them.
        pages: pages with black boxes.
        elsewhere: what was cleaned off the pages, such as "bookmark": 2.
        rasterised: pages that had to become pictures, with the reason.
        checked: how the saved file was searched.
    """

    matches: dict[str, int]
    pages: list[int]
    elsewhere: dict[str, int] = field(default_factory=dict)
    rasterised: dict[int, str] = field(default_factory=dict)
    checked: str = ""
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Order:
    """What to redact.

    Attributes:
        terms: texts.
        patterns: regular expressions (RE2).
        areas: parts of pages.
        pages: page expression for terms and patterns.
        color: of the boxes.
        match_case: of terms and patterns.
        whole_words: of terms.
    """

    terms: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    pages: str | None = None
    color: str = "#000000"
    match_case: bool = False
    whole_words: bool = False


def redact_file(source: Path, target: Path, password: str, order: Order) -> Redacted:
    """Take terms, patterns and areas out of the file.

    Raises:
        Problem: nothing to redact was given or found, the file or the content of a page cannot be read, or the saved
            file still holds it.
    """
    color = parse_rgb(order.color)
    places = _find_matches(source, password, order)
    areas = places.areas
    terms = _compile_terms(order)
    work = _Work(password, areas, places.around, _list_areas(order), terms, order.pages, color)
    with open_pdf(source, password, strict=True) as pdf:
        if terms:
            _refuse_undecodable(pdf, order.pages)
        scrubber = Scrubber(pdf, terms if order.pages is None else None)
        scrubber.fields()
        warnings = warnings_of(pdf)
        if order.pages is not None:
            warnings.append("only the given pages were redacted; the terms may stand elsewhere")
        scrubber.empty_forms()
        removed, rasterised = _erase_areas(pdf, work, scrubber)
        lost = [*rasterised, *(number for number, mcids in removed.items() if mcids)]
        scrubber.scrub_structure({pdf.pages[number - 1].obj.objgen for number in lost})
        if terms:
            numbers = select_pages(order.pages, len(pdf.pages))
            scrubber.pages(numbers, terms)
            if order.pages is not None:
                scrubber.scrub_pages_with(Scrubber(pdf, terms), numbers)
        dropped = drop_attached(pdf, terms) if terms and order.pages is None else Dropped()
        scrubber.cleaned["attachments removed"] += dropped.removed
        scrubber.document(dropped.judged)
        redaction_warnings = dropped.warnings + scrubber.warnings + _note_scans(places.scans)
        warnings += redaction_warnings
        drop_fields(pdf)
        draw_missing_appearances(pdf, scrubber.undressed)
        pdf.remove_unreferenced_resources()
        save_pdf(pdf, target)
    if rasterised:  # drawn from the saved file, which shows no comment and no value that went
        with _edit_saved(target, password) as pdf:
            for number in rasterised:
                picture_page(pdf, target, password, number, work.list_painted_boxes(number), color)
            drop_fields(pdf)
    again, check_warnings = _check_saved(target, work, rasterised, warnings)
    scrubber.cleaned[EMPTIED_STREAMS] += len(check_warnings)
    if not (areas or again or scrubber.cleaned.total()):
        named = ", ".join(map(repr, order.terms + order.patterns))
        raise Problem(
            "; ".join(
                [
                    f"nothing to redact was found: {named}",
                    *redaction_warnings,
                    "use search_pdf to see what the pages contain",
                ]
            )
        )
    searched = "; all decoded streams and strings searched" if terms and order.pages is None else ""
    how = f"text re-extracted from {format_count(len(areas), 'page')}{searched}"
    return Redacted(
        places.matches, sorted(areas), dict(+scrubber.cleaned), rasterised | again, how, warnings + check_warnings
    )


@dataclass(frozen=True)
class _Work:
    """What is taken out of a file: the areas of the pages, and the terms of some pages or of everything."""

    password: str
    areas: dict[int, list[Box]]
    around: dict[int, list[Box]]
    given: dict[int, list[Box]]
    terms: Terms | None
    pages: str | None
    color: tuple[float, float, float]

    def list_painted_boxes(self, page: int) -> list[Box]:
        """What is painted on the picture of a page."""
        return self.areas.get(page, []) + self.around.get(page, [])


class _TooHard(Exception):
    """Why a page must become a picture."""


def _compile_terms(order: Order) -> Terms | None:
    given = [(term, False) for term in order.terms] + [(pattern, True) for pattern in order.patterns]
    patterns, of_folded = [], []
    for text, regex in given:
        match_full_words = order.whole_words and not regex
        patterns.append(compile_query(text, regex=regex, match_case=order.match_case, whole_words=match_full_words))
        of_folded.append(compile_normalized_query(text, patterns[-1], regex, order.match_case, match_full_words))
    words = [max(term.casefold().split(), key=len) for term in order.terms]
    least = [max((len(word), len(set(word))), _LEAST) for word in words] + [_LEAST for _ in order.patterns]
    return Terms(patterns, least, len(order.terms), of_folded) if patterns else None


@dataclass(frozen=True)
class _SearchResult:
    """How often each term stands, the boxes to empty by page, points as shown, and the pages without text.

    `around` are wider boxes for the pixels of scans.
    """

    matches: dict[str, int]
    areas: dict[int, list[Box]]
    around: dict[int, list[Box]]
    scans: list[int]


def _find_matches(source: Path, password: str, order: Order) -> _SearchResult:
    matches: Counter[str] = Counter()
    areas: dict[int, list[Box]] = {}
    for query, regex in [(term, False) for term in order.terms] + [(pattern, True) for pattern in order.patterns]:
        search_result = search_text(
            source,
            query,
            password,
            order.pages,
            regex,
            order.match_case,
            order.whole_words and not regex,
            0,
            MAX_AREAS + 1,
            loose=True,
        )
        matches[query] += search_result.total
        for match in search_result.matches:
            areas.setdefault(match.page, []).extend((b[0], b[1], b[2], b[3]) for b in match.boxes)
    with render_pdf(source, password) as document:
        count = len(document)
        for area in order.areas:
            _check_area(area, document)
        numbers = select_pages(order.pages, count) if order.terms or order.patterns else []
        around = {n: [_widen_box(box) for box in boxes] for n, boxes in areas.items() if is_picture(document[n - 1])}
        scans = [number for number in dict.fromkeys(numbers) if is_scan(document[number - 1])]
    for page, boxes in _list_areas(order).items():
        areas.setdefault(page, []).extend(boxes)
    if not (order.terms or order.patterns or order.areas):
        raise Problem("nothing to redact was given; give `terms`, `patterns` or `areas`")
    if sum(map(len, areas.values())) > MAX_AREAS:
        raise Problem(f"that makes more than {MAX_AREAS:,} areas; narrow it down")
    return _SearchResult(dict(matches), areas, around, [number for number in scans if number not in areas])


def _list_areas(order: Order) -> dict[int, list[Box]]:
    """The areas of the order, by page."""
    given: dict[int, list[Box]] = {}
    for area in order.areas:
        given.setdefault(area.page, []).append((area.box[0], area.box[1], area.box[2], area.box[3]))
    return given


def _widen_box(box: Box) -> Box:
    by = _AROUND * min(box[2] - box[0], box[3] - box[1])
    return box[0] - by, box[1], box[2] + by, box[3]


def _check_area(area: Area, document: Any) -> None:
    select_pages(str(area.page), len(document))
    check_on_page(area.box, space_in_pdfium(document[area.page - 1]))


def _note_scans(scans: list[int]) -> list[str]:
    if not scans:
        return []
    return [
        f"pages {expression_of(scans)} have no text but pictures, perhaps scans, which were not searched: let "
        "add_pdf_text_layer read them first, or look at them and give `areas`"
    ]


def _refuse_undecodable(pdf: Any, pages: str | None) -> None:
    if numbers := list_undecodable(pdf, pages):
        named = expression_of(numbers)
        raise Problem(
            f"the content of these pages cannot be decoded, so it cannot be searched: {named}; nothing was saved. "
            "Delete them with arrange_pdf_pages first, or let rewrite_pdf with action 'repair' leave them out"
        )


def _erase_areas(pdf: Any, work: _Work, scrubber: Scrubber) -> tuple[dict[int, set[int]], dict[int, str]]:
    """Empty the areas; by page the marked content that lost text, or why the page must become a picture."""
    removed: dict[int, set[int]] = {}
    rasterised: dict[int, str] = {}
    for number, boxes in sorted(work.areas.items()):
        try:
            removed[number] = _erase_boxes(pdf, number, boxes, work, scrubber)
        except (_TooHard, Unsearchable) as reason:
            rasterised[number] = str(reason)
    return removed, rasterised


def _erase_boxes(pdf: Any, number: int, boxes: list[Box], work: _Work, scrubber: Scrubber) -> set[int]:
    """Empty the boxes of a page and paint them; the marked content identifiers that lost text."""
    import pikepdf

    page = pdf.pages[number - 1]
    space = space_of(page)
    inside = [space.in_user(box) for box in boxes]
    around = [space.in_user(box) for box in work.around.get(number, [])]
    given = [space.in_user(box) for box in work.given.get(number, [])]
    eraser = Eraser(pdf, inside, around, given, work.color)
    walk = Walk(pdf, eraser)
    out, resources, changed = walk_result(walk, page)
    if eraser.unreadable:
        raise _TooHard(f"an image in the area could not be decoded ({eraser.unreadable})")
    if eraser.reaching:
        raise _TooHard("a drawing is in the area and extends beyond it")
    if changed:
        page.obj["/Contents"] = make_stream(pdf, pikepdf.unparse_content_stream(out))
        if resources is not None:
            page.obj["/Resources"] = resources
    scrubber.made |= walk.replacements
    scrubber.scrub_page(page, inside)
    add_content(pdf, page, paint_boxes(inside, work.color))
    return walk.mcids


def paint_boxes(boxes: list[Box], color: tuple[float, float, float]) -> bytes:
    """Operators that fill the boxes; a box within another would show at its edge what stood there."""
    red, green, blue = color
    outer: list[Box] = []
    for box in sorted(boxes, key=lambda edges: (round(edges[1]), edges[0], -edges[2])):
        if not (outer and _is_within(box, outer[-1])):
            outer.append(box)
    rects = "".join(f"{x0:.3f} {y0:.3f} {x1 - x0:.3f} {y1 - y0:.3f} re\n" for x0, y0, x1, y1 in outer)
    return f"q {red:g} {green:g} {blue:g} rg\n{rects}f Q\n".encode()


def _is_within(box: Box, other: Box) -> bool:
    near = 0.05
    return (
        other[0] - near <= box[0]
        and other[1] - near <= box[1]
        and box[2] <= other[2] + near
        and box[3] <= other[3] + near
    )


def _check_saved(
    target: Path, work: _Work, done: dict[int, str], warned: list[str]
) -> tuple[dict[int, str], list[str]]:
    """Search the saved file, and mend it: pages become pictures, forms that cannot be followed are emptied.

    What is still to be looked at is added to `warned`.

    Returns:
        Why pages became pictures, and what is to be said of the forms.

    Raises:
        Problem: something remains, or may, that no page explains.
    """
    left = _find_remains(target, work)
    again = {number: why for number, why in left.pages.items() if number not in done}
    warned += _to_be_looked_at(left, done | again) if work.terms else []
    if again:
        with _edit_saved(target, work.password) as pdf:
            for number in again:
                boxes = work.list_painted_boxes(number) + left.boxes.get(number, [])
                picture_page(pdf, target, work.password, number, boxes, work.color)
            drop_fields(pdf)
        left = _find_remains(target, work)
    messages: list[str] = []
    if left.forms:  # pages that paint one are pictures by now
        with _edit_saved(target, work.password) as pdf:
            messages = [empty_stream(pdf.get_object(place), reason) for place, reason in left.forms.items()]
        left = _find_remains(target, work)
    if left.pages or left.elsewhere:
        what = "; ".join([*(f"page {n}: {w}" for n, w in left.pages.items()), *left.elsewhere])
        raise Problem(f"after redaction the file still contains it ({what[:400]}); nothing was saved")
    if left.unsearchable:
        what = "; ".join(left.unsearchable)
        raise Problem(
            f"after redaction the file may still contain unsearchable content ({what[:400]}); nothing was saved"
        )
    return again, messages


def _to_be_looked_at(left: Remains, pictures: dict[int, str]) -> list[str]:
    """What is to be said of pages whose pictures may still show what was to be removed."""
    warnings_by_key = {
        "they show text in fonts without a letter mapping": left.unread,
        "they contain a term as a replacement for something drawn": [
            number for number, why in left.pages.items() if why == TERM_REMAINS and not left.boxes.get(number)
        ],
        "not all of their content could be followed": [
            number for number, why in sorted(pictures.items()) if why.startswith(LOST)
        ],
    }
    return [
        f"pages {expression_of(numbers)} became pictures: {why}; look at them, and give `areas`"
        for why, numbers in warnings_by_key.items()
        if numbers
    ]


def _find_remains(target: Path, work: _Work) -> Remains:
    return find_remains(target, work.password, work.areas, work.terms, work.pages)


@contextmanager
def _edit_saved(target: Path, password: str) -> Iterator[Any]:
    """The saved file, opened to be changed."""
    data = target.with_name(target.name + ".again")
    with open_pdf(target, password) as pdf:
        yield pdf
        save_pdf(pdf, data)
    data.replace(target)
