"""MCP surface of the PDF server."""
# ruff: noqa: B006 - empty lists are defaults of the schema, nothing changes them

import tempfile
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import FileRef, Picture, make_server, tool
from yardkit.servers.pdf.arguments import PdfPageOp, PdfPart, PdfStamp
from yardkit.servers.pdf.calls import edited, made, run
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
from yardkit.world.wording import counted

mcp = make_server(
    "pdf",
    "Reads and changes PDF files. Pages count from 1; `pages` is an expression such as '1,3-5', '8-', 'last', 'odd'. "
    "Boxes are [x0, y0, x1, y1] in points (1/72 inch) on the page as displayed, origin top left. Without `target` the "
    "file itself is changed. What an edit does not concern stays as it is; what is reported was read back.",
)

InPdf = Annotated[InFile, Field(description="PDF file.")]
Target = Annotated[OutFile | None, Field(description="Where to save; without: the file itself.")]
NewFile = Annotated[OutFile, Field(description="PDF file to write.")]
Password = Annotated[str, Field(description="Of an encrypted file.")]
Pages = Annotated[str | None, Field(description="Page expression; without: all.")]
Box = Annotated[list[float] | None, Field(description="Only this part of the page.", min_length=4, max_length=4)]
Offset = Annotated[int, Field(description="How many to skip.", ge=0)]
Limit = Annotated[int, Field(description="At most this many.", ge=1, le=2000)]


@tool(mcp, bulk=True)
def inspect_pdf(path: InPdf, password: Password = "") -> info.PdfInfo:
    """Show what a PDF is: pages, sizes, metadata, encryption, permissions, fonts, form, signatures, scans ..."""
    return run(info.inspect, path, password)


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
    offset: Annotated[int, Field(description="next_offset of the answer before.", ge=0)] = 0,
) -> page_text.PdfText:
    """Read the text of pages; what does not fit is at next_pages and next_offset."""
    return run(page_text.read_text, path, password, pages, format, box, offset)


@tool(mcp, bulk=True)
def search_pdf(
    path: InPdf,
    query: Annotated[str, Field(description="Text; it may run over line ends. Or an RE2 expression.", min_length=1)],
    regex: Annotated[bool, Field(description="Whether query is a regular expression.")] = False,
    match_case: Annotated[bool, Field(description="Tell A from a.")] = False,
    whole_words: Annotated[bool, Field(description="No part of a longer word.")] = False,
    pages: Pages = None,
    password: Password = "",
    offset: Offset = 0,
    limit: Limit = 100,
) -> page_text.PdfMatches:
    """Find a text or pattern: page, boxes and context of each place."""
    return run(page_text.search, path, query, password, pages, regex, match_case, whole_words, offset, limit)


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
    what: Annotated[listings.What, Field(description="Signatures are listed, their validity is not checked.")],
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
    page: Annotated[int, Field(description="From 1.", ge=1)] = 1,
    dpi: Annotated[float, Field(description="Dots per inch.", ge=10, le=600)] = 100,
    box: Box = None,
    password: Password = "",
) -> PdfPicture:
    """Look at a page, or a part of it, as a picture with fields and annotations drawn."""
    shown, total = run(raster.render_one, path, password, page, dpi, box)
    picture = Picture(shown.data, shown.media_type, shown.width_px, shown.height_px)
    return PdfPicture(page, total, dpi, shown.box, picture)


@tool(mcp, bulk=True)
def compare_pdfs(
    path: Annotated[InFile, Field(description="PDF file before.")],
    other: Annotated[InFile, Field(description="PDF file after.")],
    compare: Annotated[Literal["text", "visual", "both"], Field(description="What to compare.")] = "both",
    picture: Annotated[
        bool, Field(description="Also a picture of the first pages that differ, framed in red.")
    ] = False,
    password: Password = "",
    other_password: Password = "",
) -> PdfComparison:
    """Compare two PDFs page by page: changed words with boxes, added and deleted pages, visual differences."""
    found = run(comparison.compare, path, other, password, other_password, compare, picture)
    view = found.picture
    drawn = Picture(view.data, view.media_type, view.width_px, view.height_px) if view else None
    return PdfComparison(
        found.same_text, found.same_look, found.pages_before, found.pages_after, found.pairs, found.note, drawn
    )


