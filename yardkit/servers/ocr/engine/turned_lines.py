"""Lines that lie otherwise than their page: labels at its side, remarks upside down; and text in a mirror."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.servers.ocr.backends import Line, Quad, Recognised, Recogniser, Word, measure_side
from yardkit.servers.ocr.engine.image import Picture
from yardkit.servers.ocr.engine.readings import recognise_text

if TYPE_CHECKING:
    from yardkit.servers.ocr.backends import Pixels

_READ_WELL, _BETTER_BY = 0.9, 0.1
_MIN_LETTERS = 3
_TALL = 1.5
_MARGIN = 0.35
"""Of the height of a line, around what is read again."""
_TRIED, _GIVEN_UP_AFTER = 8, 3
_TRIED_MIRRORED = 3


@dataclass(frozen=True)
class TurnedLines:
    """What reads well when it is turned.

    Attributes:
        stretches: the lines of each stretch as they were read, in the coordinates of the page.
        rest: what was recognised without them.
        mirrored: texts that read well in a mirror.
    """

    stretches: tuple[tuple[Line, ...], ...]
    rest: Recognised
    mirrored: tuple[str, ...]


def read_turned_lines(pixels: Pixels, recognised: Recognised, reader: Recogniser, codes: list[str]) -> TurnedLines:
    """Read what is doubtful or not read at all in other turns, and try whether a mirror helps."""
    confidences: dict[Quad, float] = dict.fromkeys(recognised.unread, 0.0)
    confidences |= {line.quad: line.confidence for line in recognised.lines if line.confidence < reader.doubtful_below}
    quads = sorted(confidences, key=lambda quad: -max(measure_side(quad, 0, 1), measure_side(quad, 1, 2)))[:_TRIED]
    turned: dict[Quad, tuple[Line, ...]] = {}
    for number, quad in enumerate(quads):
        if number == _GIVEN_UP_AFTER and not turned:
            break
        lines = _read_in_turns(_cut_part(pixels, quad), quad, reader, codes)
        if _is_better(lines, confidences[quad]):
            turned[quad] = lines
    still = [quad for quad in quads if quad not in turned][:_TRIED_MIRRORED]
    mirrored = [text for quad in still if (text := _read_mirrored(pixels, quad, confidences[quad], reader, codes))]
    rest = Recognised(
        tuple(line for line in recognised.lines if line.quad not in turned),
        tuple(quad for quad in recognised.unread if quad not in turned),
    )
    return TurnedLines(tuple(turned.values()), rest, tuple(mirrored))


def _read_in_turns(part: Picture, quad: Quad, reader: Recogniser, codes: list[str]) -> tuple[Line, ...]:
    """The best reading of a part in the turns that its shape allows."""
    across, down = _measure_extent(quad)
    turns = (1, 3) if down > _TALL * across else (2,) if across > _TALL * down else (1, 2, 3)
    readings = []
    for count in turns:
        view = part.turn(count)
        lines = recognise_text(reader, view.pixels, codes).lines
        readings.append(tuple(_place_line(view, line) for line in lines))
    return max(readings, key=_rate_lines)


def _read_mirrored(pixels: Pixels, quad: Quad, confidence: float, reader: Recogniser, codes: list[str]) -> str:
    import numpy as np

    part = _cut_part(pixels, quad).pixels
    for mirrored_part in (part[:, ::-1], part[::-1]):
        lines = recognise_text(reader, np.ascontiguousarray(mirrored_part), codes).lines
        if _is_better(lines, confidence):
            return " ".join(line.text for line in lines)
    return ""


def _is_better(lines: tuple[Line, ...], confidence: float) -> bool:
    score = _rate_lines(lines)
    letters = sum(character.isalnum() for line in lines for character in line.text)
    return letters >= _MIN_LETTERS and score >= max(_READ_WELL, confidence + _BETTER_BY)


def _rate_lines(lines: tuple[Line, ...]) -> float:
    weight = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / weight if weight else 0.0


def _cut_part(pixels: Pixels, quad: Quad) -> Picture:
    """A stretch with some room around it, as a picture whose coordinates lead back to the page."""
    import numpy as np

    across, down = _measure_extent(quad)
    room = _MARGIN * min(across, down)
    left, top = (max(0, round(min(point[axis] for point in quad) - room)) for axis in (0, 1))
    right, bottom = (round(max(point[axis] for point in quad) + room) for axis in (0, 1))
    shift: Any = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]], float)
    return Picture(np.ascontiguousarray(pixels[top:bottom, left:right]), shift)


def _measure_extent(quad: Quad) -> tuple[float, float]:
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    return max(xs) - min(xs), max(ys) - min(ys)


def _place_line(part: Picture, line: Line) -> Line:
    words = tuple(Word(word.text, word.confidence, part.quad_in_source(word.quad)) for word in line.words)
    return Line(line.text, line.confidence, part.quad_in_source(line.quad), words)
