"""Shapes that are turned, mirrored, animated or glued: they stay as they are seen when what is around them changes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.util import Cm
from support.decks import check_consistency

P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
EFFECT = (
    '<p:par><p:cTn id="{0}1" fill="hold"><p:childTnLst><p:par><p:cTn id="{0}2" fill="hold"><p:childTnLst><p:par>'
    '<p:cTn id="{0}3" presetID="1" presetClass="entr" nodeType="clickEffect"><p:childTnLst><p:set><p:cBhvr>'
    '<p:cTn id="{0}4" dur="1"/><p:tgtEl><p:spTgt spid="{0}"/></p:tgtEl></p:cBhvr></p:set></p:childTnLst></p:cTn>'
    "</p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>"
)
TIMING = (
    f'<p:timing {P}><p:tnLst><p:par><p:cTn id="1" nodeType="tmRoot"><p:childTnLst><p:seq><p:cTn id="2" '
    'nodeType="mainSeq"><p:childTnLst>{}</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>'
    "<p:bldLst>{}</p:bldLst></p:timing>"
)


@pytest.fixture
def deck(files: Path) -> Any:
    """A group of two boxes and a line between them; a third box; a label that stands upright at the left border."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    first = group.shapes.add_shape(1, Cm(4), Cm(4), Cm(4), Cm(2))
    second = group.shapes.add_shape(1, Cm(12), Cm(8), Cm(4), Cm(2))
    line = group.shapes.add_connector(1, 0, 0, 0, 0)
    line.begin_connect(first, 3)
    line.end_connect(second, 1)
    group.left, group.top, group.width, group.height = Cm(4), Cm(4), Cm(12), Cm(6)
    for tag, x, y in (("chOff", 4, 4), ("chExt", 12, 6)):
        child = group._element.grpSpPr.xfrm.find(f"{{*}}{tag}")
        for key, value in zip(child.attrib, (Cm(x), Cm(y)), strict=True):
            child.set(key, str(value))
    slide.shapes.add_shape(1, Cm(18), Cm(4), Cm(3), Cm(2))
    label = slide.shapes.add_textbox(Cm(-2), Cm(14), Cm(6), Cm(1))
    label.text_frame.text, label.rotation = "upright", 270
    deck.save(str(files / "t.pptx"))
    return files / "t.pptx"


def map_shapes(path: Any) -> Any:
    return {shape.shape_id: shape for shape in Presentation(str(path)).slides[0].shapes}


def compute_middle(shape: Any) -> Any:
    return [round((shape.left + shape.width / 2) / 360_000, 1), round((shape.top + shape.height / 2) / 360_000, 1)]


