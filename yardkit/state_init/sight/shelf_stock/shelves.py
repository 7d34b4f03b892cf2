"""Shelves of a shop: packs with labels and barcodes, price tags below them, a sign above."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering.barcodes import MODULES, QUIET, draw_ean13
from yardkit.state_init.rendering.ink import (
    Color,
    Face,
    get_pen,
    make_noise_generator,
    new_image,
    text_width,
    wrap_words,
    write_line,
)

if TYPE_CHECKING:
    from PIL.Image import Image

SLOTS, BOARDS = 6, 2
"""Places on a board, and boards of a shelf."""
_PACK = (248, 440)
_SLOT, _BOARD, _FLOOR, _TOP, _SIDE = 268, 560, 452, 150, 50


@dataclass(frozen=True)
class Pack:
    """A kind of pack: what is printed on it, its colour, its price tag."""

    name: str
    size: str
    ean: str
    color: Color
    price: str


@dataclass(frozen=True)
class Place:
    """A place on a board: the tag that hangs there, the pack that stands there, if any, and whether it is damaged."""

    tag: Pack
    pack: Pack | None
    damaged: bool = False


def shelf_photo(sign: str, boards: Sequence[Sequence[Place]], stamp: str, rng: random.Random) -> "Image":
    """A shelf from the front; `stamp` is the camera's. About 1700 x 1350 pixels."""
    width, height = SLOTS * _SLOT + 2 * _SIDE, _TOP + BOARDS * _BOARD + 80
    image = _draw_rear_wall(width, height, rng)
    draw = get_pen(image)
    draw.rounded_rectangle([width // 2 - 190, 24, width // 2 + 190, 116], 12, fill=(24, 66, 120))
    write_line(draw, (width / 2, 40), sign, Face("Liberation Sans", 56, bold=True), (255, 255, 255), "center")
    for number, places in enumerate(boards):
        floor = _TOP + number * _BOARD + _FLOOR
        draw.rectangle([0, floor, width, floor + 12], fill=(206, 208, 210))
        draw.rectangle([0, floor + 12, width, floor + 84], fill=(150, 154, 158))
        for slot, place in enumerate(places):
            left = _SIDE + slot * _SLOT
            _draw_price_tag(draw, place.tag, left + 22, floor + 16)
            if place.pack:
                front = _draw_pack_front(place.pack, place.damaged)
                x = left + (_SLOT - front.width) // 2 + rng.randint(-5, 5)
                draw.rectangle([x + 8, floor - front.height + 14, x + front.width + 8, floor - 1], fill=(84, 86, 90))
                image.paste(front, (x, floor - front.height))
    face = Face("DejaVu Sans Mono", 30, bold=True)
    write_line(draw, (width - 30, height - 54), stamp, face, (255, 168, 40), "right")
    return image


def _draw_rear_wall(width: int, height: int, rng: random.Random) -> "Image":
    """The grey rear wall with its posts."""
    import numpy as np
    from PIL import Image

    wall = np.array(rng.choice([(118, 122, 128), (128, 124, 118), (112, 122, 120)]), dtype=float)
    light = np.linspace(1.08, 0.82, height)[:, None] + np.zeros((height, width))
    grain = make_noise_generator(rng).normal(0, 1.6, (height, width))
    pixels = np.clip(wall * light[..., None] + grain[..., None], 0, 255).astype(np.uint8)
    image = Image.fromarray(pixels)
    draw = get_pen(image)
    for x in (10, width - 34):
        draw.rectangle([x, 0, x + 24, height], fill=(88, 92, 96))
    draw.rectangle([0, height - 72, width, height], fill=(60, 62, 66))
    return image


def _draw_price_tag(draw: Any, pack: Pack, left: int, top: int) -> None:
    draw.rectangle([left, top, left + 224, top + 64], fill=(252, 252, 248), outline=(120, 120, 120))
    write_line(draw, (left + 8, top + 4), f"{pack.name} {pack.size}", Face("Liberation Sans", 21), (40, 40, 40))
    write_line(
        draw,
        (left + 216, top + 30),
        f"{pack.price} EUR",
        Face("Liberation Sans", 25, bold=True),
        (170, 20, 24),
        "right",
    )


def _draw_pack_front(pack: Pack, damaged: bool) -> "Image":
    """The front of a pack: a coloured box with a white field for the name, its size, and the barcode."""
    width, height = _PACK
    image = new_image(width, height, pack.color)
    draw = get_pen(image)
    draw.rectangle([0, 0, width - 1, height - 1], outline=_scale_color(pack.color, 0.6), width=3)
    draw.rectangle([0, 0, width, 22], fill=_scale_color(pack.color, 0.7))
    draw.polygon([(0, 250), (width, 190), (width, 240), (0, 300)], fill=_scale_color(pack.color, 1.25))
    draw.rounded_rectangle([14, 40, width - 14, 160], 14, fill=(252, 250, 242))
    face = Face("Liberation Sans", 42, bold=True)
    lines = wrap_words(pack.name, face, width - 44)
    face = face.scale(min(1.0, (width - 44) / max(text_width(line, face) for line in lines)))
    for number, line in enumerate(lines):
        top = 100 - len(lines) * 25 + number * 50
        write_line(draw, (width / 2, top - 4), line, face, (34, 30, 28), "center")
    size = Face("Liberation Sans", 40, bold=True)
    wide = text_width(pack.size, size) + 36
    draw.rounded_rectangle([width - wide - 10, 196, width - 10, 252], 20, fill=(34, 30, 28))
    write_line(draw, (width - wide / 2 - 10, 203), pack.size, size, (255, 255, 255), "center")
    draw_ean13(draw, ((width - (MODULES + 2 * QUIET) * 2) // 2, height - 118), pack.ean, height=76)
    if damaged:
        draw.rectangle([12, 262, 172, 306], fill=(214, 24, 30), outline=(255, 255, 255), width=3)
        write_line(draw, (92, 268), "DAMAGED", Face("Liberation Sans", 28, bold=True), (255, 255, 255), "center")
    return image


def _scale_color(color: Color, factor: float) -> Color:
    red, green, blue = (min(255, round(side * factor)) for side in color)
    return red, green, blue
