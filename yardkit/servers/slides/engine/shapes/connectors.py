"""Connectors follow the shapes that they are glued to, inside groups and out of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import (
    A,
    Box,
    P,
    Placed,
    get_kind,
    get_preset,
    is_group,
    walk_shapes,
)

_RECTANGLE_SITES: dict[float, tuple[float, float]] = {0: (0.5, 0.0), 1: (0.0, 0.5), 2: (0.5, 1.0), 3: (1.0, 0.5)}
"""Where the connection sites of a box lie, as shares of its width and height: top, left, bottom, right."""
_BOX_GEOMETRIES = {"", "rect", "roundRect", "ellipse", "diamond", "flowChartProcess", "flowChartAlternateProcess"}
_BOX_GEOMETRIES |= {"flowChartDecision", "flowChartTerminator"}
"""Presets with the sites of a box; the empty one is that of pictures, tables and placeholders."""
_CONNECTOR_ENDS = {"stCxn": (0.0, 0.0), "endCxn": (1.0, 1.0)}
"""Where a connector begins and ends in its own box."""
_NEAR = 0.02


@dataclass(frozen=True)
class Spot:
    """The box of a shape on the slide with how it is rotated (radians) and flipped."""

    box: Box
    angle: float = 0.0
    flip_h: bool = False
    flip_v: bool = False

    def point(self, share: tuple[float, float]) -> tuple[float, float]:
        """The point of the slide that lies at a share of the width and height."""
        x = (share[0] - 0.5) * self.box.width * (-1 if self.flip_h else 1)
        y = (share[1] - 0.5) * self.box.height * (-1 if self.flip_v else 1)
        x, y = _rotate_point(x, y, self.angle)
        return self.box.left + self.box.width / 2 + x, self.box.top + self.box.height / 2 + y

    def compute_share(self, point: tuple[float, float]) -> tuple[float, float] | None:
        """The share of the width and height at which a point lies; None where it does not lie on the shape."""
        if not (self.box.width and self.box.height):
            return None
        x = point[0] - self.box.left - self.box.width / 2
        y = point[1] - self.box.top - self.box.height / 2
        x, y = _rotate_point(x, y, -self.angle)
        across = x / self.box.width * (-1 if self.flip_h else 1)
        down = y / self.box.height * (-1 if self.flip_v else 1)
        return (across + 0.5, down + 0.5) if max(abs(across), abs(down)) <= 0.5 + _NEAR else None


def list_spots(slide: Any) -> list[Spot | None]:
    """Where the shapes of a slide are, in the order of `walk_shapes`; None for those without a place of their own."""
    return [_get_spot(placed) for placed in walk_shapes(slide.shapes)]


def redraw_connectors(slide: Any, moved: set[int], before: list[Spot | None]) -> list[Placed]:
    """Draw the connectors anew that are glued to one of the shapes with the ids `moved`, or are one of them; which.

    An end goes to its site where the target has the sites of a box, and elsewhere to the point of the target at which
    it was `before`. An end that was not at such a target stays, and so do rotated connectors of unevenly scaled groups.
    """
    shapes = list(walk_shapes(slide.shapes))
    turned = {placed.shape.shape_id for placed in shapes if _is_turned_group(placed.shape)}
    places = {placed.shape.shape_id: at for at, placed in reversed(list(enumerate(shapes)))}
    followed = []
    for at, placed in enumerate(shapes):
        spot, old = _get_spot(placed), before[at]
        ends = dict[str, tuple[float, float]]()
        for tag, glue in _read_glue(placed).items():
            target = places.get(int(glue.get("id", "0")))
            if target is None or old is None or not _is_torn(placed, shapes[target], moved, turned):
                continue
            point = _locate_end(
                shapes[target], before[target], old.point(_CONNECTOR_ENDS[tag]), int(glue.get("idx", "0"))
            )
            if point is not None:
                ends[tag] = point
        if spot is not None and ends and _draw_connector(placed, spot, ends):
            followed.append(placed)
    return followed


def _locate_end(
    target: Placed, before: Spot | None, old: tuple[float, float], number: int
) -> tuple[float, float] | None:
    """Where the end of a connector that was at `old` belongs now; None where that is not known."""
    spot = _get_spot(target)
    # Ellipses have eight sites: the four that count from the top are every second one.
    shape = get_preset(target.shape)
    share = _RECTANGLE_SITES.get(number / 2 if shape == "ellipse" else number) if shape in _BOX_GEOMETRIES else None
    if share is None and before is not None:
        share = before.compute_share(old)
    return None if share is None or spot is None else spot.point(share)


def _draw_connector(connector: Placed, spot: Spot, ends: dict[str, tuple[float, float]]) -> bool:
    """Draw a connector between its new ends, rotated as it is; whether that is possible."""
    frame = connector.frame
    if spot.angle and not math.isclose(frame.scale_x, frame.scale_y, rel_tol=1e-3):
        return False
    points = [ends.get(tag) or spot.point(share) for tag, share in _CONNECTOR_ENDS.items()]
    begin, end = (frame.to_inner(Box(*point, 0, 0)) for point in points)
    across, down = _rotate_point(end.left - begin.left, end.top - begin.top, -spot.angle)
    shape, wide, tall = connector.shape, abs(across), abs(down)
    shape.left, shape.top = round((begin.left + end.left - wide) / 2), round((begin.top + end.top - tall) / 2)
    shape.width, shape.height = round(wide), round(tall)
    xfrm = _find_transform(shape)
    for name, flipped in (("flipH", round(across) < 0), ("flipV", round(down) < 0)):
        xfrm.attrib.pop(name, None)
        if flipped:
            xfrm.set(name, "1")
    return True


def _rotate_point(x: float, y: float, angle: float) -> tuple[float, float]:
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def _get_spot(placed: Placed) -> Spot | None:
    box, xfrm = placed.box, _find_transform(placed.shape)
    if box is None or xfrm is None:
        return None if box is None else Spot(box)
    angle = math.radians(int(xfrm.get("rot", "0")) / 60_000)
    return Spot(box, angle, *(xfrm.get(name, "0") not in ("0", "false") for name in ("flipH", "flipV")))


def _find_transform(shape: Any) -> Any:
    return shape._element.find(f"{P}{'grpSpPr' if is_group(shape) else 'spPr'}/{A}xfrm")


def _is_torn(connector: Placed, target: Placed, moved: set[int], turned: set[int]) -> bool:
    """Whether moving the shapes `moved` tears a connector from its target; where a group is turned, no end is known."""
    # A group around both takes both along, however it is moved and turned.
    differing_groups = set(connector.groups) ^ set(target.groups)
    return (
        bool(moved & {connector.shape.shape_id, target.shape.shape_id, *differing_groups})
        and not differing_groups & turned
    )


def _read_glue(placed: Placed) -> dict[str, Any]:
    """The elements that say what the begin and the end of a connector are glued to."""
    holder = (
        placed.shape._element.find(f"{P}nvCxnSpPr/{P}cNvCxnSpPr") if get_kind(placed.shape) == "connector" else None
    )
    if holder is None:
        return {}
    return {tag: glue for tag in _CONNECTOR_ENDS if (glue := holder.find(f"{A}{tag}")) is not None}


def _is_turned_group(shape: Any) -> bool:
    xfrm = _find_transform(shape) if is_group(shape) else None
    return xfrm is not None and any(xfrm.get(name, "0") not in ("0", "false") for name in ("rot", "flipH", "flipV"))
