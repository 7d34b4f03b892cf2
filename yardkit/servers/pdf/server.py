"""MCP surface of the PDF server."""
# ruff: noqa: B006 - empty lists are defaults of the schema, nothing changes them

import tempfile
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.pictures import describe_source
from yardkit.kit.surface import FileRef, Picture, make_server, tool
from yardkit.servers.pdf.arguments import PdfPageOp, PdfPart, PdfStamp
from yardkit.servers.pdf.calls import edit_file, make_file, run
from yardkit.servers.pdf.engine.assembly import compression, merge_split, page_operations, protection
from yardkit.servers.pdf.engine.drawing import annotations, new_documents, ocr_layer, page_stamps
from yardkit.servers.pdf.engine.forms import fields, filling, flattening
from yardkit.servers.pdf.engine.package import bookmarks, raster
from yardkit.servers.pdf.engine.reading import comparison, extraction, info, listings, page_text, tables
from yardkit.servers.pdf.engine.redaction import redaction
from yardkit.servers.pdf.results import (
    PdfComparison,
    PdfFiles,
    PdfFilled,
    PdfPicture,
    PdfRedacted,
    PdfWritten,
)
from yardkit.world import InFile, OutDir, OutFile, Problem, current_world, save_bytes
from yardkit.world.guard import add_notes
from yardkit.world.wording import format_count

mcp = make_server(
    "pdf",
    "Read and edit PDF files. Pages count from 1; `pages` is an expression such as '1,3-5', '8-', 'last', "
    "'odd'. Boxes are [x0, y0, x1, y1] in points (1/72 inch) on the page as displayed, origin top left. "
    "Without `target` the file itself is changed. Unaffected content is preserved; results are read back "
    "from the saved file.",
)

InPdf = Annotated[InFile, Field(description="PDF file.")]
Target = Annotated[OutFile | None, Field(description="Where to save; without: the file itself.")]
NewFile = Annotated[OutFile, Field(description="PDF file to write.")]
Password = Annotated[str, Field(description="Password of an encrypted file.")]
Pages = Annotated[str | None, Field(description="Page expression; without: all.")]
Box = Annotated[list[float] | None, Field(description="Only this part of the page.", min_length=4, max_length=4)]
Offset = Annotated[int, Field(description="Entries to skip.", ge=0)]
Limit = Annotated[int, Field(description="At most this many.", ge=1, le=2000)]


@tool(mcp, bulk=True)
def inspect_pdf(path: InPdf, password: Password = "") -> info.PdfInfo:
    """Inspect a PDF: pages, sizes, metadata, encryption, permissions, fonts, form, signatures, scans ..."""
    return run(info.inspect_pdf, path, password)


@tool(mcp, bulk=True)
def read_pdf_text(
    path: InPdf,
    pages: Pages = None,
    format: Annotated[  # noqa: A002 - the word of converters
        page_text.Form,
        Field(description="plain: in reading order; layout: spaced as on the page; lines or words: with boxes."),
    ] = "plain",
    box: Box = None,
    password: Password = "",
    offset: Annotated[int, Field(description="next_offset of the previous answer.", ge=0)] = 0,
) -> page_text.PdfText:
    """Read the text of pages; to continue, use next_pages and next_offset."""
    return run(page_text.read_text, path, password, pages, format, box, offset)


@tool(mcp, bulk=True)
def search_pdf(
    path: InPdf,
    query: Annotated[str, Field(description="Text, which may span lines, or an RE2 expression.", min_length=1)],
    regex: Annotated[bool, Field(description="Whether query is a regular expression.")] = False,
    match_case: Annotated[bool, Field(description="Match case.")] = False,
    whole_words: Annotated[bool, Field(description="Whole words only.")] = False,
    pages: Pages = None,
    password: Password = "",
    offset: Offset = 0,
    limit: Limit = 100,
) -> page_text.PdfMatches:
    """Search a PDF for text or a pattern: page, boxes and context of each match."""
    return run(page_text.search_text, path, query, password, pages, regex, match_case, whole_words, offset, limit)


@tool(mcp, bulk=True)
def read_pdf_tables(
    path: InPdf,
    pages: Pages = None,
    strategy: Annotated[
        tables.Strategy, Field(description="lines: ruled tables; text: aligned words; auto: lines, else text.")
    ] = "auto",
    box: Box = None,
    password: Password = "",
) -> tables.PdfTables:
    """Read the tables of pages as rows of cells, at most 30 pages at once."""
    return run(tables.read_tables, path, password, pages, strategy, box)


