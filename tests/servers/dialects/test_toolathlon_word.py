"""The tools of Toolathlon's word server on the engine of documents, their effects read by python-docx."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Inches, Pt, RGBColor
from fastmcp import Client
from PIL import Image
from support.books import parts
from support.speaking import Agent

from toolyard.sandbox.registry import load_server
from toolyard.world import World, use_world

NAME = "report.docx"


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    world = World.create(tmp_path / "world", task="toolathlon", seed=1)
    with use_world(world):
        async with Client(load_server("documents", "toolathlon")) as client:
            yield Agent(client, world.files)


@pytest.fixture
def report(agent: Agent) -> Path:
    """A document by python-docx: a title, two sections of text, a table, a header; "budget" crosses formats."""
    made = docx.Document()
    made.core_properties.title = "The plan"
    made.core_properties.author = "Ann"
    made.add_heading("Costs", 1)
    paragraph = made.add_paragraph("The bud")
    paragraph.add_run("get is tight").bold = True
    made.add_paragraph("A second paragraph about costs.")
    made.add_heading("Risks", 1)
    made.add_paragraph("Rain.")
    made.add_paragraph("Snow and budget.")
    table = made.add_table(3, 3, style="Table Grid")
    for number, row in enumerate([["Item", "Count", "Price"], ["Tea", "2", "3.50"], ["Cake", "1", "4.00"]]):
        for cell, text in zip(table.rows[number].cells, row, strict=True):
            cell.text = text
    made.add_heading("End", 2)
    made.sections[0].header.paragraphs[0].text = "Draft of the budget"
    made.save(agent.files / NAME)
    return agent.files / NAME


def texts(path: Path) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(str(path)).paragraphs]


def table_of(path: Path) -> Any:
    return docx.Document(str(path)).tables[0]


async def on(agent: Agent, tool: str, **arguments: Any) -> str:
    """Call a tool on the report."""
    return await agent.says(tool, filename=NAME, **arguments)


async def refused(agent: Agent, tool: str, **arguments: Any) -> str:
    """Call a tool on the report, which must stay as it is."""
    before = (agent.files / NAME).read_bytes()
    said = await agent.fails(tool, **({"filename": NAME} | arguments))
    assert (agent.files / NAME).read_bytes() == before
    return said


async def test_a_document_is_made_with_properties(agent: Agent) -> None:
    said = await agent.says("create_document", filename="sub/new", title="Plan", author="Ann")
    assert said == "Document sub/new.docx created successfully"
    made = docx.Document(str(agent.files / "sub" / "new.docx"))
    assert (made.core_properties.title, made.core_properties.author) == ("Plan", "Ann")
    assert [paragraph.text for paragraph in made.paragraphs] == []
    assert "outside the workspace" in await agent.fails("create_document", filename="../x")


async def test_a_copy_is_the_same_file(agent: Agent, report: Path) -> None:
    assert await agent.says("copy_document", source_filename="report") == "Document copied to report_copy.docx"
    await agent.says("copy_document", source_filename=NAME, destination_filename="other/b.docx")
    for copy in ("report_copy.docx", "other/b.docx"):
        assert (agent.files / copy).read_bytes() == report.read_bytes()
    assert "itself" in await agent.fails("copy_document", source_filename=NAME, destination_filename=NAME)


async def test_information_counts_and_lays_out(agent: Agent, report: Path) -> None:
    told = await agent.tells("get_document_info", filename=NAME)
    assert {key: told[key] for key in ("title", "author", "page_count", "paragraph_count", "table_count")} == {
        "title": "The plan", "author": "Ann", "page_count": 1, "paragraph_count": 7, "table_count": 1,
    }  # fmt: skip
    assert told["word_count"] == sum(len(text.split()) for text in texts(report)) + 9


async def test_text_comes_in_reading_order_and_in_parts(agent: Agent, report: Path) -> None:
    said = await on(agent, "get_document_text")
    assert said.split("\n") == [*texts(report)[:6], "Item\tCount\tPrice", "Tea\t2\t3.50", "Cake\t1\t4.00", "End"]
    made = docx.Document()
    for number in range(3000):
        made.add_paragraph(f"{number} " + "x" * 40)
    made.save(agent.files / "long.docx")
    first = await agent.client.call_tool("get_document_text", {"filename": "long.docx"})
    offset = first.structured_content["next_offset"]
    rest = [first.structured_content["text"]]
    while offset is not None:
        more = await agent.client.call_tool("get_document_text", {"filename": "long.docx", "offset": offset})
        rest.append(more.structured_content["text"])
        offset = more.structured_content["next_offset"]
    assert "".join(rest) == "\n".join(texts(agent.files / "long.docx"))


async def test_the_outline_numbers_paragraphs_and_tables_as_python_docx_does(agent: Agent, report: Path) -> None:
    told = await agent.tells("get_document_outline", filename=NAME)
    held = docx.Document(str(report))
    expected = [
        {"index": number, "text": each.text, "style": each.style.name} for number, each in enumerate(held.paragraphs)
    ]
    assert told["paragraphs"] == expected
    (table,) = told["tables"]
    assert (table["index"], table["rows"], table["columns"]) == (0, 3, 3)
    assert table["preview"][1] == ["Tea", "2", "3.50"]
    assert (await agent.tells("get_document_outline", filename=NAME, offset=6))["paragraphs"] == expected[6:]


async def test_documents_of_a_folder_are_listed(agent: Agent, report: Path) -> None:
    (agent.files / "notes.txt").write_text("no document")
    size = report.stat().st_size / 1024
    assert await agent.says("list_available_documents") == f"Found 1 Word documents in .\n- {NAME} ({size:.2f} KB)"
    (agent.files / "empty").mkdir()
    assert await agent.says("list_available_documents", directory="empty") == "Found 0 Word documents in empty"
    assert "does not exist" in await agent.fails("list_available_documents", directory="nowhere")


async def test_the_xml_is_that_of_the_file(agent: Agent, report: Path) -> None:
    assert await on(agent, "get_document_xml") == parts(report)["word/document.xml"].decode()


async def test_a_pdf_is_made_beside_the_document_or_elsewhere(agent: Agent, report: Path) -> None:
    assert "report.pdf" in await on(agent, "convert_to_pdf")
    assert (agent.files / "report.pdf").read_bytes().startswith(b"%PDF-")
    await on(agent, "convert_to_pdf", output_filename="out/final")
    assert (agent.files / "out" / "final.pdf").read_bytes().startswith(b"%PDF-")


async def test_protection_needs_its_password_to_be_lifted(agent: Agent, report: Path) -> None:
    await on(agent, "protect_document", password="s3cret")
    node = docx.Document(str(report)).settings.element.find(qn("w:documentProtection"))
    assert (node.get(qn("w:edit")), node.get(qn("w:enforcement"))) == ("readOnly", "1")
    assert "password is wrong" in await refused(agent, "unprotect_document", password="other")
    assert "protected already" in await refused(agent, "protect_document", password="again")
    await on(agent, "unprotect_document", password="s3cret")
    assert docx.Document(str(report)).settings.element.find(qn("w:documentProtection")) is None


async def test_a_paragraph_comes_at_the_end_with_its_format(agent: Agent, report: Path) -> None:
    await on(
        agent, "add_paragraph", text="**Literal** stars", style="Quote", font_name="Arial", font_size=9, bold=True,
        italic=False, color="red",
    )  # fmt: skip
    last = docx.Document(str(report)).paragraphs[-1]
    font = last.runs[0].font
    assert (last.text, last.style.name) == ("**Literal** stars", "Quote")
    assert (font.name, font.size, font.bold, font.italic, font.color.rgb) == (
        "Arial", Pt(9), True, False, RGBColor(255, 0, 0),
    )  # fmt: skip
    assert "no paragraph style 'Nope'" in await refused(agent, "add_paragraph", text="x", style="Nope")
    assert "colour" in await refused(agent, "add_paragraph", text="x", color="reddish")


async def test_a_heading_has_its_level_and_a_line_below(agent: Agent, report: Path) -> None:
    await on(agent, "add_heading", text="More", level=3, border_bottom=True, font_size=20)
    last = docx.Document(str(report)).paragraphs[-1]
    assert (last.text, last.style.name, last.runs[0].font.size) == ("More", "Heading 3", Pt(20))
    assert last._p.pPr.find(qn("w:pBdr")).find(qn("w:bottom")).get(qn("w:val")) == "single"
    assert "level" in await refused(agent, "add_heading", text="x", level=10)


async def test_a_picture_has_the_width_that_is_asked_for(agent: Agent, report: Path) -> None:
    Image.new("RGB", (200, 100), "red").save(agent.files / "red.png")
    await on(agent, "add_picture", image_path="red.png", width=3)
    (shape,) = docx.Document(str(report)).inline_shapes
    assert shape._inline.docPr.get("descr") == "red"
    assert abs(shape.width - Inches(3)) < 20_000
    assert abs(shape.height - Inches(1.5)) < 20_000
    assert "does not exist" in await refused(agent, "add_picture", image_path="blue.png")
    assert await refused(agent, "add_picture", image_path=NAME)


async def test_a_table_has_the_cells_that_are_asked_for(agent: Agent, report: Path) -> None:
    await on(agent, "add_table", rows=3, cols=2, data=[["a", "b"], ["c"]])
    table = docx.Document(str(report)).tables[-1]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["a", "b"], ["c", ""], ["", ""]]
    assert table.style.name == "Table Grid"
    assert "3 rows" in await refused(agent, "add_table", rows=2, cols=1, data=[["a"], ["b"], ["c"]])
    assert "up to 2 texts" in await refused(agent, "add_table", rows=2, cols=1, data=[["a", "b"]])


async def test_a_page_break_is_one(agent: Agent, report: Path) -> None:
    await on(agent, "add_page_break")
    last = docx.Document(str(report)).paragraphs[-1]
    assert [each.get(qn("w:type")) for each in last._p.iter(qn("w:br"))] == ["page"]


@pytest.mark.parametrize("position", ["before", "after"])
async def test_a_header_comes_beside_a_text(agent: Agent, report: Path, position: str) -> None:
    await on(
        agent, "insert_header_near_text", target_text="second paragraph", header_title="New", position=position,
        header_style="Heading 2",
    )  # fmt: skip
    held = docx.Document(str(report)).paragraphs
    place = 2 if position == "before" else 3
    assert (held[place].text, held[place].style.name) == ("New", "Heading 2")
    assert len(held) == 8
    assert "no paragraph holds" in await refused(
        agent, "insert_header_near_text", target_text="nowhere", header_title="x"
    )
    assert "header_title is empty" in await refused(agent, "insert_header_near_text", target_text="Rain")
    assert "give target_text" in await refused(agent, "insert_header_near_text", header_title="x")


async def test_a_line_takes_the_style_of_its_neighbour(agent: Agent, report: Path) -> None:
    await on(agent, "insert_line_or_paragraph_near_text", target_paragraph_index=3, line_text="Twin")
    await on(
        agent, "insert_line_or_paragraph_near_text", target_text="Rain.", line_text="Quoted", position="before",
        line_style="Quote",
    )  # fmt: skip
    held = docx.Document(str(report)).paragraphs
    assert [(each.text, each.style.name) for each in held[3:7]] == [
        ("Risks", "Heading 1"), ("Twin", "Heading 1"), ("Quoted", "Quote"), ("Rain.", "Normal"),
    ]  # fmt: skip
    assert "no paragraph 99" in await refused(
        agent, "insert_line_or_paragraph_near_text", target_paragraph_index=99, line_text="x"
    )


@pytest.mark.parametrize(("kind", "form"), [("bullet", "bullet"), ("number", "decimal")])
async def test_a_list_is_a_real_list(agent: Agent, report: Path, kind: str, form: str) -> None:
    await on(
        agent, "insert_numbered_list_near_text", target_text="Rain.", list_items=["one", "two", "three"],
        bullet_type=kind,
    )  # fmt: skip
    held = docx.Document(str(report))
    items = held.paragraphs[5:8]
    assert [item.text for item in items] == ["one", "two", "three"]
    numbers = {item._p.pPr.numPr.numId.val for item in items}
    assert len(numbers) == 1
    numbering = held.part.numbering_part.element
    abstract = next(each for each in numbering.num_lst if each.numId in numbers).abstractNumId.val
    level = numbering.xpath(f'w:abstractNum[@w:abstractNumId="{abstract}"]/w:lvl[@w:ilvl="0"]/w:numFmt')[0]
    assert level.get(qn("w:val")) == form
    assert "list_items is empty" in await refused(agent, "insert_numbered_list_near_text", target_text="Rain.")


async def test_a_paragraph_is_deleted_by_its_number(agent: Agent, report: Path) -> None:
    before = texts(report)
    await on(agent, "delete_paragraph", paragraph_index=4)
    assert texts(report) == before[:4] + before[5:]
    assert "no paragraph 6: it has 6" in await refused(agent, "delete_paragraph", paragraph_index=6)


async def test_replacing_crosses_formats_and_reaches_the_header(agent: Agent, report: Path) -> None:
    said = await on(agent, "search_and_replace", find_text="budget", replace_text="*plan*")
    assert said == "Replaced 3 occurrence(s) of 'budget' with '*plan*'."
    held = docx.Document(str(report))
    assert [held.paragraphs[place].text for place in (1, 5)] == ["The *plan* is tight", "Snow and *plan*."]
    assert held.sections[0].header.paragraphs[0].text == "Draft of the *plan*"
    assert held.paragraphs[1].runs[-1].bold
    assert "no occurrences of 'Budget'" in await refused(
        agent, "search_and_replace", find_text="Budget", replace_text="x"
    )


async def test_a_style_is_made_and_used(agent: Agent, report: Path) -> None:
    said = await on(
        agent, "create_custom_style", style_name="Warning Box", bold=True, italic=True, font_size=14,
        font_name="Arial", color="C00000", base_style="Normal",
    )  # fmt: skip
    assert said == "Style 'Warning Box' created successfully."
    await on(agent, "add_paragraph", text="Beware", style="Warning Box")
    style = docx.Document(str(report)).paragraphs[-1].style
    assert (style.name, style.base_style.name) == ("Warning Box", "Normal")
    assert (style.font.bold, style.font.italic, style.font.size, style.font.name) == (True, True, Pt(14), "Arial")
    assert style.font.color.rgb == RGBColor(0xC0, 0, 0)
    assert "'Nope'" in await refused(agent, "create_custom_style", style_name="X", base_style="Nope")


async def test_a_range_of_text_is_formatted_and_no_more(agent: Agent, report: Path) -> None:
    await on(
        agent, "format_text", paragraph_index=2, start_pos=2, end_pos=8, bold=True, italic=True, underline=True,
        color="blue", font_size=18, font_name="Arial",
    )  # fmt: skip
    runs = docx.Document(str(report)).paragraphs[2].runs
    assert [run.text for run in runs] == ["A ", "second", " paragraph about costs."]
    font = runs[1].font
    assert (font.bold, font.italic, font.underline, font.size, font.name) == (True, True, True, Pt(18), "Arial")
    assert font.color.rgb == RGBColor(0, 0, 255)
    assert [run.bold for run in runs] == [None, True, None]
    await on(agent, "format_text", paragraph_index=2, start_pos=2, end_pos=8, bold=False)
    assert docx.Document(str(report)).paragraphs[2].runs[1].font.bold is False
    assert "which has 5" in await refused(agent, "format_text", paragraph_index=4, start_pos=3, end_pos=6, bold=True)


async def test_a_paragraph_is_read_by_its_number(agent: Agent, report: Path) -> None:
    told = await agent.tells("get_paragraph_text_from_document", filename=NAME, paragraph_index=3)
    assert told == {"index": 3, "text": "Risks", "style": "Heading 1", "is_heading": True}
    assert (await agent.tells("get_paragraph_text_from_document", filename=NAME, paragraph_index=4))["text"] == "Rain."
    assert "no paragraph 9" in await refused(agent, "get_paragraph_text_from_document", paragraph_index=9)


async def test_a_text_is_found_in_body_table_and_header(agent: Agent, report: Path) -> None:
    told = await agent.tells("find_text_in_document", filename=NAME, text_to_find="budget")
    assert told["total_count"] == 3
    assert [(each.get("paragraph_index"), each["position"]) for each in told["occurrences"][:2]] == [(1, 4), (5, 9)]
    assert told["occurrences"][2]["location"].startswith("header")
    told = await agent.tells("find_text_in_document", filename=NAME, text_to_find="cake", match_case=False)
    assert told["occurrences"] == [{"context": "Cake", "position": 0, "location": "Table 0, Row 2, Column 0"}]
    told = await agent.tells("find_text_in_document", filename=NAME, text_to_find="cost", whole_word=True)
    assert told["total_count"] == 0


async def test_the_block_below_a_header_is_replaced(agent: Agent, report: Path) -> None:
    said = await on(
        agent, "replace_paragraph_block_below_header", header_text="costs", new_paragraphs=["New one.", "New two."]
    )
    assert said == "Replaced 2 paragraph(s) below 'Costs' with 2 new paragraph(s)."
    assert texts(report) == ["Costs", "New one.", "New two.", "Risks", "Rain.", "Snow and budget.", "End"]
    await on(agent, "replace_paragraph_block_below_header", header_text="Risks", new_paragraphs=["None."])
    assert texts(report)[3:] == ["Risks", "None.", "End"]
    assert len(docx.Document(str(report)).tables) == 1
    assert "no paragraph of the body says 'Cos'; near it comes 'Costs'" in await refused(
        agent, "replace_paragraph_block_below_header", header_text="Cos", new_paragraphs=["x"]
    )


async def test_the_end_of_a_block_can_be_named(agent: Agent, report: Path) -> None:
    await on(
        agent, "replace_paragraph_block_below_header", header_text="Risks", new_paragraphs=["Hail."],
        detect_block_end_fn="Snow and budget.",
    )  # fmt: skip
    assert texts(report)[3:6] == ["Risks", "Hail.", "Snow and budget."]


async def test_all_between_two_anchors_is_replaced(agent: Agent, report: Path) -> None:
    await on(
        agent, "replace_block_between_manual_anchors", start_anchor_text="Rain.", end_anchor_text="End",
        new_paragraphs=["Sun."], new_paragraph_style="Quote",
    )  # fmt: skip
    held = docx.Document(str(report))
    assert texts(report)[3:] == ["Risks", "Rain.", "Sun.", "End"]
    assert held.paragraphs[5].style.name == "Quote"
    assert held.tables == []
    await on(
        agent, "replace_block_between_manual_anchors", start_anchor_text="risk", new_paragraphs=["Gone."],
        match_fn="starts_with",
    )  # fmt: skip
    assert texts(report)[3:] == ["Risks", "Gone.", "End"]
    assert "no paragraph below 'Risks' says 'Costs'" in await refused(
        agent, "replace_block_between_manual_anchors", start_anchor_text="Risks", end_anchor_text="Costs",
        new_paragraphs=["x"],
    )  # fmt: skip


async def test_comments_are_listed_by_author_and_by_paragraph(agent: Agent, report: Path) -> None:
    held = docx.Document(str(report))
    held.add_comment(held.paragraphs[4].runs, text="Really?", author="Ann", initials="A")
    held.add_comment(held.paragraphs[1].runs, text="How much?", author="Bob", initials="B")
    held.add_comment(held.tables[0].cell(1, 0).paragraphs[0].runs, text="Green?", author="Ann", initials="A")
    held.save(report)
    told = await agent.tells("get_all_comments", filename=NAME)
    assert (told["success"], told["total_comments"]) == (True, 3)
    shown = [tuple(each[key] for key in ("author", "text", "reference_text")) for each in told["comments"]]
    assert shown == [("Ann", "Really?", "Rain."), ("Bob", "How much?", "The budget is tight"), ("Ann", "Green?", "Tea")]
    assert [each["paragraph_index"] for each in told["comments"]] == [4, 1, None]
    told = await agent.tells("get_comments_by_author", filename=NAME, author="ann")
    assert [each["text"] for each in told["comments"]] == ["Really?", "Green?"]
    told = await agent.tells("get_comments_for_paragraph", filename=NAME, paragraph_index=1)
    assert [each["text"] for each in told["comments"]] == ["How much?"]
    assert told["paragraph_text"] == "The budget is tight"
    assert "no paragraph 50" in await refused(agent, "get_comments_for_paragraph", paragraph_index=50)


def cell_property(path: Path, row: int, column: int, name: str) -> Any:
    return table_of(path).cell(row, column)._tc.tcPr.find(qn(name))


def fills(path: Path) -> list[list[str]]:
    return [[cell._tc.tcPr.find(qn("w:shd")).get(qn("w:fill")) for cell in row.cells] for row in table_of(path).rows]


@pytest.mark.parametrize("line", ["single", "double", "thick", "dotted", "dashed"])
async def test_a_table_gets_borders_header_and_shading(agent: Agent, report: Path, line: str) -> None:
    shading = [["FF0000", None, "red"], ["00FF00", "00FF00", "00FF00"], ["FFFFFF", "FFFFFF", "FFFFFF"]]
    await on(agent, "format_table", table_index=0, has_header_row=True, border_style=line, shading=shading)
    table = table_of(report)
    borders = cell_property(report, 1, 1, "w:tcBorders")
    assert [(each.tag, each.get(qn("w:val"))) for each in borders] == [
        (qn(f"w:{side}"), line) for side in ("top", "left", "bottom", "right")
    ]
    assert table.cell(0, 0).paragraphs[0].runs[0].bold
    assert not table.cell(1, 0).paragraphs[0].runs[0].bold
    assert table.rows[0]._tr.trPr.find(qn("w:tblHeader")) is not None
    assert cell_property(report, 0, 2, "w:shd").get(qn("w:fill")) == "FF0000"
    assert cell_property(report, 0, 1, "w:shd") is None


async def test_a_table_takes_a_colour_for_each_row_and_loses_its_lines(agent: Agent, report: Path) -> None:
    await on(agent, "format_table", table_index=0, border_style="none", shading=["111111", "222222", "333333"])
    assert fills(report) == [["111111"] * 3, ["222222"] * 3, ["333333"] * 3]
    assert cell_property(report, 0, 0, "w:tcBorders").find(qn("w:top")).get(qn("w:val")) == "nil"
    assert "no cell A4" in await refused(agent, "format_table", table_index=0, shading=["111111"] * 4)
    assert "no table 1: it has 1" in await refused(agent, "format_table", table_index=1)


async def test_a_cell_is_shaded_with_a_pattern(agent: Agent, report: Path) -> None:
    await on(
        agent, "set_table_cell_shading", table_index=0, row_index=1, col_index=2, fill_color="#ffff00", pattern="pct20"
    )
    shade = cell_property(report, 1, 2, "w:shd")
    assert (shade.get(qn("w:fill")), shade.get(qn("w:val"))) == ("FFFF00", "pct20")
    assert cell_property(report, 1, 1, "w:shd") is None
    assert "no cell D2" in await refused(
        agent, "set_table_cell_shading", table_index=0, row_index=1, col_index=3, fill_color="red"
    )


async def test_rows_alternate_and_the_header_stands_out(agent: Agent, report: Path) -> None:
    await on(agent, "apply_table_alternating_rows", table_index=0, color2="DDDDDD")
    assert fills(report) == [["FFFFFF"] * 3, ["DDDDDD"] * 3, ["FFFFFF"] * 3]
    await on(agent, "highlight_table_header", table_index=0)
    assert fills(report)[0] == ["4472C4"] * 3
    font = table_of(report).cell(0, 1).paragraphs[0].runs[0].font
    assert (font.bold, font.color.rgb) == (True, RGBColor(255, 255, 255))
    assert fills(report)[1] == ["DDDDDD"] * 3


async def test_cells_are_merged_in_both_directions(agent: Agent, report: Path) -> None:
    await on(agent, "merge_table_cells_horizontal", table_index=0, row_index=0, start_col=1, end_col=2)
    await on(agent, "merge_table_cells_vertical", table_index=0, col_index=0, start_row=1, end_row=2)
    table = table_of(report)
    assert table.cell(0, 1)._tc is table.cell(0, 2)._tc
    assert table.cell(0, 1).text == "Count\nPrice"
    assert table.cell(1, 0)._tc is table.cell(2, 0)._tc
    assert table.cell(1, 0).text == "Tea\nCake"
    await on(agent, "merge_table_cells", table_index=0, start_row=1, start_col=1, end_row=2, end_col=2)
    table = table_of(report)
    assert table.cell(1, 1)._tc is table.cell(2, 2)._tc
    assert table.cell(2, 2).text == "2\n3.50\n1\n4.00"
    assert "one cell" in await refused(
        agent, "merge_table_cells", table_index=0, start_row=0, start_col=0, end_row=0, end_col=0
    )
    assert "upper left" in await refused(
        agent, "merge_table_cells_vertical", table_index=0, col_index=0, start_row=2, end_row=1
    )


async def test_cells_are_aligned_one_or_all(agent: Agent, report: Path) -> None:
    await on(agent, "set_table_alignment_all", table_index=0, horizontal="right", vertical="bottom")
    await on(
        agent, "set_table_cell_alignment", table_index=0, row_index=1, col_index=1, horizontal="center",
        vertical="center",
    )  # fmt: skip
    table = table_of(report)
    found = {cell.paragraphs[0].alignment for row in table.rows for cell in row.cells}
    assert found == {WD_ALIGN_PARAGRAPH.RIGHT, WD_ALIGN_PARAGRAPH.CENTER}
    assert table.cell(1, 1).paragraphs[0].alignment == WD_ALIGN_PARAGRAPH.CENTER
    assert cell_property(report, 1, 1, "w:vAlign").get(qn("w:val")) == "center"
    assert cell_property(report, 2, 2, "w:vAlign").get(qn("w:val")) == "bottom"
    assert "horizontal" in await refused(agent, "set_table_alignment_all", table_index=0, horizontal="middle")


async def test_the_text_of_a_cell_is_set_and_formatted(agent: Agent, report: Path) -> None:
    await on(
        agent, "format_table_cell_text", table_index=0, row_index=2, col_index=1, text_content="**7**\nof 9",
        bold=True, italic=True, underline=True, color="green", font_size=15, font_name="Arial",
    )  # fmt: skip
    cell = table_of(report).cell(2, 1)
    assert cell.text == "**7**\nof 9"
    font = cell.paragraphs[0].runs[0].font
    assert (font.bold, font.italic, font.underline, font.size, font.name) == (True, True, True, Pt(15), "Arial")
    assert font.color.rgb == RGBColor(0, 0x80, 0)
    await on(agent, "format_table_cell_text", table_index=0, row_index=1, col_index=0, bold=True)
    assert (table_of(report).cell(1, 0).text, table_of(report).cell(1, 0).paragraphs[0].runs[0].bold) == ("Tea", True)


async def test_the_padding_of_a_cell_is_set_side_by_side(agent: Agent, report: Path) -> None:
    await on(agent, "set_table_cell_padding", table_index=0, row_index=0, col_index=0, top=6, left=12)
    await on(agent, "set_table_cell_padding", table_index=0, row_index=0, col_index=0, right=0.5, unit="inches")
    margins = cell_property(report, 0, 0, "w:tcMar")
    found = {each.tag: (int(each.get(qn("w:w"))), each.get(qn("w:type"))) for each in margins}
    assert found == {qn("w:top"): (120, "dxa"), qn("w:left"): (240, "dxa"), qn("w:right"): (720, "dxa")}
    assert [each.tag for each in margins] == [qn("w:top"), qn("w:left"), qn("w:right")]
    assert "no side is given" in await refused(agent, "set_table_cell_padding", table_index=0, row_index=0, col_index=0)


def widths(path: Path) -> list[int]:
    """The widths of the columns of the table in twips, which grid and cells agree on."""
    table = table_of(path)
    grid = [int(each.get(qn("w:w"))) for each in table._tbl.tblGrid]
    for row in table.rows:
        assert [int(cell._tc.tcPr.find(qn("w:tcW")).get(qn("w:w"))) for cell in row.cells] == grid
    return grid


async def test_one_column_gets_a_width_and_the_others_keep_theirs(agent: Agent, report: Path) -> None:
    before = widths(report)
    await on(agent, "set_table_column_width", table_index=0, col_index=1, width=100)
    assert widths(report) == [before[0], 2000, before[2]]
    await on(agent, "set_table_column_width", table_index=0, col_index=0, width=2.54, width_type="cm")
    assert widths(report) == [1440, 2000, before[2]]
    await on(agent, "set_table_column_width", table_index=0, col_index=2, width=50, width_type="percent")
    assert widths(report)[2] == 8640 // 2
    assert "no column 3" in await refused(agent, "set_table_column_width", table_index=0, col_index=3, width=10)
    assert "not possible" in await refused(agent, "set_table_column_width", table_index=0, col_index=1, width=0)


async def test_columns_and_the_table_get_widths(agent: Agent, report: Path) -> None:
    await on(agent, "set_table_column_widths", table_index=0, widths=[1, 2], width_type="inches")
    assert widths(report)[:2] == [1440, 2880]
    await on(agent, "set_table_column_widths", table_index=0, widths=[1, 2, 1], width_type="inches")
    await on(agent, "set_table_width", table_index=0, width=144)
    assert widths(report) == [720, 1440, 720]
    size = table_of(report)._tbl.tblPr.find(qn("w:tblW"))
    assert (size.get(qn("w:w")), size.get(qn("w:type"))) == ("2880", "dxa")
    await on(agent, "set_table_width", table_index=0, width=100, width_type="percent")
    size = table_of(report)._tbl.tblPr.find(qn("w:tblW"))
    assert (size.get(qn("w:w")), size.get(qn("w:type"))) == ("5000", "pct")
    assert sum(widths(report)) == pytest.approx(8640, abs=3)
    assert "no column 3" in await refused(agent, "set_table_column_widths", table_index=0, widths=[1, 1, 1, 1])


async def test_columns_fit_their_content(agent: Agent, report: Path) -> None:
    await on(agent, "set_table_column_widths", table_index=0, widths=[100, 100, 100])
    await on(agent, "auto_fit_table_columns", table_index=0)
    table = table_of(report)
    assert table.autofit
    kinds = {cell._tc.tcPr.find(qn("w:tcW")).get(qn("w:type")) for row in table.rows for cell in row.cells}
    assert kinds == {"auto"}
    await on(agent, "set_table_column_width", table_index=0, col_index=0, width=3, width_type="cm")
    await on(agent, "set_table_column_width", table_index=0, col_index=1, width=0, width_type="auto")
    await on(agent, "set_table_width", table_index=0, width=0, width_type="auto")
    assert cell_property(report, 1, 1, "w:tcW").get(qn("w:type")) == "auto"
    assert cell_property(report, 1, 0, "w:tcW").get(qn("w:w")) == "1701"


W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def pdf_text(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as pdf:
        return "".join(pdf[0].get_textpage().get_text_range().split())


def notes_of(path: Path, kind: str = "footnote") -> dict[str, str]:
    """What the notes of a kind say by id, from the part itself."""
    from lxml import etree

    held = parts(path).get(f"word/{kind}s.xml")
    root = [] if held is None else etree.fromstring(held)
    return {
        node.get(f"{W}id"): "".join(node.itertext()).strip()
        for node in root
        if node.get(f"{W}type") in (None, "normal")
    }


def marked(path: Path, kind: str = "footnote") -> str:
    """The text of the body with the ids of the marks in it, as ``budget[1]``."""
    body = docx.Document(str(path)).element.body
    nodes = body.iter(f"{W}t", f"{W}{kind}Reference")
    found = [node.text if node.tag == f"{W}t" else f"[{node.get(f'{W}id')}]" for node in nodes]
    return "".join(found)


async def test_a_footnote_is_one_with_mark_style_and_separators(agent: Agent, report: Path) -> None:
    said = await on(agent, "add_footnote_to_document", paragraph_index=4, footnote_text="As always.")
    assert said == "Footnote added to report.docx behind 'Rain.' (id 1)."
    assert notes_of(report) == {"1": "As always."}
    assert "Rain.[1]Snow" in marked(report)
    held = parts(report)
    assert b'w:type="separator"' in held["word/footnotes.xml"]
    assert b"footnotes+xml" in held["[Content_Types].xml"]
    mark = next(docx.Document(str(report)).element.body.iter(f"{W}footnoteReference"))
    style = mark.getparent().find(f"{W}rPr").find(f"{W}rStyle").get(f"{W}val")
    look = next(each for each in docx.Document(str(report)).styles.element if each.get(f"{W}styleId") == style)
    assert look.find(f"{W}rPr").find(f"{W}vertAlign").get(f"{W}val") == "superscript"
    assert "no paragraph 70" in await refused(agent, "add_footnote_to_document", paragraph_index=70, footnote_text="x")


async def test_footnotes_come_behind_and_before_a_text(agent: Agent, report: Path) -> None:
    await on(agent, "add_footnote_after_text", search_text="budget", footnote_text="In euros.")
    await on(agent, "add_footnote_before_text", search_text="budget is", footnote_text="Of 2026.")
    await on(agent, "add_footnote_before_text", search_text="Rain", footnote_text="First.")
    assert "The [2]budget[1] is tight" in marked(report)
    assert "Risks[3]Rain." in marked(report)
    assert notes_of(report) == {"1": "In euros.", "2": "Of 2026.", "3": "First."}
    runs = docx.Document(str(report)).paragraphs[1].runs
    assert [run.text for run in runs if run.bold] == ["get", " is tight"]
    assert "no paragraph holds" in await refused(
        agent, "add_footnote_after_text", search_text="nowhere", footnote_text="x"
    )


async def test_the_result_goes_to_another_file_if_one_is_named(agent: Agent, report: Path) -> None:
    before = report.read_bytes()
    await on(agent, "add_footnote_enhanced", paragraph_index=4, footnote_text="A.", output_filename="a")
    await on(agent, "add_footnote_after_text", search_text="Snow", footnote_text="B.", output_filename="b.docx")
    assert report.read_bytes() == before
    assert [notes_of(agent.files / name) for name in ("a.docx", "b.docx")] == [{"1": "A."}, {"1": "B."}]
    await agent.says("delete_footnote_from_document", filename="b.docx", footnote_id=1, output_filename="c.docx")
    assert (notes_of(agent.files / "b.docx"), notes_of(agent.files / "c.docx")) == ({"1": "B."}, {})


async def test_an_endnote_is_one(agent: Agent, report: Path) -> None:
    await on(agent, "add_endnote_to_document", paragraph_index=4, endnote_text="At the end.")
    assert notes_of(report, "endnote") == {"1": "At the end."}
    assert "Rain.[1]" in marked(report, "endnote")


async def test_robust_footnotes_need_one_place(agent: Agent, report: Path) -> None:
    await on(agent, "add_footnote_robust", search_text="Snow", footnote_text="Cold.")
    await on(agent, "add_footnote_robust", paragraph_index=4, footnote_text="Wet.")
    assert "Rain.[2]Snow[1] and" in marked(report)
    assert "one of them" in await refused(agent, "add_footnote_robust", footnote_text="x")
    assert "the note is empty" in await refused(agent, "add_footnote_robust", paragraph_index=1)


async def test_footnotes_are_numbered_and_look_as_asked(agent: Agent, report: Path) -> None:
    await on(agent, "add_footnote_to_document", paragraph_index=4, footnote_text="As always.")
    await on(
        agent, "customize_footnote_style", numbering_format="i, ii, iii", start_number=4, font_name="Arial", font_size=8
    )
    held = docx.Document(str(report))
    own = held.sections[0]._sectPr.find(qn("w:footnotePr"))
    assert [(each.tag, each.get(qn("w:val"))) for each in own] == [
        (qn("w:numFmt"), "lowerRoman"), (qn("w:numStart"), "4"),
    ]  # fmt: skip
    properties = held.settings.element.find(qn("w:footnotePr"))
    assert [each.tag for each in properties][:2] == [qn("w:numFmt"), qn("w:numStart")]
    assert [each.get(qn("w:val")) for each in properties][:2] == ["lowerRoman", "4"]
    style = next(each for each in held.styles if each.name.lower() == "footnote text")
    assert (style.font.name, style.font.size) == ("Arial", Pt(8))
    await on(agent, "customize_footnote_style")
    properties = docx.Document(str(report)).settings.element.find(qn("w:footnotePr"))
    assert [each.get(qn("w:val")) for each in properties][:2] == ["decimal", "1"]
    await on(agent, "convert_to_pdf", output_filename="before.pdf")
    assert "Rain.1" in pdf_text(agent.files / "before.pdf")
    await on(agent, "customize_footnote_style", numbering_format="I, II, III", start_number=7)
    await on(agent, "convert_to_pdf", output_filename="after.pdf")
    assert "Rain.VII" in pdf_text(agent.files / "after.pdf")
    assert "numbering_format" in await refused(agent, "customize_footnote_style", numbering_format="one, two")


@pytest.mark.parametrize("tool", ["delete_footnote_from_document", "delete_footnote_robust"])
async def test_a_footnote_goes_with_its_mark(agent: Agent, report: Path, tool: str) -> None:
    for text in ("budget", "Rain.", "Snow"):
        await on(agent, "add_footnote_after_text", search_text=text, footnote_text=f"On {text}")
    assert "id 2" in await on(agent, tool, footnote_id=2)
    assert notes_of(report) == {"1": "On budget", "3": "On Snow"}
    assert "[2]" not in marked(report)
    await on(agent, tool, search_text="Snow and")
    assert notes_of(report) == {"1": "On budget"}
    assert "has no footnote" in await refused(agent, tool, search_text="Rain")
    assert "'footnote-9'; the document has: footnote-1" in " ".join(
        (await refused(agent, tool, footnote_id=9)).replace("id ", "").split()
    )
    assert "give footnote_id" in await refused(agent, tool)


def break_notes(path: Path) -> None:
    """Take the mark of note 1 out of the body, and add a mark of a note that is not there."""
    held = docx.Document(str(path))
    mark = next(each for each in held.element.body.iter(f"{W}footnoteReference"))
    mark.set(f"{W}id", "77")
    held.save(path)


async def test_broken_notes_are_found_and_mended(agent: Agent, report: Path) -> None:
    await on(agent, "add_footnote_after_text", search_text="Rain.", footnote_text="Wet.")
    told = await agent.tells("validate_document_footnotes", filename=NAME)
    assert (told["valid"], told["total_references"], told["total_footnotes"]) == (True, 1, 1)
    assert told["footnotes"] == [{"id": 1, "number": 1, "text": "Wet.", "after": "Rain."}]
    break_notes(report)
    told = await agent.tells("validate_document_footnotes", filename=NAME)
    assert told["valid"] is False
    assert (told["checks"][0]["missing"], told["checks"][0]["orphans"]) == (["77"], ["1"])
    said = await on(agent, "add_footnote_robust", search_text="Snow", footnote_text="Cold.", auto_repair=True)
    assert "took out the mark of the missing footnote 77" in said
    assert re.findall(r"\[\d+\]", marked(report)) == ["[1]"]
    assert notes_of(report) == {"1": "Cold."}
    assert (await agent.tells("validate_document_footnotes", filename=NAME))["valid"] is True


async def test_orphans_go_with_a_deleted_note_unless_they_are_to_stay(agent: Agent, report: Path) -> None:
    for text in ("Rain.", "Snow", "budget"):
        await on(agent, "add_footnote_after_text", search_text=text, footnote_text=text)
    break_notes(report)  # the first mark in the text, that of note 3
    await on(agent, "delete_footnote_robust", footnote_id=1, clean_orphans=False)
    assert notes_of(report) == {"2": "Snow", "3": "budget"}
    await on(agent, "delete_footnote_robust", footnote_id=2)
    assert notes_of(report) == {}


async def test_what_a_call_does_not_name_stays_byte_for_byte(agent: Agent, report: Path) -> None:
    before = parts(report)
    await on(agent, "format_text", paragraph_index=2, start_pos=0, end_pos=1, bold=True)
    await on(agent, "set_table_cell_shading", table_index=0, row_index=0, col_index=0, fill_color="red")
    after = parts(report)
    assert {name for name in after if after[name] != before.get(name)} == {"word/document.xml"}
    assert set(after) == set(before)


@pytest.mark.parametrize("tool", ["get_document_text", "delete_paragraph", "add_page_break", "convert_to_pdf"])
async def test_files_that_are_no_documents_are_told_as_errors(agent: Agent, tool: str) -> None:
    needed = {"paragraph_index": 0} if tool == "delete_paragraph" else {}
    (agent.files / "a.docx").write_bytes(b"PK\x03\x04 broken")
    (agent.files / "b.docx").write_text("no document")
    (agent.files / "c.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    for name in ("a.docx", "b.docx", "missing.docx") if tool == "convert_to_pdf" else ("a.docx", "b.docx", "c.doc"):
        assert await agent.fails(tool, filename=name, **needed)
    assert not list(agent.files.glob("*.pdf"))


@pytest.mark.parametrize("name", ["missing", "missing.docx", "sub/missing"])
async def test_a_missing_document_is_named_as_it_was_asked_for(agent: Agent, name: str) -> None:
    said = await agent.fails("get_document_text", filename=name)
    assert f"{name.removesuffix('.docx')}.docx' does not exist" in said
