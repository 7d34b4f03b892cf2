"""Comments, tracked changes, notes and protection: written by tools, checked in the parts of the package."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from lxml import etree

from yardkit.servers.documents.engine.package.protection import legacy_key

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
MARKED = (
    '<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:pPr><w:jc w:val="center"/>'
    '<w:pPrChange w:id="90" w:author="Cy" w:date="2026-01-03T00:00:00Z"><w:pPr><w:jc w:val="left"/></w:pPr>'
    '</w:pPrChange></w:pPr><w:r><w:t xml:space="preserve">Pay </w:t></w:r>'
    '<w:del w:id="91" w:author="Ann" w:date="2026-01-01T00:00:00Z"><w:r><w:delText>ten</w:delText></w:r></w:del>'
    '<w:ins w:id="92" w:author="Ann" w:date="2026-01-01T00:00:00Z"><w:r><w:t>twenty</w:t></w:r></w:ins>'
    '<w:moveFromRangeStart w:id="93" w:name="move1" w:author="Bob" w:date="2026-01-02T00:00:00Z"/>'
    '<w:moveFrom w:id="94" w:author="Bob" w:date="2026-01-02T00:00:00Z"><w:r><w:t xml:space="preserve"> now</w:t></w:r>'
    '</w:moveFrom><w:moveFromRangeEnd w:id="93"/><w:r><w:t xml:space="preserve"> euros</w:t></w:r>'
    '<w:moveToRangeStart w:id="95" w:name="move1" w:author="Bob" w:date="2026-01-02T00:00:00Z"/>'
    '<w:moveTo w:id="96" w:author="Bob" w:date="2026-01-02T00:00:00Z"><w:r><w:t xml:space="preserve"> now</w:t></w:r>'
    '</w:moveTo><w:moveToRangeEnd w:id="95"/></w:p>'
)


def read_members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def list_texts(path: Path) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(str(path)).paragraphs]


def parse_part(path: Path, name: str) -> Any:
    return etree.fromstring(read_members(path)[name])


@pytest.fixture
def offer(files: Path) -> Path:
    """A document of python-docx without comments and notes, a word in two runs."""
    document = docx.Document()
    document.add_heading("Offer", 1)
    paragraph = document.add_paragraph("The price is ")
    paragraph.add_run("one hun").bold = True
    paragraph.add_run("dred euros, the price holds.")
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "cell"
    document.add_paragraph("The end.")
    document.save(str(files / "plain.docx"))
    return files / "plain.docx"


@pytest.fixture
def marked(offer: Path) -> Path:
    """The same with changes of three authors: text, a move, a paragraph's format."""
    document = docx.Document(str(offer))
    document.paragraphs[-1]._p.addnext(etree.fromstring(MARKED))
    document.save(str(offer))
    return offer


def test_a_comment_on_text_across_runs_comes_with_all_parts_that_word_wants(
    offer: Path, done: Callable[..., Any]
) -> None:
    before = read_members(offer)
    done("edit_comments", path="plain.docx", author="Ann Lee", edits=[
        {"op": "add", "text": "one hundred euros", "comment": "Why so much?\nPlease say."},
        {"op": "reply", "id": "0", "comment": "Because."},
        {"op": "add", "text": "Offer", "comment": "Title"},
        {"op": "resolve", "id": "1"},
    ])  # fmt: skip
    comments = done("read_annotations", path="plain.docx", kind="comments")["comments"]
    assert [comment["on"] for comment in comments] == ["one hundred euros", "one hundred euros", "Offer"]
    assert comments[0]["comment"] == "Why so much?\nPlease say."
    assert comments[0]["date"] == "2026-03-16T09:00:00Z"
    assert comments[1]["reply_to"] == "0"
    assert [comment.get("resolved", False) for comment in comments] == [True, True, False]
    body = parse_part(offer, "word/document.xml")
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert sorted(mark.get(f"{W}id") for mark in body.iter(f"{W}{name}")) == ["0", "1", "2"]
    paras = {paragraph.get(f"{W14}paraId") for paragraph in parse_part(offer, "word/comments.xml").iter(f"{W}p")} - {
        None
    }
    states = list(parse_part(offer, "word/commentsExtended.xml"))
    assert {state.get(f"{W15}paraId") for state in states} == paras
    assert states[1].get(f"{W15}paraIdParent") == states[0].get(f"{W15}paraId")
    assert len(parse_part(offer, "word/commentsIds.xml")) == 3
    assert parse_part(offer, "word/people.xml")[0].get(f"{W15}author") == "Ann Lee"
    types = read_members(offer)["[Content_Types].xml"].decode()
    assert all(f"/word/{name}.xml" in types for name in ("comments", "commentsExtended", "commentsIds", "people"))
    changed = {"word/document.xml", "word/styles.xml", "[Content_Types].xml", "word/_rels/document.xml.rels"}
    after = read_members(offer)
    assert all(after[name] == data for name, data in before.items() if name not in changed)
    assert list_texts(offer)[1] == "The price is one hundred euros, the price holds."


