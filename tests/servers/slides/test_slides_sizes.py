"""Slides copied into a deck of another size lie on its slides as they lay on their own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Cm, Pt
from support.decks import check_consistency


@pytest.fixture
def wide(files: Path) -> Any:
    """A slide of 33.87 x 19.05 cm: a title in its place, a box, a table, and a group, all near the right border."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Cm(33.867), Cm(19.05)
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Title"
    box = slide.shapes.add_textbox(Cm(25), Cm(4), Cm(8), Cm(2))
    box.text_frame.text = "sized"
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(24)
    slide.shapes.add_table(2, 2, Cm(25), Cm(8), Cm(8), Cm(4))
    group = slide.shapes.add_group_shape()
    inner = group.shapes.add_textbox(Cm(27), Cm(14), Cm(4), Cm(2))
    inner.text_frame.text = "in a group"
    deck.save(str(files / "wide.pptx"))
    return files / "wide.pptx"


def list_boxes(slide: Any) -> Any:
    return [[round(length / 360_000, 2) for length in (s.left, s.top, s.width, s.height)] for s in slide.shapes]


def test_copied_shapes_are_scaled_to_a_smaller_slide_and_that_is_told(
    wide: Any, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    call("create_deck", path="narrow.pptx", size="4:3", slides=[{"title": "Mine"}])
    answer = call("copy_slides", path="narrow.pptx", source="wide.pptx", layout="Title Only")
    deck = Presentation(files / "narrow.pptx")
    slide = deck.slides[1]
    title, box, table, group = slide.shapes
    assert title._element.spPr.find(".//{*}xfrm") is None
    assert list_boxes(slide)[1:] == [[18.75, 5.38, 6.0, 1.5], [18.75, 8.38, 6.0, 3.0], [20.25, 12.88, 3.0, 1.5]]
    assert box.text_frame.paragraphs[0].runs[0].font.size == Pt(18)
    assert [round(column.width.cm, 2) for column in table.table.columns] == [3.0, 3.0]
    assert [round(row.height.cm, 2) for row in table.table.rows] == [1.5, 1.5]
    assert round(group.shapes[0].left.cm, 2) == 27  # its own coordinates: the group scales it
    assert all(shape.left + shape.width <= deck.slide_width for shape in slide.shapes)
    assert answer["notes"] == [
        "the slides are made for 33.87 x 19.05 cm and this deck has 25.4 x 19.05 cm: 3 shapes scaled to 75%, with the "
        "text sizes they state; look at the slides for text that no longer fits"
    ]
    check_consistency(files / "narrow.pptx")


def test_copied_shapes_stay_as_they_are_on_slides_of_their_size(
    wide: Any, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    call("create_deck", path="same.pptx", slides=[{"title": "Mine"}])
    size = {"width_cm": 33.867, "height_cm": 19.05}
    call("configure_deck", path="same.pptx", **size)
    answer = call("copy_slides", path="same.pptx", source="wide.pptx", layout="Title Only")
    assert list_boxes(Presentation(files / "same.pptx").slides[1])[1:] == list_boxes(Presentation(wide).slides[0])[1:]
    assert not answer.get("notes")


def test_slides_as_high_but_narrower_are_moved_and_that_is_told(wide: Any, call: Callable[..., dict[str, Any]]) -> None:
    call("create_deck", path="high.pptx", slides=[{"title": "Mine"}])
    call("configure_deck", path="high.pptx", width_cm=40, height_cm=19.05)
    answer = call("copy_slides", path="high.pptx", source="wide.pptx", layout="Title Only")
    assert answer["notes"][0].endswith("3 shapes moved to stay in the middle, none scaled")


def test_a_table_is_as_wide_as_the_new_slide_asks_for(
    wide: Any, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    call("configure_deck", path="wide.pptx", width_cm=25.4, height_cm=19.05)
    table = next(shape for shape in Presentation(wide).slides[0].shapes if shape.has_table)
    assert sum(column.width for column in table.table.columns) == pytest.approx(table.width, abs=9)
    assert sum(row.height for row in table.table.rows) == pytest.approx(table.height, abs=9)
    assert table.left + table.width <= Cm(25.4)
