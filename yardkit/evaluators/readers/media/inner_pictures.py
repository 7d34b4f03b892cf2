"""All pictures inside a picture file: pixels below transparency, further images, previews in the metadata."""

import io
from pathlib import Path
from typing import Any

_MOST = 24
_STARTS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")


def find_inner_pictures(path: Path) -> list[Any]:
    """Find all inner pictures as arrays (height, width, 3), RGB, as stored: every image of the file without its
    transparency, and every JPEG or PNG file among its bytes, such as an EXIF preview.
    """
    import numpy as np
    import PIL.Image
    import PIL.ImageSequence

    inner_pictures = []
    with PIL.Image.open(path) as image:
        for number, page in enumerate(PIL.ImageSequence.Iterator(image)):
            if number < _MOST:
                inner_pictures.append(np.asarray(page.convert("RGBA"))[:, :, :3].copy())
    data = path.read_bytes()
    for start in _find_starts(data)[:_MOST]:
        try:
            with PIL.Image.open(io.BytesIO(data[start:])) as inner:
                inner_pictures.append(np.asarray(inner.convert("RGB")))
        except (OSError, ValueError, SyntaxError):
            continue
    return inner_pictures


def _find_starts(data: bytes) -> list[int]:
    """List the offsets, except 0, at which a picture may begin in a file."""
    places: list[int] = []
    for mark in _STARTS:
        at = data.find(mark, 1)
        while at > 0 and len(places) < 4 * _MOST:
            places.append(at)
            at = data.find(mark, at + 1)
    return sorted(places)
