"""References by number and fields of pages follow the text when they are renewed; those without a target are named."""

from pathlib import Path
from typing import Any

import docx
import pytest
from support.answers import Call


@pytest.fixture
def write(done: Call) -> Any:
    """A new document with blocks; the anchor of each by its text."""

    def make(*blocks: Any) -> Any:
        done("create_document", path="a.docx")
        done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": list(blocks)}])
        return at

    def at(text: Any) -> Any:
        blocks = done("read_document", path="a.docx")["blocks"]
        return next(block["anchor"] for block in blocks if block.get("text", "").startswith(text))

    return make


def add_reference(done: Any, at: Any, place: Any, target: Any, **how: Any) -> Any:
    edit = {"op": "cross_reference", "anchor": at(place), "target": at(target), **how}
    return done("edit_references", path="a.docx", edits=[edit])


def add_field(done: Any, at: Any, place: Any, code: Any) -> None:
    done("edit_references", path="a.docx", edits=[{"op": "field", "anchor": at(place), "code": code}])


def update_fields(done: Any) -> Any:
    return done("edit_references", path="a.docx", update=True).get("notes", [])


def find_text(done: Any, start: Any) -> Any:
    blocks = done("read_document", path="a.docx")["blocks"]
    return next(block["text"] for block in blocks if block.get("text", "").startswith(start))


def make_numbered_items(*items: Any) -> Any:
    return [{"kind": "number", "text": item, "level": level} for level, item in items]


def test_references_by_number_follow_their_item(done: Call, write: Any) -> None:
    at = write({"text": "see clause"}, *make_numbered_items((1, "One"), (1, "Two"), (1, "Three")))
    add_reference(done, at, "see", "Three", show="number")
    assert find_text(done, "see") == "see clause 3"
    done("edit_blocks", path="a.docx", edits=[{"op": "delete", "anchor": at("One")}])
    assert update_fields(done) == []
    assert find_text(done, "see") == "see clause 2"


def test_references_by_number_count_from_the_top_the_place_or_the_item(done: Call, write: Any) -> None:
    items = make_numbered_items((1, "First"), (1, "Second"), (2, "sub one"), (2, "sub two"))
    at = write(*items, {"text": "outside:"}, {"text": "full:"}, {"text": "alone:"}, {"text": "where:"})
    add_reference(done, at, "outside", "sub two", show="number")
    add_reference(done, at, "sub one", "sub two", show="number")
    assert find_text(done, "sub one") == "sub one b)"
    name = next(
        field["code"].split()[1] for field in done("inspect_document", path="a.docx", lists=["fields"])["field_list"]
    )
    add_field(done, at, "full", f"REF {name} \\w \\h")
    add_field(done, at, "alone", f"REF {name} \\n \\h")
    add_field(done, at, "where", f"REF {name} \\r \\p \\h")
    done("edit_blocks", path="a.docx", edits=[{"op": "delete", "anchor": at("First")}])
    update_fields(done)
    assert [find_text(done, start) for start in ("sub one", "outside", "full", "alone", "where")] == [
        "sub one b)", "outside: 1.b)", "full: 1.b)", "alone: b)", "where: 1.b) above",
    ]  # fmt: skip


@pytest.mark.parametrize("show", ["text", "number", "page"])
def test_a_reference_whose_target_is_gone_says_so_in_the_text_and_in_the_answer(
    done: Call, write: Any, show: str
) -> None:
    at = write({"text": "see clause"}, *make_numbered_items((1, "One"), (1, "Two")))
    add_reference(done, at, "see", "Two", show=show)
    before = find_text(done, "see").removeprefix("see clause ")
    done("edit_blocks", path="a.docx", edits=[{"op": "delete", "anchor": at("Two")}])
    [note] = update_fields(done)
    lost = "Error! Bookmark not defined." if show == "page" else "Error! Reference source not found."
    assert find_text(done, "see") == f"see clause {lost}"
    assert f"in {at('see')} refers to what is gone; it showed {before!r}" in note
    assert "it shows 'Error!" in update_fields(done)[0]


