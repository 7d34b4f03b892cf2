"""Documents as a whole: made, copied, listed, described, converted, protected."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.compat.toolathlon.documents.app import Doc, NewDoc, list_paragraphs, style_of
from yardkit.servers.documents.engine.blocks import inspection, new_documents
from yardkit.servers.documents.engine.convert import conversion
from yardkit.servers.documents.engine.markup.grids import Grid, cell_text
from yardkit.servers.documents.engine.markup.names import TBL, P, iter_unwrapped
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.package import properties, protection
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import InDir, OutFile, Problem, Unavailable, current_world, lock_file, save_bytes
from yardkit.world.paths import in_file

TEXT_EXCERPT_LENGTH = 100
MOST_CELLS_LISTED = 3
PAGE = 500


@dataclass(frozen=True)
class Info:
    """A document; `page_count` is null where nothing can lay out pages."""

    title: str
    author: str
    subject: str
    keywords: str
    created: str
    modified: str
    last_modified_by: str
    revision: str
    page_count: int | None
    word_count: int
    paragraph_count: int
    table_count: int


@dataclass(frozen=True)
class OutlineParagraph:
    """A paragraph of the body; long texts are cut."""

    index: int
    text: str
    style: str


@dataclass(frozen=True)
class OutlineTable:
    """A table of the body, and its first cells."""

    index: int
    rows: int
    columns: int
    preview: list[list[str]]


@dataclass(frozen=True)
class Outline:
    """Paragraphs and tables of the body; `next_offset` is set where more paragraphs follow."""

    paragraphs: list[OutlineParagraph]
    tables: list[OutlineTable]
    total_paragraphs: int
    next_offset: int | None = None


def create_document(filename: NewDoc, title: str | None = None, author: str | None = None) -> str:
    now = current_world().now
    with lock_file(filename, current_world().locks):
        document = new_documents.new_document(now)
        properties.set_core(document, {key: v for key, v in (("title", title), ("author", author)) if v}, now)
        document.save(filename)
    return f"Document {_get_relative_name(filename)} created successfully"


def copy_document(source_filename: Doc, destination_filename: NewDoc | None = None) -> str:
    Document.open(source_filename)
    target = destination_filename or source_filename.with_stem(f"{source_filename.stem}_copy")
    if target == source_filename:
        raise Problem(f"{target.name!r} is the document itself; name another file")
    with lock_file(target, current_world().locks):
        save_bytes(target, source_filename.read_bytes())
    return f"Document copied to {_get_relative_name(target)}"


def get_document_info(filename: Doc) -> Info:
    document = Document.open(filename)
    core, counts = properties.core_properties(document), inspection.inspect_document(document, [])
    names = ("title", "author", "subject", "keywords", "created", "modified", "last_modified_by", "revision")
    info_values: dict[str, str] = {name: core.get(name, "") for name in names}
    return Info(
        **info_values,
        page_count=_count_pages(filename),
        word_count=counts.words,
        paragraph_count=len(list_paragraphs(document)),
        table_count=sum(1 for block in document.body if block.tag == TBL),
    )


def get_document_text(filename: Doc) -> str:
    document = Document.open(filename)
    lines = [line for block in iter_unwrapped(document.body) for line in _list_lines(block)]
    return "\n".join(lines)


def get_document_outline(filename: Doc, offset: int = 0) -> Outline:
    document = Document.open(filename)
    every = list_paragraphs(document)
    tables = [block for block in document.body if block.tag == TBL]
    last = offset + PAGE
    return Outline(
        [
            OutlineParagraph(number, _shorten_text(text_of(paragraph)), style_of(document, paragraph))
            for number, paragraph in enumerate(every[offset:last], offset)
        ],
        [_describe_table(number, table) for number, table in enumerate(tables)] if not offset else [],
        len(every),
        last if last < len(every) else None,
    )


def list_available_documents(directory: InDir | None = None) -> str:
    folder = directory or current_world().files
    document_paths = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix.lower() == ".docx")
    lines = [f"- {path.name} ({path.stat().st_size / 1024:.2f} KB)" for path in document_paths]
    return "\n".join([f"Found {len(document_paths)} Word documents in {_get_relative_name(folder)}", *lines])


def get_document_xml(filename: Doc) -> str:
    document = Document.open(filename)
    return document.package.read(document.main).decode("utf-8")


def convert_to_pdf(filename: Doc, output_filename: OutFile | None = None) -> str:
    target = output_filename or filename.with_suffix(".pdf")
    target = target if target.suffix.lower() == ".pdf" else target.with_name(f"{target.name}.pdf")
    with lock_file(target, current_world().locks):
        conversion.convert_document(filename, target, None, current_world().now, in_file)
    return f"Document successfully converted to PDF: {_get_relative_name(target)}"


def protect_document(filename: Doc, password: str) -> str:
    with lock_file(filename, current_world().locks):
        document = Document.open(filename)
        protection.protect_document(document, "read_only", password)
        document.save(filename)
    return f"Document {_get_relative_name(filename)} is read-only now; the password lifts that"


def unprotect_document(filename: Doc, password: str) -> str:
    with lock_file(filename, current_world().locks):
        document = Document.open(filename)
        protection.unprotect_document(document, password)
        document.save(filename)
    return f"The protection of {_get_relative_name(filename)} is removed"


def _get_relative_name(path: Path) -> str:
    return str(current_world().to_relative(path))


def _count_pages(path: Path) -> int | None:
    from yardkit.kit.pages import libreoffice

    try:
        return libreoffice.page_count(path)
    except Unavailable:
        return None


def _list_lines(block: Any) -> list[str]:
    if block.tag == P:
        return [text_of(block)]
    rows = Grid(block).cells if block.tag == TBL else []
    return ["\t".join(cell_text(cell.element) for cell in row if cell.merge != "continue") for row in rows]


def _shorten_text(text: str) -> str:
    return text if len(text) <= TEXT_EXCERPT_LENGTH else f"{text[:TEXT_EXCERPT_LENGTH]}..."


def _describe_table(number: int, table: Any) -> OutlineTable:
    grid = Grid(table)
    visible_cells = [
        [_shorten_text(cell_text(cell.element)) for cell in row[:MOST_CELLS_LISTED]]
        for row in grid.cells[:MOST_CELLS_LISTED]
    ]
    return OutlineTable(number, grid.height, grid.width, visible_cells)
