"""The tools of Toolathlon's word server on paragraphs, pictures and comments, their effects read by python-docx."""

from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn
from docx.shared import Inches, Pt, RGBColor
from PIL import Image
from support.speaking import Agent
from support.wordreport import NAME, call_on_report, list_texts, refuse_call


async def test_a_paragraph_comes_at_the_end_with_its_format(agent: Agent, report: Path) -> None:
    await call_on_report(
        agent, "add_paragraph", text="**Literal** stars", style="Quote", font_name="Arial", font_size=9, bold=True,
        italic=False, color="red",
    )  # fmt: skip
    last = docx.Document(str(report)).paragraphs[-1]
    font = last.runs[0].font
    assert (last.text, last.style.name) == ("**Literal** stars", "Quote")
    assert (font.name, font.size, font.bold, font.italic, font.color.rgb) == (
        "Arial", Pt(9), True, False, RGBColor(255, 0, 0),
    )  # fmt: skip
    assert "no paragraph style 'Nope'" in await refuse_call(agent, "add_paragraph", text="x", style="Nope")
    assert "colour" in await refuse_call(agent, "add_paragraph", text="x", color="reddish")


async def test_a_heading_has_its_level_and_a_line_below(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_heading", text="More", level=3, border_bottom=True, font_size=20)
    last = docx.Document(str(report)).paragraphs[-1]
    assert (last.text, last.style.name, last.runs[0].font.size) == ("More", "Heading 3", Pt(20))
    assert last._p.pPr.find(qn("w:pBdr")).find(qn("w:bottom")).get(qn("w:val")) == "single"
    assert "level" in await refuse_call(agent, "add_heading", text="x", level=10)


async def test_a_picture_has_the_width_that_is_asked_for(agent: Agent, report: Path) -> None:
    Image.new("RGB", (200, 100), "red").save(agent.files / "red.png")
    await call_on_report(agent, "add_picture", image_path="red.png", width=3)
    (shape,) = docx.Document(str(report)).inline_shapes
    assert shape._inline.docPr.get("descr") == "red"
    assert abs(shape.width - Inches(3)) < 20_000
    assert abs(shape.height - Inches(1.5)) < 20_000
    assert "does not exist" in await refuse_call(agent, "add_picture", image_path="blue.png")
    assert await refuse_call(agent, "add_picture", image_path=NAME)


async def test_a_table_has_the_cells_that_are_asked_for(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_table", rows=3, cols=2, data=[["a", "b"], ["c"]])
    table = docx.Document(str(report)).tables[-1]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["a", "b"], ["c", ""], ["", ""]]
    assert table.style.name == "Table Grid"
    assert "3 rows" in await refuse_call(agent, "add_table", rows=2, cols=1, data=[["a"], ["b"], ["c"]])
    assert "up to 2 texts" in await refuse_call(agent, "add_table", rows=2, cols=1, data=[["a", "b"]])


async def test_a_page_break_is_one(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_page_break")
    last = docx.Document(str(report)).paragraphs[-1]
    assert [line_break.get(qn("w:type")) for line_break in last._p.iter(qn("w:br"))] == ["page"]


@pytest.mark.parametrize("position", ["before", "after"])
async def test_a_header_comes_beside_a_text(agent: Agent, report: Path, position: str) -> None:
    await call_on_report(
        agent, "insert_header_near_text", target_text="second paragraph", header_title="New", position=position,
        header_style="Heading 2",
    )  # fmt: skip
    paragraphs = docx.Document(str(report)).paragraphs
    place = 2 if position == "before" else 3
    assert (paragraphs[place].text, paragraphs[place].style.name) == ("New", "Heading 2")
    assert len(paragraphs) == 8
    assert "no paragraph holds" in await refuse_call(
        agent, "insert_header_near_text", target_text="nowhere", header_title="x"
    )
    assert "header_title is empty" in await refuse_call(agent, "insert_header_near_text", target_text="Rain")
    assert "give target_text" in await refuse_call(agent, "insert_header_near_text", header_title="x")


async def test_a_line_takes_the_style_of_its_neighbour(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "insert_line_or_paragraph_near_text", target_paragraph_index=3, line_text="Twin")
    await call_on_report(
        agent, "insert_line_or_paragraph_near_text", target_text="Rain.", line_text="Quoted", position="before",
        line_style="Quote",
    )  # fmt: skip
    paragraphs = docx.Document(str(report)).paragraphs
    assert [(paragraph.text, paragraph.style.name) for paragraph in paragraphs[3:7]] == [
        ("Risks", "Heading 1"), ("Twin", "Heading 1"), ("Quoted", "Quote"), ("Rain.", "Normal"),
    ]  # fmt: skip
    assert "no paragraph 99" in await refuse_call(
        agent, "insert_line_or_paragraph_near_text", target_paragraph_index=99, line_text="x"
    )


@pytest.mark.parametrize(("kind", "form"), [("bullet", "bullet"), ("number", "decimal")])
async def test_a_list_is_a_real_list(agent: Agent, report: Path, kind: str, form: str) -> None:
    await call_on_report(
        agent, "insert_numbered_list_near_text", target_text="Rain.", list_items=["one", "two", "three"],
        bullet_type=kind,
    )  # fmt: skip
    document = docx.Document(str(report))
    items = document.paragraphs[5:8]
    assert [item.text for item in items] == ["one", "two", "three"]
    numbers = {item._p.pPr.numPr.numId.val for item in items}
    assert len(numbers) == 1
    numbering = document.part.numbering_part.element
    abstract = next(entry for entry in numbering.num_lst if entry.numId in numbers).abstractNumId.val
    level = numbering.xpath(f'w:abstractNum[@w:abstractNumId="{abstract}"]/w:lvl[@w:ilvl="0"]/w:numFmt')[0]
    assert level.get(qn("w:val")) == form
    assert "list_items is empty" in await refuse_call(agent, "insert_numbered_list_near_text", target_text="Rain.")


async def test_a_paragraph_is_deleted_by_its_number(agent: Agent, report: Path) -> None:
    before = list_texts(report)
    await call_on_report(agent, "delete_paragraph", paragraph_index=4)
    assert list_texts(report) == before[:4] + before[5:]
    assert "no paragraph 6: it has 6" in await refuse_call(agent, "delete_paragraph", paragraph_index=6)


async def test_replacing_crosses_formats_and_reaches_the_header(agent: Agent, report: Path) -> None:
    reply = await call_on_report(agent, "search_and_replace", find_text="budget", replace_text="*plan*")
    assert reply == "Replaced 3 occurrences of 'budget' with '*plan*'."
    document = docx.Document(str(report))
    assert [document.paragraphs[place].text for place in (1, 5)] == ["The *plan* is tight", "Snow and *plan*."]
    assert document.sections[0].header.paragraphs[0].text == "Draft of the *plan*"
    assert document.paragraphs[1].runs[-1].bold
    assert "no occurrences of 'Budget'" in await refuse_call(
        agent, "search_and_replace", find_text="Budget", replace_text="x"
    )


async def test_a_style_is_made_and_used(agent: Agent, report: Path) -> None:
    reply = await call_on_report(
        agent, "create_custom_style", style_name="Warning Box", bold=True, italic=True, font_size=14,
        font_name="Arial", color="C00000", base_style="Normal",
    )  # fmt: skip
    assert reply == "Style 'Warning Box' created successfully."
    await call_on_report(agent, "add_paragraph", text="Beware", style="Warning Box")
    style = docx.Document(str(report)).paragraphs[-1].style
    assert (style.name, style.base_style.name) == ("Warning Box", "Normal")
    assert (style.font.bold, style.font.italic, style.font.size, style.font.name) == (True, True, Pt(14), "Arial")
    assert style.font.color.rgb == RGBColor(0xC0, 0, 0)
    assert "'Nope'" in await refuse_call(agent, "create_custom_style", style_name="X", base_style="Nope")


async def test_a_range_of_text_is_formatted_and_no_more(agent: Agent, report: Path) -> None:
    await call_on_report(
        agent, "format_text", paragraph_index=2, start_pos=2, end_pos=8, bold=True, italic=True, underline=True,
        color="blue", font_size=18, font_name="Arial",
    )  # fmt: skip
    runs = docx.Document(str(report)).paragraphs[2].runs
    assert [run.text for run in runs] == ["A ", "second", " paragraph about costs."]
    font = runs[1].font
    assert (font.bold, font.italic, font.underline, font.size, font.name) == (True, True, True, Pt(18), "Arial")
    assert font.color.rgb == RGBColor(0, 0, 255)
    assert [run.bold for run in runs] == [None, True, None]
    await call_on_report(agent, "format_text", paragraph_index=2, start_pos=2, end_pos=8, bold=False)
    assert docx.Document(str(report)).paragraphs[2].runs[1].font.bold is False
    assert "which has 5" in await refuse_call(
        agent, "format_text", paragraph_index=4, start_pos=3, end_pos=6, bold=True
    )


async def test_a_paragraph_is_read_by_its_number(agent: Agent, report: Path) -> None:
    paragraph = await agent.call_for_json("get_paragraph_text_from_document", filename=NAME, paragraph_index=3)
    assert paragraph == {"index": 3, "text": "Risks", "style": "Heading 1", "is_heading": True}
    assert (await agent.call_for_json("get_paragraph_text_from_document", filename=NAME, paragraph_index=4))[
        "text"
    ] == "Rain."
    assert "no paragraph 9" in await refuse_call(agent, "get_paragraph_text_from_document", paragraph_index=9)


async def test_a_text_is_found_in_body_table_and_header(agent: Agent, report: Path) -> None:
    matches = await agent.call_for_json("find_text_in_document", filename=NAME, text_to_find="budget")
    assert matches["total_count"] == 3
    assert [
        (occurrence.get("paragraph_index"), occurrence["position"]) for occurrence in matches["occurrences"][:2]
    ] == [
        (1, 4),
        (5, 9),
    ]
    assert matches["occurrences"][2]["location"].startswith("header")
    matches = await agent.call_for_json("find_text_in_document", filename=NAME, text_to_find="cake", match_case=False)
    assert matches["occurrences"] == [{"context": "Cake", "position": 0, "location": "Table 0, Row 2, Column 0"}]
    matches = await agent.call_for_json("find_text_in_document", filename=NAME, text_to_find="cost", whole_word=True)
    assert matches["total_count"] == 0


async def test_the_block_below_a_header_is_replaced(agent: Agent, report: Path) -> None:
    reply = await call_on_report(
        agent, "replace_paragraph_block_below_header", header_text="costs", new_paragraphs=["New one.", "New two."]
    )
    assert reply == "Replaced 2 paragraphs below 'Costs' with 2 new paragraphs."
    assert list_texts(report) == ["Costs", "New one.", "New two.", "Risks", "Rain.", "Snow and budget.", "End"]
    await call_on_report(agent, "replace_paragraph_block_below_header", header_text="Risks", new_paragraphs=["None."])
    assert list_texts(report)[3:] == ["Risks", "None.", "End"]
    assert len(docx.Document(str(report)).tables) == 1
    assert "no paragraph of the body says 'Cos'; near it comes 'Costs'" in await refuse_call(
        agent, "replace_paragraph_block_below_header", header_text="Cos", new_paragraphs=["x"]
    )


async def test_the_end_of_a_block_can_be_named(agent: Agent, report: Path) -> None:
    await call_on_report(
        agent, "replace_paragraph_block_below_header", header_text="Risks", new_paragraphs=["Hail."],
        detect_block_end_fn="Snow and budget.",
    )  # fmt: skip
    assert list_texts(report)[3:6] == ["Risks", "Hail.", "Snow and budget."]


async def test_all_between_two_anchors_is_replaced(agent: Agent, report: Path) -> None:
    await call_on_report(
        agent, "replace_block_between_manual_anchors", start_anchor_text="Rain.", end_anchor_text="End",
        new_paragraphs=["Sun."], new_paragraph_style="Quote",
    )  # fmt: skip
    document = docx.Document(str(report))
    assert list_texts(report)[3:] == ["Risks", "Rain.", "Sun.", "End"]
    assert document.paragraphs[5].style.name == "Quote"
    assert document.tables == []
    await call_on_report(
        agent, "replace_block_between_manual_anchors", start_anchor_text="risk", new_paragraphs=["Gone."],
        match_fn="starts_with",
    )  # fmt: skip
    assert list_texts(report)[3:] == ["Risks", "Gone.", "End"]
    assert "no paragraph below 'Risks' says 'Costs'" in await refuse_call(
        agent, "replace_block_between_manual_anchors", start_anchor_text="Risks", end_anchor_text="Costs",
        new_paragraphs=["x"],
    )  # fmt: skip


async def test_comments_are_listed_by_author_and_by_paragraph(agent: Agent, report: Path) -> None:
    document = docx.Document(str(report))
    document.add_comment(document.paragraphs[4].runs, text="Really?", author="Ann", initials="A")
    document.add_comment(document.paragraphs[1].runs, text="How much?", author="Bob", initials="B")
    document.add_comment(document.tables[0].cell(1, 0).paragraphs[0].runs, text="Green?", author="Ann", initials="A")
    document.save(report)
    reply = await agent.call_for_json("get_all_comments", filename=NAME)
    assert (reply["success"], reply["total_comments"]) == (True, 3)
    comment_rows = [
        tuple(comment[key] for key in ("author", "text", "reference_text")) for comment in reply["comments"]
    ]
    assert comment_rows == [
        ("Ann", "Really?", "Rain."),
        ("Bob", "How much?", "The budget is tight"),
        ("Ann", "Green?", "Tea"),
    ]
    assert [comment["paragraph_index"] for comment in reply["comments"]] == [4, 1, None]
    reply = await agent.call_for_json("get_comments_by_author", filename=NAME, author="ann")
    assert [comment["text"] for comment in reply["comments"]] == ["Really?", "Green?"]
    reply = await agent.call_for_json("get_comments_for_paragraph", filename=NAME, paragraph_index=1)
    assert [comment["text"] for comment in reply["comments"]] == ["How much?"]
    assert reply["paragraph_text"] == "The budget is tight"
    assert "no paragraph 50" in await refuse_call(agent, "get_comments_for_paragraph", paragraph_index=50)
