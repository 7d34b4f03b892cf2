"""The recognisers behind one interface: an upright image in, lines of words with boxes out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from yardkit.world import Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
BackendName = Literal["rapidocr", "tesseract"]
BackendChoice = Literal["auto", "rapidocr", "tesseract"]
_TALL = 1.5


@dataclass(frozen=True)
class Word:
    """A word: `text`, `confidence` in [0, 1], `quad` clockwise from its own top left in pixels."""

    text: str
    confidence: float
    quad: Quad


@dataclass(frozen=True)
class Line:
    """What a recogniser found in one stretch of text: its words from left to right."""

    text: str
    confidence: float
    quad: Quad
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Recognised:
    """The lines of a picture in any order, and the stretches of text that were seen but not read."""

    lines: tuple[Line, ...] = ()
    unread: tuple[Quad, ...] = ()


class Recogniser(Protocol):
    """A backend. It never downloads anything."""

    name: BackendName
    small_text_px: float
    """Lines lower than this many pixels are read better when the image is enlarged."""
    reads_skewed: bool
    doubtful_below: float
    """Lines of less confidence are often misread: text of another script is guessed in Latin letters."""

    def missing(self) -> str:
        """Why it cannot be used here and what to do; empty when it can."""
        ...

    def model(self) -> str: ...

    def languages(self) -> list[str]:
        """Codes that it can read now."""
        ...

    def how_to_add(self, language: str) -> str:
        """What a user does to get `language`."""
        ...

    def read(self, image: Pixels, languages: list[str]) -> Recognised:
        """What stands in an RGB image (height, width, 3)."""
        ...

    def read_strips(self, images: list[Pixels]) -> list[tuple[str, float]]:
        """The text and the confidence of each of some RGB images, taken as one line: quick, and without places."""
        ...

    def turns(self, image: Pixels, recognised: Recognised) -> tuple[int, ...]:
        """Quarter turns counter-clockwise worth trying where `found` reads badly, told without reading it all."""
        ...


def measure_side(quad: Quad, start: int, end: int) -> float:
    """The length between two corners."""
    return math.dist(quad[start], quad[end])


def runs_down(quad: Quad) -> bool:
    """Whether a stretch of text stands rather than lies."""
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    return max(ys) - min(ys) > _TALL * (max(xs) - min(xs))


def get_recogniser(name: BackendName) -> Recogniser:
    """The backend called `name`, installed or not."""
    if name == "tesseract":
        from yardkit.servers.ocr.backends.tesseract import Tesseract

        return Tesseract()
    from yardkit.servers.ocr.backends.rapidocr import RapidOcr

    return RapidOcr()


def choose_recogniser(backend: BackendChoice, languages: list[str]) -> Recogniser:
    """The asked backend, or with ``auto`` the first that is installed and reads all `languages`.

    Raises:
        Problem: none does; it says what to install.
    """
    names: tuple[BackendName, ...] = ("rapidocr", "tesseract") if backend == "auto" else (backend,)
    reasons = []
    for name in names:
        candidate = get_recogniser(name)
        reason = candidate.missing() or _explain_missing(candidate, languages)
        if not reason:
            return candidate
        reasons.append(f"{name}: {reason}")
    raise Problem("no OCR backend can read this; " + "; ".join(reasons))


def _explain_missing(candidate: Recogniser, languages: list[str]) -> str:
    readable = set(candidate.languages())
    return "; ".join(candidate.how_to_add(code) for code in languages if code not in readable)
