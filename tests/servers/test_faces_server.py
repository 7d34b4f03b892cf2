"""Faces in photographs."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support.answers import Call, make_caller, read_text
from support.pictures import ASTRONAUT, CAT, COFFEE

from yardkit.models.embedded.store import MODELS_VARIABLE
from yardkit.sandbox.serving.registry import load_server

EYES, MOUTH = ((158, 78), (192, 80)), (174, 113)
"""Where they are in the picture of the astronaut, by eye."""


@pytest.fixture
def call(files: Path) -> Call:
    for picture in (ASTRONAUT, CAT, COFFEE):
        (files / picture.name).write_bytes(picture.read_bytes())
    return make_caller(load_server("faces"))


def find_faces(call: Call, tool: str = "find_faces", **arguments: Any) -> dict[str, Any]:
    answer = call(tool, **arguments)
    assert not answer.is_error, read_text(answer)
    facts: dict[str, Any] = answer.structured_content
    return facts


def are_near(first: Any, other: Any, distance: float = 8) -> bool:
    return bool(abs(first[0] - other[0]) + abs(first[1] - other[1]) < distance)


def test_a_face_is_found_with_its_eyes_and_mouth(call: Call) -> None:
    [face] = find_faces(call, path="astronaut.jpg")["faces"]
    left, top, right, bottom = face["box"]
    assert left < EYES[0][0] < EYES[1][0] < right
    assert top < EYES[0][1] < MOUTH[1] < bottom
    assert are_near(face["points"]["right_eye"], EYES[0])
    assert are_near(face["points"]["left_eye"], EYES[1])
    assert are_near(face["points"]["mouth"], MOUTH)
    assert face["landmarks"] == []
    assert face["guesses"] is None


def test_landmarks_lie_on_the_face_and_guesses_are_called_so(call: Call) -> None:
    [face] = find_faces(call, path="astronaut.jpg", landmarks=True, attributes=True)["faces"]
    assert len(face["landmarks"]) == 468
    assert are_near(face["landmarks"][13], MOUTH)  # the middle of the upper lip, in MediaPipe's model
    assert {name for name in face["guesses"] if "guess" in name} == {"age_guess", "gender_guess", "expression_guess"}
    assert face["guesses"]["expression_guess"] == "happy"
    assert "often wrong" in read_text(call("find_faces", path="astronaut.jpg", attributes=True))


def test_no_face_is_seen_in_a_cat_or_a_cup(call: Call) -> None:
    for picture in ("cat.jpg", "coffee.jpg"):
        text = read_text(call("find_faces", path=picture, tiles=3))
        assert text.startswith("0 faces")
        assert "there may be more" in text


def test_small_faces_are_found_in_tiles_and_each_once(call: Call, files: Path) -> None:
    board = Image.new("RGB", (1600, 1200), (120, 90, 60))
    with Image.open(ASTRONAUT) as person:
        for place in ((100, 80), (1300, 100), (700, 500), (80, 900), (1350, 950)):
            board.paste(person.resize((160, 160)), place)
    board.save(files / "board.jpg", quality=92)
    assert find_faces(call, path="board.jpg", tiles=1)["count"] < 5
    assert find_faces(call, path="board.jpg", tiles=4)["count"] == 5
    assert find_faces(call, path="board.jpg", bbox_px=[0, 0, 400, 400])["count"] == 1


def test_a_face_is_like_itself_when_it_is_mirrored_and_smaller(call: Call, files: Path) -> None:
    with Image.open(ASTRONAUT) as person:
        person.resize((260, 260)).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(files / "other.png")
    answer = find_faces(call, "compare_faces", path="astronaut.jpg", other="other.png")
    assert answer["guess"] == "likely the same person"
    assert "Never use it as proof of" in answer["note"]
    assert "no face was found in 'coffee.jpg'" in read_text(
        call("compare_faces", path="astronaut.jpg", other="coffee.jpg")
    )


def test_the_marks_are_drawn_into_a_copy(call: Call, files: Path) -> None:
    result = call("mark_faces", path="astronaut.jpg", target="marks.png")
    assert [block.type for block in result.content] == ["text", "image"]
    eye = result.structured_content["faces"][0]["points"]["left_eye"]
    with Image.open(files / "marks.png") as drawn:
        assert drawn.getpixel((round(eye[0]), round(eye[1]))) == (230, 25, 75)


def test_without_models_the_command_that_gets_them_is_said(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "none"))
    assert "`yardkit models add small`" in read_text(call("find_faces", path="astronaut.jpg"))


def test_faces_in_a_panorama_are_found_and_boxes_stay_in_the_picture(call: Call, files: Path) -> None:
    with Image.open(ASTRONAUT) as person:
        panorama = Image.new("RGB", (3600, 400), (120, 130, 140))
        for x in (100, 1700, 3150):
            panorama.paste(person, (x, 0))
        panorama.save(files / "panorama.jpg", quality=92)
        person.crop((150, 0, 400, 300)).save(files / "cut.png")
    assert find_faces(call, path="panorama.jpg")["count"] == 3
    [face] = find_faces(call, path="cut.png")["faces"]
    assert face["box"][0] == 0


def test_of_several_faces_it_is_said_that_one_was_compared(call: Call, files: Path) -> None:
    with Image.open(ASTRONAUT) as person:
        pair = Image.new("RGB", (800, 400))
        pair.paste(person, (0, 0))
        pair.paste(person.resize((360, 360)), (420, 20))
        pair.save(files / "pair.png")
    note = find_faces(call, "compare_faces", path="pair.png", other="astronaut.jpg")["note"]
    assert note.startswith("Of 2 faces in pair.png only the largest was compared; pass bbox_px for another.")
