"""Shapes that are turned and mirrored: where they are seen, and where they stay when their group is dissolved."""

from __future__ import annotations

import math
from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import A, Box, P

_FULL = 360 * 60_000
_FRAME_PATHS = (f"{P}spPr/{A}xfrm", f"{P}grpSpPr/{A}xfrm", f"{P}xfrm")


def find_transform(shape: Any) -> Any:
    """The `a:xfrm` (or `p:xfrm`) of a shape; None where it has none of its own."""
    return next((transform for path in _FRAME_PATHS if (transform := shape._element.find(path)) is not None), None)


def get_angle(shape: Any) -> float:
    """How far a shape is turned clockwise, in degrees from 0 to 360."""
    own = find_transform(shape)
    return 0.0 if own is None else int(own.get("rot", "0")) % _FULL / 60_000


def seen_box(box: Box, degrees: float) -> Box:
    """The box around a box that is turned about its middle."""
    if not degrees % 180:
        return box
    across, down = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    width, height = box.width * across + box.height * down, box.width * down + box.height * across
    return Box(box.left + (box.width - width) / 2, box.top + (box.height - height) / 2, width, height)


def leave_group(shape: Any, box: Box, group: Any, around: Box) -> Box:
    """Turn and mirror a shape as the group does that it leaves; where its box goes for it to stay as it is seen."""
    outer, own = find_transform(group), find_transform(shape)
    if outer is None or own is None:
        return box
    mirrored = {key: outer.get(key) in ("1", "true") for key in ("flipH", "flipV")}
    for key in [key for key, flipped in mirrored.items() if flipped]:
        own.set(key, str(int(own.get(key) not in ("1", "true"))))
    turned = int(own.get("rot", "0")) * (-1 if mirrored["flipH"] != mirrored["flipV"] else 1)
    if rot := (turned + int(outer.get("rot", "0"))) % _FULL:
        own.set("rot", str(rot))
    else:
        own.attrib.pop("rot", None)
    x = (box.left + box.right - around.left - around.right) / 2 * (-1 if mirrored["flipH"] else 1)
    y = (box.top + box.bottom - around.top - around.bottom) / 2 * (-1 if mirrored["flipV"] else 1)
    way = math.radians(get_angle(group))
    x, y = x * math.cos(way) - y * math.sin(way), x * math.sin(way) + y * math.cos(way)
    left, top = (around.left + around.right - box.width) / 2 + x, (around.top + around.bottom - box.height) / 2 + y
    return Box(left, top, box.width, box.height)
