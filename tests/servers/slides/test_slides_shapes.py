"""Shapes, tables, charts, pictures: made, moved, grouped, changed, and read back with their geometry."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Cm
from support.decks import check_consistency, read_parts

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def shapes_of(call: Any, slide: Any, path: str = "rich.pptx", **more: Any) -> Any:
    return {
        shape["name"]: shape for shape in call("read_slides", path=path, slides=[slide], **more)["slides"][0]["shapes"]
    }


def edit_shapes(call: Any, *operations: Any) -> Any:
    return call("edit_slide_shapes", path="rich.pptx", edits=[{"slide": 3, **operation} for operation in operations])


def test_boxes_are_cm_of_the_slide_also_inside_scaled_groups(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    deck = Presentation(rich)
    group = deck.slides[2].shapes[1]
    group.left, group.top, group.width, group.height = Cm(4), Cm(10), Cm(14), Cm(4)  # twice as large
    deck.save(rich)
    shapes = shapes_of(call, 3)
    assert shapes["Rectangle 4"]["box_cm"] == [14, 10, 4, 4]
    edit_shapes(call, {"op": "move", "shapes": ["Rectangle 4"], "left_cm": 12, "top_cm": 11})
    shapes = shapes_of(call, 3)
    assert shapes["Rectangle 4"]["box_cm"] == [12, 11, 4, 4]
    assert shapes["TextBox 3"]["box_cm"] == [4, 10, 8, 2]
    assert shapes["Group 2"]["box_cm"] == [4, 10, 12, 5]


def test_shapes_are_aligned_and_distributed(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    call("add_slide_shapes", path="rich.pptx", slide=1, shapes=[
        {"kind": "rect", "name": name, "left_cm": left, "top_cm": top, "width_cm": 2, "height_cm": 1}
        for name, left, top in (("a", 1, 10), ("b", 4, 11), ("c", 15, 12))
    ])  # fmt: skip
    operations = [
        {"op": "align", "slide": 1, "shapes": ["a", "b", "c"], "to": "bottom"},
        {"op": "distribute", "slide": 1, "shapes": ["c", "a", "b"], "to": "horizontal"},
    ]
    call("edit_slide_shapes", path="rich.pptx", edits=operations)
    shapes = shapes_of(call, 1)
    assert [shapes[name]["box_cm"] for name in "abc"] == [[1, 12, 2, 1], [8, 12, 2, 1], [15, 12, 2, 1]]


def test_shapes_are_grouped_and_freed_where_they_are(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    before = shapes_of(call, 3)
    edit_shapes(call, {"op": "group", "shapes": ["Picture 5", "TextBox 6"], "name": "Pair"})
    shapes = shapes_of(call, 3)
    assert shapes["Pair"]["box_cm"] == [15, 5, 8, 8]
    assert shapes["Picture 5"]["groups"] == [shapes["Pair"]["id"]]
    edit_shapes(call, {"op": "ungroup", "shapes": ["Pair"]}, {"op": "ungroup", "shapes": ["Group 2"]})
    after = shapes_of(call, 3)
    assert "Pair" not in after
    assert after["Picture 5"]["box_cm"] == before["Picture 5"]["box_cm"]
    assert after["Rectangle 4"]["box_cm"] == before["Rectangle 4"]["box_cm"]
    assert "groups" not in after["Rectangle 4"]
    check_consistency(rich)


def test_the_order_from_back_to_front_changes(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    edit_shapes(
        call,
        {"op": "order", "shapes": ["Picture 5"], "to": "back"},
        {"op": "order", "shapes": ["Table 1"], "to": "front"},
    )
    names = [name for name, shape in shapes_of(call, 3).items() if not shape.get("groups")]
    assert names == ["Picture 5", "Group 2", "TextBox 6", "Table 1"]


def test_shapes_are_styled_described_and_copied_to_another_slide(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    style = {"fill": "accent2", "line_color": "FF0000", "line_pt": 2, "dash": "dash", "shadow": True}
    edit_shapes(
        call,
        {"op": "style", "shapes": ["Rectangle 4"], **style},
        {"op": "describe", "shapes": ["Rectangle 4"], "alt_text": "A box", "name": "Box"},
        {"op": "move", "shapes": ["Box"], "rotation_deg": 30},
        {"op": "duplicate", "shapes": ["Box"], "to_slide": 1, "left_cm": 1, "top_cm": 2},
    )
    box = shapes_of(call, 1, details=True)["Box"]
    assert (box["fill"], box["line"], box["alt_text"], box["rotation_deg"]) == (
        "accent2",
        "FF0000 2 pt dash",
        "A box",
        30,
    )
    assert box["box_cm"] == [1, 2, 2, 2]
    check_consistency(rich)


def test_a_copied_chart_has_data_of_its_own(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    call(
        "edit_slide_shapes",
        path="rich.pptx",
        edits=[{"op": "duplicate", "slide": 2, "shapes": ["Chart 2"], "to_slide": 1}],
    )
    call("write_slide_chart", path="rich.pptx", slide=1, shape="Chart 2", series=[{"name": "One", "values": [7, 7]}])
    assert shapes_of(call, 2)["Chart 2"]["chart"]["series"][0]["values"] == [1, 2]
    check_consistency(rich)


def test_connectors_are_glued_and_follow(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    shapes = [
        {"kind": "rect", "name": "from", "left_cm": 1, "top_cm": 10, "width_cm": 4, "height_cm": 2},
        {"kind": "ellipse", "name": "to", "left_cm": 10, "top_cm": 10, "width_cm": 4, "height_cm": 2},
        {"kind": "line", "name": "arrow", "from_shape": "from", "to_shape": "to", "end_arrow": True},
    ]
    ids = call("add_slide_shapes", path="rich.pptx", slide=1, shapes=shapes)["ids"]
    arrow = shapes_of(call, 1)["arrow"]
    assert (arrow["box_cm"], arrow["glued_to"]) == ([5, 11, 5, 0], ids[:2])
    assert b'<a:endCxn id="%d" idx="2"/>' % ids[1] in read_parts(rich)["ppt/slides/slide1.xml"]
    move = {"op": "move", "slide": 1, "shapes": ["to"], "left_cm": 12, "top_cm": 14}
    call("edit_slide_shapes", path="rich.pptx", edits=[move])
    assert shapes_of(call, 1)["arrow"]["box_cm"] == [5, 11, 7, 4]


def connect_boxes(call: Any, *grouped: Any) -> None:
    """Two boxes and an arrow between them on slide 1; what is `grouped` is one shape for itself."""
    shapes = [
        {"kind": "rect", "name": "from", "left_cm": 1, "top_cm": 10, "width_cm": 4, "height_cm": 2},
        {"kind": "ellipse", "name": "to", "left_cm": 10, "top_cm": 10, "width_cm": 4, "height_cm": 2},
        {"kind": "line", "name": "arrow", "from_shape": "from", "to_shape": "to"},
    ]
    call("add_slide_shapes", path="rich.pptx", slide=1, shapes=shapes)
    if grouped:
        edit_first(call, {"op": "group", "shapes": list(grouped), "name": "Group"})


def edit_first(call: Any, *operations: Any) -> Any:
    call("edit_slide_shapes", path="rich.pptx", edits=[{"slide": 1, **operation} for operation in operations])
    return {name: shape["box_cm"] for name, shape in shapes_of(call, 1).items() if "box_cm" in shape}


def test_connectors_inside_a_scaled_group_follow_the_shapes_of_the_group(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    connect_boxes(call, "from", "to", "arrow")
    shapes = edit_first(call, {"op": "move", "shapes": ["Group"], "left_cm": 2, "top_cm": 8, "width_cm": 19.5})
    assert shapes["arrow"] == [8, 9, 7.5, 0]
    shapes = edit_first(call, {"op": "move", "shapes": ["to"], "left_cm": 12, "top_cm": 12, "height_cm": 4})
    assert (shapes["arrow"], shapes["from"], shapes["Group"]) == ([8, 9, 4, 5], [2, 8, 6, 2], [2, 8, 16, 8])
    shapes = edit_first(call, {"op": "move", "shapes": ["from"], "top_cm": 16, "width_cm": 3})
    assert (shapes["arrow"], shapes["Group"]) == ([5, 14, 7, 3], [2, 12, 16, 6])
    check_consistency(rich)


def test_connectors_follow_into_groups_and_out_of_them(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    connect_boxes(call, "from", "arrow")
    shapes = edit_first(call, {"op": "move", "shapes": ["to"], "left_cm": 12, "top_cm": 12})
    assert (shapes["arrow"], shapes["Group"]) == ([5, 11, 7, 2], [1, 10, 11, 3])
    shapes = edit_first(call, {"op": "move", "shapes": ["Group"], "left_cm": 2})
    assert (shapes["arrow"], shapes["from"], shapes["Group"]) == ([6, 11, 6, 2], [2, 10, 4, 2], [2, 10, 10, 3])


def test_a_connector_between_shapes_that_stay_is_left_as_it_was_drawn(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    connect_boxes(call, "from", "to", "arrow")
    deck = Presentation(rich)
    arrow = next(shape for shape in deck.slides[0].shapes[-1].shapes if shape.name == "arrow")
    arrow.end_y += Cm(1)  # another program knows sites that these tools do not
    deck.save(rich)
    other = {"kind": "rect", "name": "other", "left_cm": 1, "top_cm": 1, "width_cm": 1, "height_cm": 1}
    call("add_slide_shapes", path="rich.pptx", slide=1, shapes=[other])
    assert edit_first(call, {"op": "move", "shapes": ["other"], "left_cm": 3})["arrow"] == [5, 11, 5, 1]


def test_a_connector_across_the_edge_of_a_rotated_group_stays(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    connect_boxes(call, "from", "arrow")
    before = edit_first(call, {"op": "move", "shapes": ["Group"], "rotation_deg": 30})
    after = edit_first(call, {"op": "move", "shapes": ["to"], "left_cm": 12})
    assert after["arrow"] == before["arrow"]


def as_drawn(path: Any, preset: Any, ends: Any, *, rotation: int = 0, turn: Any = None) -> None:
    """A deck of a shape A (2, 2, 4 x 2 cm) and a box B (10, 8, 4 x 2), and a line from site `ends` of A to B's top.

    `turn` is how PowerPoint stores an elbow: its rotation and flip, and its box before both.
    """
    deck = Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    first_shape = shapes.add_shape(preset, Cm(2), Cm(2), Cm(4), Cm(2))
    first_shape.name, first_shape.rotation = "A", rotation
    other = shapes.add_shape(MSO_SHAPE.RECTANGLE, Cm(10), Cm(8), Cm(4), Cm(2))
    other.name = "B"
    site, *begin = ends
    line = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *(Cm(length) for length in (*begin, 12, 8)))
    line.name = "line"
    if turn:
        line.left, line.top, line.width, line.height = (Cm(length) for length in turn["box"])
        xfrm = line._element.spPr.find(f"{A}xfrm")
        xfrm.set("rot", turn["rot"])
        xfrm.set("flipH", "1")
    properties = line._element.nvCxnSpPr.cNvCxnSpPr
    for glue, shape, index in ((properties._add_stCxn(), first_shape, site), (properties._add_endCxn(), other, 0)):
        glue.id, glue.idx = shape.shape_id, index
    deck.save(path)


def move_first(call: Any, path: Any, *moves: Any) -> Any:
    operations = [{"op": "move", "slide": 1, **move} for move in moves]
    call("edit_slide_shapes", path=path.name, edits=operations)
    return shapes_of(call, 1, path.name)["line"]["box_cm"]


@pytest.mark.parametrize(
    ("preset", "ends"),
    [
        (MSO_SHAPE.ISOSCELES_TRIANGLE, (2, 2, 4)),  # its third site is the left corner
        (MSO_SHAPE.HEXAGON, (5, 5.5, 2)),
        (MSO_SHAPE.OVAL, (3, 2.586, 3.707)),
    ],
)
def test_a_line_stays_at_its_point_of_a_shape_whose_sites_are_not_those_of_a_box(
    files: Path, call: Callable[..., dict[str, Any]], preset: Any, ends: tuple[Any, ...]
) -> None:
    as_drawn(files / "d.pptx", preset, ends)
    _, left, top = ends
    assert move_first(call, files / "d.pptx", {"shapes": ["B"], "left_cm": 11}) == approx_box(left, top, 13, 8)
    shapes = move_first(call, files / "d.pptx", {"shapes": ["A"], "left_cm": 3, "width_cm": 8, "height_cm": 2})
    assert shapes == approx_box(3 + (left - 2) * 2, top, 13, 8)


def approx_box(left: Any, top: Any, right: Any, bottom: Any) -> Any:
    return pytest.approx([left, top, right - left, bottom - top], abs=0.02)


def test_a_line_follows_the_site_of_a_rotated_shape(files: Path, call: Callable[..., dict[str, Any]]) -> None:
    as_drawn(files / "d.pptx", MSO_SHAPE.RECTANGLE, (0, 5, 3), rotation=90)
    assert move_first(call, files / "d.pptx", {"shapes": ["A"], "left_cm": 3}) == approx_box(6, 3, 12, 8)
    assert move_first(call, files / "d.pptx", {"shapes": ["A"], "rotation_deg": 180}) == approx_box(5, 4, 12, 8)


def test_an_elbow_that_is_stored_rotated_and_flipped_is_drawn_between_its_shapes(
    files: Path, call: Callable[..., dict[str, Any]]
) -> None:
    # From the bottom of A (4, 4) to the top of B (12, 8), as PowerPoint stores it: 8 x 4 cm on its side.
    as_drawn(files / "d.pptx", MSO_SHAPE.RECTANGLE, (2, 4, 4), turn={"rot": "16200000", "box": (6, 2, 4, 8)})
    left, top, width, height = move_first(call, files / "d.pptx", {"shapes": ["B"], "left_cm": 11, "top_cm": 9})
    middle = (left + width / 2, top + height / 2)
    assert middle == pytest.approx(((4 + 13) / 2, (4 + 9) / 2), abs=0.02)
    assert (width, height) == pytest.approx((5, 9), abs=0.02)
    xfrm = Presentation(files / "d.pptx").slides[0].shapes[2]._element.spPr.find(f"{A}xfrm")
    assert (xfrm.get("rot"), xfrm.get("flipH"), xfrm.get("flipV")) == ("16200000", "1", None)


def test_a_group_around_an_older_group_grows_with_what_the_older_one_holds(
    files: Path, call: Callable[..., dict[str, Any]]
) -> None:
    as_drawn(files / "d.pptx", MSO_SHAPE.RECTANGLE, (3, 6, 3))
    group = {"op": "group", "slide": 1}
    call("edit_slide_shapes", path="d.pptx", edits=[{**group, "shapes": ["A", "B"], "name": "inner"}])
    call("edit_slide_shapes", path="d.pptx", edits=[{**group, "shapes": ["inner", "line"], "name": "outer"}])
    move_first(call, files / "d.pptx", {"shapes": ["B"], "left_cm": 16})
    shapes = shapes_of(call, 1, "d.pptx")
    assert shapes["inner"]["box_cm"] == shapes["outer"]["box_cm"] == [2, 2, 18, 8]


def test_a_table_keeps_its_merged_cells_when_rows_and_columns_come_and_go(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    operations = [
        {"op": "merge", "row": 1, "column": 1, "to_row": 2, "to_column": 2},
        {"op": "insert_rows", "row": 2, "values": [[None, None, "new"]]},
        {"op": "insert_columns", "column": 4, "values": [["h"], ["i"]]},
        {"op": "delete_rows", "row": 4},
    ]
    call("edit_slide_table", path="rich.pptx", slide=3, shape="Table 1", edits=operations)
    table = shapes_of(call, 3)["Table 1"]
    assert table["merged"] == ["rows 1-3, columns 1-2"]
    assert [row[2:] for row in table["table"]] == [["r0c2 budget", "h"], ["new", "i"], ["r1c2 budget", ""]]
    assert table["box_cm"][2] == pytest.approx(12, abs=0.05)


def test_cells_are_filled_and_formatted(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    operations = [
        {"op": "set", "row": 2, "column": 1, "values": [["a", 1.50, True], [None, 2, "x\ny"]]},
        {
            "op": "format",
            "row": 1,
            "to_column": 3,
            "fill": "accent2",
            "bold": True,
            "color": "FFFFFF",
            "align": "center",
        },
        {"op": "size", "column": 1, "width_cm": 6},
        {"op": "style", "banded": False, "total": True},
    ]
    call("edit_slide_table", path="rich.pptx", slide=3, shape="Table 1", edits=operations)
    table = Presentation(rich).slides[2].shapes[0].table
    assert [[cell.text for cell in row.cells] for row in table.rows][1:] == [["a", "1.5", "Yes"], ["", "2", "x\ny"]]
    assert table.cell(0, 0).text_frame.paragraphs[0].runs[0].font.bold
    assert table.columns[0].width == Cm(6)
    assert (table.horz_banding, table.last_row) == (False, True)


@pytest.mark.parametrize(
    ("operation", "says"),
    [
        ({"op": "set", "row": 3, "values": [["a"], ["b"]]}, "3 rows"),
        ({"op": "delete_rows", "row": 1, "to_row": 3}, "nothing would be left"),
        ({"op": "merge", "row": 1}, "beyond the cell"),
        ({"op": "split"}, "no merged cell"),
    ],
)
def test_what_a_table_cannot_do_is_refused(
    rich: Path, refused: Callable[..., str], operation: dict[str, Any], says: str
) -> None:
    assert says in refused("edit_slide_table", path="rich.pptx", slide=3, shape="Table 1", edits=[operation])


KINDS = [
    *(
        "column",
        "column_stacked",
        "column_stacked_100",
        "bar",
        "bar_stacked",
        "bar_stacked_100",
        "line",
        "line_markers",
        "area",
    ),
    *("area_stacked", "area_stacked_100", "pie", "doughnut", "radar", "radar_filled", "scatter", "scatter_lines"),
    *("scatter_smooth", "bubble"),
]
BOX = {"left_cm": 1, "top_cm": 2, "width_cm": 10, "height_cm": 8}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_chart_is_made_with_its_data_inside_and_read_back(
    rich: Path, call: Callable[..., dict[str, Any]], kind: Any
) -> None:
    points = kind.startswith(("scatter", "bubble"))
    series = [{"name": "S", "values": [3, 1.5, 2], **({"x": [1, 2, 4], "size": [5, 6, 7]} if points else {})}]
    categories = [] if points else ["a", "b", "c"]
    ids = call("write_slide_chart", path="rich.pptx", slide=1, kind=kind, series=series, categories=categories, **BOX)[
        "ids"
    ]
    chart = next(shape for shape in shapes_of(call, 1).values() if shape["id"] == ids[0])["chart"]
    assert chart["kind"] == kind
    assert chart["series"][0]["values"] == [3, 1.5, 2]
    assert chart.get("categories", []) == categories
    assert read_embedded_numbers(rich) >= {3, 1.5, 2}
    check_consistency(rich)


def read_embedded_numbers(path: Any) -> Any:
    """The numbers in the newest embedded workbook."""
    blob = next(data for name, data in reversed(read_parts(path).items()) if "embeddings" in name)
    with zipfile.ZipFile(io.BytesIO(blob)) as book:
        sheet = etree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    return {float(v.text) for v in sheet.iterfind(".//{*}c[{*}v]/{*}v") if v.getparent().get("t") != "s"}


def test_new_data_reach_the_workbook_and_formats_stay(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    series = [{"name": "One", "values": [5, None, 7], "color": "FF0000"}, {"name": "Two", "values": [1, 2, 3]}]
    call("write_slide_chart", path="rich.pptx", slide=2, shape="Chart 2", categories=["x", "y", "z"], series=series)
    chart = shapes_of(call, 2)["Chart 2"]["chart"]
    assert [data_series["values"] for data_series in chart["series"]] == [[5, None, 7], [1, 2, 3]]
    assert chart["title"] == "Budget chart"
    assert read_embedded_numbers(rich) == {5, 7, 1, 2, 3}
    assert b'srgbClr val="FF0000"' in next(
        data for name, data in read_parts(rich).items() if name.startswith("ppt/charts/chart")
    )


def test_a_chart_is_redrawn_as_another_kind_with_its_data_and_title(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    look = {"value_title": "EUR", "legend": "right", "data_labels": True, "number_format": "0.0", "value_max": 9}
    call("write_slide_chart", path="rich.pptx", slide=2, shape="Chart 2", kind="line_markers", look=look)
    chart = shapes_of(call, 2)["Chart 2"]["chart"]
    assert (chart["kind"], chart["title"], chart["axis_titles"]) == ("line_markers", "Budget chart", ["EUR"])
    assert chart["series"][0]["values"] == [1, 2]
    check_consistency(rich)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"kind": "column", "series": [{"name": "S", "values": [1]}], "categories": ["a", "b"]}, "1 values for 2"),
        ({"kind": "bubble", "series": [{"name": "S", "values": [1], "x": [1]}]}, "x and size"),
        ({"shape": "title", "look": {"title": "x"}, **dict.fromkeys(BOX)}, "not a chart"),
        ({"shape": "Chart 2", **dict.fromkeys(BOX)}, "no change was given"),
    ],
)
def test_charts_without_the_right_data_are_refused(
    rich: Path, refused: Callable[..., str], arguments: dict[Any, Any], says: str
) -> None:
    given = {key: value for key, value in (BOX | arguments).items() if value is not None}
    assert says in refused("write_slide_chart", path="rich.pptx", slide=2, **given)


@pytest.mark.parametrize(
    ("fit", "box", "crop"),
    [
        ("contain", [1, 5, 10, 5], None),
        ("cover", [1, 2.5, 10, 10], [0.25, 0, 0.25, 0]),
        ("stretch", [1, 2.5, 10, 10], None),
    ],
)
def test_a_picture_is_fitted_into_its_box(
    rich: Path, picture: Path, call: Callable[..., dict[str, Any]], fit: str, box: list[Any], crop: list[Any] | None
) -> None:
    place = {"left_cm": 1, "top_cm": 2.5, "width_cm": 10, "height_cm": 10}
    call(
        "place_slide_picture",
        path="rich.pptx",
        slide=1,
        image="red.png",
        fit=fit,
        alt_text="Red",
        name="p",
        **place,
    )
    picture_shape = shapes_of(call, 1)["p"]
    assert (picture_shape["box_cm"], picture_shape.get("crop"), picture_shape["alt_text"]) == (box, crop, "Red")


def test_a_picture_is_replaced_and_the_old_one_goes(
    rich: Path, call: Callable[..., dict[str, Any]], files: Path
) -> None:
    Image.new("RGB", (50, 50), "blue").save(files / "blue.png")
    call("place_slide_picture", path="rich.pptx", slide=3, image="blue.png", shape="Picture 5", fit="cover")
    picture_shape = shapes_of(call, 3)["Picture 5"]
    assert (picture_shape["box_cm"], picture_shape["crop"]) == ([15, 5, 8, 4], [0, 0.25, 0, 0.25])
    assert [data for name, data in read_parts(rich).items() if "media" in name] == [(files / "blue.png").read_bytes()]
    saved = call("save_slide_picture", path="rich.pptx", slide=3, shape="Picture 5", target="out.png")
    assert (files / "out.png").read_bytes() == (files / "blue.png").read_bytes()
    assert len(saved["notes"]) == 1
    assert saved["notes"][0].endswith("shows it without these shares: 0.25 at the top, 0.25 at the bottom")
    call("place_slide_picture", path="rich.pptx", slide=3, image="blue.png", shape="Picture 5", fit="contain")
    assert "notes" not in call("save_slide_picture", path="rich.pptx", slide=3, shape="Picture 5", target="out.png")
    check_consistency(rich)


def test_a_placeholder_takes_a_picture(rich: Path, call: Callable[..., dict[str, Any]], picture: Path) -> None:
    call("create_deck", path="n.pptx", slides=[{"title": "T", "layout": "Picture with Caption", "body": ["c"]}])
    call("place_slide_picture", path="n.pptx", slide=1, image="red.png", shape="picture", fit="cover", alt_text="x")
    shapes = shapes_of(call, 1, path="n.pptx")
    shape = next(candidate for candidate in shapes.values() if candidate["kind"] == "picture")
    assert shape["role"] == "picture"
    assert call("check_deck", path="n.pptx")["count"] == 0


def test_what_cannot_be_done_with_pictures_is_refused(
    rich: Path, refused: Callable[..., str], files: Path, picture: Path
) -> None:
    (files / "x.png").write_bytes(b"no picture")
    assert "is not a picture" in refused("place_slide_picture", path="rich.pptx", slide=1, image="x.png")
    assert "end the name in .png" in refused(
        "save_slide_picture", path="rich.pptx", slide=3, shape="Picture 5", target="a.jpg"
    )
    crop = {"op": "crop", "slide": 3, "shapes": ["Picture 5"], "left": 0.6, "right": 0.5}
    assert "nothing of the picture" in refused("edit_slide_shapes", path="rich.pptx", edits=[crop])


def test_text_on_a_fill_can_be_read(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    box = {"left_cm": 1, "top_cm": 10, "width_cm": 6, "height_cm": 2}
    shapes = [
        {"kind": "rect", "fill": fill, "text": ["words"], **box} for fill in ("FFFFFF", "FFFF00", "accent1", "000000")
    ]
    ids = call("add_slide_shapes", path="rich.pptx", slide=2, shapes=shapes)["ids"]
    check_reply = call("check_deck", path="rich.pptx", slides=[2], kinds=["low_contrast"])
    assert len(ids) == 4
    assert check_reply["count"] == 0


def test_a_smooth_chart_is_drawn_with_smooth_lines(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    series = [{"name": "S", "values": [3, 1, 2], "x": [1, 2, 4]}]
    call("write_slide_chart", path="rich.pptx", slide=1, kind="scatter_smooth", series=series, **BOX)
    chart = [data for name, data in read_parts(rich).items() if name.startswith("ppt/charts/chart")][-1]
    assert b'<c:smooth val="1"/>' in chart
    text = call("read_deck_text", path="rich.pptx", slides=[1])["text"]
    assert "| series | (x, y) |\n|---|---|\n| S | (1, 3); (2, 1); (4, 2) |" in text


def test_a_fill_that_lets_light_through_counts_as_it_looks(rich: Path, call: Callable[..., dict[str, Any]]) -> None:
    box = {"left_cm": 1, "top_cm": 10, "width_cm": 6, "height_cm": 2}
    shape = {"kind": "rect", "name": "r", "fill": "000000", "text": ["words"], "text_color": "FFFFFF", **box}
    call("add_slide_shapes", path="rich.pptx", slide=1, shapes=[shape])
    check = {"path": "rich.pptx", "slides": [1], "kinds": ["low_contrast"]}
    assert call("check_deck", **check)["count"] == 0
    style = {"op": "style", "slide": 1, "shapes": ["r"], "transparency": 0.8}
    call("edit_slide_shapes", path="rich.pptx", edits=[style])
    assert "CCCCCC" in call("check_deck", **check)["findings"][0]["says"]


def test_figures_with_all_their_digits_are_found_again_in_the_workbook_inside(
    rich: Path, call: Callable[..., dict[str, Any]]
) -> None:
    values = [0.1 + 0.2, 191.36789123456788, 1 / 3]
    series = [{"name": "One", "values": values}]
    call("write_slide_chart", path="rich.pptx", slide=2, shape="Chart 2", categories=["x", "y", "z"], series=series)
    assert shapes_of(call, 2)["Chart 2"]["chart"]["series"][0]["values"] == pytest.approx(values, rel=1e-14)
