"""Documents, PDF files and decks of GTA: written from texts with pictures, and read without loss."""

import json
from collections.abc import Iterator
from pathlib import Path

import docx
import pdfplumber
import pptx
import pytest
from PIL import Image
from support.speaking import Agent

from yardkit.sandbox.serving.registry import chosen_servers
from yardkit.sandbox.serving.workspace_server import build_server
from yardkit.world import World, use_world

REPORT = """# 季度报告 Sales

Up by **12 %** <unknown> & more
in May

| Region | Sum |
|---|---|
| 南 | 7 |

{{image_2}}

The end."""


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="gta", seed=1)
    for name, colour in (("red.png", "red"), ("blue, dark.png", "navy")):
        Image.new("RGB", (200, 100), colour).save(world.files / name)
    with use_world(world):
        yield Agent(build_server(chosen_servers(["documents", "pdf", "slides"], "gta"), "gta"), world.files)


PICTURES = json.dumps(["red.png", "blue, dark.png"])


async def test_a_word_document_has_headings_tables_and_pictures_in_their_places(agent: Agent) -> None:
    path = await agent.says("DocxFileGenerator", filename="report", content=REPORT, image_paths=PICTURES)
    assert path == "generated/report.docx"
    document = docx.Document(str(agent.files / path))
    assert [(part.style.name, part.text) for part in document.paragraphs if part.text][:2] == [
        ("Heading 1", "季度报告 Sales"),
        ("Normal", "Up by 12 % <unknown> & more\nin May"),
    ]
    assert [cell.text for cell in document.tables[0].rows[1].cells] == ["南", "7"]
    assert len(document.inline_shapes) == 2  # the one without a place at the end
    assert document.paragraphs[-2].text == "The end."


async def test_a_text_may_stand_as_it_is(agent: Agent) -> None:
    path = await agent.says("DocxFileGenerator", filename="a.docx", content="# no *mark*\n{{image_1}}\nup",
                            image_paths="red.png", render_markdown=False)  # fmt: skip
    assert [part.text for part in docx.Document(str(agent.files / path)).paragraphs] == ["# no *mark*", "", "up"]
    path = await agent.says("PdfFileGenerator", filename="a", content="# no *mark* <b>\nup", render_markdown=False)
    assert (await agent.says("ReadPDF", file=path)).splitlines() == ["[page 1]", "# no *mark* <b>", "up"]


async def test_a_pdf_keeps_every_script_and_what_looks_like_markup(agent: Agent) -> None:
    path = await agent.says("PdfFileGenerator", filename="report", content=REPORT, image_paths=PICTURES)
    text = await agent.says("ReadPDF", file=path)
    for words in ("[page 1]", "季度报告 Sales", "Up by 12 % <unknown> & more", "南", "The end."):
        assert words in text
    with pdfplumber.open(agent.files / path) as document:
        assert sum(len(page.images) for page in document.pages) == 2


async def test_a_deck_has_its_pictures_side_by_side_with_the_text(agent: Agent) -> None:
    slides = [
        {"title": "季度 <b>", "content": "Up\n- North\n{{image_1}}{{image_2}}"},
        {"title": "End", "content": ["bye"]},
    ]
    path = await agent.says(
        "PptxFileGenerator", filename="deck", slides_content_str=json.dumps(slides), image_paths=PICTURES
    )
    deck = pptx.Presentation(str(agent.files / path))
    title, text, *pictures = deck.slides[0].shapes
    assert (title.text, text.text) == ("季度 <b>", "Up\nNorth")
    assert len(pictures) == 2
    assert all(picture.left >= text.left + text.width for picture in pictures)
    assert pictures[0].top + pictures[0].height <= pictures[1].top
    assert "bye" in await agent.says("ReadPPTX", file=path)


async def test_reading_leaves_nothing_out(agent: Agent) -> None:
    document = docx.Document()
    document.add_paragraph("first")
    document.add_table(1, 2).rows[0].cells[1].text = "cell"
    document.sections[0].header.paragraphs[0].text = "letterhead"
    document.save(str(agent.files / "in.docx"))
    assert (await agent.says("ReadDOCX", file="in.docx")).splitlines() == [
        "first",
        " | cell",
        "[header1]",
        "letterhead",
    ]
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Plan"
    slide.shapes.add_table(1, 1, 0, 2_000_000, 2_000_000, 500_000).table.cell(0, 0).text = "inside"
    slide.notes_slide.notes_text_frame.text = "say hello"
    deck.save(str(agent.files / "in.pptx"))
    text = await agent.says("ReadPPTX", file="in.pptx")
    assert all(words in text for words in ("slide 1", "Plan", "inside", "say hello"))


async def test_what_is_wrong_is_an_error_and_no_file_comes_of_it(agent: Agent) -> None:
    for image_paths, words in (
        ("gone.png", "gone.png"),
        ("red.png", "{{image_2}} has no picture"),
        ("[1", "is not a valid JSON list"),
    ):
        message = await agent.call_for_error(
            "DocxFileGenerator", filename="x", content="{{image_2}}", image_paths=image_paths
        )
        assert words in message
    for slides in ("no JSON", "[]", '[{"title": 3}]'):
        assert "slides_content_str" in await agent.call_for_error(
            "PptxFileGenerator", filename="x", slides_content_str=slides
        )
    assert "leads out" in await agent.call_for_error("PdfFileGenerator", filename="../x", content="a")
    assert not list(agent.files.glob("**/x.*"))
