"""Appearance streams of form fields (PDF 32000-1, 12.7.3.3): what every viewer shows without computing anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from yardkit.servers.pdf.engine.drawing import fonts
from yardkit.servers.pdf.engine.drawing.fonts import Style
from yardkit.servers.pdf.engine.drawing.shaping import visual_order
from yardkit.servers.pdf.engine.forms.fields import COMB, MULTILINE, PASSWORD, Node, choices_of

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"
_FONT = re.compile(rf"/(?P<name>[^\s/\[\]()<>]+)\s+(?P<size>{_NUMBER})\s+Tf")
_COLOR = re.compile(rf"(?P<numbers>(?:{_NUMBER}\s+)+)(?P<kind>g|rg|k)(?:\s|$)")
_PAD = 2.0
_LINE = 1.16
_SMALLEST, _LARGEST_AUTO = 4.0, 14.0


@dataclass(frozen=True)
class Look:
    """How a field writes: from its default appearance string; `size` 0 means fitting."""

    style: Style
    size: float
    color: tuple[float, ...]
    align: int


def look_of(pdf: Any, node: Node, widget: Any) -> Look:
    """Of a widget of a field."""
    text = str(widget.get("/DA") or node.get("/DA") or "/Helv 0 Tf 0 g")
    font, color = _FONT.search(text), _COLOR.search(text)
    name = font["name"] if font else "Helv"
    font_entry = pdf.Root.AcroForm.get("/DR", {}).get("/Font", {}).get("/" + name)
    base = str(font_entry.get("/BaseFont", name)) if font_entry is not None else name
    size = abs(float(font["size"])) if font else 0.0
    numbers = tuple(float(number) for number in color["numbers"].split()) if color else (0.0,)
    return Look(fonts.style_of(base), size, numbers, int(widget.get("/Q", node.get("/Q", 0))))


def size_of(widget: Any) -> tuple[float, float]:
    """Width and height of a widget as its content runs (turned by MK /R)."""
    x0, y0, x1, y1 = (float(value) for value in widget["/Rect"])
    width, height = abs(x1 - x0), abs(y1 - y0)
    return (height, width) if turn_of(widget) % 180 else (width, height)


def turn_of(widget: Any) -> int:
    """The rotation of a widget's content in degrees counter-clockwise."""
    return int(widget.get("/MK", {}).get("/R", 0)) % 360


def draw_text(canvas: Any, node: Node, widget: Any, look: Look, text: str) -> str:
    """Draw the value of a text field or a dropdown; returns what does not fit, in words, or nothing."""
    width, height = size_of(widget)
    draw_ground(canvas, widget, width, height)
    length = node.get("/MaxLen")
    comb = node.kind == "text" and node.has(COMB) and bool(length)
    if not text and not comb:
        return ""
    if node.has(PASSWORD) and node.kind == "text":
        text = "*" * len(text)
    _clip_canvas(canvas, width, height)
    set_fill(canvas, look.color)
    if comb:
        return _draw_comb(canvas, look, text, width, height, int(length), edge="/BC" in widget.get("/MK", {}))
    if node.kind == "text" and node.has(MULTILINE):
        return _draw_lines(canvas, look, text, width, height)
    return _draw_line(canvas, look, " ".join(text.split("\n")), width, height)


def draw_ground(canvas: Any, widget: Any, width: float, height: float) -> None:
    """Background and border of a widget (MK /BG, /BC and BS /W)."""
    mk = widget.get("/MK", {})
    ground, edge = _to_numbers(mk.get("/BG")), _to_numbers(mk.get("/BC"))
    if ground:
        set_fill(canvas, ground)
        canvas.rect(0, 0, width, height, stroke=0, fill=1)
    line = border_of(widget)
    if edge and line:
        set_stroke(canvas, edge)
        canvas.setLineWidth(line)
        canvas.rect(line / 2, line / 2, width - line, height - line, stroke=1, fill=0)


def border_of(widget: Any) -> float:
    """Width of a widget's border in points."""
    style = widget.get("/BS")
    if style is not None:
        return float(style.get("/W", 1))
    border = widget.get("/Border")
    return float(border[2]) if border is not None and len(border) > 2 else 1.0


def _to_numbers(value: Any) -> tuple[float, ...]:
    return () if value is None else tuple(float(number) for number in value)


def set_fill(canvas: Any, color: tuple[float, ...]) -> None:
    """Grey, RGB or CMYK by the number of components."""
    if len(color) == 1:
        canvas.setFillGray(color[0])
    elif len(color) == 3:
        canvas.setFillColorRGB(*color)
    elif len(color) == 4:
        canvas.setFillColorCMYK(*color)


def set_stroke(canvas: Any, color: tuple[float, ...]) -> None:
    """As `set_fill`, for lines."""
    if len(color) == 1:
        canvas.setStrokeGray(color[0])
    elif len(color) == 3:
        canvas.setStrokeColorRGB(*color)
    elif len(color) == 4:
        canvas.setStrokeColorCMYK(*color)


