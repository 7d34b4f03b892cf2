"""Objects in photographs."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support.answers import Call, make_caller, read_text
from support.model_services import Answer, Respond, model_service, open_data_url
from support.pictures import ASTRONAUT, CAT, COFFEE
from support.videos import write_video

from yardkit.models.embedded.store import MODELS_VARIABLE
from yardkit.sandbox.serving.registry import load_server


@pytest.fixture
def call(files: Path) -> Call:
    for picture in (ASTRONAUT, CAT, COFFEE):
        (files / picture.name).write_bytes(picture.read_bytes())
    return make_caller(load_server("detection"))


def detect_objects(call: Call, **arguments: Any) -> list[dict[str, Any]]:
    detected_objects: list[dict[str, Any]] = call("detect_objects", **arguments).structured_content["objects"]
    return detected_objects


def compute_overlap(first: list[float], other: list[float]) -> float:
    """Intersection over union of two boxes."""
    sides = [max(0.0, min(first[2 + axis], other[2 + axis]) - max(first[axis], other[axis])) for axis in (0, 1)]
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (first, other)]
    return sides[0] * sides[1] / (sum(areas) - sides[0] * sides[1])


@pytest.mark.parametrize(
    ("picture", "label", "box"),
    [(COFFEE, "cup", [172, 18, 420, 310]), (ASTRONAUT, "person", [10, 5, 290, 400]), (CAT, "cat", [20, 5, 451, 300])],
)
def test_what_a_photograph_shows_is_found_where_it_is(call: Call, picture: Path, label: str, box: list[float]) -> None:
    [detection] = detect_objects(call, path=picture.name, classes=[label])
    assert detection["label"] == label
    assert compute_overlap(detection["box"], box) > 0.6


def test_labels_are_taken_as_people_say_them_and_unknown_ones_are_named(call: Call) -> None:
    assert [
        detected_object["label"]
        for detected_object in detect_objects(call, path="coffee.jpg", classes=["mugs", "Knives"])
    ] == ["cup"]
    assert "does not know 'forklift'" in read_text(call("detect_objects", path="coffee.jpg", classes=["forklift"]))


def test_nothing_found_is_no_statement_that_nothing_is_there(call: Call) -> None:
    text = call("detect_objects", path="coffee.jpg", classes=["zebra"]).content[0].text
    assert text.startswith("0 objects in 600 x 400 px, by nanodet")
    assert "may still be there" in text


def test_the_boxes_are_drawn_into_a_copy(call: Call, files: Path) -> None:
    result = call("mark_objects", path="coffee.jpg", target="boxes.png")
    assert [block.type for block in result.content] == ["text", "image"]
    with Image.open(files / "boxes.png") as drawn, Image.open(COFFEE) as original_picture:
        assert drawn.size == original_picture.size
        left, top, right, bottom = map(int, detect_objects(call, path="coffee.jpg")[0]["box"])
        edges = [
            drawn.getpixel(place) for place in ((left, top + 60), (right - 1, bottom - 60), (left + 60, bottom - 1))
        ]
    assert edges == [(230, 25, 75)] * 3
    assert "is not a valid name for a picture" in read_text(call("mark_objects", path="coffee.jpg", target="boxes.txt"))


def test_a_picture_that_is_turned_by_its_camera_has_boxes_as_it_is_displayed(call: Call, files: Path) -> None:
    turned = Image.open(COFFEE).rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6  # shown turned clockwise
    turned.save(files / "turned.jpg", exif=exif, quality=95)
    [upright], [turned_object] = (
        detect_objects(call, path=name, classes=["cup"]) for name in ("coffee.jpg", "turned.jpg")
    )
    assert compute_overlap(upright["box"], turned_object["box"]) > 0.8


def test_small_objects_are_found_in_tiles_and_each_once(call: Call, files: Path) -> None:
    board = Image.new("RGB", (1800, 1200), (120, 90, 60))
    with Image.open(COFFEE) as cup:
        small = cup.resize((420, 280))
        for place in ((60, 60), (1320, 90), (90, 830), (1320, 860)):
            board.paste(small, place)
    board.save(files / "board.jpg", quality=92)
    assert detect_objects(call, path="board.jpg", classes=["cup"]) == []
    assert len(detect_objects(call, path="board.jpg", classes=["cup"], tiles=3)) == 4


def test_damaged_and_other_files_are_refused_in_words(call: Call, files: Path) -> None:
    (files / "half.jpg").write_bytes(COFFEE.read_bytes()[:20_000])
    (files / "note.png").write_text("no picture")
    assert "cannot be read as a picture" in read_text(call("detect_objects", path="half.jpg"))
    assert "'note.png' is not a picture" in read_text(call("detect_objects", path="note.png"))


@pytest.fixture
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "none"))


@pytest.mark.usefixtures("no_models")
def test_without_a_model_the_command_that_gets_one_is_said(call: Call) -> None:
    assert "`yardkit models add small`" in read_text(call("detect_objects", path="coffee.jpg"))


def write_film(files: Path) -> None:
    """Three seconds: a cup, a person, a cup again."""
    pictures = []
    for picture in (COFFEE, ASTRONAUT, COFFEE):
        with Image.open(picture) as photograph:
            pictures += [photograph.convert("RGB").resize((450, 300))] * 10
    write_video(files / "film.mp4", pictures)


def test_what_a_video_shows_is_found_with_its_times(call: Call, files: Path) -> None:
    write_film(files)
    reply = call(
        "detect_video_objects", path="film.mp4", classes=["cup", "person"], every_s=0.5, min_confidence=0.45
    ).structured_content
    assert [
        (frame["time_s"], {detected_object["label"] for detected_object in frame["objects"]})
        for frame in reply["frames"]
    ] == [(0, {"cup"}), (0.5, {"cup"}), (1, {"person"}), (1.5, {"person"}), (2, {"cup"}), (2.5, {"cup"})]
    seen = {
        label_row["label"]: (label_row["frames"], label_row["first_s"], label_row["last_s"])
        for label_row in reply["labels"]
    }
    assert seen == {"cup": (4, 0, 2.5), "person": (2, 1, 1.5)}
    assert reply["next_start_s"] is None


def test_a_long_video_is_gone_on_with(call: Call, files: Path) -> None:
    write_film(files)
    text = read_text(call("detect_video_objects", path="film.mp4", classes=["cup"], every_s=0.5, limit=2))
    assert text.endswith("go on with start_s=1")


def service_that_finds(asked: list[dict[str, Any]]) -> Respond:
    """Finds what is asked for in the right half of any picture, in the words of the question."""

    def respond(body: bytes, path: str) -> Answer:
        question = json.loads(body)
        picture = open_data_url(question["image"])
        asked.append({"queries": question["queries"], "size": picture.size, "model": question["model"]})
        box = [picture.width / 2, 0, picture.width, picture.height]
        return {"objects": [{"label": query, "score": 0.8, "box": box} for query in question["queries"]]}

    return respond


def test_a_service_is_asked_in_free_words_and_its_boxes_are_those_of_the_picture(
    call: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []
    Image.new("RGB", (4096, 2000), "white").save(files / "wide.png")
    with model_service({"POST /objects": service_that_finds(asked)}, "finder") as url:
        monkeypatch.setenv("YARDKIT_OBJECTS_URL", url)
        answer = call("detect_objects", path="wide.png", classes=["Blue  forklift"])
        assert answer.structured_content["model"] == "finder (endpoint, full)"
        assert detect_objects(call, path="wide.png", classes=["forklift"], bbox_px=[1000, 0, 2000, 500])[0]["box"] == [
            1500, 0, 2000, 500
        ]  # fmt: skip
    [detected_object] = answer.structured_content["objects"]
    assert (detected_object["label"], detected_object["box"]) == ("blue forklift", [2048, 0, 4096, 2000])
    assert answer.structured_content["note"] == ""
    assert asked[0] == {"queries": ["blue forklift"], "size": (2048, 1000), "model": "finder"}


@pytest.mark.parametrize(
    "wrong", [{"objects": [{"label": "cup"}]}, {"found": []}, {"objects": [{"label": "a", "score": "?", "box": [1]}]}]
)
def test_a_service_that_answers_otherwise_is_named(
    call: Call, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any]
) -> None:
    with model_service({"POST /objects": lambda body, path: wrong}, "finder") as url:
        monkeypatch.setenv("YARDKIT_OBJECTS_URL", url)
        assert "answered without a list of objects" in read_text(
            call("detect_objects", path="coffee.jpg", classes=["cup"])
        )


def test_the_tier_that_is_wanted_is_taken(call: Call) -> None:
    assert [
        detected_object["label"]
        for detected_object in detect_objects(call, path="coffee.jpg", classes=["cup"], backend="embedded")
    ] == ["cup"]
    assert "neither YARDKIT_OBJECTS_URL nor YARDKIT_WORKER_URL is set" in read_text(
        call("detect_objects", path="coffee.jpg", backend="endpoint")
    )


def test_a_word_that_says_more_or_less_than_a_class_is_explained(call: Call) -> None:
    def read_note(word: str) -> str:
        return str(call("detect_objects", path="coffee.jpg", classes=[word]).structured_content["note"])

    assert read_note("women").startswith("'women' was looked for as person: the model cannot tell which of these")
    assert read_note("glasses").startswith("'glasses' was looked for as wine glass: the model knows no others")
    assert "as bird or cat or dog or horse" in read_note("animals")
    assert "looked for" not in read_note("cups")


def test_things_in_a_panorama_are_found(call: Call, files: Path) -> None:
    panorama = Image.new("RGB", (4000, 400), (110, 120, 100))
    with Image.open(COFFEE) as cup:
        for x in (300, 3000):
            panorama.paste(cup, (x, 0))
    panorama.save(files / "panorama.jpg", quality=92)
    assert len(detect_objects(call, path="panorama.jpg", classes=["cup"])) == 2
