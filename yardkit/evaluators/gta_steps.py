"""What reference solutions of tasks in the words of GTA do again and again, with its tools alone."""

import re
from dataclasses import dataclass

from yardkit.evaluators.proof import Agent

_PLACED = re.compile(r"\((-?\d+), (-?\d+), (-?\d+), (-?\d+)\)(?:,? (.*))?")


@dataclass(frozen=True)
class Placed:
    """What a tool found at a place of a picture, in pixels; `text`: what stands there, or the score of an object."""

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
        """The place as the tools of GTA take it."""
        return f"({self.left}, {self.top}, {self.right}, {self.bottom})"


def read_lines(agent: Agent, image: str) -> list[Placed]:
    """The lines that `OCR` reads in a picture."""
    return _parse_boxes(agent.text("OCR", image=image))


def read_boxes(agent: Agent, image: str) -> list[tuple[tuple[int, ...], str]]:
    """The lines that `OCR` reads in a picture, each as its box (left, top, right, bottom) and its text."""
    return [((line.left, line.top, line.right, line.bottom), line.text) for line in read_lines(agent, image)]


def find_objects(agent: Agent, image: str, text: str, *, top1: bool = True) -> list[Placed]:
    """The objects that `TextToBbox` finds, the best first."""
    return _parse_boxes(agent.text("TextToBbox", image=image, text=text, top1=top1))


def read_rows(agent: Agent, image: str) -> list[list[str]]:
    """The texts of a picture, those of one height together from left to right, from top to bottom."""
    rows: list[list[Placed]] = []
    for line in sorted(read_lines(agent, image), key=lambda line: line.middle[1]):
        if rows and rows[-1][0].top < line.middle[1] < rows[-1][0].bottom:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [[line.text for line in sorted(row, key=lambda line: line.left)] for row in rows]


def calculate_expression(agent: Agent, expression: str) -> str:
    """What `Calculator` says."""
    return agent.text("Calculator", expression=expression)


def _parse_boxes(text: str) -> list[Placed]:
    return [_parse_box(match) for match in map(_PLACED.fullmatch, text.splitlines()) if match]


def _parse_box(match: re.Match[str]) -> Placed:
    left, top, right, bottom = map(int, match.groups()[:4])
    return Placed(left, top, right, bottom, match[5] or "")
