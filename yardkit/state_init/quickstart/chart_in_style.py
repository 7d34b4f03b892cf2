"""Photographed tables of loans per library branch, and a house style for charts with an example."""

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from yardkit.state_init.material import read_texts
from yardkit.state_init.rendering import draw_table, photograph_picture, save_image
from yardkit.state_init.rendering.ink import Color, Face, get_pen, new_image, text_width, write_line
from yardkit.state_init.rendering.tables import TableStyle
from yardkit.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

_TEXTS = read_texts(__file__)
BRANCHES = _TEXTS["branches"]
PERIODS = ("first quarter of 2025", "second quarter of 2025", "third quarter of 2025", "fourth quarter of 2025")
SHADES = _TEXTS["shades"]
FLOORS = ("Ground floor", "Reading room", "Cafe", "Archive", "Garden")
SIZE_PX = (1500, 900)
LEGEND = ("target reached", "below target")
Counted = list[tuple[str, int]]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill ``tables`` and ``style``; the facts hold the bars in the order of the style."""
    periods = rng.sample(PERIODS, 3)
    branches = rng.sample(BRANCHES, rng.choice([6, 7]))
    counted = [_make_loans(branches, rng) for _ in periods]
    target = sorted(count for _, count in counted[0])[rng.choice([2, 3])]
    numbers = rng.sample(range(1200, 9800), 3)
    for number, period, loans in zip(numbers, periods, counted, strict=True):
        _save_photo(world.files / "tables" / f"IMG_{number}.jpg", period, loans, rng)
    (colors, old), horizontal, descending = rng.sample(SHADES, 2), rng.random() < 0.5, rng.random() < 0.6
    style = world.files / "style"
    guide = _write_guide("# House style for bar charts, in force", colors, horizontal, descending)
    save_text(style / "style_guide.md", guide)
    guide = _write_guide("# House style for bar charts (2022, replaced)", old, not horizontal, not descending)
    save_text(style / "archive" / "style_guide_2022.md", guide)
    save_image(_draw_example(colors, horizontal, descending, rng), style / "example.png")
    _write_other_files(world.files, counted[1], rng)
    bars = sorted(counted[0], key=lambda count: -count[1]) if descending else counted[0]
    facts = {"bars": bars, "target": target, "colors": list(colors), "horizontal": horizontal, "size_px": list(SIZE_PX)}
    return {"prompt": {"period": periods[0], "target": target}, **facts}


def _make_loans(branches: list[str], rng: random.Random) -> Counted:
    """Distinct counts, no two nearer than 100, in an order that is not that of their size."""
    counts = rng.sample(range(9, 49), len(branches))
    return [(branch, 100 * count + rng.randint(0, 49)) for branch, count in zip(branches, counts, strict=True)]


def _save_photo(path: Path, period: str, loans: Counted, rng: random.Random) -> None:
    rows = [[branch, f"{rng.randint(400, 1900):,}", f"{count:,}", f"{rng.randint(3, 40)}"] for branch, count in loans]
    visitors = sum(int(row[1].replace(",", "")) for row in rows)
    total, events = sum(count for _, count in loans), sum(int(row[3]) for row in rows)
    rows.append(["Total", f"{visitors:,}", f"{total:,}", str(events)])
    styles: tuple[TableStyle, ...] = get_args(TableStyle)
    title = f"{period[0].upper()}{period[1:]}"
    picture = draw_table(["Branch", "Visitors", "Loans", "Events"], rows, rng.choice(styles), rng, title=title)
    large = picture.resize((round(picture.width * 1.25), round(picture.height * 1.25)))
    save_image(photograph_picture(large, rng, strength=0.3), path)


def _write_guide(heading: str, colors: tuple[str, str], horizontal: bool, descending: bool) -> str:
    way = "run from left to right, the first at the top" if horizontal else "stand upright, the first at the left"
    order = "from the largest value to the smallest" if descending else "in the order of the table"
    text: str = _TEXTS["guide"]
    return text.format(heading=heading, way=way, order=order, colors=colors, legend=LEGEND, size_px=SIZE_PX)


def _draw_example(colors: tuple[str, str], horizontal: bool, descending: bool, rng: random.Random) -> "Image":
    """Another chart in the same style: visitors by place."""
    places = [(floor, rng.randint(18, 95)) for floor in FLOORS]
    if descending:
        places.sort(key=lambda known: -known[1])
    image, goal = new_image(*SIZE_PX, (255, 255, 255)), 50
    draw, ink, face = get_pen(image), (40, 40, 40), Face("Liberation Sans", 26)
    bold = Face("Liberation Sans", 38, bold=True)
    write_line(draw, (600, 30), "Visitors per place on the open day 2025", bold, ink, "center")
    for number, (place, value) in enumerate(places):
        fill = _to_rgb(colors[0] if value >= goal else colors[1])
        if horizontal:
            start, length = 130 + 140 * number, 8 * value
            draw.rectangle([260, start, 260 + length, start + 95], fill=fill)
            write_line(draw, (245, start + 30), place, face, ink, "right")
            write_line(draw, (272 + length, start + 30), str(value), face, ink)
        else:
            middle, top = 250 + 190 * number, 820 - 7 * value
            draw.rectangle([middle - 65, top, middle + 65, 820], fill=fill)
            write_line(draw, (middle, 832), place, face, ink, "center")
            write_line(draw, (middle, top - 38), str(value), face, ink, "center")
    draw.line([(260, 110), (260, 830)] if horizontal else [(150, 820), (1110, 820)], fill=ink, width=2)
    for number, (words, color) in enumerate(zip(LEGEND, colors, strict=True)):
        draw.rectangle([1190, 132 + 50 * number, 1230, 156 + 50 * number], fill=_to_rgb(color))
        write_line(draw, (1245, 128 + 50 * number), words, face, ink)
    draw.rectangle([1170, 112, 1265 + text_width(LEGEND[0], face), 226], outline=(190, 190, 190), width=2)
    return image


def _to_rgb(color: str) -> Color:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _write_other_files(files: Path, loans: Counted, rng: random.Random) -> None:
    """What else lies around: a draft with other figures, and notes."""
    rows = [f"{branch},{count + rng.choice([-60, 40, 110])}" for branch, count in loans]
    save_text(files / "drafts" / "loans_draft.csv", "\n".join(["branch,loans", *rows, ""]))
    cover, page = rng.choice(BRANCHES), rng.randint(8, 30)
    note = f"Printer wants the chart by Thursday.\nCover photo: {cover}, in colour.\nPage {page} stays free.\n"
    save_text(files / "notes.txt", note)
