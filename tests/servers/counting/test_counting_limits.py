"""Counts of what is faint, thin, tiny, transparent, ringed, crowded or lies on other things: right, or said."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from support.answers import Call
from support.pictures import COFFEE

White = tuple[int, ...] | str
GRID = [(100 + 120 * column, 100 + 120 * row) for row in range(3) for column in range(5)]


def draw_dots(
    places: list[tuple[int, int]], radius: int, color: White, image: Image.Image | None = None
) -> Image.Image:
    image = image or Image.new("RGB", (800, 600), "white")
    draw = ImageDraw.Draw(image)
    for x, y in places:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)
    return image


def draw_needles(width: int, slant: int) -> Image.Image:
    image = Image.new("RGB", (800, 600), "white")
    for place in range(10):
        ImageDraw.Draw(image).line((60 + 70 * place, 100, 60 + slant + 70 * place, 400), "black", width)
    return image


def draw_rings() -> Image.Image:
    image = Image.new("RGB", (800, 600), "white")
    for x in (150, 300, 450, 600):
        ImageDraw.Draw(image).ellipse((x - 50, 150, x + 50, 250), outline="blue", width=8)
    return image


def count_things(done: Call, files: Path, image: Image.Image, **arguments: Any) -> dict[str, Any]:
    image.save(files / "things.png")
    counted: dict[str, Any] = done("count_objects", path="things.png", **arguments)
    return counted


@pytest.mark.parametrize(
    ("image", "truth"),
    [
        (draw_dots(GRID, 30, (246, 246, 246)), 15),
        (draw_needles(1, 0), 10),
        (draw_needles(2, 30), 10),
        (draw_dots(GRID, 2, "black", Image.new("RGB", (2600, 1900), "white")), 15),
        (draw_dots(GRID, 30, "white", Image.new("RGBA", (800, 600))), 15),
        (draw_dots(GRID[:3], 30, "black", draw_dots(GRID[3:], 30, "white", Image.new("RGBA", (800, 600)))), 15),
        (draw_dots([(x, y) for x in range(100, 640, 60) for y in range(80, 500, 60)], 30, "brown"), 63),
    ],
    ids=["faint", "hairlines", "needles", "tiny", "white on nothing", "white and black on nothing", "touching grid"],
)
def test_what_is_hard_to_see_is_counted(done: Call, files: Path, image: Image.Image, truth: int) -> None:
    counted = count_things(done, files, image)
    assert (counted["count"], counted["at_least"]) == (truth, False)


def test_a_plain_picture_holds_nothing_and_a_rough_one_cannot_be_told(done: Call, files: Path) -> None:
    assert count_things(done, files, Image.new("RGB", (800, 600), "white"))["count"] == 0
    assert count_things(done, files, Image.effect_noise((600, 400), 90).convert("RGB"))["count"] is None


def test_small_and_faint_marks_beside_large_things_are_said(done: Call, files: Path) -> None:
    large = draw_dots([(400, 320)], 200, "black")
    small = draw_dots([(40 + 40 * place, 30) for place in range(18)], 8, "black", large)
    counted = count_things(done, files, small)
    assert (counted["count"], counted["at_least"]) == (1, True)
    assert counted["notes"][0].startswith("18 smaller, thinner or fainter marks are not counted")
    mixed = draw_dots(GRID[5:10], 30, (246, 246, 246), draw_dots(GRID[:3], 30, "black"))
    counted = count_things(done, files, mixed)
    assert (counted["count"], counted["at_least"]) == (3, True)
    assert counted["notes"][0].startswith("5 smaller, thinner or fainter marks")


def test_things_on_a_thing_are_said_and_counted_in_a_box_within_it(done: Call, files: Path) -> None:
    plate = draw_dots([(400, 300)], 250, (210, 220, 230))
    draw_dots([(300, 220), (500, 220), (400, 380), (300, 400), (500, 400)], 35, (120, 70, 20), plate)
    counted = count_things(done, files, plate)
    assert counted["count"] == 1
    assert any(note.startswith("5 marks or things that lie on others") for note in counted["notes"])
    assert count_things(done, files, plate, bbox_px=[240, 160, 560, 460])["count"] == 5


def test_a_ring_has_the_colour_of_its_line(done: Call, files: Path) -> None:
    assert count_things(done, files, draw_rings(), contour="ring")["labels"] == {"blue ring": 4}


@pytest.mark.parametrize(("width", "spacing"), [(8, 60), (13, 60), (13, 53), (20, 60), (20, 53)])
def test_a_washer_is_one_thing_also_where_it_touches_another(done: Call, files: Path, width: int, spacing: int) -> None:
    image = Image.new("RGB", (800, 600), "white")
    for number in range(6):
        x, y = 100 + spacing * number, 200
        ImageDraw.Draw(image).ellipse((x - 26, y - 26, x + 26, y + 26), outline="gray", width=width)
    assert count_things(done, files, image)["count"] == 6


def test_of_a_shape_those_that_overlap_or_are_cut_are_said(done: Call, files: Path) -> None:
    three, overlapping = (
        draw_dots([(150, 150), (400, 150), (650, 150)], 40, "red"),
        [(200, 400), (235, 420), (220, 440)],
    )
    counted = count_things(done, files, draw_dots(overlapping, 40, "red", three.copy()), contour="circle")
    assert (counted["count"], counted["at_least"]) == (3, True)
    counted = count_things(done, files, draw_dots([(0, 400), (800, 400)], 40, "red", three), contour="circle")
    assert (counted["count"], counted["at_least"]) == (3, True)
    assert "2 more without a clear shape" in counted["notes"][0]


def test_what_a_model_cannot_tell_apart_has_no_count(done: Call, files: Path) -> None:
    (files / "coffee.jpg").write_bytes(COFFEE.read_bytes())
    counted = done("count_objects", path="coffee.jpg", classes=["women"])
    assert counted["count"] is None
    assert "cannot tell which of them are women" in counted["reason"]
