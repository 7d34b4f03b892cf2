"""Pixels of more than eight bits, such as scans, X-rays and measurements, with all their shades."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_INTEGER_RANGES, _FLOAT_RANGES = (255.0, 4_095.0, 65_535.0), (1.0, 255.0)
"""What white is in pictures of 8, 12 and 16 bits, and in floats."""


def is_deep(image: "Image") -> bool:
    """Whether an image has one channel of more than eight bits."""
    return image.mode in ("I", "F") or image.mode.startswith("I;16")


def scale_to_eight_bits(image: "Image") -> "Image":
    """A deep image in eight bits. As it is, all but the darkest shades would become white, or black.

    White is the smallest of the usual values that no pixel is over: cameras and microscopes of 12 bits write small
    integers. Values of no usual range, such as heights in metres, are spread from the darkest to the lightest.
    """
    import numpy as np
    from PIL import Image

    if not is_deep(image):
        return image
    shades = np.asarray(image, np.float32)
    finite = np.isfinite(shades)
    low, high = (float(shades[finite].min()), float(shades[finite].max())) if finite.any() else (0.0, 0.0)
    low, high = _choose_range(image.mode, low, high)
    scaled = (np.where(finite, shades, low) - low) * (255 / max(high - low, 1e-12))
    return Image.fromarray(np.rint(scaled.clip(0, 255)).astype(np.uint8))


def _choose_range(mode: str, low: float, high: float) -> tuple[float, float]:
    ranges = _FLOAT_RANGES if mode == "F" else _INTEGER_RANGES
    return next(((0.0, full) for full in ranges if low >= 0 and high <= full), (low, high))
