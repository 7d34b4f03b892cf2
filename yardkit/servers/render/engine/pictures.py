"""Picture files as pages. Everything here opens a file that may be hostile: it is called `apart`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.pages.bit_depth import in_eight_bits
from yardkit.kit.pictures import PICTURE_FORMATS
from yardkit.world import Problem
from yardkit.world.limits import check_pixels

if TYPE_CHECKING:
    from PIL.Image import Image

PRELOAD = ("PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin", "PIL.ImageOps")
IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
SCREEN_DPI = 96
_MAX_PDF_PIXELS = 200_000_000


@contextmanager
def _open_picture(path: Path) -> Iterator[Image]:
    import PIL.Image

    try:
        with PIL.Image.open(path, formats=PICTURE_FORMATS) as image:
            check_pixels(*image.size, path.name)
            yield image
    except PIL.Image.DecompressionBombError as error:
        raise Problem(f"{path.name!r} has too many pixels to show; scale it down") from error
    except (OSError, ValueError, SyntaxError) as error:
        raise Problem(f"{path.name!r} is not a valid picture; it is damaged or of another type") from error


def count_pages(path: Path) -> int:
    """The pages of a picture; an animation is shown by its first picture."""
    with _open_picture(path) as image:
        return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


def page_pixels(path: Path, numbers: list[int]) -> list[tuple[int, int]]:
    """Width and height of pages."""
    return [read_page(path, number).size for number in numbers]


def read_page(path: Path, number: int) -> Image:
    """A page of a picture file, upright, on white where it is transparent."""
    import PIL.Image
    import PIL.ImageOps

    with _open_picture(path) as image:
        if number > 1:
            image.seek(number - 1)
            check_pixels(*image.size, path.name)
        upright = in_eight_bits(PIL.ImageOps.exif_transpose(image))
        if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
            rgba_image = upright.convert("RGBA")
            white = PIL.Image.new("RGBA", rgba_image.size, "white")
            return PIL.Image.alpha_composite(white, rgba_image).convert("RGB")
        return upright.convert("RGB")


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


def convert_picture(path: Path, kind: str) -> tuple[bytes, int]:
    """The first picture of a file in a format of Pillow's, and how many pictures the file holds."""
    with _open_picture(path) as image:
        frame_count = int(getattr(image, "n_frames", 1))
    return pack_image(read_page(path, 1), kind), frame_count


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
