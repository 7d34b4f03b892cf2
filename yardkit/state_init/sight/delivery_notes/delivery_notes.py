"""Delivery notes as they lie on a desk: printed, stamped when the goods came, with a remark by hand."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering.code_39 import draw_code_39
from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_paper, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

_INK: Color = (30, 32, 38)
_STAMP: Color = (176, 30, 44)
_PEN: Color = (28, 50, 140)
_WIDTH, _HEIGHT, _MARGIN = 1000, 1250, 60
_ROW_PX = 58


@dataclass(frozen=True)
class DeliveryNote:
    """What stands on it; the order stands there only as a barcode. A line is article, description and pieces."""

    supplier: str
    address: str
    number: str
    day: str
    order: str
    lines: Sequence[tuple[str, str, int]]
    stamp: str
    remark: str = ""


def delivery_note(note: DeliveryNote, rng: random.Random) -> "Image":
    """A sheet of about 1000 x 1250 pixels."""
    sheet = make_paper(_WIDTH, _HEIGHT, (249, 249, 247), rng, grain=1.4)
    draw, right = get_pen(sheet), _WIDTH - _MARGIN
    _write_text(draw, (_MARGIN, 56), note.supplier, 36, bold=True)
    _write_text(draw, (_MARGIN, 108), note.address, 24)
    _write_text(draw, (_MARGIN, 190), "Delivery note", 44, bold=True)
    _write_text(draw, (right, 196), f"No. {note.number}", 34, bold=True, align="right")
    _write_text(draw, (right, 250), note.day, 28, align="right")
    _write_text(draw, (_MARGIN, 300), "Your order:", 26)
    draw_code_39(draw, (_MARGIN + 190, 296), note.order, module_px=3, height_px=84)
    top = 440
    _write_text(draw, (_MARGIN, top), "Article", 28, bold=True)
    _write_text(draw, (_MARGIN + 210, top), "Description", 28, bold=True)
    _write_text(draw, (right, top), "Pieces", 28, bold=True, align="right")
    for number, (article, description, pieces) in enumerate(note.lines, 1):
        y = top + _ROW_PX * number
        draw.line([(_MARGIN, y - 10), (right, y - 10)], fill=(150, 152, 158), width=2)
        _write_text(draw, (_MARGIN, y), article, 30)
        _write_text(draw, (_MARGIN + 210, y), description, 30)
        _write_text(draw, (right, y), str(pieces), 30, align="right")
    below = top + _ROW_PX * (len(note.lines) + 1)
    draw.line([(_MARGIN, below - 10), (right, below - 10)], fill=_INK, width=3)
    _put_stamp(sheet, note.stamp, (rng.randint(430, 520), rng.randint(below + 60, below + 110)), rng)
    if note.remark:
        write_line(draw, (_MARGIN + 20, _HEIGHT - 190), note.remark, Face("Comic Neue", 42), _PEN)
    _write_text(draw, (_MARGIN, _HEIGHT - 76), "The goods remain our property until they are paid for.", 20)
    return sheet


def _write_text(draw: Any, place: tuple[int, int], words: str, size: int, **look: Any) -> None:
    align = look.pop("align", "left")
    write_line(draw, place, words, Face("Liberation Sans", size, **look), _INK, align)


def _put_stamp(sheet: "Image", day: str, place: tuple[int, int], rng: random.Random) -> None:
    """A red frame with the day, set down a little askew."""
    from PIL import Image

    stamp = Image.new("RGBA", (400, 150), (0, 0, 0, 0))
    draw = get_pen(stamp)
    draw.rounded_rectangle([4, 4, 395, 145], 16, outline=(*_STAMP, 255), width=6)
    for y, words, size in ((22, "RECEIVED", 40), (78, day, 44)):
        write_line(draw, (200, y), words, Face("Liberation Sans", size, bold=True), _STAMP, "center")
    turned = stamp.rotate(rng.uniform(-4, 4), Image.Resampling.BICUBIC, expand=True)
    sheet.paste(turned, place, turned)
