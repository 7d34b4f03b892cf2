"""A picture with boxes and their names drawn on it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolyard.kit.pictures import PICTURE_FORMATS
from toolyard.world import Problem
from toolyard.world.fonts import font_file
from toolyard.world.limits import check_pixels

Box = tuple[float, float, float, float]
PRELOAD = ("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.ImageOps")
"""What the process that draws keeps loaded."""
_COLOURS = ("#e6194b", "#0050c8", "#1a7f37", "#b35900", "#7b2fa8", "#00808a", "#a0306a", "#5a5a00")
"""Dark enough that white letters are read on them."""
_SUFFIXES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}


def write_boxes(path: Path, target: Path, boxes: Sequence[tuple[str, Box]]) -> None:
    """Draw named boxes on a copy of a picture, each name where it covers no other one, a colour for each class.

    Args:
        path: of the picture.
        target: of the copy, a PNG, JPEG or WEBP by its suffix.
        boxes: a name, of which the second word decides the colour, and [x_min, y_min, x_max, y_max] in pixels.

    Raises:
        Problem: the suffix of `target` is another.
    """
    from PIL import Image, ImageDraw, ImageFont, ImageOps

    kind = _SUFFIXES.get(target.suffix.lower())
    if kind is None:
        raise Problem(f"{target.name!r} is no name of a picture; end it with .png, .jpg or .webp")
    with Image.open(path, formats=PICTURE_FORMATS) as opened:
        check_pixels(opened.width, opened.height, path.name)
        picture = ImageOps.exif_transpose(opened).convert("RGB")
    draw = ImageDraw.Draw(picture)
    size = max(12, min(picture.size) // 32)
    font = ImageFont.truetype(str(font_file("DejaVu Sans")), size)
    classes = list(dict.fromkeys(_class_of(name) for name, _ in boxes))
    taken: list[Any] = []
    for name, box in boxes:
        colour = _COLOURS[classes.index(_class_of(name)) % len(_COLOURS)]
        draw.rectangle(box, outline=colour, width=max(2, size // 7))
        label = _place(draw.textbbox((0, 0), name, font), box, picture.size, taken)
        taken.append(label)
        draw.rectangle(label, fill=colour)
        draw.text((label[0] + 2, label[1]), name, fill="white", font=font)
    picture.save(target, kind)


def _class_of(name: str) -> str:
    return " ".join(name.split()[1:-1])


def _place(letters: Any, box: Box, size: tuple[int, int], taken: Sequence[Any]) -> tuple[float, float, float, float]:
    """Where a name stands: above its box, else in it, else lower, within the picture and on no other name."""
    width, height = letters[2] + 4, letters[3] + 3
    left = max(0.0, min(box[0], size[0] - width))
    for top in (box[1] - height, box[1], *(box[1] + step * height for step in range(1, 12))):
        place = (left, top, left + width, top + height)
        if 0 <= top <= size[1] - height and not any(_overlap(place, other) for other in taken):
            return place
    return (left, max(0.0, box[1]), left + width, max(0.0, box[1]) + height)


def _overlap(one: Any, other: Any) -> bool:
    return bool(one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])