def _clip_canvas(canvas: Any, width: float, height: float) -> None:
    path = canvas.beginPath()
    path.rect(1, 1, max(width - 2, 0), max(height - 2, 0))
    canvas.clipPath(path, stroke=0, fill=0)


def _draw_line(canvas: Any, look: Look, text: str, width: float, height: float) -> str:
    size = look.size or _fitting_size(text, look.style, width, height)
    room = width - 2 * _PAD
    wide = fonts.measure_width(text, look.style, size)
    x = _PAD + max(0.0, (room - wide) * (0, 0.5, 1)[look.align])
    fonts.draw_line(canvas, x, _compute_baseline(look.style, size, height), text, look.style, size)
    return "" if wide <= room + 0.5 else f"the text is {wide:.0f} points wide, the field {room:.0f}: it is cut off"


def _fitting_size(text: str, style: Style, width: float, height: float) -> float:
    up, down = fonts.ascent_descent(style, 1)
    tall = (height - 2) / (up - down) * 0.95
    wide = (width - 2 * _PAD) / max(fonts.measure_width(text, style, 1), 0.01)
    return max(min(tall, wide, _LARGEST_AUTO), _SMALLEST)


def _compute_baseline(style: Style, size: float, height: float) -> float:
    up, down = fonts.ascent_descent(style, size)
    return (height - up - down) / 2


def _draw_lines(canvas: Any, look: Look, text: str, width: float, height: float) -> str:
    room, tall = width - 2 * _PAD, height - 2 * _PAD
    size = look.size or 12.0
    lines = fonts.wrap_text(text, look.style, size, room)
    while not look.size and size > _SMALLEST and len(lines) * size * _LINE > tall:
        size -= 0.5
        lines = fonts.wrap_text(text, look.style, size, room)
    up, _ = fonts.ascent_descent(look.style, size)
    y = height - _PAD - up
    for line in lines:
        x = _PAD + (room - fonts.measure_width(line, look.style, size)) * (0, 0.5, 1)[look.align]
        fonts.draw_line(canvas, x, y, line, look.style, size)
        y -= size * _LINE
    fitting = int((tall + 0.3 * size) // (size * _LINE))
    return "" if len(lines) <= fitting else f"only {fitting} of {len(lines)} lines are visible: the rest is cut off"


def _draw_comb(canvas: Any, look: Look, text: str, width: float, height: float, cells: int, edge: bool) -> str:
    cell = width / cells
    size = look.size or min(_fitting_size("M", look.style, cell + 2 * _PAD, height), _LARGEST_AUTO)
    first = (0, (cells - len(text)) // 2, cells - len(text))[look.align]
    for number in range(1, cells):
        if edge:
            canvas.line(number * cell, 0, number * cell, height)
    y = _compute_baseline(look.style, size, height)
    for number, char in enumerate(visual_order(text)):
        x = (first + number + 0.5) * cell - fonts.measure_width(char, look.style, size) / 2
        fonts.draw_line(canvas, x, y, char, look.style, size)
    return ""


def draw_list(canvas: Any, node: Node, widget: Any, look: Look, chosen: list[str]) -> int:
    """Draw a list box with the chosen stored values marked; returns the number of the topmost visible option."""
    width, height = size_of(widget)
    draw_ground(canvas, widget, width, height)
    _clip_canvas(canvas, width, height)
    size = look.size or 12.0
    step = size * _LINE
    options = choices_of(node)
    visible = max(int((height - 2) // step), 1)
    marked = [number for number, (stored, _) in enumerate(options) if stored in chosen]
    top = max(0, min(marked[0] if marked else 0, len(options) - visible))
    y = height - 1 - step
    for stored, display_text in options[top : top + visible + 1]:
        if stored in chosen:
            canvas.setFillColorRGB(0.6, 0.75, 0.86)
            canvas.rect(1, y, width - 2, step, stroke=0, fill=1)
        set_fill(canvas, look.color)
        fonts.draw_line(canvas, _PAD, y + 0.24 * size, display_text, look.style, size)
        y -= step
    return top


def draw_mark(canvas: Any, widget: Any, *, radio: bool, on: bool) -> None:
    """A check box or radio button that came without appearances, with its mark (MK /CA, ZapfDingbats)."""
    width, height = size_of(widget)
    mark = str(widget.get("/MK", {}).get("/CA", "l" if radio else "4"))[:1]
    if radio and mark == "l":
        canvas.setLineWidth(1)
        canvas.circle(width / 2, height / 2, max(min(width, height) / 2 - 1, 0.5), stroke=1, fill=0)
    else:
        draw_ground(canvas, widget, width, height)
    if on:
        size = min(width, height) * (0.6 if radio else 0.85)
        canvas.setFillGray(0)
        canvas.setFont("ZapfDingbats", size)
        canvas.drawCentredString(width / 2, height / 2 - 0.35 * size, _get_dingbat(mark))


def _get_dingbat(mark: str) -> str:
    """The character that ReportLab's ZapfDingbats draws for a code of the font."""
    return {"4": "\u2714", "8": "\u2718", "l": "\u25cf", "n": "\u25a0", "u": "\u25c6", "H": "\u2605"}.get(
        mark, "\u2714"
    )
