"""Screenshots: a schedule of shows, an article page; and a ring that somebody drew around a part of them."""

import math
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import Box, Color, Face, get_pen, new_image, text_width, wrap_words, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

PageStyle = Literal["light", "dark", "warm"]


@dataclass(frozen=True)
class Show:
    """One entry of a schedule: a film with its times, a train with its departures, a course with its hours.

    Attributes:
        facts: small line below the title, such as ``PG-13 - 2 h 12 min - Screen 4``.
        times: shown as buttons from left to right.
        sold_out: those of `times` that are greyed out and crossed.
    """

    title: str
    facts: str
    times: list[str]
    sold_out: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Page:
    """A screenshot and where its parts are: boxes by title, and by ``title/time`` for the times of a show."""

    image: "Image"
    boxes: dict[str, Box]


@dataclass(frozen=True)
class _Look:
    page: Color
    bar: Color
    bar_ink: Color
    card: Color
    ink: Color
    pale: Color
    accent: Color
    face: str


_LOOKS: dict[PageStyle, _Look] = {
    "light": _Look(
        *((243, 244, 246), (31, 41, 75), (255, 255, 255), (255, 255, 255), (28, 30, 36), (100, 106, 118)),
        *((37, 99, 235), "Liberation Sans"),
    ),
    "dark": _Look(
        *((18, 18, 24), (10, 10, 14), (240, 240, 244), (32, 33, 42), (236, 236, 242), (158, 162, 176)),
        *((220, 60, 80), "DejaVu Sans"),
    ),
    "warm": _Look(
        *((250, 245, 236), (122, 38, 48), (255, 244, 230), (255, 252, 246), (50, 34, 30), (126, 104, 92)),
        *((176, 84, 24), "Liberation Serif"),
    ),
}
_PAGE_WIDTH = 1200


def schedule_page(
    site: str,
    heading: str,
    shows: list[Show],
    style: PageStyle,
    rng: random.Random,
    address: str = "",
    tabs: list[str] | None = None,
) -> Page:
    """A browser window of 1200 pixels in width with a card for each show; posters and window details come from `rng`.

    `address` stands in the address bar, `tabs` in the navigation bar, the first of them open.
    """
    look = _LOOKS[style]
    image = new_image(_PAGE_WIDTH, 400 + 210 * len(shows), look.page)
    draw = get_pen(image)
    y = _draw_browser(draw, look, site, address, tabs or [], rng)
    boxes: dict[str, Box] = {"heading": write_line(draw, (50, y), heading, Face(look.face, 40, bold=True), look.ink)}
    y += 80
    for show in shows:
        boxes |= _draw_show_card(draw, look, show, y, rng)
        y += 195
    return Page(image.crop((0, 0, _PAGE_WIDTH, y + 30)), boxes)


def web_page(
    site: str, title: str, paragraphs: list[str], style: PageStyle, rng: random.Random, address: str = ""
) -> Page:
    """An article in a browser window. A paragraph after ``# `` is a heading, after ``- `` an entry of a list."""
    look = _LOOKS[style]
    image = new_image(_PAGE_WIDTH, 6000, look.page)
    draw = get_pen(image)
    y = _draw_browser(draw, look, site, address, [], rng)
    boxes: dict[str, Box] = {}
    for text in [f"# {title}", *paragraphs]:
        large = text.startswith("# ")
        face = Face(look.face, 40 if text == f"# {title}" else 30, bold=True) if large else Face(look.face, 25)
        indent = 90 if text.startswith("- ") else 50
        words = text[2:] if large or text.startswith("- ") else text
        if text.startswith("- "):
            draw.ellipse([64, y + 13, 74, y + 23], fill=look.accent)
        top, right = y, indent
        for line in wrap_words(words, face, _PAGE_WIDTH - indent - 60):
            right = max(right, write_line(draw, (indent, y), line, face, look.ink)[2])
            y += round(face.size * 1.45)
        boxes[words] = (indent, top, right, y)
        y += 18
    return Page(image.crop((0, 0, _PAGE_WIDTH, y + 40)), boxes)