@tool(mcp, bulk=True)
def list_pdf_items(
    path: InPdf,
    what: Annotated[listings.What, Field(description="Kind of item; signatures are not validated.")],
    pages: Pages = None,
    password: Password = "",
    offset: Offset = 0,
    limit: Limit = 200,
) -> listings.PdfItems:
    """List images, links, the outline, annotations, attachments or signatures, with ids, pages and boxes."""
    return run(listings.list_items, path, what, password, pages, offset, limit)


@tool(mcp, bulk=True)
def read_pdf_form(path: InPdf, password: Password = "", offset: Offset = 0, limit: Limit = 200) -> fields.PdfForm:
    """List the fields of a form: name, kind, value, options, page and box."""
    return run(fields.read_form, path, password, offset, limit)


@tool(mcp, bulk=True)
def show_pdf_page(
    path: InPdf,
    page: Annotated[int, Field(description="Page number, from 1.", ge=1)] = 1,
    dpi: Annotated[float, Field(description="Dots per inch.", ge=10, le=600)] = 100,
    box: Box = None,
    password: Password = "",
) -> PdfPicture:
    """Render a page, or a part of it, as a picture with fields and annotations."""
    page_images, total = run(raster.render_single_page, path, password, page, dpi, box)
    picture = Picture(page_images.data, page_images.media_type, page_images.width_px, page_images.height_px)
    return PdfPicture(page, total, dpi, page_images.box, picture)


@tool(mcp, bulk=True)
def compare_pdfs(
    path: Annotated[InFile, Field(description="Older PDF file.")],
    other: Annotated[InFile, Field(description="Newer PDF file.")],
    compare: Annotated[Literal["text", "visual", "both"], Field(description="What to compare.")] = "both",
    picture: Annotated[
        bool, Field(description="Also save a picture of the first pages that differ, with changes framed in red.")
    ] = False,
    password: Password = "",
    other_password: Password = "",
) -> PdfComparison:
    """Compare two PDFs page by page: changed words with boxes, added and deleted pages, visual differences."""
    pdf_comparison = run(comparison.compare_documents, path, other, password, other_password, compare, picture)
    view = pdf_comparison.picture
    drawn = Picture(view.data, view.media_type, view.width_px, view.height_px) if view else None
    return PdfComparison(
        pdf_comparison.same_text,
        pdf_comparison.same_look,
        pdf_comparison.pages_before,
        pdf_comparison.pages_after,
        pdf_comparison.pairs,
        pdf_comparison.note,
        drawn,
    )


