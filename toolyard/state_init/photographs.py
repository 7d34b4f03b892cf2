"""The photographs in `pictures/`, whose sources and terms its README states."""

import random
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

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
