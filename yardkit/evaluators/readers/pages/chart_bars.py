"""Measuring delivered charts in pixels: bars of a colour, their order and lengths, lettering, legend keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MAX_SIDE = 6000
_ALIGNED_PX = 3
_SPECK_PX = 5
_SOLID = 0.8
"""Part of its box that a bar or a key of a legend fills."""


@dataclass(frozen=True)
class Patch:
    """A filled rectangle: its box in pixels, excluding the ends."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top


@dataclass(frozen=True)
class Bars:
    """The bars of a chart by category, and the other patches in their colours (legend keys).

    Attributes:
        patches: the bars from left to right, horizontal bars from top to bottom.
        colors: the index of each bar's colour among the given ones.
        keys: for each colour, the patches that are not on the base line.
    """

    horizontal: bool
    patches: list[Patch]
    colors: list[int]
    keys: list[list[Patch]]

    @property
    def lengths(self) -> list[int]:
        """The length of each bar from the base line, in pixels."""
        return [patch.width if self.horizontal else patch.height for patch in self.patches]


def find_bars(pixels: Any, colors: Sequence[str], *, horizontal: bool, tolerance: int = 24) -> Bars:
    """Find the bars on one common base line: the bottom, or for horizontal bars the left side.

    Grid lines, error bars and numbers may be drawn over a bar. A colour matches if no channel differs by more than
    `tolerance`.

    Args:
        pixels: array of shape (height, width, 3), RGB, uint8.
        colors: such as ``#1f77b4``, distinct by more than twice the tolerance.
        tolerance: the tolerance in levels of 255.
        horizontal: whether bars go from left to right.
    """
    return _find_bars(pixels.tobytes(), pixels.shape, tuple(colors), horizontal, tolerance)


@lru_cache(maxsize=4)
def _find_bars(data: bytes, shape: tuple[int, ...], colors: tuple[str, ...], horizontal: bool, tolerance: int) -> Bars:
    """Measure a chart once for all leaves."""
    import numpy

    pixels = numpy.frombuffer(data, numpy.uint8).reshape(shape)
    colored_patches = [
        (patch, number) for number, color in enumerate(colors) for patch in find_patches(pixels, color, tolerance)
    ]
    base = _base_line([patch for patch, _ in colored_patches], horizontal)
    standing = [
        (patch, number) for patch, number in colored_patches if abs(_get_foot(patch, horizontal) - base) <= _ALIGNED_PX
    ]
    standing.sort(key=lambda bar: bar[0].top if horizontal else bar[0].left)
    keys = [
        [patch for patch, number in colored_patches if number == color_number and (patch, number) not in standing]
        for color_number in range(len(colors))
    ]
    return Bars(horizontal, [patch for patch, _ in standing], [number for _, number in standing], keys)


def find_patches(pixels: Any, color: str, tolerance: int = 24) -> list[Patch]:
    """Find the filled rectangles of one colour, without specks; thin lines across them do not divide them."""
    import cv2
    import numpy

    if max(pixels.shape[:2]) > MAX_SIDE:
        return []
    rgb = numpy.array([int(color[place : place + 2], 16) for place in (1, 3, 5)])
    mask = cv2.inRange(pixels, (rgb - tolerance).clip(0, 255), (rgb + tolerance).clip(0, 255))
    # Remove thin lines of the same colour (frames, grids), which would connect patches when gaps in bars are closed.
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, numpy.ones((3, 3), numpy.uint8))
    gap = 2 * (max(pixels.shape[:2]) // 500) + 3
    closed = numpy.maximum(
        *(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, numpy.ones(side, numpy.uint8)) for side in ((gap, 1), (1, gap)))
    )
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=4)
    boxes = [Patch(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[1:]]
    areas = [int(area) for area in stats[1:, cv2.CC_STAT_AREA]]
    return [
        box
        for box, area in zip(boxes, areas, strict=True)
        if min(box.width, box.height) >= _SPECK_PX and area >= _SOLID * box.width * box.height
    ]


def are_proportional(lengths: Sequence[int], values: Sequence[float], tolerance: float = 0.015) -> bool:
    """Whether the lengths are the values times one scale, from zero: a truncated axis fails.

    A length may be off by `tolerance` times the longest one, plus 2 pixels for the edges.
    """
    if len(lengths) != len(values) or not values or min(values) < 0 or max(values) == 0:
        return False
    scale = sum(length * value for length, value in zip(lengths, values, strict=True)) / sum(v * v for v in values)
    allowed = tolerance * max(lengths) + 2
    return all(abs(length - scale * value) <= allowed for length, value in zip(lengths, values, strict=True))


def has_lettering(pixels: Any, box: Patch, least: int = 2) -> bool:
    """Whether the box has at least `least` signs: groups of ink that are not thin lines and do not fill it."""
    import cv2
    import numpy

    part = pixels[max(0, box.top) : max(0, box.bottom), max(0, box.left) : max(0, box.right)].astype(numpy.int32)
    if min(part.shape[:2]) < _SPECK_PX:
        return False
    shades, counts = numpy.unique(part @ numpy.array([65536, 256, 1]), return_counts=True)
    ground = int(shades[counts.argmax()])
    ground_rgb = numpy.array([ground >> 16, ground >> 8 & 255, ground & 255])
    ink = (numpy.abs(part - ground_rgb).max(axis=2) > 70).astype(numpy.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    signs = [1 for _, _, w, h, area in stats[1:] if h >= _SPECK_PX and w >= 2 and area >= 8 and w < part.shape[1] * 0.9]
    return len(signs) >= least


def _get_foot(patch: Patch, horizontal: bool) -> int:
    return patch.left if horizontal else patch.bottom


def _base_line(bar_patches: Sequence[Patch], horizontal: bool) -> int:
    """Find the line on which most patches begin; among equals the bottom one, for horizontal bars the left one."""
    feet = [_get_foot(patch, horizontal) for patch in bar_patches]
    support = {foot: sum(abs(foot - other) <= _ALIGNED_PX for other in feet) for foot in feet}
    return max(support, key=lambda foot: (support[foot], -foot if horizontal else foot), default=0)
