"""Pictures of more than eight bits, such as scans and measurements in deep greys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

_DEEP = 65_535


def in_eight_bits(image: Image) -> Image:
    """Scale deep greys to eight bits; a direct conversion would make all but the darkest shades white or black."""
    if image.mode not in ("I", "F") and not image.mode.startswith("I;16"):
        return image
    deep = image.convert("F")
    extremes: Any = deep.getextrema()
    darkest, lightest = extremes
    if darkest >= 0 and lightest <= (1 if image.mode == "F" else _DEEP):
        darkest, lightest = 0, 1 if image.mode == "F" else _DEEP
    scale = 255 / (lightest - darkest) if lightest > darkest else 1
    return deep.point(lambda shade: shade * scale - darkest * scale).convert("L")
