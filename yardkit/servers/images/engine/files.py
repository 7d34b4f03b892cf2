"""Pictures read from files and written to them, in a process of their own."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.kit.pictures import PICTURE_FORMATS, run_picture_call
from yardkit.world import FileRef, Problem, save_bytes
from yardkit.world.limits import check_bytes, check_pixels

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 50_000_000
MAX_SIDE = 16_000
PRELOAD = ("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.ImageOps", "PIL.ImageFilter", "numpy")
"""What the process that works on pictures keeps loaded."""
_FORMATS = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".webp": "WEBP",
    ".gif": "GIF",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
}
_OPAQUE = ("JPEG", "BMP")
QUALITY = 90


@dataclass(frozen=True)
class ChangedImage:
    """A picture that was written.

    Attributes:
        picture: where it is.
        width_px, height_px: its size.
        was_px: width and height of the picture that it was made from, as displayed.
        note: what to know of it.
    """

    picture: FileRef
    width_px: int
    height_px: int
    was_px: tuple[int, int]
    note: str = ""

    def __str__(self) -> str:
        before = (
            f", before {self.was_px[0]} x {self.was_px[1]}" if self.was_px != (self.width_px, self.height_px) else ""
        )
        head = f"Saved {self.picture}: {self.width_px} x {self.height_px} px{before}"
        return "\n".join([head, *([self.note] if self.note else [])])


def change_picture(
    path: Path, target: Path, operation: Callable[..., Any], *args: object, quality: int = QUALITY
) -> ChangedImage:
    """Apply a function of a module to a picture, and write what comes of it.

    Args:
        path: of the picture, which stays as it is unless `target` is the same.
        target: where the result is written, in the format of its name.
        operation: takes an image and `args`; gives an image, or an image and a note.
        args: further arguments.
        quality: of JPEG and WEBP.

    Raises:
        Problem: the picture cannot be read, the name is not that of a picture, or raised by the operation.
    """
    kind = format_of(target)
    data, size, was, note = run_picture_call(_apply_operation, path, kind, operation, args, quality)
    save_bytes(target, data)
    return ChangedImage(FileRef.from_path(target), *size, was, note)


def return_unchanged(image: "Image") -> "Image":
    """The image itself: what is changed is the file."""
    return image


def format_of(target: Path) -> str:
    """The format of a picture by its name.

    Raises:
        Problem: it is not a format that is written.
    """
    kind = _FORMATS.get(target.suffix.lower())
    if kind is None:
        raise Problem(f"{target.name!r} is not a picture file name; end it with {', '.join(_FORMATS)}")
    return kind


def load_picture(path: Path) -> "Image":
    """A picture as it is displayed, RGB or, where it is transparent somewhere, RGBA. To be called apart.

    Raises:
        Problem: it is not a picture, or a damaged or too large one.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    check_bytes(path)
    try:
        with Image.open(path, formats=PICTURE_FORMATS) as opened:
            check_size(*opened.size, path.name)
            upright = ImageOps.exif_transpose(opened)
            return convert_to_rgb(upright)
    except UnidentifiedImageError as error:
        raise Problem(f"{path.name!r} is not a picture; give a PNG, JPEG, WEBP, GIF, BMP or TIFF") from error
    except Image.DecompressionBombError as error:
        raise Problem(f"{path.name!r} has too many pixels; the limit is {MAX_PIXELS:,} pixels") from error
    except (OSError, SyntaxError, ValueError) as error:  # whose words may name folders of the machine
        raise Problem(f"{path.name!r} is damaged and cannot be read as a picture; save it again") from error


def convert_to_rgb(image: "Image") -> "Image":
    """An image in RGB or, where it can be transparent, RGBA; 16-bit grey scaled to 8."""
    if image.mode.startswith(("I", "F")):
        low, high = image.getextrema()
        span = (float(high) - float(low)) or 1.0  # type: ignore[arg-type]
        full = 65535.0 if image.mode.startswith("I") and high > 255 else span  # type: ignore[operator]
        start = 0.0 if full == 65535.0 else float(low)  # type: ignore[arg-type]
        image = image.convert("F").point(lambda value: value * (255 / full) - start * 255 / full).convert("L")
    transparent = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    return image.convert("RGBA" if transparent else "RGB")


def check_size(width: int, height: int, name: str) -> None:
    """Refuse a picture that would be too large.

    Raises:
        Problem: more than 50 million pixels, or 16,000 on a side.
    """
    check_pixels(width, height, name, MAX_PIXELS)
    if max(width, height) > MAX_SIDE:
        raise Problem(f"{name!r} is {width:,} x {height:,} pixels; the limit per side is {MAX_SIDE:,}")


def encode_image(image: "Image", kind: str, quality: int = QUALITY) -> bytes:
    """The bytes of an image in a format; on white where the format knows no transparency."""
    from PIL import Image

    file = io.BytesIO()
    if image.mode == "RGBA" and kind in _OPAQUE:
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    settings = {"JPEG": {"quality": quality, "subsampling": 0 if quality >= 90 else 2}, "WEBP": {"quality": quality}}
    image.save(file, kind, **settings.get(kind, {}))
    return file.getvalue()


def _apply_operation(
    path: Path, kind: str, operation: Callable[..., Any], args: tuple[object, ...], quality: int
) -> tuple[bytes, tuple[int, int], tuple[int, int], str]:
    image = load_picture(path)
    changed_image = operation(image, *args)
    result, note = changed_image if isinstance(changed_image, tuple) else (changed_image, "")
    check_size(result.width, result.height, path.name)
    return encode_image(result, kind, quality), result.size, image.size, note
