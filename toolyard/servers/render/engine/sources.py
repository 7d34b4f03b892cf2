"""Any file as pages: which program shows it, how many pages it has, and a page as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from toolyard.kit.markdown import html_page
from toolyard.kit.pages import browser, fonts, libreoffice, raster
from toolyard.kit.pages.bit_depth import in_eight_bits
from toolyard.kit.pages.fonts import Font
from toolyard.kit.pages.kinds import true_suffix
from toolyard.servers.render.engine.selection import runs
from toolyard.world import Problem
from toolyard.world.limits import check_bytes, check_pixels

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
WEB = (".html", ".htm", ".xhtml", ".svg", ".md", ".markdown")
Program = Literal["pdf", "office", "browser", "image"]
_SCREEN_DPI = 96
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

    def images(self, numbers: Sequence[int], dpi: float) -> Iterator[tuple[int, Image]]:
        """The pages `numbers` (ascending) as pictures."""
        if self.program == "image":
            for number in numbers:
                yield number, frame(self.path, number)
            return
        for first, last in runs(list(numbers)):
            data, shift = self.pages_pdf(first, last)
            for number in range(first, last + 1):
                yield number, raster.page_image(data, number - shift, dpi=dpi)

    def thumbnails(self, numbers: Sequence[int], width_px: int) -> Iterator[tuple[int, Image]]:
        """The pages `numbers` (ascending) as pictures about as wide as that, so that none is blown up."""
        if self.program == "image":
            yield from self.images(numbers, _SCREEN_DPI)
            return
        for first, last in runs(list(numbers)):
            data, shift = self.pages_pdf(first, last)
            sizes = raster.page_sizes(data)
            for number in range(first, last + 1):
                wide, tall = sizes[number - shift - 1]
                scale = min(width_px / wide, (0.99 * raster.MAX_PAGE_PIXELS / (wide * tall)) ** 0.5)
                yield number, raster.page_image(data, number - shift, dpi=scale * raster.POINTS_PER_INCH)

    def pages_pdf(self, first: int, last: int) -> tuple[bytes | Path, int]:
        """A PDF that holds these pages, and by how many their numbers are lower there."""
        if self.program == "office":
            return libreoffice.pdf_pages(self.path, first, last), first - 1
        return (self.pdf or self.path), 0

    def whole_pdf(self) -> bytes | Path:
        """A PDF of all pages."""
        if self.program == "image":
            return _image_pdf(self.path)
        return self.pages_pdf(1, self.count)[0]

    def fonts(self) -> list[Font]:
        """The fonts of an office file that are shown by others; of other files none are known."""
        return [font for font in fonts.fonts(self.path) if font.replaced] if self.program == "office" else []

    @contextmanager
    def document(self) -> Iterator[Any]:
        """All pages as an opened PDFium document."""
        with raster.opened(self.whole_pdf()) as document:
            yield document


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
        return Source(path, "pdf", len(raster.page_sizes(path)))
    if suffix in WEB:
        pdf = print_web(path, root)
        return Source(path, "browser", len(raster.page_sizes(pdf)), pdf)
    known = true_suffix(path) if suffix == ".pdf" else suffix
    if known in IMAGES:
        return Source(path, "image", _frames(path))
    if known is None:
        raise Problem(f"{path.name!r} is no PDF: it is damaged, cut off or of another type. Make it again")
    return Source(path, "office", libreoffice.page_count(path))


def print_web(path: Path, root: Path, paper: browser.Paper | None = None) -> bytes:
    """A web page, SVG or Markdown file as PDF."""
    content = web_content(path)
    if path.suffix.lower() == ".svg" and content:
        width, height = browser.visit(path, root, content=content, scripts=[(_SVG_SIZE, None)]).values[0]
        content = content.replace("margin: 0", f"margin: 0 }} @page {{ size: {width}px {height}px; margin: 0", 1)
    return browser.visit(path, root, content=content, paper=paper or browser.Paper()).pdf


def web_content(path: Path) -> str | None:
    """What the browser shows in place of a file: a page made of Markdown or around an SVG; None: the file itself."""
    suffix = path.suffix.lower()
    if suffix in (".md", ".markdown"):
        text = read_text(path)
        return html_page.page(html_page.body_of(text)[0], title=html_page.markdown_title(text, path.stem))
    if suffix == ".svg":
        _check_svg(path)
        style = "body { margin: 0 } img { max-width: 100%; display: block }"
        return html_page.page(f'<img src="{quote(path.name)}" alt="">', title=path.stem, style=style)
    return None


def _check_svg(path: Path) -> None:
    """Refuse a drawing of which the browser would show nothing, or a sign for a broken picture.

    Raises:
        Problem: it is no well-formed XML, or its entities unpack to a multiple of it.
    """
    from xml.parsers import expat

    check_bytes(path, _MAX_TEXT_BYTES)
    try:
        expat.ParserCreate().Parse(path.read_bytes(), True)  # noqa: FBT003
    except expat.ExpatError as error:
        raise Problem(f"{path.name!r} is no readable SVG ({error}); it is damaged or of another type") from error


def read_text(path: Path) -> str:
    """A UTF-8 text file.

    Raises:
        Problem: too large, or other bytes than text.
    """
    check_bytes(path, _MAX_TEXT_BYTES)
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(
            f"{path.name!r} is no UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"
        ) from error


@contextmanager
def _opened_image(path: Path) -> Iterator[Image]:
    import PIL.Image

    try:
        with PIL.Image.open(path) as image:
            check_pixels(*image.size, path.name)
            yield image
    except PIL.Image.DecompressionBombError as error:
        raise Problem(f"{path.name!r} has too many pixels to show; scale it down") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise Problem(f"{path.name!r} cannot be read as a picture; it is damaged or of another type") from error


def _frames(path: Path) -> int:
    """The pages of a picture; an animation is shown by its first picture."""
    with _opened_image(path) as image:
        return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


def held(path: Path) -> int:
    """How many pictures a file of pictures holds: pages, or those of an animation."""
    with _opened_image(path) as image:
        return int(getattr(image, "n_frames", 1))


def frame(path: Path, number: int) -> Image:
    """A page of a picture file, upright, on white where it is transparent."""
    import PIL.Image
    import PIL.ImageOps

    with _opened_image(path) as image:
        if number > 1:
            image.seek(number - 1)
        upright = in_eight_bits(PIL.ImageOps.exif_transpose(image))
        if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
            whole = upright.convert("RGBA")
            white = PIL.Image.new("RGBA", whole.size, "white")
            return PIL.Image.alpha_composite(white, whole).convert("RGB")
        return upright.convert("RGB")


def _image_pdf(path: Path) -> bytes:
    import io

    pages = [frame(path, number) for number in range(1, _frames(path) + 1)]
    buffer = io.BytesIO()
    pages[0].save(buffer, "PDF", resolution=_SCREEN_DPI, save_all=True, append_images=pages[1:])
    return buffer.getvalue()
