"""Pictures of drawn things, of which it is known how many there are."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

COLORS = {
    "red": "#d62728",
    "green": "#2ca02c",
    "blue": "#1f77b4",
    "yellow": "#f5d000",
    "purple": "#9467bd",
    "orange": "#ff7f0e",
    "black": "#111111",
    "brown": "#8b4513",
}
_CORNERS = {"triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6}
SHAPES = ("circle", *_CORNERS, "star", "cross", "rectangle")
_TWICE = 2


@dataclass(frozen=True)
class Drawn:
    """A thing: its shape and colour, its middle and radius in pixels, its turn in radians."""

    shape: str
    color: str
    x: float
    y: float
    radius: float
    turn: float = 0.0


def scatter_things(
    seed: int, count: int, size: tuple[int, int] = (600, 400), radius: tuple[int, int] = (14, 36)
) -> list[Drawn]:
    """Things of all shapes and colours that touch neither each other nor the edge."""
    chance = random.Random(seed)
    placed: list[Drawn] = []
    while len(placed) < count:
        reach = chance.uniform(*radius)
        x, y = (chance.uniform(reach + 4, side - reach - 4) for side in size)
        if all(
            math.hypot(x - placed_thing.x, y - placed_thing.y) > reach + placed_thing.radius + 4
            for placed_thing in placed
        ):
            shape, color = chance.choice(SHAPES), chance.choice(sorted(COLORS))
            placed.append(Drawn(shape, color, x, y, reach, chance.uniform(0, math.tau)))
    return placed


def draw_scene(
    things: Sequence[Drawn], size: tuple[int, int] = (600, 400), *, noise: float = 0.0, fades: bool = False
) -> Image.Image:
    """A picture of things, with noise of a standard deviation on a scale of 255, and a ground that fades or not."""
    picture = Image.new("RGB", (size[0] * _TWICE, size[1] * _TWICE), "#f4f1e8")
    pen = ImageDraw.Draw(picture)
    for thing in things:
        if thing.shape == "circle":
            edges = (thing.x - thing.radius, thing.y - thing.radius, thing.x + thing.radius, thing.y + thing.radius)
            pen.ellipse([edge * _TWICE for edge in edges], fill=COLORS[thing.color])
        else:
            pen.polygon([(x * _TWICE, y * _TWICE) for x, y in _compute_outline(thing)], fill=COLORS[thing.color])
    pixels = np.asarray(picture.resize(size, Image.Resampling.LANCZOS), float)
    light = np.linspace(0.75 if fades else 1, 1, size[0])[None, :, None]
    spread = np.random.default_rng(1).normal(0, noise, pixels.shape) if noise else 0
    return Image.fromarray((pixels * light + spread).clip(0, 255).astype(np.uint8))


def _compute_outline(thing: Drawn) -> list[tuple[float, float]]:
    cos, sin = math.cos(thing.turn) * thing.radius, math.sin(thing.turn) * thing.radius
    return [(thing.x + x * cos - y * sin, thing.y + x * sin + y * cos) for x, y in _list_unit_corners(thing.shape)]


def _list_unit_corners(shape: str) -> list[tuple[float, float]]:
    """Corners of a shape within a circle of radius 1."""
    if shape == "rectangle":
        return [(-0.9, -0.43), (0.9, -0.43), (0.9, 0.43), (-0.9, 0.43)]
    if shape == "cross":
        arm = [(0.33, 0.33), (0.33, 0.94), (-0.33, 0.94)]
        return [point for turn in range(4) for point in (_rotate_quarters(corner, turn) for corner in arm)]
    if shape == "star":
        return [_locate_corner(corner, 10, 1 if corner % 2 == 0 else 0.42) for corner in range(10)]
    return [_locate_corner(corner, _CORNERS[shape], 1) for corner in range(_CORNERS[shape])]


def _locate_corner(corner: int, corners: int, radius: float) -> tuple[float, float]:
    angle = math.tau * corner / corners
    return radius * math.cos(angle), radius * math.sin(angle)


def _rotate_quarters(point: tuple[float, float], turns: int) -> tuple[float, float]:
    for _ in range(turns):
        point = (-point[1], point[0])
    return point
