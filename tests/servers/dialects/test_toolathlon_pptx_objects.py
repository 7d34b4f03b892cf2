"""The dialect of Toolathlon's pptx: tables, shapes, charts, pictures and fonts, as others read the saved file."""

import base64
import io
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageStat
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Inches, Pt
from support.speaking import Agent, open_speaking_agent

from yardkit.compat.toolathlon.slides.objects import KINDS, SHAPES
from yardkit.sandbox.serving.registry import load_server
from yardkit.world.fonts import font_file

BOX = {"left": 1, "top": 1.5, "width": 6, "height": 4}
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
THEIR_TYPES = {
    "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "stacked_column": XL_CHART_TYPE.COLUMN_STACKED,
    "bar": XL_CHART_TYPE.BAR_CLUSTERED,
    "stacked_bar": XL_CHART_TYPE.BAR_STACKED,
    "line": XL_CHART_TYPE.LINE,
    "line_markers": XL_CHART_TYPE.LINE_MARKERS,
    "pie": XL_CHART_TYPE.PIE,
    "doughnut": XL_CHART_TYPE.DOUGHNUT,
    "area": XL_CHART_TYPE.AREA,
    "stacked_area": XL_CHART_TYPE.AREA_STACKED,
    "scatter": XL_CHART_TYPE.XY_SCATTER,
    "radar": XL_CHART_TYPE.RADAR,
    "radar_markers": XL_CHART_TYPE.RADAR_MARKERS,
}


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    async with open_speaking_agent(load_server("slides", "toolathlon"), tmp_path) as agent:
        await agent.call_for_json("create_presentation", id="deck")
        await agent.call_for_json("add_slide", layout_index=6)
        yield agent


def list_shapes(agent: Agent) -> Any:
    return Presentation(str(agent.files / "deck.pptx")).slides[0].shapes


def write_picture(path: Path, size: tuple[int, int] = (60, 40)) -> Path:
    image = Image.new("RGB", size)
    for x in range(size[0]):
        for y in range(size[1]):
            image.putpixel((x, y), (x * 4 % 256, y * 6 % 256, 90))
    image.save(path)
    return path


async def test_a_table_has_its_cells_sizes_and_colours(agent: Agent) -> None:
    data = [["Item", "Amount"], ["Tea", "3"], ["Milk", "12"]]
    looks = {"header_bg_color": [0, 0, 90], "body_bg_color": [240, 240, 255], "border_color": [9, 9, 9]}
    reply = await agent.call_for_json("add_table", slide_index=0, rows=3, cols=2, **BOX, data=data, **looks)
    assert (reply["shape_index"], reply["rows"], reply["cols"]) == (0, 3, 2)
    frame = list_shapes(agent)[0]
    assert (frame.left, frame.top, frame.width) == (Inches(1), Inches(1.5), Inches(6))
    assert [[cell.text for cell in row.cells] for row in frame.table.rows] == data
    head, body = frame.table.cell(0, 0), frame.table.cell(2, 1)
    assert head.fill.fore_color.rgb == RGBColor(0, 0, 90)
    assert body.fill.fore_color.rgb == RGBColor(240, 240, 255)
    sizes = [cell.text_frame.paragraphs[0].runs[0].font.size for cell in (head, body)]
    assert sizes == [Pt(12), Pt(10)]
    assert head.text_frame.paragraphs[0].runs[0].font.bold is True
    lines = [child.tag.rpartition("}")[2] for child in body._tc.tcPr]
    assert lines == ["lnL", "lnR", "lnT", "lnB", "solidFill"]
    assert body._tc.tcPr.find(f"{A}lnT/{A}solidFill/{A}srgbClr").get("val") == "090909"


async def test_a_table_and_its_data_must_agree(agent: Agent) -> None:
    before = (agent.files / "deck.pptx").read_bytes()
    message = await agent.call_for_error(
        "add_table", slide_index=0, rows=3, cols=2, **BOX, data=[["a", "b"], ["c", "d"]]
    )
    assert "data has 2 rows of 2 values" in message
    assert (agent.files / "deck.pptx").read_bytes() == before
    table_reply = await agent.call_for_json("add_table", slide_index=0, rows=2, cols=2, **BOX, header_row=False)
    assert list_shapes(agent)[table_reply["shape_index"]].table.first_row is False


