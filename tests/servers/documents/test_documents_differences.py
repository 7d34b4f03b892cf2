"""Documents compared beyond the words of their bodies: notes, headers, formats, comments, styles; as redlines too."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import Call

from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review import revisions


@pytest.fixture
def pair(done: Call, files: Path) -> None:
    """a.docx, and b.docx, which is the same until something is done to it."""
    blocks = [{"text": "The price is ten euros."}, {"text": "It holds for a year."}]
    done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": blocks}])
    done("edit_notes", path="a.docx", edits=[{"op": "add", "text": "ten euros", "note": "Without tax."}])
    done("set_page_layout", path="a.docx", layouts=[{"header": "Offer of Monday", "footer": "Page {PAGE}"}])
    shutil.copy(files / "a.docx", files / "b.docx")


@pytest.fixture
def compared(done: Call) -> Any:
    def run(**arguments: Any) -> Any:
        return done("write_redline", path="a.docx", other="b.docx", target="r.docx", **arguments)

    return run


def list_differences(answer: Any) -> Any:
    return [
        (difference["kind"], difference.get("old", ""), difference.get("new", ""))
        for difference in answer["differences"]
    ]


def test_equal_documents_do_not_differ(pair: Any, compared: Any) -> None:
    answer = compared()
    assert answer["total"] == 0
    assert not answer.get("notes")


def test_texts_of_notes_and_headers_are_compared_and_tracked_in_the_redline(
    pair: Any, compared: Any, done: Call, files: Path
) -> None:
    swaps = [{"find": "Without tax", "replace": "With tax"}, {"find": "Monday", "replace": "Friday"}]
    done("replace_document_text", path="b.docx", replacements=swaps)
    answer = compared()
    assert [(kind, old.strip(), new.strip()) for kind, old, new in list_differences(answer)] == [
        ("changed", "Without tax.", "With tax."),
        ("changed", "Offer of Monday", "Offer of Friday"),
    ]
    assert [difference["anchor"].partition(":")[0] for difference in answer["differences"]] == ["footnotes", "header1"]
    assert not answer.get("notes")
    for accept, other in ((True, "b.docx"), (False, "a.docx")):
        document = Document.open(files / "r.docx", to_change=True)
        revisions.settle_changes(document, revisions.Which(), accept=accept)
        document.save(files / "settled.docx")
        assert done("compare_documents", path="settled.docx", other=other)["total"] == 0


@pytest.mark.parametrize(
    ("look", "word"),
    [
        ({"bold": True}, "bold on"),
        ({"italic": True}, "italic on"),
        ({"underline": "single"}, "underline single"),
        ({"strike": True}, "strike on"),
        ({"size_pt": 15}, "size_pt 15.0"),
        ({"color": "FF0000"}, "color FF0000"),
        ({"font": "Arial"}, "font Arial"),
    ],
)
def test_formats_of_text_are_compared_and_tracked_in_the_redline(
    pair: Any, compared: Any, done: Call, anchor: Callable[..., str], look: dict[str, Any], word: str
) -> None:
    edit = {"anchors": [anchor("b.docx", "price")], "find": "ten euros", "look": look}
    done("format_document", path="b.docx", edits=[edit])
    answer = compared()
    name = word.split()[0]
    assert list_differences(answer) == [("format", f"'ten euros': {name} not stated", f"'ten euros': {word}")]
    assert not answer.get("notes")
    assert done("compare_documents", path="r.docx", other="b.docx")["total"] == 0
    done("settle_changes", path="r.docx", action="reject")
    assert done("compare_documents", path="r.docx", other="a.docx")["total"] == 0


def test_alignment_and_styles_are_compared_and_tracked_in_the_redline(
    pair: Any, compared: Any, done: Call, anchor: Callable[..., str]
) -> None:
    edits = [
        {"anchors": [anchor("b.docx", "price")], "style": "Heading 2"},
        {"anchors": [anchor("b.docx", "holds")], "look": {"align": "center"}},
    ]
    done("format_document", path="b.docx", edits=edits)
    answer = compared()
    assert list_differences(answer) == [
        ("style", "Normal", "Heading 2"),
        ("format", "paragraph: align not stated", "paragraph: align center"),
    ]
    assert not answer.get("notes")
    assert done("compare_documents", path="r.docx", other="b.docx")["total"] == 0
    done("settle_changes", path="r.docx", action="reject")
    assert done("compare_documents", path="r.docx", other="a.docx")["total"] == 0


def test_formats_are_compared_beside_changed_words(
    pair: Any, compared: Any, done: Call, anchor: Callable[..., str]
) -> None:
    done("replace_document_text", path="b.docx", replacements=[{"find": "ten", "replace": "twenty"}])
    edit = {"anchors": [anchor("b.docx", "price")], "find": "price", "look": {"bold": True}}
    done("format_document", path="b.docx", edits=[edit])
    assert [kind for kind, *_ in list_differences(compared())] == ["changed", "format"]
    assert not compared().get("notes")


def test_what_a_redline_cannot_carry_is_listed_and_told(
    pair: Any, compared: Any, done: Call, anchor: Callable[..., str]
) -> None:
    done("edit_comments", path="b.docx", edits=[{"op": "add", "text": "year", "comment": "Why?"}])
    done("edit_notes", path="b.docx", edits=[{"op": "add", "text": "holds", "note": "Calendar year."}])
    done("format_document", path="b.docx", edits=[{"define": "Normal", "look": {"size_pt": 13}}])
    answer = compared()
    kinds = [kind for kind, *_ in list_differences(answer)]
    assert kinds == ["inserted", "comment", "definition"]
    assert answer["notes"] == [
        "the redline does not carry all: left out are inserted in footnotes (1), comment (1), definition (1); "
        "the list has them"
    ]


def test_an_item_that_went_does_not_stand_for_the_next_one_that_changed(done: Call, files: Path, compared: Any) -> None:
    items = ["Order the new tyres by Friday.", "Order the new brakes by Monday.", "Call the garage."]
    for name, texts in (("a", items), ("b", ["Order the new brakes by Tuesday.", "Call the garage."])):
        blocks = [{"kind": "bullet", "text": text} for text in texts]
        done("edit_blocks", path=f"{name}.docx", edits=[{"op": "insert", "blocks": blocks}])
    answer = compared()
    assert list_differences(answer) == [
        ("deleted", items[0], ""),
        ("changed", items[1], "Order the new brakes by Tuesday."),
    ]
    changes = revisions.read_changes(Document.open(files / "r.docx"))
    assert [change.text for change in changes if "Monday" in change.text or "Tuesday" in change.text] == [
        "Monday",
        "Tuesday",
    ]
