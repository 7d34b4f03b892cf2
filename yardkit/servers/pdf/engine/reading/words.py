"""The words of a page as PDFium finds them, with boxes of each character on the page as shown."""

from __future__ import annotations

import ctypes
import math
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.kit.pages.space import Space, space_in_pdfium
from yardkit.servers.pdf.engine.package.pages import has_overlap
from yardkit.world.boxes import Box

MAX_CHARS = 400_000
"""Characters of one page; a page with more is read up to there."""
_HYPHENS = {"\x02": "-", "\ufffe": "-", "\u00ad": "-"}
_UPRIGHT_DEG = 8

Char = tuple[str, Box]


@dataclass(frozen=True)
class Word:
    """A word in the order of the page's content.

    Attributes:
        text: its characters, ligatures resolved.
        box: on the page as shown.
        chars: boxes, one per character of `text`.
        turn: how far it is turned on the page as shown: 0, 90, 180 or 270 degrees clockwise; None if otherwise.
    """

    text: str
    box: Box
    chars: tuple[Box, ...]
    turn: int | None = 0

    @property
    def level(self) -> bool:
        """Whether it runs from left to right on the page as shown."""
        return self.turn == 0

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


def words_of(page: Any, clip: list[float] | None = None) -> list[Word]:
    """The words of a pypdfium2 page, those whose middle lies in `clip` if it is given."""
    words = list(_iter_words(page))
    if clip is None:
        return words
    return [word for word in words if _middle_in(word.box, clip)]


def _middle_in(box: Box, clip: list[float]) -> bool:
    return clip[0] <= (box[0] + box[2]) / 2 <= clip[2] and clip[1] <= (box[1] + box[3]) / 2 <= clip[3]


def _iter_words(page: Any) -> Iterator[Word]:
    import pypdfium2.raw as raw

    space = space_in_pdfium(page)
    textpage = page.get_textpage()
    try:
        pending_characters: list[Char] = []
        turn: int | None = 0
        for index, char, box in _iter_characters(textpage.raw, textpage.count_chars(), space):
            if pending_characters and (
                box is None or _is_word_break(turn_upright(pending_characters[-1][1], turn), turn_upright(box, turn))
            ):
                yield word_of(pending_characters, turn)
                pending_characters = []
            if box is not None:
                turn = (
                    turn if pending_characters else _compute_turn(raw.FPDFText_GetCharAngle(textpage.raw, index), space)
                )
                pending_characters += [(letter, box) for letter in _expand_ligature(char)]
        if pending_characters:
            yield word_of(pending_characters, turn)
    finally:
        textpage.close()


def _iter_characters(textpage: Any, count: int, space: Space) -> Iterator[tuple[int, str, Box | None]]:
    """Index, character and box of each; no box where words end."""
    import pypdfium2.raw as raw

    rect = raw.FS_RECTF()
    reference = ctypes.byref(rect)
    high = 0
    for index in range(min(count, MAX_CHARS)):
        code = raw.FPDFText_GetUnicode(textpage, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000 and high:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
        high = 0
        char = chr(code)
        if code == 0 or char.isspace():
            yield index, " ", None
        elif raw.FPDFText_GetLooseCharBox(textpage, index, reference):
            yield index, char, space.convert_box((rect.left, rect.bottom, rect.right, rect.top))


def _expand_ligature(char: str) -> str:
    if "\ufb00" <= char <= "\ufb06":
        return unicodedata.normalize("NFKC", char)
    return _HYPHENS.get(char, char)


def _is_word_break(before: Box, after: Box) -> bool:
    """Whether two neighbours of the content stand too far apart to be of one word."""
    size = max(before[3] - before[1], before[2] - before[0], 1.0)
    apart_x = max(after[0] - before[2], before[0] - after[2])
    apart_y = max(after[1] - before[3], before[1] - after[3])
    shifted = abs((before[1] + before[3]) - (after[1] + after[3])) > 1.4 * size
    return apart_x > 0.9 * size or apart_y > 0.3 * size or (shifted and not has_overlap(before, after))


def turn_upright(box: Box, turn: int | None) -> Box:
    """A box as it stands when the page is turned so that words with this turn run from left to right."""
    x0, y0, x1, y1 = box
    return {90: (y0, -x1, y1, -x0), 180: (-x1, -y1, -x0, -y0), 270: (-y1, x0, -y0, x1)}.get(turn or 0, box)


def turned_back(point: tuple[float, float], turn: int | None) -> tuple[float, float]:
    """A point of a box that `turn_upright` gave on the page as shown."""
    x, y = point
    return {90: (-y, x), 180: (-x, -y), 270: (y, -x)}.get(turn or 0, point)


def turn_at(words: list[Word], box: Any) -> int | None:
    """The turn of the first of the words whose middle lies in a box; 0 where none does."""
    return next((word.turn for word in words if has_overlap(word.box, box)), 0)


def _compute_turn(angle: float, space: Space) -> int | None:
    """The turn on the page as shown of a character with an angle (radians) in user space."""
    degrees = math.degrees(angle) + space.rotation
    nearest = round(degrees / 90) * 90
    return nearest % 360 if abs(degrees - nearest) < _UPRIGHT_DEG else None


def word_of(chars: list[Char], turn: int | None) -> Word:
    """A word of characters with their boxes."""
    boxes = tuple(box for _, box in chars)
    outer_box = (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
    return Word("".join(char for char, _ in chars), outer_box, boxes, turn)
