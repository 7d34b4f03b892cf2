"""Pictures inside documents, decks and PDF files, and whether one of them is a given picture."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.packages import open_parts
from yardkit.evaluators.readers.pages.pictures import read_picture
from yardkit.evaluators.submission import Submission
from yardkit.world.limits import check_pixels

MAX_PICTURES = 100
"""Of a page, slide or document."""
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_SIDE_PX = 64
_STRETCH = 0.03
_OFF = 6.0
"""Levels of 255 by which pixels may differ on average, when both are small: what JPEG and scaling do."""


def inner_pictures(submission: Submission, relative: str) -> Sequence[Any]:
    """Read the pictures in a delivered docx, pptx or PDF file as arrays of shape (height, width, 3), RGB, uint8.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it cannot be read.
    """
    return parse_file(submission, relative, _read_pictures, "file with pictures")


def contains_delivered_picture(submission: Submission, relative: str, pictures: Sequence[Any]) -> bool:
    """Whether one of the pictures is the delivered one at `relative`, in its proportions and colours."""
    import numpy as np

    sought_picture = read_picture(submission, relative)
    small = _shrink_picture(sought_picture)
    return any(
        abs(inner_picture.shape[1] / inner_picture.shape[0] * sought_picture.shape[0] / sought_picture.shape[1] - 1)
        <= _STRETCH
        and float(np.abs(_shrink_picture(inner_picture) - small).mean()) <= _OFF
        for inner_picture in pictures
    )


def _shrink_picture(pixels: Any) -> Any:
    import numpy as np
    import PIL.Image

    return np.asarray(PIL.Image.fromarray(pixels).resize((_SIDE_PX, _SIDE_PX), PIL.Image.Resampling.BOX), float)


def _read_pictures(path: Path) -> tuple[Any, ...]:
    return tuple(_of_pdf(path) if path.suffix.lower() == ".pdf" else _of_package(path))


def _of_pdf(path: Path) -> Iterator[Any]:
    import numpy as np
    import pypdfium2

    opened = pypdfium2.PdfDocument(path)
    try:
        for page in opened:
            for item in list(page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]))[:MAX_PICTURES]:
                yield np.asarray(item.get_bitmap(render=False).to_pil().convert("RGB"))
    finally:
        opened.close()


def _of_package(path: Path) -> Iterator[Any]:
    """List the pictures that the body of a document, or the slides of a deck, refer to."""
    import numpy as np
    import PIL.Image

    parts = open_parts(path)
    main = parts.find_main()
    for part in parts.list_related(main, "slide") or [main]:
        relations = parts.read_relations(part)
        named = [blip.get(f"{_R}embed", "") for blip in parts.xml(part).iter(f"{_A}blip")][:MAX_PICTURES]
        for name in [relations[key].target for key in named if key in relations]:
            with PIL.Image.open(io.BytesIO(parts.read(name))) as image:
                check_pixels(*image.size, name)
                white = PIL.Image.new("RGBA", image.size, "white")
                yield np.asarray(PIL.Image.alpha_composite(white, image.convert("RGBA")).convert("RGB"))
