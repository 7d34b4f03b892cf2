"""Any file as pages: which program shows it, how many pages it has, and a page as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from yardkit.kit.markdown import html_page
from yardkit.kit.pages import browser, fonts, libreoffice, raster
from yardkit.kit.pages.fonts import Font
from yardkit.kit.pages.kinds import true_suffix
from yardkit.kit.pages.svg import check_svg
from yardkit.servers.render.engine import pictures
from yardkit.servers.render.engine.drawing import Part
from yardkit.servers.render.engine.pictures import IMAGES
from yardkit.servers.render.engine.selection import group_runs
from yardkit.world import Problem
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes

WEB = (".html", ".htm", ".xhtml", ".svg", ".md", ".markdown")
Program = Literal["pdf", "office", "browser", "image"]
_MAX_TEXT_BYTES = 20_000_000
_SVG_SIZE = """() => { const i = document.images[0];
  const size = n => Math.min(10000, Math.max(1, Math.ceil(n)));
  return [size(i.width), size(i.height)] }"""


@dataclass(frozen=True)
class Source:
    """A file as pages. `pdf` holds all pages of what is shown by the browser."""

    path: Path
    program: Program
    count: int
    pdf: bytes = b""

    def parts(self, numbers: Sequence[int]) -> list[Part]:
        """The pages `numbers` (ascending) as files that can be drawn."""
        if self.program == "image":
            return [Part(self.path, list(numbers), is_picture=True)]
        source_parts = []
        for first, last in group_runs(list(numbers)):
            data, shift = self.pages_pdf(first, last)
            source_parts.append(Part(data, [number - shift for number in range(first, last + 1)]))
        return source_parts

    def pages_pdf(self, first: int, last: int) -> tuple[bytes | Path, int]:
        """A PDF that holds these pages, and by how many their numbers are lower there."""
        if self.program == "office":
            return libreoffice.pdf_pages(self.path, first, last), first - 1
        return (self.pdf or self.path), 0

    def make_full_pdf(self) -> bytes | Path:
        """A PDF of all pages."""
        if self.program == "image":
            return raster.run_picture_call(pictures.picture_pdf, self.path)
        return self.pages_pdf(1, self.count)[0]

    def fonts(self) -> list[Font]:
        """The fonts of an office file that are shown by others; of other files none are known."""
        return (
            [font for font in fonts.list_installed_fonts(self.path) if font.replaced]
            if self.program == "office"
            else []
        )


def open_source(path: Path, root: Path) -> Source:
    """A file as pages; a web page loads what else it needs from `root` only.

    Raises:
        Problem: damaged, protected with a password, or of a type that has no pages.
        Unavailable: the program that shows it is not installed.
    """
    check_bytes(path)
    suffix = path.suffix.lower()
    with path.open("rb") as handle:
        head = handle.read(1024)
    if b"%PDF-" in head:
        return Source(path, "pdf", raster.run_picture_call(raster.page_count, path))
    if suffix in WEB:
        pdf = print_web(path, root)
        return Source(path, "browser", raster.run_picture_call(raster.page_count, pdf), pdf)
    known = true_suffix(path) if suffix == ".pdf" else suffix
    if known in IMAGES:
        return Source(path, "image", raster.run_picture_call(pictures.count_pages, path))
    if known is None:
        raise Problem(f"{path.name!r} is not a valid PDF: it is damaged, cut off or of another type. Export it again")
    return Source(path, "office", libreoffice.page_count(path))


def print_web(path: Path, root: Path, paper: browser.Paper | None = None) -> bytes:
    """A web page, SVG or Markdown file as PDF."""
    content = web_content(path)
    if path.suffix.lower() == ".svg" and content:
        width, height = browser.visit_page(path, root, content=content, scripts=[(_SVG_SIZE, None)]).values[0]
        content = content.replace("margin: 0", f"margin: 0 }} @page {{ size: {width}px {height}px; margin: 0", 1)
    return browser.visit_page(path, root, content=content, paper=paper or browser.Paper()).pdf


def web_content(path: Path) -> str | None:
    """What the browser shows in place of a file: a page made of Markdown or around an SVG; None: the file itself."""
    suffix = path.suffix.lower()
    if suffix in (".md", ".markdown"):
        text = read_text(path)
        return html_page.wrap_page(html_page.body_of(text)[0], title=html_page.markdown_title(text, path.stem))
    if suffix == ".svg":
        check_svg(path)
        style = "body { margin: 0 } img { max-width: 100%; display: block }"
        return html_page.wrap_page(f'<img src="{quote(path.name)}" alt="">', title=path.stem, style=style)
    return None


def read_text(path: Path) -> str:
    """A text file.

    Raises:
        Problem: too large, or other bytes than text.
    """
    check_bytes(path, _MAX_TEXT_BYTES)
    return decode_file(path.read_bytes(), path.name).text
