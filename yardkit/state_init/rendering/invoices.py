"""Invoices on letter paper, in several layouts."""

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import Align, Color, Face, get_pen, make_paper, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

InvoiceStyle = Literal["letter", "modern", "typed"]
WIDTH = 840
"""Pixels across the sheet."""

_COLUMNS = ((54, "left"), (196, "left"), (520, "right"), (640, "right"), (786, "right"))
"""Where the columns of the goods begin or end, in pixels."""


@dataclass(frozen=True)
class Invoice:
    """All that is printed, from top to bottom, in words.

    Attributes:
        facts: pairs in the head, such as ``("Invoice no.", "2026-0417")``.
        header: the names of the five columns: code, goods, quantity, unit price, amount.
        lines: five cells each.
        totals: pairs below the goods; the last one is printed large.
    """

    supplier: str
    address: str
    to: list[str]
    facts: list[tuple[str, str]]
    header: tuple[str, str, str, str, str]
    lines: list[tuple[str, str, str, str, str]]
    totals: list[tuple[str, str]]
    footer: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Look:
    face: Face
    name: Face
    ink: Color
    accent: Color
    rule: Literal["line", "band", "dashes"]


_LOOKS: dict[InvoiceStyle, _Look] = {
    "letter": _Look(*(Face("Liberation Serif", 25), Face("Dancing Script", 50)), (28, 28, 32), (120, 40, 40), "line"),
    "modern": _Look(
        *(Face("Liberation Sans", 23), Face("Liberation Sans", 40, bold=True)), (34, 38, 46), (24, 92, 140), "band"
    ),
    "typed": _Look(
        *(Face("Liberation Mono", 21), Face("DejaVu Sans", 34, bold=True)), (40, 40, 44), (40, 40, 44), "dashes"
    ),
}


def draw_invoice(content: Invoice, style: InvoiceStyle, rng: random.Random) -> "Image":
    """The invoice on a sheet `WIDTH` pixels wide, as long as it needs to be; the grain of the paper is `rng`'s."""
    look = _LOOKS[style]
    sheet = make_paper(WIDTH, 1100, (252, 252, 250), rng, grain=1.4)
    printer = _Printer(get_pen(sheet), look)
    printer.print_head(content)
    printer.print_goods(content)
    printer.print_totals(content.totals)
    for line in content.footer:
        printer.put(WIDTH / 2, line, look.face.scale(0.8), "center")
        printer.y += look.face.size * 1.2
    return sheet.crop((0, 0, WIDTH, round(printer.y) + 60))


@dataclass
class _Printer:
    draw: Any
    look: _Look
    y: float = 56.0

    def put(self, x: float, words: str, face: Face | None = None, align: Align = "left") -> None:
        write_line(self.draw, (x, self.y), words, face or self.look.face, self.look.ink, align)

    def print_head(self, content: Invoice) -> None:
        face = self.look.face
        write_line(self.draw, (54, self.y), content.supplier, self.look.name, self.look.accent)
        self.y += self.look.name.size * 1.5
        self.put(54, content.address, face.scale(0.8))
        self.y += face.size * 2.4
        top = self.y
        for line in content.to:
            self.put(54, line)
            self.y += face.size * 1.4
        bottom, self.y = self.y, top
        for label, value in content.facts:
            self.put(442, label)
            self.put(786, value, face.make_bold(), "right")
            self.y += face.size * 1.4
        self.y = max(self.y, bottom) + face.size * 1.2
        self.put(54, "Invoice", face.scale(1.5).make_bold())
        self.y += face.size * 2.6

    def print_goods(self, content: Invoice) -> None:
        face = self.look.face
        if self.look.rule == "band":
            box = [40, self.y - face.size * 0.4, WIDTH - 40, self.y + face.size * 1.5]
            self.draw.rectangle(box, fill=(222, 232, 240))
        self._print_row(content.header, face.scale(0.9).make_bold())
        self._print_rule()
        for line in content.lines:
            self._print_row(line, face)
        self._print_rule()

    def print_totals(self, totals: list[tuple[str, str]]) -> None:
        for number, (label, value) in enumerate(totals, 1):
            last = number == len(totals)
            face = self.look.face.scale(1.15).make_bold() if last else self.look.face
            self.put(442, label, face)
            self.put(786, value, face, "right")
            self.y += face.size * 1.7
        self.y += self.look.face.size * 1.5

    def _print_row(self, cells: tuple[str, ...], face: Face) -> None:
        for (x, align), cell in zip(_COLUMNS, cells, strict=True):
            self.put(x, cell, face, "right" if align == "right" else "left")
        self.y += self.look.face.size * 1.75

    def _print_rule(self) -> None:
        y = self.y + 2
        if self.look.rule == "dashes":
            for x in range(48, WIDTH - 48, 20):
                self.draw.line([(x, y), (x + 10, y)], fill=self.look.ink, width=2)
        else:
            self.draw.line([(40, y), (WIDTH - 40, y)], fill=self.look.accent, width=3)
        self.y += self.look.face.size * 0.8
