"""Whether a filled form is the blank form still: its print, its fields, and marks in no other boxes than the ticked."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.office.mail_forms.shown import Widget, widgets
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.pages.pdf import Pdf, draw_page, draw_pdf_page, read_pdf
from yardkit.evaluators.submission import Submission

SCALE = 2.0
_FLAGS = 2 | 4 | 32
"""Hidden, printed, not to be viewed."""
_OTHER = 40
"""Levels by which a pixel must differ to be another one."""


def changed(submission: Submission, relative: str, blank: str) -> list[str]:
    """In what a form differs from the blank one beside its values.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is no readable PDF.
    """
    was, now = read_pdf(submission.untouched, blank), read_pdf(submission, relative)
    odd = []
    if _print(was) != _print(now):
        odd.append("other print")
    if now.encrypted:
        odd.append("protected")
    if (was.annotations, was.attachments) != (now.annotations, now.attachments):
        odd.append("with comments or attached files")
    places = widgets(submission.untouched, blank)
    if _fields(was, places) != _fields(now, widgets(submission, relative)):
        odd.append("other fields")
    return odd or (["something is drawn on it"] if _drawn_on(submission, relative, blank, places) else [])


def marked(submission: Submission, relative: str, blank: str) -> dict[str, list[str]]:
    """The boxes that are seen to be ticked, that is, look other than when all are cleared: by field their states."""
    places = [widget for widget in widgets(submission.untouched, blank) if widget.kind == "/Btn"]
    picture = draw_pdf_page(submission, relative, 1, SCALE)
    empty = parse_file(submission, relative, _cleared, "PDF form")
    found: dict[str, list[str]] = {place.name: [] for place in places}
    for place in places:
        part = _part(place, empty.shape[0])
        if float(_differs(picture[part], empty[part]).mean()) > 0.02:
            found[place.name].append(place.state)
    return found


def _cleared(path: Path) -> Any:
    """The form with no box ticked, as pixels."""
    import pikepdf

    made = io.BytesIO()
    with pikepdf.open(path) as opened:
        for field in opened.Root.AcroForm.Fields if "/AcroForm" in opened.Root else []:
            if str(field.get("/FT", "")) == "/Btn":
                for kid in (field, *field.get("/Kids", [])):
                    kid.AS = pikepdf.Name.Off
                field.V = pikepdf.Name.Off
        opened.save(made, deterministic_id=True)
    return draw_page(made.getvalue(), 1, SCALE)


def _print(read: Pdf) -> list[Any]:
    return [(page.text.split(), page.rotation, page.width, page.height) for page in read.pages]


def _fields(read: Pdf, places: Sequence[Widget]) -> tuple[Any, ...]:
    blanks = {name: (blank.kind, blank.read_only, blank.page) for name, blank in read.blanks.items()}
    choices = {name: blank.options for name, blank in read.blanks.items() if blank.kind == "choice"}
    stands = sorted(
        (place.name, place.page, [round(side) for side in place.box], place.flags, place.look_flags & _FLAGS,
         place.max_length, place.state) for place in places
    )  # fmt: skip
    return blanks, choices, stands


def _drawn_on(submission: Submission, relative: str, blank: str, places: Sequence[Widget]) -> bool:
    """Whether the page looks other than the blank form anywhere but in its fields."""
    picture, empty = draw_pdf_page(submission, relative, 1, SCALE), draw_pdf_page(submission.untouched, blank, 1, SCALE)
    differs = _differs(picture, empty)
    for place in places:
        differs[_part(place, empty.shape[0], 3.0)] = False
    return bool(differs.sum() > 20)


def _part(place: Widget, height: int, more: float = 0.0) -> tuple[slice, slice]:
    left, bottom, right, top = place.box
    rows = slice(int(height - (top + more) * SCALE), int(height - (bottom - more) * SCALE) + 1)
    return rows, slice(int((left - more) * SCALE), int((right + more) * SCALE) + 1)


def _differs(one: Any, other: Any) -> Any:
    import numpy

    return numpy.abs(one.astype(int) - other.astype(int)).max(axis=2) > _OTHER
