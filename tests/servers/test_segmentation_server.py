"""Things cut out of pictures."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw
from support.answers import Call, make_caller, read_text
from support.model_services import encode_picture, model_service, open_data_url
from support.pictures import ASTRONAUT, CAT, COFFEE
from support.scenes import Drawn, draw_scene

from yardkit.sandbox.serving.registry import load_server

THINGS = [Drawn("star", "red", 150, 150, 70), Drawn("circle", "blue", 420, 250, 60)]


@pytest.fixture
def call(files: Path) -> Call:
    draw_scene(THINGS).save(files / "scene.png")
    for picture in (ASTRONAUT, COFFEE):
        (files / picture.name).write_bytes(picture.read_bytes())
    return make_caller(load_server("segmentation"))


def segment_object(call: Call, tool: str = "segment_object", **arguments: Any) -> dict[str, Any]:
    answer = call(tool, **arguments)
    assert not answer.is_error, read_text(answer)
    facts: dict[str, Any] = answer.structured_content or {}
    return facts


def mask_of(path: Path) -> "np.ndarray[Any, Any]":
    with Image.open(path) as picture:
        return np.asarray(picture) > 127


def compute_truth(thing: Drawn) -> "np.ndarray[Any, Any]":
    grey = np.asarray(draw_scene([thing]).convert("L"), float)
    return np.abs(grey - grey[0, 0]) > 30


def compute_agreement(first: "np.ndarray[Any, Any]", other: "np.ndarray[Any, Any]") -> float:
    return float((first & other).sum() / (first | other).sum())


@pytest.mark.parametrize("way", [{"bbox_px": [70, 70, 230, 230]}, {"point_px": [150, 150]}])
def test_a_thing_is_cut_out_along_its_outline(call: Call, files: Path, way: dict[str, Any]) -> None:
    reply = segment_object(call, path="scene.png", **way)
    segment_object(call, "cut_out_object", path="scene.png", target="mask.png", kind="mask", **way)
    segment_object(call, "cut_out_object", path="scene.png", target="cut.png", **way)
    mask = mask_of(files / "mask.png")
    assert mask.shape == (400, 600)
    assert compute_agreement(mask, compute_truth(THINGS[0])) > 0.95
    assert reply["area_px"] == mask.sum()
    left, top, right, bottom = reply["box"]
    with Image.open(files / "cut.png") as cut:
        assert cut.size == (right - left, bottom - top)
        assert cut.getpixel((0, 0))[3] == 0
        assert cut.getpixel((150 - left, 150 - top)) == pytest.approx((214, 39, 40, 255), abs=3)


def test_a_cup_of_a_photograph_is_in_the_mask_of_its_box(call: Call, files: Path) -> None:
    for kind in ("mask", "faded"):
        asked = {"bbox_px": [140, 10, 430, 390], "target": f"{kind}.png", "kind": kind}
        segment_object(call, "cut_out_object", path="coffee.jpg", **asked)
    mask = mask_of(files / "mask.png")
    assert mask[80:180, 220:360].mean() > 0.95  # coffee and rim
    assert mask[:, 500:].sum() == 0
    assert (files / "faded.png").is_file()


def test_a_person_is_cut_out_and_her_ground_is_not(call: Call, files: Path) -> None:
    reply = segment_object(call, "cut_out_object", path="astronaut.jpg", person=True, target="mask.png", kind="mask")
    mask = mask_of(files / "mask.png")
    assert mask[60:140, 145:205].mean() > 0.98
    assert mask[:60, 300:].mean() < 0.1
    assert "selfie" in reply["model"]
    assert "the model found no person in" in read_text(call("segment_object", path="scene.png", person=True))


def test_words_need_a_model_and_the_ways_to_one_are_said(call: Call) -> None:
    told_so = read_text(call("segment_object", path="scene.png", query="the star"))
    assert "YARDKIT_MASKS_URL" in told_so
    assert "give its box as bbox_px" in told_so


def test_a_service_cuts_out_what_words_name(call: Call, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def respond(body: bytes, path: str) -> dict[str, Any]:
        question = json.loads(body)
        picture = open_data_url(question.pop("image"))
        asked.append(question)
        mask = Image.new("L", picture.size)
        ImageDraw.Draw(mask).rectangle((0, 0, picture.width // 2 - 1, picture.height - 1), fill=255)
        return {"masks": [{"png": encode_picture(mask), "score": 0.9, "box": [0, 0, 1, 1]}]}

    Image.new("RGB", (4096, 1000), "white").save(files / "wide.png")
    with model_service({"POST /masks": respond}, "cutter") as url:
        monkeypatch.setenv("YARDKIT_MASKS_URL", url)
        reply = segment_object(call, path="wide.png", query="left half")
        assert (reply["box"], reply["score"], reply["model"]) == ([0, 0, 2048, 1000], 0.9, "cutter (endpoint, full)")
        segment_object(call, path="wide.png", bbox_px=[0, 0, 400, 200])
        segment_object(call, path="wide.png", point_px=[400, 200])
    assert asked[0] == {"model": "cutter", "query": "left half"}
    assert asked[1]["boxes"] == [[0, 0, 200, 100]]
    assert asked[2]["points"] == [{"x": 200, "y": 100, "inside": True}]


@pytest.mark.parametrize(
    "wrong", [{"masks": [{"png": "!!"}]}, {"found": 1}, {"masks": [{"png": base64.b64encode(b"no picture").decode()}]}]
)
def test_a_service_that_answers_otherwise_is_named(
    call: Call, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    with model_service({"POST /masks": lambda body, path: wrong}, "cutter") as url:
        monkeypatch.setenv("YARDKIT_MASKS_URL", url)
        assert "the service of YARDKIT_MASKS_URL returned" in read_text(
            call("segment_object", path="scene.png", query="star")
        )


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({}, "give exactly one of bbox_px, point_px, person and query"),
        ({"bbox_px": [0, 0, 50, 50], "person": True}, "give exactly one of bbox_px, point_px, person and query"),
        ({"bbox_px": [0, 0, 600, 400]}, "leaves no background around it to compare with"),
        ({"bbox_px": [700, 0, 800, 50]}, "outside the picture"),
        ({"bbox_px": [10, 10, 12, 40]}, "it must be at least 6 x 6"),
        ({"point_px": [900, 5]}, "outside the picture"),
    ],
)
def test_what_cannot_be_cut_out_is_refused_in_words(call: Call, arguments: dict[str, Any], wrong: str) -> None:
    assert wrong in read_text(call("segment_object", path="scene.png", **arguments))


def test_in_a_picture_of_one_colour_a_point_gives_nothing(call: Call, files: Path) -> None:
    Image.new("RGB", (200, 100), "white").save(files / "white.png")
    assert "is not a PNG file name" in read_text(
        call("cut_out_object", path="white.png", person=True, target="mask.jpg")
    )
    assert "the region covers the entire picture" in read_text(
        call("segment_object", path="white.png", point_px=[5, 5])
    )


def test_an_animal_is_no_person(call: Call, files: Path) -> None:
    (files / "cat.jpg").write_bytes(CAT.read_bytes())
    assert "found no person" in read_text(call("segment_object", path="cat.jpg", person=True))


def test_white_things_on_nothing_are_found_and_a_cutout_keeps_its_transparency(call: Call, files: Path) -> None:
    for name, colour in (("white.png", (255, 255, 255, 255)), ("half.png", (200, 30, 30, 128))):
        image = Image.new("RGBA", (400, 300))
        ImageDraw.Draw(image).ellipse((100, 50, 300, 250), fill=colour)
        image.save(files / name)
        segment_object(call, "cut_out_object", path=name, bbox_px=[90, 40, 310, 260], target="cut.png")
        with Image.open(files / "cut.png") as cutout:
            assert cutout.getpixel((cutout.width // 2, cutout.height // 2)) == colour


def test_a_point_on_a_hairline_takes_the_hairline(call: Call, files: Path) -> None:
    image = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(image).line((50, 150, 350, 150), "black", 1)
    image.save(files / "line.png")
    assert segment_object(call, path="line.png", point_px=[200, 150])["box"] == [50, 150, 351, 151]