def test_shapes_of_a_turned_group_stay_as_they_are_seen(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    presentation = Presentation(str(deck))
    presentation.slides[0].shapes[0].rotation = 90
    presentation.save(str(deck))
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": "ungroup", "slide": 1, "shapes": [2]}])
    freed = map_shapes(deck)
    assert [freed[number].rotation for number in (3, 4)] == [90, 90]
    assert [compute_middle(freed[number]) for number in (3, 4)] == [[12, 3], [8, 11]]


def test_shapes_of_a_mirrored_group_stay_as_they_are_seen(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    presentation = Presentation(str(deck))
    presentation.slides[0].shapes[0]._element.grpSpPr.xfrm.set("flipH", "1")
    presentation.slides[0].shapes[0].shapes[0].rotation = 30
    presentation.save(str(deck))
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": "ungroup", "slide": 1, "shapes": [2]}])
    freed = map_shapes(deck)
    assert [freed[number].rotation for number in (3, 4)] == [330, 0]
    assert [compute_middle(freed[number]) for number in (3, 4)] == [[14, 5], [6, 9]]
    assert [freed[number]._element.spPr.xfrm.get("flipH") for number in (3, 4)] == ["1", "1"]


@pytest.mark.parametrize(("chosen", "glued"), [([2], [9, 10]), ([5], [])])
def test_a_copied_line_holds_on_to_the_copies_of_its_shapes(
    deck: Any, call: Callable[..., dict[str, Any]], chosen: list[int], glued: list[Any]
) -> None:
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": "duplicate", "slide": 1, "shapes": chosen}])
    shapes = call("read_slides", path="t.pptx")["slides"][0]["shapes"]
    lines = {shape["id"]: shape.get("glued_to", []) for shape in shapes if shape["kind"] == "connector"}
    assert list(lines.values()) == [[3, 4], glued]
    check_consistency(deck)


def animate_shapes(path: Any, numbers: Any) -> None:
    presentation = Presentation(str(path))
    builds = "".join(f'<p:bldP spid="{number}" grpId="0"/>' for number in numbers)
    presentation.slides[0]._element.append(
        etree.fromstring(TIMING.format("".join(map(EFFECT.format, numbers)), builds))
    )
    presentation.save(str(path))


def list_animated(path: Any) -> Any:
    timing = Presentation(str(path)).slides[0]._element.find("{*}timing")
    return None if timing is None else [element.get("spid") for element in timing.iter("{*}spTgt", "{*}bldP")]


def test_animations_of_other_shapes_stay_when_an_animated_shape_is_deleted(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    animate_shapes(deck, [6, 7])
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": "delete", "slide": 1, "shapes": [6]}])
    assert list_animated(deck) == ["7", "7"]
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": "delete", "slide": 1, "shapes": [7]}])
    assert list_animated(deck) is None


def test_a_group_that_is_dissolved_leaves_no_animation_of_nothing(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    animate_shapes(deck, [2, 6])
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": "ungroup", "slide": 1, "shapes": [2]}])
    assert list_animated(deck) == ["6", "6"]


def test_a_label_that_stands_upright_is_looked_for_where_it_is_seen(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    assert not call("check_deck", path="t.pptx", kinds=["off_slide", "overlap"])["count"]
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": "move", "slide": 1, "shapes": [7], "top_cm": 17}])
    [finding] = call("check_deck", path="t.pptx", kinds=["off_slide", "overlap"])["findings"]
    assert finding["says"] == "reaches over the slide: bottom by 1.4 cm"


def place_anew(path: Any, *turned: Any) -> None:
    """Boxes of 4 x 2 cm on an empty slide: left, top and angle of each."""
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    for left, top, degrees in turned:
        slide.shapes.add_shape(1, Cm(left), Cm(top), Cm(4), Cm(2)).rotation = degrees
    presentation.save(str(path))


def edit_shapes(call: Any, op: Any, *chosen: Any, **more: Any) -> None:
    call("edit_slide_shapes", path="t.pptx", edits=[{"op": op, "slide": 1, "shapes": chosen, **more}])


@pytest.mark.parametrize(
    ("to", "middles"),
    [("left", [[3, 2], [2, 7], [3, 12]]), ("right", [[16, 2], [17, 7], [16, 12]]), ("top", [[3, 2], [9, 3], [16, 2]])],
)
def test_turned_shapes_are_aligned_by_the_edges_that_are_seen(
    deck: Any, call: Callable[..., dict[str, Any]], to: str, middles: list[list[int]]
) -> None:
    place_anew(deck, (1, 1, 0), (7, 6, 90), (14, 11, 180))
    edit_shapes(call, "align", 2, 3, 4, to=to)
    assert [compute_middle(shape) for shape in map_shapes(deck).values()] == middles


def test_an_upright_label_is_aligned_with_the_border_of_the_slide(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    edit_shapes(call, "align", 7, to="left", within="slide")
    assert compute_middle(map_shapes(deck)[7]) == [0.5, 14.5]


def test_an_askew_shape_is_aligned_by_the_corners_that_are_seen(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    place_anew(deck, (7, 6, 45))
    edit_shapes(call, "align", 2, to="left", within="slide")
    assert compute_middle(map_shapes(deck)[2]) == [2.1, 7]


def test_turned_shapes_are_distributed_with_gaps_that_look_equal(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    place_anew(deck, (0, 0, 0), (5, 0, 90), (14, 0, 0))
    edit_shapes(call, "distribute", 2, 3, 4, to="horizontal")
    assert [compute_middle(shape) for shape in map_shapes(deck).values()] == [[2, 1], [9, 1], [16, 1]]
    place_anew(deck, (0, 0, 0), (0, 3, 90), (0, 16, 0), (0, 6, 0))
    edit_shapes(call, "distribute", 2, 3, 4, 5, to="vertical")
    assert [compute_middle(shape)[1] for shape in map_shapes(deck).values()] == [1, 6.7, 17, 12.3]