def test_a_reference_to_what_has_no_number_any_more_shows_zero_as_in_word(done: Call, write: Any, files: Path) -> None:
    at = write({"text": "see clause"}, *make_numbered_items((1, "One"), (1, "Two")))
    add_reference(done, at, "see", "Two", show="number")
    document = docx.Document(str(files / "a.docx"))
    properties = document.paragraphs[2]._p.pPr
    properties.remove(properties.numPr)
    document.paragraphs[2].style = "Normal"
    document.save(str(files / "a.docx"))
    [note] = update_fields(done)
    assert find_text(done, "see") == "see clause 0"
    assert "has no number" in note


def test_fields_of_pages_in_the_body_show_the_pages_that_are_laid_out(done: Call, write: Any) -> None:
    fresh = {"kind": "page_break"}
    at = write({"text": "count"}, fresh, {"text": "here"}, {"text": "roman"}, fresh, {"kind": "heading", "text": "End"})
    add_field(done, at, "count", "NUMPAGES")
    add_field(done, at, "here", "PAGE")
    add_field(done, at, "roman", "PAGE \\* roman")
    add_field(done, at, "End", "SECTIONPAGES")
    add_reference(done, at, "here", "End", show="page")
    update_fields(done)
    field_texts = [find_text(done, name) for name in ("count", "here", "roman", "End")]
    assert field_texts == ["count 3", "here 2 3", "roman ii", "End 3"]
    new = [{"op": "insert", "anchor": at("count"), "blocks": [fresh, {"text": "more"}]}]
    done("edit_blocks", path="a.docx", edits=new)
    update_fields(done)
    field_texts = [find_text(done, name) for name in ("count", "here", "roman", "End")]
    assert field_texts == ["count 4", "here 3 4", "roman iii", "End 4"]


def test_pages_of_a_section_are_counted_in_it_alone(done: Call, write: Any) -> None:
    at = write(
        {"text": "first"}, {"kind": "section_break"}, {"text": "second"}, {"kind": "page_break"}, {"text": "end"}
    )
    add_field(done, at, "first", "SECTIONPAGES")
    add_field(done, at, "second", "SECTIONPAGES")
    update_fields(done)
    assert [find_text(done, name) for name in ("first", "second")] == ["first 1", "second 2"]


def test_a_page_that_cannot_be_told_is_named_and_the_others_are_computed(done: Call, write: Any) -> None:
    at = write({"text": "see"}, {"text": "also"}, {"kind": "page_break"}, {"text": "End"}, {"text": "gone"})
    add_reference(done, at, "see", "gone", show="page")
    add_reference(done, at, "also", "End", show="page")
    done("edit_blocks", path="a.docx", edits=[{"op": "set_text", "anchor": at("gone"), "text": ""}])
    [note] = update_fields(done)
    assert "cannot be determined" in note
    assert find_text(done, "also") == "also 2"


@pytest.mark.parametrize(("kind", "first", "second"), [("footnote", "1", "2"), ("endnote", "i", "ii")])
def test_references_to_notes_show_the_number_that_the_note_has_now(
    done: Call, write: Any, kind: str, first: str, second: str
) -> None:
    at = write(*({"text": text} for text in ("intro", "claim", "plain", "see note", "where:", "none:")))
    add = {"op": "add", "kind": kind, "note": "a"}
    for name, start in (("noted", "claim"), ("empty", "plain")):
        done("edit_references", path="a.docx", edits=[{"op": "bookmark", "anchor": at(start), "name": name}])
    done("edit_notes", path="a.docx", edits=[{**add, "anchor": at("claim")}])
    for start, code in (("see note", "NOTEREF noted \\h"), ("where:", "NOTEREF noted \\p"), ("none:", "NOTEREF empty")):
        add_field(done, at, start, code)
    assert [find_text(done, beginning) for beginning in ("see note", "none:")] == [f"see note {first}", "none: "]
    done("edit_notes", path="a.docx", edits=[{**add, "anchor": at("intro")}])
    assert [warning for warning in update_fields(done) if "'NOTEREF empty' is not updated" in warning]
    assert [find_text(done, beginning) for beginning in ("see note", "where:")] == [
        f"see note {second}",
        f"where: {second} above",
    ]


