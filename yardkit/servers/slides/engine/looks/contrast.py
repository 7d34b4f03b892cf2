"""Whether text can be told from what lies behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.servers.slides.engine.looks.resolved_page import Page, has_text, is_filled
from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import A, Box, P, Placed, get_kind, get_role, walk_shapes
from yardkit.servers.slides.engine.results import Finding


def low_contrast(page: Page) -> Iterator[Finding]:
    for at, placed in enumerate(page.placed):
        behind = _find_background(page, at, placed)
        if behind is None or get_kind(placed.shape) in ("table", "chart", "group"):
            continue
        worst = min(
            ((compute_contrast(run.color, behind), run) for run in page.runs(placed) if run.color),
            key=lambda pair: pair[0],
            default=None,
        )
        if worst is None:
            continue
        ratio, run = worst
        large = run.size_pt >= 18 or (run.bold and run.size_pt >= 14)
        least = 3.0 if large else 4.5
        if ratio < least:
            message = (
                f"text {run.color} on {behind} has a contrast of {ratio:.1f}:1; {least:g}:1 is the least (WCAG 2.2)"
            )
            yield page.make_finding(
                "low_contrast", placed, message, f"use {_find_better_color(page, behind, least)}, or another fill"
            )


def faint_shapes(deck: Deck, number: int) -> Iterator[tuple[int, str]]:
    """The shapes of a slide that is open whose text can hardly be read, and what to say of each."""
    for faint_shape in low_contrast(Page(deck, deck.get_slide(number), number, 0)):
        if faint_shape.shape is not None:
            yield (
                faint_shape.shape,
                f"slide {number}, shape {faint_shape.shape}: {faint_shape.says}; {faint_shape.do} (format_shape_text)",
            )


def _find_better_color(page: Page, behind: str, least: float) -> str:
    """The colour of the theme, else white or black, that is read best on `behind`."""
    shades = {"light1": page.look.colors.get("lt1", behind), "dark1": page.look.colors.get("dk1", behind)}
    best = max(shades, key=lambda name: compute_contrast(shades[name], behind))
    if compute_contrast(shades[best], behind) >= least:
        return best
    return max(("FFFFFF", "000000"), key=lambda color: compute_contrast(color, behind))


def _find_background(page: Page, at: int, placed: Placed) -> str | None:
    """The colour behind the text of a shape; None where a picture or what is not known lies there."""
    if not has_text(placed):
        return None
    own = _fill_color(page, placed.shape)
    if own != "":
        return own
    box = placed.box
    for other in reversed(page.placed[:at]):
        around = other.box
        if box and around and around.overlap(box) > 0.6 * box.area and get_kind(other.shape) != "group":
            if get_kind(other.shape) in ("picture", "table", "chart", "media", "diagram", "object"):
                return None
            color = _fill_color(page, other.shape)
            if color != "":
                return color
    return _design_behind(page, box)


def _design_behind(page: Page, box: Box | None) -> str | None:
    """The fill of a shape of the layout or master under a box, else the background."""
    layout: Any = page.look.layout
    holders = [layout, page.look.master] if layout._element.get("showMasterSp") not in ("0", "false") else [layout]
    for holder in holders:
        for other in reversed(list(walk_shapes(holder.shapes))):
            around = other.box
            if box and around and not get_role(other.shape) and around.overlap(box) > 0.6 * box.area:
                if get_kind(other.shape) == "picture":
                    return None
                color = _fill_color(page, other.shape)
                if color != "":
                    return color
    return page.look.background()


def _fill_color(page: Page, shape: Any) -> str | None:
    """RRGGBB of a shape's fill; empty where it has none; None where it cannot be told."""
    properties = shape._element.find(f"{P}spPr")
    if properties is None or properties.find(f"{A}noFill") is not None or not is_filled(shape):
        return ""
    color = _blend_fill(page, properties, page.look.fill(properties))
    styled = shape._element.find(f"{P}style/{A}fillRef")
    own = any(properties.find(f"{A}{tag}") is not None for tag in ("solidFill", "gradFill", "blipFill", "pattFill"))
    return color if own or styled is None else page.look.color(styled)


def _blend_fill(page: Page, properties: Any, color: str | None) -> str | None:
    """A fill as it looks on the slide's background where it lets light through."""
    alpha = properties.find(f"{A}solidFill/*/{A}alpha")
    ground = page.look.background()
    if alpha is None or color is None or ground is None:
        return color
    share = int(alpha.get("val", "100000")) / 100_000
    pairs = [(int(color[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (0, 2, 4)]
    return "".join(f"{round(over * share + under * (1 - share)):02X}" for over, under in pairs)


def compute_contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2, 1.4.3)."""
    darker, two = sorted((_compute_luminance(first), _compute_luminance(second)))
    return (two + 0.05) / (darker + 0.05)


def _compute_luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
