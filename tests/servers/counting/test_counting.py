"""Counts of drawn things and of things in photographs."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support.answers import Call, read_text
from support.model_services import model_service
from support.pictures import COFFEE, COINS
from support.scale import select_drills
from support.scenes import Drawn, draw_scene, scatter_things

KINDS: list[Any] = [(0, False, 1), (20, False, 2), (0, True, 3), (10, True, 4)]
MORE: list[Any] = [(noise, fades, seed) for noise in (0, 10, 25) for fades in (False, True) for seed in range(5, 12)]


@pytest.mark.parametrize(("noise", "fades", "seed"), [*KINDS, *select_drills(*MORE)])
def test_drawn_things_are_counted_exactly_also_with_noise_and_fading_light(
    done: Call, files: Path, noise: float, fades: bool, seed: int
) -> None:
    things = scatter_things(seed, 9 + seed % 5)
    draw_scene(things, noise=noise, fades=fades).save(files / "scene.png")
    count = done("count_objects", path="scene.png")
    assert count["count"] == len(things)
    assert not count["at_least"] or noise > 20  # which frays the outlines
    assert count["confidence"] > 0.8
    named = Counter(thing["label"] for thing in count["things"])
    assert (named - Counter(f"{thing.color} {thing.shape}" for thing in things)).total() <= (
        noise / 20 if noise <= 20 else 0.4 * len(things)
    )


def test_a_detector_of_the_upper_tiers_counts_what_any_words_name(
    done: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_scene(scatter_things(8, 5)).save(files / "scene.png")

    def detect(body: bytes, path: str) -> dict[str, Any]:
        assert json.loads(body)["queries"] == ["blue toy brick"]
        boxes = [[10, 10, 60, 60], [100, 10, 160, 60]]
        return {"objects": [{"label": "blue toy brick", "score": 0.8, "box": box} for box in boxes]}

    with model_service({"POST /objects": detect}, "finder") as url:
        monkeypatch.setenv("YARDKIT_OBJECTS_URL", url)
        count = done("count_objects", path="scene.png", classes=["blue toy brick"])
    assert (count["count"], count["at_least"], count["labels"]) == (2, False, {"blue toy brick": 2})


@pytest.mark.parametrize("asked", [{"color": "red"}, {"contour": "star"}, {"color": "blue", "contour": "circle"}])
def test_those_of_a_colour_and_a_shape_are_counted(done: Call, files: Path, asked: dict[str, str]) -> None:
    things = scatter_things(8, 14)
    draw_scene(things).save(files / "scene.png")
    expected_things = [
        thing
        for thing in things
        if all(getattr(thing, key.replace("contour", "shape")) == value for key, value in asked.items())
    ]
    assert done("count_objects", path="scene.png", **asked)["count"] == len(expected_things)


def make_row(shape: str, distance: float, colors: tuple[str, ...]) -> list[Drawn]:
    """Things side by side, at a distance in radii; and one alone."""
    touching = [Drawn(shape, color, 80 + 35 * distance * place, 120, 35) for place, color in enumerate(colors)]
    return [*touching, Drawn(shape, "red", 300, 300, 35)]


@pytest.mark.parametrize(
    ("shape", "distance", "colors"),
    [("circle", 1.6, ("red",) * 3), ("hexagon", 1.8, ("red",) * 2), ("square", 1.5, ("red", "blue", "green"))],
)
def test_things_that_touch_are_counted_one_by_one(
    done: Call, files: Path, shape: str, distance: float, colors: tuple[str, ...]
) -> None:
    things = make_row(shape, distance, colors)
    draw_scene(things).save(files / "row.png")
    count = done("count_objects", path="row.png")
    assert count["count"] == len(things)
    assert any("touch others" in note for note in count["notes"])


def test_where_overlapping_things_may_be_several_the_count_is_at_least(done: Call, files: Path) -> None:
    draw_scene(make_row("circle", 1.0, ("red",) * 3)).save(files / "row.png")
    count = done("count_objects", path="row.png")
    assert count["at_least"]
    assert "1 may be several that touch or overlap" in count["notes"]


def test_coins_of_a_photograph_are_counted_by_what_stands_out_and_by_an_example(done: Call, files: Path) -> None:
    (files / "coins.png").write_bytes(COINS.read_bytes())
    assert done("count_objects", path="coins.png")["count"] == 24
    count = done("count_objects", path="coins.png", example_px=[80, 34, 122, 76])
    assert count["count"] == 24
    assert count["things"][0]["score"] > 0.99
    assert done("count_objects", path="coins.png", bbox_px=[0, 0, 384, 85])["count"] == 6


def test_an_example_is_found_turned_and_in_other_sizes(done: Call, files: Path) -> None:
    things = [
        Drawn("star", "red", 80, 80, 40),
        Drawn("star", "red", 250, 90, 40, 0.5),
        Drawn("star", "red", 450, 90, 52),
    ]
    draw_scene([*things, Drawn("circle", "blue", 200, 280, 40), Drawn("square", "green", 420, 290, 40)]).save(
        files / "s.png"
    )
    assert done("count_objects", path="s.png", example_px=[36, 36, 124, 124])["count"] == 3


def test_objects_of_a_class_are_at_least_as_many_as_the_model_finds(done: Call, files: Path) -> None:
    (files / "coffee.jpg").write_bytes(COFFEE.read_bytes())
    count = done("count_objects", path="coffee.jpg", classes=["mugs"])
    assert (count["count"], count["at_least"], count["labels"]) == (1, True, {"cup": 1})
    assert "misses small" in count["notes"][0]


def test_what_cannot_be_told_is_null_with_the_reason_and_never_zero(done: Call, call: Call, files: Path) -> None:
    (files / "coffee.jpg").write_bytes(COFFEE.read_bytes())
    board = Image.new("RGB", (400, 400), "white")
    board.paste("black", (0, 0, 200, 200))
    board.paste("black", (200, 200, 400, 400))
    board.save(files / "board.png")
    asked: list[tuple[dict[str, Any], str]] = [
        ({"path": "coffee.jpg"}, "the background is uneven"),
        ({"path": "coffee.jpg", "classes": ["zebra"]}, "a small model that misses small"),
        ({"path": "coffee.jpg", "color": "brown"}, "brown"),
    ]
    for arguments, reason in asked:
        reply = done("count_objects", **arguments)
        assert reply["count"] is None
        assert reason in reply["reason"]
        assert read_text(call("count_objects", **arguments)).startswith("cannot determine how many: ")


def test_zero_is_said_where_nothing_is_on_a_plain_ground(done: Call, files: Path) -> None:
    Image.new("RGB", (300, 200), "#e0f0e0").save(files / "empty.png")
    draw_scene([Drawn("circle", "red", 100, 100, 40)]).save(files / "red.png")
    assert done("count_objects", path="empty.png")["count"] == 0
    assert done("count_objects", path="red.png", color="blue")["count"] == 0
    assert done("count_objects", path="red.png", contour="triangle")["count"] == 0


def test_the_marks_are_drawn_into_a_copy(call: Call, files: Path) -> None:
    draw_scene([Drawn("circle", "blue", 100, 100, 40)]).save(files / "one.png")
    result = call("mark_counted_objects", path="one.png", target="marks.png")
    assert [block.type for block in result.content] == ["text", "image"]
    with Image.open(files / "marks.png") as drawn:
        assert drawn.getpixel((60, 100)) == (230, 25, 75)
    refusal = read_text(call("mark_counted_objects", path="one.png", target="marks.txt"))
    assert "is not a valid name for a picture" in refusal


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"classes": ["cup"], "color": "red"}, "give only one of classes, example, or color and contour"),
        ({"classes": ["forklift"]}, "does not know 'forklift'"),
        ({"bbox_px": [900, 0, 950, 50]}, "outside the picture, which is 600 x 400"),
        ({"example_px": [10, 10, 14, 30]}, "it must be at least 8 x 8"),
        ({"example_px": [0, 0, 40, 40]}, "has only one colour"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(
    refused: Call, files: Path, arguments: dict[str, Any], wrong: str
) -> None:
    draw_scene([Drawn("circle", "blue", 100, 100, 40)]).save(files / "one.png")
    assert wrong in refused("count_objects", path="one.png", **arguments)
