"""Reading delivered PDF files: texts and words with boxes, form fields, annotations, properties, raw search.

Boxes are ``(left, top, right, bottom)`` in points from the top left corner of the displayed page.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.files import parse_file, parse_once
from yardkit.evaluators.readers.pages.pdf_drawings import check_drawings
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading

__all__ = ["Annotation", "Blank", "Box", "Page", "Pdf", "Word", "draw_pdf_page", "parse_pdf", "read_pdf"]

MAX_PAGES = 2000
_HIDDEN, _NO_VIEW = 1 << 1, 1 << 5
"""Flags of annotations that are not seen."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Word:
    """A word, its box, and the look of its first letter: name and drawn size of the font, RRGGBB.

    `forward` is False if its letters run to the left, so the word is upside down.
    """

    text: str
    box: Box
    font: str = ""
    size_pt: float = 0.0
    color: str = ""
    forward: bool = True

    @property
    def look(self) -> tuple[str, float, str]:
        return self.font, self.size_pt, self.color


@dataclass(frozen=True)
class Annotation:
    """An annotation: Highlight, Text, Link, Stamp, Redact ... with its text or, for a link, its address.

    `visible` is False if the file hides it.
    """

    kind: str
    text: str
    box: Box
    page: int
    visible: bool = True


@dataclass(frozen=True)
class Blank:
    """A field of a form.

    Attributes:
        kind: text, checkbox, radio, choice, button or signature.
        value: its text; for a checkbox, ``yes`` or empty; for a radio, the chosen option.
        options: the options of a choice or a radio.
        visible: whether the file stores a picture of the value, or asks the viewer to make one; False for hidden
            fields.
    """

    name: str
    kind: str
    value: str
    options: tuple[str, ...] = ()
    page: int = 0
    read_only: bool = False
    visible: bool = True


@dataclass(frozen=True)
class Page:
    """A page: number from 1, displayed size in points, rotation in degrees, text, words, number of pictures."""

    number: int
    width: float
    height: float
    rotation: int
    text: str
    words: tuple[Word, ...] = field(repr=False)
    pictures: int = 0

    def find(self, phrase: str) -> list[Box]:
        """Find the boxes of a phrase, word by word, ignoring case and punctuation at the ends."""
        bare_phrase, bare = [_strip_word(name) for name in phrase.split()], self._bare_words
        many = len(bare_phrase)
        starts = [start for start, word in enumerate(bare) if bare_phrase and word == bare_phrase[0]]
        start_numbers = [start for start in starts if bare[start : start + many] == bare_phrase]
        return [_unite_boxes([word.box for word in self.words[start : start + many]]) for start in start_numbers]

    @cached_property
    def _bare_words(self) -> list[str]:
        return [_strip_word(word.text) for word in self.words]


@dataclass(frozen=True)
class Pdf:
    """A PDF file; `outline` are level (from 0), title and page of each entry."""

    pages: tuple[Page, ...]
    blanks: Mapping[str, Blank]
    annotations: tuple[Annotation, ...]
    outline: tuple[tuple[int, str, int], ...]
    properties: Mapping[str, str]
    attachments: tuple[str, ...]
    encrypted: bool
    tagged: bool

    @property
    def text(self) -> str:
        """The text of all pages, separated by form feeds."""
        return "\f".join(page.text for page in self.pages)


def read_pdf(submission: Submission, relative: str) -> Pdf:
    """Read a delivered PDF file.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable PDF, needs a password, or has over `MAX_PAGES` pages.
    """
    return parse_file(submission, relative, parse_pdf, "PDF file")


def parse_pdf(path: Path) -> Pdf:
    """Parse the PDF at `path`; it may raise any exception."""
    import pikepdf

    parse_once(check_drawings, path)
    with pikepdf.open(path) as opened:
        if len(opened.pages) > MAX_PAGES:
            raise InvalidArtifact(f"{path.name} has {len(opened.pages):,} pages, more than {MAX_PAGES:,}")
        numbers = {page.objgen: number for number, page in enumerate(opened.pages, 1)}
        return Pdf(
            pages=tuple(_list_pages(path)),
            blanks=_read_blanks(opened, numbers),
            annotations=tuple(_list_annotations(opened)),
            outline=tuple(_list_outline(path)),
            properties={str(name).lstrip("/"): str(value) for name, value in opened.docinfo.items()},
            attachments=tuple(opened.attachments),
            encrypted=opened.is_encrypted,
            tagged="/StructTreeRoot" in opened.Root,
        )


