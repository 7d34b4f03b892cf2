"""Pictures opened and decoded: eight bits, sRGB, upright, whatever the file is."""

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.world.limits import MAX_PIXELS, TooManyPixels, check_bytes, check_pixels
from yardkit.world.pictures import color_profiles, kinds, stored_pixels
from yardkit.world.problem import Problem
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from PIL.Image import Image

HEAD_BYTES = 65_536
DAMAGE_ERRORS = (
    *(OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError),
    *(struct.error, ArithmeticError, RuntimeError, MemoryError, AssertionError),
)
"""What Pillow and its decoders raise for files that are not as they should be."""
ORIENTATION = 0x0112
_SUBFILE, _SUB_IFDS, _DNG_VERSION = 254, 330, 50_706
_NO_PAGE = 0b101
"""Of a TIFF's kind of page: a smaller copy, or a mask."""
_BRIGHT, _OPAQUE = 170, 128
_SOME = 0.08
"""Share of what meets nothing that is light, from which white is no ground for it; or dark, for black."""
_ADOBE_INTEROP = "R03"
"""How cameras that embed no profile say Adobe RGB (DCF 2.0)."""


@dataclass(frozen=True)
class LoadedPicture:
    """A picture as it is displayed.

    Attributes:
        image: RGB or, where it can be transparent, RGBA.
        duration_ms: how long this frame of a moving picture is shown.
    """

    image: "Image"
    duration_ms: int = 0


def load_picture(
    source: Path | bytes, page: int = 1, *, max_pixels: int = MAX_PIXELS, enough_px: int | None = None
) -> LoadedPicture:
    """A picture as it is displayed.

    Args:
        source: a file, or what it would hold.
        page: of a TIFF, or the frame of a moving picture, from 1.
        max_pixels: a picture of more is refused by its header.
        enough_px: a JPEG whose sides are a multiple of this is decoded smaller, in a fifth of the time.

    Raises:
        Problem: it is not a picture, it is damaged or too large, or has no such page.
    """
    with open_picture(source, max_pixels) as opened:
        seek_page(opened, page, name_of(source))
        check_pixels(*opened.size, name_of(source), max_pixels)
        if enough_px:
            opened.draft(None, (enough_px, enough_px))
        return LoadedPicture(_decode_image(opened, read_head(source)), int(opened.info.get("duration", 0) or 0))


def load_frames(source: Path | bytes, *, max_pixels: int = MAX_PIXELS) -> Iterator[LoadedPicture]:
    """All pages of a TIFF or frames of a moving picture, each as `load_picture` gives it.

    Raises:
        Problem: as `load_picture`; or together they have more than `max_pixels`.
    """
    head, name = read_head(source), name_of(source)
    with open_picture(source, max_pixels) as opened:
        total = 0
        for page in range(1, len(list_pages(opened)) + 1):
            seek_page(opened, page, name)
            total += opened.width * opened.height
            if total > max_pixels:
                raise Problem(f"the pages of {name!r} have more than {max_pixels:,} pixels; change fewer pages at once")
            yield LoadedPicture(_decode_image(opened, head), int(opened.info.get("duration", 0) or 0))


def flatten_picture(image: "Image", color: str = "white") -> "Image":
    """An image in RGB, on a colour where it is transparent."""
    from PIL import Image

    if image.mode == "RGB":
        return image
    return Image.alpha_composite(Image.new("RGBA", image.size, color), image.convert("RGBA")).convert("RGB")


def flatten_with_contrast(image: "Image") -> "Image":
    """An image in RGB on white, or on black or grey where light things on nothing would vanish on white.

    For whoever looks for what a picture holds, such as the white letters or icons of a dark page.
    """
    if image.mode != "RGBA":
        return flatten_picture(image)
    from PIL import ImageChops, ImageFilter, ImageOps

    seen = image.getchannel("A").point(lambda alpha: 255 * (alpha >= _OPAQUE))
    # Where the picture meets nothing: a light area with dark letters in it is as legible on white.
    inner = ImageOps.expand(seen, 1, 0).filter(ImageFilter.MinFilter(3)).crop((1, 1, seen.width + 1, seen.height + 1))
    histogram = image.convert("L").histogram(ImageChops.subtract(seen, inner))
    light = sum(histogram[_BRIGHT + 1 :]) / max(1, sum(histogram))
    return flatten_picture(image, "white" if light < _SOME else "black" if light > 1 - _SOME else "grey")


@contextmanager
def open_picture(source: Path | bytes, max_pixels: int = MAX_PIXELS) -> "Iterator[Image]":
    """A picture opened by its header; what goes wrong in the body is a `Problem`, too.

    Raises:
        Problem: it is not a picture, it is damaged or too large.
    """
    from PIL import Image, UnidentifiedImageError

    name, head = name_of(source), read_head(source)
    if isinstance(source, Path):
        check_bytes(source)
    if kinds.is_heif(head):
        _register_heif()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit is tighter, and odd EXIF is expected
            with Image.open(
                io.BytesIO(source) if isinstance(source, bytes) else source, formats=_list_formats(head)
            ) as opened:
                check_pixels(*opened.size, name, max_pixels)
                _refuse_raw(opened, name)
                stored_pixels.refuse_planes(opened, name)
                yield opened
    except UnidentifiedImageError as error:
        raise Problem(f"{name!r} is not a picture that can be read: {kinds.explain_other_kind(head)}") from error
    except Image.DecompressionBombError as error:
        raise TooManyPixels(
            f"{name!r} has too many pixels; the limit is {max_pixels:,} pixels. Scale it down"
        ) from error
    except Problem:
        raise
    except DAMAGE_ERRORS as error:  # whose words may name folders of the machine
        raise Problem(f"{name!r} is damaged and cannot be read as a picture; save it again") from error


