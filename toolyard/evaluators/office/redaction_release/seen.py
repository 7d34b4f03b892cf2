"""What the pages of text show: whether private words can still be seen, and whether the others can."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from toolyard.evaluators.checkpoints import Facts
from toolyard.evaluators.readers.pdfs import Box, Page, page_pixels, pdf
from toolyard.evaluators.readers.rendered import legible
from toolyard.evaluators.submission import Submission

SCALE = 2.0
_AS_BEFORE = 0.6
"""Part of the contrast from which on letters are seen where they were; other letters in their place keep a third."""


def still_seen(submission: Submission, facts: Facts, terms: Sequence[re.Pattern[str]]) -> list[str]:
    """Private words that are seen where they stood, whatever text the page has."""
    found = []
    for page, was, now in _pages(submission, facts):
        for text, box in _private(page, terms):
            if _as_before(_part(was, box), _part(now, box)) > _AS_BEFORE:
                found.append(f"{text} on page {page.number}")
    return found


def covered(submission: Submission, facts: Facts) -> dict[int, list[str]]:
    """Words of each page that are text, and were seen in the dossier, and cannot be seen."""
    found = {}
    after = pdf(submission, facts["public"]).pages
    for page, was, now in _pages(submission, facts):
        before = Counter(word.text for word in page.words if legible(was, word.box, SCALE))
        words = [word for word in after[page.number - 1].words if before[word.text]]
        found[page.number] = [word.text for word in words if not legible(now, word.box, SCALE)]
    return found


def _pages(submission: Submission, facts: Facts) -> Iterator[tuple[Page, Any, Any]]:
    """The pages of the dossier that have text, as they look there and in the public version."""
    after = pdf(submission, facts["public"]).pages
    for page in pdf(submission.untouched, facts["file"]).pages[: len(after)]:
        was = page_pixels(submission.untouched, facts["file"], page.number, SCALE)
        now = page_pixels(submission, facts["public"], page.number, SCALE)
        if page.text.strip() and was.shape == now.shape:
            yield page, was, now


def _private(page: Page, terms: Sequence[re.Pattern[str]]) -> Iterator[tuple[str, Box]]:
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


def _part(picture: Any, box: Box) -> Any:
    left, top, right, bottom = (int(side * SCALE) for side in box)
    return picture[max(0, top) : bottom + 1, max(0, left) : right + 1].mean(axis=2)


def _as_before(was: Any, now: Any) -> float:
    """How much of the contrast between the letters and their ground is left where they stood."""
    letters = was < (was.max() + was.min()) / 2
    if was.size == 0 or was.max() - was.min() < 60:
        return 0.0
    return float((now[~letters].mean() - now[letters].mean()) / (was[~letters].mean() - was[letters].mean()))
