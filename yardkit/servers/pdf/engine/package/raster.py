"""Pages as pictures (PDFium)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.pages.space import Space, space_in_pdfium
from yardkit.kit.pictures import encode_image
from yardkit.servers.pdf.engine.package.document import render_pdf
from yardkit.servers.pdf.engine.package.pages import select_pages
from yardkit.world import Problem

PRELOAD = ("pypdfium2", "pypdfium2.raw", "pikepdf", "PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin")
MAX_PIXELS = 25_000_000


@dataclass(frozen=True)
class Raster:
    """A page, or the part `box`, as PNG or JPEG."""

    page: int
    data: bytes
    media_type: str
    width_px: int
    height_px: int
    dpi: float
    box: list[float]


def render_pages(
    path: Path,
    password: str = "",
    page: str = "1",
    dpi: float = 100,
    box: list[float] | None = None,
    kind: Literal["png", "jpeg"] = "png",
) -> list[Raster]:
    """The pages as pictures, annotations and form fields drawn.

    Raises:
        Problem: the file cannot be read, a page does not exist, or the picture would be too large.
    """
    with render_pdf(path, password) as document:
        return [
            _render_page(document[number - 1], number, dpi, box, kind) for number in select_pages(page, len(document))
        ]


def render_single_page(path: Path, password: str, page: int, dpi: float, box: list[float] | None) -> tuple[Raster, int]:
    """One page as PNG, and how many pages there are.

    Raises:
        Problem: as `render_pages`.
    """
    with render_pdf(path, password) as document:
        number = select_pages(str(page), len(document))[0]
        return _render_page(document[number - 1], number, dpi, box, "png"), len(document)


def _render_page(page: Any, number: int, dpi: float, box: list[float] | None, kind: Literal["png", "jpeg"]) -> Raster:
    space = space_in_pdfium(page)
    part = clip_box(box, space) if box else [0.0, 0.0, space.width, space.height]
    image = render_image(page, dpi, [round(value, 1) for value in part])
    encoded_image = encode_image(image, kind)
    return Raster(
        number,
        encoded_image.data,
        encoded_image.media_type,
        encoded_image.width_px,
        encoded_image.height_px,
        dpi,
        [round(value, 1) for value in part],
    )


def clip_box(box: list[float], space: Space) -> list[float]:
    """The part of a box that lies on the page.

    Raises:
        Problem: none does.
    """
    part = [max(box[0], 0.0), max(box[1], 0.0), min(box[2], space.width), min(box[3], space.height)]
    if part[2] - part[0] < 1 or part[3] - part[1] < 1:
        raise Problem(f"box {box} is not on the page, which is {space.width:g} x {space.height:g} points")
    return part


def render_image(page: Any, dpi: float, part: list[float] | None = None, *, grey: bool = False) -> Any:
    """A pypdfium2 page as a Pillow image.

    Raises:
        Problem: it would have more than `MAX_PIXELS`.
    """
    space = space_in_pdfium(page)
    scale = dpi / 72
    part = part or [0.0, 0.0, space.width, space.height]
    width, height = (part[2] - part[0]) * scale, (part[3] - part[1]) * scale
    if width * height > MAX_PIXELS:
        fits = dpi * (MAX_PIXELS / (width * height)) ** 0.5
        raise Problem(
            f"at {dpi:g} dpi the picture would have {width * height:,.0f} pixels; use dpi <= {fits:.0f} or a box"
        )
    crop = (part[0], space.height - part[3], space.width - part[2], part[1])
    bitmap = page.render(scale=scale, crop=crop, grayscale=grey, rev_byteorder=True)
    return bitmap.to_pil().convert("L" if grey else "RGB")
