"""Pictures that are read, made smaller and packed.

A file can keep Pillow busy for ever, fill the memory or end the process. So servers call whatever opens
a file through `run_picture_call`: these functions and those of engines that are built on them.
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
    """Call a function of a module where no file can hold up, fill or end this process.

    Raises:
        Problem: raised by the function, or it took more than a minute or a gigabyte of memory, or crashed.
    """
    return run_bounded(function, *args, seconds=_LIMIT_S, memory_bytes=_LIMIT_BYTES, stays=True)


def check_picture(picture: Path, kind: str) -> None:
    """Make sure that a file is a whole picture of a format of Pillow's.

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
    """A picture as JPEG whose sides have at most that many pixels.

    Raises:
        Problem: as `check_picture`.
    """
    import PIL.Image

    try:
        with PIL.Image.open(picture, formats=PICTURE_FORMATS) as image:
            check_pixels(*image.size, picture.name)
            image.thumbnail((side, side))
            return encode_image(image, "jpeg").data
    except PIL.UnidentifiedImageError as error:  # its words hold the path on this machine
        raise Problem(f"{picture.name!r} cannot be read as an image; it is damaged or of another type") from error
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise Problem(f"{picture.name!r} cannot be read as an image ({error}); check the file") from error


def as_jpeg(picture: bytes) -> PageImage:
    """A picture, in any format that browsers make, as JPEG."""
    import PIL.Image

    with PIL.Image.open(io.BytesIO(picture), formats=("PNG", "JPEG")) as image:
        return encode_image(image, "jpeg")


def encode_image(image: "Image", kind: Format = "png") -> PageImage:
    """A PIL image as PNG (quickly packed), grey PNG or JPEG."""
    buffer = io.BytesIO()
    if kind == "jpeg":
        image.convert("RGB").save(buffer, "JPEG", quality=85)
    else:
        (image.convert("L") if kind == "grey" else image).save(buffer, "PNG", compress_level=2)
    return PageImage(buffer.getvalue(), "image/jpeg" if kind == "jpeg" else "image/png", *image.size)
