"""What hangs on text that is deleted goes with it; what also hangs on other text stays."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from lxml import etree
from support.answers import Call

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture
def noted(files: Path, done: Call) -> Any:
    """Paragraphs and a table with a comment on each of some, an answer, a comment over two, and a footnote."""
    document = docx.Document()
    for text in ("First.", "Second.", "Third.", "Fourth."):
        document.add_paragraph(text)
    table = document.add_table(2, 2)
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells.cells):
            cell.text = f"cell {row}{column}"
    _, second, third, fourth = document.paragraphs[:4]
    document.add_comment(second.runs, text="why?", author="A", initials="A")
    document.add_comment([*third.runs, *fourth.runs], text="both", author="B", initials="B")
    document.add_comment(table.cell(1, 1).paragraphs[0].runs, text="in the table", author="B", initials="B")
    document.save(str(files / "n.docx"))
    done("edit_comments", path="n.docx", edits=[{"op": "reply", "id": "0", "comment": "because"}])
    done("edit_notes", path="n.docx", edits=[{"op": "add", "kind": "footnote", "text": "Second", "note": "See there."}])
    return files / "n.docx"


def read_part(path: Any, name: Any) -> Any:
    with zipfile.ZipFile(path) as archive:
        return etree.fromstring(archive.read(name))


def list_comments(done: Any) -> Any:
    comments = done("read_annotations", path="n.docx", kind="comments")["comments"]
    return [(comment["comment"], comment.get("on", "")) for comment in comments]


def test_comments_with_their_answers_and_notes_go_with_the_paragraph(
    noted: Any, done: Call, anchor: Callable[..., str]
) -> None:
    edit = {"op": "delete", "anchor": anchor("n.docx", "Second.")}
    answer = done("edit_blocks", path="n.docx", edits=[edit])
    assert answer["notes"] == ["2 comments and 1 footnote of the deleted text also deleted"]
    assert [comment for comment, _ in list_comments(done)] == ["both", "in the table"]
    assert "See there." not in read_part(noted, "word/footnotes.xml").xpath("string()")
    assert len(read_part(noted, "word/commentsExtended.xml")) == 0


@pytest.mark.parametrize(("gone", "stays"), [("Third.", "Fourth."), ("Fourth.", "Third.")])
def test_a_comment_over_two_paragraphs_stays_on_the_one_that_stays(
    noted: Any, done: Call, anchor: Callable[..., str], gone: str, stays: str
) -> None:
    answer = done("edit_blocks", path="n.docx", edits=[{"op": "delete", "anchor": anchor("n.docx", gone)}])
    assert "notes" not in answer
    assert ("both", stays) in list_comments(done)
    body = read_part(noted, "word/document.xml")
    references = [comment_reference.get(f"{W}id") for comment_reference in body.iter(f"{W}commentReference")]
    assert references.count("1") == 1
    assert all(
        next(comment_reference.iterancestors(f"{W}p"), None) is not None
        for comment_reference in body.iter(f"{W}commentReference")
    )


@pytest.mark.parametrize("order", [["Third.", "Fourth."], ["Fourth.", "Third."], ["Third."]])
def test_a_comment_goes_when_all_paragraphs_that_it_is_on_are_deleted(
    noted: Any, done: Call, anchor: Callable[..., str], order: list[str]
) -> None:
    edits = [{"op": "delete", "anchor": anchor("n.docx", text)} for text in order]
    if len(order) == 1:
        edits[0]["to"] = anchor("n.docx", "Fourth.")
    answer = done("edit_blocks", path="n.docx", edits=edits)
    assert answer["notes"] == ["1 comment of the deleted text also deleted"]
    assert "both" not in [comment for comment, _ in list_comments(done)]
    body = read_part(noted, "word/document.xml")
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert "1" not in [mark.get(f"{W}id") for mark in body.iter(f"{W}{name}")]


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "delete_rows", "range": "2"},
        {"op": "delete_columns", "range": "B"},
        {"op": "set_cells", "range": "B2", "values": [[""]]},
    ],
)
def test_comments_in_a_table_go_with_their_cells(
    noted: Any, done: Call, anchor: Callable[..., str], edit: dict[str, Any]
) -> None:
    answer = done("edit_document_table", path="n.docx", anchor=anchor("n.docx", "table"), edits=[edit])
    assert answer["notes"] == ["1 comment of the deleted text also deleted"]
    assert "in the table" not in [comment for comment, _ in list_comments(done)]
    marks = [
        comment_reference.get(f"{W}id")
        for comment_reference in read_part(noted, "word/document.xml").iter(f"{W}commentReference")
    ]
    assert sorted(marks) == ["0", "1", "3"]


def test_tracked_deletions_leave_comments_and_notes_where_they_are(
    noted: Any, done: Call, anchor: Callable[..., str]
) -> None:
    edit = {"op": "delete", "anchor": anchor("n.docx", "Second.")}
    done("edit_blocks", path="n.docx", edits=[edit], track=True)
    assert len(list_comments(done)) == 4


def test_blocks_that_move_take_their_comments_along(noted: Any, done: Call, anchor: Callable[..., str]) -> None:
    edit = {"op": "move", "anchor": anchor("n.docx", "Second."), "beside": anchor("n.docx", "Fourth.")}
    done("edit_blocks", path="n.docx", edits=[edit])
    assert ("why?", "Second.") in list_comments(done)


def test_a_paragraph_in_whose_place_another_comes_loses_its_comments_too(
    noted: Any, done: Call, anchor: Callable[..., str]
) -> None:
    edit = {
        "op": "replace",
        "anchor": anchor("n.docx", "Second."),
        "blocks": [{"kind": "paragraph", "text": "Anew."}],
    }
    answer = done("edit_blocks", path="n.docx", edits=[edit])
    assert answer["notes"] == ["2 comments and 1 footnote of the deleted text also deleted"]


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_comments_and_notes_go_with_a_tracked_deletion_that_is_accepted(
    noted: Any, done: Call, anchor: Callable[..., str], action: str
) -> None:
    edit = {"op": "delete", "anchor": anchor("n.docx", "Second.")}
    done("edit_blocks", path="n.docx", edits=[edit], track=True)
    answer = done("settle_changes", path="n.docx", action=action)
    left = ["both", "in the table"] if action == "accept" else ["why?", "both", "in the table", "because"]
    assert [comment for comment, _ in list_comments(done)] == left
    note = ["2 comments and 1 footnote of the deleted text also deleted"] if action == "accept" else None
    assert answer.get("notes") == note
    assert ("See there." in read_part(noted, "word/footnotes.xml").xpath("string()")) == (action == "reject")


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_comment_on_an_insertion_goes_when_that_is_rejected(
    noted: Any, done: Call, anchor: Callable[..., str], action: str
) -> None:
    edit = {"op": "insert", "anchor": anchor("n.docx", "First."), "blocks": [{"text": "New."}]}
    done("edit_blocks", path="n.docx", edits=[edit], track=True)
    done("edit_comments", path="n.docx", edits=[{"op": "add", "text": "New.", "comment": "on the new"}])
    answer = done("settle_changes", path="n.docx", action=action)
    assert ("on the new" in [comment for comment, _ in list_comments(done)]) == (action == "accept")
    assert answer.get("notes") == (None if action == "accept" else ["1 comment of the deleted text also deleted"])


def test_a_comment_on_text_that_was_replaced_stays_on_the_new_text(
    noted: Any, done: Call, anchor: Callable[..., str]
) -> None:
    swap = [{"find": "Second", "replace": "Another"}]
    done("replace_document_text", path="n.docx", replacements=swap, track=True)
    answer = done("settle_changes", path="n.docx", action="accept")
    assert "notes" not in answer
    assert ("why?", "Another.") in list_comments(done)


@pytest.mark.parametrize("track", [True, False])
@pytest.mark.parametrize(("row", "stays"), [("1", "row 1"), ("2", "row 0")])
def test_a_comment_over_two_rows_stays_on_the_one_that_stays(
    files: Path, done: Call, anchor: Callable[..., str], row: str, stays: str, track: bool
) -> None:
    document = docx.Document()
    document.add_paragraph("Before.")
    table = document.add_table(2, 1)
    for number in range(2):
        table.cell(number, 0).text = f"row {number}"
    document.save(str(files / "n.docx"))
    at = anchor("n.docx", "table")
    done("edit_comments", path="n.docx", edits=[{"op": "add", "anchor": at, "comment": "both rows"}])
    answer = done(
        "edit_document_table", path="n.docx", anchor=at, edits=[{"op": "delete_rows", "range": row}], track=track
    )
    if track:
        answer = done("settle_changes", path="n.docx", action="accept")
    assert "notes" not in answer
    assert list_comments(done) == [("both rows", stays)]
    body = read_part(files / "n.docx", "word/document.xml")
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert [mark.get(f"{W}id") for mark in body.iter(f"{W}{name}")] == ["0"]


def test_a_comment_goes_with_the_row_it_is_in_when_that_is_settled(
    noted: Any, done: Call, anchor: Callable[..., str]
) -> None:
    edit = {"op": "delete_rows", "range": "2"}
    done("edit_document_table", path="n.docx", anchor=anchor("n.docx", "table"), edits=[edit], track=True)
    answer = done("settle_changes", path="n.docx", action="accept")
    assert answer["notes"] == ["1 comment of the deleted text also deleted"]
    assert [comment for comment, _ in list_comments(done)] == ["why?", "both", "because"]


def test_a_comment_in_a_footnote_goes_with_the_footnote(noted: Any, done: Call, anchor: Callable[..., str]) -> None:
    note = done("read_document", path="n.docx", story="footnotes")["blocks"][-1]["anchor"]
    done(
        "edit_comments", path="n.docx", edits=[{"op": "add", "anchor": note, "text": "See there", "comment": "where?"}]
    )
    answer = done("edit_blocks", path="n.docx", edits=[{"op": "delete", "anchor": anchor("n.docx", "Second.")}])
    assert answer["notes"] == ["3 comments and 1 footnote of the deleted text also deleted"]
    assert [comment for comment, _ in list_comments(done)] == ["both", "in the table"]


@pytest.mark.parametrize("text", ["new", "new\nlines"])
def test_a_comment_and_a_bookmark_on_a_cell_are_on_its_new_text(
    noted: Any, done: Call, anchor: Callable[..., str], text: str
) -> None:
    at = anchor("n.docx", "table")
    cell = done("search_document", path="n.docx", query="cell 11")["hits"][0]["anchor"]
    done("edit_references", path="n.docx", edits=[{"op": "bookmark", "anchor": cell, "name": "sum"}])
    edits = [{"op": "set_cells", "range": "B2", "values": [[text]]}]
    answer = done("edit_document_table", path="n.docx", anchor=at, edits=edits)
    assert "notes" not in answer
    assert ("in the table", text) in list_comments(done)
    body = read_part(noted, "word/document.xml")
    [mark] = [bookmark for bookmark in body.iter(f"{W}bookmarkStart") if bookmark.get(f"{W}name") == "sum"]
    [end] = [bookmark for bookmark in body.iter(f"{W}bookmarkEnd") if bookmark.get(f"{W}id") == mark.get(f"{W}id")]
    cell = next(mark.iterancestors(f"{W}tc"))
    assert end in list(cell.iter())
    assert "".join(cell.itertext()) == text.replace("\n", "")


def test_new_rows_have_no_comments_of_the_row_that_they_look_like(
    noted: Any, done: Call, anchor: Callable[..., str]
) -> None:
    edits = [{"op": "insert_rows", "values": [["a", "b"]]}]
    done("edit_document_table", path="n.docx", anchor=anchor("n.docx", "table"), edits=edits)
    marks = [
        comment_range_start.get(f"{W}id")
        for comment_range_start in read_part(noted, "word/document.xml").iter(f"{W}commentRangeStart")
    ]
    assert sorted(marks) == ["0", "1", "2", "3"]
