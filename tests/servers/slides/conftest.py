"""Decks made by another library."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Cm
from support.answers import Call, Golden, make_caller, read_facts, read_text

from yardkit.servers.slides.server import mcp
from yardkit.world import World


@pytest.fixture
def ask(world: World) -> Call:
    return make_caller(mcp)


@pytest.fixture
def call(ask: Call) -> Callable[..., dict[str, Any]]:
    """Call a tool that must work; its result."""

    def run(tool: str, **arguments: object) -> dict[str, Any]:
        return read_facts(ask(tool, **arguments))

    return run


@pytest.fixture
def refused(ask: Call) -> Callable[..., str]:
    """Call a tool that must fail; what it says."""

    def run(tool: str, **arguments: object) -> str:
        answer = ask(tool, **arguments)
        assert answer.is_error
        return read_text(answer)

    return run


def write_picture(path: Path) -> Path:
    Image.new("RGB", (400, 200), "red").save(path)
    return path


@pytest.fixture
def picture(files: Path) -> Path:
    return write_picture(files / "red.png")


def write_rich(path: Path) -> None:
    picture = write_picture(path.with_name("red.png"))
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Opening words"
    frame = first.placeholders[1].text_frame
    frame.text = "Alpha budget"
    run = frame.paragraphs[0].add_run()
    run.text = " 2025 plan"
    run.font.bold = True
    frame.add_paragraph().text = "Beta"
    first.notes_slide.notes_text_frame.text = "Say the budget 2025 slowly"
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Figures"
    data = CategoryChartData()
    data.categories = ["A", "B"]
    data.add_series("One", (1, 2))
    frame = second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Cm(2), Cm(5), Cm(12), Cm(8), data)
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "Budget chart"
    second.notes_slide.notes_text_frame.text = "Chart notes"
    third = deck.slides.add_slide(deck.slide_layouts[6])
    table = third.shapes.add_table(3, 3, Cm(1), Cm(1), Cm(12), Cm(3)).table
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"r{row}c{column} budget"
    group = third.shapes.add_group_shape()
    inner = group.shapes.add_textbox(Cm(2), Cm(8), Cm(4), Cm(1))
    inner.text_frame.text = "in a group: budget"
    group.shapes.add_shape(1, Cm(7), Cm(8), Cm(2), Cm(2))
    third.shapes.add_picture(str(picture), Cm(15), Cm(5), Cm(8), Cm(4))
    box = third.shapes.add_textbox(Cm(15), Cm(12), Cm(5), Cm(1))
    box.text_frame.text = "back"
    box.click_action.target_slide = first
    deck.save(str(path))


@pytest.fixture
def rich(golden: Golden, picture: Path) -> Path:
    """Three slides: bullets with notes; a chart; a group, a table, a picture, and a link to slide 1."""
    return golden("rich.pptx", write_rich)
