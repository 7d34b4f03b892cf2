"""Pixels that Pillow reads otherwise than their file means them."""

from typing import TYPE_CHECKING, Any

from yardkit.world.pictures.deep_pixels import is_deep, scale_to_eight_bits
from yardkit.world.problem import Problem

if TYPE_CHECKING:
    from PIL.Image import Image

_BITS, _COMPRESSION, _PHOTOMETRIC, _PLANES, _COLOR_MAP, _SAMPLE_FORMAT = 258, 259, 262, 284, 320, 339
"""Tags of TIFF."""
_UNCOMPRESSED, _SEPARATE, _WHITE_IS_ZERO, _UNSIGNED = 1, 2, 0, (1,)
_PNG_DEPTH_AT = 24


def refuse_planes(opened: "Image", name: str) -> None:
    """Refuse an uncompressed TIFF whose 16-bit channels are stored separately: Pillow reads them as eight bits.

    Raises:
        Problem: it is such a file.
    """
    tags: Any = getattr(opened, "tag_v2", {})
    is_deep_color = tags.get(_BITS, (8,))[:2] == (16, 16) if isinstance(tags.get(_BITS), tuple) else False
    if is_deep_color and tags.get(_PLANES) == _SEPARATE and tags.get(_COMPRESSION) == _UNCOMPRESSED:
        raise Problem(
            f"{name!r} is a TIFF whose 16-bit channels are stored separately, which is not supported; save it as PNG"
        )


def correct_palette(opened: "Image") -> None:
    """Take the colours of an old TIFF as they are: some programs write 0 to 255 where 0 to 65,535 is meant.

    To be called before the pixels are decoded.
    """
    from PIL import ImagePalette

    colors = getattr(opened, "tag_v2", {}).get(_COLOR_MAP)
    if opened.mode == "P" and isinstance(colors, tuple) and 0 < max(colors, default=0) < 256:
        opened.palette = ImagePalette.raw("RGB;L", bytes(colors))


def to_eight_bits(opened: "Image") -> "Image":
    """A decoded image of at most eight bits a channel, its greys as a viewer shows them."""
    import numpy as np
    from PIL import Image, ImageChops

    if not is_deep(opened):
        return opened
    tags: Any = getattr(opened, "tag_v2", {})
    if opened.mode == "I" and opened.format == "TIFF" and tags.get(_SAMPLE_FORMAT, _UNSIGNED) == _UNSIGNED:
        # Pillow reads 32 bits without a sign as if they had one.
        shades = (np.asarray(opened).view(np.uint32) >> 16).astype(np.uint16)
        scaled = scale_to_eight_bits(Image.fromarray(shades))
    else:
        scaled = scale_to_eight_bits(opened)
    return ImageChops.invert(scaled) if tags.get(_PHOTOMETRIC) == _WHITE_IS_ZERO else scaled


def read_alpha(opened: "Image", head: bytes) -> "Image | None":
    """How opaque each pixel of a decoded image is; None where all are."""
    import numpy as np
    from PIL import Image

    if not opened.has_transparency_data:
        return None
    clear = opened.info.get("transparency")
    if opened.format == "PNG" and isinstance(clear, int) and opened.mode.startswith("I"):
        return Image.fromarray(np.where(np.asarray(opened) == clear, 0, 255).astype(np.uint8))
    if opened.format == "PNG" and isinstance(clear, int) and opened.mode == "L" and head[_PNG_DEPTH_AT] in (2, 4):
        full = 2 ** head[_PNG_DEPTH_AT] - 1  # the shades are spread to 255, the one that is transparent is not
        opened.info["transparency"] = clear * 255 // full
    alpha = opened.convert("RGBA").getchannel("A")
    # Programs that know no transparency leave zeros; browsers show such a picture.
    return None if opened.format == "BMP" and alpha.getextrema() == (0, 0) else alpha