def _list_formats(head: bytes) -> tuple[str, ...]:
    """Pillow refuses the names of formats that are not registered."""
    return kinds.READ_FORMATS if kinds.is_heif(head) else kinds.READ_FORMATS[:-1]


@cache
def _register_heif() -> None:
    import pi_heif

    pi_heif.register_heif_opener()


def _refuse_raw(opened: "Image", name: str) -> None:
    """Raw files of cameras are TIFFs whose first page is a thumbnail."""
    tags: Any = getattr(opened, "tag_v2", {})
    is_thumbnail = bool(_read_number(tags, _SUBFILE) & 1) and _SUB_IFDS in tags
    if _DNG_VERSION in tags or is_thumbnail:
        raise Problem(f"{name!r} is a camera raw file; develop it to TIFF or JPEG first")


def name_of(source: Path | bytes) -> str:
    """How a message calls a picture."""
    return source.name if isinstance(source, Path) else "the picture"


def read_head(source: Path | bytes) -> bytes:
    """The first bytes of a file."""
    if isinstance(source, bytes):
        return source[:HEAD_BYTES]
    with source.open("rb") as file:
        return file.read(HEAD_BYTES)


def list_pages(opened: "Image") -> list[int]:
    """The frames of an open file that are pages of their own, the main one first.

    Smaller copies and masks of a TIFF, and what cameras put behind a JPEG (MPO: HDR gain maps, depth), are none.
    """
    count, begin = int(getattr(opened, "n_frames", 1)), opened.tell()
    if opened.format == "MPO" or count == 1:
        return [0]
    if opened.format == "HEIF":
        return [begin, *(number for number in range(count) if number != begin)]
    if opened.format == "PNG" and opened.info.get("default_image"):
        return list(range(1, count))  # the first one is for programs that show no moving pictures
    if opened.format != "TIFF":
        return list(range(count))
    pages = []
    for number in range(count):
        opened.seek(number)
        if not _read_number(opened.tag_v2, _SUBFILE) & _NO_PAGE:  # type: ignore[attr-defined]
            pages.append(number)
    opened.seek(begin)
    return pages or [0]


def _read_number(tags: Any, tag: int) -> int:
    value = tags.get(tag, 0)
    return value if isinstance(value, int) else 0


def seek_page(opened: "Image", page: int, name: str) -> None:
    """Go to a page of an open file.

    Raises:
        Problem: it has no such page.
    """
    if page == 1 and opened.format not in ("TIFF", "HEIF", "PNG"):
        return
    pages = list_pages(opened)
    if not 1 <= page <= len(pages):
        raise Problem(f"page {page} does not exist in {name!r}; it has {format_count(len(pages), 'page')}")
    opened.seek(pages[page - 1])


def read_turn(opened: "Image") -> int:
    """The orientation of EXIF, 1 to 8; 1 where that is broken or something else, as browsers take it."""
    try:
        value = opened.getexif().get(ORIENTATION, 1)
    except DAMAGE_ERRORS:
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def find_profile(opened: "Image", head: bytes) -> bytes:
    """The profile of the colours of an open file; empty for sRGB that needs no saying."""
    profile = opened.info.get("icc_profile")
    if isinstance(profile, bytes) and profile:
        return profile
    name, _ = color_profiles.read_coding_points(head)
    if not name and _is_adobe_rgb(opened):
        name = "Adobe RGB"
    if not name and opened.format == "PNG" and "srgb" not in opened.info:
        name = color_profiles.name_gamma(opened.info.get("gamma"))
    return color_profiles.build_profile(name) if name else b""


def _is_adobe_rgb(opened: "Image") -> bool:
    from PIL import ExifTags

    try:
        value = opened.getexif().get_ifd(ExifTags.IFD.Interop).get(1, "") if opened.format in ("JPEG", "MPO") else ""
    except DAMAGE_ERRORS:
        return False
    return str(value).rstrip("\0") == _ADOBE_INTEROP


def _decode_image(opened: "Image", head: bytes) -> "Image":
    stored_pixels.correct_palette(opened)
    opened.load()  # which turns a TIFF itself
    turn, profile = read_turn(opened), find_profile(opened, head)
    alpha = stored_pixels.read_alpha(opened, head)
    image = _convert_colors(stored_pixels.to_eight_bits(opened), alpha, profile)
    method = _get_turn_method(turn)
    upright = image if method is None else image.transpose(method)
    upright.info.clear()  # else a profile that does not hold any more would be saved with it
    return upright


def _convert_colors(image: "Image", alpha: "Image | None", profile: bytes) -> "Image":
    from PIL import Image

    if image.mode == "LAB":
        base = color_profiles.convert_lab(image)
    else:
        mode = {"L": "L", "LA": "L", "1": "L", "CMYK": "CMYK"}.get(image.mode, "RGB")
        base = image.convert("RGBA").convert(mode) if alpha is not None else image.convert(mode)
        base = color_profiles.convert_to_srgb(base, profile) if profile else base
    rgb = base.convert("RGB")
    return rgb if alpha is None else Image.merge("RGBA", (*rgb.split(), alpha))


def _get_turn_method(turn: int) -> Any:
    from PIL.Image import Transpose

    return {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }.get(turn)
