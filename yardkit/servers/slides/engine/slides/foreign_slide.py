"""A slide of another deck at home in this one: its placeholders in the layout, the styles of its tables."""

from __future__ import annotations

import copy
from typing import Any

from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import A, find_placeholder, get_role, own_box
from yardkit.servers.slides.engine.package.slide_copies import copy_part

_STYLES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/tableStyles"
FEET = ("date", "footer", "number")


def fit_to_layout(slide: Any, original: Any) -> list[str]:
    """Placeholders that the layout lacks go to others of their kind, else stay where they were; what to know of it."""
    boxes = {shape.shape_id: own_box(shape) for shape in original.placeholders}
    layout_placeholders = list(slide.slide_layout.placeholders)
    lost = [
        shape
        for shape in slide.placeholders
        if not any(_inherits_position(shape, other) for other in layout_placeholders)
    ]
    free = [
        other
        for other in layout_placeholders
        if not any(_inherits_position(shape, other) for shape in slide.placeholders)
    ]
    notes = []
    for shape in lost:
        target = next((other for other in free if fits_placeholder(shape, other) and get_role(other) not in FEET), None)
        box = boxes.get(shape.shape_id)
        if target is not None:
            free.remove(target)
            adopt_placeholder(shape, target)
        elif box is not None:
            shape.left, shape.top, shape.width, shape.height = (round(value) for value in vars(box).values())
            notes.append(f"{shape.name!r} has no counterpart on the layout and stays where it was")
    return notes


def _inherits_position(shape: Any, other: Any) -> bool:
    """Whether a placeholder takes its place from that one of the layout."""
    own_placeholder, two = find_placeholder(shape), find_placeholder(other)
    alone = get_role(shape) in (*FEET, "title")
    return (
        get_role(shape) == get_role(other)
        if alone
        else own_placeholder.get("idx", "0") == two.get("idx", "0") and fits_placeholder(shape, other)
    )


def fits_placeholder(shape: Any, target: Any) -> bool:
    """Whether what is in a placeholder can stand in another of a layout."""
    content = ("body", "subtitle", "picture", "table", "chart")
    return get_role(shape) == get_role(target) or (
        get_role(shape) in content and get_role(target) in ("body", "subtitle")
    )


def adopt_placeholder(shape: Any, target: Any) -> None:
    """Make a placeholder that of `target` on the layout, in its place."""
    ph, like = find_placeholder(shape), find_placeholder(target)
    for key in ("type", "idx", "orient", "sz"):
        ph.attrib.pop(key, None)
        if like.get(key) is not None:
            ph.set(key, like.get(key))
    properties = shape._element.find("{*}spPr")
    xfrm = None if properties is None else properties.find(f"{A}xfrm")
    if xfrm is not None and shape._element.tag.endswith("}sp"):
        properties.remove(xfrm)


def bring_table_styles(deck: Deck, source: Deck, slide: Any) -> None:
    """Styles of tables that only the other deck knows come along: without them the tables would be bare."""
    style_ids = {(style_id.text or "").strip() for style_id in slide._element.iter(f"{A}tableStyleId")}
    theirs, ours = _find_styles(source), _find_styles(deck)
    if not style_ids or theirs is None:
        return
    if ours is None:
        deck.part.relate_to(copy_part(deck, theirs), _STYLES)
        return
    root = parse_part(ours.blob, str(ours.partname))
    known = {child.get("styleId") for child in root}
    missing = [
        style for style in parse_part(theirs.blob, str(theirs.partname)) if style.get("styleId") in style_ids - known
    ]
    for missing_style in missing:
        root.append(copy.deepcopy(missing_style))
    if missing:
        ours.blob = serialize_part(root)


def _find_styles(deck: Deck) -> Any:
    rels = deck.part.rels.values()
    return next((rel.target_part for rel in rels if rel.reltype == _STYLES and not rel.is_external), None)
