"""Connectors follow the shapes that they are glued to, inside groups and out of them."""

from __future__ import annotations

from typing import Any

from toolyard.servers.slides.engine.shapes import A, Box, P, Placed, is_group, kind, preset, walk

_SITES: dict[float, tuple[float, float]] = {0: (0.5, 0.0), 1: (0.0, 0.5), 2: (0.5, 1.0), 3: (1.0, 0.5)}
"""Where the connection sites of a box lie, as shares of its width and height: top, left, bottom, right."""
_ENDS = {"stCxn": "begin", "endCxn": "end"}


def follow(slide: Any, moved: set[int]) -> list[Placed]:
    """Draw the connectors anew that are glued to one of the shapes with the ids `moved`, or are one of them; which."""
    shapes = {placed.shape.shape_id: placed for placed in walk(slide.shapes)}
    turned = {identity for identity, placed in shapes.items() if _is_turned_group(placed.shape)}
    followed = []
    for placed in shapes.values():
        for end, glue in _glue(placed).items():
            target = shapes.get(int(glue.get("id", "0")))
            if target is None or not _parts(placed, target, moved, turned):
                continue
            point = _site(target, int(glue.get("idx", "0")))
            if point is not None:
                inner = placed.frame.into(point)
                setattr(placed.shape, f"{end}_x", round(inner.left))
                setattr(placed.shape, f"{end}_y", round(inner.top))
                followed.append(placed)
    return followed


def _parts(connector: Placed, target: Placed, moved: set[int], turned: set[int]) -> bool:
    """Whether moving the shapes `moved` tears a connector from its target; where a group is turned, no end is known."""
    # A group around both takes both along, however it is moved and turned.
    apart = set(connector.groups) ^ set(target.groups)
    return bool(moved & {connector.shape.shape_id, target.shape.shape_id, *apart}) and not apart & turned


def _glue(placed: Placed) -> dict[str, Any]:
    """The elements that say what the begin and the end of a connector are glued to."""
    holder = placed.shape._element.find(f"{P}nvCxnSpPr/{P}cNvCxnSpPr") if kind(placed.shape) == "connector" else None
    if holder is None:
        return {}
    return {end: glue for tag, end in _ENDS.items() if (glue := holder.find(f"{A}{tag}")) is not None}


def _site(target: Placed, number: int) -> Box | None:
    """A connection site as a point of the slide; None where the shape has no place or the site is not known."""
    # Ellipses have eight sites: the four that count from the top are every second one.
    share = _SITES.get(number / 2 if preset(target.shape) == "ellipse" else number)
    box = target.box
    if share is None or box is None:
        return None
    return Box(box.left + box.width * share[0], box.top + box.height * share[1], 0, 0)


def _is_turned_group(shape: Any) -> bool:
    xfrm = shape._element.find(f"{P}grpSpPr/{A}xfrm") if is_group(shape) else None
    return xfrm is not None and any(xfrm.get(name, "0") not in ("0", "false") for name in ("rot", "flipH", "flipV"))
