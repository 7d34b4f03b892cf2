"""From an image file to a page: upright, level, large enough, recognised and in reading order."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from pathlib import Path

from yardkit.servers.ocr.backends import (
    BackendChoice,
    Line,
    Quad,
    Recognised,
    Recogniser,
    choose_recogniser,
    measure_side,
    runs_down,
)
from yardkit.servers.ocr.backends.tesseract import look_at
from yardkit.servers.ocr.engine.doubts import resolve_doubts
from yardkit.servers.ocr.engine.image import MAX_WORKING_PIXELS, Picture, load_image
from yardkit.servers.ocr.engine.layout import Placed, level_lines, median_angle, reading_rows
from yardkit.servers.ocr.engine.readings import recognise_text
from yardkit.servers.ocr.languages import language_code

_SURE = 0.93
_BETTER_BY = 0.02
_SURE_TURN = 1.0
_GOOD_HEIGHT_PX = 28.0
_MIN_ZOOM = 2.0
_MAX_ZOOM = 4.0
_DOUBTFUL = 0.85
_MAX_SKEW_DEG = 20.0
_LEVEL_DEG = 0.4
_PROFILE_SIDE = 600


@dataclass(frozen=True)
class Page:
    """A recognised image: `rows` of lines in reading order and the `unread`, in the coordinates of `picture`."""

    width: int
    height: int
    picture: Picture
    rows: list[list[Placed]]
    rotation_deg: int
    skew_deg: float
    zoom: float
    recogniser: Recogniser
    languages: list[str]
    unread: tuple[Quad, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Attempt:
    picture: Picture
    recognition: Recognised
    turns: int
    zoom: float = 1.0

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.recognition.lines

    @property
    def score(self) -> float:
        """Mean confidence by length of text, over lines that lie level; those that stand count nothing."""
        weight = sum(len(line.text) for line in self.lines)
        good = sum(line.confidence * len(line.text) for line in self.lines if not _is_vertical(line))
        return good / weight if weight else 0.0

    @property
    def good(self) -> bool:
        return self.score >= _SURE and self.standing <= 0.5

    @property
    def standing(self) -> float:
        return sum(_is_vertical(line) for line in self.lines) / len(self.lines) if self.lines else 0.0


def read_page(
    path: Path,
    backend: BackendChoice = "auto",
    languages: list[str] | None = None,
    bbox_px: list[int] | None = None,
    zoom: float | None = None,
) -> Page:
    """Recognise an image file, or the part `bbox_px` of it.

    Raises:
        Problem: no image, too large, an unknown language, or no backend that reads the languages.
    """
    codes = [language_code(text) for text in languages or []]
    reader = choose_recogniser(backend, codes)
    loaded = load_image(path, bbox_px)
    picture = loaded.picture.zoom(_limit_factor(loaded.picture, zoom)) if zoom else loaded.picture
    best_attempt = _find_upright(picture, reader, codes)
    if zoom is None:
        best_attempt = _large_enough(best_attempt, reader, codes)
    lines, unread, notes = resolve_doubts(best_attempt.picture.pixels, best_attempt.recognition, reader, codes)
    tilt = math.degrees(median_angle([_in_source(best_attempt.picture, line) for line in lines]))
    scale = 1 / math.hypot(*best_attempt.picture.to_source[:2, 0])
    return Page(
        loaded.width,
        loaded.height,
        best_attempt.picture,
        reading_rows(level_lines(list(lines))),
        (360 - 90 * best_attempt.turns) % 360,
        _compute_skew(tilt),
        round(scale, 3),
        reader,
        codes,
        unread,
        notes,
    )


def _find_upright(picture: Picture, reader: Recogniser, codes: list[str]) -> _Attempt:
    """The reading of the picture as it is or turned by a quarter, half or three quarters, whichever reads best."""
    best = _attempt_reading(picture, 0, reader, codes)
    if best.good:
        return best
    for turns in reader.turns(best.picture.pixels, best.recognition):
        other = _attempt_reading(picture, turns, reader, codes)
        if other.score > best.score + _BETTER_BY:
            best = other
        if best.good:
            return best
    return _by_its_looks(picture, best, reader, codes) if best.recognition.unread and not best.lines else best


def _by_its_looks(picture: Picture, unread: _Attempt, reader: Recogniser, codes: list[str]) -> _Attempt:
    """Text that the reader does not know in any turn is turned as Tesseract sees it lie, which may read it."""
    look = look_at(picture.pixels)
    standing = sum(map(runs_down, unread.recognition.unread)) > len(unread.recognition.unread) / 2
    if look and look.turns and (look.sureness > _SURE_TURN or standing):
        return _attempt_reading(picture, look.turns, reader, codes)
    return unread


def _attempt_reading(picture: Picture, turns: int, reader: Recogniser, codes: list[str]) -> _Attempt:
    turned = picture.turn(turns) if turns else picture
    if not reader.reads_skewed:
        angle = _estimated_skew(turned)
        turned = turned.straighten(-angle) if abs(angle) >= _LEVEL_DEG else turned
    return _Attempt(turned, recognise_text(reader, turned.pixels, codes), turns)


def _large_enough(attempt: _Attempt, reader: Recogniser, codes: list[str]) -> _Attempt:
    """Small or doubtful text is read again in an enlarged picture; the better reading stays."""
    quads = [*(line.quad for line in attempt.lines), *attempt.recognition.unread]
    height = statistics.median([measure_side(quad, 0, 3) for quad in quads] or [_GOOD_HEIGHT_PX])
    if height >= reader.small_text_px and (attempt.score >= _DOUBTFUL or height > _GOOD_HEIGHT_PX):
        return attempt
    factor = _limit_factor(attempt.picture, min(_MAX_ZOOM, max(_MIN_ZOOM, _GOOD_HEIGHT_PX / max(height, 1.0))))
    larger = attempt.picture.zoom(factor)
    again = _Attempt(larger, recognise_text(reader, larger.pixels, codes), attempt.turns, factor)
    return again if again.score >= attempt.score else attempt


def _limit_factor(picture: Picture, factor: float) -> float:
    height, width = picture.pixels.shape[:2]
    return float(min(factor, max(1.0, (MAX_WORKING_PIXELS / (height * width)) ** 0.5)))


def _is_vertical(line: Line) -> bool:
    return len(line.text) > 1 and runs_down(line.quad)


def _in_source(picture: Picture, line: Line) -> Line:
    return Line(line.text, line.confidence, picture.quad_in_source(line.quad), ())


def _compute_skew(tilt_deg: float) -> float:
    """What is left of the slope of the text when quarter turns are taken out, in (-45, 45]."""
    return round((tilt_deg + 45) % 90 - 45, 1) + 0.0


def _estimated_skew(picture: Picture) -> float:
    """The slope of the text in degrees, clockwise positive: where the sums over rows differ most."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2GRAY)
    scale = min(1.0, _PROFILE_SIDE / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    _, ink = cv2.threshold(small, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = ink if ink.mean() < 0.5 else 1 - ink
    height, width = ink.shape

    def sharpness(degrees: float) -> float:
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        rows = cv2.warpAffine(ink.astype(np.float32), matrix, (width, height)).sum(axis=1)
        return float(((rows[1:] - rows[:-1]) ** 2).sum())

    coarse = max(np.arange(-_MAX_SKEW_DEG, _MAX_SKEW_DEG + 1, 1.0), key=sharpness)
    return float(max(np.arange(coarse - 1, coarse + 1.01, 0.2), key=sharpness))
