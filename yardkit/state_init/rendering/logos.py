"""Logos of invented houses: a mark and a name beside it, on a transparent ground."""

from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.rendering.ink import Color, Face, get_pen, text_width, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

Mark = Literal["rings", "arch", "sail", "stairs"]
MARKS: tuple[Mark, ...] = ("rings", "arch", "sail", "stairs")
_SCALE, _HIGH = 4, 96
"""Drawn so much larger and scaled down, for smooth edges; the height of the logo in pixels."""


def draw_house_logo(name: str, mark: Mark, ink: Color, accent: Color) -> "Image":
    """The mark in both colours, and the name to the right of it; 96 pixels high, transparent (RGBA)."""
    from PIL import Image

    face = Face("Liberation Sans", round(_HIGH * 0.46) * _SCALE, bold=True)
    lines = name.split()
    wide = _HIGH * _SCALE + 18 * _SCALE + max(text_width(line, face) for line in lines)
    image = Image.new("RGBA", (wide, _HIGH * _SCALE), (*ink, 0))
    draw = get_pen(image)
    _draw_mark(draw, mark, (*ink, 255), (*accent, 255))
    top = (_HIGH * _SCALE - len(lines) * face.size * 1.04) / 2 - face.size * 0.14
    for place, line in enumerate(lines):
        write_line(draw, ((_HIGH + 18) * _SCALE, top + place * face.size * 1.04), line, face, (*ink, 255))  # type: ignore[arg-type]
    return image.resize((wide // _SCALE, _HIGH), Image.Resampling.LANCZOS)


def _draw_mark(draw: Any, mark: Mark, ink: Any, accent: Any) -> None:
    side = _HIGH * _SCALE
    if mark == "rings":
        draw.ellipse([0.02 * side, 0.2 * side, 0.62 * side, 0.8 * side], outline=ink, width=side // 9)
        draw.ellipse([0.38 * side, 0.2 * side, 0.98 * side, 0.8 * side], outline=accent, width=side // 9)
    elif mark == "arch":
        draw.pieslice([0.04 * side, 0.06 * side, 0.96 * side, 0.98 * side], 180, 360, fill=ink)
        draw.rectangle([0.04 * side, 0.5 * side, 0.96 * side, 0.94 * side], fill=ink)
        draw.ellipse([0.32 * side, 0.42 * side, 0.68 * side, 0.78 * side], fill=accent)
    elif mark == "sail":
        draw.polygon([(0.46 * side, 0.04 * side), (0.46 * side, 0.78 * side), (0.04 * side, 0.78 * side)], fill=ink)
        draw.polygon([(0.54 * side, 0.2 * side), (0.54 * side, 0.78 * side), (0.92 * side, 0.78 * side)], fill=accent)
        draw.rectangle([0.04 * side, 0.85 * side, 0.92 * side, 0.95 * side], fill=ink)
    else:
        for step in range(4):
            color = accent if step == 3 else ink
            low = 0.94 - 0.24 * step
            draw.rectangle([(0.04 + 0.23 * step) * side, (low - 0.17) * side, 0.96 * side, low * side], fill=color)
