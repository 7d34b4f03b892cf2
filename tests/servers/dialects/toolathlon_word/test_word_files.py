"""The tools of Toolathlon's word server on whole documents, their effects read by python-docx."""

from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn
from support.books import read_parts
from support.speaking import Agent
from support.wordreport import NAME, call_on_report, list_texts, refuse_call


async def test_a_document_is_made_with_properties(agent: Agent) -> None:
    reply = await agent.says("create_document", filename="sub/new", title="Plan", author="Ann")
    assert reply == "Document sub/new.docx created successfully"
    document = docx.Document(str(agent.files / "sub" / "new.docx"))
    assert (document.core_properties.title, document.core_properties.author) == ("Plan", "Ann")
    assert [paragraph.text for paragraph in document.paragraphs] == []
    assert "outside the workspace" in await agent.call_for_error("create_document", filename="../x")


async def test_a_copy_is_the_same_file(agent: Agent, report: Path) -> None:
    assert await agent.says("copy_document", source_filename="report") == "Document copied to report_copy.docx"
    await agent.says("copy_document", source_filename=NAME, destination_filename="other/b.docx")
    for copy in ("report_copy.docx", "other/b.docx"):
        assert (agent.files / copy).read_bytes() == report.read_bytes()
    assert "itself" in await agent.call_for_error("copy_document", source_filename=NAME, destination_filename=NAME)


async def test_information_counts_and_lays_out(agent: Agent, report: Path) -> None:
    info = await agent.call_for_json("get_document_info", filename=NAME)
    assert {key: info[key] for key in ("title", "author", "page_count", "paragraph_count", "table_count")} == {
        "title": "The plan", "author": "Ann", "page_count": 1, "paragraph_count": 7, "table_count": 1,
    }  # fmt: skip
    assert info["word_count"] == sum(len(text.split()) for text in list_texts(report)) + 9


async def test_text_comes_in_reading_order_and_in_parts(agent: Agent, report: Path) -> None:
    text = await call_on_report(agent, "get_document_text")
    assert text.split("\n") == [*list_texts(report)[:6], "Item\tCount\tPrice", "Tea\t2\t3.50", "Cake\t1\t4.00", "End"]
    document = docx.Document()
    for number in range(3000):
        document.add_paragraph(f"{number} " + "x" * 40)
    document.save(agent.files / "long.docx")
    first = await agent.answer("get_document_text", filename="long.docx")
    offset = first.structured_content["next_offset"]
    rest = [first.structured_content["text"]]
    while offset is not None:
        more = await agent.answer("get_document_text", filename="long.docx", offset=offset)
        rest.append(more.structured_content["text"])
        offset = more.structured_content["next_offset"]
    assert "".join(rest) == "\n".join(list_texts(agent.files / "long.docx"))


async def test_the_outline_numbers_paragraphs_and_tables_as_python_docx_does(agent: Agent, report: Path) -> None:
    outline = await agent.call_for_json("get_document_outline", filename=NAME)
    document = docx.Document(str(report))
    expected = [
        {"index": number, "text": paragraph.text, "style": paragraph.style.name}
        for number, paragraph in enumerate(document.paragraphs)
    ]
    assert outline["paragraphs"] == expected
    (table,) = outline["tables"]
    assert (table["index"], table["rows"], table["columns"]) == (0, 3, 3)
    assert table["preview"][1] == ["Tea", "2", "3.50"]
    assert (await agent.call_for_json("get_document_outline", filename=NAME, offset=6))["paragraphs"] == expected[6:]


async def test_documents_of_a_folder_are_listed(agent: Agent, report: Path) -> None:
    (agent.files / "notes.txt").write_text("no document")
    size = report.stat().st_size / 1024
    assert await agent.says("list_available_documents") == f"Found 1 Word documents in .\n- {NAME} ({size:.2f} KB)"
    (agent.files / "empty").mkdir()
    assert await agent.says("list_available_documents", directory="empty") == "Found 0 Word documents in empty"
    assert "does not exist" in await agent.call_for_error("list_available_documents", directory="nowhere")


async def test_the_xml_is_that_of_the_file(agent: Agent, report: Path) -> None:
    assert await call_on_report(agent, "get_document_xml") == read_parts(report)["word/document.xml"].decode()


async def test_a_pdf_is_made_beside_the_document_or_elsewhere(agent: Agent, report: Path) -> None:
    assert "report.pdf" in await call_on_report(agent, "convert_to_pdf")
    assert (agent.files / "report.pdf").read_bytes().startswith(b"%PDF-")
    await call_on_report(agent, "convert_to_pdf", output_filename="out/final")
    assert (agent.files / "out" / "final.pdf").read_bytes().startswith(b"%PDF-")


async def test_protection_needs_its_password_to_be_lifted(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "protect_document", password="s3cret")
    node = docx.Document(str(report)).settings.element.find(qn("w:documentProtection"))
    assert (node.get(qn("w:edit")), node.get(qn("w:enforcement"))) == ("readOnly", "1")
    assert "password is wrong" in await refuse_call(agent, "unprotect_document", password="other")
    assert "already protected" in await refuse_call(agent, "protect_document", password="again")
    await call_on_report(agent, "unprotect_document", password="s3cret")
    assert docx.Document(str(report)).settings.element.find(qn("w:documentProtection")) is None


async def test_what_a_call_does_not_name_stays_byte_for_byte(agent: Agent, report: Path) -> None:
    before = read_parts(report)
    await call_on_report(agent, "format_text", paragraph_index=2, start_pos=0, end_pos=1, bold=True)
    await call_on_report(agent, "set_table_cell_shading", table_index=0, row_index=0, col_index=0, fill_color="red")
    after = read_parts(report)
    assert {name for name in after if after[name] != before.get(name)} == {"word/document.xml"}
    assert set(after) == set(before)


@pytest.mark.parametrize("tool", ["get_document_text", "delete_paragraph", "add_page_break", "convert_to_pdf"])
async def test_files_that_are_no_documents_are_told_as_errors(agent: Agent, tool: str) -> None:
    needed = {"paragraph_index": 0} if tool == "delete_paragraph" else {}
    (agent.files / "a.docx").write_bytes(b"PK\x03\x04 broken")
    (agent.files / "b.docx").write_text("no document")
    (agent.files / "c.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    for name in ("a.docx", "b.docx", "missing.docx") if tool == "convert_to_pdf" else ("a.docx", "b.docx", "c.doc"):
        assert await agent.call_for_error(tool, filename=name, **needed)
    assert not list(agent.files.glob("*.pdf"))


@pytest.mark.parametrize("name", ["missing", "missing.docx", "sub/missing"])
async def test_a_missing_document_is_named_as_it_was_asked_for(agent: Agent, name: str) -> None:
    message = await agent.call_for_error("get_document_text", filename=name)
    assert f"{name.removesuffix('.docx')}.docx' does not exist" in message
