"""Till receipts on paper, in several layouts."""

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import (
    Align,
    Box,
    Color,
    Face,
    get_pen,
    make_paper,
    text_width,
    wrap_words,
    write_line,
)

if TYPE_CHECKING:
    from PIL.Image import Image

ReceiptStyle = Literal["thermal", "till", "bistro", "market"]
_INK: Color = (38, 38, 44)


@dataclass(frozen=True)
class ReceiptLine:
    """One line of goods in words: `amount` such as ``12.50``, `detail` such as ``2 x 6.25``, `code` of its tax."""

    name: str
    amount: str
    detail: str = ""
    code: str = ""


@dataclass(frozen=True)
class Receipt:
    """All that is printed, from top to bottom.

    Attributes:
        address: lines below the name of the shop.
        facts: pairs below it, such as ``("Date", "2026-03-14 18:22")``.
        totals: pairs below the goods; those whose label is in `strong` are printed large.
        footer: centred lines at the end.
    """

    shop: str
    lines: list[ReceiptLine]
    totals: list[tuple[str, str]]
    address: list[str] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    footer: list[str] = field(default_factory=list)
    strong: tuple[str, ...] = ("TOTAL", "Total")


@dataclass(frozen=True)
class _Layout:
    face: Face
    shop: Face
    width: int
    paper: Color
    rule: Literal["dashes", "line", "stars", "double"]
    details: Literal["below", "before"]
    facts: Literal["pairs", "centered"]


_LAYOUTS: dict[ReceiptStyle, _Layout] = {
    "thermal": _Layout(
        *(Face("Liberation Mono", 25), Face("Liberation Mono", 38, bold=True), 620, (250, 249, 246)),
        *("dashes", "below", "pairs"),
    ),
    "till": _Layout(
        *(Face("Liberation Sans", 26), Face("Liberation Sans", 44, bold=True), 600, (247, 247, 250)),
        *("line", "before", "pairs"),
    ),
    "bistro": _Layout(
        *(Face("Liberation Serif", 28), Face("Dancing Script", 58, bold=True), 640, (252, 247, 236)),
        *("double", "before", "centered"),
    ),
    "market": _Layout(
        *(Face("DejaVu Sans Mono", 23), Face("DejaVu Sans", 36, bold=True), 640, (244, 245, 243)),
        *("stars", "below", "pairs"),
    ),
}


def draw_receipt(content: Receipt, style: ReceiptStyle, rng: random.Random) -> "Image":
    """The receipt on a sheet of paper that is as long as it needs to be, 600 to 640 pixels wide, with a barcode.

    Thermal paper prints a little unevenly; that and the grain come from `rng`.
    """
    return receipt_with_places(content, style, rng)[0]


def receipt_with_places(
    content: Receipt, style: ReceiptStyle, rng: random.Random
) -> "tuple[Image, list[tuple[str, Box]]]":
    """As `draw_receipt`, and where each piece of text stands on the sheet, from top to bottom."""
    layout = _LAYOUTS[style]
    sheet = make_paper(layout.width, 4000, layout.paper, rng)
    printer = _Printer(get_pen(sheet), layout, 44.0)
    printer.print_head(content)
    printer.print_goods(content.lines)
    printer.print_totals(content)
    for line in content.footer:
        printer.print_centered(line, layout.face)
    printer.print_barcode(rng)
    return _fade_stripes(sheet.crop((0, 0, layout.width, round(printer.y) + 50)), rng), printer.places


@dataclass
class _Printer:
    draw: Any
    layout: _Layout
    y: float
    margin: int = 40
    places: list[tuple[str, Box]] = field(default_factory=list)

    @property
    def right(self) -> int:
        return self.layout.width - self.margin

    def put(self, words: str, face: Face, x: float, align: Align = "left") -> None:
        self.places.append((words, write_line(self.draw, (x, self.y), words, face, _INK, align)))

    def feed(self, face: Face, lines: float = 1.0) -> None:
        self.y += face.size * 1.42 * lines

    def print_centered(self, words: str, face: Face) -> None:
        for line in wrap_words(words, face, self.right - self.margin):
            self.put(line, face, self.layout.width / 2, "center")
            self.feed(face)

    def print_pair(self, label: str, value: str, face: Face) -> None:
        """A label on the left and a value on the right of one line, the label wrapped before the value."""
        room = self.right - self.margin - text_width(value, face) - face.size
        lines = wrap_words(label, face, room)
        for line in lines[:-1]:
            self.put(line, face, self.margin)
            self.feed(face)
        self.put(lines[-1] if lines else "", face, self.margin)
        self.put(value, face, self.right, "right")
        self.feed(face)

    def print_rule(self) -> None:
        face, kind = self.layout.face, self.layout.rule
        middle = self.y + face.size * 0.55
        if kind in ("line", "double"):
            for shift in (0, 6) if kind == "double" else (0,):
                self.draw.line([(self.margin, middle + shift), (self.right, middle + shift)], fill=_INK, width=2)
        else:
            sign = "-" if kind == "dashes" else "*"
            count = (self.right - self.margin) // text_width(sign, face)
            self.put(sign * count, face, self.layout.width / 2, "center")
        self.feed(face, 0.95)

    def print_head(self, content: Receipt) -> None:
        self.print_centered(content.shop, self.layout.shop)
        for line in content.address:
            self.print_centered(line, self.layout.face.scale(0.9))
        self.feed(self.layout.face, 0.4)
        for label, value in content.facts:
            if self.layout.facts == "pairs":
                self.print_pair(label, value, self.layout.face)
            else:
                self.print_centered(f"{label}: {value}", self.layout.face)
        self.print_rule()

    def print_goods(self, lines: list[ReceiptLine]) -> None:
        face = self.layout.face
        for line in lines:
            amount = f"{line.amount} {line.code}".rstrip()
            if line.detail and self.layout.details == "below":
                self.print_pair(line.name, amount, face)
                self.put(line.detail, face, self.margin + face.size * 1.5)
                self.feed(face)
            else:
                self.print_pair(f"{line.detail}  {line.name}".strip() if line.detail else line.name, amount, face)
        self.print_rule()

    def print_totals(self, content: Receipt) -> None:
        face = self.layout.face
        for label, value in content.totals:
            large = label in content.strong
            self.print_pair(label, value, face.scale(1.3).make_bold() if large else face)
        self.print_rule()
        self.feed(face, 0.3)

    def print_barcode(self, rng: random.Random) -> None:
        self.feed(self.layout.face, 0.4)
        x, end = self.layout.width * 0.22, self.layout.width * 0.78
        while x < end:
            bar = rng.choice((2, 2, 4, 6))
            self.draw.rectangle([x, self.y, x + bar - 1, self.y + 70], fill=_INK)
            x += bar + rng.choice((2, 4, 4, 6))
        self.y += 80


def _fade_stripes(sheet: "Image", rng: random.Random) -> "Image":
    """Print that is a little paler in some stripes, as a worn print head leaves it."""
    import numpy as np
    from PIL import Image

    pixels = np.asarray(sheet, dtype=float)
    shift, period = rng.uniform(0, 6.28), rng.uniform(180, 400)
    pale = 0.10 * (1 + np.sin(np.arange(sheet.width) / period * 6.28 + shift)) / 2
    faded = pixels + (np.array(pixels.max()) - pixels) * pale[None, :, None]
    return Image.fromarray(np.clip(faded, 0, 255).astype(np.uint8))
