"""Laid-out formulas as pictures: the few shapes of SVG that ziamath writes, painted by Pillow.

Small libraries that paint SVG bring Cairo or a browser along; what is painted here are outlines of glyphs, bars and
boxes.
"""

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

Point = tuple[float, float]
_FINER = 4
"""Painted so many times larger and then made smaller: that smooths the edges."""
_STEPS = 6
"""Straight pieces for each curve."""
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")


def paint_formula(svg: Any, margin_px: int, max_side_px: int) -> "Image":
    """A laid-out formula in black on white.

    Args:
        svg: the element that ziamath gives.
        margin_px: of white on each side.
        max_side_px: the picture is made smaller where it would be longer.
    """
    from PIL import Image

    left, top, width, height = map(float, svg.get("viewBox").split())
    scale = min(1.0, (max_side_px - 2 * margin_px) / max(width, height)) * _FINER
    margin = margin_px * _FINER
    size = (math.ceil(width * scale) + 2 * margin, math.ceil(height * scale) + 2 * margin)
    canvas = _Canvas(Image.new("L", size, 255), scale, (margin - left * scale, margin - top * scale))
    canvas.draw(svg)
    return canvas.picture.reduce(_FINER)


class _Canvas:
    """A picture, and how units of the drawing become its pixels: times a scale, plus an offset."""

    def __init__(self, picture: "Image", scale: float, offset: Point) -> None:
        self.picture, self._scale, self._offset = picture, scale, offset
        self._symbols: dict[str, Any] = {}

    def draw(self, parent: Any) -> None:
        """Draw what stands in an element."""
        for element in parent:
            kind = element.tag.rpartition("}")[2]
            if kind == "symbol":
                self._symbols[element.get("id")] = element
            elif kind == "use":
                self._draw_symbol(element)
            elif kind == "rect":
                self._draw_box(element)
            elif kind == "path":
                self._draw_path(element, self._scale, self._offset)
            elif kind == "g":
                self.draw(element)

    def _draw_symbol(self, use: Any) -> None:
        symbol = self._symbols[use.get("href").removeprefix("#")]
        left, top, width, _ = map(float, symbol.get("viewBox").split())
        scale = float(use.get("width")) / width * self._scale if width else self._scale
        x = self._offset[0] + float(use.get("x")) * self._scale - left * scale
        y = self._offset[1] + float(use.get("y")) * self._scale - top * scale
        for path in symbol.iter():
            if path.tag.rpartition("}")[2] == "path":
                self._draw_path(path, scale, (x, y))

    def _draw_path(self, path: Any, scale: float, offset: Point) -> None:
        contours = [
            [(x * scale + offset[0], y * scale + offset[1]) for x, y in contour]
            for contour in _iter_contours(path.get("d"))
        ]
        if path.get("stroke"):
            self._draw_lines(contours, float(path.get("stroke-width", 1)) * scale)
        else:
            self._fill_outlines(contours)

    def _draw_lines(self, contours: list[list[Point]], width: float) -> None:
        from PIL import ImageDraw

        for contour in contours:
            ImageDraw.Draw(self.picture).line(contour, fill=0, width=max(1, round(width)), joint="curve")

    def _fill_outlines(self, contours: list[list[Point]]) -> None:
        """Fill outlines: what runs around as the largest does is ink, what runs the other way is a hole in it."""
        from PIL import Image, ImageDraw

        shapes = sorted(
            (contour for contour in contours if len(contour) > 2), key=lambda contour: -abs(_compute_area(contour))
        )
        if not shapes:
            return
        xs, ys = zip(*(point for shape in shapes for point in shape), strict=True)
        corner = (math.floor(min(xs)), math.floor(min(ys)))
        mask = Image.new("1", (math.ceil(max(xs)) - corner[0] + 1, math.ceil(max(ys)) - corner[1] + 1))
        for shape in shapes:
            inside = [(x - corner[0], y - corner[1]) for x, y in shape]
            ImageDraw.Draw(mask).polygon(inside, fill=int((_compute_area(shape) > 0) == (_compute_area(shapes[0]) > 0)))
        self.picture.paste(0, corner, mask)

    def _draw_box(self, element: Any) -> None:
        from PIL import ImageColor, ImageDraw

        x, y, width, height = (float(element.get(side)) for side in ("x", "y", "width", "height"))
        left, top = x * self._scale + self._offset[0], y * self._scale + self._offset[1]
        edges = (left, top, left + width * self._scale, top + height * self._scale)
        if element.get("stroke"):
            line = max(1, round(float(element.get("stroke-width", 1)) * self._scale))
            ImageDraw.Draw(self.picture).rectangle(edges, outline=0, width=line)
        else:
            grey = ImageColor.getcolor(element.get("fill", "black"), "L")
            ImageDraw.Draw(self.picture).rectangle(edges, fill=grey)


def _iter_contours(path: str) -> Iterator[list[Point]]:
    """The outlines of a path of M, L, Q and Z, curves as straight pieces."""
    contour: list[Point] = []
    for command, numbers in _COMMAND.findall(path):
        values = [float(number) for number in numbers.replace(",", " ").split()]
        points = list(zip(values[::2], values[1::2], strict=True))
        if command == "M":
            if contour:
                yield contour
            contour = points
        elif command == "L":
            contour += points
        elif command == "Q":
            contour += _sample_curve(contour[-1], *points)
    if contour:
        yield contour


def _sample_curve(start: Point, control: Point, end: Point) -> Iterator[Point]:
    for step in range(1, _STEPS + 1):
        share = step / _STEPS
        rest = 1 - share
        yield (
            rest * rest * start[0] + 2 * rest * share * control[0] + share * share * end[0],
            rest * rest * start[1] + 2 * rest * share * control[1] + share * share * end[1],
        )


def _compute_area(contour: list[Point]) -> float:
    """Twice the area, with a sign for the direction."""
    following = [*contour[1:], contour[0]]
    return sum(x * other_y - other_x * y for (x, y), (other_x, other_y) in zip(contour, following, strict=True))
