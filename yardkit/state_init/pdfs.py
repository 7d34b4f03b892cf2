"""PDF files for seeded worlds: the same bytes for the same content. Letters, reports, invoices, forms, scans.

    sheet = Sheet("Offer 4711", author="Northwind Ltd")
    sheet.letter(sender=("Northwind Ltd", "1 Quay Street"), to=("Ada Berg",), date="16 March 2026", subject="Offer",
                 text="Dear Ada ...")
    sheet.save(world.files / "offer.pdf")

Lengths are millimetres from the top left corner of an A4 page.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.world import save_bytes
from yardkit.world.fonts import font_file

WIDTH_MM, HEIGHT_MM = 210.0, 297.0
_PT_PER_MM = 72 / 25.4
_LINE = 1.35
"""Distance of base lines, in font sizes."""
_FACES = {"Sans": (False, False), "Sans-Bold": (True, False), "Sans-Italic": (False, True)}


@dataclass(frozen=True)
class Blank:
    """A field of a form.

    Attributes:
        name: the field's name in the file.
        label: what is printed to the left of it, of a choice above its options.
        kind: ``text``, ``checkbox``, or ``radio`` (one of `options`) or ``choice`` (a drop-down list of `options`).
        value: what is filled in; for a checkbox ``yes`` or empty.
    """

    name: str
    label: str
    kind: Literal["text", "checkbox", "radio", "choice"] = "text"
    options: Sequence[str] = ()
    value: str = ""
    width_mm: float = 90
    max_length: int = 100


@dataclass
class Sheet:
    """A PDF in the making; `y` is how far down the page the next block goes, in mm."""

    title: str
    author: str = ""
    subject: str = ""
    margin_mm: float = 22
    size_pt: float = 10.5
    y: float = field(default=22, init=False)
    pages: int = field(default=1, init=False)
    canvas: Any = field(init=False, repr=False)
    _buffer: io.BytesIO = field(default_factory=io.BytesIO, init=False, repr=False)

    def __post_init__(self) -> None:
        from reportlab.lib.pagesizes import A4
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas

        for name, face in _FACES.items():
            if name not in pdfmetrics.getRegisteredFontNames():
                pdfmetrics.registerFont(TTFont(name, str(font_file("Liberation Sans", *face))))
        self.canvas = Canvas(self._buffer, pagesize=A4, invariant=1)
        self.canvas.setTitle(self.title)
        self.canvas.setAuthor(self.author)
        self.canvas.setSubject(self.subject)

    def at(
        self,
        x_mm: float,
        y_mm: float,
        text: str,
        *,
        size_pt: float = 0,
        face: str = "Sans",
        align: str = "left",
        color: str = "000000",
    ) -> None:
        """One line of text; `x_mm` is its left end, with `align` ``right`` its right end, ``center`` its middle."""
        self.canvas.setFont(face, size_pt or self.size_pt)
        self.canvas.setFillColor(_to_color(color))
        draw = {"left": "drawString", "right": "drawRightString", "center": "drawCentredString"}[align]
        getattr(self.canvas, draw)(x_mm * _PT_PER_MM, (HEIGHT_MM - y_mm) * _PT_PER_MM, text)

    def line(self, text: str = "", *, size_pt: float = 0, face: str = "Sans", color: str = "000000") -> None:
        """A line of its own, on a new page where this one is full."""
        size = size_pt or self.size_pt
        self._ensure_room(size * _LINE / _PT_PER_MM)
        self.y += size * _LINE / _PT_PER_MM
        if text:
            self.at(self.margin_mm, self.y, text, size_pt=size, face=face, color=color)

    def add_heading(self, text: str, level: int = 1, color: str = "1F3864") -> None:
        """A heading, kept with what follows, and an entry of the outline."""
        size = {0: 20.0, 1: 14.0, 2: 12.0}[level]
        self._ensure_room(30)
        self.y += 4
        self.line(text, size_pt=size, face="Sans-Bold", color=color)
        key = f"h{self.pages}-{self.y:.2f}"
        self.canvas.bookmarkHorizontalAbsolute(key, (HEIGHT_MM - self.y + 8) * _PT_PER_MM)
        self.canvas.addOutlineEntry(text, key, level=0)
        self.y += 1.5

    def text(self, text: str, *, size_pt: float = 0, face: str = "Sans", width_mm: float = 0) -> None:
        """Paragraphs, broken into lines; an empty line parts them."""
        from reportlab.lib.utils import simpleSplit

        width = (width_mm or WIDTH_MM - 2 * self.margin_mm) * _PT_PER_MM
        for paragraph in text.split("\n"):
            for line in simpleSplit(paragraph, face, size_pt or self.size_pt, width) or [""]:
                self.line(line, size_pt=size_pt, face=face)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        widths_mm: Sequence[float],
        *,
        right: Sequence[int] = (),
        accent: str = "1F3864",
    ) -> None:
        """A table with a coloured head, repeated on each page; columns counted from 0 in `right` hold numbers."""
        height = 7.0
        self.y += 2
        for number, row in enumerate(rows):
            if self.y + height > HEIGHT_MM - self.margin_mm:
                self.new_page()
                self._add_row(rows[0], widths_mm, right, height, accent)
            self._add_row(row, widths_mm, right, height, accent if number == 0 else "")
        self.y += 3

    def _add_row(
        self, cells: Sequence[str], widths: Sequence[float], right: Sequence[int], height: float, fill: str
    ) -> None:
        x = self.margin_mm
        top = (HEIGHT_MM - self.y - height) * _PT_PER_MM
        self.canvas.setStrokeColor(_to_color("B0B0B0"))
        self.canvas.setFillColor(_to_color(fill or "FFFFFF"))
        self.canvas.rect(x * _PT_PER_MM, top, sum(widths) * _PT_PER_MM, height * _PT_PER_MM, fill=1)
        face, color = ("Sans-Bold", "FFFFFF") if fill else ("Sans", "000000")
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            place = x + width - 2 if column in right else x + 2
            align = "right" if column in right else "left"
            self.at(place, self.y + height - 2.2, cell, size_pt=9.5, face=face, align=align, color=color)
            x += width
        self.y += height

    def letter(
        self, *, sender: Sequence[str], to: Sequence[str], date: str, subject: str, text: str, signed: str = ""
    ) -> None:
        """A business letter: head, address, date, subject, text, signature."""
        self.at(self.margin_mm, 20, sender[0], size_pt=16, face="Sans-Bold", color="1F3864")
        self.at(self.margin_mm, 26, " · ".join(sender[1:]), size_pt=8.5, color="606060")
        self.y = 45
        for name in to:
            self.line(name)
        self.at(WIDTH_MM - self.margin_mm, 85, date, align="right")
        self.y = 95
        self.line(subject, face="Sans-Bold")
        self.y += 4
        self.text(text)
        if signed:
            self.y += 14
            self.line(signed)

    def add_invoice(
        self,
        *,
        sender: Sequence[str],
        to: Sequence[str],
        number: str,
        date: str,
        due: str,
        items: Sequence[tuple[str, int, float]],
        vat_percent: float,
        currency: str = "EUR",
        facts: Mapping[str, str] | None = None,
        total: float | None = None,
    ) -> float:
        """An invoice; `items` are description, quantity and unit price. Its total, which `total` may misstate."""
        self.at(self.margin_mm, 22, sender[0], size_pt=16, face="Sans-Bold", color="1F3864")
        self.at(self.margin_mm, 28, " · ".join(sender[1:]), size_pt=8.5, color="606060")
        self.y = 42
        for word in to:
            self.line(word)
        self.y = 78
        self.line(f"Invoice {number}", size_pt=16, face="Sans-Bold")
        for name, value in {"Date": date, "Due": due, **(facts or {})}.items():
            self.line(f"{name}: {value}")
        net = round(sum(quantity * price for _, quantity, price in items), 2)
        vat = round(net * vat_percent / 100, 2)
        rows = [["Description", "Qty", "Unit price", "Amount"]]
        rows += [[text, str(count), f"{price:,.2f}", f"{count * price:,.2f}"] for text, count, price in items]
        self.table(rows, [90, 18, 28, 30], right=(1, 2, 3))
        stated = round(net + vat, 2) if total is None else total
        for label, amount in (("Net", net), (f"VAT {vat_percent:g} %", vat), (f"Total {currency}", stated)):
            self.y += 6.5
            face = "Sans-Bold" if label.startswith("Total") else "Sans"
            self.at(self.margin_mm + 134, self.y, label, face=face, align="right")
            self.at(self.margin_mm + 164, self.y, f"{amount:,.2f}", face=face, align="right")
        self.y += 8
        return stated

    def add_form(self, blanks: Sequence[Blank]) -> None:
        """Fields that can be filled in, one below the other."""
        for blank in blanks:
            self._ensure_room(12 + 8 * len(blank.options))
            self.y += 9
            _FIELDS[blank.kind](self, blank)

    def add_picture(self, data: bytes, *, x_mm: float = 0, y_mm: float = 0, width_mm: float = WIDTH_MM) -> None:
        """A picture (PNG, JPEG) on the page; by default as wide as the page, as a scanner makes it."""
        from reportlab.lib.utils import ImageReader

        reader = ImageReader(io.BytesIO(data))
        width, height = reader.getSize()
        tall = width_mm * height / width
        place = (HEIGHT_MM - y_mm - tall) * _PT_PER_MM
        self.canvas.drawImage(reader, x_mm * _PT_PER_MM, place, width_mm * _PT_PER_MM, tall * _PT_PER_MM)

    def new_page(self) -> None:
        """Begin another page."""
        self.canvas.showPage()
        self.pages, self.y = self.pages + 1, self.margin_mm

    def bytes(self) -> bytes:
        """The PDF; it cannot be added to any more."""
        if not self._buffer.getvalue():
            self.canvas.save()
        return self._buffer.getvalue()

    def save(self, path: Path) -> None:
        """Write the PDF to `path`."""
        save_bytes(path, self.bytes())

    def _ensure_room(self, height_mm: float) -> None:
        if self.y + height_mm > HEIGHT_MM - self.margin_mm:
            self.new_page()

    def _text_field(self, blank: Blank) -> None:
        self.at(self.margin_mm, self.y, blank.label)
        self.canvas.acroForm.textfield(
            name=blank.name,
            tooltip=blank.label,
            value=blank.value,
            maxlen=blank.max_length,
            width=blank.width_mm * _PT_PER_MM,
            height=6.5 * _PT_PER_MM,
            **self._locate_field(70, -4.6),
            fontName="Helvetica",
            fontSize=10,
            borderWidth=0.5,
            forceBorder=True,
        )

    def _add_checkbox(self, blank: Blank) -> None:
        self.at(self.margin_mm + 8, self.y, blank.label)
        self.canvas.acroForm.checkbox(
            name=blank.name,
            tooltip=blank.label,
            checked=bool(blank.value),
            size=12,
            buttonStyle="check",
            borderWidth=0.5,
            **self._locate_field(0, -3.4),
        )

    def _add_radio(self, blank: Blank) -> None:
        self.at(self.margin_mm, self.y, blank.label)
        for option in blank.options:
            self.y += 7
            self.at(self.margin_mm + 14, self.y, option)
            self.canvas.acroForm.radio(
                name=blank.name,
                tooltip=blank.label,
                value=option,
                selected=option == blank.value,
                size=12,
                borderWidth=0.5,
                **self._locate_field(6, -3.4),
            )

    def _add_choice(self, blank: Blank) -> None:
        self.at(self.margin_mm, self.y, blank.label)
        self.canvas.acroForm.choice(
            name=blank.name,
            tooltip=blank.label,
            options=list(blank.options),
            value=blank.value or blank.options[0],
            width=blank.width_mm * _PT_PER_MM,
            height=6.5 * _PT_PER_MM,
            **self._locate_field(70, -4.6),
            fontName="Helvetica",
            fontSize=10,
            borderWidth=0.5,
            forceBorder=True,
        )

    def _locate_field(self, right_mm: float, up_mm: float) -> dict[str, float]:
        """Where a field goes: its lower left corner in points."""
        x, y = self.margin_mm + right_mm, HEIGHT_MM - self.y + up_mm + 3
        return {"x": x * _PT_PER_MM, "y": y * _PT_PER_MM}


_FIELDS: dict[str, Any] = {
    "text": Sheet._text_field,
    "checkbox": Sheet._add_checkbox,
    "radio": Sheet._add_radio,
    "choice": Sheet._add_choice,
}


def build_scan(pictures: Sequence[bytes], title: str = "Scan") -> bytes:
    """Pictures of pages as a PDF without text, as a scanner makes it."""
    sheet = Sheet(title)
    for number, data in enumerate(pictures):
        if number:
            sheet.new_page()
        sheet.add_picture(data)
    return sheet.bytes()


def _to_color(rgb: str) -> Any:
    from reportlab.lib.colors import HexColor

    return HexColor(f"#{rgb}")
