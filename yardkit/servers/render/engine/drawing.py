"""Pages drawn by PDFium or Pillow. Everything here opens a file that may be hostile: it is called `apart`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.pages import raster
from yardkit.kit.pages.raster import PageImage
from yardkit.servers.render.engine import pictures
from yardkit.world import Problem
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    from PIL.Image import Image

PRELOAD = (*raster.PRELOAD, *pictures.PRELOAD, "PIL.ImageChops", "pypdfium2.raw")
_MAX_IMAGE_BYTES = 600_000
_TRIM_PX = 6


@dataclass(frozen=True)
class Part:
    """Pages of one file, a PDF (or its bytes) or a picture, by their numbers in that file, ascending from 1."""

    file: bytes | Path = field(repr=False)
    numbers: list[int]
    is_picture: bool = False

    def images(self, dpi: float) -> Iterator[Image]:
        """The pages as pictures; of a picture file as they are."""
        for number in self.numbers:
            if self.is_picture and isinstance(self.file, Path):
                yield pictures.read_page(self.file, number)
            else:
                yield raster.page_image(self.file, number, dpi=dpi)

    def render_small(self, width_px: int) -> Iterator[Image]:
        """The pages as pictures about as wide as that, so that none is blown up."""
        if self.is_picture:
            yield from self.images(pictures.SCREEN_DPI)
            return
        sizes = raster.page_sizes(self.file)
        for number in self.numbers:
            wide, tall = sizes[number - 1]
            scale = min(width_px / wide, (0.99 * raster.MAX_PAGE_PIXELS / (wide * tall)) ** 0.5)
            yield raster.page_image(self.file, number, dpi=scale * raster.POINTS_PER_INCH)


def draw_pages(
    parts: Sequence[Part],
    dpi: float,
    kind: raster.Format,
    box: Box | None = None,
    light: bool = True,
) -> list[PageImage]:
    """The pages as pictures, or the part `box` (in points) of each; `light` ones as a model can look at them."""
    page_images = []
    for part in parts:
        for image in part.images(dpi):
            visible_image = image if box is None else _crop_part(image, box, dpi)
            page_images.append(_pack_image(visible_image, kind) if light else raster.encode_image(visible_image, kind))
    return page_images


def draw_packed(part: Part, dpi: float, kind: str) -> bytes:
    """The first page of a part in a format of Pillow's."""
    return pictures.pack_image(next(part.images(dpi)).convert("RGB"), kind)


def draw_trimmed(pdf: bytes, dpi: float) -> PageImage:
    """The only page of a PDF without the white around what stands on it."""
    return _pack_image(_trim_image(raster.page_image(pdf, 1, dpi=dpi)), "png")


def draw_contact_sheet(parts: Sequence[Part], labels: Sequence[str], columns: int, width_px: int) -> PageImage:
    """Small pictures of the pages side by side, each with its label."""
    wide = raster.cell_width(len(labels), columns, width_px)
    images = (image for part in parts for image in part.render_small(wide))
    return _pack_image(raster.contact_sheet(list(zip(labels, images, strict=True)), columns=columns, width_px=width_px))


def _crop_part(image: Image, box: Box, dpi: float) -> Image:
    scale = dpi / raster.POINTS_PER_INCH
    left, top, right, bottom = (round(value * scale) for value in box)
    left, top, right, bottom = max(0, left), max(0, top), min(image.width, right), min(image.height, bottom)
    if left >= right or top >= bottom:
        size = f"{image.width / scale:.0f} x {image.height / scale:.0f}"
        raise Problem(f"the box {list(box)} is outside the page of {size} points; count from its top left corner")
    return image.crop((left, top, right, bottom))


def _pack_image(image: Image, kind: raster.Format = "png") -> PageImage:
    """The picture in the wanted format; as JPEG when PNG would be too large for a model to look at."""
    packed = raster.encode_image(image, kind)
    return packed if len(packed.data) <= _MAX_IMAGE_BYTES or kind == "jpeg" else raster.encode_image(image, "jpeg")


def _trim_image(image: Image) -> Image:
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
