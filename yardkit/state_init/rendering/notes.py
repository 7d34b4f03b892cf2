"""Small things with words on them: a note by hand, a street sign, a printed label."""

import math
import random
from typing import TYPE_CHECKING, Literal

from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_paper, new_image, text_width, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

NoteStyle = Literal["lined", "sticky", "squared"]
_PAPERS: dict[NoteStyle, Color] = {"lined": (252, 251, 245), "sticky": (253, 240, 150), "squared": (250, 250, 250)}


def handwritten_note(lines: list[str], style: NoteStyle, rng: random.Random, size: int = 44) -> "Image":
    """Neat handwriting with a pen: each letter sits and leans a little differently. `size` is its height in pixels."""
    face = Face("Comic Neue", size)
    step, margin = round(size * 1.6), round(size * 1.4)
    width = max(text_width(line, face) for line in lines) + 2 * margin + size
    sheet = make_paper(width, step * len(lines) + 2 * margin, _PAPERS[style], rng)
    _draw_rules(sheet, style, (margin, step))
    ink = rng.choice([(28, 44, 120), (34, 34, 40), (20, 60, 140)])
    for number, line in enumerate(lines):
        x, y = margin + rng.uniform(-6, 10), margin + number * step + rng.uniform(-2, 2)
        slope = rng.uniform(-0.008, 0.006)
        for sign in line:
            wave = 1.2 * math.sin(x / 60) + rng.uniform(-1.2, 1.2)
            _paste_letter(sheet, (x, y + wave + slope * (x - margin)), sign, face, ink, rng.uniform(-3.0, 3.0))
            x += text_width(sign, face) + rng.uniform(-0.3, 0.9)
    return sheet


def street_sign(words: str, rng: random.Random, color: Color = (0, 72, 140), ink: Color = (255, 255, 255)) -> "Image":
    """A sheet-metal sign on two screws, the words in one line of 90 pixels in height."""
    face = Face("Liberation Sans", 90, bold=True)
    width, height = text_width(words, face) + 150, 190
    wall = make_paper(
        width + 160, height + 160, rng.choice([(168, 150, 132), (186, 182, 174), (140, 100, 84)]), rng, 7.0
    )
    draw = get_pen(wall)
    draw.rounded_rectangle([84, 88, 84 + width, 88 + height], 22, fill=(70, 64, 60))
    draw.rounded_rectangle([78, 78, 78 + width, 78 + height], 22, fill=color)
    draw.rounded_rectangle([88, 88, 68 + width, 68 + height], 16, outline=ink, width=5)
    for x in (112, 44 + width):
        draw.ellipse(
            [x - 9, 78 + height / 2 - 9, x + 9, 78 + height / 2 + 9], fill=(190, 190, 190), outline=(90, 90, 90)
        )
    write_line(draw, (78 + width / 2, 78 + height / 2 - 58), words, face, ink, "center")
    return wall


def draw_label(title: str, facts: list[tuple[str, str]], rng: random.Random, width: int = 760) -> "Image":
    """A printed label as on a parcel, a device or a jar: a title, pairs of name and value, a barcode."""
    face, margin = Face("Liberation Sans", 32), 36
    sheet = new_image(width, 2000, (252, 252, 252))
    draw = get_pen(sheet)
    write_line(draw, (margin, 30), title, Face("Liberation Sans", 46, bold=True), (16, 16, 18))
    draw.line([(margin, 102), (width - margin, 102)], fill=(16, 16, 18), width=4)
    y = 122
    for name, value in facts:
        write_line(draw, (margin, y), name, face, (70, 70, 76))
        write_line(draw, (width - margin, y), value, face.make_bold(), (16, 16, 18), "right")
        y += 54
    x = margin
    while x < width - margin - 8:
        bar = rng.choice((2, 3, 5, 7))
        draw.rectangle([x, y + 16, x + bar, y + 96], fill=(16, 16, 18))
        x += bar + rng.choice((3, 4, 6))
    page = sheet.crop((0, 0, width, y + 126))
    get_pen(page).rounded_rectangle([6, 6, width - 7, page.height - 7], 14, outline=(16, 16, 18), width=4)
    return page


def _paste_letter(sheet: "Image", place: tuple[float, float], sign: str, face: Face, ink: Color, angle: float) -> None:
    """One letter, drawn twice as large, leaned, and set down with soft edges."""
    from PIL import Image

    side = face.size * 2
    mask = Image.new("L", (side * 2, side * 2), 0)
    write_line(get_pen(mask), (side // 2, side // 2), sign, face.scale(2), 255)  # type: ignore[arg-type]
    mask = mask.rotate(angle, Image.Resampling.BICUBIC).resize((side, side), Image.Resampling.LANCZOS)
    sheet.paste(ink, (round(place[0]) - side // 4, round(place[1]) - side // 4), mask)


def _draw_rules(sheet: "Image", style: NoteStyle, layout: tuple[int, int]) -> None:
    margin, step = layout
    draw, line = get_pen(sheet), (196, 212, 232)
    if style == "lined":
        for y in range(margin + round(step * 0.72), sheet.height, step):
            draw.line([(0, y), (sheet.width, y)], fill=line, width=2)
        draw.line([(margin // 2, 0), (margin // 2, sheet.height)], fill=(236, 170, 170), width=2)
    if style == "squared":
        cell = step // 2
        for place in range(0, max(sheet.size), cell):
            draw.line([(place, 0), (place, sheet.height)], fill=(222, 230, 238), width=1)
            draw.line([(0, place), (sheet.width, place)], fill=(222, 230, 238), width=1)
