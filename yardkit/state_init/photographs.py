"""The photographs in `pictures/`, whose sources and terms its README states."""

import random
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from yardkit.state_init.rendering.ink import make_noise_generator

if TYPE_CHECKING:
    from PIL.Image import Image

Fault = Literal["", "soft", "moved"]
_PICTURES = Path(__file__).parent / "pictures"


def load_photograph(name: str) -> "Image":
    """A photograph by its name, such as ``cat``, in RGB."""
    from PIL import Image

    with Image.open(_PICTURES / f"{name}.jpg") as image:
        return image.convert("RGB")


def vary_photograph(name: str, rng: random.Random, most_cut: float = 0.04) -> "Image":
    """A photograph as somebody else kept it: cut a little, lighter or darker, perhaps mirrored."""
    from PIL import ImageEnhance, ImageOps

    image = load_photograph(name)
    left, top, right, bottom = (rng.uniform(0, most_cut) for _ in range(4))
    width, height = image.size
    image = image.crop(
        (round(left * width), round(top * height), round((1 - right) * width), round((1 - bottom) * height))
    )
    image = ImageEnhance.Brightness(image).enhance(rng.uniform(0.94, 1.06))
    return ImageOps.mirror(image) if rng.random() < 0.5 else image


def take_shot(image: "Image", size: tuple[int, int], fault: Fault, rng: random.Random) -> "Image":
    """One of several shots of a thing, in a size, each a little beside the others: sharp, out of focus, or moved."""
    import cv2
    import numpy as np
    from PIL import Image

    left, top = rng.uniform(0, 0.03) * image.width, rng.uniform(0, 0.03) * image.height
    part = image.crop((round(left), round(top), round(left + 0.96 * image.width), round(top + 0.96 * image.height)))
    pixels = np.asarray(part.resize(size, Image.Resampling.LANCZOS), dtype=np.float32)
    if not fault:
        pixels = pixels + 0.9 * (pixels - cv2.GaussianBlur(pixels, (0, 0), 1.5))
    elif fault == "soft":
        pixels = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(2.2, 3.0))
    else:
        pixels = cv2.blur(pixels, rng.choice([(13, 1), (15, 2), (11, 3)]))
    pixels = pixels + make_noise_generator(rng).normal(0, 1.2, (size[1], size[0], 1))
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
