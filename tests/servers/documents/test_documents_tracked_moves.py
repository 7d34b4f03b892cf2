"""Moves and deletions of what holds pending changes: rejected, all reads as it did; accepted, as if done untracked."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import Call

from yardkit.servers.documents.engine.blocks import block_edits
from yardkit.servers.documents.engine.markup.names import P
from yardkit.servers.documents.engine.markup.paragraph_text import block_text, text_of
from yardkit.servers.documents.engine.markup.specs import BlockEdit
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import revisions
from yardkit.servers.documents.engine.text import search_replace

NOW = datetime(2026, 3, 16, 9, tzinfo=UTC)
TEXT = ["First.", "The Customer pays.", "The Customer signs the paper.", "Last."]
ROWS = [["a", "1"], ["b", "2"], ["c", "3"]]


def list_texts(path: Any) -> Any:
    body = docx.Document(str(path)).element.body
    return ["".join(node.text or "" for node in paragraph.iter(qn("w:t"))) for paragraph in body.iter(qn("w:p"))]


def anchor_of(done: Any, path: Any, start: Any) -> Any:
    blocks = done("read_document", path=path)["blocks"]
    return next(
        block["anchor"] for block in blocks if start == block["kind"] or block.get("text", "").startswith(start)
    )


def make_swap(old: Any, new: Any) -> Any:
    return lambda done, **how: done("replace_document_text", replacements=[{"find": old, "replace": new}], **how)


def make_edit(op: Any, start: Any, beside: str = "", position: str = "before", **more: Any) -> Any:
    def run(done: Any, path: Any, **how: Any) -> None:
        aim = {"beside": anchor_of(done, path, beside), "position": position} if beside else {}
        edits = [{"op": op, "anchor": anchor_of(done, path, start), **aim, **more}]
        done("edit_blocks", path=path, edits=edits, **how)

    return run


def make_row_edit(op: Any, span: Any) -> Any:
    def run(done: Any, path: Any, **how: Any) -> None:
        edits = [{"op": op, "range": span}]
        done("edit_document_table", path=path, anchor=anchor_of(done, path, "table"), edits=edits, **how)

    return run


def move_two(done: Any, path: Any, **how: Any) -> None:
    """Move the second paragraph, where changes are tracked with the third, which is deleted already."""
    anchors = [block["anchor"] for block in done("read_document", path=path)["blocks"]]
    edits = [
        {
            "op": "move",
            "anchor": anchors[1],
            "to": anchors[1 + how["track"]],
            "beside": anchors[0],
            "position": "before",
        }
    ]
    done("edit_blocks", path=path, edits=edits, **how)


new = make_edit("insert", "First", position="after", blocks=[{"text": "Brand new words."}])
move = make_edit("move", "The C", "First")
CASES = {
    "own replacement": [("Ann", make_swap("Customer", "Client")), ("Ann", move)],
    "another's replacement": [("Ann", make_swap("Customer", "Client")), ("Bob", move)],
    "three authors": [
        ("Ann", make_swap("Customer", "Client")),
        ("Bob", make_swap("pays", "always pays")),
        ("Cem", move),
        ("Ann", make_swap("always", "never")),
    ],
    "a new paragraph of another": [("Ann", new), ("Bob", make_edit("move", "Brand", "Last"))],
    "a new paragraph of one's own": [("Ann", new), ("Ann", make_edit("move", "Brand", "Last"))],
    "a new paragraph deleted by another": [("Ann", new), ("Bob", make_edit("delete", "Brand"))],
    "a paragraph with a deleted one": [("Ann", make_edit("delete", "The Customer signs")), ("Bob", move_two)],
    "moved twice": [
        ("Ann", make_swap("pays", "paid")),
        ("Bob", move),
        ("Cem", make_edit("move", "The Customer paid", "Last")),
    ],
    "a table with other rows": [
        ("Ann", make_row_edit("delete_rows", "2")),
        ("Ann", make_row_edit("insert_rows", "2")),
        ("Bob", make_edit("move", "table", "First")),
    ],
}


@pytest.fixture
def twins(files: Path) -> Any:
    for name in ("plain", "tracked"):
        document = docx.Document()
        for text in TEXT[:-1]:
            document.add_paragraph(text)
        table = document.add_table(3, 2)
        for row, cells in zip(table.rows, ROWS, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        document.add_paragraph(TEXT[-1])
        document.save(str(files / f"{name}.docx"))
    return list_texts(files / "plain.docx")


@pytest.mark.parametrize("action", ["accept", "reject"])
@pytest.mark.parametrize("case", CASES)
def test_a_move_of_changed_text_is_settled_to_the_old_or_the_new_text(
    files: Path, done: Call, twins: Any, case: Any, action: str
) -> None:
    for author, change in CASES[case]:
        change(done, path="plain.docx", author=author, track=False)
        change(done, path="tracked.docx", author=author, track=True)
    expected_texts = list_texts(files / "plain.docx") if action == "accept" else twins
    done("settle_changes", path="tracked.docx", action=action)
    assert list_texts(files / "tracked.docx") == expected_texts
    assert not done("read_annotations", path="tracked.docx", kind="changes")["total"]


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_changes_of_several_authors_are_settled_one_author_after_the_other(
    files: Path, done: Call, twins: Any, action: str
) -> None:
    for author, change in CASES["another's replacement"]:
        change(done, path="plain.docx", author=author, track=False)
        change(done, path="tracked.docx", author=author, track=True)
    for author in ("Bob", "Ann"):
        done("settle_changes", path="tracked.docx", action=action, authors=[author])
    assert list_texts(files / "tracked.docx") == (list_texts(files / "plain.docx") if action == "accept" else twins)


@pytest.mark.parametrize("authors", [["Ann", "Bob"], ["Bob", "Ann"]])
@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_last_paragraph_that_two_authors_wrote_or_deleted_leaves_no_empty_one(
    files: Path, done: Call, action: str, authors: list[str]
) -> None:
    path = files / "a.docx"
    done("create_document", path="a.docx")
    done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": [{"text": "One."}]}])
    done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": [{"text": "Two."}]}], track=action == "reject")
    if action == "accept":
        make_edit("delete", "Two")(done, path="a.docx", track=True)
    document = docx.Document(str(path))
    marks = document.element.body.xpath("//w:ins | //w:del")
    for mark in marks:
        mark.set(qn("w:author"), "Ann" if mark.getparent().tag == qn("w:rPr") else "Bob")
    document.save(str(path))
    for author in authors:
        done("settle_changes", path="a.docx", action=action, authors=[author])
    assert list_texts(path) == ["One."]


def put_into_control(path: Any) -> None:
    """Put the second and third paragraph into a content control."""
    document = docx.Document(str(path))
    second, third = (paragraph._p for paragraph in document.paragraphs[1:3])
    control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
    second.addprevious(control)
    control.append(content)
    content.extend([second, third])
    document.save(str(path))


@pytest.mark.parametrize("action", ["accept", "reject"])
@pytest.mark.parametrize("op", ["move", "delete"])
def test_paragraphs_in_content_controls_are_moved_and_deleted_with_marks(
    files: Path, done: Call, twins: Any, op: str, action: str
) -> None:
    for name in ("plain", "tracked"):
        path = f"{name}.docx"
        put_into_control(files / path)
        aim = {"beside": anchor_of(done, path, "Last"), "position": "after"} if op == "move" else {}
        edits = [{"op": op, "anchor": anchor_of(done, path, "First"), "to": anchor_of(done, path, "table"), **aim}]
        done("edit_blocks", path=path, edits=edits, track=name == "tracked")
    done("settle_changes", path="tracked.docx", action=action)
    assert list_texts(files / "tracked.docx") == (list_texts(files / "plain.docx") if action == "accept" else twins)
    body = docx.Document(str(files / "tracked.docx")).element.body
    assert len(list(body.iter(qn("w:sdt")))) == (op == "move" or action == "reject")


@pytest.mark.parametrize("track", [True, False])
def test_a_content_control_goes_with_the_last_paragraph_in_it(files: Path, done: Call, twins: Any, track: bool) -> None:
    put_into_control(files / "tracked.docx")
    for start in ("The Customer pays", "The Customer signs"):
        make_edit("delete", start)(done, path="tracked.docx", track=track)
    if track:
        done("settle_changes", path="tracked.docx", action="accept")
    assert list_texts(files / "tracked.docx") == [twins[0], *twins[3:]]
    assert not docx.Document(str(files / "tracked.docx")).element.body.xpath("//w:sdt")


def test_the_answer_tells_of_the_changes_that_were_moved(files: Path, done: Call, twins: Any) -> None:
    make_swap("Customer", "Client")(done, path="tracked.docx", author="Ann", track=True)
    edits = [{"op": "move", "anchor": anchor_of(done, "tracked.docx", "The Cl")}]
    edits[0] |= {"beside": anchor_of(done, "tracked.docx", "First")}
    notes = done("edit_blocks", path="tracked.docx", edits=edits, author="Bob", track=True)["notes"]
    assert "tracked changes of Ann" in notes[0]


@pytest.mark.parametrize("position", ["before", "after"])
@pytest.mark.parametrize("action", ["accept", "reject"])
def test_references_and_comments_stay_with_a_heading_that_was_moved(
    files: Path, done: Call, action: str, position: str
) -> None:
    done("create_document", path="a.docx")
    blocks = [{"text": "Intro"}, {"kind": "heading", "text": "Alpha"}, {"text": "See"}, {"text": "End"}]
    done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": blocks}])
    see, alpha = anchor_of(done, "a.docx", "See"), anchor_of(done, "a.docx", "Alpha")
    done("edit_references", path="a.docx", edits=[{"op": "cross_reference", "anchor": see, "target": alpha}])
    done("edit_comments", path="a.docx", edits=[{"op": "add", "anchor": alpha, "text": "Alpha", "comment": "why"}])
    make_edit("move", "Alpha", "Intro" if position == "before" else "See", position)(done, path="a.docx", track=True)
    done("edit_references", path="a.docx", update=True)
    assert "See Alpha" in list_texts(files / "a.docx")
    done("settle_changes", path="a.docx", action=action)
    done("edit_references", path="a.docx", update=True)
    moved = {"before": ["Alpha", "Intro", "See Alpha", "End"], "after": ["Intro", "See Alpha", "Alpha", "End"]}
    assert list_texts(files / "a.docx") == (
        moved[position] if action == "accept" else ["Intro", "Alpha", "See Alpha", "End"]
    )
    [comment] = done("read_annotations", path="a.docx", kind="comments")["comments"]
    assert comment["on"] == "Alpha"
    body = docx.Document(str(files / "a.docx")).element.body
    marks = ("bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "commentReference")
    assert [len(list(body.iter(qn(f"w:{name}")))) for name in marks] == [1] * 5


NUMBER = st.integers(0, 3)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Bob", "Cem"]),
        st.one_of(
            st.tuples(NUMBER, NUMBER, st.sampled_from(["before", "after"])),
            st.tuples(st.sampled_from(["alpha", "beta"]), st.sampled_from(["delta", "alpha beta", ""])),
        ),
    ),
    min_size=1,
    max_size=6,
)


def apply_step(document: Any, author: Any, step: Any, *, track: Any) -> None:
    """Move the paragraph of a number beside that of another, or replace a word."""
    writer = Writer.for_document(document, NOW, author, track=track)
    if len(step) == 2:
        search_replace.replace_text(writer, search_replace.Query(step[0]), step[1], None)
    elif step[0] != step[1]:
        paragraphs = {
            text_of(paragraph)[:2]: document.anchor(paragraph)
            for paragraph in document.body.iter(P)
            if text_of(paragraph)
        }
        move = BlockEdit("move", paragraphs[f"P{step[0]}"], beside=paragraphs[f"P{step[1]}"], position=step[2])
        block_edits.edit_blocks(writer, [move])


@settings(max_examples=30)
@given(STEPS)
def test_moves_and_replacements_of_several_authors_are_settled_to_the_old_or_the_new_text(
    tmp_path_factory: pytest.TempPathFactory, steps: Any
) -> None:
    path = tmp_path_factory.mktemp("moves") / "a.docx"
    new_document = docx.Document()
    for number in range(4):
        new_document.add_paragraph(f"P{number} alpha beta gamma alpha")
    new_document.save(str(path))
    untracked, tracked = Document.open(path), Document.open(path)
    before = block_text(untracked.body)
    for author, step in steps:
        apply_step(untracked, author, step, track=False)
        apply_step(tracked, author, step, track=True)
    tracked.save(path)
    for accept, expected_text in ((True, block_text(untracked.body)), (False, before)):
        document = Document.open(path)
        revisions.settle_changes(document, revisions.Which(), accept=accept)
        assert block_text(document.body) == expected_text
