"""Footnotes and endnotes: real ones, with marks, separators and styles that Word expects."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import tool
from yardkit.servers.documents.dialects.toolathlon.app import (
    Doc,
    FontName,
    FontSize,
    Output,
    ParagraphIndex,
    edit_text,
    find_near_paragraph,
    is_contents,
    mcp,
    open_writer,
    paragraph_at,
)
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.markup.specs import Look
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.places import Place
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import note_settings, notes
from yardkit.servers.documents.engine.review.note_settings import NoteCheck
from yardkit.world import Problem

NoteText = Annotated[str, Field(description="Text of the note.", min_length=1)]
SearchText = Annotated[str, Field(description="Text of the body; its first place counts.", min_length=1)]
NoteId = Annotated[int | None, Field(description="Id, as validate_document_footnotes lists them.")]
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


@tool(mcp, writes=True, idempotent=False)
def add_footnote_to_document(filename: Doc, paragraph_index: ParagraphIndex, footnote_text: NoteText) -> Text:
    """Add a footnote to a specific paragraph in a Word document, at its end."""
    return _add(filename, footnote_text, index=paragraph_index)


@tool(mcp, writes=True, idempotent=False, destructive=True)
def add_footnote_after_text(
    filename: Doc, search_text: SearchText, footnote_text: NoteText, output_filename: Output = None
) -> Text:
    """Add a footnote after specific text with proper superscript formatting."""
    return _add(filename, footnote_text, text=search_text, output=output_filename)


@tool(mcp, writes=True, idempotent=False, destructive=True)
def add_footnote_before_text(
    filename: Doc, search_text: SearchText, footnote_text: NoteText, output_filename: Output = None
) -> Text:
    """Add a footnote before specific text with proper superscript formatting."""
    return _add(filename, footnote_text, text=search_text, before=True, output=output_filename)


@tool(mcp, writes=True, idempotent=False, destructive=True)
def add_footnote_enhanced(
    filename: Doc, paragraph_index: ParagraphIndex, footnote_text: NoteText, output_filename: Output = None
) -> Text:
    """Enhanced footnote addition with guaranteed superscript formatting, at the end of a paragraph."""
    return _add(filename, footnote_text, index=paragraph_index, output=output_filename)


@tool(mcp, writes=True, idempotent=False)
def add_endnote_to_document(filename: Doc, paragraph_index: ParagraphIndex, endnote_text: NoteText) -> Text:
    """Add an endnote to a specific paragraph in a Word document, at its end."""
    return _add(filename, endnote_text, index=paragraph_index, kind="endnote")


@tool(mcp, writes=True, idempotent=False)
def add_footnote_robust(
    filename: Doc,
    search_text: Annotated[str | None, Field(description="Text after which it stands.")] = None,
    paragraph_index: Annotated[int | None, Field(description="Paragraph instead, from 0.", ge=0)] = None,
    footnote_text: Annotated[str, Field(description="Text of the note.")] = "",
    validate_location: Annotated[bool, Field(description="Refuse lines of a table of contents.")] = True,
    auto_repair: Annotated[bool, Field(description="Also mend broken notes of the document.")] = False,
) -> Text:
    """Add footnote with robust validation and Word compliance."""
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


@tool(mcp, writes=True)
def customize_footnote_style(
    filename: Doc,
    numbering_format: Annotated[
        Literal["1, 2, 3", "i, ii, iii", "I, II, III", "a, b, c", "A, B, C", "*, †, ‡"],
        Field(description="Of the marks."),
    ] = "1, 2, 3",
    start_number: Annotated[int, Field(description="Of the first note.", ge=1)] = 1,
    font_name: FontName = None,
    font_size: FontSize = None,
) -> Text:
    """Customize footnote numbering and formatting in a Word document."""
    with open_writer(filename) as writer:
        note_settings.set_numbering(writer.document, "footnote", _NUMBER_FORMATS[numbering_format], start_number)
        note_settings.set_look(writer.document, "footnote", Look(font=font_name, size_pt=font_size))
    return edit_text(f"Footnotes are numbered {numbering_format}, from {start_number} on.", writer)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_footnote_from_document(
    filename: Doc,
    footnote_id: NoteId = None,
    search_text: Annotated[str | None, Field(description="Text of its paragraph instead.")] = None,
    output_filename: Output = None,
) -> Text:
    """Delete a footnote from a Word document, with its mark."""
    return _delete_note(filename, footnote_id, search_text, output_filename, clean=False)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_footnote_robust(
    filename: Doc,
    footnote_id: NoteId = None,
    search_text: Annotated[str | None, Field(description="Text of its paragraph instead.")] = None,
    clean_orphans: Annotated[bool, Field(description="Also notes that no mark names.")] = True,
) -> Text:
    """Delete footnote with comprehensive cleanup and orphan removal."""
    return _delete_note(filename, footnote_id, search_text, None, clean=clean_orphans)


@tool(mcp, bulk=True)
def validate_document_footnotes(filename: Doc) -> Validation:
    """Validate all footnotes in document for coherence and compliance, and list them."""
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
