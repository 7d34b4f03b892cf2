"""The pictures on the slides of delivered presentations, as arrays."""

import io
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.submission import Submission

_MOST_PX = 30_000_000


def read_slide_pictures(submission: Submission, deck: str, number: int) -> list[Any]:
    """Read the pictures of a slide, counted from 1: arrays (height, width, 3), RGB, uint8; none if it is missing.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a presentation, or one of its pictures is not decodable or far too large.
    """
    slides = parse_file(submission, deck, _read_embedded, "presentation")
    return list(slides[number - 1]) if 0 < number <= len(slides) else []


def _read_embedded(path: Path) -> list[list[Any]]:
    import pptx

    slides = pptx.Presentation(str(path)).slides
    return [
        [_decode_picture(shape.image.blob) for shape in slide.shapes if hasattr(shape, "image")] for slide in slides
    ]


def _decode_picture(data: bytes) -> Any:
    import numpy as np
    import PIL.Image

    with PIL.Image.open(io.BytesIO(data)) as image:
        if image.width * image.height > _MOST_PX:
            raise ValueError(f"a picture of {image.width} x {image.height} pixels")
        return np.asarray(image.convert("RGB"))
