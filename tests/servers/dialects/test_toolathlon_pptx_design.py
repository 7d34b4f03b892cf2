"""The dialect of Toolathlon's pptx: schemes and templates, which draw what is given and make nothing up."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Inches
from support.scale import select_drills
from support.speaking import Agent, open_speaking_agent

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.slides.engine.contents.checks import check_deck
from yardkit.servers.slides.engine.slides.slide_patterns import PATTERNS, Element

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHART = "North: 12\nSouth: 9.5\nWest: 1,200"
TABLE = "Region | Q1\n---|---\nNorth | 12\nSouth | 9"


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    async with open_speaking_agent(load_server("slides", "toolathlon"), tmp_path) as agent:
        await agent.call_for_json("create_presentation", id="deck")
        yield agent


def open_deck(agent: Agent) -> Any:
    return Presentation(str(agent.files / "deck.pptx"))


def list_texts(slide: Any) -> list[str]:
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame and shape.text_frame.text]


def find_shape(slide: Any, name: str) -> Any:
    return next(shape for shape in slide.shapes if shape.name == name)


async def test_the_schemes_are_told_with_their_colours(agent: Agent) -> None:
    schemes = await agent.call_for_json("apply_professional_design", operation="get_schemes")
    assert schemes["available_schemes"] == ["modern_blue", "corporate_gray", "elegant_green", "warm_red"]
    assert schemes["schemes"]["warm_red"]["primary"] == [166, 58, 54]
    assert "color_scheme" in await agent.call_for_error(
        "apply_professional_design", operation="theme", color_scheme="neon", apply_to_existing=True
    )


async def test_a_scheme_becomes_the_theme_that_slides_take_their_colours_from(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=1, title="Kept")
    reply = await agent.call_for_json("apply_professional_design", operation="theme", color_scheme="elegant_green")
    assert reply["applied_to_existing"] is True
    part = (
        open_deck(agent)
        .slide_masters[0]
        .part.part_related_by("http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme")
    )
    assert re.search(rb"<a:accent1><a:srgbClr val=\"2C6E49\"/>", part.blob)
    assert "theme" in await agent.call_for_error(
        "apply_professional_design", operation="theme", apply_to_existing=False
    )


@pytest.mark.parametrize(
    ("kind", "layout"),
    [("title_slide", "Title Slide"), ("title_content", "Title and Content"), ("two_column", "Two Content")],
)
async def test_a_professional_slide_holds_what_is_given(agent: Agent, kind: str, layout: str) -> None:
    await agent.call_for_json(
        "apply_professional_design",
        operation="professional_slide",
        slide_type=kind,
        title="Plan",
        content=["One", "Two", "Three"],
        color_scheme="warm_red",
    )
    slide = open_deck(agent).slides[0]
    assert slide.slide_layout.name == layout
    assert slide.shapes.title.text == "Plan"
    assert [line for text in list_texts(slide)[1:] for line in text.splitlines()] == ["One", "Two", "Three"]


async def test_a_blank_slide_takes_no_content(agent: Agent) -> None:
    await agent.call_for_json("apply_professional_design", operation="professional_slide", slide_type="blank")
    assert len(open_deck(agent).slides[0].shapes) == 0
    message = await agent.call_for_error(
        "apply_professional_design", operation="professional_slide", slide_type="blank", title="x"
    )
    assert "no place for title" in message


async def test_a_slide_takes_on_a_scheme_in_the_parts_that_are_wanted(agent: Agent) -> None:
    box = {"left": 1, "top": 3, "width": 3, "height": 2}
    await agent.call_for_json("add_slide", layout_index=5, title="Title")
    await agent.call_for_json("manage_text", slide_index=0, operation="add", text="Words", width=4)
    await agent.call_for_json("add_shape", slide_index=0, shape_type="oval", **box, text="In")
    await agent.call_for_json(
        "add_chart",
        slide_index=0,
        chart_type="bar",
        **{**box, "left": 5},
        categories=["x"],
        series_names=["A"],
        series_values=[[1]],
    )
    reply = await agent.call_for_json(
        "apply_professional_design",
        operation="enhance",
        slide_index=0,
        color_scheme="elegant_green",
        enhance_shapes=False,
    )
    assert reply["enhancements_applied"] == ["title", "content", "charts"]
    title, words, oval, chart = open_deck(agent).slides[0].shapes
    green = RGBColor.from_string("2C6E49")
    assert title.text_frame.paragraphs[0].runs[0].font.color.rgb == green
    assert words.text_frame.paragraphs[0].runs[0].font.color.rgb == RGBColor.from_string("2B382F")
    assert "2C6E49" not in oval._element.xml
    assert chart.chart.plots[0].series[0].format.fill.fore_color.rgb == green
    await agent.call_for_json("apply_professional_design", operation="enhance", slide_index=0, color_scheme="warm_red")
    assert open_deck(agent).slides[0].shapes[2].fill.fore_color.rgb == RGBColor.from_string("A63A36")
    assert "needs slide_index" in await agent.call_for_error("apply_professional_design", operation="enhance")


async def test_text_is_not_coloured_where_it_could_not_be_read(agent: Agent) -> None:
    await agent.call_for_json(
        "add_slide", layout_index=5, title="T", background_type="solid", background_colors=[[44, 110, 73]]
    )
    message = await agent.call_for_error(
        "apply_professional_design", operation="enhance", slide_index=0, color_scheme="elegant_green"
    )
    assert "nothing that the scheme can colour legibly" in message


async def test_templates_are_listed_with_the_roles_that_take_content(agent: Agent) -> None:
    templates = await agent.call_for_json("list_slide_templates")
    assert templates["total_templates"] == len(templates["available_templates"]) == 23
    by_id = {template["id"]: template for template in templates["available_templates"]}
    assert by_id["text_with_image"]["content_roles"] == ["title", "content", "call_to_action"]
    assert by_id["text_with_image"]["image_roles"] == ["supporting"]
    info = await agent.call_for_json("get_template_info", template_id="data_table_slide")
    assert info["elements"][1] == {
        "type": "table",
        "role": "main_data",
        "position": {"left": 0.6, "top": 1.6, "width": 8.8, "height": 4.2},
    }
    assert "title_slide" in await agent.call_for_error("get_template_info", template_id="nothing")


def content_of(element: Element) -> str:
    if element.part in ("table", "chart"):
        return TABLE if element.part == "table" else CHART
    return f"{element.role.replace('_', ' ')}"


@pytest.mark.parametrize(
    "name", [*list(PATTERNS)[::5], *select_drills(*(name for index, name in enumerate(PATTERNS) if index % 5))]
)
async def test_every_template_draws_all_that_is_given_without_a_finding(agent: Agent, name: str) -> None:
    Image.new("RGB", (300, 200), (90, 140, 160)).save(agent.files / "p.png")
    pattern = PATTERNS[name]
    content = {
        part_element.role: content_of(part_element)
        for part_element in pattern.elements
        if part_element.part not in ("picture", "shape")
    }
    reply = await agent.call_for_json(
        "create_slide_from_template",
        template_id=name,
        content_mapping=content,
        image_paths=dict.fromkeys(pattern.list_roles("picture"), "p.png"),
        color_scheme="warm_red",
    )
    assert reply["template_applied"]["elements_created"] == [part_element.role for part_element in pattern.elements]
    assert "roles_without_content" not in reply["template_applied"]
    slide = open_deck(agent).slides[reply["slide_index"]]
    slide_texts = list_texts(slide)
    for element in pattern.elements:
        if element.part in ("title", "text"):
            assert content[element.role] in slide_texts
        elif element.part == "picture":
            assert find_shape(slide, element.role).image.blob == (agent.files / "p.png").read_bytes()
    assert sum(shape.has_table for shape in slide.shapes) == len(pattern.list_roles("table"))
    assert sum(shape.has_chart for shape in slide.shapes) == len(pattern.list_roles("chart"))
    kinds = ["overflow", "table_overflow", "off_slide", "low_contrast", "empty_placeholder", "distorted_picture"]
    assert check_deck(agent.files / "deck.pptx", None, kinds, min_size_pt=10, offset=0, limit=50).findings == []


async def test_what_nothing_is_given_for_is_not_drawn_and_nothing_is_made_up(agent: Agent) -> None:
    reply = await agent.call_for_json(
        "create_slide_from_template", template_id="key_metrics_dashboard", content_mapping={"metric_1_value": "12"}
    )
    applied = reply["template_applied"]
    assert applied["elements_created"] == ["metric_container_1", "metric_1_value"]
    assert "trend_visualization" in applied["roles_without_content"]
    assert list_texts(open_deck(agent).slides[0]) == ["12"]


async def test_tables_charts_and_bullets_are_real(agent: Agent) -> None:
    await agent.call_for_json(
        "create_slide_from_template",
        template_id="data_table_slide",
        content_mapping={"main_data": TABLE, "insights": "• One\n- Two\nplain"},
    )
    slide = open_deck(agent).slides[0]
    table = find_shape(slide, "main_data").table
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Region", "Q1"],
        ["North", "12"],
        ["South", "9"],
    ]
    lines = find_shape(slide, "insights").text_frame.paragraphs
    assert [line.text for line in lines] == ["One", "Two", "plain"]
    assert [line._p.pPr.find(f"{A}buChar") is not None for line in lines] == [True, True, False]
    await agent.call_for_json(
        "create_slide_from_template", template_id="chart_comparison", content_mapping={"chart_left": CHART}
    )
    chart = next(shape.chart for shape in open_deck(agent).slides[1].shapes if shape.has_chart)
    assert list(chart.plots[0].categories) == ["North", "South", "West"]
    assert list(chart.plots[0].series[0].values) == [12, 9.5, 1200]


async def test_a_template_on_a_slide_keeps_what_stands_there(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=1, title="Mine")
    await agent.call_for_json("manage_text", slide_index=0, operation="add", text="Kept", top=6)
    reply = await agent.call_for_json(
        "apply_slide_template",
        slide_index=0,
        template_id="two_column_text",
        content_mapping={"content_left": "L", "content_right": "R"},
    )
    assert reply["template_applied"]["roles_without_content"] == ["title"]
    slide = open_deck(agent).slides[0]
    assert sorted(list_texts(slide)) == ["Kept", "L", "Mine", "R"]
    assert [shape.placeholder_format.type for shape in slide.placeholders] == [PP_PLACEHOLDER.TITLE]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"template_id": "nothing"}, "'nothing' is not a valid template"),
        ({"content_mapping": {"body": "x"}}, "has no 'body'"),
        ({"content_mapping": {"main_data": "a | b\nc"}}, "is not a valid table"),
        (
            {"template_id": "chart_comparison", "content_mapping": {"chart_left": "North is best"}},
            "is not a valid chart",
        ),
        ({"image_paths": {"main_data": "deck.pptx"}}, "for pictures"),
        ({"image_paths": {"photo": "gone.png"}}, "does not exist"),
        ({"template_id": "text_with_image", "image_paths": {"supporting": "deck.pptx"}}, "is not a picture"),
        ({"layout_index": 40}, "layout 41 does not exist"),
    ],
)
async def test_a_slide_that_cannot_be_made_is_not_added(agent: Agent, change: dict[str, Any], reason: str) -> None:
    message = await agent.call_for_error("create_slide_from_template", **{"template_id": "data_table_slide", **change})
    assert reason in message
    assert len(open_deck(agent).slides) == 0


async def test_a_sequence_of_templates_makes_a_presentation_or_nothing(agent: Agent) -> None:
    Image.new("RGB", (300, 200), (90, 140, 160)).save(agent.files / "p.png")
    sequence: list[dict[str, Any]] = [
        {"template_id": "title_slide", "content": {"title": "Report", "subtitle": "2026"}},
        {"template_id": "text_with_image", "content": {"title": "Why"}, "images": {"supporting": "p.png"}},
    ]
    reply = await agent.call_for_json(
        "create_presentation_from_templates", template_sequence=sequence, presentation_title="Report 2026"
    )
    assert (reply["total_slides"], [slide["slide_index"] for slide in reply["creation_result"]]) == (2, [0, 1])
    assert [slide.shapes.title.text for slide in open_deck(agent).slides] == ["Report", "Why"]
    assert open_deck(agent).core_properties.title == "Report 2026"
    wrong: dict[str, Any]
    for wrong in (
        {"template_id": "nothing"},
        {"content": {}},
        {"template_id": "title_slide", "slide": 3},
        {"template_id": "title_slide", "content": {"title": 3}},
    ):
        message = await agent.call_for_error("create_presentation_from_templates", template_sequence=[*sequence, wrong])
        assert "template_sequence[2]" in message
    assert len(open_deck(agent).slides) == 2


async def test_places_follow_the_size_of_the_slides(agent: Agent) -> None:
    wide = Presentation()
    wide.slide_width = Inches(13.333)
    wide.save(str(agent.files / "wide.pptx"))
    await agent.call_for_json(
        "create_slide_from_template",
        template_id="two_column_text",
        content_mapping={"content_right": "R"},
        layout_index=6,
        presentation_id="wide",
    )
    (box,) = Presentation(str(agent.files / "wide.pptx")).slides[0].shapes
    assert abs(box.left - Inches(5.2 * 1.3333)) < 1000
    assert abs(box.top - Inches(1.6)) < 1000


@pytest.mark.parametrize("kind", ["business", *select_drills("academic", "creative")])
@pytest.mark.parametrize(
    ("count", "charts", "images"),
    [(5, True, False), (9, True, True), *select_drills((3, True, True), (20, False, True))],
)
async def test_a_draft_asks_and_does_not_make_up_figures(
    agent: Agent, kind: str, count: int, charts: bool, images: bool
) -> None:
    reply = await agent.call_for_json(
        "auto_generate_presentation",
        topic="Electric buses",
        slide_count=count,
        presentation_type=kind,
        include_charts=charts,
        include_images=images,
    )
    slides = open_deck(agent).slides
    assert len(slides) == reply["slide_count"] == count
    assert slides[0].shapes.title.text == "Electric buses"
    assert len({slide.shapes.title.text for slide in slides}) == count
    deck_text = "\n".join(text for slide in slides for text in list_texts(slide))
    assert not re.search(r"%|\$|\b\d{2,}", deck_text)
    agenda = list_texts(slides[1])[-1].splitlines()
    titles = [slide.shapes.title.text.partition(" (")[0] for slide in slides][2:-1]
    assert agenda == (list(dict.fromkeys(titles)) or ["Electric buses"])
    empty = [slide["empty_place_for"] for slide in reply["slides"] if "empty_place_for" in slide]
    assert empty == (["chart"] if charts and count > 4 else []) + (["picture"] if images and count > 4 else [])
    assert not check_deck(
        agent.files / "deck.pptx", None, ["overflow", "low_contrast"], min_size_pt=10, offset=0, limit=9
    ).findings