def test_references_to_pages_say_where_their_target_is_if_it_is_on_the_same_page(done: Call, write: Any) -> None:
    blocks = [{"text": name} for name in ("first", "second", "third")]
    at = write(*blocks, {"kind": "page_break"}, {"text": "other"})
    done("edit_references", path="a.docx", edits=[{"op": "bookmark", "anchor": at("second"), "name": "spot"}])
    for start in ("first", "third", "other"):
        add_field(done, at, start, "PAGEREF spot \\p \\h")
    add_field(done, at, "second", "PAGEREF spot")
    update_fields(done)
    field_texts = [find_text(done, name) for name in ("first", "second", "third", "other")]
    assert field_texts == ["first below", "second 1", "third above", "other on page 1"]


def into_story(files: Any, name: Any, code: Any) -> None:
    """Put a field into the last paragraph of a part of the document, by python-docx."""
    read = docx.Document(str(files / "a.docx"))
    if name == "header":
        parts = [(read.sections[0].header.part, read.sections[0].header.paragraphs[0]._p)]
    else:
        part = next(rel.target_part for rel in read.part.rels.values() if rel.reltype.endswith(f"/{name}"))
        root = docx.oxml.parse_xml(part.blob)
        parts = [(part, note[-1]) for note in root if note.get(docx.oxml.ns.qn("w:type")) in (None, "normal")]
    for part, paragraph in parts:
        field = docx.oxml.OxmlElement("w:fldSimple")
        field.set(docx.oxml.ns.qn("w:instr"), f" {code} ")
        paragraph.append(field)
        if name != "header":
            part._blob = docx.oxml.xmlchemy.serialize_for_reading(paragraph.getroottree().getroot()).encode()
    read.save(str(files / "a.docx"))


def test_footnotes_say_where_a_page_is_seen_from_their_own(done: Call, write: Any, files: Path) -> None:
    blocks = [{"text": name} for name in ("first", "second")]
    at = write(*blocks, {"kind": "page_break"}, {"text": "other"})
    done("edit_references", path="a.docx", edits=[{"op": "bookmark", "anchor": at("second"), "name": "spot"}])
    for start in ("first", "other"):
        done("edit_notes", path="a.docx", edits=[{"op": "add", "anchor": at(start), "note": f"of {start}:"}])
    into_story(files, "footnotes", "PAGEREF spot \\p \\h")
    into_story(files, "footnotes", "PAGE")
    assert update_fields(done) == []
    notes = done("read_annotations", path="a.docx", kind="notes")["notes"]
    assert [note["note"] for note in notes] == ["of first:above1", "of other:on page 12"]


@pytest.mark.parametrize(("story", "kind"), [("header", ""), ("endnotes", "endnote")])
def test_where_a_page_is_cannot_be_told_on_every_page_and_that_is_said(
    done: Call, write: Any, files: Path, story: str, kind: str
) -> None:
    at = write({"text": "first"}, {"text": "second"})
    done("edit_references", path="a.docx", edits=[{"op": "bookmark", "anchor": at("second"), "name": "spot"}])
    if kind:
        done("edit_notes", path="a.docx", edits=[{"op": "add", "kind": kind, "anchor": at("first"), "note": "n"}])
    into_story(files, story, "PAGEREF spot \\p")
    (note,) = update_fields(done)
    assert "not computed in" in note
    assert story in note


def test_a_table_of_contents_that_is_inserted_with_a_mark_is_filled_and_renewed(done: Call) -> None:
    for blocks in ([{"kind": "heading", "text": "One"}, {"kind": "toc"}], [{"kind": "heading", "text": "Two"}]):
        done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": blocks}], track=True)
    expected_texts = ["One", "Contents", "One\t1", "Two\t1", "Two"]
    read_blocks = done("read_document", path="a.docx")["blocks"]
    assert [block["text"] for block in read_blocks if block.get("text")] == expected_texts
    done("settle_changes", path="a.docx", action="accept")
    read_blocks = done("read_document", path="a.docx")["blocks"]
    assert [block["text"] for block in read_blocks if block.get("text")] == expected_texts
