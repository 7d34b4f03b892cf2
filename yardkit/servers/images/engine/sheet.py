"""Where a sheet of paper, a receipt or a sign lies on a photograph: its four corners."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from yardkit.world import Problem

if TYPE_CHECKING:
    from PIL.Image import Image

_LONGEST_PX = 1200
"""The picture is looked at in this size; corners are told to a fraction of its pixels."""
_SMALLEST, _LARGEST = 0.05, 0.985
_FIT = 0.93
"""How much of the quadrilateral the thing must fill, and the other way round."""


def find_sheet(image: "Image") -> list[tuple[float, float]]:
    """The corners of the largest thing that stands out from the edge of a picture, clockwise from the top left.

    What lies at the edge of the picture is taken for the ground. The sides are straight lines fitted to the outline.

    Raises:
        Problem: nothing stands out, or what does has not four straight sides within the picture.
    """
    import numpy as np

    scale = min(1.0, _LONGEST_PX / max(image.size))
    small = image.convert("RGB").resize((round(image.width * scale), round(image.height * scale)))
    for outline in _find_outlines(np.asarray(small)):
        corners = _four_corners(outline)
        if corners is not None and _is_filled(outline, corners, small.width * small.height):
            return [(float(x) / scale, float(y) / scale) for x, y in _order_clockwise(corners)]
    raise Problem("no sheet with four straight sides was found in the picture; give corners_px")


def _is_filled(outline: Any, corners: Any, pixels: int) -> bool:
    """Whether a quadrilateral is about what its outline is, and neither a speck nor the whole picture."""
    import cv2
    import numpy as np

    area = cv2.contourArea(outline)
    filled = area / max(1.0, cv2.contourArea(corners.astype(np.float32)))
    return bool(_SMALLEST < area / pixels < _LARGEST and _FIT < filled < 1 / _FIT)


def _find_outlines(pixels: Any) -> Iterator[Any]:
    """Hulls of the largest thing whose colour is far from that of the edges: without its shadow, and of all of it.

    A shadow is not on the way from the ground to the thing's main colour; nor are parts of a thing of two colours.
    """
    import cv2
    import numpy as np

    lab = cv2.cvtColor(cv2.GaussianBlur(pixels, (0, 0), 2.0), cv2.COLOR_RGB2LAB).astype(np.float32)
    edge = np.concatenate([lab[:4].reshape(-1, 3), lab[-4:].reshape(-1, 3), lab[:, :4].reshape(-1, 3)])
    away = lab - np.median(edge, axis=0)
    first = _find_largest(np.linalg.norm(away, axis=2))
    if first is None:
        return
    inside = cv2.drawContours(np.zeros(lab.shape[:2], np.uint8), [first], -1, 1, -1) > 0
    color = np.median(away[inside], axis=0)
    second = _find_largest(away @ color / max(1.0, float(np.linalg.norm(color))))
    yield from (cv2.convexHull(outline) for outline in (second, first) if outline is not None)


def _find_largest(distance: Any) -> Any:
    """The outline of the largest thing that is far away in colour."""
    import cv2
    import numpy as np

    _, mask = cv2.threshold(distance.clip(0, 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return max(contours, key=cv2.contourArea, default=None)


def _four_corners(outline: Any) -> Any:
    """Where lines through the four sides of a hull cross; None where it has not four."""
    import cv2
    import numpy as np

    length = cv2.arcLength(outline, closed=True)
    for part in (0.02, 0.03, 0.05):
        rough = cv2.approxPolyDP(outline, part * length, closed=True).reshape(-1, 2)
        if len(rough) == 4:
            break
    else:
        return None
    points = _spread_points(outline.reshape(-1, 2).astype(np.float64))
    lines = [_fit_line(points, rough[place], rough[(place + 1) % 4]) for place in range(4)]
    return np.array([_find_crossing(lines[place - 1], lines[place]) for place in range(4)])


def _spread_points(points: Any) -> Any:
    """Points along a closed outline, a pixel apart."""
    import numpy as np

    parts = []
    for start, end in zip(points, np.roll(points, -1, axis=0), strict=True):
        steps = max(1, round(float(np.linalg.norm(end - start))))
        parts.append(start + (end - start) * np.arange(steps)[:, None] / steps)
    return np.concatenate(parts)


def _fit_line(points: Any, start: Any, end: Any) -> Any:
    """A point and a direction: the line through the outline between two corners, but for what is next to them."""
    import cv2
    import numpy as np

    way = (end - start).astype(np.float64)
    long = float(np.hypot(*way))
    offset = points - start
    along, beside = offset @ way / long**2, np.abs(offset @ np.array([-way[1], way[0]])) / long
    near = points[(along > 0.08) & (along < 0.92) & (beside < 0.03 * long + 3)]
    fitted = near if len(near) > 1 else np.array([start, end])
    x, y, left, top = cv2.fitLine(fitted.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([left, top]), np.array([x, y])


def _find_crossing(first_line: Any, other: Any) -> Any:
    import numpy as np

    (start, way), (begin, course) = first_line, other
    return start + way * np.linalg.solve(np.array([way, -course]).T, begin - start)[0]


def _order_clockwise(corners: Any) -> Any:
    """The corners from the top left one on, clockwise as they are seen."""
    import numpy as np

    middle = corners.mean(axis=0)
    turned = corners[np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))]
    return np.roll(turned, -int(np.argmin(turned.sum(axis=1))), axis=0)
