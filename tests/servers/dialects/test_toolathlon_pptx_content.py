"""The dialect of Toolathlon's pptx: slides and their text, as python-pptx reads them from the saved file."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Inches, Pt
from support.speaking import Agent, open_speaking_agent

from yardkit.sandbox.serving.registry import load_server

LONG = "A sentence that is far too long for the small box that it stands in, said again and again. " * 6


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    async with open_speaking_agent(load_server("slides", "toolathlon"), tmp_path) as agent:
        await agent.call_for_json("create_presentation", id="deck")
        yield agent


def list_slides(agent: Agent) -> Any:
    return Presentation(str(agent.files / "deck.pptx")).slides


async def test_a_slide_keeps_the_placeholders_of_its_layout(agent: Agent) -> None:
    reply = await agent.call_for_json("add_slide", layout_index=3, title="Two columns")
    assert (reply["slide_index"], reply["layout_name"]) == (0, "Two Content")
    assert [placeholder["idx"] for placeholder in reply["placeholders"]] == [0, 1, 2]
    assert [placeholder.placeholder_format.idx for placeholder in list_slides(agent)[0].placeholders] == [0, 1, 2]
    assert list_slides(agent)[0].shapes.title.text == "Two columns"
    assert "Available layouts: 0-10" in await agent.call_for_error("add_slide", layout_index=11)


async def test_backgrounds_are_solid_or_gradients(agent: Agent) -> None:
    await agent.call_for_json("add_slide", background_type="solid", background_colors=[[10, 20, 30]])
    await agent.call_for_json(
        "add_slide",
        background_type="gradient",
        background_colors=[[255, 0, 0], [0, 0, 255]],
        gradient_direction="diagonal",
    )
    await agent.call_for_json("add_slide", background_type="professional_gradient", color_scheme="warm_red")
    solid, gradient, professional = (slide.background.fill for slide in list_slides(agent))
    assert solid.fore_color.rgb == RGBColor(10, 20, 30)
    assert [str(stop.color.rgb) for stop in gradient.gradient_stops] == ["FF0000", "0000FF"]
    assert 'ang="2700000"' in list_slides(agent)[1]._element.xml
    assert len(professional.gradient_stops) == 2
    assert "needs 2" in await agent.call_for_error(
        "add_slide", background_type="gradient", background_colors=[[1, 2, 3]]
    )
    assert "0 to 255" in await agent.call_for_error(
        "add_slide", background_type="solid", background_colors=[[1, 2, 300]]
    )
    assert len(list_slides(agent)) == 3


async def test_placeholders_are_filled_by_their_idx(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=1)
    await agent.call_for_json("populate_placeholder", slide_index=0, placeholder_idx=0, text="Plan")
    reply = await agent.call_for_json(
        "add_bullet_points", slide_index=0, placeholder_idx=1, bullet_points=["One", "\tDeeper"]
    )
    assert reply["message"] == "Added 2 bullet points to placeholder 1 on slide 0"
    title, body = list_slides(agent)[0].placeholders
    assert title.text == "Plan"
    assert [(paragraph.text, paragraph.level) for paragraph in body.text_frame.paragraphs] == [
        ("One", 0),
        ("Deeper", 1),
    ]
    reply = await agent.call_for_error("populate_placeholder", slide_index=0, placeholder_idx=7, text="x")
    assert "no placeholder with idx 7; it has: 0 (Title 1), 1" in reply
    assert "Invalid slide index: 4. Available slides: 0-0" in await agent.call_for_error(
        "populate_placeholder", slide_index=4, placeholder_idx=0, text="x"
    )


async def test_a_slide_is_described_by_placeholders_and_shapes(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=5, title="Title")
    await agent.call_for_json(
        "manage_text", slide_index=0, operation="add", text="Box", left=2, top=3, width=4, height=1
    )
    info = await agent.call_for_json("get_slide_info", slide_index=0)
    assert info["placeholders"] == [{"idx": 0, "type": "TITLE (1)", "name": "Title 1", "shape_index": 0}]
    assert info["shape_count"] == 2
    box = info["shapes"][1]
    assert (box["index"], box["shape_type"], box["text"]) == (1, "TEXT_BOX (17)", "Box")
    assert [box[key] for key in ("left", "top", "width", "height")] == [Inches(number) for number in (2, 3, 4, 1)]


async def test_text_is_read_by_where_it_stands(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=5, title="Numbers")
    await agent.call_for_json("manage_text", slide_index=0, operation="add", text="A note")
    await agent.call_for_json(
        "add_table", slide_index=0, rows=2, cols=2, left=1, top=4, width=4, height=1, data=[["a", "b"], ["1", "2"]]
    )
    await agent.call_for_json("add_slide", layout_index=6)
    reply = await agent.call_for_json("extract_slide_text", slide_index=0)
    content = reply["text_content"]
    assert (content["slide_title"], reply["has_tables"], reply["total_text_shapes"]) == ("Numbers", True, 2)
    assert [shape["text"] for shape in content["text_shapes"]] == ["A note"]
    assert content["placeholders"][0]["placeholder_idx"] == 0
    assert content["table_text"][0]["table_content"][1] == {"row": 1, "cells": ["1", "2"]}
    assert content["all_text_combined"] == "Numbers\nA note\na | b\n1 | 2"
    deck_text = await agent.call_for_json("extract_presentation_text")
    assert (deck_text["total_slides"], deck_text["slides_with_text"], deck_text["slides_with_tables"]) == (2, 1, 1)
    assert deck_text["all_presentation_text_combined"] == "=== SLIDE 1 ===\nNumbers\nA note\na | b\n1 | 2\n"
    assert deck_text["slides_text"][0]["layout_name"] == "Title Only"
    bare = await agent.call_for_json("extract_presentation_text", include_slide_info=False)
    assert set(bare["slides_text"][0]) == {"slide_index", "text_content"}


async def test_a_long_deck_is_read_in_parts_that_make_the_whole(agent: Agent) -> None:
    deck = Presentation()
    for number in range(40):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Slide {number}"
        slide.placeholders[1].text = "word " * 800
    deck.save(str(agent.files / "long.pptx"))
    seen: list[int] = []
    start: int | None = 0
    while start is not None:
        part = await agent.call_for_json("extract_presentation_text", presentation_id="long", start_slide=start)
        seen += [entry["slide_index"] for entry in part["slides_text"]]
        start = part.get("next_start_slide")
        assert part["total_slides"] == 40
    assert seen == list(range(40))


async def test_a_text_box_takes_all_formats_in_one_call(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=6)
    reply = await agent.call_for_json(
        "manage_text",
        slide_index=0,
        operation="add",
        text="First\nSecond",
        left=1,
        top=1,
        width=5,
        height=2,
        font_size=20,
        font_name="Georgia",
        bold=True,
        italic=True,
        underline=True,
        color=[200, 0, 0],
        bg_color=[240, 240, 240],
        alignment="center",
        vertical_alignment="middle",
    )
    shape = list_slides(agent)[0].shapes[reply["shape_index"]]
    assert [paragraph.text for paragraph in shape.text_frame.paragraphs] == ["First", "Second"]
    font = shape.text_frame.paragraphs[1].runs[0].font
    assert (font.size, font.name, font.bold, font.italic, font.underline) == (Pt(20), "Georgia", True, True, True)
    assert font.color.rgb == RGBColor(200, 0, 0)
    assert shape.fill.fore_color.rgb == RGBColor(240, 240, 240)
    assert shape.text_frame.paragraphs[0].alignment == PP_ALIGN.CENTER
    assert shape.text_frame.vertical_anchor == MSO_ANCHOR.MIDDLE


async def test_formatting_changes_what_is_given_and_keeps_the_rest(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=6)
    await agent.call_for_json("manage_text", slide_index=0, operation="add", text="Words", font_size=30, italic=True)
    await agent.call_for_json(
        "manage_text",
        slide_index=0,
        operation="format",
        shape_index=0,
        bold=True,
        alignment="right",
        bg_color=[1, 2, 3],
    )
    shape = list_slides(agent)[0].shapes[0]
    font = shape.text_frame.paragraphs[0].runs[0].font
    assert (font.size, font.italic, font.bold) == (Pt(30), True, True)
    assert shape.text_frame.paragraphs[0].alignment == PP_ALIGN.RIGHT
    assert shape.fill.fore_color.rgb == RGBColor(1, 2, 3)
    assert "needs" in await agent.call_for_error("manage_text", slide_index=0, operation="format", shape_index=0)
    message = await agent.call_for_error("manage_text", slide_index=0, operation="format", shape_index=5, bold=True)
    assert "Invalid shape index: 5. Available shapes: 0-0" in message


async def test_runs_get_formats_of_their_own_in_one_paragraph(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=6)
    await agent.call_for_json("manage_text", slide_index=0, operation="add", text="old")
    runs = [
        {"text": "Total ", "bold": True, "font_size": 24, "color": [0, 128, 0]},
        {"text": "see page", "hyperlink": "https://example.org/", "font_name": "Arial"},
    ]
    reply = await agent.call_for_json(
        "manage_text", slide_index=0, operation="format_runs", shape_index=0, text_runs=runs
    )
    assert reply["formatted_runs"][0]["formatting_applied"]["bold"] is True
    (paragraph,) = list_slides(agent)[0].shapes[0].text_frame.paragraphs
    first, second = paragraph.runs
    assert (first.text, first.font.bold, first.font.size) == ("Total ", True, Pt(24))
    assert first.font.color.rgb == RGBColor(0, 128, 0)
    assert (second.text, second.hyperlink.address, second.font.name) == ("see page", "https://example.org/", "Arial")
    wrong = [{"text": "x", "colour": [1, 2, 3]}]
    reply = await agent.call_for_error(
        "manage_text", slide_index=0, operation="format_runs", shape_index=0, text_runs=wrong
    )
    assert "text_runs[0]" in reply
    assert "hyperlink" in reply


async def test_text_that_does_not_fit_is_told_and_made_to_fit(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=6)
    await agent.call_for_json(
        "manage_text", slide_index=0, operation="add", text=LONG, width=4, height=1.5, font_size=24, auto_fit=False
    )
    before = (agent.files / "deck.pptx").read_bytes()
    validation = await agent.call_for_json(
        "manage_text", slide_index=0, operation="validate", shape_index=0, validation_only=True
    )
    assert (validation["text_fits"], validation["needs_optimization"]) == (False, True)
    assert validation["needed_height_pt"] > validation["available_height_pt"]
    short = await agent.call_for_json("manage_text", slide_index=0, operation="validate", shape_index=0, text="Short")
    assert short["text_fits"] is True
    assert (agent.files / "deck.pptx").read_bytes() == before
    fixed = await agent.call_for_json(
        "manage_text", slide_index=0, operation="validate", shape_index=0, min_font_size=6
    )
    assert fixed["text_fits"] is True
    size = list_slides(agent)[0].shapes[0].text_frame.paragraphs[0].runs[0].font.size
    assert Pt(6) <= size < Pt(24)


async def test_a_slide_of_text_is_brought_within_limits(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=6)
    box = {"slide_index": 0, "operation": "add", "auto_fit": False}
    await agent.call_for_json("manage_text", **box, text=LONG, width=4, height=2, font_size=24)
    await agent.call_for_json("manage_text", **box, text="Tiny", width=4, height=1, top=4, font_size=5)
    await agent.call_for_json("manage_text", **box, text="Huge", width=8, height=2, top=5, font_size=90)
    reply = await agent.call_for_json("optimize_slide_text", slide_index=0, min_font_size=8, max_font_size=36)
    assert [action["shape_index"] for action in reply["optimizations_applied"]] == [0, 1, 2]
    assert all(action["text_fits"] for action in reply["optimizations_applied"])
    sizes = [shape.text_frame.paragraphs[0].runs[0].font.size for shape in list_slides(agent)[0].shapes]
    assert sizes[0] < Pt(24)
    assert sizes[1:] == [Pt(8), Pt(36)]
    again = await agent.call_for_json("optimize_slide_text", slide_index=0, min_font_size=8, max_font_size=36)
    assert again["optimizations_applied"] == []
    assert "not a valid size range" in await agent.call_for_error(
        "optimize_slide_text", slide_index=0, min_font_size=40
    )


async def test_links_are_added_listed_changed_and_removed(agent: Agent) -> None:
    await agent.call_for_json("add_slide", layout_index=6)
    await agent.call_for_json("manage_text", slide_index=0, operation="add", text="See ")
    link = {"slide_index": 0, "shape_index": 0}
    reply = await agent.call_for_json(
        "manage_hyperlinks", operation="add", **link, text="us", url="https://example.org/a"
    )
    assert reply["run_index"] == 1
    listed = await agent.call_for_json("manage_hyperlinks", operation="list", slide_index=0)
    assert listed["hyperlinks"] == [
        {"shape_index": 0, "paragraph_index": 0, "run_index": 1, "text": "us", "url": "https://example.org/a"}
    ]
    update_reply = await agent.call_for_json(
        "manage_hyperlinks", operation="update", **link, run_index=1, url="mailto:a@example.org"
    )
    assert (update_reply["old_url"], update_reply["new_url"]) == ("https://example.org/a", "mailto:a@example.org")
    run = list_slides(agent)[0].shapes[0].text_frame.paragraphs[0].runs[1]
    assert (run.text, run.hyperlink.address) == ("us", "mailto:a@example.org")
    await agent.call_for_json("manage_hyperlinks", operation="remove", **link, run_index=1)
    run = list_slides(agent)[0].shapes[0].text_frame.paragraphs[0].runs[1]
    assert (run.text, run.hyperlink.address) == ("us", None)
    assert "no link" in await agent.call_for_error("manage_hyperlinks", operation="remove", **link, run_index=1)
    assert "2 runs" in await agent.call_for_error(
        "manage_hyperlinks", operation="update", **link, run_index=9, url="https://x.y"
    )
    assert "is not a valid link" in await agent.call_for_error(
        "manage_hyperlinks", operation="add", **link, text="x", url="javascript:1"
    )
    assert "needs text and url" in await agent.call_for_error("manage_hyperlinks", operation="add", **link, text="x")