@tool(mcp, bulk=True, writes=True, destructive=True)
def fill_pdf_form(
    path: InPdf,
    values: Annotated[
        dict[str, filling.Value],
        Field(
            description="Values by field name: text; true/false or a state for check boxes; an option for radios and "
            "dropdowns; a list for list boxes; null clears.",
            min_length=1,
        ),
    ],
    flatten: Annotated[bool, Field(description="Draw the filled form into the pages.")] = False,
    target: Target = None,
    password: Password = "",
) -> PdfFilled:
    """Fill form fields, update their appearance, and verify them in the saved file."""
    out, filled = edit_file(path, target, filling.fill_form, password, values, flatten)
    how = " and flattened the form" if flatten else ""
    done = f"Filled {format_count(len(filled.values), 'field')}{how}"
    return PdfFilled(done, FileRef.from_path(out), filled.values, filled.warnings)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def flatten_pdf(
    path: InPdf,
    what: Annotated[
        Literal["fields", "annotations", "both"], Field(description="What to draw into the pages.")
    ] = "both",
    pages: Pages = None,
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Draw form fields and annotations into the pages, so that they cannot be changed; links stay."""
    arguments = (password, pages, what != "annotations", what != "fields")
    out, (count, warnings) = edit_file(path, target, flattening.flatten_pdf, *arguments)
    return PdfWritten(f"Flattened {count} fields and annotations", FileRef.from_path(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def annotate_pdf(
    path: InPdf,
    add: Annotated[
        list[annotations.Mark],
        Field(
            description="Placed on each match of `find`, or on `boxes` of `page`; ink takes `strokes` [[[x, y], ...]], "
            "a note is placed at [x, y] of its box. Colors #RRGGBB."
        ),
    ] = [],
    delete: Annotated[list[str], Field(description="Ids of list_pdf_items, or 'all', or 'all:Highlight'.")] = [],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Add highlights, notes, text, stamps and shapes, and delete annotations; all or none."""
    if not add and not delete:
        raise Problem("nothing to do: give `add` or `delete`")
    out, (added, deleted, warnings) = edit_file(
        path, target, annotations.annotate_pdf, password, add, delete, current_world().now
    )
    return PdfWritten(f"Added {added} and deleted {deleted} annotations", FileRef.from_path(out), warnings)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def stamp_pdf(
    path: InPdf,
    stamps: Annotated[
        list[PdfStamp],
        Field(
            description="`text` with {page}, {pages}, {number:06} (Bates), {date}, {file}, or `image`; "
            "at `position` with `margin` points, or in `box`. font_size and width in points, angle in degrees "
            "counter-clockwise. A watermark: position center, angle 45, opacity 0.2, behind true.",
            min_length=1,
        ),
    ],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Stamp text, page numbers, Bates numbers, headers, footers, watermarks or pictures on pages."""
    add_notes(note for stamp in stamps if stamp.image for note in describe_source(stamp.image))
    out, (count, warnings) = edit_file(path, target, page_stamps.stamp_pages, password, stamps, current_world().now)
    return PdfWritten(f"Stamped {format_count(count, 'page')}", FileRef.from_path(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def redact_pdf(
    path: InPdf,
    terms: Annotated[list[str], Field(description="Texts to remove.")] = [],
    patterns: Annotated[list[str], Field(description="RE2 expressions to remove.")] = [],
    areas: Annotated[list[redaction.Area], Field(description="Areas of pages to empty.")] = [],
    pages: Annotated[str | None, Field(description="Pages for terms and patterns; without: the entire file.")] = None,
    match_case: Annotated[bool, Field(description="Match case.")] = False,
    whole_words: Annotated[bool, Field(description="Whole words only, for terms.")] = False,
    color: Annotated[str, Field(description="Colour of the boxes, #RRGGBB.")] = "#000000",
    target: Target = None,
    password: Password = "",
) -> PdfRedacted:
    """Remove texts and areas for good, from pages, fields, comments, metadata and attachments, and verify it.

    Unsearchable content is removed or becomes a picture, which the answer reports; text in pictures needs `areas`.
    """
    order = redaction.Order(terms, patterns, areas, pages, color, match_case, whole_words)
    out, redaction_result = edit_file(path, target, redaction.redact_file, password, order)
    places = format_count(sum(redaction_result.matches.values()) + len(areas), "place")
    done = f"Redacted {places} on {format_count(len(redaction_result.pages), 'page')}"
    if redaction_result.elsewhere:
        done += f" and {sum(redaction_result.elsewhere.values())} elsewhere"
    return PdfRedacted(
        done,
        FileRef.from_path(out),
        redaction_result.matches,
        redaction_result.pages,
        redaction_result.elsewhere,
        redaction_result.rasterised,
        redaction_result.checked,
        redaction_result.warnings,
    )


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def arrange_pdf_pages(
    path: InPdf,
    edits: Annotated[
        list[PdfPageOp],
        Field(
            description="Applied in order: keep (only `pages`, in that order), delete, move (`before`), rotate "
            "(`angle`), crop (`box`), insert (`pages` of `source`), blank. Page numbers are those at that "
            "step.",
            min_length=1,
        ),
    ],
    target: Target = None,
    password: Password = "",
    insert_password: Password = "",
) -> PdfWritten:
    """Extract, reorder, delete, rotate, crop and insert pages in one atomic call."""
    out, done = edit_file(path, target, page_operations.arrange_pages, password, edits, insert_password)
    return PdfWritten(f"Arranged; {format_count(done.pages, 'page')} now", FileRef.from_path(out), done.notes)


@tool(mcp, bulk=True, writes=True, destructive=True)
def merge_pdfs(
    sources: Annotated[
        list[PdfPart], Field(description="Files in order, each with its pages.", min_length=1, max_length=500)
    ],
    target: NewFile,
    bookmarks: Annotated[bool, Field(description="Add a bookmark per file above its own.")] = True,
) -> PdfWritten:
    """Join PDFs with their bookmarks, forms and attachments."""
    done = make_file(target, merge_split.merge_documents, sources, bookmarks)
    return PdfWritten(
        f"Merged {format_count(len(sources), 'file')} into {format_count(done.pages, 'page')}",
        FileRef.from_path(target),
        done.notes,
    )


@tool(mcp, bulk=True, writes=True, destructive=True)
def split_pdf(
    path: InPdf,
    folder: Annotated[OutDir, Field(description="Folder for the files.")],
    by: Annotated[Literal["every", "ranges", "bookmarks"], Field(description="How to split.")] = "every",
    every: Annotated[int, Field(description="Pages per file.", ge=1)] = 1,
    ranges: Annotated[list[str], Field(description="One page expression per file.")] = [],
    password: Password = "",
) -> PdfFiles:
    """Split a PDF into files: every n pages, by page ranges, or at top-level bookmarks."""
    with tempfile.TemporaryDirectory(prefix="yardkit-pdf-") as scratch:
        cuts, notes = run(merge_split.split_document, path, Path(scratch), password, by, every, ranges)
        for cut in cuts:
            save_bytes(folder / cut.name, (Path(scratch) / cut.name).read_bytes())
    done = f"Split into {format_count(len(cuts), 'file')}"
    return PdfFiles(done, [FileRef.from_path(folder / cut.name) for cut in cuts], notes)


@tool(mcp, bulk=True, writes=True, destructive=True)
def set_pdf_outline(
    path: InPdf,
    entries: Annotated[
        list[bookmarks.OutlineEntry],
        Field(
            description="All bookmarks in order; level 1 is the top; `top`: points below the page's top. [] removes "
            "all."
        ),
    ],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Replace the bookmarks of a PDF."""
    out, warnings = edit_file(path, target, bookmarks.set_outline, password, entries)
    return PdfWritten(f"Set {format_count(len(entries), 'bookmark')}", FileRef.from_path(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def set_pdf_metadata(
    path: InPdf,
    properties: Annotated[
        dict[Literal["title", "author", "subject", "keywords", "creator", "producer"], str],
        Field(description="Metadata to set; empty text removes."),
    ] = {},
    language: Annotated[str | None, Field(description="Language, such as en-GB.")] = None,
    scrub: Annotated[bool, Field(description="First remove all metadata, XMP, thumbnails and private data.")] = False,
    target: Target = None,
    password: Password = "",
) -> PdfFilled:
    """Set or remove title, author and other metadata, and return the metadata of the saved file."""
    out, metadata_result = edit_file(
        path, target, protection.describe_pdf, password, dict(properties), language, scrub, current_world().now
    )
    return PdfFilled("Metadata saved", FileRef.from_path(out), dict(metadata_result.metadata), metadata_result.warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def attach_pdf_files(
    path: InPdf,
    files: Annotated[list[InFile], Field(description="Files to attach; one with the same name is replaced.")] = [],
    descriptions: Annotated[list[str], Field(description="One description per file.")] = [],
    delete: Annotated[list[str], Field(description="Names of attachments to remove.")] = [],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Attach files to a PDF, or remove attachments."""
    if not files and not delete:
        raise Problem("nothing to do: give `files` or `delete`")
    arguments = (password, files, descriptions, delete, current_world().now)
    out, (names, warnings) = edit_file(path, target, protection.attach_files, *arguments)
    return PdfWritten(f"Attachments now: {', '.join(names) or 'none'}", FileRef.from_path(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def extract_pdf_files(
    path: InPdf,
    folder: Annotated[OutDir, Field(description="Folder for the files.")],
    what: Annotated[Literal["images", "attachments"], Field(description="What to extract.")] = "images",
    only: Annotated[list[str], Field(description="Ids of images or names of attachments; without: all.")] = [],
    pages: Pages = None,
    password: Password = "",
) -> PdfFiles:
    """Save the images or attachments of a PDF as files."""
    extracted_files = (
        run(extraction.extract_images, path, password, pages, only)
        if what == "images"
        else run(extraction.extract_attachments, path, password, only)
    )
    for extracted in extracted_files:
        save_bytes(folder / extracted.name, extracted.data)
    return PdfFiles(
        f"Extracted {len(extracted_files)} {what}",
        [FileRef.from_path(folder / extracted.name) for extracted in extracted_files],
    )


@tool(mcp, bulk=True, writes=True, destructive=True)
def add_pdf_text_layer(
    path: InPdf,
    pages: Pages = None,
    languages: Annotated[list[str] | None, Field(description="Languages of the text, such as ['en', 'de'].")] = None,
    force: Annotated[bool, Field(description="Include pages that have text.")] = False,
    dpi: Annotated[float, Field(description="Resolution for OCR.", ge=72, le=400)] = 200,
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Make scanned pages searchable: recognise their text (OCR) and add it as an invisible layer."""
    pages_to_read, with_text = run(ocr_layer.pages_to_read, path, password, pages, force)
    if not pages_to_read:
        raise Problem("all these pages already have text; set force=true to read them anyway")
    words = {}
    notes = [f"page {number} has text already" for number in with_text[:20]]
    for number in pages_to_read:
        data, at_dpi = run(ocr_layer.page_picture, path, password, number, dpi)
        words[number], confidence, reader = ocr_layer.recognise_words(data, at_dpi, languages)
        notes.append(f"page {number}: {len(words[number])} words, mean confidence {confidence:.2f}, read by {reader}")
    out, warnings = edit_file(path, target, ocr_layer.add_layer, password, words)
    return PdfWritten(
        f"Added text to {format_count(len(pages_to_read), 'page')}", FileRef.from_path(out), notes + warnings
    )


@tool(mcp, bulk=True, writes=True, destructive=True)
def rewrite_pdf(
    path: InPdf,
    action: Annotated[
        Literal["compress", "repair", "encrypt", "decrypt"],
        Field(
            description="repair reconstructs a damaged file; encrypt is AES-256; decrypt needs the owner's password."
        ),
    ],
    image_dpi: Annotated[
        int | None,
        Field(description="compress: downsample images above this resolution; null keeps them.", ge=30, le=600),
    ] = 150,
    image_quality: Annotated[int, Field(description="compress: JPEG quality.", ge=20, le=95)] = 80,
    new_password: Annotated[str, Field(description="encrypt: password to open the file.")] = "",
    owner_password: Annotated[str, Field(description="encrypt: password to change permissions.")] = "",
    allow: Annotated[
        list[protection.Permission], Field(description="encrypt: permissions of others than the owner.")
    ] = [
        "print",
        "copy",
        "fill_forms",
    ],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Compress, repair, encrypt or decrypt a PDF."""
    if action == "encrypt":
        out, warnings = edit_file(path, target, protection.encrypt_pdf, password, new_password, owner_password, allow)
        return PdfWritten("Encrypted with AES-256", FileRef.from_path(out), warnings)
    if action == "decrypt":
        out, warnings = edit_file(path, target, protection.decrypt_pdf, password)
        return PdfWritten("Removed the encryption", FileRef.from_path(out), warnings)
    if action == "repair":
        out, fixed = edit_file(path, target, compression.repair_pdf, password)
        return PdfWritten(f"Rewrote {format_count(fixed.pages, 'page')}", FileRef.from_path(out), fixed.warnings)
    out, small = edit_file(path, target, compression.compress_pdf, password, image_dpi, image_quality)
    how = (
        f"{format_count(small.images, 'image')} downsampled, {format_count(small.duplicates, 'duplicate stream')}"
        " united"
    )
    done = f"{small.before_bytes:,} bytes before, {small.after_bytes:,} now ({how})"
    return PdfWritten(done, FileRef.from_path(out), small.warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def create_pdf(
    path: NewFile,
    markdown: Annotated[str | None, Field(description="Markdown text; footnotes [^1], formulas $x^2$.")] = None,
    html: Annotated[str | None, Field(description="HTML text; pictures and styles only from the workspace.")] = None,
    source: Annotated[InFile | None, Field(description="Use a .md or .html file instead.")] = None,
    images: Annotated[
        list[InFile], Field(description="Use pictures instead, one per page; a TIFF gives all its pages.")
    ] = [],
    css: Annotated[str, Field(description="Additional CSS.")] = "",
    title: Annotated[str, Field(description="Document title.")] = "",
    paper: Annotated[
        Literal["A3", "A4", "A5", "letter", "legal", "image"],
        Field(description="Paper size; image: as large as each picture."),
    ] = "A4",
    landscape: Annotated[bool, Field(description="Landscape orientation.")] = False,
    margin_mm: Annotated[float, Field(description="Margin on all sides.", ge=0, le=80)] = 20,
) -> PdfWritten:
    """Create a PDF from Markdown, HTML (paged CSS) or pictures; nothing is fetched from the network."""
    world = current_world()
    sheet = None if paper == "image" else new_documents.Sheet(paper, landscape, margin_mm)
    if sum(map(bool, (markdown, html, source, images))) != 1:
        raise Problem("give exactly one of `markdown`, `html`, `source` and `images`")
    if images:
        done = make_file(path, new_documents.from_images, images, sheet, title, world.now)
    else:
        written, is_markdown, base = new_documents.source_of(markdown, html, source, world.files)
        arguments = (written, is_markdown, css, sheet or new_documents.Sheet(), base, world.files, title, world.now)
        done = make_file(path, new_documents.from_text, *arguments)
    return PdfWritten(f"Made {format_count(done.pages, 'page')}", FileRef.from_path(path), done.warnings)
