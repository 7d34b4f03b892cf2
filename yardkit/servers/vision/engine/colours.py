"""The colours of a picture by their names, and how much of it each covers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIDE = 96
"""Colours are counted on a copy of at most so many pixels a side."""
_NAMED = {
    "black": 0x101010,
    "dark grey": 0x484848,
    "grey": 0x808080,
    "light grey": 0xC0C0C0,
    "white": 0xFAFAFA,
    "red": 0xD81E1E,
    "dark red": 0x7A1414,
    "pink": 0xF4A0B8,
    "orange": 0xF08018,
    "brown": 0x7A4A22,
    "dark brown": 0x3C2412,
    "beige": 0xD8C4A0,
    "yellow": 0xF4D820,
    "olive": 0x808030,
    "light green": 0x98D890,
    "green": 0x2C9A3C,
    "dark green": 0x144A20,
    "turquoise": 0x30B8B0,
    "light blue": 0x98C8F0,
    "blue": 0x2860D8,
    "dark blue": 0x142458,
    "purple": 0x7830A0,
    "magenta": 0xD028A0,
}
"""A colour that people would call so, as 0xRRGGBB. A pixel has the name of the nearest in CIE L*a*b*."""
_WHITE = (0.95047, 1.0, 1.08883)
_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


@dataclass(frozen=True)
class Colour:
    """A colour of a picture.

    Attributes:
        name: in words.
        hex: the mean of what has this name, as #RRGGBB.
        share: how much of the picture has it, in [0, 1].
    """

    name: str
    hex: str
    share: float

    def __str__(self) -> str:
        return f"{self.name} {self.hex} {self.share:.0%}"


def name_colours(pixels: "NDArray[np.uint8]", min_share: float, limit: int) -> list[Colour]:
    """The colours of a picture (height, width, 3), what covers most first."""
    import numpy as np
    from PIL import Image

    picture = Image.fromarray(pixels)
    picture.thumbnail((_SIDE, _SIDE), Image.Resampling.BOX)
    values = np.asarray(picture).reshape(-1, 3)
    named = np.array([[code >> shift & 255 for shift in (16, 8, 0)] for code in _NAMED.values()])
    nearest = np.square(_to_lab(values)[:, None] - _to_lab(named)[None]).sum(-1).argmin(1)
    counts = np.bincount(nearest, minlength=len(_NAMED))
    order = [place for place in np.argsort(-counts, kind="stable")[:limit] if counts[place] >= min_share * len(values)]
    names = list(_NAMED)
    return [
        Colour(names[place], _to_hex(values[nearest == place].mean(0)), round(float(counts[place] / len(values)), 3))
        for place in order
    ]


def _to_hex(colour: "NDArray[Any]") -> str:
    return "#" + "".join(f"{round(float(value)):02X}" for value in colour)


def _to_lab(colours: "NDArray[Any]") -> "NDArray[Any]":
    """Colours of sRGB, 0..255, as CIE L*a*b* (1976) under D65."""
    import numpy as np

    values = colours / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    ratios = linear @ np.array(_TO_XYZ).T / _WHITE
    x, y, z = np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios / (3 * (6 / 29) ** 2) + 4 / 29).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)
