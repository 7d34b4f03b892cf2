"""Drawing boxes, points and their names on a picture."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.kit.pictures import run_picture_call
from yardkit.world import FileRef, Problem, save_bytes
from yardkit.world.boxes import Box
from yardkit.world.fonts import font_file
from yardkit.world.guard import add_notes
from yardkit.world.pictures import describe_losses, flatten_with_contrast, load_picture, read_contents

if TYPE_CHECKING:
    from PIL.Image import Image

PRELOAD = ("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.ImageCms")
"""What the process that draws keeps loaded."""
_COLOURS = ("#e6194b", "#0050c8", "#1a7f37", "#b35900", "#7b2fa8", "#00808a", "#a0306a", "#5a5a00")
"""Dark enough that white letters are read on them."""
_FEW = 30
"""Marks up to which their names are written large."""
_SUFFIXES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}


@dataclass(frozen=True)
class Mark:
    """The marks of one object.

    Attributes:
        name: the name beside its box.
        box: [x_min, y_min, x_max, y_max] in pixels.
        kind: objects of one kind have the same colour.
        points: dots, [x, y] in pixels each.
    """

    name: str
    box: Box
    kind: str = ""
    points: Sequence[tuple[float, float]] = ()


def save_marked(path: Path, target: Path, marks: Sequence[Mark], page: int = 1) -> FileRef:
    """Save a copy of a picture with marks on it, each name where it covers no other one.

    Args:
        path: of the picture.
        target: of the copy, a PNG, JPEG or WEBP by its suffix.
        marks: what is drawn.
        page: of the picture, from 1.

    Raises:
        Problem: `target` has another suffix.
    """
    data, losses = run_picture_call(marked_file, path, picture_kind(target), list(marks), page)
    save_bytes(target, data)
    add_notes([losses])
    return FileRef.from_path(target)


def picture_kind(target: Path) -> str:
    """Return Pillow's name for the format of a picture, by its suffix.

    Raises:
        Problem: it is not PNG, JPEG or WEBP.
    """
    kind = _SUFFIXES.get(target.suffix.lower())
    if kind is None:
        raise Problem(f"{target.name!r} is not a valid name for a picture; end it with .png, .jpg or .webp")
    return kind


def marked_file(path: Path, kind: str, marks: Sequence[Mark], page: int = 1) -> tuple[bytes, str]:
    """A page of a picture as it is displayed, with marks, as a file; and what it has not kept.

    To be called in `run_picture_call`.
    """
    image = load_picture(path, page).image
    data = draw_marks(flatten_with_contrast(image), kind, marks)
    return data, describe_losses(read_contents(path), read_contents(data), [image], chosen=True)


def draw_marks(picture: "Image", kind: str, marks: Sequence[Mark]) -> bytes:
    """Draw marks on a picture and return it as a file in one of Pillow's formats."""
    from PIL import ImageDraw, ImageFont

    draw = ImageDraw.Draw(picture)
    size = max(10, min(picture.size) // (32 if len(marks) <= _FEW else 56))
    line = max(1 if len(marks) > _FEW else 2, size // 7)
    font = ImageFont.truetype(str(font_file("DejaVu Sans")), size)
    kinds = list(dict.fromkeys(mark.kind for mark in marks))
    taken: list[Any] = []
    for mark in marks:
        colour = _COLOURS[kinds.index(mark.kind) % len(_COLOURS)]
        draw.rectangle(mark.box, outline=colour, width=line)
        dot = min(line, _estimate_spacing(mark) / 8)
        for x, y in mark.points:
            draw.ellipse((x - dot, y - dot, x + dot, y + dot), fill=colour)
        if mark.name:
            label = _place_name(draw.textbbox((0, 0), mark.name, font), mark.box, picture.size, taken)
            taken.append(label)
            draw.rectangle(label, fill=colour)
            draw.text((label[0] + 2, label[1]), mark.name, fill="white", font=font)
    data = io.BytesIO()
    picture.save(data, kind)
    return data.getvalue()


def _estimate_spacing(mark: Mark) -> float:
    """Estimate the spacing of a mark's points, since dots of that size would hide the picture."""
    return float((mark.box[2] - mark.box[0]) / max(1, len(mark.points)) ** 0.5)


def _place_name(
    letters: Any, box: Box, size: tuple[int, int], taken: Sequence[Any]
) -> tuple[float, float, float, float]:
    """Place a name above its box, else in it, else lower, inside the picture and not on another name."""
    width, height = letters[2] + 4, letters[3] + 3
    left = max(0.0, min(box[0], size[0] - width))
    for top in (box[1] - height, box[1], *(box[1] + step * height for step in range(1, 12))):
        place = (left, top, left + width, top + height)
        if 0 <= top <= size[1] - height and not any(_boxes_overlap(place, other) for other in taken):
            return place
    return (left, max(0.0, box[1]), left + width, max(0.0, box[1]) + height)


def _boxes_overlap(first: Any, other: Any) -> bool:
    return bool(first[0] < other[2] and other[0] < first[2] and first[1] < other[3] and other[1] < first[3])
