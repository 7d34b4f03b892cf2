"""What hangs on text that is deleted goes with it; what also hangs on other text stays."""

import zipfile

import docx
import pytest
from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture
def noted(files, done):
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


def part(path, name):
    with zipfile.ZipFile(path) as archive:
        return etree.fromstring(archive.read(name))


def comments(done):
    found = done("read_annotations", path="n.docx", kind="comments")["comments"]
    return [(each["comment"], each.get("on", "")) for each in found]


def test_comments_with_their_answers_and_notes_go_with_the_paragraph(noted, done, anchor):
    edit = {"op": "delete", "anchor": anchor("n.docx", "Second.")}
    answer = done("edit_blocks", path="n.docx", edits=[edit])
    assert answer["notes"] == ["2 comments and 1 footnote on what was deleted went with it"]
    assert [comment for comment, _ in comments(done)] == ["both", "in the table"]
    assert "See there." not in part(noted, "word/footnotes.xml").xpath("string()")
    assert len(part(noted, "word/commentsExtended.xml")) == 0


@pytest.mark.parametrize(("gone", "stays"), [("Third.", "Fourth."), ("Fourth.", "Third.")])
def test_a_comment_over_two_paragraphs_stays_on_the_one_that_stays(noted, done, anchor, gone, stays):
    answer = done("edit_blocks", path="n.docx", edits=[{"op": "delete", "anchor": anchor("n.docx", gone)}])
    assert "notes" not in answer
    assert ("both", stays) in comments(done)
    body = part(noted, "word/document.xml")
    references = [each.get(f"{W}id") for each in body.iter(f"{W}commentReference")]
    assert references.count("1") == 1
    assert all(next(each.iterancestors(f"{W}p"), None) is not None for each in body.iter(f"{W}commentReference"))


@pytest.mark.parametrize("order", [["Third.", "Fourth."], ["Fourth.", "Third."], ["Third."]])
def test_a_comment_goes_when_all_paragraphs_that_it_is_on_are_deleted(noted, done, anchor, order):
    edits = [{"op": "delete", "anchor": anchor("n.docx", text)} for text in order]
    if len(order) == 1:
        edits[0]["to"] = anchor("n.docx", "Fourth.")
    answer = done("edit_blocks", path="n.docx", edits=edits)
    assert answer["notes"] == ["1 comment on what was deleted went with it"]
    assert "both" not in [comment for comment, _ in comments(done)]
    body = part(noted, "word/document.xml")
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert "1" not in [each.get(f"{W}id") for each in body.iter(f"{W}{name}")]


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "delete_rows", "range": "2"},
        {"op": "delete_columns", "range": "B"},
        {"op": "set_cells", "range": "B2", "values": [["new"]]},
    ],
)
def test_comments_in_a_table_go_with_their_cells(noted, done, anchor, edit):
    answer = done("edit_document_table", path="n.docx", anchor=anchor("n.docx", "table"), edits=[edit])
    assert answer["notes"] == ["1 comment on what was deleted went with it"]
    assert "in the table" not in [comment for comment, _ in comments(done)]
    marks = [each.get(f"{W}id") for each in part(noted, "word/document.xml").iter(f"{W}commentReference")]
    assert sorted(marks) == ["0", "1", "3"]


def test_tracked_deletions_leave_comments_and_notes_where_they_are(noted, done, anchor):
    edit = {"op": "delete", "anchor": anchor("n.docx", "Second.")}
    done("edit_blocks", path="n.docx", edits=[edit], track=True)
    assert len(comments(done)) == 4


def test_blocks_that_move_take_their_comments_along(noted, done, anchor):
    edit = {"op": "move", "anchor": anchor("n.docx", "Second."), "beside": anchor("n.docx", "Fourth.")}
    done("edit_blocks", path="n.docx", edits=[edit])
    assert ("why?", "Second.") in comments(done)


def test_a_paragraph_in_whose_place_another_comes_loses_its_comments_too(noted, done, anchor):
    edit = {
        "op": "replace",
        "anchor": anchor("n.docx", "Second."),
        "blocks": [{"kind": "paragraph", "text": "Anew."}],
    }
    answer = done("edit_blocks", path="n.docx", edits=[edit])
    assert answer["notes"] == ["2 comments and 1 footnote on what was deleted went with it"]
