"""A protection that Word enforces: edits are tracked where it asks for that, and told where it forbids them."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import Call

SWAP = [{"find": "old", "replace": "new"}]


@pytest.fixture
def guarded(done: Call, files: Path) -> Any:
    """A document that is protected in a mode."""

    def write(mode: str) -> str:
        blocks = [{"text": "The old price."}]
        done("edit_blocks", path="guarded.docx", edits=[{"op": "insert", "blocks": blocks}])
        done("protect_document", path="guarded.docx", mode=mode)
        return "guarded.docx"

    return write


def read_part(files: Any, name: Any) -> Any:
    with zipfile.ZipFile(files / "guarded.docx") as archive:
        return archive.read(f"word/{name}.xml").decode()


def test_edits_are_tracked_in_a_document_protected_for_tracked_changes(guarded: Any, done: Call, files: Path) -> None:
    path = guarded("tracked_changes")
    assert "<w:trackRevisions/>" in read_part(files, "settings").replace(" />", "/>")
    answer = done("replace_document_text", path=path, replacements=SWAP)
    assert not [note for note in answer["notes"] if "protected" in note]
    changes = done("read_annotations", path=path, kind="changes")["changes"]
    assert [change["kind"] for change in changes] == ["deletion", "insertion"]


def test_the_protection_alone_makes_edits_tracked(guarded: Any, done: Call, files: Path) -> None:
    path = guarded("tracked_changes")
    with zipfile.ZipFile(files / path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    settings = members["word/settings.xml"]
    members["word/settings.xml"] = settings.replace(b"<w:trackRevisions/>", b"")
    assert members["word/settings.xml"] != settings
    with zipfile.ZipFile(files / path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    done("replace_document_text", path=path, replacements=SWAP)
    assert "<w:del " in read_part(files, "document")


def test_nobody_leaves_the_marks_out_where_the_protection_asks_for_them(guarded: Any, call: Call, files: Path) -> None:
    path = guarded("tracked_changes")
    before = (files / path).read_bytes()
    for tool, arguments in (
        ("replace_document_text", {"replacements": SWAP, "track": False}),
        ("settle_changes", {"action": "stop_tracking"}),
    ):
        answer = call(tool, path=path, **arguments)
        assert answer.is_error
        assert "protect_document(mode='none')" in answer.content[0].text
    assert (files / path).read_bytes() == before


def test_lifting_the_protection_leaves_tracking_on_and_says_so(guarded: Any, done: Call) -> None:
    path = guarded("tracked_changes")
    answer = done("protect_document", path=path, mode="none")
    assert "still tracked" in answer["notes"][0]
    done("settle_changes", path=path, action="stop_tracking")
    done("replace_document_text", path=path, replacements=SWAP)
    assert done("read_annotations", path=path, kind="changes")["total"] == 0


@pytest.mark.parametrize(
    ("mode", "comments_told"), [("read_only", True), ("comments", False), ("forms", True), ("tracked_changes", False)]
)
def test_what_word_would_not_let_through_is_done_and_told(
    guarded: Any, done: Call, anchor: Callable[..., str], mode: str, comments_told: bool
) -> None:
    path = guarded(mode)
    forbidden = mode != "tracked_changes"
    notice = f"the document is protected ({mode})"
    changed = done("replace_document_text", path=path, replacements=SWAP)
    assert any(note.startswith(notice) for note in changed["notes"]) == forbidden
    noted = done("edit_notes", path=path, edits=[{"op": "add", "anchor": anchor(path, "price"), "note": "Net."}])
    assert any(note.startswith(notice) for note in noted.get("notes", [])) == forbidden
    remarked = done("edit_comments", path=path, edits=[{"op": "add", "text": "price", "comment": "Why?"}])
    assert any(note.startswith(notice) for note in remarked.get("notes", [])) == comments_told
