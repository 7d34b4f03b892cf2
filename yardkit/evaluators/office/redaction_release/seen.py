"""What the pages of text show: whether private words can still be seen, and whether the others can."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.office.redaction_release.pictures import render_uncovered
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.pages.pdf import Box, Page, draw_pdf_page, read_pdf
from yardkit.evaluators.readers.pages.rendered import is_legible
from yardkit.evaluators.submission import Submission

SCALE = 2.0
_AS_BEFORE = 0.6
"""Part of the contrast from which on letters are seen where they were; other letters in their place keep a third."""
_FRAME_PT = 1.5
"""How far the frame of a field reaches into it."""
_GAP_PT = 2.0
"""The least gap between two words in a field."""


def still_seen(submission: Submission, facts: Facts, terms: Sequence[re.Pattern[str]]) -> list[str]:
    """Private words that are seen where they stood on the page or in a field, whatever text and values the file has.

    What lies over them is no matter.
    """
    visible_terms, blanks = [], parse_file(submission.untouched, facts["file"], _text_fields, "PDF file")
    for page, was, now in _draw_pages(submission, facts):
        filled = [blank for blank in blanks if blank[0] == page.number and blank[1] in facts["emptied"]]
        written = [(f"{name} (field)", word) for _, name, box in filled for word in _words_in(was, box)]
        for text, box in (*_list_private_words(page, terms), *written):
            views = (now, *render_uncovered(submission, facts, page.number, SCALE))
            if any(_as_before(_cut_part(was, box), _cut_part(view, box)) > _AS_BEFORE for view in views):
                visible_terms.append(f"{text} on page {page.number}")
    return visible_terms


def list_covered_words(submission: Submission, facts: Facts) -> dict[int, list[str]]:
    """Words of each page that are text, and were seen in the dossier, and cannot be seen."""
    covered_words = {}
    after = read_pdf(submission, facts["public"]).pages
    for page, was, now in _draw_pages(submission, facts):
        before = Counter(word.text for word in page.words if is_legible(was, word.box, SCALE))
        words = [word for word in after[page.number - 1].words if before[word.text]]
        covered_words[page.number] = [word.text for word in words if not is_legible(now, word.box, SCALE)]
    return covered_words


def _draw_pages(submission: Submission, facts: Facts) -> Iterator[tuple[Page, Any, Any]]:
    """The pages of the dossier that have text, as they look there and in the public version."""
    after = read_pdf(submission, facts["public"]).pages
    for page in read_pdf(submission.untouched, facts["file"]).pages[: len(after)]:
        was = draw_pdf_page(submission.untouched, facts["file"], page.number, SCALE)
        now = draw_pdf_page(submission, facts["public"], page.number, SCALE)
        if page.text.strip() and was.shape == now.shape:
            yield page, was, now


def _list_private_words(page: Page, terms: Sequence[re.Pattern[str]]) -> Iterator[tuple[str, Box]]:
    """The words of a page that belong to a private term."""
    starts, text = [], ""
    for word in page.words:
        starts.append(len(text))
        text += f"{word.text} "
    for term in terms:
        for match in term.finditer(text):
            for start, word in zip(starts, page.words, strict=True):
                if start < match.end() and start + len(word.text) > match.start():
                    yield word.text, word.box


def _text_fields(path: Path) -> tuple[tuple[int, str, Box], ...]:
    """Page, name and inner box of each field for text."""
    import pikepdf

    text_fields = []
    with pikepdf.open(path) as opened:
        for number, page in enumerate(opened.pages, 1):
            height = float(page.mediabox[3])
            for annot in page.obj.get("/Annots", []):
                if str(annot.get("/FT", "")) == "/Tx":
                    left, bottom, right, top = (float(side) for side in annot.Rect)
                    box = (left + _FRAME_PT, height - top + _FRAME_PT, right - _FRAME_PT, height - bottom - _FRAME_PT)
                    text_fields.append((number, str(annot.T), box))
    return tuple(text_fields)


def _words_in(picture: Any, box: Box) -> Iterator[Box]:
    """The boxes of the words that are seen in a field."""
    import numpy

    grey, (left, top, _, bottom) = _cut_part(picture, box), box
    dark = numpy.flatnonzero((grey < (grey.max() + grey.min()) / 2).any(axis=0)) if grey.size else numpy.array([])
    for word in numpy.split(dark, numpy.flatnonzero(numpy.diff(dark) > _GAP_PT * SCALE) + 1):
        if word.size:
            yield left + word[0] / SCALE, top, left + (word[-1] + 1) / SCALE, bottom


def _cut_part(picture: Any, box: Box) -> Any:
    left, top, right, bottom = (int(side * SCALE) for side in box)
    return picture[max(0, top) : bottom + 1, max(0, left) : right + 1].mean(axis=2)


def _as_before(was: Any, now: Any) -> float:
    """How much of the contrast between the letters and their ground is left where they stood."""
    letters = was < (was.max() + was.min()) / 2
    if was.size == 0 or was.max() - was.min() < 60:
        return 0.0
    return float((now[~letters].mean() - now[letters].mean()) / (was[~letters].mean() - was[letters].mean()))
