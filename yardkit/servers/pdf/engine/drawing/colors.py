"""Colours as #RRGGBB."""

from __future__ import annotations

import re

from yardkit.world import Problem


def parse_rgb(text: str) -> tuple[float, float, float]:
    """Components from 0 to 1.

    Raises:
        Problem: it is no colour.
    """
    color_match = re.fullmatch(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", text.strip())
    if not color_match:
        raise Problem(f"{text!r} is not a valid colour; use #RRGGBB, such as #c00000")
    red, green, blue = (int(part, 16) / 255 for part in color_match.groups())
    return round(red, 4), round(green, 4), round(blue, 4)