@tool(mcp, bulk=True, writes=True, destructive=True)
def fill_pdf_form(
    path: InPdf,
    values: Annotated[
        dict[str, filling.Value],
        Field(
            description="By field name: text; true/false or a state for check boxes; an option for radios and "
            "dropdowns; a list for list boxes; null clears.",
            min_length=1,
        ),
    ],
    flatten: Annotated[bool, Field(description="Make the filled form part of the pages.")] = False,
    target: Target = None,
    password: Password = "",
) -> PdfFilled:
    """Fill form fields, renew their appearances, and read them back from the saved file."""
    out, filled = edited(path, target, filling.fill_form, password, values, flatten)
    how = " and flattened the form" if flatten else ""
    done = f"Filled {counted(len(filled.values), 'field')}{how}"
    return PdfFilled(done, FileRef.of(out), filled.values, filled.warnings)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def flatten_pdf(
    path: InPdf,
    what: Annotated[
        Literal["fields", "annotations", "both"], Field(description="What becomes part of the pages.")
    ] = "both",
    pages: Pages = None,
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Draw form fields and annotations into the pages, so that they cannot be changed any more; links stay."""
    arguments = (password, pages, what != "annotations", what != "fields")
    out, (count, warnings) = edited(path, target, flattening.flatten, *arguments)
    return PdfWritten(f"Flattened {count} fields and annotations", FileRef.of(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def annotate_pdf(
    path: InPdf,
    add: Annotated[
        list[annotations.Mark],
        Field(
            description="On each place of `find`, or on `boxes` of `page`; ink takes `strokes` [[[x, y], ...]], a note "
            "stands at [x, y] of its box. Colors #RRGGBB."
        ),
    ] = [],
    delete: Annotated[list[str], Field(description="Ids of list_pdf_items, or 'all', or 'all:Highlight'.")] = [],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Add highlights, notes, text, stamps and shapes, and delete annotations; all or none."""
    if not add and not delete:
        raise Problem("nothing to do: give `add` or `delete`")
    out, (added, deleted, warnings) = edited(
        path, target, annotations.annotate, password, add, delete, current_world().now
    )
    return PdfWritten(f"Added {added} and deleted {deleted} annotations", FileRef.of(out), warnings)


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
    """Put text, page numbers, Bates numbers, headers, footers, watermarks or pictures on pages."""
    out, (count, warnings) = edited(path, target, page_stamps.stamp, password, stamps, current_world().now)
    return PdfWritten(f"Stamped {counted(count, 'page')}", FileRef.of(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def redact_pdf(
    path: InPdf,
    terms: Annotated[list[str], Field(description="Texts to remove everywhere.")] = [],
    patterns: Annotated[list[str], Field(description="RE2 expressions to remove.")] = [],
    areas: Annotated[list[redaction.Area], Field(description="Parts of pages to empty.")] = [],
    pages: Annotated[str | None, Field(description="Terms and patterns only here; without: the whole file.")] = None,
    match_case: Annotated[bool, Field(description="Tell A from a.")] = False,
    whole_words: Annotated[bool, Field(description="Terms only as whole words.")] = False,
    color: Annotated[str, Field(description="Of the boxes, #RRGGBB.")] = "#000000",
    target: Target = None,
    password: Password = "",
) -> PdfRedacted:
    """Remove texts and areas for good, from pages, fields, comments, metadata and attachments, and verify it.

    What cannot be searched goes or becomes a picture, which the answer says; text within pictures needs `areas`.
    """
    order = redaction.Order(terms, patterns, areas, pages, color, match_case, whole_words)
    out, found = edited(path, target, redaction.redact, password, order)
    places = counted(sum(found.matches.values()) + len(areas), "place")
    done = f"Redacted {places} on {counted(len(found.pages), 'page')}"
    if found.elsewhere:
        done += f" and {sum(found.elsewhere.values())} elsewhere"
    return PdfRedacted(
        done,
        FileRef.of(out),
        found.matches,
        found.pages,
        found.elsewhere,
        found.rasterised,
        found.checked,
        found.warnings,
    )


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def arrange_pdf_pages(
    path: InPdf,
    edits: Annotated[
        list[PdfPageOp],
        Field(
            description="In turn: keep (only `pages`, so ordered), delete, move (`before`), rotate (`angle`), "
            "crop (`box`), insert (`pages` of `source`), blank. Page numbers are those at that step.",
            min_length=1,
        ),
    ],
    target: Target = None,
    password: Password = "",
    insert_password: Password = "",
) -> PdfWritten:
    """Extract, reorder, delete, rotate, crop and insert pages in one atomic call."""
    out, done = edited(path, target, page_operations.arrange, password, edits, insert_password)
    return PdfWritten(f"Arranged; {counted(done.pages, 'page')} now", FileRef.of(out), done.notes)


@tool(mcp, bulk=True, writes=True, destructive=True)
def merge_pdfs(
    sources: Annotated[
        list[PdfPart], Field(description="Files in order, each with its pages.", min_length=1, max_length=500)
    ],
    target: NewFile,
    bookmarks: Annotated[bool, Field(description="A bookmark per file above its own.")] = True,
) -> PdfWritten:
    """Join PDFs with their bookmarks, forms and attachments."""
    done = made(target, merge_split.merge, sources, bookmarks)
    return PdfWritten(
        f"Merged {counted(len(sources), 'file')} into {counted(done.pages, 'page')}", FileRef.of(target), done.notes
    )


@tool(mcp, bulk=True, writes=True, destructive=True)
def split_pdf(
    path: InPdf,
    folder: Annotated[OutDir, Field(description="Folder for the files.")],
    by: Annotated[Literal["every", "ranges", "bookmarks"], Field(description="How to split.")] = "every",
    every: Annotated[int, Field(description="Pages per file.", ge=1)] = 1,
    ranges: Annotated[list[str], Field(description="A page expression per file.")] = [],
    password: Password = "",
) -> PdfFiles:
    """Split into files: every n pages, by page ranges, or at the top bookmarks."""
    with tempfile.TemporaryDirectory(prefix="yardkit-pdf-") as scratch:
        cuts, notes = run(merge_split.split, path, Path(scratch), password, by, every, ranges)
        for cut in cuts:
            save_bytes(folder / cut.name, (Path(scratch) / cut.name).read_bytes())
    done = f"Split into {counted(len(cuts), 'file')}"
    return PdfFiles(done, [FileRef.of(folder / cut.name) for cut in cuts], notes)


@tool(mcp, bulk=True, writes=True, destructive=True)
def set_pdf_outline(
    path: InPdf,
    entries: Annotated[
        list[bookmarks.OutlineEntry],
        Field(
            description="All bookmarks in order; level 1 is the top; `top`: points below the page's top. [] removes."
        ),
    ],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Replace the bookmarks of a PDF."""
    out, warnings = edited(path, target, bookmarks.set_outline, password, entries)
    return PdfWritten(f"Set {counted(len(entries), 'bookmark')}", FileRef.of(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def set_pdf_metadata(
    path: InPdf,
    properties: Annotated[
        dict[Literal["title", "author", "subject", "keywords", "creator", "producer"], str],
        Field(description="What to set; empty text removes."),
    ] = {},
    language: Annotated[str | None, Field(description="Such as en-GB.")] = None,
    scrub: Annotated[bool, Field(description="First remove all metadata, XMP, thumbnails and private data.")] = False,
    target: Target = None,
    password: Password = "",
) -> PdfFilled:
    """Set or scrub title, author and other metadata; answers with what the saved file states."""
    out, found = edited(
        path, target, protection.describe, password, dict(properties), language, scrub, current_world().now
    )
    return PdfFilled("Metadata saved", FileRef.of(out), dict(found.metadata), found.warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def attach_pdf_files(
    path: InPdf,
    files: Annotated[list[InFile], Field(description="Files to attach; the same name replaces.")] = [],
    descriptions: Annotated[list[str], Field(description="One per file.")] = [],
    delete: Annotated[list[str], Field(description="Names of attachments to remove.")] = [],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Attach files to a PDF, or remove attached ones."""
    if not files and not delete:
        raise Problem("nothing to do: give `files` or `delete`")
    arguments = (password, files, descriptions, delete, current_world().now)
    out, (names, warnings) = edited(path, target, protection.attach, *arguments)
    return PdfWritten(f"Attachments now: {', '.join(names) or 'none'}", FileRef.of(out), warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def extract_pdf_files(
    path: InPdf,
    folder: Annotated[OutDir, Field(description="Folder for the files.")],
    what: Annotated[Literal["images", "attachments"], Field(description="What to take out.")] = "images",
    only: Annotated[list[str], Field(description="Ids of images or names of attachments; without: all.")] = [],
    pages: Pages = None,
    password: Password = "",
) -> PdfFiles:
    """Save the images or the attachments of a PDF as files."""
    found = (
        run(extraction.images, path, password, pages, only)
        if what == "images"
        else run(extraction.attachments, path, password, only)
    )
    for extracted in found:
        save_bytes(folder / extracted.name, extracted.data)
    return PdfFiles(f"Extracted {len(found)} {what}", [FileRef.of(folder / extracted.name) for extracted in found])


@tool(mcp, bulk=True, writes=True, destructive=True)
def add_pdf_text_layer(
    path: InPdf,
    pages: Pages = None,
    languages: Annotated[list[str] | None, Field(description="Of the text, such as ['en', 'de'].")] = None,
    force: Annotated[bool, Field(description="Also pages that have text.")] = False,
    dpi: Annotated[float, Field(description="At which pages are read.", ge=72, le=400)] = 200,
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Make scanned pages searchable: read them (OCR) and lay invisible text in place."""
    wanted, with_text = run(ocr_layer.pages_to_read, path, password, pages, force)
    if not wanted:
        raise Problem("all these pages have text already; force=true reads them all the same")
    words = {}
    said = [f"page {number} has text already" for number in with_text[:20]]
    for number in wanted:
        data, at_dpi = run(ocr_layer.page_picture, path, password, number, dpi)
        words[number], confidence, reader = ocr_layer.recognised(data, at_dpi, languages)
        said.append(f"page {number}: {len(words[number])} words, mean confidence {confidence:.2f}, read by {reader}")
    out, warnings = edited(path, target, ocr_layer.add_layer, password, words)
    return PdfWritten(f"Added text to {counted(len(wanted), 'page')}", FileRef.of(out), said + warnings)


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
        int | None, Field(description="compress: images of more are downsampled; null keeps them.", ge=30, le=600)
    ] = 150,
    image_quality: Annotated[int, Field(description="compress: of JPEG.", ge=20, le=95)] = 80,
    new_password: Annotated[str, Field(description="encrypt: needed to open.")] = "",
    owner_password: Annotated[str, Field(description="encrypt: needed to change permissions.")] = "",
    allow: Annotated[list[protection.Permission], Field(description="encrypt: what others than the owner may do.")] = [
        "print",
        "copy",
        "fill_forms",
    ],
    target: Target = None,
    password: Password = "",
) -> PdfWritten:
    """Compress, repair, encrypt or decrypt a PDF."""
    if action == "encrypt":
        out, warnings = edited(path, target, protection.encrypt, password, new_password, owner_password, allow)
        return PdfWritten("Encrypted with AES-256", FileRef.of(out), warnings)
    if action == "decrypt":
        out, warnings = edited(path, target, protection.decrypt, password)
        return PdfWritten("Removed the encryption", FileRef.of(out), warnings)
    if action == "repair":
        out, fixed = edited(path, target, compression.repair, password)
        return PdfWritten(f"Rewrote {counted(fixed.pages, 'page')}", FileRef.of(out), fixed.warnings)
    out, small = edited(path, target, compression.compress, password, image_dpi, image_quality)
    how = f"{counted(small.images, 'image')} downsampled, {counted(small.duplicates, 'duplicate stream')} united"
    done = f"{small.before_bytes:,} bytes before, {small.after_bytes:,} now ({how})"
    return PdfWritten(done, FileRef.of(out), small.warnings)


@tool(mcp, bulk=True, writes=True, destructive=True)
def create_pdf(
    path: NewFile,
    markdown: Annotated[str | None, Field(description="Markdown text; footnotes [^1], formulas $x^2$.")] = None,
    html: Annotated[str | None, Field(description="HTML text; pictures and styles from the workspace only.")] = None,
    source: Annotated[InFile | None, Field(description="A .md or .html file instead.")] = None,
    images: Annotated[list[InFile], Field(description="Pictures instead, one a page; each page of a TIFF.")] = [],
    css: Annotated[str, Field(description="Further styles.")] = "",
    title: Annotated[str, Field(description="Of the document.")] = "",
    paper: Annotated[
        Literal["A3", "A4", "A5", "letter", "legal", "image"], Field(description="image: as large as each picture.")
    ] = "A4",
    landscape: Annotated[bool, Field(description="Wider than high.")] = False,
    margin_mm: Annotated[float, Field(description="On all sides.", ge=0, le=80)] = 20,
) -> PdfWritten:
    """Make a PDF from Markdown, HTML (paged CSS) or pictures; nothing is fetched from the network."""
    world = current_world()
    sheet = None if paper == "image" else new_documents.Sheet(paper, landscape, margin_mm)
    if sum(map(bool, (markdown, html, source, images))) != 1:
        raise Problem("give exactly one of `markdown`, `html`, `source` and `images`")
    if images:
        done = made(path, new_documents.from_images, images, sheet, title, world.now)
    else:
        written, is_markdown, base = new_documents.source_of(markdown, html, source, world.files)
        arguments = (written, is_markdown, css, sheet or new_documents.Sheet(), base, world.files, title, world.now)
        done = made(path, new_documents.from_text, *arguments)
    return PdfWritten(f"Made {counted(done.pages, 'page')}", FileRef.of(path), done.warnings)
