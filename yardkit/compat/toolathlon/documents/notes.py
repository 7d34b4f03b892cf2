"""Footnotes and endnotes: real ones, with marks, separators and styles that Word expects."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.compat.toolathlon.documents.app import (
    Doc,
    NewDoc,
    edit_text,
    find_near_paragraph,
    is_contents,
    open_writer,
    paragraph_at,
)
from yardkit.kit.dialect import Text
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.markup.specs import Look
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.places import Place
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import note_settings, notes
from yardkit.servers.documents.engine.review.note_settings import NoteCheck
from yardkit.world import Problem

_NUMBER_FORMATS: dict[str, note_settings.Numbers] = {
    "1, 2, 3": "decimal", "i, ii, iii": "lowerRoman", "I, II, III": "upperRoman", "a, b, c": "lowerLetter",
    "A, B, C": "upperLetter", "*, †, ‡": "chicago",
}  # fmt: skip


@dataclass(frozen=True)
class Footnote:
    """A footnote, and the text before its mark."""

    id: int
    number: int
    text: str
    after: str


@dataclass(frozen=True)
class Validation:
    """Whether the notes of a document are whole, and what is wrong."""

    valid: bool
    message: str
    total_references: int
    total_footnotes: int
    footnotes: list[Footnote]
    checks: list[NoteCheck]


def add_footnote_to_document(filename: Doc, paragraph_index: int, footnote_text: str) -> Text:
    return _add(filename, footnote_text, index=paragraph_index)


def add_footnote_after_text(
    filename: Doc, search_text: str, footnote_text: str, output_filename: NewDoc | None = None
) -> Text:
    return _add(filename, footnote_text, text=search_text, output=output_filename)


def add_footnote_before_text(
    filename: Doc, search_text: str, footnote_text: str, output_filename: NewDoc | None = None
) -> Text:
    return _add(filename, footnote_text, text=search_text, before=True, output=output_filename)


def add_footnote_enhanced(
    filename: Doc, paragraph_index: int, footnote_text: str, output_filename: NewDoc | None = None
) -> Text:
    return _add(filename, footnote_text, index=paragraph_index, output=output_filename)


def add_endnote_to_document(filename: Doc, paragraph_index: int, endnote_text: str) -> Text:
    return _add(filename, endnote_text, index=paragraph_index, kind="endnote")


def add_footnote_robust(
    filename: Doc,
    search_text: str | None = None,
    paragraph_index: int | None = None,
    footnote_text: str = "",
    validate_location: bool = True,
    auto_repair: bool = False,
) -> Text:
    if (search_text is None) == (paragraph_index is None):
        raise Problem("give search_text or paragraph_index, one of them")
    with open_writer(filename) as writer:
        done = note_settings.repair_notes(writer.document) if auto_repair else []
        place = _find_location(writer.document, search_text, paragraph_index)
        if validate_location and is_contents(writer.document, place.paragraph):
            raise Problem(
                f"{text_of(place.paragraph)[:60]!r} is a line of a table of contents, which is "
                "regenerated; give the heading itself or a text below it"
            )
        identity = notes.add_at(writer.document, "footnote", place, footnote_text)
        writer.notes += done
        writer.written.append(place.paragraph)
    return edit_text(_report_added(writer, identity, place, filename), writer)


def customize_footnote_style(
    filename: Doc,
    numbering_format: str = "1, 2, 3",
    start_number: int = 1,
    font_name: str | None = None,
    font_size: float | None = None,
) -> Text:
    with open_writer(filename) as writer:
        note_settings.set_numbering(writer.document, "footnote", _NUMBER_FORMATS[numbering_format], start_number)
        note_settings.set_look(writer.document, "footnote", Look(font=font_name, size_pt=font_size))
    return edit_text(f"Footnotes are numbered {numbering_format}, from {start_number} on.", writer)


def delete_footnote_from_document(
    filename: Doc, footnote_id: int | None = None, search_text: str | None = None, output_filename: NewDoc | None = None
) -> Text:
    return _delete_note(filename, footnote_id, search_text, output_filename, clean=False)


def delete_footnote_robust(
    filename: Doc, footnote_id: int | None = None, search_text: str | None = None, clean_orphans: bool = True
) -> Text:
    return _delete_note(filename, footnote_id, search_text, None, clean=clean_orphans)


def validate_document_footnotes(filename: Doc) -> Validation:
    document = Document.open(filename)
    checks = note_settings.check_notes(document)
    valid, footnotes = all(check.is_consistent for check in checks), checks[0]
    listed = [
        Footnote(_get_number(note.id), note.number, note.note, note.after)
        for note in notes.read_notes(document)
        if note.kind == "footnote"
    ]
    message = (
        "All notes are whole" if valid else "Some notes are broken; add_footnote_robust with auto_repair mends them"
    )
    return Validation(valid, message, footnotes.marks, footnotes.notes, listed, [] if valid else checks)


def _add(
    path: Path,
    note: str,
    *,
    text: str | None = None,
    index: int | None = None,
    before: bool = False,
    kind: notes.Kind = "footnote",
    output: Path | None = None,
) -> Text:
    with open_writer(path, output) as writer:
        place = _find_location(writer.document, text, index, before=before)
        identity = notes.add_at(writer.document, kind, place, note)
        writer.written.append(place.paragraph)
    return edit_text(_report_added(writer, identity, place, output or path), writer)


def _find_location(document: Document, text: str | None, index: int | None, *, before: bool = False) -> Place:
    """The end of a paragraph, or the place behind (or before) a text."""
    if text is None:
        paragraph = paragraph_at(document, index if index is not None else -1)
        return Place(paragraph, 0, len(text_of(paragraph)))
    paragraph = find_near_paragraph(document, text, None)
    start = text_of(paragraph).index(text)
    return Place(paragraph, 0, start) if before else Place(paragraph, start, start + len(text))


def _report_added(writer: Writer, identity: str, place: Place, path: Path) -> str:
    kind, _, number = writer.document.renumbered.get(identity, identity).partition("-")
    text = text_of(place.paragraph)[: place.end][-40:]
    return f"{kind.capitalize()} added to {path.name} behind '{text}' (id {number})."


def _delete_note(path: Path, number: int | None, text: str | None, output: Path | None, *, clean: bool) -> Text:
    with open_writer(path, output) as writer:
        identity = f"footnote-{number}" if number is not None else _note_near(writer.document, text)
        notes.edit_notes(writer.document, [notes.NoteEdit("delete", identity)])
        writer.notes += _drop_orphans(writer) if clean else []
    return edit_text(f"Footnote deleted (id {_get_number(identity)}).", writer)


def _drop_orphans(writer: Writer) -> list[str]:
    return [
        line
        for note_check in note_settings.check_notes(writer.document)
        for line in note_settings.drop_orphans(writer.document, note_check)
    ]


def _note_near(document: Document, text: str | None) -> str:
    """The id of the first footnote of the paragraph that holds a text.

    Raises:
        Problem: no text is given, or its paragraph has no footnote.
    """
    if not text:
        raise Problem("give footnote_id, or search_text, a text of the paragraph with the footnote")
    paragraph: Any = find_near_paragraph(document, text, None)
    anchor = document.anchor(paragraph)
    near_note = next(
        (note for note in notes.read_notes(document) if note.anchor == anchor and note.kind == "footnote"), None
    )
    if near_note is None:
        raise Problem(f"the paragraph with the text {text!r} has no footnote; validate_document_footnotes lists all")
    return near_note.id


def _get_number(identity: str) -> int:
    return int(identity.rpartition("-")[2])
