"""Text, numbers and pictures on (or behind) pages: headers, footers, Bates numbers, watermarks."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.pages.space import Space
from yardkit.servers.pdf.engine.drawing import fonts
from yardkit.servers.pdf.engine.drawing.colors import parse_rgb
from yardkit.servers.pdf.engine.drawing.drawn_changes import find_unseen
from yardkit.servers.pdf.engine.drawing.overlay import Sheets, put_sheet, sheets_in
from yardkit.servers.pdf.engine.package.document import open_pdf, save_pdf, warnings_of
from yardkit.servers.pdf.engine.package.pages import compute_bounds, expression_of, select_pages, space_of
from yardkit.world import Problem
from yardkit.world.boxes import Box
from yardkit.world.limits import check_bytes
from yardkit.world.pictures import load_picture

PRELOAD = (
    "pikepdf",
    "pypdfium2",
    "reportlab.pdfgen.canvas",
    "reportlab.pdfbase.ttfonts",
    "PIL.Image",
    "reportlab.lib.utils",
)
MAX_TEXT = 20_000
MAX_LOOKED_AT = 50
"""Stamps behind pages that are looked at whether they are seen."""
_LINE = 1.2
_USUAL, _SMALLEST, _SMALLEST_TURNED = 10.0, 5.0, 4.0
"""Points of text that has no `font_size`; smaller than the smallest it cannot be read."""
_FAR = 30.0
"""What at most of the margin is kept to the edges that a stamp does not stand at."""
_SLIGHT = 1.0
"""How many points may lie beyond the edge: the width of letters is more than their ink."""
_STAMP_FIELDS = ("page", "pages", "number", "date", "file")
_FIELD = re.compile(r"\{(\w+)(?::0?(\d{1,2})d?)?\}")

Position = Literal[
    "top-left",
    "top-center",
    "top-right",
    "center-left",
    "center",
    "center-right",
    "bottom-left",
    "bottom-center",
    "bottom-right",
]


@dataclass(frozen=True)
class Stamp:
    """Text or a picture for some pages.

    Attributes:
        text: may hold {page}, {pages}, {number}, {date} and {file}; numbers as {number:06} have six digits.
        image: PNG or JPEG instead of text.
        pages: page expression; all when empty.
        position: where on the page, `margin` points from the edges; `box` [x0, y0, x1, y1] instead wraps text in it.
        font_size: points; without: 10 or what fits, or as large as fits when turned.
        angle: degrees counter-clockwise.
        opacity: 0 to 1.
        behind: under the content of the page.
        width: of an image in points; without: its own size, at most the page.
        number_start: of {number} on the first stamped page.
    """

    text: str = ""
    image: Path | None = None
    pages: str | None = None
    position: Position = "bottom-center"
    box: list[float] | None = None
    margin: float = 30
    font_size: float | None = None
    font: Literal["sans", "serif", "mono"] = "sans"
    bold: bool = False
    color: str = "#000000"
    opacity: float = 1.0
    angle: float = 0
    behind: bool = False
    width: float | None = None
    number_start: int = 1


def stamp_pages(source: Path, target: Path, password: str, stamps: list[Stamp], now: datetime) -> tuple[int, list[str]]:
    """Draw the stamps; returns on how many pages, and warnings.

    Raises:
        Problem: the file or a picture cannot be read, or a stamp has neither text nor image.
    """
    for page_stamp in stamps:
        _check_stamp(page_stamp)
    with open_pdf(source, password, strict=True) as pdf:
        count = len(pdf.pages)
        spaces = [space_of(page) for page in pdf.pages]
        sheets = Sheets()
        laid: list[tuple[int, bool]] = []
        below: list[tuple[int, Box]] = []
        warnings = warnings_of(pdf)
        for at, page_stamp in enumerate(stamps, start=1):
            warnings += _list_doubts(page_stamp)
            beyond: list[int] = []
            for step, number in enumerate(dict.fromkeys(select_pages(page_stamp.pages, count))):
                words = _fill_fields(page_stamp, number, count, step, now, source.name)
                with sheets.sheet(spaces[number - 1].width, spaces[number - 1].height) as canvas:
                    drawn = _draw_stamp(canvas, page_stamp, words, spaces[number - 1])
                beyond += [number] if _runs_off(drawn, spaces[number - 1]) else []
                laid.append((number, page_stamp.behind))
                below += [(number, drawn)] if page_stamp.behind else []
            warnings += _cut_off(page_stamp, at, beyond)
        with sheets_in(pdf, sheets) as forms:
            _put_forms(pdf, forms, laid, spaces, behind=True)
            if below:
                save_pdf(pdf, target)
                warnings += _report_covered(source, target, password, below)
            _put_forms(pdf, forms, laid, spaces, behind=False)
        save_pdf(pdf, target)
    return len({number for number, _ in laid}), warnings


def _check_stamp(stamp: Stamp) -> None:
    if bool(stamp.text) == (stamp.image is not None):
        raise Problem("a stamp needs either `text` or `image`")
    if len(stamp.text) > MAX_TEXT:
        raise Problem(f"the text of a stamp has {len(stamp.text):,} characters; the limit is {MAX_TEXT:,}")
    if stamp.box and (len(stamp.box) != 4 or stamp.box[2] <= stamp.box[0] or stamp.box[3] <= stamp.box[1]):
        raise Problem(f"{stamp.box} is not a valid box; use [x0, y0, x1, y1] in points from the top left")


def _list_doubts(stamp: Stamp) -> list[str]:
    """What will not look as it was perhaps meant."""
    missing = fonts.explain_missing_letters(stamp.text)
    unknown = sorted({match[0] for match in _FIELD.finditer(stamp.text) if match[1] not in _STAMP_FIELDS})
    known = ", ".join(f"{{{name}}}" for name in _STAMP_FIELDS)
    return [
        *([missing] if missing else []),
        *(f"{text} is printed as it stands; what is filled in is {known}, numbers as {{page:03}}" for text in unknown),
    ]


def _runs_off(drawn: Box, space: Space) -> bool:
    """Whether some of what was drawn lies beyond the edges of the page."""
    return min(drawn[0], drawn[1], space.width - drawn[2], space.height - drawn[3]) < -_SLIGHT


def _cut_off(stamp: Stamp, at: int, pages: list[int]) -> list[str]:
    if not pages:
        return []
    stamp_name = repr(stamp.text[:40]) if stamp.text else f"the picture {stamp.image.name!r}" if stamp.image else ""
    remedy = (
        "a place on the page" if stamp.box else "a smaller width" if stamp.image else "a smaller font_size, or a box"
    )
    where = f"pages {expression_of(sorted(pages))}"
    return [f"stamp {at} ({stamp_name}) runs off the page and is cut there ({where}): give it {remedy}"]


def _put_forms(pdf: Any, forms: list[Any], laid: list[tuple[int, bool]], spaces: list[Space], *, behind: bool) -> None:
    for (number, is_behind), form in zip(laid, forms, strict=True):
        if is_behind == behind:
            put_sheet(pdf, pdf.pages[number - 1], form, spaces[number - 1], behind=behind)


def _report_covered(source: Path, target: Path, password: str, below: list[tuple[int, Box]]) -> list[str]:
    """What is said where pages look as before with what was laid behind them."""
    hidden = find_unseen(source, target, password, below[:MAX_LOOKED_AT])
    where = expression_of(sorted(set(hidden)))
    return [f"the stamp is hidden behind the content of pages {where}; leave out `behind`"] * bool(hidden)


def _fill_fields(stamp: Stamp, page: int, pages: int, step: int, now: datetime, name: str) -> str:
    values = (page, pages, stamp.number_start + step, now.date().isoformat(), name)
    known: dict[str, int | str] = dict(zip(_STAMP_FIELDS, values, strict=True))

    def value(match: re.Match[str]) -> str:
        field_value = known.get(match[1], match[0])
        return f"{field_value:0{int(match[2] or 0)}d}" if isinstance(field_value, int) else field_value

    return _FIELD.sub(value, stamp.text)


def _draw_stamp(canvas: Any, stamp: Stamp, text: str, space: Space) -> Box:
    """Draw the stamp on a sheet of the page; the box around it, origin bottom left."""
    canvas.setFillAlpha(stamp.opacity)
    canvas.setStrokeAlpha(stamp.opacity)
    canvas.setFillColorRGB(*parse_rgb(stamp.color))
    if stamp.image is not None:
        return _draw_image(canvas, stamp, stamp.image, space)
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    if stamp.box:
        return _draw_boxed(canvas, stamp, text, space)
    return _draw_text(canvas, stamp, text, space)


def _draw_text(canvas: Any, stamp: Stamp, text: str, space: Space) -> Box:
    style = fonts.Style(stamp.font, stamp.bold)
    lines = text.split("\n")
    size = stamp.font_size or (_choose_fitting_size if stamp.angle % 180 else _choose_usual_size)(
        lines, style, stamp, space
    )
    wide = max(fonts.measure_width(line, style, size) for line in lines)
    tall = size * (0.95 + _LINE * (len(lines) - 1))
    x, y = _find_center(stamp, wide, tall, space)
    canvas.translate(x, y)
    canvas.rotate(stamp.angle)
    align = 0 if stamp.position.endswith("left") else 1 if stamp.position.endswith("right") else 0.5
    for number, line in enumerate(lines):
        left = -wide / 2 + (wide - fonts.measure_width(line, style, size)) * align
        fonts.draw_line(canvas, left, tall / 2 - size * (0.75 + _LINE * number), line, style, size)
    return _surround_turned((x, y), (-wide / 2, -tall / 2, wide / 2, tall / 2), stamp.angle)


def _surround_turned(middle: tuple[float, float], box: Box, angle: float) -> Box:
    """The upright box around a box about the middle that is turned."""
    turn = math.radians(angle)
    return compute_bounds((math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), *middle), box)


def _choose_usual_size(lines: list[str], style: fonts.Style, stamp: Stamp, space: Space) -> float:
    """The size of upright text: the usual one, or at which it stays within the margins."""
    wide, tall = _measure_extent(lines, style)
    room = _measure_room(stamp, space)
    return max(min(_USUAL, room[0] / wide, room[1] / tall), _SMALLEST)


def _measure_room(stamp: Stamp, space: Space) -> tuple[float, float]:
    """Width and height that a stamp has: a large margin moves it away from its own edge only."""
    far = min(stamp.margin, _FAR)
    near_x = stamp.margin if stamp.position.endswith(("left", "right")) else far
    near_y = stamp.margin if stamp.position.startswith(("top", "bottom")) else far
    return max(space.width - near_x - far, 1.0), max(space.height - near_y - far, 1.0)


def _measure_extent(lines: list[str], style: fonts.Style) -> tuple[float, float]:
    """Width and height of lines in their size."""
    return max(0.01, *(fonts.measure_width(line, style, 1) for line in lines)), 0.95 + _LINE * (len(lines) - 1)


def _choose_fitting_size(lines: list[str], style: fonts.Style, stamp: Stamp, space: Space) -> float:
    """The size at which turned text runs through most of the page."""
    turn = math.radians(stamp.angle)
    wide, tall = _measure_extent(lines, style)
    across = wide * abs(math.cos(turn)) + tall * abs(math.sin(turn))
    down = wide * abs(math.sin(turn)) + tall * abs(math.cos(turn))
    return max(min(0.85 * space.width / across, 0.85 * space.height / down), _SMALLEST_TURNED)


def _find_center(stamp: Stamp, wide: float, tall: float, space: Space) -> tuple[float, float]:
    """The middle of what is drawn, origin bottom left, so that its turned box keeps the margin."""
    turn = math.radians(stamp.angle)
    half_x = (wide * abs(math.cos(turn)) + tall * abs(math.sin(turn))) / 2
    half_y = (wide * abs(math.sin(turn)) + tall * abs(math.cos(turn))) / 2
    x = space.width / 2
    y = space.height / 2
    if stamp.position.endswith("left"):
        x = stamp.margin + half_x
    elif stamp.position.endswith("right"):
        x = space.width - stamp.margin - half_x
    if stamp.position.startswith("top"):
        y = space.height - stamp.margin - half_y
    elif stamp.position.startswith("bottom"):
        y = stamp.margin + half_y
    return x, y


def _draw_boxed(canvas: Any, stamp: Stamp, text: str, space: Space) -> Box:
    x0, y0, x1, y1 = stamp.box or (0.0, 0.0, space.width, space.height)
    style = fonts.Style(stamp.font, stamp.bold)
    size = stamp.font_size or _USUAL
    lines = fonts.wrap_text(text, style, size, x1 - x0)
    while not stamp.font_size and size > _SMALLEST and len(lines) * size * _LINE > y1 - y0:
        size -= 0.5
        lines = fonts.wrap_text(text, style, size, x1 - x0)
    if (len(lines) - 1) * size * _LINE + size > y1 - y0 + 1:
        raise Problem(
            f"the text needs {len(lines)} lines of {size * _LINE:.1f} points, but the box is "
            f"{y1 - y0:g} points high; make the box larger or font_size smaller"
        )
    middle = ((x0 + x1) / 2, space.height - (y0 + y1) / 2)
    canvas.translate(*middle)
    canvas.rotate(stamp.angle)
    left, top = (x0 - x1) / 2, (y1 - y0) / 2
    for number, line in enumerate(lines):
        x = left + fonts.compute_indent(line, style, size, x1 - x0)
        fonts.draw_line(canvas, x, top - size * (0.8 + _LINE * number), line, style, size)
    wide, tall = _measure_extent(lines, style)
    start = min((left + fonts.compute_indent(line, style, size, x1 - x0) for line in lines), default=left)
    return _surround_turned(middle, (start, top - size * tall, start + size * wide, top), stamp.angle)


def _draw_image(canvas: Any, stamp: Stamp, path: Path, space: Space) -> Box:
    from reportlab.lib.utils import ImageReader

    picture = opened_image(path)
    wide, tall = picture.size
    room = _measure_room(stamp, space)
    if stamp.box:
        room = (stamp.box[2] - stamp.box[0], stamp.box[3] - stamp.box[1])
        scale = min(room[0] / wide, room[1] / tall)
    else:
        scale = stamp.width / wide if stamp.width else min(0.75, room[0] / wide, room[1] / tall)
    wide, tall = wide * scale, tall * scale
    if stamp.box:
        x, y = (stamp.box[0] + stamp.box[2]) / 2, space.height - (stamp.box[1] + stamp.box[3]) / 2
    else:
        x, y = _find_center(stamp, wide, tall, space)
    canvas.translate(x, y)
    canvas.rotate(stamp.angle)
    canvas.drawImage(ImageReader(picture), -wide / 2, -tall / 2, wide, tall, mask="auto")
    return _surround_turned((x, y), (-wide / 2, -tall / 2, wide / 2, tall / 2), stamp.angle)


def opened_image(path: Path, frame: int = 0) -> Any:
    """A picture of a file, the first or a later one, as a Pillow image, upright.

    Raises:
        Problem: it is too large, damaged, or no picture.
    """
    check_bytes(path, 100_000_000)
    return load_picture(path, frame + 1).image
