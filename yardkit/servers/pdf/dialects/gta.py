"""PDF files in the dialect of GTA: laid out from Markdown or plain text with pictures, and read page by page."""

from html import escape
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from pydantic import Field

from yardkit.kit.dialect import (
    Delivered,
    FileName,
    ImagePaths,
    Offset,
    OutputDir,
    TextPage,
    deliverable,
    literal_markdown,
    page,
    with_pictures,
)
from yardkit.kit.surface import make_server, tool
from yardkit.servers.pdf.calls import made, run
from yardkit.servers.pdf.engine.drawing.new_documents import Sheet, from_text
from yardkit.servers.pdf.engine.reading import page_text
from yardkit.world import FileRef, InFile, current_world

mcp = make_server("pdf", "Writes and reads PDF files.")

_CSS = "img { max-width: 12.7cm; max-height: 20cm } .lines { white-space: pre-wrap; font-family: sans-serif }"


@tool(mcp, name="PdfFileGenerator", writes=True, destructive=True)
def generate_pdf(
    filename: FileName,
    content: Annotated[str, Field(description="Text of the document; Markdown is laid out.", min_length=1)],
    image_paths: ImagePaths = None,
    output_dir: OutputDir = None,
    render_markdown: Annotated[bool, Field(description="False: the text as it stands, line by line.")] = True,
) -> Delivered:
    """Write a PDF file from text or Markdown in any script, with pictures."""
    path = deliverable(filename, ".pdf", output_dir)
    [parts], further = with_pictures([content], image_paths)
    shown = literal_markdown if render_markdown else _as_lines
    text = "".join(_picture(part) if isinstance(part, Path) else shown(part) for part in [*parts, *further])
    world = current_world()
    sheet = Sheet("letter", margin_mm=25)
    made(path, from_text, text, render_markdown, _CSS, sheet, world.files, world.files, path.stem, world.now)
    return Delivered(FileRef.of(path))


@tool(mcp, name="ReadPDF")
def read_pdf(file: Annotated[InFile, Field(description="PDF file.")], offset: Offset = 0) -> TextPage:
    """Read the text of a PDF file, page by page; pages that hold no text are named."""
    told: list[str] = []
    pages, skipped = "", 0
    while True:
        found = run(page_text.read_text, file, "", pages or None, "plain", None, skipped)
        for one in found.pages:
            lines = [one.text.strip("\n")] if skipped and one is found.pages[0] else [f"[page {one.page}]", one.text]
            told += [*filter(None, lines), *([f"[{one.note}]"] if one.note else [])]
        pages, skipped = found.next_pages, found.next_offset
        if not pages:
            return page("\n".join(told), offset)


def _as_lines(text: str) -> str:
    return f'<div class="lines">{escape(text)}</div>'


def _picture(path: Path) -> str:
    return f'\n\n<img src="{quote(current_world().relative(path))}" alt="{escape(path.stem)}">\n\n'
