"""What is to be removed: texts and patterns, found in any text however it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.servers.pdf.engine.content.searchable_text import DisplayedText, list_meanings
from yardkit.servers.pdf.engine.reading.text_folding import find_spans, normalize_text
from yardkit.world.boxes import Box

BLOCK = "\u2588"
_LONG = 5
"""Signs of a term that the end of one word and the beginning of the next do not come to by chance."""
_LONG_AMONG_NUMBERS = 12
"""Signs that a pattern does not find by chance in the half a million bytes of a color table."""


class Terms:
    """Compiled patterns; what they match in any text.

    Attributes:
        patterns: of RE2.
        pairs: each of them with the one that is looked for where what looks the same is one (see `text_folding`).
        least: how many glyphs, and how many different ones, a word of each of them has at least.
        literal: how many of them, from the first, stand for one text each.
    """

    def __init__(
        self,
        patterns: list[Any],
        least: list[tuple[int, int]] | None = None,
        literal: int = 0,
        of_folded: list[Any] | None = None,
    ) -> None:
        self.patterns = patterns
        self.pairs = list(zip(patterns, of_folded or patterns, strict=True))
        self.least = least or []
        self.literal = literal

    def contains(self, text: str) -> bool:
        """Whether a term stands in a text."""
        normalized_text = normalize_text(text)
        return any(pattern.search(text) or two.search(normalized_text) for pattern, two in self.pairs)

    def find(self, text: str, *, among_numbers: bool = False) -> Iterator[str]:
        """What of a text is a term; among numbers, what of it a pattern does not find by chance."""
        for place, (pattern, two) in enumerate(self.pairs):
            least = _LONG_AMONG_NUMBERS if among_numbers and place >= self.literal else 1
            if among_numbers:
                yield from (match.group(0) for match in pattern.finditer(text) if len(match.group(0)) >= least)
            else:
                yield from (text[start:end] for start, end in find_spans(pattern, text, two))

    def is_meant(self, text: str) -> bool:
        """Whether a term stands in a text, or in what is meant with its escapes and elements."""
        return any(map(self.contains, list_meanings(text)))

    def in_date(self, text: str) -> bool:
        """Whether a term stands in a date: one that was given as a text, or a pattern that means dates by their ``D:``.

        The digits of a date are a number by chance.
        """
        if any(pattern.search(text) for pattern in self.patterns[: self.literal]):
            return True
        return any(matched_text.casefold().startswith("d:") for matched_text in self.find(text))

    def appear_in(self, displayed_text: DisplayedText) -> bool:
        """Whether a term stands in what a page or a form shows."""
        if any(map(self.contains, displayed_text.texts)):
            return True
        return any(len("".join(term.split())) >= _LONG for text in displayed_text.joined for term in self.find(text))

    def boxes(self, displayed_text: DisplayedText) -> list[Box]:
        """Of the glyphs, in user space, with which a page or a form shows a term."""
        boxes = []
        for glyphs in displayed_text.glyphs:
            text = "".join(char for char, _ in glyphs)
            for start, end in (span for pattern, two in self.pairs for span in find_spans(pattern, text, two)):
                if glyphs is not displayed_text.glyphs[-1] or len("".join(text[start:end].split())) >= _LONG:
                    boxes += [box for _, box in glyphs[start:end] if box]
        return list(dict.fromkeys(boxes))

    def hidden(self, displayed_text: DisplayedText) -> bool:
        """Whether a term may stand in what a page or a form shows in fonts that do not tell what they mean."""
        return any(
            len(run) >= many and len(set(run)) >= kinds for run in displayed_text.unread for many, kinds in self.least
        )

    def blank_out(self, text: str) -> str:
        """The text with each match as blocks."""
        for pattern, two in self.pairs:
            for start, end in reversed(find_spans(pattern, text, two)):
                text = text[:start] + BLOCK * min(end - start, 12) + text[end:]
        return text
