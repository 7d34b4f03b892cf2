"""Colour schemes by name, and how a slide takes one on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.slides.engine.charts.chart_look import color_series
from yardkit.servers.slides.engine.looks.contrast import compute_contrast
from yardkit.servers.slides.engine.looks.shape_style import set_fill
from yardkit.servers.slides.engine.package.deck import edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, Placed, get_kind, get_role, text_body, walk_shapes
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.text.paragraphs import Format, apply_format
from yardkit.world import Problem

Scheme = Literal["modern_blue", "corporate_gray", "elegant_green", "warm_red"]
READABLE = 4.5
"""Contrast that text needs on what lies behind it."""


@dataclass(frozen=True)
class Palette:
    """Colours as RRGGBB: strong ones for titles and areas, `light` and `pale` for backgrounds, `text` for reading."""

    primary: str
    secondary: str
    accent1: str
    accent2: str
    light: str
    pale: str
    text: str

    def series(self) -> list[str]:
        """Colours of the series of a chart, in order."""
        return [self.primary, self.accent1, self.accent2, self.secondary]

    def rgb(self) -> dict[str, list[int]]:
        """By name, as [red, green, blue]."""
        return {name: [int(value[at : at + 2], 16) for at in (0, 2, 4)] for name, value in vars(self).items()}

    def theme(self) -> dict[str, str]:
        """As the colours of a theme."""
        names = ("accent1", "accent2", "accent3", "accent4", "dark2", "hyperlink")
        colors = (self.primary, self.accent1, self.accent2, self.secondary, self.secondary, self.primary)
        return dict(zip(names, colors, strict=True))


SCHEMES: dict[Scheme, Palette] = {
    "modern_blue": Palette("0B5CAD", "12324F", "2A9BD6", "E08A00", "F3F8FC", "D6E8F6", "2B3640"),
    "corporate_gray": Palette("3F4A54", "1F2830", "7A8894", "1F6FB2", "F5F6F7", "DDE1E5", "2E343A"),
    "elegant_green": Palette("2C6E49", "173B2A", "6BA368", "C08A1E", "F4F9F4", "DCECDD", "2B382F"),
    "warm_red": Palette("A63A36", "4A1F24", "DB7A3A", "C99A1B", "FDF6F3", "F6DED5", "3B2C2C"),
}


def enhance_slide(
    path: Path,
    slide: int,
    palette: Palette,
    *,
    title: bool,
    content: bool,
    shapes: bool,
    charts: bool,
    must: bool = True,
) -> list[str]:
    """Colour the parts of a slide in a scheme, text only where it can be read; what was coloured.

    Raises:
        Problem: nothing on the slide can take a colour, and one `must`.
    """
    done: list[str] = []
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        look = Look(page)
        for placed in walk_shapes(page.shapes):
            part = _find_part_name(placed)
            if part == "title" and title and _color_text(look, placed, palette.primary, bold=True):
                done.append("title")
            elif part == "content" and content and _color_text(look, placed, palette.text, bold=None):
                done.append("content")
            elif part == "shape" and shapes:
                set_fill(placed.shape._element.spPr, palette.primary)
                _color_text(look, placed, "FFFFFF", bold=None)
                done.append("shapes")
            elif part == "chart" and charts:
                color_series(placed.shape.chart, [*palette.series()])
                done.append("charts")
    if must and not done:
        raise Problem(f"slide {slide} has nothing that the scheme can colour legibly; add text, shapes or charts")
    return list(dict.fromkeys(done))


def _find_part_name(placed: Placed) -> str:
    what, place = get_kind(placed.shape), get_role(placed.shape)
    if place == "title":
        return "title"
    if what == "chart":
        return "chart" if getattr(placed.shape, "has_chart", False) else ""
    if place or what == "textbox":
        return "content" if text_body(placed.shape) is not None else ""
    return "shape" if what == "shape" else ""


def _color_text(look: Look, placed: Placed, color: str, *, bold: bool | None) -> bool:
    """Colour text that can be read so; whether it was."""
    shape = placed.shape
    properties = shape._element.find(".//{*}spPr")
    behind = (look.fill(properties) if properties is not None else None) or look.background()
    runs: list[Any] = [run for p in shape._element.iter(f"{A}p") for run in p.iterfind(f"{A}r")]
    if not runs or behind is None or compute_contrast(color, behind) < READABLE:
        return False
    for run in runs:
        apply_format(run.get_or_add_rPr(), Format(color=color, bold=bold))
    return True
