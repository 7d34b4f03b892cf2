"""The shape of a piece, by what fits it best."""

from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Shape = Literal[
    "circle", "ellipse", "triangle", "square", "rectangle", "pentagon", "hexagon", "star", "cross", "ring", "other"
]
SHAPES: tuple[Shape, ...] = get_args(Shape)
LEAST_PX = 12
"""The longer side of a piece below which its shape is not told."""
_FITS = 0.9
_CONVEX = 0.92
_ROUND = 1.18
"""Ratio of the axes up to which an ellipse is a circle, and of the sides up to which a rectangle is a square."""
_HOLE = 0.15


def shape_of(mask: "NDArray[np.bool_]", hole_share: float) -> Shape:
    """The shape of a filled mask.

    Args:
        mask: of the box of a piece.
        hole_share: of its area that holes take.
    """
    import cv2
    import numpy as np

    padded = cv2.copyMakeBorder(mask.astype(np.uint8), 2, 2, 2, 2, cv2.BORDER_CONSTANT)
    # Drawn larger, so that the corners of small ones are told from curves.
    factor = max(1.0, 160 / max(padded.shape))
    large = cv2.resize(padded * 255, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
    large = (cv2.GaussianBlur(large, (0, 0), factor) > 127).astype(np.uint8)
    outlines, _ = cv2.findContours(large, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return "other"
    outline = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    solid = cv2.contourArea(outline) / max(1.0, cv2.contourArea(hull))
    if solid < _CONVEX:
        return _hollow_shape(outline, solid)
    full_shape = _full_shape(outline)
    return "ring" if full_shape in ("circle", "ellipse") and hole_share > _HOLE else full_shape


def _full_shape(outline: "NDArray[Any]") -> Shape:
    """Of a convex outline: how much of each form that surrounds it does it fill?"""
    import cv2
    import numpy as np

    area = cv2.contourArea(outline)
    (_, sides, _), (_, axes, _) = cv2.minAreaRect(outline), _fit_ellipse(outline)
    triangle, _ = cv2.minEnclosingTriangle(outline)
    fits: dict[str, float] = {
        "triangle": max(area / max(1.0, triangle), _regular_fit(outline, 3)),
        "rectangle": area / max(1.0, sides[0] * sides[1]),
        "ellipse": _compute_ellipse_overlap(outline, _fit_ellipse(outline)),
    }
    for name, corners in (("pentagon", 5), ("hexagon", 6)):
        fits[name] = _regular_fit(outline, corners)
    best = max(fits, key=lambda name: fits[name])
    if fits[best] < _FITS:
        return "other"
    if best == "rectangle":
        return "square" if max(sides) <= _ROUND * min(sides) else "rectangle"
    if best == "ellipse":
        return "circle" if max(axes) <= _ROUND * min(axes) else "ellipse"
    shapes_by_name: dict[str, Shape] = {"triangle": "triangle", "pentagon": "pentagon", "hexagon": "hexagon"}
    return shapes_by_name[best] if np.isfinite(fits[best]) else "other"


def _fit_ellipse(outline: "NDArray[Any]") -> Any:
    """The ellipse of the same area and moments: centre, axes, degrees."""
    import cv2
    import numpy as np

    moments = cv2.moments(outline)
    area = max(moments["m00"], 1e-6)
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]) / area
    values, vectors = np.linalg.eigh(spread)
    axes = 4 * np.sqrt(np.maximum(values, 1e-6))
    degrees = float(np.degrees(np.arctan2(vectors[1, 0], vectors[0, 0])))
    return (moments["m10"] / area, moments["m01"] / area), (float(axes[0]), float(axes[1])), degrees


def _compute_ellipse_overlap(outline: "NDArray[Any]", ellipse: Any) -> float:
    """Intersection over union of an outline and an ellipse."""
    import cv2
    import numpy as np

    points = cv2.ellipse2Poly(
        tuple(round(value) for value in ellipse[0]),
        tuple(round(value / 2) for value in ellipse[1]),
        round(ellipse[2]),
        0,
        360,
        4,
    )
    return _compute_overlap(outline, np.asarray(points).reshape(-1, 1, 2))


def _compute_overlap(first: "NDArray[Any]", other: "NDArray[Any]") -> float:
    import cv2
    import numpy as np

    size = [int(max(first[..., axis].max(), other[..., axis].max())) + 2 for axis in (1, 0)]
    masks = [np.zeros(size, np.uint8) for _ in range(2)]
    for mask, outline in zip(masks, (first, other), strict=True):
        cv2.drawContours(mask, [outline.astype(np.int32)], -1, 1, cv2.FILLED)
    return float((masks[0] & masks[1]).sum() / max(1, (masks[0] | masks[1]).sum()))


def _regular_fit(outline: "NDArray[Any]", corners: int) -> float:
    """Intersection over union with the regular polygon of so many corners, turned as the outline is."""
    import cv2
    import numpy as np

    radius, middle = _measure_radii(outline)
    around = np.linspace(0, 2 * np.pi, len(radius), endpoint=False)
    turn = np.angle(np.mean(radius * np.exp(1j * corners * around))) / corners
    size = np.sqrt(2 * cv2.contourArea(outline) / (corners * np.sin(2 * np.pi / corners)))
    angles = turn + np.arange(corners) * 2 * np.pi / corners
    polygon = middle + size * np.stack([np.cos(angles), np.sin(angles)], 1)
    return _compute_overlap(outline, polygon.round().reshape(-1, 1, 2))


def _measure_radii(outline: "NDArray[Any]") -> "tuple[NDArray[Any], NDArray[Any]]":
    """How far the outline is from its middle at each of 360 degrees, and the middle."""
    import cv2
    import numpy as np

    moments = cv2.moments(outline)
    middle = np.array([moments["m10"], moments["m01"]]) / max(moments["m00"], 1e-6)
    x, y = (outline[:, 0] - middle).T
    angles = np.arctan2(y, x) % (2 * np.pi)
    order = np.argsort(angles)
    around = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    return np.interp(around, angles[order], np.hypot(x, y)[order], period=2 * np.pi), middle


def _hollow_shape(outline: "NDArray[Any]", solid: float) -> Shape:
    """Of an outline that is not convex."""
    import numpy as np

    radius, _ = _measure_radii(outline)
    waves = np.abs(np.fft.rfft(radius))[1:9]
    most = int(waves.argmax()) + 1
    if waves[most - 1] < 0.35 * waves.sum() or solid > 0.9:
        return "other"
    if most == 4:
        return "cross"
    return "star" if most >= 5 else "other"
