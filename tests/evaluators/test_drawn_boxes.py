"""Red boxes on a copy of a picture are found by their line, and judged by what they stand around."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
import PIL.ImageDraw
import pytest

from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import DrawnBoxes
from yardkit.evaluators.misses import draw_boxes
from yardkit.evaluators.scoring import run_checkpoints
from yardkit.evaluators.submission import Submission, build_manifest

RIGHT, OTHER = (60.0, 80.0, 240.0, 110.0), (60.0, 140.0, 240.0, 170.0)
BOXES = DrawnBoxes("out.png", lambda _: "in.png", lambda _: [RIGHT], lambda _: [OTHER])
CHECKS = make_group(
    "boxes",
    "The line is marked",
    BOXES.check_boxes("around", "Around it"),
    BOXES.check_remaining_picture("rest", "All else is kept"),
)


def draw_sheet() -> PIL.Image.Image:
    image = PIL.Image.new("RGB", (400, 300), "white")
    draw = PIL.ImageDraw.Draw(image)
    for left, top, right, bottom in (RIGHT, OTHER):
        for x in range(round(left), round(right), 12):
            draw.rectangle((x, top + 4, x + 5, bottom - 4), fill="black")
    draw.rectangle((300, 200, 380, 280), outline="red", width=6)  # it was there before
    return image


def draw_tinted_box(image: PIL.Image.Image) -> PIL.Image.Image:
    """A box as GTA draws it: outline, a quarter of red over the inside, and a label that touches it."""
    red = PIL.Image.new("RGB", image.size, "red")
    mask = PIL.Image.new("L", image.size, 0)
    PIL.ImageDraw.Draw(mask).rectangle(RIGHT, fill=64)
    boxed_image = draw_boxes(PIL.Image.composite(red, image, mask), [RIGHT])
    PIL.ImageDraw.Draw(boxed_image).rectangle((54, 52, 120, 78), fill="red")
    return boxed_image


def grade_picture(folder: Path, change: Callable[[PIL.Image.Image], PIL.Image.Image]) -> dict[str, bool]:
    """Which leaves hold on a world in which a picture was delivered."""
    before, after = folder / "before", folder / "after"
    (before / "files").mkdir(parents=True)
    draw_sheet().save(before / "files/in.png")
    shutil.copytree(before, after)
    change(draw_sheet()).save(after / "files/out.png")
    submission = Submission(after, initial=build_manifest(before / "files"), before=lambda: before, scratch=folder)
    return {leaf.id: leaf.outcome == "pass" for leaf in run_checkpoints(CHECKS, submission, {}).verdict.list_leaves()}


@pytest.mark.parametrize("change", [draw_tinted_box, lambda image: draw_boxes(image, [RIGHT])])
def test_a_box_around_the_place_holds_with_and_without_tint_and_label(tmp_path: Path, change: Any) -> None:
    assert grade_picture(tmp_path, change) == {"around": True, "rest": True}


@pytest.mark.parametrize(
    ("boxes", "more"),
    [
        ([OTHER], {}),
        ([RIGHT, OTHER], {}),
        ([(10, 20, 390, 290)], {}),
        ([(60, 80, 120, 110)], {}),
        ([RIGHT], {"filled": True}),
        ([RIGHT], {"color": "#2040E0"}),
        ([], {}),
    ],
)
def test_another_box_does_not(tmp_path: Path, boxes: Any, more: Any) -> None:
    assert not grade_picture(tmp_path, lambda image: draw_boxes(image, boxes, **more))["around"]


def test_what_is_painted_over_beside_the_box_is_noticed(tmp_path: Path) -> None:
    def change(image: PIL.Image.Image) -> PIL.Image.Image:
        image.paste("white", (60, 140, 150, 170))
        return draw_boxes(image, [RIGHT])

    assert grade_picture(tmp_path, change) == {"around": True, "rest": False}
