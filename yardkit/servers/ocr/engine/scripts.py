"""In which script the text of a picture is, as far as its looks and its letters tell."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from yardkit.servers.ocr.backends import Line
from yardkit.servers.ocr.backends.tesseract import look_at

if TYPE_CHECKING:
    from yardkit.servers.ocr.backends import Pixels

# Letters that a reader of Latin sees in Cyrillic text. Half of the letters of a Latin text are others.
_LIKE_CYRILLIC = frozenset("ABCEHKMOPTXYaceopxykmtuNëËïÏyµμ")
_MIN_LETTERS = 6
_GREEK_SHARE = 0.3
_LATIN = ("", "Latin", "Fraktur")


def script_of(pictures: Iterable[Pixels], lines: list[Line]) -> str:
    """The script of doubtful `lines` and of the first of `pictures` that does not look Latin; empty if it is not told.

    What could not be read is hardly Latin: so a part is looked at where the whole seems to be.
    """
    letters = "".join(line.text for line in lines)
    if _is_greek(letters):
        return "Greek"
    for pixels in pictures:
        look = look_at(pixels)
        if look and look.script not in _LATIN:
            return look.script
    return "Cyrillic" if any(map(like_cyrillic, lines)) else ""


def like_cyrillic(line: Line) -> bool:
    """Whether a line has only letters that Cyrillic letters look like."""
    letters = [letter for letter in line.text if letter.isalpha()]
    return len(letters) >= _MIN_LETTERS and set(letters) <= _LIKE_CYRILLIC


def _is_greek(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return sum("GREEK" in unicodedata.name(letter, "") for letter in letters) > _GREEK_SHARE * max(1, len(letters))
