"""Pictures cut, scaled, turned and faded."""

from dataclasses import replace
from typing import Any

from yardkit.servers.video.engine.streams import MAX_SIDE, Pictures, Shape
from yardkit.world import Problem

Box = tuple[int, int, int, int]


def fit_pictures(pictures: Pictures, shape: Shape) -> Pictures:
    """Pictures made to fit a shape whole, with black where they have other proportions."""
    import numpy as np
    from PIL import Image

    size = (shape.width_px, shape.height_px)
    for picture in pictures:
        high, wide = picture.shape[:2]
        if (wide, high) == size:
            yield picture
            continue
        scale = min(size[0] / wide, size[1] / high)
        inner = (max(1, round(wide * scale)), max(1, round(high * scale)))
        canvas = np.zeros((size[1], size[0], 3), np.uint8)
        left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
        small = Image.fromarray(picture).resize(inner, Image.Resampling.BILINEAR)
        canvas[top : top + inner[1], left : left + inner[0]] = np.asarray(small)
        yield canvas


def crop_pictures(pictures: Pictures, box: Box) -> Pictures:
    """The part of each picture in a box."""
    import numpy as np

    left, top, right, bottom = box
    for picture in pictures:
        yield np.ascontiguousarray(picture[top:bottom, left:right])


def turn_pictures(pictures: Pictures, quarters: int) -> Pictures:
    """Pictures turned clockwise by quarters."""
    import numpy as np

    for picture in pictures:
        yield np.ascontiguousarray(np.rot90(picture, -quarters)) if quarters % 4 else picture


def trim_to_even(pictures: Pictures, shape: Shape) -> Pictures:
    """Pictures without their last column or row where their sides are odd."""
    import numpy as np

    for picture in pictures:
        if picture.shape[:2] == (shape.height_px, shape.width_px):
            yield picture
        else:
            yield np.ascontiguousarray(picture[: shape.height_px, : shape.width_px])


def fade_pictures(pictures: Pictures, shape: Shape, total_s: float, in_s: float, out_s: float) -> Pictures:
    """Pictures that come out of black and go into it."""
    import numpy as np

    for number, picture in enumerate(pictures):
        time_s = shape.time_of(number)
        light = min(1.0, time_s / in_s if in_s else 1.0, (total_s - time_s) / out_s if out_s else 1.0)
        yield picture if light >= 1 else (picture * np.float32(max(0.0, light))).astype(np.uint8)


def blend_pictures(first: Any, other: Any, share: float) -> Any:
    """A picture between two: `share` of the other."""
    import numpy as np

    return (first * np.float32(1 - share) + other * np.float32(share)).astype(np.uint8)


def check_box(box: tuple[float, ...], shape: Shape) -> Box:
    """A box in whole pixels within the pictures.

    Raises:
        Problem: it is empty or lies outside.
    """
    left, top = max(0, round(box[0])), max(0, round(box[1]))
    right, bottom = min(shape.width_px, round(box[2])), min(shape.height_px, round(box[3]))
    if right - left < 2 or bottom - top < 2:
        raise Problem(
            f"the box {list(box)} is empty or outside the frames of {shape.width_px} x {shape.height_px} pixels"
        )
    return left, top, right, bottom


def scale_shape(shape: Shape, width: int | None, height: int | None) -> Shape:
    """A shape scaled to a width, a height, or into both; its sides are even.

    Raises:
        Problem: it would be too large.
    """
    if width is None and height is None:
        sides = (shape.width_px, shape.height_px)
    elif width is None or height is None:
        factor = (width or 0) / shape.width_px or (height or 0) / shape.height_px
        sides = (round(shape.width_px * factor), round(shape.height_px * factor))
    else:
        sides = (width, height)
    scaled_shape = replace(shape, width_px=sides[0], height_px=sides[1])
    if max(scaled_shape.width_px, scaled_shape.height_px) > MAX_SIDE:
        raise Problem(
            f"{scaled_shape.width_px} x {scaled_shape.height_px} pixels are too many; the limit per side is {MAX_SIDE}"
        )
    return scaled_shape.even