async def test_one_cell_is_formatted_and_the_others_stay(agent: Agent) -> None:
    await agent.call_for_json("add_table", slide_index=0, rows=2, cols=2, **BOX, data=[["a", "b"], ["c", "d"]])
    other = list_shapes(agent)[0].table.cell(0, 1)._tc.xml
    await agent.call_for_json(
        "format_table_cell",
        slide_index=0,
        shape_index=0,
        row=1,
        col=0,
        font_size=18,
        font_name="Georgia",
        bold=True,
        italic=True,
        color=[1, 2, 3],
        bg_color=[250, 240, 230],
        alignment="center",
        vertical_alignment="bottom",
    )
    table = list_shapes(agent)[0].table
    cell, font = table.cell(1, 0), table.cell(1, 0).text_frame.paragraphs[0].runs[0].font
    assert (font.size, font.name, font.bold, font.italic) == (Pt(18), "Georgia", True, True)
    assert (font.color.rgb, cell.fill.fore_color.rgb) == (RGBColor(1, 2, 3), RGBColor(250, 240, 230))
    assert cell.text_frame.paragraphs[0].alignment == PP_ALIGN.CENTER
    assert cell.vertical_anchor == MSO_ANCHOR.BOTTOM
    assert table.cell(0, 1)._tc.xml == other
    message = await agent.call_for_error("format_table_cell", slide_index=0, shape_index=0, row=2, col=0, bold=True)
    assert "rows are 0-1, columns 0-1" in message
    await agent.call_for_json("add_shape", slide_index=0, shape_type="oval", **BOX)
    assert "not a table" in await agent.call_for_error(
        "format_table_cell", slide_index=0, shape_index=1, row=0, col=0, bold=True
    )


@pytest.mark.parametrize("kind", SHAPES)
async def test_every_shape_of_theirs_is_drawn(agent: Agent, kind: str) -> None:
    reply = await agent.call_for_json("add_shape", slide_index=0, shape_type=kind, **BOX)
    drawn = list_shapes(agent)[reply["shape_index"]]
    assert drawn._element.spPr.find(f"{A}prstGeom").get("prst") == SHAPES[kind]


async def test_a_shape_has_its_colours_line_and_text(agent: Agent) -> None:
    await agent.call_for_json(
        "add_shape",
        slide_index=0,
        shape_type="rectangle",
        **BOX,
        fill_color=[0, 128, 0],
        line_color=[1, 1, 1],
        line_width=2.5,
        text="Go\non",
        font_size=22,
        font_color=[255, 255, 255],
    )
    shape = list_shapes(agent)[0]
    assert (shape.left, shape.height) == (Inches(1), Inches(4))
    assert (shape.fill.fore_color.rgb, shape.line.color.rgb) == (RGBColor(0, 128, 0), RGBColor(1, 1, 1))
    assert shape.line.width == Pt(2.5)
    assert shape.text_frame.text == "Go\non"
    run = shape.text_frame.paragraphs[0].runs[0]
    assert (run.font.size, run.font.color.rgb) == (Pt(22), RGBColor(255, 255, 255))
    assert "ovel" in await agent.call_for_error("add_shape", slide_index=0, shape_type="ovel", **BOX)
    assert len(list_shapes(agent)) == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_every_chart_of_theirs_is_native_and_has_its_data_in_a_workbook(agent: Agent, kind: str) -> None:
    single_series = kind in ("pie", "doughnut")
    values: Any
    names, values = (["A"], [[1, 2.5, 4]]) if single_series else (["A", "B"], [[1, 2.5, 4], [3, 2, 1]])
    labels = ["10", "20", "30"]
    reply = await agent.call_for_json(
        "add_chart",
        slide_index=0,
        chart_type=kind,
        **BOX,
        categories=labels,
        series_names=names,
        series_values=values,
        title="Trend",
    )
    assert (reply["series_count"], reply["categories_count"]) == (len(names), 3)
    chart = list_shapes(agent)[reply["shape_index"]].chart
    assert chart.chart_type == THEIR_TYPES[kind]
    assert [list(series.values) for series in chart.plots[0].series] == values
    assert chart.chart_title.text_frame.text == "Trend"
    book = openpyxl.load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob))
    workbook_values = {cell.value for row in book.active.iter_rows() for cell in row}
    assert {value for row in values for value in row} | set(names) <= workbook_values


