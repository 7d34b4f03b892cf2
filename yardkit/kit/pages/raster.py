"""Pages of a PDF as pictures, through PDFium, which is not thread-safe: hold `LOCK` around any other use of it.

Servers call functions that open a file through `run_picture_call`: these, and those of engines that use them.
"""

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.kit import pictures
from yardkit.kit.pictures import Format as Format
from yardkit.kit.pictures import PageImage as PageImage
from yardkit.kit.pictures import as_jpeg as as_jpeg
from yardkit.kit.pictures import encode_image as encode_image
from yardkit.kit.pictures import run_picture_call as run_picture_call
from yardkit.world import Problem
from yardkit.world.fonts import font_file
from yardkit.world.limits import check_bytes
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from PIL.Image import Image

LOCK = threading.RLock()
"""Held around every use of PDFium in this process."""
MAX_PAGE_PIXELS = 40_000_000
POINTS_PER_INCH = 72
PRELOAD = ("pypdfium2", *pictures.PRELOAD, "PIL.ImageDraw", "PIL.ImageFont")
"""What the process of `run_picture_call` keeps loaded."""
_GAP_PX = 14
_TEXT = 1


@contextmanager
def open_pdf(pdf: bytes | Path, password: str | None = None) -> Iterator[Any]:
    """Open a PDFium document, with `LOCK` held.

    Raises:
        Problem: the file is damaged, protected with a password, or not a PDF.
    """
    import pypdfium2

    name = pdf.name if isinstance(pdf, Path) else "the PDF"
    if isinstance(pdf, Path):
        check_bytes(pdf)
    with LOCK:
        try:
            document = pypdfium2.PdfDocument(pdf, password=password)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).lower():
                raise Problem(
                    f"{name!r} is protected with a password; give the right one, or save it without "
                    "(rewrite_pdf action=decrypt of the pdf server)"
                ) from error
            raise Problem(f"{name!r} cannot be read as a PDF; it is damaged or of another type") from error
        try:
            yield document
        finally:
            document.close()


def page_sizes(pdf: bytes | Path, password: str | None = None) -> list[tuple[float, float]]:
    """Return the width and height of each page in points."""
    with open_pdf(pdf, password) as document:
        return [document.get_page_size(number) for number in range(len(document))]


def page_count(pdf: bytes | Path, password: str | None = None) -> int:
    """Count the pages of a PDF."""
    with open_pdf(pdf, password) as document:
        return len(document)


def page_texts(pdf: bytes | Path) -> list[str]:
    """Read the text of each page."""
    with open_pdf(pdf) as document:
        return [page.get_textpage().get_text_range(errors="ignore") for page in document]


def outline_pages(pdf: bytes | Path) -> tuple[list[int], int]:
    """Return the pages, from 0, of the outline's entries, and the number of pages."""
    with open_pdf(pdf) as document:
        return [entry.get_dest().get_index() for entry in document.get_toc()], len(document)


def page_fonts(pdf: bytes | Path) -> list[str]:
    """List the base names of the fonts of all pieces of text, in order."""
    with open_pdf(pdf) as document:
        parts = (part for page in document for part in page.get_objects() if part.type == _TEXT)
        return [part.get_font().get_base_name() for part in parts]


def chosen_pages(pdf: bytes | Path, numbers: Sequence[int]) -> bytes:
    """Make a PDF of some pages."""
    import pypdfium2

    with open_pdf(pdf) as document:
        part = pypdfium2.PdfDocument.new()
        part.import_pages(document, [number - 1 for number in numbers])
        buffer = io.BytesIO()
        part.save(buffer)
        part.close()
    return buffer.getvalue()


def render_page(
    pdf: bytes | Path, number: int, *, dpi: float = 110, kind: Format = "png", password: str | None = None
) -> PageImage:
    """Render page `number` (from 1) as a picture.

    Raises:
        Problem: the page does not exist, would be too large, or the PDF cannot be read.
    """
    return encode_image(page_image(pdf, number, dpi=dpi, password=password, grey=kind == "grey"), kind)


def first_page(pdf: bytes) -> bytes:
    """Render page 1 as PNG at 150 dpi."""
    return render_page(pdf, 1, dpi=150).data


def page_image(
    pdf: bytes | Path, number: int, *, dpi: float = 110, password: str | None = None, grey: bool = False
) -> "Image":
    """Render page `number` (from 1) as a PIL image, RGB or grey."""
    with open_pdf(pdf, password) as document:
        document.init_forms()
        if not 1 <= number <= len(document):
            raise Problem(f"there is no page {number}; the document has {format_count(len(document), 'page')}")
        width, height = document.get_page_size(number - 1)
        scale = dpi / POINTS_PER_INCH
        if width * scale * height * scale > MAX_PAGE_PIXELS:
            raise Problem(
                f"page {number} at {dpi:g} dpi would have {width * scale:,.0f} x {height * scale:,.0f} pixels; at most "
                f"{MAX_PAGE_PIXELS:,} are possible. Ask for fewer dpi"
            )
        page = document[number - 1]
        try:
            image: Image = page.render(scale=scale, grayscale=grey, draw_annots=True, may_draw_forms=True).to_pil()
            return image.convert("L" if grey else "RGB")
        finally:
            page.close()


def cell_width(count: int, columns: int, width_px: int) -> int:
    """Compute the width of each of `count` pages on a contact sheet."""
    columns = max(1, min(columns, count))
    return (width_px - _GAP_PX * (columns + 1)) // columns


def contact_sheet(pages: Sequence[tuple[str, "Image"]], *, columns: int = 4, width_px: int = 1400) -> "Image":
    """Arrange small pictures of pages, each with its label below, on one picture of width `width_px`."""
    from PIL import Image, ImageDraw, ImageFont

    columns = max(1, min(columns, len(pages)))
    cell = cell_width(len(pages), columns, width_px)
    font = ImageFont.truetype(font_file("DejaVu Sans"), 14)
    rows = [pages[start : start + columns] for start in range(0, len(pages), columns)]
    heights = [max(round(cell * image.height / image.width) for _, image in row) for row in rows]
    label = 22
    sheet = Image.new("RGB", (width_px, sum(heights) + (label + _GAP_PX) * len(rows) + _GAP_PX), (224, 226, 230))
    pen, top = ImageDraw.Draw(sheet), _GAP_PX
    for row, height in zip(rows, heights, strict=True):
        for column, (words, image) in enumerate(row):
            left = _GAP_PX + column * (cell + _GAP_PX)
            small = image.convert("RGB").resize((cell, max(1, round(cell * image.height / image.width))), 1)
            sheet.paste(small, (left, top))
            pen.rectangle((left - 1, top - 1, left + cell, top + small.height), outline=(150, 150, 150))
            pen.text((left + cell // 2, top + height + 4), words, fill=(30, 30, 30), font=font, anchor="ma")
        top += height + label + _GAP_PX
    return sheet
