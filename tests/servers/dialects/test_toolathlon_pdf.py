"""The dialect of Toolathlon's pdf-tools: its names, arguments and texts, without its defects."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from fastmcp import Client
from pdfminer.high_level import extract_text
from reportlab.pdfgen.canvas import Canvas
from support.speaking import Agent, open_speaking_agent

from yardkit.sandbox.serving.registry import load_server


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    async with open_speaking_agent(load_server("pdf", "toolathlon"), tmp_path) as agent:
        write_report(agent.files / "report.pdf", 12)
        write_report(agent.files / "docs" / "annex 1.pdf", 2, "Annex")
        yield agent


def write_report(path: Path, pages: int, name: str = "Report") -> None:
    """Three lines a page, two with an amount."""
    path.parent.mkdir(exist_ok=True)
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    canvas.setTitle(f"{name} of 2026")
    canvas.setAuthor("Ann Field")
    for page in range(1, pages + 1):
        for line, text in enumerate(
            (f"{name} page {page}", f"Total: {page}00 EUR", f"of which paid total {page}0 EUR")
        ):
            canvas.drawString(72, 720 - 40 * line, text)
        canvas.showPage()
    canvas.save()


def pages_of(path: Path) -> list[str]:
    """The first line of each page, as pdfminer reads it."""
    return [page.splitlines()[0] for page in extract_text(str(path)).split("\f") if page]


def search_id(text: str) -> str:
    match = re.search(r"^Search ID: (.*)$", text, re.MULTILINE)
    assert match, text
    return match[1]


async def test_pages_are_read_as_text_with_a_heading_each(agent: Agent) -> None:
    text = await agent.says("read_pdf_pages", pdf_file_path="report.pdf", start_page=2, end_page=3)
    assert text.startswith("PDF total pages: 12\nExtracted page range: 2-3\n\n=== Page 2 ===\nReport page 2\n")
    assert "Total: 300 EUR" in text
    assert "page 4" not in text


async def test_without_an_end_one_page_is_read(agent: Agent) -> None:
    assert "Report page 1" in await agent.says("read_pdf_pages", pdf_file_path="report.pdf")
    text = await agent.says("read_pdf_pages", pdf_file_path="report.pdf", start_page=5)
    assert re.findall(r"=== Page (\d+)", text) == ["5"]


async def test_a_range_beyond_the_end_ends_there_and_one_outside_is_an_error(agent: Agent) -> None:
    text = await agent.says("read_pdf_pages", pdf_file_path="report.pdf", start_page=11, end_page=99)
    assert "Extracted page range: 11-12" in text
    assert "pages 1 to 12" in await agent.call_for_error("read_pdf_pages", pdf_file_path="report.pdf", start_page=13)


async def test_a_long_text_says_where_it_goes_on_and_nothing_is_lost(agent: Agent) -> None:
    canvas = Canvas(str(agent.files / "long.pdf"), pagesize=(595, 842))
    for page in range(60):
        canvas.setFont("Helvetica", 4)
        for line in range(100):
            canvas.drawString(20, 820 - 8 * line, f"word{page:02d}x{line:02d} and more text that fills it")
        canvas.showPage()
    canvas.save()
    arguments: dict[str, Any] = {"start_page": 1, "end_page": 60}
    seen = ""
    for _ in range(30):
        text = await agent.says("read_pdf_pages", pdf_file_path="long.pdf", **arguments)
        assert len(text) < 50_000
        seen += text
        rest = re.search(r"\[cut; go on with (.*)\]", text)
        if not rest:
            break
        arguments = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", rest[1])}
    for page in range(60):
        assert f"word{page:02d}x99" in seen


async def test_info_states_pages_and_metadata(agent: Agent) -> None:
    text = await agent.says("get_pdf_info", pdf_file_path="report.pdf")
    assert text.startswith("PDF file information:\nTotal pages: 12\nTitle: Report of 2026\nAuthor: Ann Field\n")


async def test_merging_joins_the_pages_in_order(agent: Agent) -> None:
    result = await agent.answer("merge_pdfs", pdf_paths=["docs/annex 1.pdf", "report.pdf"], output_path="out/all.pdf")
    assert result.content[0].text == "Successfully merged 2 PDFs into 'out/all.pdf'\nTotal pages: 14"
    assert pages_of(agent.files / "out/all.pdf")[:3] == ["Annex page 1", "Annex page 2", "Report page 1"]
    assert len(pages_of(agent.files / "out/all.pdf")) == 14


async def test_extracting_takes_the_pages_in_the_order_given(agent: Agent) -> None:
    before = (agent.files / "report.pdf").read_bytes()
    text = await agent.says(
        "extract_pdf_pages", source_path="report.pdf", page_numbers=[12, 1, 1], output_path="part.pdf"
    )
    assert text.splitlines() == [
        "Successfully extracted 3 pages from 'report.pdf' to 'part.pdf'",
        "Extracted pages: [12, 1, 1]",
        "Source PDF total pages: 12",
    ]
    assert pages_of(agent.files / "part.pdf") == ["Report page 12", "Report page 1", "Report page 1"]
    assert (agent.files / "report.pdf").read_bytes() == before


async def test_a_page_that_is_not_there_is_an_error_and_writes_nothing(agent: Agent) -> None:
    message = await agent.call_for_error(
        "extract_pdf_pages", source_path="report.pdf", page_numbers=[1, 40], output_path="part.pdf"
    )
    assert "page 40 does not exist" in message
    assert "1 to 12" in message
    assert not (agent.files / "part.pdf").exists()


async def test_a_search_is_paged_both_ways_by_what_its_id_says(agent: Agent) -> None:
    first = await agent.says("search_pdf_content", pdf_file_path="report.pdf", pattern="total")
    assert "Total matches: 24\nPage: 1/3\nResults per page: 10" in first
    assert 'Match 1:\n  Page: 1\n  Text: "Total"\n  Context: ...' in first
    second = await agent.says("search_pdf_next_page", search_id=search_id(first))
    third = await agent.says("search_pdf_next_page", search_id=search_id(second))
    assert [re.findall(r"^Match (\d+):", text, re.MULTILINE)[0] for text in (first, second, third)] == ["1", "11", "21"]
    assert len(re.findall(r"^Match", third, re.MULTILINE)) == 4
    assert await agent.says("search_pdf_next_page", search_id=search_id(third)) == "Already on last page (3/3)"
    assert await agent.says("search_pdf_prev_page", search_id=search_id(third)) == second
    assert await agent.says("search_pdf_prev_page", search_id=search_id(first)) == "Already on first page (1)"
    assert await agent.says("search_pdf_go_page", search_id=search_id(first), page_number=3) == third


async def test_a_search_outlives_the_server(agent: Agent) -> None:
    first = await agent.says("search_pdf_content", pdf_file_path="docs/annex 1.pdf", pattern=r"\d+:?0 EUR", page_size=2)
    async with Client(load_server("pdf", "toolathlon")) as other:
        result = await other.call_tool("search_pdf_next_page", {"search_id": search_id(first)})
    assert "Page: 2/2" in result.content[0].text
    assert r"Pattern: \d+:?0 EUR" in result.content[0].text


async def test_the_info_of_a_search_says_where_it_stands(agent: Agent) -> None:
    first = await agent.says("search_pdf_content", pdf_file_path="report.pdf", pattern="^total: ", page_size=5)
    assert "Total matches: 12" in first
    second = await agent.says("search_pdf_next_page", search_id=search_id(first))
    text = await agent.says("search_pdf_info", search_id=search_id(second))
    assert "PDF Path: report.pdf\nPattern: ^total: \nTotal matches: 12\nCurrent page: 2/3\nResults per page: 5" in text


async def test_a_search_without_matches_and_a_size_out_of_range_are_said(agent: Agent) -> None:
    reply = await agent.says("search_pdf_content", pdf_file_path="report.pdf", pattern="zebra")
    assert reply == "No matches found for pattern: zebra"
    reply = await agent.says("search_pdf_content", pdf_file_path="report.pdf", pattern="total", page_size=500)
    assert reply.startswith("Warning: page_size 500 is out of range (1-50)")
    assert "Results per page: 50" in reply


@pytest.mark.parametrize(
    "bad", ["ab12cd34", "1:10", "0:10:report.pdf:x", "1:0:report.pdf:x", "1:10:..%2Fx.pdf:x", "1:1:gone.pdf:x"]
)
@pytest.mark.parametrize("tool", ["search_pdf_next_page", "search_pdf_prev_page", "search_pdf_info"])
async def test_an_id_that_is_none_is_an_error(agent: Agent, tool: str, bad: str) -> None:
    assert await agent.call_for_error(tool, search_id=bad)


async def test_a_page_of_results_that_is_not_there_is_an_error(agent: Agent) -> None:
    first = await agent.says("search_pdf_content", pdf_file_path="report.pdf", pattern="total")
    message = await agent.call_for_error("search_pdf_go_page", search_id=search_id(first), page_number=4)
    assert "pages 1 to 3" in message


async def test_errors_are_tool_errors(agent: Agent) -> None:
    assert "does not exist" in await agent.call_for_error("get_pdf_info", pdf_file_path="gone.pdf")
    assert "RE2 expression" in await agent.call_for_error("search_pdf_content", pdf_file_path="report.pdf", pattern="(")
    assert "outside" in await agent.call_for_error("merge_pdfs", pdf_paths=["report.pdf"], output_path="../all.pdf")
    (agent.files / "fake.pdf").write_text("no pdf")
    assert "not a PDF" in await agent.call_for_error("read_pdf_pages", pdf_file_path="fake.pdf")
    with pikepdf.open(agent.files / "report.pdf") as pdf:
        pdf.save(agent.files / "locked.pdf", encryption=pikepdf.Encryption(user="u", owner="o"))
    assert "password" in await agent.call_for_error("read_pdf_pages", pdf_file_path="locked.pdf")
