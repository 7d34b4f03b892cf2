"""Plans of a floor with rooms, desks and seats whose colour tells who sits there."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering.ink import Box, Color, Face, get_pen, new_image, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

METRE_PX = 50
CORNER_PX = (60, 100)
"""The upper left corner of the floor on the plan."""
SEATS_IN_A_ROW, MOST_SEATS = 4, 8
_SEAT_PX, _DESK_PX = 13, (66, 30)
_SCALE = 2  # drawn twice as large and scaled down, for smooth edges
_WALL, _INK, _DESK, _PLANT = (70, 74, 82), (40, 44, 52), (222, 205, 180), (52, 112, 62)


@dataclass(frozen=True)
class Room:
    """A room: left, top, width and depth in metres from the corner of the floor, and its seats in order, by kind."""

    name: str
    box_m: tuple[float, float, float, float]
    seats: Sequence[str]

    @property
    def box_px(self) -> Box:
        """Its walls on the plan."""
        left, top, width, depth = (round(side * METRE_PX) for side in self.box_m)
        x, y = CORNER_PX
        return x + left, y + top, x + left + width, y + top + depth


def floor_plan(title: str, rooms: Sequence[Room], colors: Mapping[str, Color], rng: random.Random) -> "Image":
    """The plan of a floor, rooms above and below a corridor, with a legend of the kinds of seats below it.

    A seat is a disc; plants are stars of a green of their own, and stand in rooms and in the corridor.
    """
    from PIL import Image

    right, bottom = (max(room.box_px[side] for room in rooms) for side in (2, 3))
    width, height = right + CORNER_PX[0], bottom + 110
    image = new_image(width * _SCALE, height * _SCALE, (253, 253, 251))
    draw = _Pen(get_pen(image))
    draw.text((CORNER_PX[0], 30), title, 34, bold=True)
    draw.box((*CORNER_PX, right, bottom), None, _WALL, 8)
    for room in rooms:
        _draw_room(draw, room, colors, rng)
    _draw_corridor(draw, rooms, rng)
    for place, (kind, color) in enumerate(colors.items()):
        x = CORNER_PX[0] + 20 + 230 * place
        draw.draw_disc((x, bottom + 56), _SEAT_PX, color)
        draw.text((x + 26, bottom + 42), kind, 22)
    x = CORNER_PX[0] + 20 + 230 * len(colors)
    _draw_plant(draw, (x, bottom + 56))
    draw.text((x + 26, bottom + 42), "plant", 22)
    return image.resize((width, height), Image.Resampling.LANCZOS)


class _Pen:
    """Draws in pixels of the plan."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw

    def box(
        self, box: tuple[float, ...], fill: Color | None, edge: Color | None, width: int = 2, round_: int = 0
    ) -> None:
        scaled = [side * _SCALE for side in box]
        self._draw.rounded_rectangle(scaled, round_ * _SCALE, fill=fill, outline=edge, width=width * _SCALE)

    def draw_disc(self, middle: tuple[float, float], radius: float, fill: Color) -> None:
        x, y = middle
        self._draw.ellipse([side * _SCALE for side in (x - radius, y - radius, x + radius, y + radius)], fill=fill)

    def draw_lines(self, points: Sequence[tuple[float, float]], fill: Color, width: int) -> None:
        self._draw.line([(x * _SCALE, y * _SCALE) for x, y in points], fill=fill, width=width * _SCALE)

    def shape(self, points: Sequence[tuple[float, float]], fill: Color) -> None:
        self._draw.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill=fill)

    def arc(self, middle: tuple[float, float], radius: float, start: int, end: int) -> None:
        x, y = middle
        box = [side * _SCALE for side in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.arc(box, start, end, fill=_WALL, width=2 * _SCALE)

    def text(self, place: tuple[float, float], words: str, size: int, *, bold: bool = False) -> None:
        face = Face("Liberation Sans", size * _SCALE, bold=bold)
        write_line(self._draw, (place[0] * _SCALE, place[1] * _SCALE), words, face, _INK)


def _draw_room(draw: _Pen, room: Room, colors: Mapping[str, Color], rng: random.Random) -> None:
    left, top, right, bottom = room.box_px
    draw.box((left, top, right, bottom), (247, 248, 250), _WALL, 5)
    draw.text((left + 20, top + 16), room.name, 26, bold=True)
    draw.text((left + 20, top + 48), f"{room.box_m[2] * room.box_m[3]:.0f} m\u00b2", 18)
    places = [(column, row) for row in range(2) for column in range(SEATS_IN_A_ROW)]
    step = (right - left - 40) / SEATS_IN_A_ROW
    for (column, row), kind in zip(sorted(rng.sample(places, len(room.seats))), room.seats, strict=True):
        x, y = left + 20 + step * (column + 0.5), top + 112 + 96 * row
        draw.box((x - _DESK_PX[0] / 2, y, x + _DESK_PX[0] / 2, y + _DESK_PX[1]), _DESK, (150, 132, 104), 1, 3)
        draw.box((x - 14, y + 5, x + 14, y + 13), (90, 94, 100), None)  # a screen
        draw.draw_disc((x, y + _DESK_PX[1] + _SEAT_PX + 6), _SEAT_PX, colors[kind])
    if rng.random() < 0.6:
        _draw_plant(draw, (right - 32, top + 36))


def _draw_corridor(draw: _Pen, rooms: Sequence[Room], rng: random.Random) -> None:
    """A door of each room onto the corridor, its name, and plants."""
    above = max(room.box_px[3] for room in rooms if room.box_m[1] == 0)
    for room in rooms:
        x, wall = room.box_px[0] + 60, room.box_px[3] if room.box_m[1] == 0 else room.box_px[1]
        draw.draw_lines([(x, wall), (x + 44, wall)], (253, 253, 251), 7)
        swing = 1 if room.box_m[1] == 0 else -1
        draw.draw_lines([(x, wall), (x, wall + 44 * swing)], _WALL, 2)
        draw.arc((x, wall), 44, *((0, 90) if swing > 0 else (270, 360)))
    draw.text((CORNER_PX[0] + 30, above + 62), "Corridor", 22)
    for place in range(rng.randint(1, 3)):
        _draw_plant(draw, (CORNER_PX[0] + 240 + 300 * place + rng.randint(0, 250), above + rng.randint(66, 84)))


def _draw_plant(draw: _Pen, middle: tuple[float, float]) -> None:
    turns = [(math.radians(36 * point - 90), 17 if point % 2 == 0 else 8) for point in range(10)]
    draw.shape(
        [(middle[0] + reach * math.cos(turn), middle[1] + reach * math.sin(turn)) for turn, reach in turns], _PLANT
    )
