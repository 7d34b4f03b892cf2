"""Shapes that stand in two versions, for newer and older programs, are read and changed like others."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.util import Cm

VERSIONS = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    '<mc:Choice xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" Requires="a14"/><mc:Fallback/>'
    "</mc:AlternateContent>"
)
FORMULA = (
    '<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main">'
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>E=mc²</m:t></m:r>'
    "</m:oMath></a14:m>"
)


@pytest.fixture
def deck(files: Path) -> Any:
    """A box with a formula, for older programs without it, on the slide; the same in a group."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_shape(1, Cm(1), Cm(1), Cm(2), Cm(2))
    group = slide.shapes.add_group_shape()
    group.shapes.add_shape(1, Cm(12), Cm(5), Cm(2), Cm(2))
    for holder, left in ((slide.shapes, 4), (group.shapes, 16)):
        box = holder.add_textbox(Cm(left), Cm(5), Cm(6), Cm(2))
        box.text_frame.text = "Energy is "
        element = box._element
        versions = etree.fromstring(VERSIONS)
        element.addprevious(versions)
        newer = copy.deepcopy(element)
        newer.find(".//{*}p").append(etree.fromstring(FORMULA))
        versions[0].append(newer)
        versions[1].append(element)
    deck.save(str(files / "v.pptx"))
    return files / "v.pptx"


def map_shapes(call: Any) -> Any:
    return {shape["id"]: shape for shape in call("read_slides", path="v.pptx")["slides"][0]["shapes"]}


def edit_shapes(call: Any, op: Any, *chosen: Any, **more: Any) -> None:
    call("edit_slide_shapes", path="v.pptx", edits=[{"op": op, "slide": 1, "shapes": chosen, **more}])


def test_a_box_with_a_formula_is_read_with_its_text(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    assert [shape["paragraphs"][0]["text"] for shape in map_shapes(call).values() if shape["kind"] == "textbox"] == [
        "Energy is E=mc²",
        "Energy is E=mc²",
    ]
    assert call("read_deck_text", path="v.pptx")["text"].count("Energy is E=mc²") == 2


def test_both_versions_are_moved_and_deleted(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    box = next(shape for shape in map_shapes(call).values() if shape["kind"] == "textbox" and not shape.get("groups"))
    edit_shapes(call, "move", box["id"], left_cm=8, top_cm=9)
    slide = Presentation(str(deck)).slides[0]
    places = [element.get("x") for element in slide._element.iterfind("{*}cSld/{*}spTree/{*}AlternateContent//{*}off")]
    assert places == [str(Cm(8))] * 2
    edit_shapes(call, "delete", box["id"])
    assert box["id"] not in map_shapes(call)
    assert Presentation(str(deck)).slides[0]._element.find("{*}cSld/{*}spTree/{*}AlternateContent") is None


def test_a_copy_has_both_versions(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    box = next(shape for shape in map_shapes(call).values() if shape["kind"] == "textbox" and not shape.get("groups"))
    edit_shapes(call, "duplicate", box["id"])
    slide = Presentation(str(deck)).slides[0]
    assert len(slide._element.findall("{*}cSld/{*}spTree/{*}AlternateContent/{*}Fallback/{*}sp")) == 2
    assert sum(shape["kind"] == "textbox" for shape in map_shapes(call).values()) == 3
    ids = [element.get("id") for element in slide._element.iterfind("{*}cSld/{*}spTree/{*}AlternateContent//{*}cNvPr")]
    assert len(ids) == 4
    assert [ids.count(identifier) for identifier in ids] == [2] * 4


def test_a_dissolved_group_leaves_both_versions(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    group = next(shape for shape in map_shapes(call).values() if shape["kind"] == "group")
    edit_shapes(call, "ungroup", group["id"])
    assert [shape["paragraphs"][0]["text"] for shape in map_shapes(call).values() if shape["kind"] == "textbox"] == [
        "Energy is E=mc²",
        "Energy is E=mc²",
    ]


def test_the_order_takes_both_versions(
    deck: Any, call: Callable[..., dict[str, Any]], refused: Callable[..., str]
) -> None:
    shapes = list(map_shapes(call).values())
    box = next(candidate for candidate in shapes if candidate["kind"] == "textbox" and not candidate.get("groups"))
    edit_shapes(call, "order", box["id"], to="back")
    assert next(iter(map_shapes(call))) == box["id"]
    operation = {"op": "group", "slide": 1, "shapes": [shapes[0]["id"], box["id"]]}
    assert "cannot be grouped" in refused("edit_slide_shapes", path="v.pptx", edits=[operation])


def read_older_text(deck: Any) -> Any:
    holder = Presentation(str(deck)).slides[0]._element.find("{*}cSld/{*}spTree/{*}AlternateContent/{*}Fallback")
    return None if holder is None else "".join(text.text for text in holder.iter("{*}t")).strip()


def top_box(call: Any) -> Any:
    return next(
        shape["id"] for shape in map_shapes(call).values() if shape["kind"] == "textbox" and not shape.get("groups")
    )


def test_a_box_whose_formula_goes_stands_in_one_version(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    reply = call("set_shape_text", path="v.pptx", slide=1, shape=top_box(call), paragraphs=["Plain words"])
    assert "notes" not in reply
    assert read_older_text(deck) is None
    assert "Plain words" in call("read_deck_text", path="v.pptx")["text"]


def test_it_is_told_that_older_programs_do_not_show_a_change(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    box = top_box(call)
    reply = call("set_shape_text", path="v.pptx", slide=1, shape=box, paragraphs=["more"], append=True)
    notice = f"shape {box} 'TextBox 4' also has a version for older programs, which still show the old one"
    assert reply["notes"] == [notice]
    assert "show the old one" in call("format_shape_text", path="v.pptx", slide=1, shapes=[box], bold=True)["notes"][0]
    operation = {"op": "style", "slide": 1, "shapes": [box], "fill": "FF0000"}
    assert "show the old one" in call("edit_slide_shapes", path="v.pptx", edits=[operation])["notes"][0]


def test_text_is_replaced_in_both_versions_and_counted_once(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    reply = call("replace_deck_text", path="v.pptx", find="Energy", replace="Power")
    assert (reply["count"], reply.get("notes", [])) == (2, [])
    assert read_older_text(deck) == "Power is"


def test_text_that_older_programs_show_as_a_picture_is_told(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    presentation = Presentation(str(deck))
    for text in presentation.slides[0]._element.iterfind(".//{*}Fallback//{*}t"):
        text.text = " "
    presentation.save(str(deck))
    reply = call("replace_deck_text", path="v.pptx", find="Energy", replace="Power")
    assert reply["count"] == 2
    assert ["show the old one" in note for note in reply["notes"]] == [True, True]
