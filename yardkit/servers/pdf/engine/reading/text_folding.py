"""One text for all that look the same: accents put together or not, ligatures, quotes, dashes, signs nobody sees."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Any

Span = tuple[int, int]
UNSEEN: dict[int, str | None] = dict.fromkeys(
    (
        *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x180E, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE0080),
    )
)
"""Soft hyphens, joiners, marks of direction, selectors, tags of languages."""
_LOOKALIKES: dict[int, str | None] = {
    **UNSEEN,
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02b9\u02bc\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212"), "-"),
}
_LANGUAGE = re.compile("\x1b[^\x1b]{1,3}\x1b")
"""How a string says in which language it goes on (ISO 32000-1, 7.9.2.2)."""
_RIGHT_TO_LEFT = ("R", "AL")


def normalize_text(text: str) -> str:
    """The text with all that looks the same as one."""
    if text.isascii() and "\x1b" not in text and "`" not in text:
        return text
    return unicodedata.normalize("NFKC", _LANGUAGE.sub("", text).translate(_LOOKALIKES))


def find_spans(pattern: Any, text: str, of_folded: Any) -> list[Span]:
    """Where a pattern matches a text, or another one the folded text; in the order of the text."""
    matching_spans: list[Span] = [match.span() for match in pattern.finditer(text) if match.group(0)]
    if of_folded is pattern and normalize_text(text) == text:
        return matching_spans
    normalized_text, owners = _normalize_with_owners(text)
    for match in of_folded.finditer(normalized_text):
        if match.group(0):
            start, end = owners[match.start()][0], owners[match.end() - 1][1]
            if not any(first <= start and end <= last for first, last in matching_spans):
                matching_spans.append((start, end))
    return sorted(matching_spans)


def _normalize_with_owners(text: str) -> tuple[str, list[Span]]:
    """The folded text, and for each of its characters where in the text it comes from."""
    parts: list[str] = []
    owners: list[Span] = []
    for start, end in _split_clusters(text):
        part = normalize_text(text[start:end])
        parts.append(part)
        owners += [(start, end)] * len(part)
    return "".join(parts), owners


def _split_clusters(text: str) -> list[Span]:
    """Characters with what is put on them."""
    marks = {at for at, char in enumerate(text) if not char.isascii() and _belongs_before(char)}
    for match in _LANGUAGE.finditer(text):
        marks |= set(range(match.start() + 1, match.end()))
    starts = [at for at in range(len(text)) if at == 0 or at not in marks]
    return list(pairwise([*starts, len(text)]))


def _belongs_before(char: str) -> bool:
    return unicodedata.combining(char) > 0 or "\u1160" <= char <= "\u11ff"


def is_right_to_left(char: str) -> bool:
    """Whether a letter is written from right to left."""
    return unicodedata.bidirectional(char) in _RIGHT_TO_LEFT
