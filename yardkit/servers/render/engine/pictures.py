"""Picture files as pages. Everything here opens a file that may be hostile: it is called `apart`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.world import Problem
from yardkit.world.pictures import READ_SUFFIXES, describe_losses, flatten_picture, load_picture, read_contents

if TYPE_CHECKING:
    from PIL.Image import Image

PRELOAD = ("PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin", "PIL.ImageCms")
IMAGES = READ_SUFFIXES
SCREEN_DPI = 96
_MAX_PDF_PIXELS = 200_000_000


def count_pages(path: Path) -> int:
    """The pages of a picture; an animation is shown by its first picture."""
    contents = read_contents(path)
    return 1 if contents.moves else contents.pages


def page_pixels(path: Path, numbers: list[int]) -> list[tuple[int, int]]:
    """Width and height of pages."""
    return [read_page(path, number).size for number in numbers]


def read_page(path: Path, number: int) -> Image:
    """A page of a picture file, upright, on white where it is transparent."""
    return flatten_picture(load_picture(path, number).image)


def picture_pdf(path: Path) -> bytes:
    """All pages as PDF.

    Raises:
        Problem: together they have too many pixels.
    """
    pages: list[Image] = []
    for number in range(1, count_pages(path) + 1):
        pages.append(read_page(path, number))
        if sum(page.width * page.height for page in pages) > _MAX_PDF_PIXELS:
            raise Problem(f"the pages of {path.name!r} have more than {_MAX_PDF_PIXELS:,} pixels; convert fewer pages")
    buffer = io.BytesIO()
    pages[0].save(buffer, "PDF", resolution=SCREEN_DPI, save_all=True, append_images=pages[1:])
    return buffer.getvalue()


def convert_picture(path: Path, kind: str) -> tuple[bytes, str]:
    """The first picture of a file in a format of Pillow's, and what of the file it has not kept."""
    image = load_picture(path).image
    data = pack_image(flatten_picture(image), kind)
    return data, describe_losses(read_contents(path), read_contents(data), [image])


def repack_picture(picture: bytes, kind: str) -> bytes:
    """A picture that the browser made in a format of Pillow's."""
    import PIL.Image

    with PIL.Image.open(io.BytesIO(picture), formats=("PNG",)) as image:
        return pack_image(image.convert("RGB"), kind)


def pack_image(image: Image, kind: str) -> bytes:
    """An image in a format of Pillow's."""
    buffer = io.BytesIO()
    image.save(buffer, kind, **({"quality": 90} if kind in ("JPEG", "WEBP") else {}))
    return buffer.getvalue()
