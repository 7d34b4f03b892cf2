"""Whether an object on a picture, such as a face, was made unrecognizable, and whether it is still below its cover."""

from pathlib import Path
from typing import Any

Box = tuple[float, float, float, float]
_SIDE_PX = 96


def cut_out(picture: Any, box: Any, frame: Any) -> Any:
    """Cut the box out of a picture, an array (height, width, ...); `frame` is its full extent, in the same units."""
    height, width = picture.shape[:2]
    x, y = width / (frame[2] - frame[0]), height / (frame[3] - frame[1])
    left, top = max(0, round((box[0] - frame[0]) * x)), max(0, round((box[1] - frame[1]) * y))
    return picture[top : round((box[3] - frame[1]) * y), left : round((box[2] - frame[0]) * x)]


def measure_detail_left(before: Any, after: Any) -> float:
    """Measure the share of a picture's fine detail, RGB, that is left in another one of the same place.

    1 for all of it, 0 for a box of one colour; a mosaic of eight by eight parts of a face, or a blur of a
    tenth of its width, leaves less than 0.45, a bar over the eyes more than 0.5. Detail is what a blur of an eighth of
    the side removes, in grey, on 96 x 96 pixels.
    """
    import cv2
    import numpy

    if not before.size or not after.size:
        return 0.0
    details = []
    for picture in (before, after):
        grey = picture.astype(numpy.float32).mean(axis=2)
        small = cv2.resize(grey, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA)
        details.append(small - cv2.GaussianBlur(small, (0, 0), _SIDE_PX / 8))
    return float((details[0] * details[1]).sum() / max(1.0, (details[0] ** 2).sum()))


def measure_difference(first: Any, other: Any) -> Any:
    """Compute the largest difference of a channel at each pixel of two pictures, RGB, of the same size."""
    import numpy

    if first.shape != other.shape:
        return numpy.full(first.shape[:2], 255, numpy.int16)
    return numpy.abs(first.astype(numpy.int16) - other.astype(numpy.int16)).max(axis=2)


def find_pictures_below(path: Path) -> list[Any]:
    """Find all pictures in a PDF file, visible or not, and its pages without annotations, as arrays, RGB."""
    import numpy
    import pikepdf
    import pypdfium2

    with pikepdf.open(path) as opened:
        streams = [part for part in opened.objects if isinstance(part, pikepdf.Stream)]
        stored = [pikepdf.PdfImage(part) for part in streams if part.get("/Subtype") == "/Image"]
        inner_pictures = [
            numpy.asarray(image.as_pil_image().convert("RGB")) for image in stored if not image.image_mask
        ]
    document = pypdfium2.PdfDocument(path)
    try:
        bare = [page.render(scale=2, draw_annots=False).to_pil().convert("RGB") for page in document]
        return inner_pictures + [numpy.asarray(picture) for picture in bare]
    finally:
        document.close()
