"""Masks of persons by MediaPipe's selfie model at 256 pixels; it finds only persons, and sometimes what they hold."""

from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.embedded.running import infer_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "selfie"
_SIDE = 256


def person_mask(model: Path, pixels: "NDArray[np.uint8]") -> "NDArray[np.float32]":
    """Compute the probability that each pixel (height, width, 3) shows a person. Call it in `run_in_process`."""
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    small = Image.fromarray(pixels).resize((_SIDE, _SIDE), Image.Resampling.BILINEAR)
    [mask_values] = infer_outputs(model, {"input_1": np.asarray(small, np.float32)[None] / 255})
    grey = Image.fromarray(np.asarray(mask_values, np.float32).reshape(_SIDE, _SIDE).clip(0, 1), mode="F")
    return np.asarray(grey.resize((width, height), Image.Resampling.BICUBIC), np.float32).clip(0, 1)
