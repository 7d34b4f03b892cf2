"""PDF files in the dialect of GTA: laid out from Markdown or plain text with pictures, and read page by page."""

from html import escape
from pathlib import Path
from urllib.parse import quote

from yardkit.kit.dialect import (
    Delivered,
    ImagePaths,
    OutputDir,
    choose_deliverable,
    literal_markdown,
    with_pictures,
)
from yardkit.servers.pdf.calls import make_file, run
from yardkit.servers.pdf.engine.drawing.new_documents import Sheet, from_text
from yardkit.servers.pdf.engine.reading import page_text
from yardkit.world import FileRef, InFile, current_world

_CSS = "img { max-width: 12.7cm; max-height: 20cm } .lines { white-space: pre-wrap; font-family: sans-serif }"


def PdfFileGenerator(
    filename: str,
    content: str,
    image_paths: ImagePaths = None,
    output_dir: OutputDir = None,
    render_markdown: bool = True,
) -> Delivered:
    path = choose_deliverable(filename, ".pdf", output_dir)
    [parts], further = with_pictures([content], image_paths)
    render_text = literal_markdown if render_markdown else _as_lines
    text = "".join(
        _format_picture(part) if isinstance(part, Path) else render_text(part) for part in [*parts, *further]
    )
    world = current_world()
    sheet = Sheet("letter", margin_mm=25)
    make_file(path, from_text, text, render_markdown, _CSS, sheet, world.files, world.files, path.stem, world.now)
    return Delivered(FileRef.from_path(path))


def ReadPDF(file: InFile) -> str:
    page_texts: list[str] = []
    pages, skipped = "", 0
    while True:
        text_pages = run(page_text.read_text, file, "", pages or None, "plain", None, skipped)
        for text_page in text_pages.pages:
            lines = (
                [text_page.text.strip("\n")]
                if skipped and text_page is text_pages.pages[0]
                else [f"[page {text_page.page}]", text_page.text]
            )
            page_texts += [*filter(None, lines), *([f"[{text_page.note}]"] if text_page.note else [])]
        pages, skipped = text_pages.next_pages, text_pages.next_offset
        if not pages:
            return "\n".join(page_texts)


def _as_lines(text: str) -> str:
    return f'<div class="lines">{escape(text)}</div>'


def _format_picture(path: Path) -> str:
    return f'\n\n<img src="{quote(current_world().to_relative(path))}" alt="{escape(path.stem)}">\n\n'
