"""Labels of jars: a coloured band with the name, ingredients, weight, a date, and a barcode."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yardkit.state_init.rendering.barcodes import draw_ean13
from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_paper, wrap_words, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDTH, _HEIGHT = 1000, 700
_INK: Color = (30, 30, 34)


@dataclass(frozen=True)
class JarLabel:
    """What is printed; `ean` is what the bars hold, `digits` what stands below them."""

    maker: str
    name: str
    ingredients: str
    contains: str
    weight: str
    lot: str
    band: Color
    ean: str
    digits: str


def jar_label(label: JarLabel, rng: random.Random) -> "Image":
    """The label, flat. 1000 x 700 pixels."""
    image = make_paper(_WIDTH, _HEIGHT, (250, 249, 244), rng, grain=1.2)
    draw = get_pen(image)
    draw.rectangle([0, 0, _WIDTH, 190], fill=label.band)
    draw.rectangle([0, 190, _WIDTH, 198], fill=(210, 180, 90))
    write_line(draw, (40, 22), label.maker, Face("Liberation Serif", 40, italic=True), (255, 255, 255))
    write_line(draw, (40, 88), label.name, Face("Liberation Sans", 68, bold=True), (255, 255, 255))
    y = 226
    for line in wrap_words(f"Ingredients: {label.ingredients}.", Face("Liberation Sans", 30), _WIDTH - 90):
        write_line(draw, (40, y), line, Face("Liberation Sans", 30), _INK)
        y += 42
    write_line(draw, (40, y + 10), f"Contains: {label.contains}", Face("Liberation Sans", 32, bold=True), _INK)
    write_line(draw, (40, 470), "Net weight", Face("Liberation Sans", 28), (90, 90, 94))
    write_line(draw, (40, 508), label.weight, Face("Liberation Sans", 62, bold=True), _INK)
    write_line(draw, (40, 630), f"Lot {label.lot}", Face("Liberation Sans", 30), _INK)
    draw_ean13(draw, (620, 450), label.ean, unit=3, height=150, digits=label.digits)
    draw.rectangle([3, 3, _WIDTH - 4, _HEIGHT - 4], outline=(170, 168, 160), width=3)
    return image
