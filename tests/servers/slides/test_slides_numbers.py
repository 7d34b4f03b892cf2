"""Layouts whose placeholders have no numbers, as LibreOffice writes them, are filled in the right places."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Cm

BOXES = {"title": (2, 1, 20, 2), "left": (2, 5, 9, 10), "right": (13, 5, 9, 10)}


@pytest.fixture
def numberless(files: Path) -> Any:
    """A deck without slides whose layout of two texts has numbers on none of its placeholders."""
    deck = Presentation()
    layout = deck.slide_layouts[3]
    for shape, box in zip(list(layout.placeholders)[:3], BOXES.values(), strict=True):
        shape.left, shape.top, shape.width, shape.height = map(Cm, box)
        shape._element.ph.attrib.pop("idx", None)
        shape._element.ph.attrib.pop("sz", None)
    deck.save(str(files / "n.pptx"))
    return files / "n.pptx"


def test_texts_stand_where_the_layout_has_them(numberless: Any, call: Callable[..., dict[str, Any]]) -> None:
    slide = {"title": "Two", "body": ["on the left"], "more_bodies": [["on the right"]], "layout": "Two Content"}
    call("add_slides", path="n.pptx", slides=[slide])
    shapes = call("read_slides", path="n.pptx")["slides"][0]["shapes"]
    assert [shape["box_cm"] for shape in shapes] == [list(map(float, box)) for box in BOXES.values()]
    assert [shape["paragraphs"][0]["text"] for shape in shapes] == ["Two", "on the left", "on the right"]
    assert not call("check_deck", path="n.pptx", kinds=["overlap", "overflow"])["count"]


def test_a_text_that_takes_its_place_from_the_layout_is_read_there(
    numberless: Any, call: Callable[..., dict[str, Any]]
) -> None:
    call("add_slides", path="n.pptx", slides=[{"title": "Two", "body": ["left"], "layout": "Two Content"}])
    deck = Presentation(str(numberless))
    body = next(shape for shape in deck.slides[0].placeholders if shape.text_frame.text == "left")
    body._element.spPr.remove(body._element.spPr.xfrm)
    deck.save(str(numberless))
    boxes = [shape["box_cm"] for shape in call("read_slides", path="n.pptx")["slides"][0]["shapes"]]
    assert boxes == [[2.0, 1.0, 20.0, 2.0], [2.0, 5.0, 9.0, 10.0]]
