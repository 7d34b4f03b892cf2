"""Shared steps of reference solutions in the dialect GTA, using only its tools."""

import re
from dataclasses import dataclass

from yardkit.evaluators.proof import Agent

_PLACED = re.compile(r"\((-?\d+), (-?\d+), (-?\d+), (-?\d+)\)(?:,? (.*))?")


@dataclass(frozen=True)
class Placed:
    """A tool's finding at a place of a picture, in pixels; `text` is the text there, or the score of an object."""

    left: int
    top: int
    right: int
    bottom: int
    text: str = ""

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def bbox(self) -> str:
        """The place in the format of GTA's tools."""
        return f"({self.left}, {self.top}, {self.right}, {self.bottom})"


def read_lines(agent: Agent, image: str) -> list[Placed]:
    """Read the lines of a picture with `OCR`."""
    return _parse_boxes(agent.text("OCR", image=image))


def read_boxes(agent: Agent, image: str) -> list[tuple[tuple[int, ...], str]]:
    """Read the lines of a picture with `OCR`, each as its box (left, top, right, bottom) and its text."""
    return [((line.left, line.top, line.right, line.bottom), line.text) for line in read_lines(agent, image)]


def find_objects(agent: Agent, image: str, text: str, *, top1: bool = True) -> list[Placed]:
    """Find objects with `TextToBbox`, the best first."""
    return _parse_boxes(agent.text("TextToBbox", image=image, text=text, top1=top1))


def read_rows(agent: Agent, image: str) -> list[list[str]]:
    """Read the texts of a picture in rows from top to bottom, each from left to right."""
    rows: list[list[Placed]] = []
    for line in sorted(read_lines(agent, image), key=lambda line: line.middle[1]):
        if rows and rows[-1][0].top < line.middle[1] < rows[-1][0].bottom:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [[line.text for line in sorted(row, key=lambda line: line.left)] for row in rows]


def calculate_expression(agent: Agent, expression: str) -> str:
    """Return the result of `Calculator`."""
    return agent.text("Calculator", expression=expression)


def _parse_boxes(text: str) -> list[Placed]:
    return [_parse_box(match) for match in map(_PLACED.fullmatch, text.splitlines()) if match]


def _parse_box(match: re.Match[str]) -> Placed:
    left, top, right, bottom = map(int, match.groups()[:4])
    return Placed(left, top, right, bottom, match[5] or "")
