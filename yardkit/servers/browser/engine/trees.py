"""The tree of a page, as Playwright's snapshot writes it: parts of it, and places in it."""

from dataclasses import dataclass

from yardkit.world import Problem

SPAN = 5_000
"""Characters of a span of Toolathlon's."""


@dataclass(frozen=True)
class Place:
    """A line of a tree. line: from 1; span: from 0; in_span: its line there, from 1."""

    line: int
    span: int
    in_span: int
    text: str


def spans_of(tree: str, size: int = SPAN) -> list[str]:
    """A tree in parts of whole lines, each of at most `size` characters where its lines are not longer."""
    spans: list[list[str]] = [[]]
    length = 0
    for line in tree.split("\n"):
        if spans[-1] and length + len(line) + 1 > size:
            spans.append([])
            length = 0
        spans[-1].append(line)
        length += len(line) + 1
    return ["\n".join(lines) for lines in spans]


def places_of(tree: str, pattern: str, *, any_case: bool, size: int = SPAN) -> list[Place]:
    """The lines that a pattern (RE2) finds something in.

    Raises:
        Problem: the pattern is not valid.
    """
    import re2

    try:
        compiled_pattern = re2.compile(f"(?i){pattern}" if any_case else pattern)
    except re2.error as error:
        raise Problem(f"{pattern!r} is not a valid pattern ({error}); escape characters such as ( and ?") from error
    places, number = [], 0
    for span, text in enumerate(spans_of(tree, size)):
        for in_span, line in enumerate(text.split("\n"), 1):
            number += 1
            if compiled_pattern.search(line):
                places.append(Place(number, span, in_span, line))
    return places
