"""Reading, shrinking and encoding pictures.

A file can keep Pillow busy forever, exhaust the memory or crash the process. So servers call functions that open a file
through `run_picture_call`: these, and those of engines that use them.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem
from yardkit.world.limits import check_pixels

if TYPE_CHECKING:
    from PIL.Image import Image

Result = TypeVar("Result")

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""What is opened as a picture: Pillow opens more, some by starting programs such as Ghostscript."""
PRELOAD = ("PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin")
"""What the process of `run_picture_call` keeps loaded."""
_LIMIT_S = 60.0
_LIMIT_BYTES = 1_000_000_000
Format = Literal["png", "jpeg", "grey"]


@dataclass(frozen=True)
class PageImage:
    """A picture: PNG or JPEG bytes."""

    data: bytes = field(repr=False)
    media_type: str
    width_px: int
    height_px: int


def run_picture_call(function: Callable[..., Result], *args: object) -> Result:
    """Call a function of a module in a separate process, so that no file can hang, exhaust or crash this one.

    Raises:
        Problem: raised by the function; or it took more than a minute or a gigabyte of memory, or crashed.
    """
    return run_bounded(function, *args, seconds=_LIMIT_S, memory_bytes=_LIMIT_BYTES, stays=True)


def check_picture(picture: Path, kind: str) -> None:
    """Check that a file is a complete picture in one of Pillow's formats.

    Raises:
        Problem: it is not.
    """
    import PIL.Image

    try:
        with PIL.Image.open(picture, formats=(kind,)) as image:
            check_pixels(*image.size, picture.name)
            image.load()
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise Problem(f"{picture.name!r} cannot be read as a picture; it is damaged or of another type") from error


def shrink_picture(picture: Path, side: int) -> bytes:
    """Convert a picture to a JPEG whose sides have at most this many pixels.

    Raises:
        Problem: as `check_picture`.
    """
    import PIL.Image

    try:
        with PIL.Image.open(picture, formats=PICTURE_FORMATS) as image:
            check_pixels(*image.size, picture.name)
            image.thumbnail((side, side))
            return encode_image(image, "jpeg").data
    except PIL.UnidentifiedImageError as error:  # its message contains the path on this machine
        raise Problem(f"{picture.name!r} cannot be read as an image; it is damaged or of another type") from error
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise Problem(f"{picture.name!r} cannot be read as an image ({error}); check the file") from error


def as_jpeg(picture: bytes) -> PageImage:
    """Convert a picture in any format that browsers make to JPEG."""
    import PIL.Image

    with PIL.Image.open(io.BytesIO(picture), formats=("PNG", "JPEG")) as image:
        return encode_image(image, "jpeg")


def encode_image(image: "Image", kind: Format = "png") -> PageImage:
    """Encode a PIL image as PNG (with fast compression), grey PNG or JPEG."""
    buffer = io.BytesIO()
    if kind == "jpeg":
        image.convert("RGB").save(buffer, "JPEG", quality=85)
    else:
        (image.convert("L") if kind == "grey" else image).save(buffer, "PNG", compress_level=2)
    return PageImage(buffer.getvalue(), "image/jpeg" if kind == "jpeg" else "image/png", *image.size)