def test_python_docx_reads_the_comments_too(offer: Path, done: Callable[..., Any]) -> None:
    done("edit_comments", path="plain.docx", author="Ann", edits=[{"op": "add", "text": "Offer", "comment": "Hm"}])
    [comment] = docx.Document(str(offer)).comments
    assert (comment.author, comment.text) == ("Ann", "Hm")


def test_deleting_a_thread_leaves_the_text_and_the_other_comments(offer: Path, done: Callable[..., Any]) -> None:
    done("edit_comments", path="plain.docx", edits=[
        {"op": "add", "text": "Offer", "comment": "a"},
        {"op": "reply", "id": "0", "comment": "b"},
        {"op": "add", "text": "The end", "comment": "c"},
        {"op": "delete", "id": "0"},
    ])  # fmt: skip
    comments = done("read_annotations", path="plain.docx", kind="comments")["comments"]
    assert [comment["comment"] for comment in comments] == ["c"]
    body = parse_part(offer, "word/document.xml")
    assert [comment_range_start.get(f"{W}id") for comment_range_start in body.iter(f"{W}commentRangeStart")] == ["2"]
    assert len(parse_part(offer, "word/commentsExtended.xml")) == len(parse_part(offer, "word/commentsIds.xml")) == 1


def test_one_wrong_comment_edit_leaves_the_file_as_it_was(offer: Path, call: Callable[..., Any]) -> None:
    before = offer.read_bytes()
    answer = call("edit_comments", path="plain.docx", edits=[
        {"op": "add", "text": "Offer", "comment": "a"}, {"op": "add", "text": "price", "comment": "b"},
    ])  # fmt: skip
    assert answer.is_error
    assert "2 times" in answer.content[0].text
    assert offer.read_bytes() == before


def test_changes_are_listed_with_author_date_kind_and_text(marked: Path, done: Callable[..., Any]) -> None:
    changes = done("read_annotations", path="plain.docx", kind="changes")["changes"]
    assert [(change["kind"], change["author"], change.get("text", "")) for change in changes] == [
        ("format", "Cy", "Pay tentwenty now euros now"),
        ("deletion", "Ann", "ten"),
        ("insertion", "Ann", "twenty"),
        ("move_from", "Bob", " now"),
        ("move_to", "Bob", " now"),
    ]
    assert changes[0]["properties"] == ["jc"]
    assert changes[1]["date"] == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("arguments", "text", "left"),
    [
        ({"action": "accept"}, "Pay twenty euros now", 0),
        ({"action": "reject"}, "Pay ten now euros", 0),
        ({"action": "accept", "authors": ["Ann"]}, "Pay twenty euros now", 3),
        ({"action": "reject", "authors": ["Ann"]}, "Pay ten euros now", 3),
        ({"action": "accept", "ids": ["94"]}, "Pay twenty euros now", 3),
        ({"action": "reject", "ids": ["96"]}, "Pay twenty now euros", 3),
        ({"action": "reject", "until": "2026-01-01"}, "Pay ten euros now", 3),
        ({"action": "accept", "kinds": ["format"]}, "Pay twenty euros now", 4),
    ],
)
def test_changes_are_settled_as_chosen(
    marked: Path, done: Callable[..., Any], arguments: dict[str, Any], text: str, left: int
) -> None:
    done("settle_changes", path="plain.docx", **arguments)
    body = parse_part(marked, "word/document.xml")
    last = list(body.iter(f"{W}p"))[-1]
    live = [piece.text for piece in last.iter(f"{W}t") if piece.getparent().getparent().tag != f"{W}moveFrom"]
    assert "".join(live) == text
    assert done("read_annotations", path="plain.docx", kind="changes")["total"] == left
    moved = list(last.iter(f"{W}moveFromRangeStart", f"{W}moveToRangeStart"))
    assert len(moved) == len(list(last.iter(f"{W}moveFrom", f"{W}moveTo")))


def test_rejecting_a_format_brings_the_old_one_back(marked: Path, done: Callable[..., Any]) -> None:
    done("settle_changes", path="plain.docx", action="reject", authors=["Cy"])
    assert [jc.get(f"{W}val") for jc in parse_part(marked, "word/document.xml").iter(f"{W}jc")][-1] == "left"


