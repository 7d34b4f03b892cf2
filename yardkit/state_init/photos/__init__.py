"""Photographs with a free licence (see README.md), and what a camera and a telephone make of them."""

import io
import random
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from PIL.Image import Image

PhotoName = Literal["astronaut", "bricks", "cat", "coffee", "gravel", "officer", "photographer", "rocket"]
_STORED_AS = {1: 0, 3: 180, 6: 90, 8: 270}
"""By how much a picture is turned anticlockwise when it is stored with an orientation of EXIF."""
_ORIENTATION, _TAKEN, _MODEL, _IFD = 0x0112, 0x9003, 0x0110, 0x8769


def load_photo(name: PhotoName) -> "Image":
    """The photograph."""
    from PIL import Image

    with Image.open(Path(__file__).with_name(f"{name}.jpg")) as image:
        return image.convert("RGB")


def another_shot(image: "Image", rng: random.Random) -> "Image":
    """The same thing, taken from nearer: a part of the picture in its size, a little darker or lighter."""
    from PIL import Image, ImageEnhance

    part = rng.uniform(0.74, 0.84)
    width, height = round(image.width * part), round(image.height * part)
    left, top = rng.randint(0, image.width - width), rng.randint(0, image.height - height)
    shot = image.crop((left, top, left + width, top + height)).resize(image.size, Image.Resampling.LANCZOS)
    return ImageEnhance.Brightness(shot).enhance(rng.choice((0.88, 1.1)))


def as_taken(image: "Image", taken: str, *, orientation: Literal[1, 3, 6, 8] = 1, quality: int = 90) -> bytes:
    """A JPEG file as a camera writes it: turned as the camera was held, and how to show it in the EXIF data.

    `taken` is the time as EXIF has it, such as ``2026:03:14 10:20:30``; empty: a copy that lost its EXIF data.
    """
    buffer = io.BytesIO()
    exif = image.getexif()
    if taken:
        exif[_MODEL] = "Lumora C2"
        exif.get_ifd(_IFD)[_TAKEN] = taken
    if orientation != 1:
        exif[_ORIENTATION] = orientation
        image = image.rotate(_STORED_AS[orientation], expand=True)
    image.save(buffer, "JPEG", quality=quality, exif=exif)
    return buffer.getvalue()


def measure_difference(first_image: "Image", other: "Image") -> float:
    """How much two pictures differ when both are seen small and grey: mean of the levels, 0 to 255."""
    import numpy as np

    small = [np.asarray(image.convert("L").resize((24, 24)), dtype=float) for image in (first_image, other)]
    return float(np.abs(small[0] - small[1]).mean())