def draw_pdf_page(submission: Submission, relative: str, number: int, scale: float = 1.0) -> Any:
    """Draw a page as an array of shape (height, width, 3), uint8, RGB; `scale` is pixels per point.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable PDF, or has no such page.
    """
    path = files.require_file(submission, relative)
    try:
        return draw_file_page(path, number, scale)
    except IndexError as error:
        raise InvalidArtifact(f"{relative} has no page {number}") from error
    except Exception as error:
        raise InvalidArtifact(f"page {number} of {relative} cannot be drawn ({error})") from error


def draw_file_page(path: Path, number: int, scale: float) -> Any:
    """Draw a page of the PDF at `path` as pixels; it may raise any exception."""
    parse_once(check_drawings, path)
    with watch_reading(path):
        return draw_page(path.read_bytes(), number, scale)


@files.keeps_outcomes(24)
def draw_page(data: bytes, number: int, scale: float) -> Any:
    """Draw a page of the PDF `data` as pixels, cached for several leaves."""
    import numpy
    import pypdfium2

    opened = pypdfium2.PdfDocument(io.BytesIO(data))
    try:
        opened.init_forms()  # only pages loaded after this call show their form fields
        if not 1 <= number <= len(opened):
            raise IndexError(number)
        page = opened[number - 1]
        if page.get_width() * page.get_height() * scale * scale > 40_000_000:
            raise ValueError("the page is too large to be drawn")
        return numpy.array(page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB"))
    finally:
        opened.close()


def _list_pages(path: Path) -> Iterator[Page]:
    import pypdfium2

    opened = pypdfium2.PdfDocument(path)
    try:
        for number in range(len(opened)):
            page = opened[number]
            text = page.get_textpage()
            pictures = sum(1 for _ in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]))
            yield Page(
                number + 1,
                round(page.get_width(), 1),
                round(page.get_height(), 1),
                page.get_rotation(),
                text.get_text_bounded().replace("\r\n", "\n").replace("\ufffe", "-"),
                tuple(_list_words(page, text)),
                pictures,
            )
            text.close()
            page.close()
    finally:
        opened.close()


def _list_words(page: Any, text: Any) -> Iterator[Word]:
    """List the words of a page in the order of the file; a gap or a new line ends a word."""
    import pypdfium2

    place = _make_page_converter(page)
    letters, boxes, first = "", list[Box](), 0
    count = text.count_chars()
    for index in range(count + 1):
        sign = chr(pypdfium2.raw.FPDFText_GetUnicode(text, index) or 32) if index < count else " "
        if not (sign.isspace() or sign in "\0\ufffe"):
            first = first if letters else index
            letters += sign
            boxes.append(text.get_charbox(index))
        elif letters:
            forward = place(boxes[0])[0] <= place(boxes[-1])[0] + 0.1
            yield Word(letters, place(_unite_boxes(boxes)), *_read_look(text, first), forward)
            letters, boxes = "", []


def _read_look(text: Any, index: int) -> tuple[str, float, str]:
    """Read a letter's font (without the subset prefix), drawn size and colour."""
    import ctypes

    import pypdfium2

    name, flags = ctypes.create_string_buffer(200), ctypes.c_int()
    pypdfium2.raw.FPDFText_GetFontInfo(text, index, name, 200, flags)
    shades = [ctypes.c_uint() for _ in range(4)]
    pypdfium2.raw.FPDFText_GetFillColor(text, index, *shades)
    font = name.value.decode("utf-8", "replace").rpartition("+")[2]
    shape = pypdfium2.raw.FS_MATRIX()
    pypdfium2.raw.FPDFText_GetMatrix(text, index, shape)
    scale = abs(shape.a * shape.d - shape.b * shape.c) ** 0.5
    size = round(float(pypdfium2.raw.FPDFText_GetFontSize(text, index)) * scale, 1)
    return font, size, "".join(f"{shade.value & 255:02X}" for shade in shades[:3])


def _make_page_converter(page: Any) -> Any:
    """Make the conversion from the page's own coordinates to the displayed page."""
    left, bottom, right, top = page.get_cropbox()
    turn = page.get_rotation()

    def convert(box: Box) -> Box:
        x0, y0, x1, y1 = box
        corners = {
            0: (x0 - left, top - y1, x1 - left, top - y0),
            90: (y0 - bottom, x0 - left, y1 - bottom, x1 - left),
            180: (right - x1, y0 - bottom, right - x0, y1 - bottom),
            270: (top - y1, right - x1, top - y0, right - x0),
        }[turn]
        return tuple(round(corner, 2) for corner in corners)

    return convert


