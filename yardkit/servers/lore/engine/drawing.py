"""Pictures of documents, drawn when they are asked for.

A picture is told as JSON: ``{"objects": [["circle", "cyan", x, y, radius], ...], "size": [width, height]}`` or
``{"formula": "v5 = 3 * 14"}``, both with ``"changes": [["rotate", 30], ["flip", "horizontal"], ["stretch", 2, 0.5],
["shear", 0.2]]``. Lengths are pixels, angles degrees anticlockwise.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from yardkit.world import Problem
from yardkit.world.fonts import font_file

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

MAX_PIXELS = 4_000_000
MIN_SIDE = 8
COLOURS = {
    "red": (214, 39, 40), "green": (44, 140, 44), "blue": (31, 90, 200), "yellow": (240, 200, 0),
    "cyan": (0, 190, 200), "magenta": (200, 50, 170), "orange": (255, 127, 14), "black": (20, 20, 20),
}  # fmt: skip
_CORNERS = {"triangle": (3, 90), "square": (4, 45), "diamond": (4, 0), "hexagon": (6, 0)}
_DIAMOND_WIDTH = 0.6
"""Of its height: else it would be a square on its tip."""
_FONT_PX = 40
_MARGIN = 16
_CARD = (235, 238, 244)
_INK = (20, 24, 40)


def draw_picture(description: Mapping[str, Any]) -> Image:
    """The picture that `told` describes."""
    image = _draw_objects(description) if "objects" in description else _draw_formula(description["formula"])
    for change in description.get("changes", ()):
        image = apply_change(image, change)
    return image


def apply_change(image: Image, change: Sequence[Any]) -> Image:
    """A picture after one change; what is new around it is white.

    Raises:
        Problem: it would become too large or too small.
    """
    from PIL import Image as Images
    from PIL import ImageOps

    name, *values = change
    if name == "flip":
        return ImageOps.mirror(image) if values[0] == "horizontal" else ImageOps.flip(image)
    if name == "rotate":
        _check_size(*_turned_size(*image.size, values[0]))
        return image.rotate(values[0], Images.Resampling.BICUBIC, expand=True, fillcolor="white")
    if name == "shear":
        return _shear_image(image, values[0])
    width, height = round(image.width * values[0]), round(image.height * values[1])
    _check_size(width, height)
    return image.resize((width, height), Images.Resampling.LANCZOS)


def encode_png(image: Image) -> bytes:
    """As PNG, without metadata."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _draw_objects(description: Mapping[str, Any]) -> Image:
    from PIL import Image as Images
    from PIL import ImageDraw

    image = Images.new("RGB", tuple(description["size"]), "white")
    pen = ImageDraw.Draw(image)
    for shape, colour, x, y, radius in description["objects"]:
        _draw_object(pen, shape, COLOURS[colour], (x, y), radius)
    return image


def _draw_object(
    pen: ImageDraw, shape: str, colour: tuple[int, int, int], centre: tuple[int, int], radius: int
) -> None:
    x, y = centre
    if shape == "circle":
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
        return
    count, first = _CORNERS[shape]
    turns = [math.radians(first + 360 * corner / count) for corner in range(count)]
    wide = radius * (_DIAMOND_WIDTH if shape == "diamond" else 1)
    pen.polygon([(x + wide * math.cos(turn), y - radius * math.sin(turn)) for turn in turns], fill=colour)


def _draw_formula(text: str) -> Image:
    """Black on a light card, on white: every sign takes the same width."""
    from PIL import Image as Images
    from PIL import ImageDraw, ImageFont

    font = ImageFont.truetype(str(font_file("DejaVu Sans Mono")), _FONT_PX)
    width, height = math.ceil(font.getlength(text)) + 2 * _MARGIN, _FONT_PX + 2 * _MARGIN
    image = Images.new("RGB", (width + 2 * _MARGIN, height + 2 * _MARGIN), "white")
    pen = ImageDraw.Draw(image)
    pen.rectangle((_MARGIN, _MARGIN, _MARGIN + width - 1, _MARGIN + height - 1), fill=_CARD)
    pen.text((2 * _MARGIN, 2 * _MARGIN + _FONT_PX // 2), text, fill=_INK, font=font, anchor="lm")
    return image


def _shear_image(image: Image, slope: float) -> Image:
    """Each row moved to the side by `slope` times its height above the foot."""
    from PIL import Image as Images

    wider = math.ceil(abs(slope) * image.height)
    shift = -wider if slope > 0 else 0
    size = (image.width + wider, image.height)
    values = (1, slope, shift, 0, 1, 0)
    return image.transform(size, Images.Transform.AFFINE, values, Images.Resampling.BICUBIC, fillcolor="white")


def _turned_size(width: int, height: int, degrees: float) -> tuple[int, int]:
    sine, cosine = abs(math.sin(math.radians(degrees))), abs(math.cos(math.radians(degrees)))
    return math.ceil(width * cosine + height * sine), math.ceil(width * sine + height * cosine)


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise Problem(f"the picture would have {width} x {height} pixels; the limit is {MAX_PIXELS:,}")
    if min(width, height) < MIN_SIDE:
        raise Problem(
            f"the picture would have {width} x {height} pixels; at least {MIN_SIDE} on each side are required"
        )
