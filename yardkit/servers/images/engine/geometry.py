"""Changes of place and size: cut, scaled, turned, mirrored, straightened, framed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from yardkit.kit.colors import parse_rgba
from yardkit.servers.images.engine.files import check_size
from yardkit.servers.images.engine.sheet import find_sheet
from yardkit.world import Problem
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    from PIL.Image import Image

Fit = Literal["inside", "cover", "pad", "stretch"]
Direction = Literal["left_right", "top_bottom"]


def check_box(box: Sequence[float], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A box in whole pixels, cut to the picture.

    Raises:
        Problem: it is empty, or lies outside.
    """
    left, top, right, bottom = (round(edge) for edge in box)
    if left >= right or top >= bottom:
        raise Problem(f"the box {list(box)} is empty; give [x_min, y_min, x_max, y_max] in pixels")
    cut = (max(0, left), max(0, top), min(size[0], right), min(size[1], bottom))
    if cut[0] >= cut[2] or cut[1] >= cut[3]:
        raise Problem(f"the box {list(box)} is outside the picture of {size[0]} x {size[1]} pixels")
    return cut


def crop_image(image: "Image", box: Box) -> "Image":
    """The part of an image in a box."""
    return image.crop(check_box(box, image.size))


def resize_image(image: "Image", width: int | None, height: int | None, fit: Fit, background: str) -> "Image":
    """An image in another size; where one side is not given it follows from the other.

    ``inside`` keeps all of it within the size, ``cover`` fills the size and cuts what is over, ``pad`` keeps all and
    fills what is left with `background`, ``stretch`` distorts.

    Raises:
        Problem: neither side is given, or the result is too large.
    """
    from PIL import Image, ImageOps

    if width is None and height is None:
        raise Problem("give width_px, height_px or both")
    wide, high = image.size
    size = (width or max(1, round(wide * (height or 1) / high)), height or max(1, round(high * (width or 1) / wide)))
    check_size(*size, "the result")
    way = Image.Resampling.LANCZOS
    if fit == "stretch" or width is None or height is None:
        return image.resize(size, way)
    if fit == "cover":
        return ImageOps.fit(image, size, way)
    if fit == "inside":
        return ImageOps.contain(image, size, way)
    color = parse_rgba(background)
    holder = image if color[3] == 255 else image.convert("RGBA")
    return ImageOps.pad(holder, size, way, color=color if holder.mode == "RGBA" else color[:3])


def rotate_image(image: "Image", angle: float, expand: bool, background: str) -> "Image":
    """An image turned by degrees clockwise; quarter turns are exact."""
    from PIL import Image

    quarters = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
    turn = angle % 360
    if turn == 0:
        return image
    if turn in quarters and (expand or turn == 180):
        return image.transpose(quarters[int(turn)])
    color = parse_rgba(background)
    holder = image.convert("RGBA") if color[3] < 255 else image
    fill = color if holder.mode == "RGBA" else color[:3]
    return holder.rotate(-angle, Image.Resampling.BICUBIC, expand=expand, fillcolor=fill)


def flip_image(image: "Image", direction: Direction) -> "Image":
    """An image mirrored: left and right exchanged, or top and bottom."""
    from PIL import ImageOps

    return ImageOps.mirror(image) if direction == "left_right" else ImageOps.flip(image)


def straighten_image(
    image: "Image", corners: Sequence[Sequence[float]] | None, width: int | None, height: int | None
) -> "tuple[Image, str]":
    """What lies between four corners, as a rectangle: a page or a sign that was photographed from the side.

    Args:
        image: the picture.
        corners: top left, top right, bottom right, bottom left of the thing, in pixels; None to find them.
        width: of the result; by default as long as the longer of its edges.
        height: likewise.

    Raises:
        Problem: the corners are no convex quadrilateral in that order, or none are found.
    """
    import math

    from PIL import Image

    points = find_sheet(image) if corners is None else [(float(x), float(y)) for x, y in corners]
    _check_convex(points)
    top, right, bottom, left = (math.dist(points[place], points[(place + 1) % 4]) for place in range(4))
    size = (width or max(1, round(max(top, bottom))), height or max(1, round(max(left, right))))
    check_size(*size, "the result")
    coefficients = _compute_perspective(size, points)
    straight_image = image.transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    rounded_corners = [[round(x, 1), round(y, 1)] for x, y in points]
    return straight_image, "" if corners is not None else f"Its corners were found at {rounded_corners}."


def _check_convex(points: Sequence[tuple[float, float]]) -> None:
    turns = []
    for place in range(4):
        (ax, ay), (bx, by), (cx, cy) = points[place], points[(place + 1) % 4], points[(place + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    if not all(turn > 0 for turn in turns):
        raise Problem(
            "corners_px is not a quadrilateral; give the top left, top right, bottom right and bottom left corner"
        )


def _compute_perspective(size: tuple[int, int], points: Sequence[tuple[float, float]]) -> list[float]:
    """The eight numbers by which Pillow finds the source of each pixel of the result."""
    import numpy as np

    goals = [(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])]
    rows, values = [], []
    for (x, y), (u, v) in zip(goals, points, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return [float(value) for value in np.linalg.solve(np.array(rows, float), np.array(values, float))]


def frame_image(image: "Image", sides: Sequence[int], color: str, radius: int) -> "Image":
    """An image with a border: pixels on the top, right, bottom and left, and rounded corners.

    Corners that are cut off are transparent.
    """
    from PIL import Image, ImageDraw

    top, right, bottom, left = sides
    size = (image.width + left + right, image.height + top + bottom)
    check_size(*size, "the result")
    shade = parse_rgba(color)
    mode = "RGBA" if shade[3] < 255 or radius or image.mode == "RGBA" else "RGB"
    framed_image = Image.new(mode, size, shade if mode == "RGBA" else shade[:3])
    framed_image.paste(image, (left, top), image if image.mode == "RGBA" else None)
    if radius:
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius, fill=255)
        clear = Image.new("RGBA", size, (0, 0, 0, 0))
        framed_image = Image.composite(framed_image, clear, mask)
    return framed_image
