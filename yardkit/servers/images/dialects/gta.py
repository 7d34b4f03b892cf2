"""Pictures drawn on and measured, in the dialect of GTA."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from yardkit.kit.dialect import Delivered, FileName, OutputDir, Text, choose_deliverable
from yardkit.kit.lettering import Anchor, Lettering, add_text
from yardkit.kit.surface import make_server, tool
from yardkit.servers.images.engine.files import change_picture
from yardkit.servers.images.engine.marks import Mark, draw_marks
from yardkit.servers.images.engine.measures import measure_quality
from yardkit.world import InFile, Problem

mcp = make_server("images", "Draws boxes and text on pictures, and measures how sharp they are.")

BLURRED_BELOW = 100
"""Variance of the Laplacian under which GTA calls a picture blurry."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ANCHORS: dict[str, Anchor] = {
    "lt": "top_left",
    "lm": "left",
    "lb": "bottom_left",
    "mt": "top",
    "mm": "center",
    "mb": "bottom",
    "rt": "top_right",
    "rm": "right",
    "rb": "bottom_right",
}
"""GTA's letters for places: left, middle, right; then top, middle, bottom."""
Image = Annotated[InFile, Field(description="Image file.")]


@tool(mcp, name="DrawBox", writes=True, destructive=True)
def draw_box(
    image: Image,
    bbox: Annotated[str, Field(description="'(x1, y1, x2, y2)' in pixels.", max_length=200)],
    annotation: Annotated[str | None, Field(description="Text above the box.", max_length=500)] = None,
    output_dir: OutputDir = None,
    filename: FileName | None = None,
) -> Delivered:
    """Draw a box, red and lightly filled, on a copy of an image, with a text above it."""
    left, top, right, bottom = _parse_numbers(bbox, 4, "bbox")
    mark = Mark("box", ((left, top), (right, bottom)), fill="#ff000040", label=annotation or "")
    return _deliver_picture(image, filename, output_dir, "boxed", draw_marks, [mark])


@tool(mcp, name="AddText", writes=True, destructive=True)
def add_image_text(
    image: Image,
    text: Annotated[str, Field(description="Text to write.", min_length=1, max_length=5000)],
    position: Annotated[
        str,
        Field(
            description="'(x, y)' of the text's left bottom corner in pixels, or lt, lm, lb, mt, mm, mb, rt, rm, rb: "
            "left, middle, right; top, middle, bottom.",
            max_length=100,
        ),
    ],
    color: Annotated[str, Field(description="Colour of the text.", max_length=40)] = "red",
    output_dir: OutputDir = None,
    filename: FileName | None = None,
) -> Delivered:
    """Write text on a copy of an image."""
    anchor = _ANCHORS.get(position.strip().lower())
    place = None if anchor else tuple(_parse_numbers(position, 2, "position"))
    look = Lettering(color=color)
    return _deliver_picture(
        image, filename, output_dir, "text", add_text, text, look, anchor or "bottom_left", place, None, 16
    )


@tool(mcp, name="ImageQualityTest")
def test_quality(image: Image) -> Text:
    """Tell the variance of the Laplacian of an image, and whether it is blurry (under 100)."""
    sharpness = measure_quality(image).sharpness
    return Text(f"Laplacian variance: {sharpness:.2f}, Blurry: {sharpness < BLURRED_BELOW}")


def _deliver_picture(
    image: Path,
    filename: str | None,
    folder: Path | None,
    word: str,
    operation: Callable[..., Any],
    *args: object,
) -> Delivered:
    target = choose_deliverable(filename or f"{image.stem}_{word}", ".png", folder)
    return Delivered(change_picture(image, target, operation, *args).picture)


def _parse_numbers(text: str, count: int, name: str) -> list[float]:
    numbers = [float(number) for number in _NUMBER.findall(text)]
    if len(numbers) != count:
        raise Problem(
            f"{name} {text!r} has {len(numbers)} numbers; give {count}, such as (10, 20{', 200, 180' * (count == 4)})"
        )
    return numbers
