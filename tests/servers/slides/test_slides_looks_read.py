"""Looks are read in the words in which they are set, and compared."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

BOX = {"left_cm": 2, "top_cm": 3, "width_cm": 6, "height_cm": 3}


@pytest.fixture
def deck(files: Path, call: Callable[..., dict[str, Any]]) -> Any:
    call("create_deck", path="d.pptx", slides=[{"title": "Plan"}])
    line = {"kind": "line", **BOX, "line_color": "FF0000", "line_pt": 2.25, "start_arrow": True, "end_arrow": True}
    shapes = [{"kind": "rect", **BOX, "text": ["One", "Two"], "name": "box"}, {**line, "name": "arrow"}]
    call("add_slide_shapes", path="d.pptx", slide=1, shapes=shapes)
    return files / "d.pptx"


def read_shape(call: Any, name: Any, path: str = "d.pptx") -> Any:
    shapes = call("read_slides", path=path, details=True)["slides"][0]["shapes"]
    return next(candidate for candidate in shapes if candidate["name"] == name)


def set_style(call: Any, name: str = "box", op: str = "style", **fields: Any) -> None:
    call("edit_slide_shapes", path="d.pptx", edits=[{"op": op, "slide": 1, "shapes": [name], **fields}])


def test_a_fill_says_its_transparency_and_the_colours_of_its_gradient(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    set_style(call, fill="00B050", transparency=0.4)
    assert read_shape(call, "box")["fill"] == "00B050, 40% transparent"
    set_style(call, fill="accent1", fill_to="FFFFFF")
    assert read_shape(call, "box")["fill"] == "gradient accent1 to FFFFFF"


def test_a_line_says_its_dashes_and_arrows(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    assert read_shape(call, "arrow")["line"] == "FF0000 2.25 pt arrow at start and end"
    set_style(call, line_color="0000FF", line_pt=1, dash="dash")
    assert read_shape(call, "box")["line"] == "0000FF 1 pt dash"


def test_a_shape_says_its_flips_its_shadow_and_where_its_text_stands(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    set_style(call, shadow=True)
    set_style(call, op="move", flip_h=True)
    call("set_shape_text", path="d.pptx", slide=1, shape="box", paragraphs=["One"], vertical="bottom", margin_cm=0.3)
    look = read_shape(call, "box")["look"]
    assert look == {"flip_h": True, "shadow": True, "anchor": "bottom", "margin_cm": 0.3}


def test_a_paragraph_says_the_space_around_it(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    space = {"space_before_pt": 6, "space_after_pt": 3, "line_spacing": 1.2}
    call("set_shape_text", path="d.pptx", slide=1, shape="box", paragraphs=[{"text": "One", **space}, "Two"])
    first, two = read_shape(call, "box")["paragraphs"]
    assert first["space"] == space
    assert "space" not in two


def test_a_table_says_its_sizes_its_style_and_the_looks_of_its_cells(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    rows = [["Item", "Cost"], ["Pens", 12]]
    reply = call("add_slide_table", path="d.pptx", slide=1, rows=rows, **BOX)
    head = {"bold": True, "size_pt": 20, "color": "FF0000", "font": "Georgia", "fill": "DDEEFF", "align": "center"}
    edits = [
        {"op": "format", "row": 1, "column": 1, "vertical": "bottom", "border": "336699", **head},
        {"op": "size", "row": 1, "column": 2, "width_cm": 4, "height_cm": 2},
        {"op": "style", "header": True, "banded": False, "total": True},
    ]
    identity = reply["ids"][0]
    call("edit_slide_table", path="d.pptx", slide=1, shape=identity, edits=edits)
    shapes = call("read_slides", path="d.pptx", details=True)["slides"][0]["shapes"]
    table = next(candidate for candidate in shapes if candidate["id"] == identity)
    assert (table["look"]["column_widths_cm"][1], table["look"]["row_heights_cm"][0]) == (4, 2)
    assert table["look"]["style"] == ["header", "total"]
    cells = {(cell["row"], cell["column"]): cell["look"] for cell in table["cells"]}
    assert cells[1, 1] == {**head, "vertical": "bottom", "border": "336699 1 pt"}
    assert cells[1, 2]["border"] == {"left": "336699 1 pt"}


def test_decks_that_differ_only_in_such_looks_are_told_apart(
    deck: Any, files: Path, call: Callable[..., dict[str, Any]]
) -> None:
    shutil.copy(deck, files / "old.pptx")
    set_style(call, shadow=True)
    call("set_shape_text", path="d.pptx", slide=1, shape="box", paragraphs=[{"text": "One", "line_spacing": 2}, "Two"])
    differences = [
        difference["says"] for difference in call("compare_decks", path="old.pptx", other="d.pptx")["differences"]
    ]
    assert "shadow: None -> True" in differences
    assert any("space: {} -> {'line_spacing': 2.0}" in difference for difference in differences)


@pytest.mark.parametrize(("alpha", "fill"), [("60%", "00B050, 40% transparent"), ("half", "00B050, 100% transparent")])
def test_shares_of_strict_and_damaged_files_are_read(
    deck: Any, call: Callable[..., dict[str, Any]], alpha: str, fill: str
) -> None:
    set_style(call, fill="00B050", transparency=0.4)
    presentation = Presentation(str(deck))
    for element in presentation.slides[0]._element.iter("{*}alpha"):
        element.set("val", alpha)
    presentation.save(str(deck))
    assert read_shape(call, "box")["fill"] == fill
