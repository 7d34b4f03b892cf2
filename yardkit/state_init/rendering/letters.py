"""Typed pages as an office scanner takes them: grey paper, slightly soft letters, and where each text stands."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yardkit.state_init.rendering.ink import Align, Color, Face, get_pen, make_paper, text_width, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

PX_PER_MM = 6.0
"""About 150 dots per inch."""
_INK: Color = (38, 38, 46)
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Line:
    """A line of type: its base line's place in mm from the top left corner of the sheet, and how it looks."""

    text: str
    y_mm: float
    x_mm: float = 25
    size_mm: float = 4.6
    bold: bool = False
    align: Align = "left"
    family: str = "Liberation Serif"

    @property
    def face(self) -> Face:
        return Face(self.family, round(self.size_mm * PX_PER_MM), bold=self.bold)

    def box(self, part: str) -> Box:
        """Left, top, right, bottom in mm of a part of a line that stands at the left.

        Raises:
            ValueError: the line does not hold it.
        """
        start = self.text.index(part)
        left = self.x_mm + text_width(self.text[:start], self.face) / PX_PER_MM
        width = text_width(self.text[: start + len(part)], self.face) / PX_PER_MM + self.x_mm - left
        return left, self.y_mm, left + width, self.y_mm + self.size_mm


def break_paragraph(
    text: str, y_mm: float, *, width_mm: float = 160, size_mm: float = 4.6, x_mm: float = 25
) -> list[Line]:
    """A text broken into lines."""
    lines: list[Line] = []
    words: list[str] = []
    for word in [*text.split(), ""]:
        trial = Line(" ".join([*words, word]), y_mm + len(lines) * size_mm * 1.45, x_mm, size_mm)
        if word and text_width(trial.text, trial.face) <= width_mm * PX_PER_MM:
            words.append(word)
            continue
        lines.append(Line(" ".join(words), trial.y_mm, x_mm, size_mm))
        words = [word]
    return lines


def draw_scanned_page(
    lines: Sequence[Line], rng: random.Random, *, ink: Color = _INK, landscape: bool = False
) -> "Image":
    """An A4 sheet with these lines as a flatbed scanner takes it, upright."""
    from PIL import ImageFilter

    width, height = (round(side * PX_PER_MM) for side in ((297, 210) if landscape else (210, 297)))
    sheet = make_paper(width, height, (247, 246, 243), rng, grain=2.2)
    draw = get_pen(sheet)
    for line in lines:
        write_line(draw, (line.x_mm * PX_PER_MM, line.y_mm * PX_PER_MM), line.text, line.face, ink, line.align)
    return sheet.filter(ImageFilter.GaussianBlur(0.6))
