"""Plans of a hall with a stage and rows of numbered seats, and an empty strip below for a legend."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering.ink import Box, Color, Face, get_pen, new_image, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

SEAT_PX, STEP_PX, ROW_PX = 46, 58, 62
MARGIN_PX, TOP_PX, STRIP_PX = 96, 236, 170
_SCALE = 2  # drawn twice as large and scaled down, for smooth edges
_INK, _WALL, _SEAT, _EDGE, _STAGE = (44, 48, 56), (86, 90, 98), (242, 243, 245), (150, 154, 162), (222, 214, 200)


@dataclass(frozen=True)
class Hall:
    """A hall: rows from A on, seats in each, after which seat the aisle lies, its width, and which way seats count."""

    name: str
    rows: int
    seats: int
    aisle_after: int
    aisle_px: int
    from_right: bool

    @property
    def size(self) -> tuple[int, int]:
        """The plan in pixels."""
        return 2 * MARGIN_PX + self.seats * STEP_PX + self.aisle_px, TOP_PX + self.rows * ROW_PX + 40 + STRIP_PX

    @property
    def strip(self) -> Box:
        """Where nothing is drawn, below the hall."""
        width, height = self.size
        return 0, height - STRIP_PX, width, height

    def get_middle(self, row: int, seat: int) -> tuple[int, int]:
        """The middle of a seat, rows counted from 0 and seats from 1, in pixels."""
        x = MARGIN_PX + STEP_PX // 2 + (seat - 1) * STEP_PX + (self.aisle_px if seat > self.aisle_after else 0)
        return self.size[0] - x if self.from_right else x, TOP_PX + ROW_PX // 2 + row * ROW_PX

    def boxes(self) -> Iterator[tuple[str, Box]]:
        """The name of each seat, such as ``C7``, and its box."""
        for row in range(self.rows):
            for seat in range(1, self.seats + 1):
                x, y = self.get_middle(row, seat)
                half = SEAT_PX // 2
                yield f"{chr(65 + row)}{seat}", (x - half, y - half, x + half, y + half)


def seat_plan(hall: Hall, title: str, rng: random.Random) -> "Image":
    """The plan: stage, seats with their numbers, letters of the rows at both ends, doors and pillars."""
    from PIL import Image

    width, height = hall.size
    image = new_image(width * _SCALE, height * _SCALE, (253, 253, 251))
    draw, floor = get_pen(image), height - STRIP_PX
    _draw_box(draw, (26, 84, width - 26, floor), (250, 250, 248), _WALL, 5)
    _draw_text(draw, (34, 28), title, 32, bold=True)
    _draw_box(draw, (width // 2 - 240, 104, width // 2 + 240, 190), _STAGE, _WALL, 2)
    _draw_text(draw, (width // 2, 126), "STAGE", 30, align="center")
    for name, box in hall.boxes():
        _draw_box(draw, box, _SEAT, _EDGE, 2, 9)
        _draw_text(draw, ((box[0] + box[2]) / 2, box[1] + 11), name[1:], 19, align="center")
    for row in range(hall.rows):
        y = TOP_PX + row * ROW_PX + 17
        for x in (MARGIN_PX - 34, width - MARGIN_PX + 34):
            _draw_text(draw, (x, y), chr(65 + row), 22, bold=True, align="center")
    for x in (40, width - 40 - 26):
        y = TOP_PX - 60 + rng.randint(-10, 10)
        _draw_box(draw, (x, y, x + 26, y + 26), (120, 124, 132), _WALL, 1)
    door = rng.randint(width // 3, width // 2)
    draw.line([(door * _SCALE, floor * _SCALE), ((door + 90) * _SCALE, floor * _SCALE)], (253, 253, 251), 7 * _SCALE)
    _draw_text(draw, (door + 45, floor - 30), "Door", 18, align="center")
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _draw_box(draw: Any, box: Any, fill: Color, edge: Color, width: int, round_: int = 0) -> None:
    sides = [side * _SCALE for side in box]
    draw.rounded_rectangle(sides, round_ * _SCALE, fill=fill, outline=edge, width=width * _SCALE)


def _draw_text(
    draw: Any, place: tuple[float, float], words: str, size: int, *, bold: bool = False, align: Any = "left"
) -> None:
    face = Face("Liberation Sans", size * _SCALE, bold=bold)
    write_line(draw, (place[0] * _SCALE, place[1] * _SCALE), words, face, _INK, align)
