"""Reading, shrinking and encoding pictures.

A file can keep Pillow busy forever, exhaust the memory or crash the process. So servers call functions that open a file
through `run_picture_call`: these, and those of engines that use them.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem
from yardkit.world.guard import add_notes
from yardkit.world.limits import check_pixels
from yardkit.world.pictures import describe_page, flatten_with_contrast, load_picture, read_contents

if TYPE_CHECKING:
    from PIL.Image import Image

Result = TypeVar("Result")

PRELOAD = ("PIL.Image", "PIL.ImageCms", "PIL.PngImagePlugin", "PIL.JpegImagePlugin")
"""What the process of `run_picture_call` keeps loaded."""
_LOSSY = ("JPEG", "WEBP", "AVIF", "HEIF")
_USUAL_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_HEAD_BYTES = 65_536
_SEVERAL = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"GIF8")
"""How files begin that may hold several pictures."""
_SIGNS_OF_MORE = (b"acTL", b"cICP", b"ANIM", b"ftypavis", b"ftypmsf1", b"ftyphe", b"ftypmif1", b"ftypavif")
"""Bytes near the beginning of others that may, or that are HDR."""
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


def describe_source(path: Path, page: int = 1, *, has_choice: bool = False) -> list[str]:
    """What a tool that looks at a picture does not see of the file: its other pages and frames, HDR.

    Args:
        path: of any file; one that is not a picture needs no words here.
        page: that it looks at.
        has_choice: whether it takes another.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if not any(mark in head for mark in _SIGNS_OF_MORE) and not head.startswith(_SEVERAL):
        return []
    try:
        contents = run_picture_call(read_contents, path)
    except Problem:
        return []
    pages = describe_page(contents, path.name, page, has_choice=has_choice)
    return [*([pages] if pages else []), *(f"{path.name}: {note}." for note in contents.notes)]


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
    """A picture as it is displayed, as JPEG whose sides have at most that many pixels.

    Raises:
        Problem: it is not a picture, it is damaged or too large.
    """
    image = flatten_with_contrast(load_picture(picture).image)
    image.thumbnail((side, side))
    return encode_image(image, "jpeg").data


def prepare_picture(path: Path, side: int, most_bytes: int) -> tuple[bytes, str]:
    """What a vision model is sent of a picture, and its format: the file, or a copy in JPEG.

    The copy is for what is large, and for what not every program shows as it is meant: turned by EXIF, in another
    colour space, in formats of few.

    Raises:
        Problem: it is not a picture, it is damaged or too large.
    """
    contents = read_contents(path)
    is_usual = contents.format in _USUAL_FORMATS and contents.turn == 1 and not contents.profile
    is_small = path.stat().st_size <= most_bytes and max(contents.width_px, contents.height_px) <= side
    if is_usual and is_small and contents.mode != "CMYK":
        load_picture(path)  # half a picture is no picture, and no model takes it
        return path.read_bytes(), contents.format.lower()
    return shrink_picture(path, side), "jpeg"


@dataclass(frozen=True)
class EmbeddedPicture:
    """A picture as it goes into a document.

    Attributes:
        data: the file itself, or a copy that office programs show as it is meant.
        format: of the data, such as PNG.
        width_px, height_px: of the data.
        dpi: dots per inch across and down, if the file states them.
    """

    data: bytes = field(repr=False)
    format: str
    width_px: int
    height_px: int
    dpi: tuple[float, float] | None


def embed_picture(path: Path, formats: Sequence[str]) -> EmbeddedPicture:
    """A picture for a document of which programs show these `formats`; the result notes pages that are left out.

    What they would show turned, in wrong colours or not at all becomes a PNG, or a JPEG where it was one of that kind.

    Raises:
        Problem: it is not a picture, it is damaged or too large.
    """
    picture, notes = run_picture_call(_embed_picture, path, formats)
    add_notes(notes)
    return picture


def _embed_picture(path: Path, formats: Sequence[str]) -> tuple[EmbeddedPicture, list[str]]:
    contents = read_contents(path)
    image = load_picture(path).image
    if contents.format in formats and (contents.is_simple or contents.moves):
        return EmbeddedPicture(path.read_bytes(), contents.format, *image.size, contents.dpi), []
    buffer = io.BytesIO()
    kind = "JPEG" if contents.format in _LOSSY and image.mode == "RGB" else "PNG"
    image.save(buffer, kind, **({"quality": 95, "subsampling": 0} if kind == "JPEG" else {}))
    notes = [describe_page(contents, path.name), *(f"{path.name}: {note}." for note in contents.notes)]
    return EmbeddedPicture(buffer.getvalue(), kind, *image.size, contents.dpi), notes


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
