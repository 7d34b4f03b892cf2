"""Faces of guests who did not agree are gone from the published newsletter, and nothing else is."""

from collections.abc import Iterator, Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.pages.covers import (
    cut_out,
    find_pictures_below,
    measure_detail_left,
    measure_difference,
)
from yardkit.evaluators.readers.pages.pdf import draw_pdf_page, read_pdf
from yardkit.evaluators.submission import Submission

BEFORE, AFTER = "newsletter.pdf", "newsletter_public.pdf"
SCALE = 2.0
"""Pixels per point."""
PAGE_PT = (0.0, 0.0, 595.28, 841.89)
_LEFT_OF_DETAIL = 0.45
"""How much of the detail of a face may be left: a mosaic of eight by eight, or a blur of a tenth of it, is below."""
_SAME_SHAPE, _OTHER, _STAYS = 0.03, 60, 12.0
_ROOM = 1.0
"""So much of its sides a cover may be larger than the face."""


def _list_faces(facts: Facts, *, hidden: bool = True) -> list[Mapping[str, Any]]:
    return [face for face in facts["faces"] if face["hidden"] is hidden]


def _cut_face(submission: Submission, path: str, face: Mapping[str, Any]) -> Any:
    return cut_out(draw_pdf_page(submission, path, face["page"], SCALE), face["box"], PAGE_PT)


def _check_hidden_faces(submission: Submission, facts: Facts) -> Finding:
    seen = []
    for face in _list_faces(facts):
        left = measure_detail_left(*(_cut_face(submission, path, face) for path in (BEFORE, AFTER)))
        seen += [f"{face['who']} on page {face['page']} ({left:.2f})"] if left > _LEFT_OF_DETAIL else []
    return make_finding(not seen, f"{facts['covered']} faces; still to be recognised: {seen or 'none'}")


def _nothing_below(submission: Submission, facts: Facts) -> Finding:
    """No picture in the file, and no page without its annotations, shows a face that must be hidden."""
    seen = []
    pictures = parse_file(submission, AFTER, find_pictures_below, "PDF file")
    for face in _list_faces(facts):
        before = _cut_face(submission, BEFORE, face)
        left = [
            measure_detail_left(before, cut_out(picture, face["box"], frame))
            for picture in pictures
            for frame in (face["print"], PAGE_PT)
            if _has_shape(picture, frame)
        ]
        seen += [f"{face['who']} on page {face['page']}"] if max(left, default=0.0) > _LEFT_OF_DETAIL else []
    return make_finding(not seen, f"{len(pictures)} pictures in the file; faces below a cover: {seen or 'none'}")


def _has_shape(picture: Any, frame: Any) -> bool:
    proportions = (frame[2] - frame[0]) / (frame[3] - frame[1])
    return bool(abs(picture.shape[1] / picture.shape[0] / proportions - 1) < _SAME_SHAPE)


def _check_visible_faces(submission: Submission, facts: Facts) -> Finding:
    """Faces of guests who agreed, and of the painting, with their captions, look as before."""
    changed = []
    for face in _list_faces(facts, hidden=False):
        pages = (draw_pdf_page(submission, path, face["page"], SCALE) for path in (BEFORE, AFTER))
        off = measure_difference(*(cut_out(page, face["shot"], PAGE_PT) for page in pages)).mean()
        changed += [f"{face['who']} on page {face['page']}"] if off > _STAYS else []
    return make_finding(not changed, f"changed without need: {changed or 'nothing'}")


def _check_other_content(submission: Submission, facts: Facts) -> Finding:
    """The pages have their texts, and look as before but for the faces that are hidden and a little room around."""
    before, after = (read_pdf(submission, path) for path in (BEFORE, AFTER))
    texts = [[page.text.split() for page in read.pages] for read in (before, after)]
    if texts[0] != texts[1]:
        return make_finding(holds=False, evidence=f"{len(after.pages)} pages, for {len(before.pages)}, or other texts")
    other = list(_other_places(submission, facts, len(before.pages)))
    return make_finding(max(other) < 0.002, f"which part of each page looks otherwise beside the faces: {other}")


def _other_places(submission: Submission, facts: Facts, pages: int) -> Iterator[float]:
    for number in range(1, pages + 1):
        first, other = (draw_pdf_page(submission, path, number, SCALE) for path in (BEFORE, AFTER))
        changed = measure_difference(first, other) > _OTHER
        for face in (face for face in _list_faces(facts) if face["page"] == number):
            left, top, right, bottom = face["box"]
            wide, tall = (right - left) * _ROOM, (bottom - top) * _ROOM
            cut_out(changed, (left - wide, top - tall, right + wide, bottom + tall), PAGE_PT)[:] = False
        yield round(float(changed.mean()), 5)


OBSERVED = (f"file:{AFTER}", f"pages:{AFTER}")
CHECKS = make_group(
    "redact_faces",
    "The newsletter may be published",
    make_checkpoint(
        "gone", "No one who did not agree can be recognised", _check_hidden_faces, covers=OBSERVED, weight=3
    ),
    make_checkpoint(
        "nothing_below", "The faces are not in the file any more", _nothing_below, covers=OBSERVED, weight=2
    ),
    make_checkpoint("stays", "Everyone else is visible as before", _check_visible_faces, covers=OBSERVED, weight=3),
    make_checkpoint("rest", "Texts, captions and pages are as before", _check_other_content, covers=OBSERVED, weight=2),
    leaves.answer_number("The answer counts the hidden faces", lambda facts: facts["covered"]),
    leaves.nothing_else(AFTER),
)
