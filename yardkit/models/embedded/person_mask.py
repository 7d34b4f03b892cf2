"""Masks of persons by MediaPipe's selfie model at 256 pixels; it finds only persons, and sometimes what they hold."""

from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.embedded.boxes import squares_of
from yardkit.models.embedded.running import infer_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "selfie"
_SIDE = 256
_PERSON = 0.5
_LEAST_SHARE, _MOST_SHARE = 0.002, 0.8
"""Of the picture: what fills nearly all of it is more often an animal or a surface, masked as if it were a person."""
_SURE = 0.93
"""Mean probability in a mask of persons; most other things are masked with less."""


def person_mask(model: Path, pixels: "NDArray[np.uint8]") -> "NDArray[np.float32]":
    """Compute the probability that each pixel (height, width, 3) shows a person. Call it in `run_in_process`."""
    import numpy as np

    height, width = pixels.shape[:2]
    mask = np.zeros((height, width), np.float32)
    for left, top, right, bottom in squares_of(width, height):
        part = slice(top, bottom), slice(left, right)
        mask[part] = np.maximum(mask[part], _mask_square(model, pixels[part]))
    return mask


def is_sure(mask: "NDArray[np.float32]") -> bool:
    """Whether a mask is of persons: other things, such as animals and airplanes, are masked with less certainty."""
    inside = mask[mask > _PERSON]
    return _LEAST_SHARE <= inside.size / mask.size <= _MOST_SHARE and float(inside.mean()) >= _SURE


def _mask_square(model: Path, pixels: "NDArray[np.uint8]") -> "NDArray[np.float32]":
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    small = Image.fromarray(pixels).resize((_SIDE, _SIDE), Image.Resampling.BILINEAR)
    [mask_values] = infer_outputs(model, {"input_1": np.asarray(small, np.float32)[None] / 255})
    grey = Image.fromarray(np.asarray(mask_values, np.float32).reshape(_SIDE, _SIDE).clip(0, 1), mode="F")
    return np.asarray(grey.resize((width, height), Image.Resampling.BICUBIC), np.float32).clip(0, 1)
