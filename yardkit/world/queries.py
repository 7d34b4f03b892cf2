"""Searches for words, as people write them, in texts of any program."""

import re
import unicodedata

_TERM = re.compile(r'"([^"]*)"|(\S+)')


def fold_text(text: str) -> str:
    """A text as searches compare it: without regard to case, to how accents are composed and to kinds of blanks."""
    composed = unicodedata.normalize("NFC", text) if not text.isascii() else text
    return " ".join(composed.casefold().split())


def split_query(query: str) -> list[str]:
    """The words of a query, folded; words in quotes are one."""
    terms = (fold_text(phrase or word) for phrase, word in _TERM.findall(query))
    return [term for term in terms if term]
