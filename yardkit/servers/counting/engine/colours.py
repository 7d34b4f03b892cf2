"""Named colours in OKLab, a space in which equal distances look equally different.

Source: Björn Ottosson, "A perceptual color space for image processing", 2020. The names are the eleven basic terms
of English (Berlin and Kay, 1969) and cyan; their borders lie between the colours of CSS that carry the names.
"""

from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Color = Literal["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "brown", "black", "grey", "white"]
COLORS: tuple[Color, ...] = get_args(Color)
_GREY_CHROMA = 0.035
_WHITE, _BLACK = 0.9, 0.33
"""Lightness from which what has no hue is white, and up to which it is black."""


def to_oklab(rgb: "NDArray[np.uint8]") -> "NDArray[np.float32]":
    """Lightness in [0, 1] and two opponent axes of pixels (..., 3) of sRGB."""
    import numpy as np

    steps = np.arange(256, dtype=np.float32) / 255
    linear = np.where(steps <= 0.04045, steps / 12.92, ((steps + 0.055) / 1.055) ** 2.4).astype(np.float32)[rgb]
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ],
        np.float32,
    )
    axes = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ],
        np.float32,
    )
    oklab_values: NDArray[np.float32] = np.cbrt(linear @ cones.T) @ axes.T
    return oklab_values


def color_numbers(lab: "NDArray[Any]") -> "NDArray[np.uint8]":
    """The place in `COLORS` of the name of each colour (..., 3)."""
    import numpy as np

    light = lab[..., 0]
    chroma, hue = np.hypot(lab[..., 1], lab[..., 2]), np.degrees(np.arctan2(lab[..., 2], lab[..., 1])) % 360
    names = {
        "pink": (light >= 0.62) & ((hue < 20) | (hue >= 337)) | (light >= 0.75) & (hue < 40),
        "brown": (hue >= 20) & (hue < 105) & (light < np.where(hue < 44, 0.52, 0.64)) & (chroma < 0.15)
        | (hue >= 20) & (hue < 95) & (light < 0.75) & (chroma < 0.09),
        "red": (hue < 43) | (hue >= 350),
        "orange": hue < 80,
        "yellow": hue < 117,
        "green": hue < 172,
        "cyan": hue < 222,
        "blue": hue < 288,
        "purple": hue < 350,
    }
    nearest_numbers = np.select(list(names.values()), [COLORS.index(name) for name in names])
    grey_numbers = np.select(
        [light >= _WHITE, light <= _BLACK], [COLORS.index("white"), COLORS.index("black")], COLORS.index("grey")
    )
    without_hue = (chroma < _GREY_CHROMA) | (light < 0.22) | (light > 0.97)
    numbers: NDArray[np.uint8] = np.where(without_hue, grey_numbers, nearest_numbers).astype(np.uint8)
    return numbers


def color_name(lab: "NDArray[Any]") -> Color:
    """The name of one colour (3,)."""
    return COLORS[int(color_numbers(lab))]
