"""The server `lore`: documents by exact ids, one answer to all others, views of pictures."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops
from support.answers import list_pictures, make_caller, read_text

from yardkit.apps.lore_documents import save_documents
from yardkit.servers.lore.engine.drawing import apply_change, draw_picture
from yardkit.servers.lore.engine.reading import MAX_CHANGES
from yardkit.servers.lore.engine.store import UNKNOWN
from yardkit.servers.lore.server import mcp
from yardkit.world import Problem, World, use_world

SIGN = {"formula": "v5 = 3 \u00d7 14"}
RECORDS: list[dict[str, Any]] = [
    {"id": "v1%abc", "text": "v0: 12."},
    {"id": "v2%-17", "text": "v3 = \u00e9\u4e2d."},
    {"id": "v4%pic", "text": "v5 is the value of the formula in the picture.", "picture": SIGN},
    {"id": "v6%obj", "text": "", "picture": {"objects": [["circle", "cyan", 50, 50, 20]], "size": [100, 120]}},
]
call = make_caller(mcp)


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="lore/documents", seed=0)
    save_documents(new_world, RECORDS)
    with use_world(new_world):
        yield new_world


def test_a_document_is_read_by_its_exact_id() -> None:
    assert call("read_lore_document", doc_id="v1%abc").structured_content["text"] == "v0: 12."
    assert read_text(call("read_lore_document", doc_id="v2%-17")) == "v2%-17\nv3 = \u00e9\u4e2d."


WRITABLE = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1, max_size=400)


@given(WRITABLE.filter(lambda text: text.split("~")[0] not in {r["id"] for r in RECORDS}))
def test_every_id_that_does_not_exist_gets_the_same_answer(text: str) -> None:
    for tool, more in (("read_lore_document", {}), ("flip_image", {"direction": "vertical"})):
        answer = call(tool, doc_id=text, **more)
        assert answer.is_error
        assert read_text(answer) == UNKNOWN


@pytest.mark.parametrize("text", ["v1%ab", "v1%abcd", "V1%abc", "v1%abc ", "v1%abc\n", "v1%abc~rotate=9", "v4%pic~x=1"])
@pytest.mark.parametrize("more", ["", "~stretch=0,1", "~rotate=nan", "~stretch=1e9,1", "~flip=up", "~rotate=", "~"])
def test_an_id_that_is_nearly_right_is_wrong(text: str, more: str) -> None:
    assert read_text(call("read_lore_document", doc_id=text + more)) == UNKNOWN


def test_where_no_task_is_open_the_tool_says_how_to_open_one(tmp_path: Path) -> None:
    with use_world(World.create(tmp_path / "other", task="", seed=0)):
        assert "yardkit open" in read_text(call("read_lore_document", doc_id="v1%abc"))


def test_many_documents_are_found_one_and_all(tmp_path: Path) -> None:
    many = World.create(tmp_path / "many", task="", seed=0)
    records = [{"id": f"v{n}%{n * 7919}", "text": "x" * (n % 50)} for n in range(3000)]
    save_documents(many, records)
    with use_world(many):
        for record in [*records[:3], *records[::97], records[-1]]:
            assert call("read_lore_document", doc_id=record["id"]).structured_content["text"] == record["text"]


def read_image(answer: Any) -> Image.Image:
    assert not answer.is_error, read_text(answer)
    return list_pictures(answer)[0].convert("RGB")


def test_a_picture_comes_as_pixels_and_nothing_tells_what_it_shows() -> None:
    answer = call("read_lore_document", doc_id="v4%pic")
    assert "3" not in read_text(answer).replace("v4%pic", "")
    data = io.BytesIO()
    read_image(answer).save(data, "PNG")
    assert Image.open(data).info == {}
    assert set(answer.structured_content["picture"]) == {"media_type", "width_px", "height_px"}


def test_views_can_be_put_one_on_the_other_and_undo_each_other() -> None:
    before = read_image(call("read_lore_document", doc_id="v4%pic"))
    turned = call("rotate_image", doc_id="v4%pic", angle=90)
    assert read_image(turned).size == before.size[::-1]
    back = call("rotate_image", doc_id=turned.structured_content["id"], angle=-90)
    twice = call("flip_image", doc_id=back.structured_content["id"], direction="horizontal")
    again = call("flip_image", doc_id=twice.structured_content["id"], direction="horizontal")
    assert ImageChops.difference(read_image(again), before).getbbox() is None
    same = call("read_lore_document", doc_id=again.structured_content["id"])
    assert ImageChops.difference(read_image(same), before).getbbox() is None


def test_a_stretched_picture_has_the_wanted_size() -> None:
    wide = read_image(call("stretch_image", doc_id="v6%obj", width_factor=2, height_factor=0.5))
    assert wide.size == (200, 60)


def test_a_mirrored_picture_is_mirrored() -> None:
    picture = draw_picture({"objects": [["square", "red", 20, 50, 15]], "size": [100, 100]})
    flipped = apply_change(picture, ["flip", "horizontal"])
    assert flipped.getpixel((80, 50)) == picture.getpixel((20, 50)) != (255, 255, 255)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("rotate_image", {"doc_id": "v1%abc", "angle": 5}, "has no picture"),
        ("stretch_image", {"doc_id": "v4%pic", "width_factor": 0.01, "height_factor": 1}, "at least 8"),
        ("rotate_image", {"doc_id": "v4%pic", "angle": 4000}, "360"),
        ("stretch_image", {"doc_id": "v4%pic", "width_factor": 0, "height_factor": 1}, "greater than 0"),
        ("flip_image", {"doc_id": "v4%pic", "direction": "up"}, "horizontal"),
    ],
)
def test_what_cannot_be_done_is_said(tool: str, arguments: dict[str, Any], says: str) -> None:
    answer = call(tool, **arguments)
    assert answer.is_error
    assert says in read_text(answer)


def test_pictures_stay_bounded_in_size_and_changes() -> None:
    name, error = "v6%obj", ""
    for _ in range(MAX_CHANGES):
        answer = call("stretch_image", doc_id=name, width_factor=10, height_factor=10)
        if answer.is_error:
            error = read_text(answer)
            break
        name = answer.structured_content["id"]
    assert "4,000,000" in error
    name = "v6%obj"
    for _ in range(MAX_CHANGES):
        name = call("flip_image", doc_id=name, direction="vertical").structured_content["id"]
    assert "start again with 'v6%obj'" in read_text(call("flip_image", doc_id=name, direction="vertical"))


def test_a_formula_without_room_is_refused() -> None:
    with pytest.raises(Problem, match="at least 8"):
        apply_change(Image.new("RGB", (20, 20)), ["stretch", 0.1, 1])
