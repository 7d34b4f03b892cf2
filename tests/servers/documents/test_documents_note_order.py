"""Notes stand in their part in the order of their marks, as LibreOffice and so the PDF show them."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from support.answers import Call


@pytest.fixture
def noted(done: Call, files: Path) -> Any:
    """Two paragraphs; the second got its footnote first."""

    def write(kind: str = "footnote") -> Path:
        path = files / "noted.docx"
        blocks = [{"text": "First place."}, {"text": "Second place."}]
        done("edit_blocks", path="noted.docx", edits=[{"op": "insert", "blocks": blocks}])
        for word in ("Second", "First"):
            add = {"op": "add", "kind": kind, "text": f"{word} place.", "note": f"Note of {word}."}
            done("edit_notes", path="noted.docx", edits=[add])
        return path

    return write


def read_note_order(path: Any, kind: str = "footnote") -> Any:
    """The texts of the notes, as they stand in their part; the separators are empty."""
    with zipfile.ZipFile(path) as archive:
        data = archive.read(f"word/{kind}s.xml").decode()
    notes = re.findall(rf"<w:{kind} .*?</w:{kind}>", data, re.DOTALL)
    return ["".join(re.findall(r"<w:t\b[^>]*>([^<]*)", paragraph)).strip() for paragraph in notes]


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_a_note_added_before_another_stands_before_it_in_the_file(noted: Any, kind: str) -> None:
    assert read_note_order(noted(kind), kind) == ["", "", "Note of First.", "Note of Second."]


def test_the_answer_names_the_ids_that_notes_have_now(done: Call, noted: Any) -> None:
    noted()
    answer = done("edit_notes", path="noted.docx", edits=[{"op": "add", "text": "First", "note": "New."}])
    assert answer["done"] == "Edited notes footnote-1"
    assert answer["notes"] == [
        "notes are numbered in the order of the text: footnote-1 is now footnote-2, footnote-2 is now footnote-3"
    ]
    change = {"op": "change", "id": "footnote-3", "note": "Second anew."}
    assert "notes" not in done("edit_notes", path="noted.docx", edits=[change])
    listed = done("read_annotations", path="noted.docx", kind="notes")["notes"]
    assert [(note["id"], note["note"]) for note in listed][1:] == [
        ("footnote-2", "Note of First."),
        ("footnote-3", "Second anew."),
    ]


def test_a_pdf_shows_each_note_under_its_own_number(noted: Any, done: Call, files: Path) -> None:
    noted()
    done("convert_document", path="noted.docx", target="noted.pdf")
    with pypdfium2.PdfDocument(files / "noted.pdf") as pdf:
        text = " ".join(pdf[0].get_textpage().get_text_range().split())
    assert text.index("Note of First.") < text.index("Note of Second.")


def test_notes_go_with_the_blocks_that_move(noted: Any, done: Call, anchor: Callable[..., str]) -> None:
    path = noted()
    second, first = (anchor("noted.docx", word) for word in ("Second", "First"))
    move = {"op": "move", "anchor": second, "beside": first, "position": "before"}
    done("edit_blocks", path="noted.docx", edits=[move])
    assert read_note_order(path)[2:] == ["Note of Second.", "Note of First."]


def test_notes_of_joined_documents_stand_in_the_order_of_the_text(noted: Any, done: Call, files: Path) -> None:
    noted()
    done("merge_documents", paths=["noted.docx", "noted.docx"], target="both.docx")
    assert read_note_order(files / "both.docx")[2:] == ["Note of First.", "Note of Second."] * 2


def test_notes_in_another_order_stay_byte_for_byte_where_none_comes_or_goes(
    noted: Any, done: Call, files: Path
) -> None:
    path = noted()
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    notes_xml = members["word/footnotes.xml"].decode()
    first, second = re.findall(r'<w:footnote w:id="\d+">.*?</w:footnote>', notes_xml, re.DOTALL)
    swapped = notes_xml.replace(first + second, second + first).encode()
    assert swapped != notes_xml.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**members, "word/footnotes.xml": swapped}.items():
            archive.writestr(name, data)
    done("replace_document_text", path="noted.docx", replacements=[{"find": "place", "replace": "spot"}])
    with zipfile.ZipFile(path) as archive:
        assert archive.read("word/footnotes.xml") == swapped
