"""What the filled form shows: the words that stand in each field's rectangle when it is printed."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from toolyard.evaluators.readers.files import delivered
from toolyard.evaluators.readers.pdfs import pdf
from toolyard.evaluators.submission import Submission

Box = tuple[float, float, float, float]
_SLACK_PT = 1.5


@dataclass(frozen=True)
class Shown:
    """The text that is drawn on a field's line, and by how many points it reaches beyond the field."""

    text: str
    beyond: float


def shown(submission: Submission, relative: str) -> dict[str, Shown]:
    """What each text field of a delivered form shows, by name of the field.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is no readable PDF.
    """
    pdf(submission, relative)
    return _shown(delivered(submission, relative).read_bytes())


@lru_cache(maxsize=8)
def _shown(data: bytes) -> dict[str, Shown]:
    printed = list(_letters(data))
    found = {}
    for name, page, box in _fields(data):
        left, bottom, right, top = box
        inside = [
            (sign, each)
            for number, sign, each in printed
            if number == page and bottom <= (each[1] + each[3]) / 2 <= top and left <= each[0] < right + 200
        ]
        beyond = max([0.0, *(each[2] - right for _, each in inside), *(each[3] - top for _, each in inside)])
        found[name] = Shown("".join(sign for sign, _ in inside), round(beyond - _SLACK_PT, 1))
    return found


def _fields(data: bytes) -> Iterator[tuple[str, int, Box]]:
    """Name, page and rectangle of the text fields that stand in the first level of the form."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as opened:
        pages = {
            each.objgen: number for number, page in enumerate(opened.pages) for each in page.obj.get("/Annots", [])
        }
        form = opened.Root.get("/AcroForm")
        for each in form.get("/Fields", []) if form is not None else []:
            if str(each.get("/FT", "")) != "/Tx" or "/Rect" not in each:
                continue
            x0, y0, x1, y1 = (float(side) for side in each["/Rect"])
            yield (
                str(each.get("/T", "")),
                pages.get(each.objgen, 0),
                (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)),
            )


def _letters(data: bytes) -> Iterator[tuple[int, str, Box]]:
    """The letters of the fields, as a viewer draws them: those that only the printed form has."""
    import pypdfium2

    opened = pypdfium2.PdfDocument(data)
    try:
        opened.init_forms()
        for number in range(len(opened)):
            page = opened[number]
            plain = page.get_textpage().count_chars()
            page.flatten()
            page.close()
            page = opened[number]
            yield from _drawn(number, page.get_textpage(), plain)
    finally:
        opened.close()


def _drawn(number: int, text: Any, after: int) -> Iterator[tuple[int, str, Box]]:
    import pypdfium2

    for index in range(after, text.count_chars()):
        sign = chr(pypdfium2.raw.FPDFText_GetUnicode(text, index) or 32)
        if not sign.isspace() and sign != "\0":
            yield number, sign, text.get_charbox(index)
