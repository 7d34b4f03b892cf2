"""Faces of guests who did not agree are gone from the published newsletter, and nothing else is."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from toolyard.evaluators import leaves
from toolyard.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from toolyard.evaluators.readers.files import parse_file
from toolyard.evaluators.readers.pages.pdf import draw_pdf_page, read_pdf
from toolyard.evaluators.submission import Submission

BEFORE, AFTER = "newsletter.pdf", "newsletter_public.pdf"
SCALE = 2.0
"""Pixels per point."""
PAGE_PT = (0.0, 0.0, 595.28, 841.89)
_LEFT_OF_DETAIL = 0.25
"""How much of the detail of a face may be left: a mosaic of eight by eight, or a blur of a fifth of it, is below."""
_SAME_SHAPE, _SIDE_PX, _OTHER, _STAYS = 0.03, 96, 60, 12.0
_ROOM = 0.6
"""So much of its sides a cover may be larger than the face."""


def _detail_left(before: Any, after: Any) -> float:
    """Which part of the fine detail of a picture, RGB, stands in another one of the same place; 1 for all."""
    import cv2
    import numpy

    details = []
    for picture in (before, after):
        grey = cv2.resize(
            picture.astype(numpy.float32).mean(axis=2), (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA
        )
        details.append(grey - cv2.GaussianBlur(grey, (0, 0), _SIDE_PX / 8))
    return float((details[0] * details[1]).sum() / max(1.0, (details[0] ** 2).sum()))


def _cut(picture: Any, box: Any, frame: Any = PAGE_PT) -> Any:
    """The part of a picture of `frame` that lies in a box, both in points."""
    height, width = picture.shape[:2]
    x, y = width / (frame[2] - frame[0]), height / (frame[3] - frame[1])
    left, top = max(0, round((box[0] - frame[0]) * x)), max(0, round((box[1] - frame[1]) * y))
    return picture[top : round((box[3] - frame[1]) * y), left : round((box[2] - frame[0]) * x)]


def _hidden(facts: Facts, *, hidden: bool = True) -> list[Mapping[str, Any]]:
    return [face for face in facts["faces"] if face["hidden"] is hidden]


def _face(submission: Submission, path: str, face: Mapping[str, Any]) -> Any:
    return _cut(draw_pdf_page(submission, path, face["page"], SCALE), face["box"])


def _gone(submission: Submission, facts: Facts) -> Finding:
    faces = {
        f"{face['who']} on page {face['page']}": _detail_left(
            *(_face(submission, path, face) for path in (BEFORE, AFTER))
        )
        for face in _hidden(facts)
    }
    seen = [f"{name} ({left:.2f})" for name, left in faces.items() if left > _LEFT_OF_DETAIL]
    return finding(not seen, f"{len(faces)} faces; still to be recognised: {seen or 'none'}")


def _nothing_below(submission: Submission, facts: Facts) -> Finding:
    """No picture in the file, and no page without its annotations, shows a face that must be hidden."""
    seen = []
    pictures = parse_file(submission, AFTER, partial(_pictures, number=2), "PDF file")
    for face in _hidden(facts):
        before = _face(submission, BEFORE, face)
        for picture in pictures:
            for frame in (face["print"], PAGE_PT):
                if (
                    _has_shape(picture, frame)
                    and _detail_left(before, _cut(picture, face["box"], frame)) > _LEFT_OF_DETAIL
                ):
                    seen.append(f"{face['who']} on page {face['page']}")
    return finding(not seen, f"{len(pictures)} pictures in the file; faces below a cover: {seen or 'none'}")


def _has_shape(picture: Any, frame: Any) -> bool:
    proportions = (frame[2] - frame[0]) / (frame[3] - frame[1])
    return abs(picture.shape[1] / picture.shape[0] / proportions - 1) < _SAME_SHAPE


def _pictures(path: Path, number: int) -> list[Any]:
    """All pictures in a PDF file, whether they are shown or not, and its first pages as they are without annotations."""
    import numpy
    import pikepdf
    import pypdfium2

    with pikepdf.open(path) as opened:
        streams = [found for found in opened.objects if isinstance(found, pikepdf.Stream)]
        images = [pikepdf.PdfImage(found) for found in streams if found.get("/Subtype") == "/Image"]
        found = [numpy.asarray(image.as_pil_image().convert("RGB")) for image in images if not image.image_mask]
    document = pypdfium2.PdfDocument(path)
    try:
        bare = [document[at].render(scale=SCALE, draw_annots=False) for at in range(min(number, len(document)))]
        return found + [numpy.array(page.to_pil().convert("RGB")) for page in bare]
    finally:
        document.close()


def _stays(submission: Submission, facts: Facts) -> Finding:
    """Faces of guests who agreed, and of the painting, with their captions, look as before."""
    changed = []
    for face in _hidden(facts, hidden=False):
        one, other = (draw_pdf_page(submission, path, face["page"], SCALE) for path in (BEFORE, AFTER))
        if _difference(_cut(one, face["shot"]), _cut(other, face["shot"])).mean() > _STAYS:
            changed.append(f"{face['who']} on page {face['page']}")
    return finding(not changed, f"changed without need: {changed or 'nothing'}")


def _rest(submission: Submission, facts: Facts) -> Finding:
    """The pages have their texts, and look as before but for the faces that are hidden and a little room around."""
    before, after = (read_pdf(submission, path) for path in (BEFORE, AFTER))
    texts = [[page.text.split() for page in read.pages] for read in (before, after)]
    if texts[0] != texts[1]:
        return finding(
            holds=False, evidence=f"{len(after.pages)} pages, or texts, are not those of {len(before.pages)}"
        )
    other = list(_other_places(submission, facts, len(before.pages)))
    return finding(max(other) < 0.002, f"which part of each page looks otherwise beside the faces: {other}")


def _other_places(submission: Submission, facts: Facts, pages: int) -> Iterator[float]:
    for number in range(1, pages + 1):
        one, other = (draw_pdf_page(submission, path, number, SCALE) for path in (BEFORE, AFTER))
        changed = _difference(one, other) > _OTHER
        for face in (face for face in _hidden(facts) if face["page"] == number):
            left, top, right, bottom = face["box"]
            wide, tall = (right - left) * _ROOM, (bottom - top) * _ROOM
            _cut(changed, (left - wide, top - tall, right + wide, bottom + tall))[:] = False
        yield round(float(changed.mean()), 5)


def _difference(one: Any, other: Any) -> Any:
    import numpy

    return numpy.abs(one.astype(numpy.int16) - other.astype(numpy.int16)).max(axis=2)


OBSERVED = (f"file:{AFTER}", f"pages:{AFTER}")
CHECKS = group(
    "redact_faces",
    "The newsletter may be published",
    leaf("gone", "Nobody who did not agree can be recognised", _gone, observes=OBSERVED, weight=3),
    leaf("nothing_below", "The faces are not in the file any more", _nothing_below, observes=OBSERVED, weight=2),
    leaf("stays", "Everybody else is seen as before", _stays, observes=OBSERVED, weight=3),
    leaf("rest", "Texts, captions and pages are as before", _rest, observes=OBSERVED, weight=2),
    leaves.answer_number("The answer counts the hidden faces", lambda facts: facts["covered"]),
    leaves.nothing_else(AFTER),
)
