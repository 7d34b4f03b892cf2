"""Moves and deletions of what holds pending changes: rejected, all reads as it did; accepted, as if done untracked."""

import docx
import pytest
from docx.oxml.ns import qn

TEXT = ["First.", "The Customer pays.", "The Customer signs the paper.", "Last."]
ROWS = [["a", "1"], ["b", "2"], ["c", "3"]]


def texts(path):
    body = docx.Document(str(path)).element.body
    return ["".join(node.text or "" for node in each.iter(qn("w:t"))) for each in body.iter(qn("w:p"))]


def anchor_of(done, path, start):
    blocks = done("read_document", path=path)["blocks"]
    return next(each["anchor"] for each in blocks if start == each["kind"] or each.get("text", "").startswith(start))


def swap(old, new):
    return lambda done, **how: done("replace_document_text", replacements=[{"find": old, "replace": new}], **how)


def edit(op, start, beside="", position="before", **more):
    def run(done, path, **how):
        aim = {"beside": anchor_of(done, path, beside), "position": position} if beside else {}
        edits = [{"op": op, "anchor": anchor_of(done, path, start), **aim, **more}]
        done("edit_blocks", path=path, edits=edits, **how)

    return run


def rows(op, span):
    def run(done, path, **how):
        edits = [{"op": op, "range": span}]
        done("edit_document_table", path=path, anchor=anchor_of(done, path, "table"), edits=edits, **how)

    return run


def move_two(done, path, **how):
    """Move the second paragraph, where changes are tracked with the third, which is deleted already."""
    found = [each["anchor"] for each in done("read_document", path=path)["blocks"]]
    edits = [
        {"op": "move", "anchor": found[1], "to": found[1 + how["track"]], "beside": found[0], "position": "before"}
    ]
    done("edit_blocks", path=path, edits=edits, **how)


new = edit("insert", "First", position="after", blocks=[{"text": "Brand new words."}])
move = edit("move", "The C", "First")
CASES = {
    "own replacement": [("Ann", swap("Customer", "Client")), ("Ann", move)],
    "another's replacement": [("Ann", swap("Customer", "Client")), ("Bob", move)],
    "three authors": [
        ("Ann", swap("Customer", "Client")),
        ("Bob", swap("pays", "always pays")),
        ("Cem", move),
        ("Ann", swap("always", "never")),
    ],
    "a new paragraph of another": [("Ann", new), ("Bob", edit("move", "Brand", "Last"))],
    "a new paragraph of one's own": [("Ann", new), ("Ann", edit("move", "Brand", "Last"))],
    "a new paragraph deleted by another": [("Ann", new), ("Bob", edit("delete", "Brand"))],
    "a paragraph with a deleted one": [("Ann", edit("delete", "The Customer signs")), ("Bob", move_two)],
    "moved twice": [("Ann", swap("pays", "paid")), ("Bob", move), ("Cem", edit("move", "The Customer paid", "Last"))],
    "a table with other rows": [
        ("Ann", rows("delete_rows", "2")),
        ("Ann", rows("insert_rows", "2")),
        ("Bob", edit("move", "table", "First")),
    ],
}


@pytest.fixture
def twins(files):
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
    return texts(files / "plain.docx")


@pytest.mark.parametrize("action", ["accept", "reject"])
@pytest.mark.parametrize("case", CASES)
def test_a_move_of_changed_text_is_settled_to_the_old_or_the_new_text(files, done, twins, case, action):
    for author, change in CASES[case]:
        change(done, path="plain.docx", author=author, track=False)
        change(done, path="tracked.docx", author=author, track=True)
    wanted = texts(files / "plain.docx") if action == "accept" else twins
    done("settle_changes", path="tracked.docx", action=action)
    assert texts(files / "tracked.docx") == wanted
    assert not done("read_annotations", path="tracked.docx", kind="changes")["total"]


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_changes_of_several_authors_are_settled_one_author_after_the_other(files, done, twins, action):
    for author, change in CASES["another's replacement"]:
        change(done, path="plain.docx", author=author, track=False)
        change(done, path="tracked.docx", author=author, track=True)
    for author in ("Bob", "Ann"):
        done("settle_changes", path="tracked.docx", action=action, authors=[author])
    assert texts(files / "tracked.docx") == (texts(files / "plain.docx") if action == "accept" else twins)


def test_the_answer_tells_of_the_changes_that_were_moved(files, done, twins):
    swap("Customer", "Client")(done, path="tracked.docx", author="Ann", track=True)
    edits = [{"op": "move", "anchor": anchor_of(done, "tracked.docx", "The Cl")}]
    edits[0] |= {"beside": anchor_of(done, "tracked.docx", "First")}
    notes = done("edit_blocks", path="tracked.docx", edits=edits, author="Bob", track=True)["notes"]
    assert "tracked changes of Ann" in notes[0]
