"""Texts as a search compares them: whatever the case, with the plain letter for one that carries a mark."""

import unicodedata
from functools import cache

_REPLACEMENTS = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "\u0131": "i",
        # As the Arabic and Persian normalization of Lucene: spellings of one letter, and a sign that lengthens a line.
        "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647", "\u0640": "",
    }
)  # fmt: skip
_INDIC = ("\u0900", "\u0fff")
"""Scripts in which marks are vowels."""


def fold_letters(text: str) -> str:
    """A text in small letters without accents: ``Straße`` and ``STRASSE``, ``Łódź`` and ``lodz`` become equal."""
    return "".join(map(_fold_letter, text))


@cache
def _fold_letter(letter: str) -> str:
    if letter.isascii():
        return letter.lower()
    if _INDIC[0] <= letter <= _INDIC[1]:
        return letter
    parts = unicodedata.normalize("NFKD", letter.casefold().translate(_REPLACEMENTS))
    return "".join(part for part in parts if not unicodedata.combining(part)).translate(_REPLACEMENTS)
