"""Pictures drawn on and measured, in the dialect of GTA."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from yardkit.kit.dialect import Delivered, OutputDir, choose_deliverable
from yardkit.kit.lettering import Anchor, Lettering, add_text
from yardkit.servers.images.engine.files import change_picture
from yardkit.servers.images.engine.marks import Mark, draw_marks
from yardkit.servers.images.engine.measures import measure_quality
from yardkit.world import InFile, Problem

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


def DrawBox(
    image: InFile,
    bbox: str,
    annotation: str | None = None,
    output_dir: OutputDir = None,
    filename: str | None = None,
) -> Delivered:
    left, top, right, bottom = _parse_numbers(bbox, 4, "bbox")
    mark = Mark("box", ((left, top), (right, bottom)), fill="#ff000040", label=annotation or "")
    return _deliver_picture(image, filename, output_dir, "boxed", draw_marks, [mark])


def AddText(
    image: InFile,
    text: str,
    position: str,
    color: str = "red",
    output_dir: OutputDir = None,
    filename: str | None = None,
) -> Delivered:
    anchor = _ANCHORS.get(position.strip().lower())
    place = None if anchor else tuple(_parse_numbers(position, 2, "position"))
    look = Lettering(color=color)
    return _deliver_picture(
        image, filename, output_dir, "text", add_text, text, look, anchor or "bottom_left", place, None, 16
    )


def ImageQualityTest(image: InFile) -> str:
    sharpness = measure_quality(image).sharpness
    return f"Laplacian variance: {sharpness:.2f}, Blurry: {sharpness < BLURRED_BELOW}"


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
