"""Images as a viewer displays them: upright, in sRGB, with all shades of deep greys."""

import io
import struct
from typing import Any

_ORIENTATION = 0x0112
_DAMAGE = (OSError, SyntaxError, ValueError, TypeError, KeyError, struct.error)
_DEEPER = 257
"""16 bits to one step of 8."""


def convert_to_displayed(image: Any) -> Any:
    """An open Pillow image as RGBA, turned by its EXIF orientation alone: other entries of EXIF may be broken."""
    from PIL.Image import Transpose

    image.load()
    ways = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    try:
        way = ways.get(image.getexif().get(_ORIENTATION))
    except _DAMAGE:
        way = None
    displayed_image = _convert_to_srgb(image)
    return displayed_image if way is None else displayed_image.transpose(way)


def _convert_to_srgb(image: Any) -> Any:
    """RGBA in sRGB, by the profile that the image has; as it is where that is damaged or of another mode."""
    from PIL import ImageCms

    rgba = _scale_shades(image).convert("RGBA")
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA", "CMYK", "P"):
        return rgba
    source = image if image.mode == "CMYK" else rgba.convert("RGB")
    try:
        opened = ImageCms.getOpenProfile(io.BytesIO(profile))
        if "srgb" in ImageCms.getProfileDescription(opened).lower():
            return rgba
        srgb = ImageCms.createProfile("sRGB")
        converted: Any = ImageCms.profileToProfile(source, opened, srgb, outputMode="RGB")
    except (ImageCms.PyCMSError, *_DAMAGE):
        return rgba
    converted.putalpha(rgba.getchannel("A"))
    return converted


def _scale_shades(image: Any) -> Any:
    import numpy as np
    from PIL import Image

    if not image.mode.startswith("I"):
        return image
    return Image.fromarray((np.asarray(image, np.int64) // _DEEPER).clip(0, 255).astype(np.uint8))
