"""A leaf about the pictures of a presentation: each is complete, on its slide, and covers nothing."""

import io
from collections.abc import Iterator
from pathlib import Path

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.presentations import Deck, read_deck
from yardkit.evaluators.submission import Submission

_OFF = 0.03
"""By how much a side may differ from the proportions of the picture, and how much of a picture may be cut off."""
_COVERED_MM2, _BESIDE_MM = 25.0, 1.0


def check_complete_pictures(id: str, statement: str, path: str, *, weight: float = 1.0) -> Checkpoint:
    """A guardrail: no picture of a deck is distorted, cropped, off its slide, or over a text or another picture."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        wrong = [
            *parse_file(submission, path, _list_distorted, "presentation"),
            *_in_the_way(read_deck(submission, path)),
        ]
        return make_finding(not wrong, f"pictures that are incomplete or in the way: {wrong or 'none'}")

    return make_checkpoint(id, statement, check, covers=(f"shapes:{path}",), weight=weight, kind="guardrail")


def _list_distorted(path: Path) -> list[str]:
    import PIL.Image
    import pptx

    distorted_pictures = []
    for number, slide in enumerate(pptx.Presentation(str(path)).slides, 1):
        for shape in (shape for shape in slide.shapes if hasattr(shape, "image")):
            with PIL.Image.open(io.BytesIO(shape.image.blob)) as image:
                proportions = image.width / image.height
            cut = max(abs(side) for side in (shape.crop_left, shape.crop_right, shape.crop_top, shape.crop_bottom))
            if abs(shape.width / shape.height / proportions - 1) > _OFF or cut > _OFF:
                distorted_pictures.append(f"{shape.name} of slide {number}")
    return distorted_pictures


def _in_the_way(deck: Deck) -> Iterator[str]:
    for slide in deck.slides:
        beside = deck.off_slide(slide, _BESIDE_MM)
        for shape in slide.of_kind("picture"):
            others = [other for other in slide.shapes if other.id != shape.id and (other.text.strip() or other.digest)]
            if shape in beside or any(shape.overlap_mm2(other) > _COVERED_MM2 for other in others):
                yield f"{shape.name} of slide {slide.number}"
