"""New shapes: text boxes, preset shapes, lines and connectors that are glued to shapes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.inputs import NewShape
from yardkit.servers.slides.engine.looks import shape_style
from yardkit.servers.slides.engine.looks.contrast import compute_contrast
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, Box, P, find_shape, get_preset, non_visual, text_body
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.package.units import make_solid_fill, to_emu
from yardkit.servers.slides.engine.text.paragraphs import (
    Format,
    apply_format,
    as_paragraphs,
    clean_text,
    write_paragraphs,
)
from yardkit.world import Problem

LINES = ("line", "elbow", "curve")
_LINES_OUTSIDE = re.compile("arc|.*(Bracket|Brace|bracketPair|bracePair|[cC]allout[123])")
_LINES_INSIDE = frozenset(
    f"flowChart{name}" for name in ("PredefinedProcess", "InternalStorage", "SummingJunction", "Or", "Sort", "Collate")
) | {"smileyFace", "flowChartMultidocument"}
"""Shapes that show what they are by lines over their fill."""
_ALIGN = {"left": "l", "center": "ctr", "right": "r"}


def add_shapes(path: Path, slide: int, shapes: list[NewShape]) -> list[int]:
    """Add shapes to a slide, all or none; their ids in order."""
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        new_ids = []
        for number, spec in enumerate(shapes, 1):
            try:
                new_ids.append(draw_shape(page, spec).shape_id)
            except Problem as problem:
                raise Problem(f"shape {number} ({spec.kind}): {problem}; none was added") from problem
        deck.promise("the new shapes", lambda saved: _has_shapes(saved, slide, new_ids, shapes))
    return new_ids


def _has_shapes(saved: Deck, slide: int, new_ids: list[int], shapes: list[NewShape]) -> bool:
    saved_shapes = [find_shape(saved.get_slide(slide), identity).shape for identity in new_ids]
    return all(not spec.name or shape.name == spec.name for shape, spec in zip(saved_shapes, shapes, strict=True))


def box_of(left: float | None, top: float | None, width: float | None, height: float | None) -> Box:
    """A box from cm, of which all four must be given.

    Raises:
        Problem: one is missing, or a size is negative.
    """
    if left is None or top is None or width is None or height is None:
        raise Problem("left_cm, top_cm, width_cm and height_cm are needed")
    if width < 0 or height < 0:
        raise Problem(f"{width:g} x {height:g} cm is not a valid size; use 0 or more")
    return Box(to_emu(left), to_emu(top), to_emu(width), to_emu(height))


def draw_shape(page: Any, spec: NewShape) -> Any:
    """Add a shape to a slide that is open."""
    shape = _add_line(page, spec) if spec.kind in LINES else _add_area(page, spec)
    if spec.name:
        shape.name = clean_text(spec.name)
    if spec.alt_text:
        non_visual(shape).set("descr", clean_text(spec.alt_text))
    properties = shape._element.find(f"{P}spPr")
    if spec.fill:
        shape_style.set_fill(properties, spec.fill)
    if spec.line_color or spec.line_pt is not None:
        shape_style.set_line(properties, spec.line_color, spec.line_pt)
    elif spec.fill and spec.kind not in LINES:
        shape_style.set_line(properties, *_choose_outline(page, get_preset(shape), spec.fill))
    if spec.start_arrow or spec.end_arrow:
        shape_style.set_arrows(properties, start=spec.start_arrow, end=spec.end_arrow)
    return shape


def _choose_outline(page: Any, name: str, fill: str) -> tuple[str, float | None]:
    """Colour and width of the outline of a filled shape: none, unless a part of the shape is nothing but lines."""
    if fill.lower() == "none":
        return "none", None
    if name in _LINES_INSIDE:
        return _choose_readable_color(page, fill), 1
    return (fill, 1.5) if _LINES_OUTSIDE.fullmatch(name) else ("none", None)


def _add_area(page: Any, spec: NewShape) -> Any:
    box = box_of(spec.left_cm, spec.top_cm, spec.width_cm, spec.height_cm)
    place = [round(value) for value in vars(box).values()]
    if spec.kind == "textbox":
        shape = page.shapes.add_textbox(*place)
        shape.text_frame.word_wrap = True
    else:
        shape = page.shapes.add_shape(_find_preset(spec.kind), *place)
    if spec.text:
        _write_text(page, shape, spec)
    return shape


def _find_preset(name: str) -> Any:
    from pptx.enum.shapes import MSO_AUTO_SHAPE_TYPE

    for spelling in ("xml_value", "name"):  # the pentagon of PowerPoint is called homePlate in files
        for member in MSO_AUTO_SHAPE_TYPE:
            if getattr(member, spelling).lower() == name.lower():
                return member
    near = ", ".join(sorted(m.xml_value for m in MSO_AUTO_SHAPE_TYPE if m.xml_value[:3].lower() == name[:3].lower()))
    known = near or "rect, roundRect, ellipse, triangle, diamond, rightArrow, chevron, hexagon, star5, wedgeRectCallout"
    raise Problem(f"{name!r} is not a valid shape; use textbox, line, elbow, curve or a preset such as {known}")


def _write_text(page: Any, shape: Any, spec: NewShape) -> None:
    body = text_body(shape)
    write_paragraphs(page, body, as_paragraphs(spec.text))
    color = spec.text_color or (
        _choose_readable_color(page, spec.fill) if spec.fill and spec.fill.lower() != "none" else None
    )
    change = Format(bold=spec.bold, size_pt=spec.size_pt, color=color)
    for paragraph in shape.text_frame.paragraphs:
        if spec.align:
            paragraph._p.get_or_add_pPr().set("algn", _ALIGN[spec.align])
        for run in paragraph.runs:
            apply_format(run._r.get_or_add_rPr(), change)


def _choose_readable_color(page: Any, fill: str) -> str:
    """The dark or the light colour of the theme, whichever can be read on a fill."""
    look = Look(page)
    behind = look.color(make_solid_fill(fill)) or "FFFFFF"
    shades = {
        name: look.colors.get(look.map[name], default_color)
        for name, default_color in (("tx1", "000000"), ("bg1", "FFFFFF"))
    }
    return max(("bg1", "tx1"), key=lambda name: compute_contrast(shades[name], behind))


def _add_line(page: Any, spec: NewShape) -> Any:
    from pptx.enum.shapes import MSO_CONNECTOR

    kinds = {"line": MSO_CONNECTOR.STRAIGHT, "elbow": MSO_CONNECTOR.ELBOW, "curve": MSO_CONNECTOR.CURVE}
    ends = [None if key is None else find_shape(page, key) for key in (spec.from_shape, spec.to_shape)]
    if None in ends and (spec.left_cm is None or spec.top_cm is None):
        raise Problem("a line needs left_cm, top_cm, width_cm, height_cm, or from_shape and to_shape")
    left, top = to_emu(spec.left_cm or 0), to_emu(spec.top_cm or 0)
    right, bottom = left + to_emu(spec.width_cm or 0), top + to_emu(spec.height_cm or 0)
    shape = page.shapes.add_connector(kinds[spec.kind], left, top, right, bottom)
    if spec.text:
        raise Problem("a line cannot have text; add a textbox next to it")
    first, second = ends
    sites = _choose_sites(first.box, second.box) if first and second and first.box and second.box else (3, 1)
    for placed, connect, site in ((first, shape.begin_connect, sites[0]), (second, shape.end_connect, sites[1])):
        if placed is not None and placed.groups:
            raise Problem(
                f"shape {placed.shape.shape_id} is in a group; lines can only be connected to shapes outside groups"
            )
        if placed is not None:
            connect(placed.shape, site)
    renumber_sites(shape, {placed.shape.shape_id: placed.shape for placed in ends if placed})
    return shape


def renumber_sites(connector: Any, shapes: dict[int, Any]) -> None:
    """Ellipses have eight connection sites: the four that count from the top are every second one."""
    holder = connector._element.find(f"{P}nvCxnSpPr/{P}cNvCxnSpPr")
    for tag in ("stCxn", "endCxn"):
        glue = holder.find(f"{A}{tag}")
        target = None if glue is None else shapes.get(int(glue.get("id")))
        if target is not None and get_preset(target) == "ellipse":
            glue.set("idx", str(int(glue.get("idx")) * 2))


def _choose_sites(first: Box, second: Box) -> tuple[int, int]:
    """The connection sites that face each other: 0 top, 1 left, 2 bottom, 3 right."""
    across = (second.left + second.right - first.left - first.right) / 2
    down = (second.top + second.bottom - first.top - first.bottom) / 2
    gap_x = max(second.left - first.right, first.left - second.right)
    gap_y = max(second.top - first.bottom, first.top - second.bottom)
    if gap_x >= gap_y:
        return (3, 1) if across >= 0 else (1, 3)
    return (2, 0) if down >= 0 else (0, 2)
