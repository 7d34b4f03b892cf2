"""What two files look different in, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.pages import raster
from yardkit.kit.pages.raster import PageImage
from yardkit.servers.render.engine.drawing import PRELOAD as PRELOAD
from yardkit.servers.render.engine.drawing import Part
from yardkit.servers.render.engine.results import PageChange
from yardkit.servers.render.engine.selection import pages_of
from yardkit.servers.render.engine.sources import open_source
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_COMPARED = 60
MAX_PICTURES = 4
_DPI = 100
_BLOCK = 6
_MAX_BOXES = 20
_NEAR = 3
"""Blocks between two changes that still belong together."""


@dataclass(frozen=True)
class Comparison:
    """How two files differ.

    Attributes:
        counts: pages of both files.
        compared: pages that were compared.
        changes: the pages that differ.
        pictures: of the first of them: before, after, with boxes around what changed.
    """

    counts: tuple[int, int]
    compared: list[int]
    changes: list[PageChange]
    pictures: list[PageImage]


def compare_pages(before: Path, after: Path, root: Path, pages: str, *, tolerance: int) -> Comparison:
    """Compare pages by their pictures; `tolerance` is how much a colour may differ (0 to 255) unnoticed.

    Raises:
        Problem: a file cannot be shown, or there are no such pages.
    """
    old, new = open_source(before, root), open_source(after, root)
    common = min(old.count, new.count)
    numbers = pages_of(pages, max(old.count, new.count), 100_000)
    compared = [number for number in numbers if number <= common][:MAX_COMPARED]
    parts = old.parts(compared), new.parts(compared)
    changes, pictures = raster.run_picture_call(_compare_parts, *parts, compared, tolerance)
    return Comparison((old.count, new.count), compared, changes, pictures)


def _compare_parts(
    old: list[Part], new: list[Part], numbers: list[int], tolerance: int
) -> tuple[list[PageChange], list[PageImage]]:
    """What changed on pages, with pictures of the first of them; called `apart`."""
    changes: list[PageChange] = []
    pictures: list[PageImage] = []
    before, after = (chain.from_iterable(part.images(_DPI) for part in parts) for parts in (old, new))
    for number, left, right in zip(numbers, before, after, strict=True):
        change = _find_change(number, left, right, tolerance)
        if change is not None:
            changes.append(change)
            if len(pictures) < MAX_PICTURES:
                pictures.append(raster.encode_image(_side_by_side(left, right, change), "png"))
    return changes, pictures


def _find_change(number: int, left: Image, right: Image, tolerance: int) -> PageChange | None:
    grid = _changed_blocks(left, right, tolerance)
    if not grid:
        return None
    across, down = (max(sizes) for sizes in zip(left.size, right.size, strict=True))
    percent = 100 * len(grid) * _BLOCK**2 / (across * down)
    to_points = raster.POINTS_PER_INCH / _DPI
    boxes = [_scale_box(box, to_points * _BLOCK) for box in _group_boxes(grid)]
    return PageChange(number, round(min(percent, 100.0), 2), boxes[:_MAX_BOXES])


def _changed_blocks(left: Image, right: Image, tolerance: int) -> set[tuple[int, int]]:
    """Column and row of each block in which a pixel differs; where only one picture reaches, all do."""
    from PIL import Image, ImageChops

    size = (max(left.width, right.width), max(left.height, right.height))
    wide = [Image.new("RGB", size, colour) for colour in ("white", "white" if left.size == right.size else "black")]
    for canvas, image in zip(wide, (left, right), strict=True):
        canvas.paste(image, (0, 0))
    channels = ImageChops.difference(*wide).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    mask = most.point(lambda value: 255 if value > tolerance else 0)
    columns, rows = -(-size[0] // _BLOCK), -(-size[1] // _BLOCK)
    padded = Image.new("L", (columns * _BLOCK, rows * _BLOCK))
    padded.paste(mask, (0, 0))
    small = padded.resize((columns, rows), Image.Resampling.BOX).tobytes()
    return {(index % columns, index // columns) for index, value in enumerate(small) if value}


def _group_boxes(blocks: set[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """Boxes around groups of near blocks, from top to bottom."""
    left, change_boxes = set(blocks), []
    while left:
        start = left.pop()
        stack, box = [start], [*start, *start]
        while stack:
            column, row = stack.pop()
            box = [min(box[0], column), min(box[1], row), max(box[2], column), max(box[3], row)]
            near = {
                (column + right, row + down) for right in range(-_NEAR, _NEAR + 1) for down in range(-_NEAR, _NEAR + 1)
            } & left
            left -= near
            stack += near
        change_boxes.append((box[0], box[1], box[2] + 1, box[3] + 1))
    return sorted(change_boxes, key=lambda box: (box[1], box[0]))


def _scale_box(box: tuple[int, int, int, int], factor: float) -> Box:
    x_min, y_min, x_max, y_max = (round(value * factor, 1) for value in box)
    return x_min, y_min, x_max, y_max


def _side_by_side(left: Image, right: Image, change: PageChange) -> Image:
    from PIL import ImageDraw

    marked = [image.copy() for image in (left, right)]
    scale = _DPI / raster.POINTS_PER_INCH
    for image in marked:
        pen = ImageDraw.Draw(image)
        for box in change.boxes_pt:
            x_min, y_min, x_max, y_max = (value * scale for value in box)
            pen.rectangle((x_min - 3, y_min - 3, x_max + 3, y_max + 3), outline=(220, 30, 30), width=3)
    labels = (f"page {change.page} before", f"page {change.page} after")
    return raster.contact_sheet(list(zip(labels, marked, strict=True)), columns=2, width_px=1560)