def _read_blanks(opened: Any, numbers: Mapping[Any, int]) -> dict[str, Blank]:
    """Read the form fields by full name."""
    form = opened.Root.get("/AcroForm")
    if form is None:
        return {}
    asks = bool(form.get("/NeedAppearances", False))
    blanks: dict[str, Blank] = {}
    on_page = {
        annot.objgen: numbers[page.objgen]
        for page in opened.pages
        for annot in page.get("/Annots", [])
        if annot.objgen[0]
    }
    stack: list[tuple[Any, str, dict[str, Any]]] = [(node, "", {}) for node in reversed(list(form.get("/Fields", [])))]
    seen: set[tuple[int, int]] = set()  # a hostile file may list a field or its ancestor as its own kid
    while stack:
        entry, prefix, inherited = stack.pop()
        if entry.objgen[0] and entry.objgen in seen:
            continue
        seen.add(entry.objgen)
        name = ".".join(text for text in (prefix, str(entry.get("/T", ""))) if text)
        stated = {key: entry.get(key, inherited.get(key)) for key in ("/FT", "/V", "/Ff", "/Opt", "/DV")}
        kids = list(entry.get("/Kids", []))
        if any("/T" in kid for kid in kids):
            stack += [(kid, name, stated) for kid in reversed(kids)]
        elif len(blanks) < 5000:
            blanks[name] = _make_blank(name, stated, kids or [entry], on_page, asks)
    return blanks


def _make_blank(
    name: str, stated: Mapping[str, Any], widgets: list[Any], on_page: Mapping[Any, int], asks: bool
) -> Blank:
    flags = int(stated["/Ff"] or 0)
    kind = {"/Tx": "text", "/Ch": "choice", "/Sig": "signature"}.get(str(stated["/FT"]), "")
    if not kind:
        # ISO 32000-1, table 226: bit 17 is a push button, bit 16 a radio button.
        kind = "button" if flags & 1 << 16 else "radio" if flags & 1 << 15 else "checkbox"
    value = "" if stated["/V"] is None else str(stated["/V"])
    options = tuple(str(option[-1]) if _is_array(option) else str(option) for option in stated["/Opt"] or ())
    hidden = any(map(_is_hidden, widgets))
    if kind in ("checkbox", "radio"):
        states = [str(widget.get("/AS", "/Off")) for widget in widgets]
        options = tuple(dict.fromkeys(state for widget in widgets for state in _list_states(widget)))
        chosen = value.lstrip("/") if value not in ("", "/Off") else ""
        seen = {state.lstrip("/") for state in states if state != "/Off"} == ({chosen} if chosen else set())
        return Blank(
            name,
            kind,
            ("yes" if kind == "checkbox" else chosen) if chosen and seen else "",
            options,
            on_page.get(widgets[0].objgen, 0),
            bool(flags & 1),
            visible=seen and not hidden,
        )
    visible = not hidden and (asks or not value or any("/AP" in widget for widget in widgets))
    return Blank(name, kind, value, options, on_page.get(widgets[0].objgen, 0), bool(flags & 1), visible)


def _list_states(widget: Any) -> list[str]:
    looks = widget.get("/AP", {}).get("/N", {})
    return [str(state).lstrip("/") for state in dict(looks) if str(state) != "/Off"]


def _is_array(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Array)


def _list_annotations(opened: Any) -> Iterator[Annotation]:
    for number, page in enumerate(opened.pages, 1):
        top = float(page.mediabox[3])
        for annot in page.get("/Annots", []):
            kind = str(annot.get("/Subtype", "")).lstrip("/")
            if kind in ("Widget", "Popup"):
                continue
            x0, y0, x1, y1 = (float(side) for side in annot.get("/Rect", [0, 0, 0, 0]))
            action = annot.get("/A", {})
            text = str(annot.get("/Contents", "") or action.get("/URI", ""))
            box = (min(x0, x1), top - max(y0, y1), max(x0, x1), top - min(y0, y1))
            yield Annotation(kind, text, box, number, not _is_hidden(annot))


def _is_hidden(annotation: Any) -> bool:
    return bool(int(annotation.get("/F", 0)) & (_HIDDEN | _NO_VIEW))


def _list_outline(path: Path) -> Iterator[tuple[int, str, int]]:
    import pypdfium2

    opened = pypdfium2.PdfDocument(path)
    try:
        for entry in opened.get_toc(max_depth=10):
            target = entry.get_dest()
            index = target.get_index() if target is not None else None
            yield entry.level, str(entry.get_title()), (index or 0) + 1 if index is not None else 0
    finally:
        opened.close()


def _unite_boxes(boxes: list[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _strip_word(word: str) -> str:
    return word.casefold().strip(".,;:!?\"'()[]")