def test_an_unknown_author_or_id_is_refused_with_those_there_are(marked: Path, call: Callable[..., Any]) -> None:
    before = marked.read_bytes()
    answer = call("settle_changes", path="plain.docx", action="accept", authors=["Zoe"])
    assert answer.is_error
    assert "Ann, Bob, Cy" in answer.content[0].text
    assert call("settle_changes", path="plain.docx", action="accept", ids=["7"]).is_error
    assert marked.read_bytes() == before


def test_tracking_is_turned_on_and_off_in_its_place(offer: Path, done: Callable[..., Any]) -> None:
    before = read_members(offer)["word/settings.xml"]
    done("settle_changes", path="plain.docx", action="start_tracking")
    assert done("read_annotations", path="plain.docx", kind="changes")["tracking"]
    assert parse_part(offer, "word/settings.xml").find(f"{W}trackRevisions") is not None
    done("settle_changes", path="plain.docx", action="stop_tracking")
    assert etree.tostring(parse_part(offer, "word/settings.xml"), method="c14n") == etree.tostring(
        etree.fromstring(before), method="c14n"
    )


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_notes_come_with_separators_settings_styles_and_types(offer: Path, done: Callable[..., Any], kind: str) -> None:
    done("edit_notes", path="plain.docx", edits=[
        {"op": "add", "kind": kind, "text": "one hundred", "note": "Net."},
        {"op": "add", "kind": kind, "text": "Offer", "note": "First in the text."},
    ])  # fmt: skip
    notes = done("read_annotations", path="plain.docx", kind="notes")["notes"]
    assert [(note["number"], note["note"], note["after"]) for note in notes] == [
        (1, "First in the text.", "Offer"),
        (2, "Net.", "The price is one hundred"),
    ]
    root = parse_part(offer, f"word/{kind}s.xml")
    assert [child.get(f"{W}type") for child in root] == ["separator", "continuationSeparator", None, None]
    assert len(parse_part(offer, "word/settings.xml").find(f"{W}{kind}Pr")) == 2
    styles = {name.get(f"{W}val") for name in parse_part(offer, "word/styles.xml").iter(f"{W}name")}
    assert {f"{kind} text", f"{kind} reference"} <= styles
    assert f"/word/{kind}s.xml" in read_members(offer)["[Content_Types].xml"].decode()
    assert list_texts(offer)[1] == "The price is one hundred euros, the price holds."


def test_a_note_is_changed_converted_and_deleted(offer: Path, done: Callable[..., Any]) -> None:
    done("edit_notes", path="plain.docx", edits=[{"op": "add", "text": "Offer", "note": "Old"}])
    done("edit_notes", path="plain.docx", edits=[{"op": "change", "id": "footnote-1", "note": "New\nlines"}])
    done("edit_notes", path="plain.docx", edits=[{"op": "convert", "id": "footnote-1"}])
    [note] = done("read_annotations", path="plain.docx", kind="notes")["notes"]
    assert (note["kind"], note["note"]) == ("endnote", "New\nlines")
    assert len(list(parse_part(offer, "word/endnotes.xml").iter(f"{W}endnoteRef"))) == 1
    done("edit_notes", path="plain.docx", edits=[{"op": "delete", "id": note["id"]}])
    assert done("read_annotations", path="plain.docx", kind="notes")["total"] == 0
    assert not list(parse_part(offer, "word/document.xml").iter(f"{W}endnoteReference"))


def test_protection_needs_its_password_to_be_lifted(offer: Path, call: Callable[..., Any]) -> None:
    assert not call("protect_document", path="plain.docx", mode="comments", password="Geheim 1").is_error
    node = parse_part(offer, "word/settings.xml").find(f"{W}documentProtection")
    assert (node.get(f"{W}edit"), node.get(f"{W}enforcement")) == ("comments", "1")
    assert node.get(f"{W}cryptAlgorithmSid") == "14"
    assert call("protect_document", path="plain.docx", mode="forms").is_error
    assert call("protect_document", path="plain.docx", mode="none", password="geheim 1").is_error
    assert not call("protect_document", path="plain.docx", mode="none", password="Geheim 1").is_error
    assert parse_part(offer, "word/settings.xml").find(f"{W}documentProtection") is None


def test_the_key_of_a_password_is_that_of_word() -> None:
    assert legacy_key("Example") == "7EEDCE64"  # the vector of the Open XML SDK's documentation