async def test_a_chart_has_legend_labels_axis_titles_and_the_colours_of_a_scheme(agent: Agent) -> None:
    data = {"categories": ["x", "y"], "series_names": ["A", "B"], "series_values": [[1, 2], [3, 4]]}
    await agent.call_for_json(
        "add_chart",
        slide_index=0,
        chart_type="column",
        **BOX,
        **data,
        legend_position="bottom",
        has_data_labels=True,
        x_axis_title="Month",
        y_axis_title="Euro",
        color_scheme="elegant_green",
    )
    chart = list_shapes(agent)[0].chart
    assert chart.legend.position == XL_LEGEND_POSITION.BOTTOM
    assert chart.plots[0].has_data_labels
    assert chart.category_axis.axis_title.text_frame.text == "Month"
    assert chart.value_axis.axis_title.text_frame.text == "Euro"
    assert chart.plots[0].series[0].format.fill.fore_color.rgb == RGBColor.from_string("2C6E49")
    await agent.call_for_json("add_chart", slide_index=0, chart_type="bar", **BOX, **data, has_legend=False)
    assert not list_shapes(agent)[1].chart.has_legend


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"series_values": [[1, 2]]}, "2 series_names for 1 series_values"),
        ({"series_values": [[1, 2], [3]]}, "1 values for 2 categories"),
        ({"chart_type": "scatter"}, "x values"),
        ({"chart_type": "pie"}, "pie shows one series"),
        ({"categories": []}, "at least 1"),
        ({"chart_type": "treemap"}, "chart_type"),
    ],
)
async def test_data_that_make_no_chart_are_refused(agent: Agent, change: dict[str, Any], reason: str) -> None:
    data = {"chart_type": "column", "categories": ["x", "y"], "series_names": ["A", "B"]}
    message = await agent.call_for_error(
        "add_chart", **{"slide_index": 0, **BOX, **data, "series_values": [[1, 2], [3, 4]], **change}
    )
    assert reason in message
    assert len(list_shapes(agent)) == 0


async def test_new_data_come_into_the_chart_and_its_workbook(agent: Agent) -> None:
    data = {"categories": ["x", "y"], "series_names": ["A"], "series_values": [[1, 2]]}
    await agent.call_for_json("add_chart", slide_index=0, chart_type="line", **BOX, **data, title="Kept")
    reply = await agent.call_for_json(
        "update_chart_data",
        slide_index=0,
        shape_index=0,
        categories=["p", "q", "r"],
        series_data=[{"name": "New", "values": [7, None, 9]}, {"name": "More", "values": [1, 2, 3]}],
    )
    assert (reply["series_count"], reply["series_names"]) == (2, ["New", "More"])
    chart = list_shapes(agent)[0].chart
    assert list(chart.plots[0].categories) == ["p", "q", "r"]
    assert [list(series.values) for series in chart.plots[0].series] == [[7, None, 9], [1, 2, 3]]
    assert chart.chart_title.text_frame.text == "Kept"
    book = openpyxl.load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob))
    assert [cell.value for cell in book.active["B"]] == ["New", 7, None, 9]
    arguments: dict[str, Any] = {"slide_index": 0, "shape_index": 0, "categories": ["p"]}
    reply = await agent.call_for_error("update_chart_data", **arguments, series_data=[{"name": "A", "values": ["7"]}])
    assert "series_data[0]" in reply
    reply = await agent.call_for_error("update_chart_data", **arguments, series_data=[{"values": [7]}])
    assert "series_data[0]" in reply
    await agent.call_for_json("add_shape", slide_index=0, shape_type="oval", **BOX)
    reply = await agent.call_for_error(
        "update_chart_data", slide_index=0, shape_index=1, categories=["p"], series_data=[{"name": "A", "values": [7]}]
    )
    assert "not a chart" in reply


@pytest.mark.parametrize(
    ("kind", "preset"), [("straight", "line"), ("elbow", "bentConnector3"), ("curved", "curvedConnector3")]
)
async def test_connectors_run_from_point_to_point_in_any_direction(agent: Agent, kind: str, preset: str) -> None:
    ends = {"start_x": 5, "start_y": 4, "end_x": 2, "end_y": 1}
    reply = await agent.call_for_json(
        "add_connector", slide_index=0, connector_type=kind, **ends, line_width=3, color=[9, 8, 7]
    )
    line = list_shapes(agent)[reply["shape_index"]]
    assert [line.begin_x, line.begin_y, line.end_x, line.end_y] == [Inches(number) for number in (5, 4, 2, 1)]
    assert (line.line.width, line.line.color.rgb) == (Pt(3), RGBColor(9, 8, 7))
    assert line._element.spPr.find(f"{A}prstGeom").get("prst") == preset


