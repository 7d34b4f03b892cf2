"""Pages, ranges of sheets and contact sheets as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.kit.pages import libreoffice, raster
from toolyard.servers.render.engine.results import Box, Shown
from toolyard.servers.render.engine.selection import pages_of
from toolyard.servers.render.engine.sources import open_source
from toolyard.world import Problem

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PAGES = 12
MAX_SHEET_PAGES = 60
_MAX_SHOWN_BYTES = 1_500_000
_TRIM_PX = 6


def render_pages(
    path: Path, root: Path, pages: str, *, dpi: float, box: Box | None = None, kind: raster.Format = "png"
) -> Shown:
    """Pages as pictures, or the part `box` (in points) of one page.

    Raises:
        Problem: no such page, the box lies outside it, or the file cannot be shown.
    """
    source = open_source(path, root)
    numbers = pages_of(pages, source.count, MAX_PAGES)
    if box is not None and len(numbers) != 1:
        raise Problem(f"a box is shown of one page; pages {pages!r} are {len(numbers)}")
    images = [image for _, image in source.images(numbers, dpi)]
    if box is not None:
        images = [_part(images[0], box, dpi)]
    return Shown(source.count, numbers, [_packed(image, kind) for image in images], source.fonts())


def _part(image: Image, box: Box, dpi: float) -> Image:
    scale = dpi / raster.POINTS_PER_INCH
    left, top, right, bottom = (round(value * scale) for value in box)
    left, top, right, bottom = max(0, left), max(0, top), min(image.width, right), min(image.height, bottom)
    if left >= right or top >= bottom:
        size = f"{image.width / scale:.0f} x {image.height / scale:.0f}"
        raise Problem(f"the box {list(box)} lies outside the page of {size} points, counted from its top left corner")
    return image.crop((left, top, right, bottom))


def _packed(image: Image, kind: raster.Format) -> raster.PageImage:
    """The picture in the wanted format; as JPEG when PNG would be too large for a model to look at."""
    packed = raster.encode(image, kind)
    return packed if len(packed.data) <= _MAX_SHOWN_BYTES or kind == "jpeg" else raster.encode(image, "jpeg")


def render_range(path: Path, sheet: str, reference: str, *, dpi: float, headings: bool) -> Shown:
    """A range of a sheet as one picture, however large its cells, with letters and numbers at the edges.

    Raises:
        Problem: no workbook, no such sheet or range, or the picture would be too large.
    """
    pdf = libreoffice.pdf_range(path, sheet or _first_sheet(path), reference, headings=headings)
    image = _trimmed(raster.page_image(pdf, 1, dpi=dpi))
    return Shown(1, [1], [_packed(image, "png")], [])


def _first_sheet(path: Path) -> str:
    names = libreoffice.sheet_names(path)
    if not names:
        raise Problem(f"{path.name!r} has no sheets; use render_pages")
    return names[0]


def _trimmed(image: Image) -> Image:
    from PIL import Image as Images
    from PIL import ImageChops

    box = ImageChops.difference(image, Images.new("RGB", image.size, "white")).getbbox()
    if box is None:
        return image
    left, top, right, bottom = box
    edge = _TRIM_PX
    return image.crop(
        (max(0, left - edge), max(0, top - edge), min(image.width, right + edge), min(image.height, bottom + edge))
    )


def contact_sheet(path: Path, root: Path, pages: str, *, columns: int, width_px: int) -> Shown:
    """Small pictures of many pages, numbered, on one picture; at most `MAX_SHEET_PAGES`, the first of them.

    Raises:
        Problem: no such pages, or the file cannot be shown.
    """
    source = open_source(path, root)
    numbers = pages_of(pages, source.count, source.count)[:MAX_SHEET_PAGES]
    wide = raster.cell_width(len(numbers), columns, width_px)
    small: Sequence[tuple[str, Image]] = [(str(n), image) for n, image in source.thumbnails(numbers, wide)]
    sheet = raster.contact_sheet(small, columns=columns, width_px=width_px)
    return Shown(source.count, numbers, [_packed(sheet, "png")], source.fonts())
