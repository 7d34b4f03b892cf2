"""Regions made unreadable: blurred, made of coarse blocks, or filled."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from yardkit.kit.colors import parse_rgba
from yardkit.servers.images.engine.geometry import check_box
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    from PIL.Image import Image

Way = Literal["fill", "pixelate", "blur"]
_BLOCKS = 8
"""Blocks along the longer side of what is pixelated: fewer than can show a face or a digit."""


def cover_regions(image: "Image", boxes: Sequence[Box], way: Way, ellipse: bool, color: str) -> "Image":
    """An image with regions covered.

    A fill takes all of them away; blocks and blur keep the colours, and of large letters perhaps more: fill what must
    stay secret.

    Raises:
        Problem: a box is empty or lies outside.
    """
    covered_image = image.copy()
    for box in boxes:
        left, top, right, bottom = check_box(box, image.size)
        part = covered_image.crop((left, top, right, bottom))
        covered_image.paste(_cover_part(part, way, color), (left, top), _make_mask(part.size, ellipse))
    return covered_image


def _cover_part(part: "Image", way: Way, color: str) -> "Image":
    from PIL import Image, ImageFilter

    if way == "fill":
        shade = parse_rgba(color)
        return Image.new(part.mode, part.size, shade if part.mode == "RGBA" else shade[:3])
    longest = max(part.size)
    if way == "pixelate":
        small = tuple(max(1, round(side * _BLOCKS / longest)) for side in part.size)
        return part.resize(small, Image.Resampling.BOX).resize(part.size, Image.Resampling.NEAREST)  # type: ignore[arg-type]
    return part.filter(ImageFilter.GaussianBlur(max(4.0, longest / 6)))


def _make_mask(size: tuple[int, int], ellipse: bool) -> "Image":
    from PIL import Image, ImageDraw

    mask = Image.new("L", size, 0 if ellipse else 255)
    if ellipse:
        ImageDraw.Draw(mask).ellipse((0, 0, size[0] - 1, size[1] - 1), fill=255)
    return mask
