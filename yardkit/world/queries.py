"""Searches for words, as people write them, in texts of any program."""

import re
import unicodedata
from functools import cache

_TERM = re.compile(r'"([^"]*)"|(\S+)')
_REPLACEMENTS = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "\u0131": "i",
        # As the Arabic and Persian normalization of Lucene: spellings of one letter, and a sign that lengthens a line.
        "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647", "\u0640": "",
    }
)  # fmt: skip
_INDIC = ("\u0900", "\u0fff")
"""Scripts in which marks are vowels."""
_VOICED = "\u3099\u309a"
"""Marks of kana, which make another letter."""


def fold_letters(text: str) -> str:
    """A text in small letters without accents: ``Straße`` and ``STRASSE``, ``Łódź`` and ``lodz`` become equal."""
    if text.isascii():
        return text.lower()
    return "".join(map(_fold_letter, unicodedata.normalize("NFC", text)))


@cache
def _fold_letter(letter: str) -> str:
    if _INDIC[0] <= letter <= _INDIC[1]:
        return letter
    parts = unicodedata.normalize("NFKD", letter.casefold().translate(_REPLACEMENTS))
    return unicodedata.normalize("NFC", "".join(filter(_is_compared, parts)).translate(_REPLACEMENTS))


def _is_compared(sign: str) -> bool:
    """Whether a sign is more than an accent or one that nobody sees, such as a soft hyphen."""
    return sign in _VOICED or not (unicodedata.combining(sign) or unicodedata.category(sign) == "Cf")


def fold_text(text: str) -> str:
    """A text with folded letters, and one blank where it has any."""
    return " ".join(fold_letters(text).split())


def split_query(query: str) -> list[str]:
    """The words of a query, folded; words in quotes are one."""
    terms = (fold_text(phrase or word) for phrase, word in _TERM.findall(query))
    return [term for term in terms if term]
