"""Printed menus and price lists."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_paper, text_width, wrap_words, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

MenuStyle = Literal["classic", "modern", "board"]


@dataclass(frozen=True)
class MenuItem:
    """A dish or an article; `price` in words, such as ``8.50``; `note` in small letters below the name."""

    name: str
    price: str
    note: str = ""


@dataclass(frozen=True)
class MenuSection:
    """A heading and what is below it."""

    title: str
    items: list[MenuItem]


@dataclass(frozen=True)
class _Layout:
    title: Face
    heading: Face
    item: Face
    paper: Color
    ink: Color
    accent: Color
    leader: Literal["dots", "none"]
    columns: int


_LAYOUTS: dict[MenuStyle, _Layout] = {
    "classic": _Layout(
        *(Face("Dancing Script", 84, bold=True), Face("Liberation Serif", 40, bold=True), Face("Liberation Serif", 31)),
        *((250, 244, 228), (52, 40, 30), (128, 38, 30)),
        *("dots", 1),
    ),
    "modern": _Layout(
        *(Face("Liberation Sans", 64, bold=True), Face("Liberation Sans", 34, bold=True), Face("Liberation Sans", 28)),
        *((248, 248, 246), (34, 38, 44), (0, 110, 120)),
        *("none", 2),
    ),
    "board": _Layout(
        *(Face("Comic Neue", 76, bold=True), Face("Comic Neue", 44, bold=True), Face("Comic Neue", 35, bold=True)),
        *((40, 46, 44), (238, 238, 230), (250, 206, 96)),
        *("dots", 1),
    ),
}


def draw_menu(
    title: str,
    sections: list[MenuSection],
    style: MenuStyle,
    rng: random.Random,
    currency: str = "$",
    footer: str = "",
    width: int = 1100,
) -> "Image":
    """A menu of one page, as long as it needs to be; `currency` stands before each price. `board` is a blackboard."""
    layout = _LAYOUTS[style]
    sheet = make_paper(width, 4000, layout.paper, rng)
    draw, margin, gap = get_pen(sheet), 80, 70
    write_line(draw, (width / 2, 60), title, layout.title, layout.accent, "center")
    top = 60 + layout.title.size * 1.5
    draw.line([(width * 0.35, top), (width * 0.65, top)], fill=layout.accent, width=3)
    top += 30
    column = (width - 2 * margin - gap * (layout.columns - 1)) // layout.columns
    bottoms = [top] * layout.columns
    for section in sections:
        place = bottoms.index(min(bottoms))
        left = margin + place * (column + gap)
        bottoms[place] = _draw_section(draw, layout, section, (left, bottoms[place], column), currency)
    bottom = max(bottoms) + 10
    if footer:
        write_line(draw, (width / 2, bottom), footer, layout.item.scale(0.8), layout.ink, "center")
        bottom += layout.item.size * 1.6
    page = sheet.crop((0, 0, width, round(bottom) + 50))
    get_pen(page).rectangle([24, 24, width - 25, page.height - 25], outline=layout.accent, width=3)
    return page


def _draw_section(
    draw: Any, layout: _Layout, section: MenuSection, place: tuple[float, float, int], currency: str
) -> float:
    """Draw one section at (left, top, width) and return where it ends."""
    left, y, width = place
    write_line(draw, (left, y), section.title, layout.heading, layout.accent)
    y += layout.heading.size * 1.6
    for item in section.items:
        y = _draw_menu_item(draw, layout, item, (left, y, width), currency)
    return y + layout.item.size * 0.9


def _draw_menu_item(
    draw: Any, layout: _Layout, item: MenuItem, place: tuple[float, float, int], currency: str
) -> float:
    left, y, width = place
    face, price = layout.item, f"{currency}{item.price}"
    room = width - text_width(price, face) - face.size * 2
    lines = wrap_words(item.name, face, room)
    for number, line in enumerate(lines):
        box = write_line(draw, (left, y + number * face.size * 1.3), line, face, layout.ink)
    y += (len(lines) - 1) * face.size * 1.3
    write_line(draw, (left + width, y), price, face, layout.ink, "right")
    if layout.leader == "dots":
        _draw_leader(
            draw, layout, (box[2] + face.size * 0.5, left + width - text_width(price, face) - face.size * 0.5), y
        )
    y += face.size * 1.45
    if item.note:
        small = face.scale(0.72)
        for line in wrap_words(item.note, small, round(room)):
            write_line(draw, (left, y - 6), line, small, layout.ink)
            y += small.size * 1.35
    return y + face.size * 0.18


def _draw_leader(draw: Any, layout: _Layout, ends: tuple[float, float], y: float) -> None:
    x = ends[0]
    while x < ends[1]:
        draw.ellipse([x, y + layout.item.size - 3, x + 2, y + layout.item.size - 1], fill=layout.ink)
        x += 13
