"""Centimetres, points and colours as they stand in tools, and as DrawingML writes them."""

from __future__ import annotations

import re
from typing import Any

from yardkit.world import Problem

EMU_PER_CM = 360_000
EMU_PER_PT = 12_700
MAX_CM = 142.0
"""The largest slide and the farthest place that PowerPoint accepts, in either direction."""

THEME_COLORS = (
    *("dark1", "light1", "dark2", "light2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6"),
    *("hyperlink", "followed"),
)
SCHEME = {
    **dict(zip(THEME_COLORS, ("dk1", "lt1", "dk2", "lt2", *THEME_COLORS[4:10], "hlink", "folHlink"), strict=True)),
    **{name: name for name in ("tx1", "bg1", "tx2", "bg2")},
    "text1": "tx1",
    "background1": "bg1",
    "text2": "tx2",
    "background2": "bg2",
}
"""Name in tools -> value of `a:schemeClr`."""


def to_emu(cm: float) -> int:
    """Centimetres in English metric units.

    Raises:
        Problem: out of what a slide can hold.
    """
    if not -MAX_CM <= cm <= MAX_CM:
        raise Problem(f"{cm:g} cm is out of range; positions and sizes must be within {MAX_CM:g} cm")
    return round(cm * EMU_PER_CM)


def to_cm(value: float | None) -> float:
    return round((value or 0) / EMU_PER_CM, 2)


def to_points(value: float) -> float:
    return round(value / EMU_PER_PT, 2)


def color_element(color: str) -> Any:
    """`a:srgbClr` of RRGGBB, or `a:schemeClr` of a theme colour such as accent1.

    Raises:
        Problem: neither.
    """
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import nsdecls

    text = color.strip().lstrip("#")
    scheme = SCHEME.get(text.lower())
    if scheme:
        return parse_xml(f'<a:schemeClr {nsdecls("a")} val="{scheme}"/>')
    if re.fullmatch(r"[0-9A-Fa-f]{6}", text):
        return parse_xml(f'<a:srgbClr {nsdecls("a")} val="{text.upper()}"/>')
    raise Problem(f"{color!r} is not a valid colour; use RRGGBB or one of {', '.join(THEME_COLORS)}")


def make_solid_fill(color: str) -> Any:
    """An `a:solidFill` element."""
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import nsdecls

    fill = parse_xml(f"<a:solidFill {nsdecls('a')}/>")
    fill.append(color_element(color))
    return fill
