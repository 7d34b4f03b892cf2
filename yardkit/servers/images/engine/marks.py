"""Shapes drawn on a picture: boxes, ellipses, lines, arrows, polygons, highlights, each with a label if it has one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from yardkit.kit.colors import parse_rgba
from yardkit.kit.lettering import Lettering, add_text
from yardkit.world import Problem

if TYPE_CHECKING:
    from PIL.Image import Image

Kind = Literal["box", "ellipse", "line", "arrow", "polygon", "highlight"]
_SMOOTH = 2
_HIGHLIGHT = 96


@dataclass(frozen=True)
class Mark:
    """A shape.

    Attributes:
        kind: of shape; a highlight is a box filled so that the picture is seen through it.
        points: x and y in pixels: two corners of a box, ellipse or highlight; the ends of a line or arrow, which points
            to the last; the corners of a polygon.
        color: of the line, and of a highlight.
        fill: of the inside; empty for none.
        width_px: of the line.
        label: text above the shape.
    """

    kind: Kind
    points: Sequence[tuple[float, float]]
    color: str = "red"
    fill: str = ""
    width_px: int = 4
    label: str = ""


def draw_marks(image: "Image", marks: Sequence[Mark]) -> "Image":
    """An image with shapes on it, in their order.

    Raises:
        Problem: a shape has too few points, or a colour is not valid.
    """
    for number, mark in enumerate(marks, start=1):
        least_points = 3 if mark.kind == "polygon" else 2
        if len(mark.points) < least_points or (
            mark.kind != "polygon" and mark.kind not in ("line",) and len(mark.points) > 2
        ):
            raise Problem(
                f"mark {number} is of kind {mark.kind} with {len(mark.points)} points; it needs {least_points}"
            )
        image = _draw_mark(image, mark)
    for mark in marks:
        image = _draw_label(image, mark) if mark.label else image
    return image


def _draw_mark(image: "Image", mark: Mark) -> "Image":
    """The image with a mark, drawn twice as large and made smaller, so that slanting lines are smooth."""
    from PIL import Image, ImageDraw

    area = _compute_area(mark, image.size)
    if area is None:
        return image
    layer = Image.new("RGBA", ((area[2] - area[0]) * _SMOOTH, (area[3] - area[1]) * _SMOOTH), (0, 0, 0, 0))
    points = [((x - area[0]) * _SMOOTH, (y - area[1]) * _SMOOTH) for x, y in mark.points]
    _draw_shape(ImageDraw.Draw(layer), mark, points)
    small = layer.resize((area[2] - area[0], area[3] - area[1]), Image.Resampling.BOX)
    marked_image = image.convert("RGBA")
    marked_image.alpha_composite(small, (area[0], area[1]))
    return marked_image if image.mode == "RGBA" else marked_image.convert("RGB")


def _compute_area(mark: Mark, size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """The part of the picture that a mark may touch; None where it lies outside."""
    margin = mark.width_px * 6 + 4
    xs, ys = [x for x, _ in mark.points], [y for _, y in mark.points]
    left, top = max(0, int(min(xs)) - margin), max(0, int(min(ys)) - margin)
    right, bottom = min(size[0], int(max(xs)) + margin), min(size[1], int(max(ys)) + margin)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _draw_shape(draw: Any, mark: Mark, points: list[tuple[float, float]]) -> None:
    color, width = parse_rgba(mark.color), mark.width_px * _SMOOTH
    inside = parse_rgba(mark.fill) if mark.fill else None
    if mark.kind in ("line", "arrow"):
        ends = points if mark.kind == "line" else [*points[:-1], _arrow_neck(points, width)]
        draw.line(ends, fill=color, width=width, joint="curve")
        if mark.kind == "arrow":
            draw.polygon(_arrow_head(points, width), fill=color)
    elif mark.kind == "polygon":
        draw.polygon(points, fill=inside)
        draw.line([*points, points[0], points[1]], fill=color, width=width, joint="curve")
    else:
        xs, ys = sorted(x for x, _ in points), sorted(y for _, y in points)
        box = (xs[0], ys[0], xs[-1], ys[-1])
        if mark.kind == "highlight":
            draw.rectangle(box, fill=(*color[:3], _HIGHLIGHT))
        elif mark.kind == "ellipse":
            draw.ellipse(box, outline=color, width=width, fill=inside)
        else:
            draw.rectangle(box, outline=color, width=width, fill=inside)


def _arrow_neck(points: list[tuple[float, float]], width: int) -> tuple[float, float]:
    (ax, ay), (bx, by) = points[-2], points[-1]
    length = math.dist(points[-2], points[-1]) or 1.0
    back = min(length, 3.0 * width)
    return bx - (bx - ax) / length * back, by - (by - ay) / length * back


def _arrow_head(points: list[tuple[float, float]], width: int) -> list[tuple[float, float]]:
    (ax, ay), (bx, by) = points[-2], points[-1]
    length = math.dist(points[-2], points[-1]) or 1.0
    ux, uy = (bx - ax) / length, (by - ay) / length
    long, half = 4.0 * width, 2.0 * width
    foot = (bx - ux * long, by - uy * long)
    return [(bx, by), (foot[0] - uy * half, foot[1] + ux * half), (foot[0] + uy * half, foot[1] - ux * half)]


def _draw_label(image: "Image", mark: Mark) -> "Image":
    size = max(12, min(image.size) // 28)
    dark = sum(parse_rgba(mark.color)[:3]) < 480
    look = Lettering(size_px=size, color="white" if dark else "black", background=mark.color, padding=0.15)
    left, top = min(x for x, _ in mark.points), min(y for _, y in mark.points)
    high = round(size * 1.2) + 2 * look.padding_px
    place = (max(0.0, left), top - high if top >= high else max(0.0, top))
    return add_text(image, mark.label, look, "top_left", place, None, 0)[0]
