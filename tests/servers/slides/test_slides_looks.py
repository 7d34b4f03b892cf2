"""What shapes, tables and texts look like after a change, and what is said of it."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Pt

BOX = {"left_cm": 2, "top_cm": 5, "width_cm": 9, "height_cm": 3}
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
ROWS = [["Region", "Units"], ["North", 10], ["South", 20]]


@pytest.fixture
def deck(files: Path, call: Callable[..., dict[str, Any]]) -> Any:
    call("create_deck", path="l.pptx", slides=[{"title": "Looks", "layout": "Title Only"}])
    return files / "l.pptx"


def list_shapes(path: Any) -> Any:
    return list(Presentation(str(path)).slides[0].shapes)[1:]


def test_a_fill_under_which_text_becomes_faint_is_told_with_a_colour_that_can_be_read(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    call("add_slide_shapes", path="l.pptx", slide=1, shapes=[{**BOX, "kind": "rect", "text": ["Text"], "name": "box"}])
    style = {"op": "style", "slide": 1, "shapes": ["box"]}
    reply = call("edit_slide_shapes", path="l.pptx", edits=[{**style, "fill": "none"}])
    assert reply["done"] == "Applied 1 operation"
    assert reply["notes"][0] == "styled 3"
    assert "slide 1, shape 3: text FFFFFF on FFFFFF has a contrast of 1.0:1" in reply["notes"][1]
    assert "use dark1, or another fill (format_shape_text)" in reply["notes"][1]
    assert len(call("edit_slide_shapes", path="l.pptx", edits=[{**style, "fill": "dark2"}])["notes"]) == 1


@pytest.mark.parametrize(
    ("kind", "color", "width"),
    [
        ("rect", None, None),
        ("wedgeRectCallout", None, None),
        ("borderCallout1", "accent3", 1.5),
        ("rightBrace", "accent3", 1.5),
        ("flowChartPredefinedProcess", "tx1", 1),
    ],
)
def test_a_filled_shape_keeps_the_lines_that_are_part_of_it(
    deck: Any, call: Callable[..., dict[str, Any]], kind: str, color: str | None, width: float | None
) -> None:
    call("add_slide_shapes", path="l.pptx", slide=1, shapes=[{**BOX, "kind": kind, "fill": "accent3"}])
    line = list_shapes(deck)[0]._element.find(f".//{A}ln")
    scheme_color = line.find(f"{A}solidFill/{A}schemeClr")
    assert (None if scheme_color is None else scheme_color.get("val")) == color
    assert line.get("w") == (None if width is None else str(Pt(width)))


def test_the_new_height_of_a_box_that_grows_with_its_text_is_told(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    call("add_slide_shapes", path="l.pptx", slide=1, shapes=[{**BOX, "kind": "rect", "text": ["x"], "name": "box"}])
    reply = call("set_shape_text", path="l.pptx", slide=1, shape="box", paragraphs=["Line"] * 9, autofit="resize")
    height = list_shapes(deck)[0].height.cm
    assert height > 3
    assert reply["notes"] == [f"the box is {round(height, 2):g} cm high now"]


def map_sides(cell: Any) -> Any:
    return {side: cell._tc.tcPr.find(f"{A}{side}") is not None for side in ("lnL", "lnR", "lnT", "lnB")}


def test_a_border_is_also_drawn_on_the_sides_of_the_cells_around(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    rows = [[str(row * 3 + column) for column in range(3)] for row in range(3)]
    call("add_slide_table", path="l.pptx", slide=1, rows=rows, name="t", **BOX)
    border = {"op": "format", "row": 2, "column": 2, "border": "C92A2A"}
    call("edit_slide_table", path="l.pptx", slide=1, shape="t", edits=[border, {**border, "row": 3, "column": 3}])
    table = list_shapes(deck)[0].table
    assert all(map_sides(table.cell(1, 1)).values())
    drawn = {
        at: [side for side, there in map_sides(table.cell(*at)).items() if there] for at in ((0, 1), (1, 0), (1, 2))
    }
    assert drawn == {(0, 1): ["lnB"], (1, 0): ["lnR"], (1, 2): ["lnL", "lnB"]}
    assert [child.tag for child in table.cell(1, 2)._tc.tcPr][:2] == [f"{A}lnL", f"{A}lnB"]


def test_a_new_column_is_aligned_by_what_it_holds(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    call("add_slide_table", path="l.pptx", slide=1, rows=ROWS, name="t", **BOX)
    words = {"op": "insert_columns", "column": 3, "values": [["Note"], ["up"], ["down"]]}
    numbers = {"op": "insert_columns", "column": 2, "values": [["Share"], ["33 %"], ["67 %"]]}
    centred = {"op": "format", "row": 1, "to_row": 3, "column": 4, "align": "center"}
    more = {"op": "insert_columns", "column": 5, "values": [["Like"], ["before"], ["it"]]}
    call("edit_slide_table", path="l.pptx", slide=1, shape="t", edits=[words, numbers, centred, more])
    rows = list_shapes(deck)[0].table.rows
    alignments = [[cell._tc.find(f".//{A}pPr").get("algn", "l") for cell in list(row.cells)[1:]] for row in rows]
    assert alignments == [["r", "r", "ctr", "ctr"]] * 3


def test_merged_cells_and_places_of_text_are_named_as_one_would(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    call("add_slide_table", path="l.pptx", slide=1, rows=ROWS, name="t", **BOX)
    call("edit_slide_table", path="l.pptx", slide=1, shape="t", edits=[{"op": "merge", "row": 3, "to_column": 2}])
    shapes = call("read_slides", path="l.pptx")["slides"][0]["shapes"]
    assert shapes[1]["merged"] == ["row 3, columns 1-2"]
    reply = call("replace_deck_text", path="l.pptx", find="Looks", replace="Views")
    assert reply["places"] == ["slide 1, text, shape 2: 'Views'"]


def test_what_is_set_for_the_whole_deck_is_told_by_the_names_it_was_asked_with(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    reply = call(
        "configure_deck",
        path="l.pptx",
        theme_colors={"dark2": "3b1f4e"},
        heading_font="Georgia",
        body_font="Arial",
        sections=[{"name": "All", "first_slide": 1}],
    )
    assert reply["done"] == "Set: dark2 3B1F4E, heading font Georgia, body font Arial, sections All"


def test_slides_without_title_are_told_by_their_layout(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    call("create_deck", path="b.pptx", slides=[{"title": "Looks", "layout": "Title Only"}, {"layout": "Blank"}])
    added = call("compare_decks", path="l.pptx", other="b.pptx")["differences"]
    assert [difference["says"] for difference in added if difference["kind"] == "slide_added"] == [
        "without title, layout 'Blank'"
    ]


def test_more_texts_than_a_layout_takes_are_told_by_count(deck: Any, refused: Callable[..., str]) -> None:
    slide = {"title": "P", "layout": "Picture with Caption", "body": ["In the shops"], "more_bodies": [["Online"]]}
    message = refused("add_slides", path="l.pptx", slides=[slide])
    assert "the layout 'Picture with Caption' has room for 1 text, but body and more_bodies give 2" in message


def test_text_that_a_new_background_makes_faint_is_told(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    reply = call("format_slides", path="l.pptx", background="dark2")
    assert [note[:46] for note in reply["notes"]] == ["slide 1, shape 2: text 14213D on 14213D has a "]
    assert "notes" not in call("format_slides", path="l.pptx", background="FFF4DC")


def test_text_without_a_colour_of_its_own_has_that_of_the_style_of_its_shape(
    deck: Any, call: Callable[..., dict[str, Any]]
) -> None:
    presentation = Presentation(str(deck))
    presentation.slides[0].shapes.add_shape(1, Pt(60), Pt(150), Pt(200), Pt(60)).text_frame.text = "white on the accent"
    presentation.save(str(deck))
    assert "low_contrast" not in call("check_deck", path="l.pptx").get("by_kind", {})


def test_links_may_be_written_in_capitals(deck: Any, call: Callable[..., dict[str, Any]]) -> None:
    call("edit_slide_shapes", path="l.pptx", edits=[
        {"op": "link", "slide": 1, "shapes": ["title"], "link": "HTTPS://example.org"}
    ])  # fmt: skip
    assert call("read_slides", path="l.pptx")["slides"][0]["shapes"][0]["link"] == "HTTPS://example.org"


@pytest.mark.parametrize("operation", [{"op": "delete_rows", "row": 1}, {"op": "delete_columns", "column": 1}])
def test_the_text_of_merged_cells_stays_when_their_first_row_or_column_goes(
    deck: Any, call: Callable[..., dict[str, Any]], operation: dict[str, Any]
) -> None:
    rows = [["All of it", "", "c"], ["", "", "d"], ["e", "f", "g"]]
    [table] = call("add_slide_table", path="l.pptx", slide=1, rows=rows, **{**BOX, "width_cm": 12})["ids"]
    merge = {"op": "merge", "row": 1, "column": 1, "to_row": 2, "to_column": 2}
    call("edit_slide_table", path="l.pptx", slide=1, shape=table, edits=[merge, operation])
    shape = call("read_slides", path="l.pptx")["slides"][0]["shapes"][-1]
    assert shape["table"][0][0] == "All of it"
    assert len(shape["merged"]) == 1


@pytest.mark.parametrize("kind", ["jpg", "tif"])
def test_a_photograph_that_says_how_it_is_turned_stands_upright(
    deck: Any, call: Callable[..., dict[str, Any]], files: Path, kind: str
) -> None:
    photo = Image.new("RGB", (200, 100), "white")
    photo.paste((255, 0, 0), (0, 0, 50, 50))
    turned = photo.getexif()
    turned[0x0112] = 6
    photo.save(files / f"photo.{kind}", exif=turned)
    call("place_slide_picture", path="l.pptx", slide=1, image=f"photo.{kind}", left_cm=2, top_cm=6, width_cm=5)
    [picture] = list_shapes(deck)
    assert (picture.width.cm, picture.height.cm) == pytest.approx((5, 10), abs=0.01)
    stored = Image.open(io.BytesIO(picture.image.blob))
    assert stored.size == (100, 200)
    assert stored.getexif().get(0x0112, 1) == 1
    red, green, blue = stored.convert("RGB").getpixel((75, 25))  # type: ignore[misc]
    assert red > 240
    assert max(green, blue) < 20
