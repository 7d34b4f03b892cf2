"""The tools of Toolathlon's word server on footnotes and endnotes, their effects read by python-docx."""

import re
from pathlib import Path

import docx
import pypdfium2
import pytest
from docx.oxml.ns import qn
from docx.shared import Pt
from support.books import read_parts
from support.speaking import Agent
from support.wordreport import NAME, call_on_report, refuse_call

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def pdf_text(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as pdf:
        return "".join(pdf[0].get_textpage().get_text_range().split())


def notes_of(path: Path, kind: str = "footnote") -> dict[str, str]:
    """What the notes of a kind say by id, from the part itself."""
    from lxml import etree

    notes_part = read_parts(path).get(f"word/{kind}s.xml")
    root = [] if notes_part is None else etree.fromstring(notes_part)
    return {
        node.get(f"{W}id"): "".join(node.itertext()).strip()
        for node in root
        if node.get(f"{W}type") in (None, "normal")
    }


def read_marked_text(path: Path, kind: str = "footnote") -> str:
    """The text of the body with the ids of the marks in it, as ``budget[1]``."""
    body = docx.Document(str(path)).element.body
    nodes = body.iter(f"{W}t", f"{W}{kind}Reference")
    pieces = [node.text if node.tag == f"{W}t" else f"[{node.get(f'{W}id')}]" for node in nodes]
    return "".join(pieces)


async def test_a_footnote_is_one_with_mark_style_and_separators(agent: Agent, report: Path) -> None:
    reply = await call_on_report(agent, "add_footnote_to_document", paragraph_index=4, footnote_text="As always.")
    assert reply == "Footnote added to report.docx behind 'Rain.' (id 1)."
    assert notes_of(report) == {"1": "As always."}
    assert "Rain.[1]Snow" in read_marked_text(report)
    members = read_parts(report)
    assert b'w:type="separator"' in members["word/footnotes.xml"]
    assert b"footnotes+xml" in members["[Content_Types].xml"]
    mark = next(docx.Document(str(report)).element.body.iter(f"{W}footnoteReference"))
    style = mark.getparent().find(f"{W}rPr").find(f"{W}rStyle").get(f"{W}val")
    look = next(
        candidate for candidate in docx.Document(str(report)).styles.element if candidate.get(f"{W}styleId") == style
    )
    assert look.find(f"{W}rPr").find(f"{W}vertAlign").get(f"{W}val") == "superscript"
    assert "no paragraph 70" in await refuse_call(
        agent, "add_footnote_to_document", paragraph_index=70, footnote_text="x"
    )


async def test_footnotes_come_behind_and_before_a_text(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_footnote_after_text", search_text="budget", footnote_text="In euros.")
    await call_on_report(agent, "add_footnote_before_text", search_text="budget is", footnote_text="Of 2026.")
    await call_on_report(agent, "add_footnote_before_text", search_text="Rain", footnote_text="First.")
    assert "The [1]budget[2] is tight" in read_marked_text(report)
    assert "Risks[3]Rain." in read_marked_text(report)
    assert notes_of(report) == {"1": "Of 2026.", "2": "In euros.", "3": "First."}
    runs = docx.Document(str(report)).paragraphs[1].runs
    assert [run.text for run in runs if run.bold] == ["get", " is tight"]
    assert "no paragraph holds" in await refuse_call(
        agent, "add_footnote_after_text", search_text="nowhere", footnote_text="x"
    )


async def test_the_result_goes_to_another_file_if_one_is_named(agent: Agent, report: Path) -> None:
    before = report.read_bytes()
    await call_on_report(agent, "add_footnote_enhanced", paragraph_index=4, footnote_text="A.", output_filename="a")
    await call_on_report(
        agent, "add_footnote_after_text", search_text="Snow", footnote_text="B.", output_filename="b.docx"
    )
    assert report.read_bytes() == before
    assert [notes_of(agent.files / name) for name in ("a.docx", "b.docx")] == [{"1": "A."}, {"1": "B."}]
    await agent.says("delete_footnote_from_document", filename="b.docx", footnote_id=1, output_filename="c.docx")
    assert (notes_of(agent.files / "b.docx"), notes_of(agent.files / "c.docx")) == ({"1": "B."}, {})


async def test_an_endnote_is_one(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_endnote_to_document", paragraph_index=4, endnote_text="At the end.")
    assert notes_of(report, "endnote") == {"1": "At the end."}
    assert "Rain.[1]" in read_marked_text(report, "endnote")


async def test_robust_footnotes_need_one_place(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_footnote_robust", search_text="Snow", footnote_text="Cold.")
    await call_on_report(agent, "add_footnote_robust", paragraph_index=4, footnote_text="Wet.")
    assert "Rain.[1]Snow[2] and" in read_marked_text(report)
    assert "one of them" in await refuse_call(agent, "add_footnote_robust", footnote_text="x")
    assert "the note is empty" in await refuse_call(agent, "add_footnote_robust", paragraph_index=1)


async def test_footnotes_are_numbered_and_look_as_asked(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_footnote_to_document", paragraph_index=4, footnote_text="As always.")
    await call_on_report(
        agent, "customize_footnote_style", numbering_format="i, ii, iii", start_number=4, font_name="Arial", font_size=8
    )
    document = docx.Document(str(report))
    own = document.sections[0]._sectPr.find(qn("w:footnotePr"))
    assert [(child.tag, child.get(qn("w:val"))) for child in own] == [
        (qn("w:numFmt"), "lowerRoman"), (qn("w:numStart"), "4"),
    ]  # fmt: skip
    properties = document.settings.element.find(qn("w:footnotePr"))
    assert [attribute.tag for attribute in properties][:2] == [qn("w:numFmt"), qn("w:numStart")]
    assert [attribute.get(qn("w:val")) for attribute in properties][:2] == ["lowerRoman", "4"]
    style = next(candidate for candidate in document.styles if candidate.name.lower() == "footnote text")
    assert (style.font.name, style.font.size) == ("Arial", Pt(8))
    await call_on_report(agent, "customize_footnote_style")
    properties = docx.Document(str(report)).settings.element.find(qn("w:footnotePr"))
    assert [attribute.get(qn("w:val")) for attribute in properties][:2] == ["decimal", "1"]
    await call_on_report(agent, "convert_to_pdf", output_filename="before.pdf")
    assert "Rain.1" in pdf_text(agent.files / "before.pdf")
    await call_on_report(agent, "customize_footnote_style", numbering_format="I, II, III", start_number=7)
    await call_on_report(agent, "convert_to_pdf", output_filename="after.pdf")
    assert "Rain.VII" in pdf_text(agent.files / "after.pdf")
    assert "numbering_format" in await refuse_call(agent, "customize_footnote_style", numbering_format="one, two")


@pytest.mark.parametrize("tool", ["delete_footnote_from_document", "delete_footnote_robust"])
async def test_a_footnote_goes_with_its_mark(agent: Agent, report: Path, tool: str) -> None:
    for text in ("budget", "Rain.", "Snow"):
        await call_on_report(agent, "add_footnote_after_text", search_text=text, footnote_text=f"On {text}")
    assert "id 2" in await call_on_report(agent, tool, footnote_id=2)
    assert notes_of(report) == {"1": "On budget", "3": "On Snow"}
    assert "[2]" not in read_marked_text(report)
    await call_on_report(agent, tool, search_text="Snow and")
    assert notes_of(report) == {"1": "On budget"}
    assert "has no footnote" in await refuse_call(agent, tool, search_text="Rain")
    assert "'footnote-9'; the document has: footnote-1" in " ".join(
        (await refuse_call(agent, tool, footnote_id=9)).replace("id ", "").split()
    )
    assert "give footnote_id" in await refuse_call(agent, tool)


def break_notes(path: Path) -> None:
    """Take the mark of note 1 out of the body, and add a mark of a note that is not there."""
    document = docx.Document(str(path))
    mark = next(footnote_reference for footnote_reference in document.element.body.iter(f"{W}footnoteReference"))
    mark.set(f"{W}id", "77")
    document.save(path)


async def test_broken_notes_are_found_and_mended(agent: Agent, report: Path) -> None:
    await call_on_report(agent, "add_footnote_after_text", search_text="Rain.", footnote_text="Wet.")
    validation = await agent.call_for_json("validate_document_footnotes", filename=NAME)
    assert (validation["valid"], validation["total_references"], validation["total_footnotes"]) == (True, 1, 1)
    assert validation["footnotes"] == [{"id": 1, "number": 1, "text": "Wet.", "after": "Rain."}]
    break_notes(report)
    validation = await agent.call_for_json("validate_document_footnotes", filename=NAME)
    assert validation["valid"] is False
    assert (validation["checks"][0]["missing"], validation["checks"][0]["orphans"]) == (["77"], ["1"])
    reply = await call_on_report(
        agent, "add_footnote_robust", search_text="Snow", footnote_text="Cold.", auto_repair=True
    )
    assert "took out the mark of the missing footnote 77" in reply
    assert re.findall(r"\[\d+\]", read_marked_text(report)) == ["[1]"]
    assert notes_of(report) == {"1": "Cold."}
    assert (await agent.call_for_json("validate_document_footnotes", filename=NAME))["valid"] is True


async def test_orphans_go_with_a_deleted_note_unless_they_are_to_stay(agent: Agent, report: Path) -> None:
    for text in ("Rain.", "Snow", "budget"):
        await call_on_report(agent, "add_footnote_after_text", search_text=text, footnote_text=text)
    break_notes(report)  # the first mark in the text, that of note 1
    await call_on_report(agent, "delete_footnote_robust", footnote_id=2, clean_orphans=False)
    assert notes_of(report) == {"1": "Snow", "3": "budget"}
    await call_on_report(agent, "delete_footnote_robust", footnote_id=1)
    assert notes_of(report) == {}