async def test_a_picture_comes_from_a_file_or_from_base64(agent: Agent) -> None:
    path = write_picture(agent.files / "pic.png")
    await agent.call_for_json(
        "manage_image", slide_index=0, operation="add", image_source="pic.png", left=2, top=1, width=3
    )
    text = base64.b64encode(path.read_bytes()).decode()
    for source in (text, f"data:image/png;base64,{text}"):
        await agent.call_for_json(
            "manage_image", slide_index=0, operation="add", image_source=source, source_type="base64", width=2, height=2
        )
    first, second, third = list_shapes(agent)
    assert (first.left, first.width, first.height) == (Inches(2), Inches(3), Inches(2))
    assert (second.width, second.height) == (Inches(2), Inches(2))
    assert {shape.image.blob for shape in (first, second, third)} == {path.read_bytes()}
    message = await agent.call_for_error(
        "manage_image", slide_index=0, operation="add", image_source="pic.png", source_type="base64"
    )
    assert "source_type" in message
    for gone in ("gone.png", "../pic.png", "aGVsbG8="):
        assert await agent.call_for_error("manage_image", slide_index=0, operation="add", image_source=gone)
    cut = text[: len(text) // 2 // 4 * 4]
    message = await agent.call_for_error(
        "manage_image", slide_index=0, operation="add", image_source=cut, source_type="base64"
    )
    assert "picture" in message
    assert len(list_shapes(agent)) == 3


async def test_an_enhanced_picture_is_a_file_of_its_own(agent: Agent) -> None:
    path = write_picture(agent.files / "pic.png")
    before = path.read_bytes()
    arguments = {"slide_index": 0, "operation": "enhance", "image_source": "pic.png"}
    reply = await agent.call_for_json("manage_image", **arguments, brightness=1.5)
    assert reply["enhanced_path"] == "pic_enhanced.png"
    brighter = ImageStat.Stat(Image.open(agent.files / "pic_enhanced.png")).mean
    assert all(new > old for new, old in zip(brighter, ImageStat.Stat(Image.open(path)).mean, strict=True))
    await agent.call_for_json("manage_image", **arguments, saturation=0, output_path="out/grey.jpg")
    red, green, blue = Image.open(agent.files / "out" / "grey.jpg").convert("RGB").getpixel((20, 20))  # type: ignore[misc]
    assert max(red, green, blue) - min(red, green, blue) < 8
    await agent.call_for_json("manage_image", **arguments, filter_type="find_edges", output_path="edges.png")
    await agent.call_for_json("manage_image", **arguments, enhancement_style="presentation", output_path="better.png")
    assert len({(agent.files / name).read_bytes() for name in ("edges.png", "better.png", "pic.png")}) == 3
    assert path.read_bytes() == before
    assert "FIND_EDGES" in await agent.call_for_error("manage_image", **arguments, filter_type="magic")
    assert "not a picture file name" in await agent.call_for_error("manage_image", **arguments, output_path="x.txt")


EFFECTS: list[tuple[str, dict[str, Any], str]] = [
    ("shadow", {"blur_radius": 8, "color": [10, 20, 30], "transparency": 0.25}, "spPr/effectLst/outerShdw"),
    ("shadow", {"shadow_type": "inner"}, "spPr/effectLst/innerShdw"),
    ("reflection", {"size": 0.4}, "spPr/effectLst/reflection"),
    ("glow", {"size": 9, "color": [255, 0, 0]}, "spPr/effectLst/glow"),
    ("soft_edges", {"radius": 4}, "spPr/effectLst/softEdge"),
    ("bevel", {"bevel_type": "slope"}, "spPr/sp3d/bevelT"),
    ("transparency", {"transparency": 0.3}, "blipFill/blip/alphaModFix"),
    ("filter", {"filter_type": "grayscale"}, "blipFill/blip/grayscl"),
    ("filter", {"filter_type": "sepia"}, "blipFill/blip/duotone"),
]


def list_element_paths(picture: Any) -> set[str]:
    """The ways from a picture down to all its elements."""
    names: dict[Any, str] = {}
    for element in picture._element.iter():
        above = names.get(element.getparent(), "")
        names[element] = f"{above}/{element.tag.rpartition('}')[2]}"
    return {name.removeprefix("/pic/") for name in names.values()}


@pytest.mark.parametrize(("name", "values", "where"), EFFECTS)
async def test_an_effect_is_written_once_and_replaces_its_like(
    agent: Agent, name: str, values: dict[str, Any], where: str
) -> None:
    write_picture(agent.files / "pic.png")
    await agent.call_for_json("manage_image", slide_index=0, operation="add", image_source="pic.png", width=3)
    for _ in range(2):
        reply = await agent.call_for_json("apply_picture_effects", slide_index=0, shape_index=0, effects={name: values})
    assert reply["applied_effects"] == [name]
    assert where in list_element_paths(list_shapes(agent)[0])
    tag = where.rpartition("/")[2]
    assert len(list(list_shapes(agent)[0]._element.iter(f"{A}{tag}"))) == 1


async def test_effects_stand_in_the_order_of_the_format_and_hold_their_values(agent: Agent) -> None:
    write_picture(agent.files / "pic.png")
    await agent.call_for_json("manage_image", slide_index=0, operation="add", image_source="pic.png", width=3)
    effects = {
        "soft_edges": {},
        "reflection": {},
        "shadow": {"blur_radius": 8, "distance": 2, "direction": 90, "color": [10, 20, 30], "transparency": 0.25},
        "glow": {},
        "rotation": {"rotation": 30},
    }
    await agent.call_for_json("apply_picture_effects", slide_index=0, shape_index=0, effects=effects)
    shape = list_shapes(agent)[0]
    order = [child.tag.rpartition("}")[2] for child in shape._element.spPr.find(f"{A}effectLst")]
    assert order == ["glow", "outerShdw", "reflection", "softEdge"]
    shadow = shape._element.spPr.find(f"{A}effectLst/{A}outerShdw")
    assert [shadow.get(key) for key in ("blurRad", "dist", "dir")] == ["101600", "25400", "5400000"]
    assert shadow.find(f"{A}srgbClr").get("val") == "0A141E"
    assert shadow.find(f"{A}srgbClr/{A}alpha").get("val") == "75000"
    assert shape.rotation == 30


async def test_wrong_effects_change_nothing(agent: Agent) -> None:
    write_picture(agent.files / "pic.png")
    await agent.call_for_json("manage_image", slide_index=0, operation="add", image_source="pic.png", width=3)
    await agent.call_for_json("add_shape", slide_index=0, shape_type="oval", **BOX)
    before = (agent.files / "deck.pptx").read_bytes()
    wrong: list[tuple[int, dict[str, Any], str]] = [
        (0, {"glow": {}, "sparkle": {}}, "'sparkle' is not a valid effect"),
        (0, {"glow": {"radius": 3}}, "no parameter 'radius'"),
        (0, {"glow": {"size": "big"}}, "glow is not right"),
        (0, {"glow": {"color": [1, 2, 999]}}, "0-255"),
        (0, {"bevel": {"bevel_type": "round"}}, "circle"),
        (0, {"transparency": {"transparency": 3}}, "0 to 1"),
        (0, {"filter": {"filter_type": "neon"}}, "grayscale"),
        (0, {}, "no effect was given"),
        (1, {"glow": {}}, "not a picture"),
    ]
    for index, effects, reason in wrong:
        assert reason in await agent.call_for_error(
            "apply_picture_effects", slide_index=0, shape_index=index, effects=effects
        )
    assert (agent.files / "deck.pptx").read_bytes() == before


async def test_a_font_is_analyzed_cut_down_and_judged(agent: Agent) -> None:
    (agent.files / "face.ttf").write_bytes(Path(font_file("Liberation Sans")).read_bytes())
    analysis = await agent.call_for_json("manage_fonts", operation="analyze", font_path="face.ttf")
    assert (analysis["font_family"], analysis["weight"], analysis["analysis_success"]) == ("Liberation Sans", 400, True)
    assert analysis["num_glyphs"] == len(TTFont(agent.files / "face.ttf").getGlyphOrder())
    assert {"Latin", "Greek", "Cyrillic"} <= set(analysis["scripts"])
    small = await agent.call_for_json(
        "manage_fonts", operation="optimize", font_path="face.ttf", text_content="Umsatz 2026 ü"
    )
    assert small["optimized_path"] == "face_subset.ttf"
    assert small["optimized_size"] < small["original_size"] / 5
    assert set("Umsatz 206ü") == {chr(code) for code in TTFont(agent.files / "face_subset.ttf").getBestCmap()}
    query = ["fc-query", "--format=%{family}", str(agent.files / "face_subset.ttf")]
    assert subprocess.run(query, capture_output=True, text=True, check=True).stdout == "Liberation Sans"
    advice = await agent.call_for_json(
        "manage_fonts", operation="recommend", font_path="face.ttf", presentation_type="academic"
    )
    assert "body_text" in advice["recommendations"]["suitable_for"]
    assert "title" in advice["recommendations"]["recommended_sizes"]
    (agent.files / "no.ttf").write_text("no font")
    assert "cannot be read as a font" in await agent.call_for_error(
        "manage_fonts", operation="analyze", font_path="no.ttf"
    )
    message = await agent.call_for_error(
        "manage_fonts", operation="optimize", font_path="face.ttf", text_content="中文"
    )
    assert "none of the letters" in message
