"""What is looked for in the texts of a deck. A regular expression of a caller may take for ever, so it can be ended."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from yardkit.kit.look_alikes import build_look_pattern
from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem

_SECONDS, _MEMORY_BYTES = 10.0, 500_000_000


class Match(NamedTuple):
    """Where a match begins and ends, and what takes its place."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Search:
    """A text or a regular expression (`re`) to look for.

    Attributes:
        text: as it was given.
        source: as a regular expression, with `flags`.
        regex: whether the text is one.
    """

    text: str
    source: str
    flags: int
    regex: bool

    @classmethod
    def compile(cls, text: str, *, regex: bool, match_case: bool, whole_words: bool) -> "Search":
        """Make it.

        Raises:
            Problem: the text is empty, or no regular expression.
        """
        if not text:
            raise Problem("the text to find is empty; give at least one character")
        source = text if regex else build_look_pattern(text)
        source = rf"(?<!\w)(?:{source})(?!\w)" if whole_words else source
        flags = 0 if match_case else int(re.IGNORECASE)
        try:
            re.compile(source, flags)
        except re.error as error:
            raise Problem(f"{text!r} is not a valid regular expression ({error})") from error
        return cls(text, source, flags, regex)

    def find(self, texts: Sequence[str], new: str = "") -> dict[str, list[Match]]:
        """The matches in each text, in order, apart and none of them empty; `new` takes their place.

        Raises:
            Problem: the expression takes too long, or `new` refers to a group that it does not have.
        """
        unique = list(dict.fromkeys(texts))
        if self.regex:
            matches = run_bounded(
                _expand_matches, self.source, self.flags, unique, new, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES
            )
        else:
            pattern = re.compile(self.source, self.flags)
            matches = [[Match(*match.span(), new) for match in pattern.finditer(text) if match[0]] for text in unique]
        return dict(zip(unique, matches, strict=True))


def _expand_matches(source: str, flags: int, texts: Sequence[str], new: str) -> list[list[Match]]:
    pattern = re.compile(source, flags)
    try:
        return [
            [Match(*match.span(), match.expand(new)) for match in pattern.finditer(text) if match[0]] for text in texts
        ]
    except (re.error, IndexError) as error:
        raise Problem(f"{new!r} refers to a group that the expression does not have ({error})") from error
