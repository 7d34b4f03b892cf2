"""Whether a filled form is the blank form still: its print, its fields, and marks in no other boxes than the ticked."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.office.mail_forms.rendered_form import Widget, read_widgets
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.pages.pdf import Pdf, draw_page, draw_pdf_page, read_pdf
from yardkit.evaluators.submission import Submission

SCALE = 2.0
_FLAGS = 2 | 4 | 32
"""Hidden, printed, not to be viewed."""
_OTHER = 40
"""Levels by which a pixel must differ to be another one."""


def list_changes(submission: Submission, relative: str, blank: str) -> list[str]:
    """In what a form differs from the blank one beside its values.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is no readable PDF.
    """
    was, now = read_pdf(submission.untouched, blank), read_pdf(submission, relative)
    problems = []
    if _describe_print(was) != _describe_print(now):
        problems.append("other print")
    if now.encrypted:
        problems.append("protected")
    if (was.annotations, was.attachments) != (now.annotations, now.attachments):
        problems.append("with comments or attached files")
    places = read_widgets(submission.untouched, blank)
    if _describe_fields(was, places) != _describe_fields(now, read_widgets(submission, relative)):
        problems.append("other fields")
    return problems or (["something is drawn on it"] if _drawn_on(submission, relative, blank, places) else [])


def list_marked_boxes(submission: Submission, relative: str, blank: str) -> dict[str, list[str]]:
    """The boxes that are seen to be ticked, that is, look other than when all are cleared: by field their states."""
    places = [widget for widget in read_widgets(submission.untouched, blank) if widget.kind == "/Btn"]
    picture = draw_pdf_page(submission, relative, 1, SCALE)
    empty = parse_file(submission, relative, _render_cleared, "PDF form")
    marked_states: dict[str, list[str]] = {place.name: [] for place in places}
    for place in places:
        part = _locate_part(place, empty.shape[0])
        if float(_find_differences(picture[part], empty[part]).mean()) > 0.02:
            marked_states[place.name].append(place.state)
    return marked_states


def _render_cleared(path: Path) -> Any:
    """The form with no box ticked, as pixels."""
    import pikepdf

    buffer = io.BytesIO()
    with pikepdf.open(path) as opened:
        for field in opened.Root.AcroForm.Fields if "/AcroForm" in opened.Root else []:
            if str(field.get("/FT", "")) == "/Btn":
                for kid in (field, *field.get("/Kids", [])):
                    kid.AS = pikepdf.Name.Off
                field.V = pikepdf.Name.Off
        opened.save(buffer, deterministic_id=True)
    return draw_page(buffer.getvalue(), 1, SCALE)


def _describe_print(read: Pdf) -> list[Any]:
    return [(page.text.split(), page.rotation, page.width, page.height) for page in read.pages]


def _describe_fields(read: Pdf, places: Sequence[Widget]) -> tuple[Any, ...]:
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
    differs = _find_differences(picture, empty)
    for place in places:
        differs[_locate_part(place, empty.shape[0], 3.0)] = False
    return bool(differs.sum() > 20)


def _locate_part(place: Widget, height: int, more: float = 0.0) -> tuple[slice, slice]:
    left, bottom, right, top = place.box
    rows = slice(int(height - (top + more) * SCALE), int(height - (bottom - more) * SCALE) + 1)
    return rows, slice(int((left - more) * SCALE), int((right + more) * SCALE) + 1)


def _find_differences(first: Any, other: Any) -> Any:
    import numpy

    return numpy.abs(first.astype(int) - other.astype(int)).max(axis=2) > _OTHER
