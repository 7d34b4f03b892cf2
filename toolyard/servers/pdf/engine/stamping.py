"""Text, numbers and pictures on (or behind) pages: headers, footers, Bates numbers, watermarks."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from toolyard.servers.pages.space import Space
from toolyard.servers.pdf.engine import fonts
from toolyard.servers.pdf.engine.colors import rgb
from toolyard.servers.pdf.engine.opening import opened, save, warnings_of
from toolyard.servers.pdf.engine.overlay import Sheets, put_sheet, sheets_in
from toolyard.servers.pdf.engine.pages import select, space_of
from toolyard.world import Problem
from toolyard.world.limits import check_bytes, check_pixels

PRELOAD = ("pikepdf", "reportlab.pdfgen.canvas", "reportlab.pdfbase.ttfonts", "PIL.Image", "reportlab.lib.utils")
MAX_TEXT = 20_000
_LINE = 1.2
_FIELDS = ("page", "pages", "number", "date", "file")
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
        font_size: points; without: 10, or as large as fits when turned.
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


def stamp(source: Path, target: Path, password: str, stamps: list[Stamp], now: datetime) -> tuple[int, list[str]]:
    """Draw the stamps; returns on how many pages, and warnings.

    Raises:
        Problem: the file or a picture cannot be read, or a stamp has neither text nor image.
    """
    for each in stamps:
        _check(each)
    with opened(source, password, strict=True) as pdf:
        count = len(pdf.pages)
        spaces = [space_of(page) for page in pdf.pages]
        sheets = Sheets()
        laid: list[tuple[int, bool]] = []
        warnings = warnings_of(pdf)
        for each in stamps:
            warnings += _doubtful(each)
            for step, number in enumerate(dict.fromkeys(select(each.pages, count))):
                words = _filled(each, number, count, step, now, source.name)
                with sheets.sheet(spaces[number - 1].width, spaces[number - 1].height) as canvas:
                    _draw(canvas, each, words, spaces[number - 1])
                laid.append((number, each.behind))
        with sheets_in(pdf, sheets) as forms:
            for (number, behind), form in zip(laid, forms, strict=True):
                put_sheet(pdf, pdf.pages[number - 1], form, spaces[number - 1], behind=behind)
        save(pdf, target)
    return len({number for number, _ in laid}), warnings


def _check(stamp: Stamp) -> None:
    if bool(stamp.text) == (stamp.image is not None):
        raise Problem("a stamp needs either `text` or `image`")
    if len(stamp.text) > MAX_TEXT:
        raise Problem(f"the text of a stamp has {len(stamp.text):,} characters; at most {MAX_TEXT:,} fit")
    if stamp.box and (len(stamp.box) != 4 or stamp.box[2] <= stamp.box[0] or stamp.box[3] <= stamp.box[1]):
        raise Problem(f"box {stamp.box} is none; it is [x0, y0, x1, y1] in points from the top left")


def _doubtful(stamp: Stamp) -> list[str]:
    """What will not look as it was perhaps meant."""
    missing = fonts.lacking(stamp.text.replace("\n", ""))
    unknown = sorted({match[0] for match in _FIELD.finditer(stamp.text) if match[1] not in _FIELDS})
    known = ", ".join(f"{{{name}}}" for name in _FIELDS)
    return [
        *([f"no font here shows {missing!r}"] if missing else []),
        *(f"{each} is printed as it stands; what is filled in is {known}, numbers as {{page:03}}" for each in unknown),
    ]


def _filled(stamp: Stamp, page: int, pages: int, step: int, now: datetime, name: str) -> str:
    values = (page, pages, stamp.number_start + step, now.date().isoformat(), name)
    known: dict[str, int | str] = dict(zip(_FIELDS, values, strict=True))

    def value(match: re.Match[str]) -> str:
        found = known.get(match[1], match[0])
        return f"{found:0{int(match[2] or 0)}d}" if isinstance(found, int) else found

    return _FIELD.sub(value, stamp.text)


def _draw(canvas: Any, stamp: Stamp, text: str, space: Space) -> None:
    canvas.setFillAlpha(stamp.opacity)
    canvas.setStrokeAlpha(stamp.opacity)
    canvas.setFillColorRGB(*rgb(stamp.color))
    if stamp.image is not None:
        _draw_image(canvas, stamp, stamp.image, space)
    elif stamp.box:
        _draw_boxed(canvas, stamp, text, space)
    else:
        _draw_text(canvas, stamp, text, space)


def _draw_text(canvas: Any, stamp: Stamp, text: str, space: Space) -> None:
    style = fonts.Style(stamp.font, stamp.bold)
    lines = text.split("\n")
    size = stamp.font_size or (10.0 if not stamp.angle % 180 else _fitting(lines, style, stamp, space))
    wide = max(fonts.width(line, style, size) for line in lines)
    tall = size * (0.95 + _LINE * (len(lines) - 1))
    x, y = _center(stamp, wide, tall, space)
    canvas.translate(x, y)
    canvas.rotate(stamp.angle)
    align = 0 if stamp.position.endswith("left") else 1 if stamp.position.endswith("right") else 0.5
    for number, line in enumerate(lines):
        left = -wide / 2 + (wide - fonts.width(line, style, size)) * align
        fonts.draw(canvas, left, tall / 2 - size * (0.75 + _LINE * number), line, style, size)


def _fitting(lines: list[str], style: fonts.Style, stamp: Stamp, space: Space) -> float:
    """The size at which turned text runs through most of the page."""
    turn = math.radians(stamp.angle)
    wide = max(0.01, *(fonts.width(line, style, 1) for line in lines))
    tall = 0.95 + _LINE * (len(lines) - 1)
    across = wide * abs(math.cos(turn)) + tall * abs(math.sin(turn))
    down = wide * abs(math.sin(turn)) + tall * abs(math.cos(turn))
    return max(min(0.85 * space.width / across, 0.85 * space.height / down), 4.0)


def _center(stamp: Stamp, wide: float, tall: float, space: Space) -> tuple[float, float]:
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


def _draw_boxed(canvas: Any, stamp: Stamp, text: str, space: Space) -> None:
    x0, y0, x1, y1 = stamp.box or (0.0, 0.0, space.width, space.height)
    style = fonts.Style(stamp.font, stamp.bold)
    size = stamp.font_size or 10.0
    lines = fonts.wrapped(text, style, size, x1 - x0)
    while not stamp.font_size and size > 5 and len(lines) * size * _LINE > y1 - y0:
        size -= 0.5
        lines = fonts.wrapped(text, style, size, x1 - x0)
    if (len(lines) - 1) * size * _LINE + size > y1 - y0 + 1:
        raise Problem(
            f"the text needs {len(lines)} lines of {size * _LINE:.1f} points, the box is {y1 - y0:g} points high; "
            "make the box larger or font_size smaller"
        )
    canvas.translate((x0 + x1) / 2, space.height - (y0 + y1) / 2)
    canvas.rotate(stamp.angle)
    for number, line in enumerate(lines):
        fonts.draw(canvas, (x0 - x1) / 2, (y1 - y0) / 2 - size * (0.8 + _LINE * number), line, style, size)


def _draw_image(canvas: Any, stamp: Stamp, path: Path, space: Space) -> None:
    from reportlab.lib.utils import ImageReader

    picture = opened_image(path)
    wide, tall = picture.size
    room = (space.width - 2 * stamp.margin, space.height - 2 * stamp.margin)
    if stamp.box:
        room = (stamp.box[2] - stamp.box[0], stamp.box[3] - stamp.box[1])
        scale = min(room[0] / wide, room[1] / tall)
    else:
        scale = stamp.width / wide if stamp.width else min(0.75, room[0] / wide, room[1] / tall)
    wide, tall = wide * scale, tall * scale
    if stamp.box:
        x, y = (stamp.box[0] + stamp.box[2]) / 2, space.height - (stamp.box[1] + stamp.box[3]) / 2
    else:
        x, y = _center(stamp, wide, tall, space)
    canvas.translate(x, y)
    canvas.rotate(stamp.angle)
    canvas.drawImage(ImageReader(picture), -wide / 2, -tall / 2, wide, tall, mask="auto")


def opened_image(path: Path) -> Any:
    """A picture file as a Pillow image, upright.

    Raises:
        Problem: it is too large, damaged, or no picture.
    """
    import PIL.Image
    import PIL.ImageOps

    check_bytes(path, 100_000_000)
    try:
        with PIL.Image.open(path) as image:
            check_pixels(*image.size, path.name)
            image.load()
            return PIL.ImageOps.exif_transpose(image).copy()
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise Problem(f"{path.name!r} cannot be read as a picture; give a PNG or JPEG file") from error