def circle_by_hand(
    image: "Image", box: Box, rng: random.Random, color: Color = (222, 32, 38), width: int = 6
) -> "Image":
    """A copy of `image` with a ring around `box`, as a person draws it: not quite round, not quite closed."""
    ringed = image.copy()
    draw = get_pen(ringed)
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    across = (box[2] - box[0]) / 2 * 1.12 + 22
    up = (box[3] - box[1]) / 2 * 1.1 + 8
    start, turn = rng.uniform(3.6, 4.6), rng.uniform(6.5, 6.9)
    wobble, phase, drift = rng.uniform(0.015, 0.035), rng.uniform(0, 6.28), rng.uniform(-0.05, 0.07)
    points = []
    for step in range(241):
        angle = start + turn * step / 240
        reach = 1 + wobble * math.sin(3 * angle + phase) + drift * step / 240
        points.append((x + across * reach * math.cos(angle), y + up * reach * math.sin(angle)))
    draw.line(points, fill=color, width=width, joint="curve")
    for end in (points[0], points[-1]):
        half = width / 2
        draw.ellipse([end[0] - half, end[1] - half, end[0] + half, end[1] + half], fill=color)
    return ringed


def _draw_browser(draw: Any, look: _Look, site: str, address: str, tabs: list[str], rng: random.Random) -> int:
    """Window buttons, address bar and navigation bar; returns where the page starts."""
    draw.rectangle([0, 0, _PAGE_WIDTH, 64], fill=(222, 225, 230))
    for place, color in enumerate(((237, 106, 94), (245, 191, 79), (98, 197, 84))):
        draw.ellipse([24 + 34 * place, 22, 44 + 34 * place, 42], fill=color)
    draw.rounded_rectangle([150, 12, _PAGE_WIDTH - rng.randint(60, 160), 52], 20, fill=(255, 255, 255))
    write_line(
        draw,
        (176, 18),
        address or f"www.{site.lower().replace(' ', '-')}.example",
        Face("DejaVu Sans", 19),
        (80, 84, 92),
    )
    draw.rectangle([0, 64, _PAGE_WIDTH, 138], fill=look.bar)
    left = write_line(draw, (50, 80), site, Face(look.face, 34, bold=True), look.bar_ink)[2] + 70
    for place, tab in enumerate(tabs):
        box = write_line(draw, (left, 86), tab, Face(look.face, 23), look.bar_ink)
        if place == 0:
            draw.rectangle([box[0], 128, box[2], 132], fill=look.accent)
        left = box[2] + 46
    return 166


def _draw_show_card(draw: Any, look: _Look, show: Show, y: int, rng: random.Random) -> dict[str, Box]:
    card = (50, y, _PAGE_WIDTH - 50, y + 175)
    draw.rounded_rectangle(card, 12, fill=look.card, outline=look.page)
    _draw_poster(draw, (66, y + 14, 164, y + 161), rng)
    boxes = {show.title: write_line(draw, (190, y + 14), show.title, Face(look.face, 31, bold=True), look.ink)}
    write_line(draw, (190, y + 66), show.facts, Face(look.face, 22), look.pale)
    x, face = 190, Face(look.face, 25, bold=True)
    for time in show.times:
        right = x + text_width(time, face) + 40
        gone = time in show.sold_out
        color = look.pale if gone else look.accent
        draw.rounded_rectangle([x, y + 104, right, y + 156], 8, outline=color, width=3)
        box = write_line(draw, (x + 20, y + 114), time, face, color)
        if gone:
            draw.line([(box[0] - 6, box[3] - 2), (box[2] + 6, box[1] + 6)], fill=color, width=2)
        boxes[f"{show.title}/{time}"] = (x, y + 104, right, y + 156)
        x = right + 24
    return boxes


def _draw_poster(draw: Any, box: Box, rng: random.Random) -> None:
    """A small picture without letters, different for each show."""
    shade = [rng.randint(30, 130) for _ in range(3)]
    for row in range(box[1], box[3]):
        light = 1 + 0.9 * (row - box[1]) / (box[3] - box[1])
        color = (
            min(255, round(shade[0] * light)),
            min(255, round(shade[1] * light)),
            min(255, round(shade[2] * light)),
        )
        draw.line([(box[0], row), (box[2], row)], fill=color)
    for _ in range(3):
        radius = rng.randint(10, 26)
        x, y = rng.randint(box[0] + radius, box[2] - radius), rng.randint(box[1] + radius, box[3] - radius)
        draw.ellipse(
            [x - radius, y - radius, x + radius, y + radius], fill=tuple(rng.randint(60, 240) for _ in range(3))
        )
