"""MCP surface of the document server: text, tables, pictures, pages, references. `review` has the other half."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import FileRef, tool
from yardkit.servers.documents import review as review
from yardkit.servers.documents.app import AUTHOR, Author, Edited, InDoc, OutDoc, Track, edit_document, mcp
from yardkit.servers.documents.engine.blocks import (
    block_edits,
    block_pages,
    block_reader,
    format_edits,
    image_edits,
    inspection,
    new_documents,
    page_layout,
    table_edits,
)
from yardkit.servers.documents.engine.convert import markdown_pages
from yardkit.servers.documents.engine.fields import forms, references, toc
from yardkit.servers.documents.engine.markup import specs
from yardkit.servers.documents.engine.package import properties as document_properties
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.protection import Operation, protection_notes
from yardkit.servers.documents.engine.package.writer import Writer, anchors_at, check_saved, list_locations
from yardkit.servers.documents.engine.text import search_replace
from yardkit.world import InFile, OutDir, Problem, current_world, lock_file, save_bytes
from yardkit.world.wording import format_count

Find = Annotated[str, Field(description="Text (it may span formats), or regular expression.", min_length=1)]
Regex = Annotated[bool, Field(description="Regular expression (RE2).")]
MatchCase = Annotated[bool, Field(description="Match case.")]
FullWord = Annotated[bool, Field(description="Whole words only.")]
Stories = Annotated[list[str] | None, Field(description="Names of stories; default: all.")]
Offset = Annotated[int, Field(description="Entries to skip.", ge=0)]
Limit = Annotated[int, Field(description="At most this many.", ge=1, le=1000)]
MAX_ANCHORS = 200


@tool(mcp, bulk=True, writes=True, destructive=True)
def create_document(
    path: OutDoc,
    title: Annotated[str, Field(description="Title, also shown on the page.")] = "",
    template: Annotated[
        InFile | None, Field(description="Document to take styles, headers and page layout from.")
    ] = None,
    language: Annotated[str, Field(description="Language of the text.")] = "en-US",
) -> Edited:
    """Create an empty document in clean standard styles (A4) or those of a template; edit_blocks fills it."""
    now = current_world().now
    with lock_file(path, current_world().locks):
        document = new_documents.from_template(template) if template else new_documents.new_document(now, language)
        writer = Writer(document, now)
        if title:
            block_edits.append_blocks(writer, [specs.NewBlock(text=title, style="Title", literal=True)])
            document_properties.set_core(document, {"title": title}, now)
        return _save_and_report(writer, path, f"Wrote {path.name}")


@tool(mcp, bulk=True)
def inspect_document(
    path: InDoc,
    lists: Annotated[list[inspection.Topic], Field(description="Lists to return besides the counts.")] = ["outline"],  # noqa: B006
) -> inspection.Inspection:
    """Inspect a document: counts, and its outline, sections with headers, styles, images, fields ..."""
    return inspection.inspect_document(Document.open(path), lists)


@tool(mcp, bulk=True)
def read_document(
    path: InDoc,
    story: Annotated[str, Field(description="Story: body, header1, footer1, footnotes, comments ...")] = "body",
    format: Annotated[  # noqa: A002 - the word of converters
        block_reader.Show,
        Field(description="text; details: formats of runs, tables and cells, anchors in cells; or markdown."),
    ] = "text",
    anchor: Annotated[str, Field(description="Start at this anchor.")] = "",
    offset: Offset = 0,
    limit: Limit = 100,
) -> block_pages.BlockPage:
    """Read blocks with anchors: paragraphs, headings, list items with their numbers, tables."""
    document = Document.open(path)
    if format == "markdown":
        return markdown_pages.read_page(document, story, anchor, offset, limit)
    return block_pages.read_page(document, story, format, anchor, offset, limit)


@tool(mcp, bulk=True)
def search_document(
    path: InDoc,
    query: Find,
    regex: Regex = False,
    match_case: MatchCase = False,
    whole_words: FullWord = False,
    stories: Stories = None,
    offset: Offset = 0,
    limit: Limit = 100,
) -> search_replace.TextHitPage:
    """Find text in body, tables, headers, footers, notes, comments and text boxes; returns anchors."""
    search_query = search_replace.Query(query, regex, match_case, whole_words)
    return search_replace.search_page(Document.open(path), search_query, stories, offset, limit)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def replace_document_text(
    path: InDoc,
    replacements: Annotated[list[specs.Replacement], Field(description="Applied in order.")],
    regex: Regex = False,
    match_case: MatchCase = True,
    whole_words: FullWord = False,
    stories: Stories = None,
    track: Track = None,
    author: Author = AUTHOR,
) -> Edited:
    """Replace text everywhere, keeping the format of its first character; returns the number of replacements."""
    with edit_document(path) as document:
        writer = Writer.for_document(document, current_world().now, author, track=track)
        counts = []
        for replacement in replacements:
            query = search_replace.Query(replacement.find, regex, match_case, whole_words)
            replacement_counts = search_replace.replace_text(writer, query, replacement.replace, stories)
            counts.append(sum(replacement_counts.values()))
            where = ", ".join(f"{count} in {story}" for story, count in replacement_counts.items())
            writer.notes.append(
                f"{replacement.find!r}: {where}" if replacement_counts else f"{replacement.find!r}: not found"
            )
        if not sum(counts):
            raise Problem(f"{'; '.join(writer.notes)}. Nothing was changed; use search_document to see the texts")
        return _save_and_report(writer, path, f"Replaced {format_count(sum(counts), 'place')} in {path.name}")


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def edit_blocks(
    path: OutDoc,
    edits: Annotated[list[specs.BlockEdit], Field(description="Edits, with anchors as before the first edit.")],
    track: Track = None,
    author: Author = AUTHOR,
) -> Edited:
    """Insert, replace, delete or move blocks of all kinds; creates the document if it is missing."""
    with edit_document(path, make=True) as document:
        writer = Writer.for_document(document, current_world().now, author, track=track)
        count = block_edits.edit_blocks(writer, edits)
        return _save_and_report(
            writer, path, f"{format_count(len(edits), 'edit')}, {format_count(count, 'block')} in {path.name}"
        )


@tool(mcp, bulk=True, writes=True)
def format_document(
    path: InDoc,
    edits: Annotated[list[specs.FormatEdit], Field(description="Edits.")],
    track: Track = None,
    author: Author = AUTHOR,
) -> Edited:
    """Apply styles and direct formats to blocks or texts in them; create and change styles."""
    with edit_document(path) as document:
        writer = Writer.for_document(document, current_world().now, author, track=track)
        count = format_edits.format_blocks(writer, edits)
        return _save_and_report(writer, path, f"Formatted {format_count(count, 'place')} in {path.name}")


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def edit_document_table(
    path: InDoc,
    anchor: Annotated[str, Field(description="Anchor of the table, or of a block in it.")],
    edits: Annotated[list[specs.TableEdit], Field(description="Applied in order.")],
    track: Track = None,
    author: Author = AUTHOR,
) -> Edited:
    """Edit a table: cell texts, rows, columns, merged cells, formats, borders, widths, repeated header rows."""
    with edit_document(path) as document:
        writer = Writer.for_document(document, current_world().now, author, track=track)
        count = table_edits.edit_table(writer, anchor, edits)
        return _save_and_report(writer, path, f"{format_count(count, 'edit')} of the table in {path.name}")


@tool(mcp, bulk=True, writes=True, destructive=True)
def edit_document_images(
    path: InDoc,
    edits: Annotated[list[specs.ImageEdit], Field(description="Edits.")],
    folder: Annotated[OutDir | None, Field(description="Folder for op save.")] = None,
) -> Edited:
    """Replace, resize, describe (alt text), delete or save images; edit_blocks inserts them."""
    if folder is None and any(edit.op == "save" for edit in edits):
        raise Problem("op save needs `folder`")
    with edit_document(path) as document:
        writer = Writer.for_document(document, current_world().now)
        pictures = image_edits.edit_images(writer, edits)
        result = _save_and_report(writer, path, f"{format_count(len(edits), 'edit')} of images in {path.name}")
    for name, data in pictures.items():
        assert folder is not None  # noqa: S101 - checked above
        save_bytes(folder / name, data)
        result.notes.append(f"saved {FileRef.from_path(folder / name)}")
    return result


@tool(mcp, bulk=True, writes=True, destructive=True)
def set_page_layout(
    path: InDoc,
    layouts: Annotated[list[specs.Layout], Field(description="Layouts by section.")],
) -> Edited:
    """Set page size, orientation, margins, columns, page numbers, headers and footers of sections."""
    with edit_document(path) as document:
        writer = Writer(document, current_world().now)
        count = page_layout.set_layout(writer, layouts)
        writer.note_untracked("page layout")
        return _save_and_report(writer, path, f"Set the layout of {format_count(count, 'section')} in {path.name}")


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def edit_references(
    path: InDoc,
    edits: Annotated[list[specs.ReferenceEdit], Field(description="Edits.")] = [],  # noqa: B006
    update: Annotated[bool, Field(description="Also update contents, captions, references and page numbers.")] = False,
    track: Track = None,
    author: Author = AUTHOR,
) -> Edited:
    """Edit bookmarks, links, fields and cross-references; fill in forms; update tables of contents and page numbers."""
    with edit_document(path) as document:
        writer = Writer.for_document(document, current_world().now, author, track=track)
        count = references.edit_references(writer, edits)
        lists = references.update_fields(writer) if update else 0
        done = f"{format_count(count, 'edit')} of references" + (
            f", {format_count(lists, 'list')} renewed" if update else ""
        )
        doing: Operation = "fill" if edits and all(edit.op == "fill" for edit in edits) else "edit"
        result = _save_and_report(writer, path, f"{done} in {path.name}", renew=update, doing=doing)
    forms.confirm_filled(Document.open(path), {edit.name: edit.value for edit in edits if edit.op == "fill"})
    return result


@tool(mcp, bulk=True, writes=True, destructive=True)
def set_document_properties(
    path: InDoc,
    properties: Annotated[
        dict[str, str],
        Field(description="title, author, subject, keywords, comments, category, status, language; empty: none."),
    ] = {},  # noqa: B006
    custom: Annotated[
        dict[str, document_properties.Value | None], Field(description="Custom properties by name; null removes one.")
    ] = {},  # noqa: B006
) -> Edited:
    """Set the properties of a document."""
    with edit_document(path) as document:
        document_properties.set_core(document, properties, current_world().now)
        if custom:
            document_properties.set_custom(document, custom)
        writer = Writer(document, current_world().now)
        return _save_and_report(writer, path, f"Set {len(properties) + len(custom)} properties of {path.name}")


def _save_and_report(
    writer: Writer, path: Path, done: str, *, renew: bool = False, doing: Operation = "edit"
) -> Edited:
    """Save, compute page numbers where some are asked for, and read back what was written."""
    written = list_locations(writer.document, writer.written)
    paged = renew or toc.needs_pages(writer.document)
    writer.document.save(path)
    check_saved(writer.document, path)
    writer.notes += [*writer.document.describe_renumbering(), *protection_notes(writer.document, doing)]
    anchors = [place.anchor for place in written]
    if paged and references.compute_pages(path, writer):
        anchors = anchors_at(path, written)
    if len(anchors) > MAX_ANCHORS:
        writer.notes.append(f"{len(anchors) - MAX_ANCHORS} more anchors are left out; read_document gives them")
    return Edited(done, FileRef.from_path(path), len(anchors), anchors[:MAX_ANCHORS], writer.notes)
