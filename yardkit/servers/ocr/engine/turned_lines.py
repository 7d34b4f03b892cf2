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
_MIN_ASPECT = 1.5
_MARGIN = 0.2
"""Of the height of a line, around what is read again."""
_TRIED = 8
_FEW_LETTERS = 3
_MAX_GAP = 1.2
"""In heights of a line, between a stretch and letters that carry it on."""
_LEFT_RIGHT, _TOP_BOTTOM = "left_right", "top_bottom"


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
    quads = sorted(filter(_is_long, confidences), key=_measure_length, reverse=True)[:_TRIED]
    views = [(quad, turns, flip) for quad in quads for turns, flip in _list_views(quad)]
    strips = reader.read_strips([_show_view(pixels, *view) for view in views])
    best: dict[Quad, tuple[float, int, str, str]] = {}
    for (quad, turns, flip), (text, score) in zip(views, strips, strict=True):
        if _is_better(text, score, confidences[quad]):
            best[quad] = max(best.get(quad, (0.0, 0, "", "")), (score, turns, flip, text))
    pieces = [*recognised.unread, *(line.quad for line in recognised.lines if len(line.text) <= _FEW_LETTERS)]
    turned: dict[Quad, tuple[Line, ...]] = {}
    taken: set[Quad] = set()
    for quad, (_, turns, flip, _) in best.items():
        if flip or quad in taken:
            continue
        parts = _add_pieces(quad, pieces)
        if lines := _read_turned(_cut_part(pixels, _join_quads(parts)).turn(turns), reader, codes):
            turned[quad] = lines
            taken.update(parts)
    rest = Recognised(
        tuple(line for line in recognised.lines if line.quad not in taken),
        tuple(quad for quad in recognised.unread if quad not in taken),
    )
    return TurnedLines(tuple(turned.values()), rest, tuple(text for _, _, flip, text in best.values() if flip))


def _add_pieces(quad: Quad, pieces: list[Quad]) -> list[Quad]:
    """A stretch with the single letters that carry it on: the detector parts letters that stand above each other."""
    parts = [quad]
    axis = 1 if _measure_extent(quad)[1] > _measure_extent(quad)[0] else 0
    for _ in pieces:
        near = [piece for piece in pieces if piece not in parts and _carries_on(_join_quads(parts), piece, axis)]
        if not near:
            break
        parts += near
    return parts


def _carries_on(stretch: Quad, piece: Quad, axis: int) -> bool:
    """Whether a piece is in line with a stretch along an axis, and close."""
    (start, end), (begin, finish) = _measure_span(stretch, axis), _measure_span(piece, axis)
    (low, high), (left, right) = _measure_span(stretch, 1 - axis), _measure_span(piece, 1 - axis)
    gap = max(begin - end, start - finish)
    return low <= (left + right) / 2 <= high and gap <= _MAX_GAP * (high - low)


def _measure_span(quad: Quad, axis: int) -> tuple[float, float]:
    values = [point[axis] for point in quad]
    return min(values), max(values)


def _join_quads(quads: list[Quad]) -> Quad:
    """The box around stretches."""
    (left, right), (top, bottom) = (
        (min(_measure_span(quad, axis)[0] for quad in quads), max(_measure_span(quad, axis)[1] for quad in quads))
        for axis in (0, 1)
    )
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _list_views(quad: Quad) -> list[tuple[int, str]]:
    """Quarter turns and mirrors in which a stretch may be read."""
    across, down = _measure_extent(quad)
    return [(1, ""), (3, "")] if down > across else [(2, ""), (0, _LEFT_RIGHT), (0, _TOP_BOTTOM)]


def _show_view(pixels: Pixels, quad: Quad, turns: int, flip: str) -> Pixels:
    import numpy as np

    view = _cut_part(pixels, quad).turn(turns).pixels
    view = view[:, ::-1] if flip == _LEFT_RIGHT else view[::-1] if flip == _TOP_BOTTOM else view
    return np.ascontiguousarray(view)


def _read_turned(view: Picture, reader: Recogniser, codes: list[str]) -> tuple[Line, ...]:
    """The lines of a part that reads well as one strip, with the places of their words; none where they do not."""
    lines = recognise_text(reader, view.pixels, codes).lines
    return tuple(_place_line(view, line) for line in lines) if _rate_lines(lines) >= _READ_WELL else ()


def _is_better(text: str, score: float, confidence: float) -> bool:
    letters = sum(map(str.isalnum, text))
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


def _measure_length(quad: Quad) -> float:
    return max(measure_side(quad, 0, 1), measure_side(quad, 1, 2))


def _is_long(quad: Quad) -> bool:
    across, down = _measure_extent(quad)
    return max(across, down) > _MIN_ASPECT * min(across, down)


def _measure_extent(quad: Quad) -> tuple[float, float]:
    (left, right), (top, bottom) = _measure_span(quad, 0), _measure_span(quad, 1)
    return right - left, bottom - top


def _place_line(part: Picture, line: Line) -> Line:
    words = tuple(Word(word.text, word.confidence, part.quad_in_source(word.quad)) for word in line.words)
    return Line(line.text, line.confidence, part.quad_in_source(line.quad), words)
