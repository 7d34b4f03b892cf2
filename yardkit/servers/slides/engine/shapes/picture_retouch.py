"""Pictures made better: brightness, contrast, colour, sharpness, blur and filters, into a file of their own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.pictures import run_picture_call
from yardkit.world import Problem
from yardkit.world.guard import add_notes
from yardkit.world.pictures import describe_losses, load_picture, read_contents

if TYPE_CHECKING:
    import PIL.Image

FILTERS = (
    *("BLUR", "CONTOUR", "DETAIL", "EDGE_ENHANCE", "EDGE_ENHANCE_MORE", "EMBOSS", "FIND_EDGES", "SHARPEN"),
    *("SMOOTH", "SMOOTH_MORE"),
)


@dataclass(frozen=True)
class Retouch:
    """Factors, of which 1 changes nothing; blur in pixels; filter one of `FILTERS`."""

    brightness: float = 1.0
    contrast: float = 1.0
    saturation: float = 1.0
    sharpness: float = 1.0
    blur_px: float = 0.0
    filter: str | None = None


PRESENTATION = Retouch(brightness=1.05, contrast=1.15, saturation=1.1, sharpness=1.3)
"""A little more of everything, as a projector takes some away."""


def retouch_picture(source: Path, target: Path, change: Retouch) -> None:
    """Write the changed picture in the format that the name of `target` says; what it has not kept is noted.

    Raises:
        Problem: it cannot be read, or a value is out of range.
    """
    _check_retouch(change)
    add_notes([run_picture_call(_retouch_file, source, target, change)])


def _retouch_file(source: Path, target: Path, change: Retouch) -> str:
    from PIL import ImageEnhance, ImageFilter

    loaded = load_picture(source).image
    alpha = loaded.getchannel("A") if loaded.mode == "RGBA" else None
    image = loaded.convert("RGB")
    factors = {
        ImageEnhance.Brightness: change.brightness,
        ImageEnhance.Contrast: change.contrast,
        ImageEnhance.Color: change.saturation,
        ImageEnhance.Sharpness: change.sharpness,
    }
    for enhancer, factor in factors.items():
        image = enhancer(image).enhance(factor) if factor != 1 else image
    if change.blur_px:
        image = image.filter(ImageFilter.GaussianBlur(change.blur_px))
    if change.filter:
        image = image.filter(getattr(ImageFilter, change.filter.upper()))
    _save_image(image, alpha, target)
    return describe_losses(read_contents(source), read_contents(target), [loaded])


def _check_retouch(change: Retouch) -> None:
    for name in ("brightness", "contrast", "saturation", "sharpness"):
        if not 0 <= getattr(change, name) <= 10:
            raise Problem(f"{name} {getattr(change, name):g} is out of range; use 0 to 10 (1 changes nothing)")
    if not 0 <= change.blur_px <= 200:
        raise Problem(f"{change.blur_px:g} pixels is not a valid blur; use 0 to 200")
    if change.filter and change.filter.upper() not in FILTERS:
        raise Problem(f"{change.filter!r} is not a valid filter_type; use one of {', '.join(FILTERS)}")


def _save_image(image: PIL.Image.Image, alpha: PIL.Image.Image | None, target: Path) -> None:
    kinds = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".bmp": "BMP", ".tif": "TIFF"}
    kind = kinds.get(target.suffix.lower().replace(".tiff", ".tif"))
    if kind is None:
        raise Problem(f"{target.name!r} is not a picture file name; end it in .png or .jpg")
    if alpha is not None and kind in ("PNG", "TIFF", "GIF"):
        image.putalpha(alpha)
    image.save(target, kind, **({"quality": 95} if kind == "JPEG" else {}))
