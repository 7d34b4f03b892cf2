"""What the filled form shows: the words that stand in each field's rectangle, and which boxes have a mark."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.submission import Submission

Box = tuple[float, float, float, float]
_SLACK_PT = 1.5
_LOW_PT = 8.0
"""Height of a line, accents and descenders included; type of 10 points has 11."""
_PALE = 170
_INVISIBLE = 3
"""The mode of PDF that draws no letters."""


@dataclass(frozen=True)
class FieldView:
    """The text that is drawn on a field's line, by how many points it reaches beyond it, and why it is hard to see."""

    text: str
    beyond: float
    faint: str = ""


@dataclass(frozen=True)
class Widget:
    """A place of a field on a page, its rectangle in PDF's own points; `state` is what it is ticked as."""

    name: str
    kind: str
    page: int
    box: Box
    flags: int
    look_flags: int
    max_length: int
    state: str


@dataclass(frozen=True)
class _Letter:
    page: int
    sign: str
    box: Box
    faint: str


def read_visible_fields(submission: Submission, relative: str) -> dict[str, FieldView]:
    """What each text field and each choice of a delivered form shows, by name of the field.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is no readable PDF.
    """
    return parse_file(submission, relative, _read_fields, "PDF form")


def read_widgets(submission: Submission, relative: str) -> tuple[Widget, ...]:
    """Where the fields of a form stand. Raises what `read_visible_fields` raises."""
    return parse_file(submission, relative, _read_widgets, "PDF form")


def _read_fields(path: Path) -> dict[str, FieldView]:
    printed = list(_list_letters(path.read_bytes()))
    visible_fields = {}
    for widget in _read_widgets(path):
        if widget.kind not in ("/Tx", "/Ch"):
            continue
        left, bottom, right, top = widget.box
        inside = [
            letter
            for letter in printed
            if letter.page == widget.page
            and bottom <= (letter.box[1] + letter.box[3]) / 2 <= top
            and left - _SLACK_PT <= letter.box[0] < right + 200
        ]
        beyond = max([0.0, *(letter.box[2] - right for letter in inside), *(letter.box[3] - top for letter in inside)])
        faint = next((letter.faint for letter in inside if letter.faint), "")
        visible_fields[widget.name] = FieldView(
            "".join(letter.sign for letter in inside), round(beyond - _SLACK_PT, 1), faint
        )
    return visible_fields


def _read_widgets(path: Path) -> tuple[Widget, ...]:
    import pikepdf

    with pikepdf.open(path) as opened:
        pages = {
            annot.objgen: number for number, page in enumerate(opened.pages) for annot in page.obj.get("/Annots", [])
        }
        form = opened.Root.get("/AcroForm")
        fields = list(form.get("/Fields", [])) if form is not None else []
        return tuple(
            _make_widget(field, place, pages)
            for field in fields
            for place in list(field.get("/Kids", [])) or [field]
            if "/Rect" in place
        )


def _make_widget(field: Any, place: Any, pages: Mapping[Any, int]) -> Widget:
    x0, y0, x1, y1 = (float(side) for side in place["/Rect"])
    looks = place.get("/AP", {}).get("/N", {})
    kind = str(field.get("/FT", ""))
    states = [str(state) for state in dict(looks) if str(state) != "/Off"] if kind == "/Btn" else []
    return Widget(
        str(field.get("/T", "")),
        kind,
        pages.get(place.objgen, -1),
        (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)),
        int(field.get("/Ff", 0)),
        int(place.get("/F", 0)),
        int(field.get("/MaxLen", 0)),
        states[0].lstrip("/") if states else "",
    )


def _list_letters(data: bytes) -> Iterator[_Letter]:
    """The letters of the fields, as a viewer draws them: those that only the printed form has."""
    import pypdfium2

    opened = pypdfium2.PdfDocument(data)
    try:
        opened.init_forms()
        for number in range(len(opened)):
            page = opened[number]
            print_letter_count = page.get_textpage().count_chars()
            page.flatten()
            page.close()
            page = opened[number]
            yield from _list_drawn_letters(number, page.get_textpage(), print_letter_count)
    finally:
        opened.close()


def _list_drawn_letters(number: int, text: Any, after: int) -> Iterator[_Letter]:
    import pypdfium2

    for index in range(after, text.count_chars()):
        sign = chr(pypdfium2.raw.FPDFText_GetUnicode(text, index) or 32)
        if not sign.isspace() and sign != "\0":
            yield _Letter(number, sign, text.get_charbox(index), _find_faintness(text, index))


def _find_faintness(text: Any, index: int) -> str:
    """Why a letter cannot be read on white paper; empty if it can."""
    from ctypes import c_uint

    import pypdfium2.raw as raw

    part = raw.FPDFText_GetTextObject(text, index)
    if part and raw.FPDFTextObj_GetTextRenderMode(part) == _INVISIBLE:
        return "it is invisible"
    colors = [c_uint() for _ in range(4)]
    known = raw.FPDFText_GetFillColor(text, index, *colors)
    if known and (min(color.value for color in colors[:3]) > _PALE or colors[3].value < 255 - _PALE):
        return "it is pale"
    _, bottom, _, top = text.get_charbox(index, loose=True)
    return f"it is {top - bottom:.1f} points high" if top - bottom < _LOW_PT else ""
