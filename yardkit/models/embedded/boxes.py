"""Boxes from detectors: overlapping tiles of a picture, and merging to one box for each object.

A box is [x_min, y_min, x_max, y_max] in pixels, origin top left.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Box = tuple[float, float, float, float]
Part = tuple[int, int, int, int]
_TILE_OVERLAP = 0.2


def parts_of(width: int, height: int, tiles: int, smallest_px: int) -> list[Part]:
    """List the parts of a picture: the complete picture, and its tiles.

    Args:
        width: the width of the picture.
        height: the height of the picture.
        tiles: rows and columns; 1 for none.
        smallest_px: the size below which a tile shows a model no more detail than the complete picture.
    """
    columns, rows = (max(1, min(tiles, side // smallest_px)) for side in (width, height))
    full_picture = [(0, 0, width, height)]
    if columns * rows == 1:
        return full_picture
    across, down = width / columns, height / rows
    margin_x, margin_y = across * _TILE_OVERLAP, down * _TILE_OVERLAP
    return full_picture + [
        (
            max(0, int(column * across - margin_x)),
            max(0, int(row * down - margin_y)),
            min(width, int((column + 1) * across + margin_x)),
            min(height, int((row + 1) * down + margin_y)),
        )
        for row in range(rows)
        for column in range(columns)
    ]


def best_boxes(boxes: "NDArray[Any]", scores: "NDArray[Any]", share: float, *, of_smaller: bool = False) -> list[int]:
    """Non-maximum suppression: the indices, best first, of boxes that do not overlap a better one.

    Args:
        boxes: (n, 4).
        scores: (n,).
        share: the share of the union at which two boxes count as one object.
        of_smaller: use the share of the smaller box instead, for objects that tiles cut.
    """
    import numpy as np

    order, best_indexes = np.argsort(-scores, kind="stable"), []
    while len(order):
        best, rest = order[0], order[1:]
        best_indexes.append(int(best))
        common, areas = _compute_overlaps(boxes[best], boxes[rest])
        reference_area = np.minimum(*areas) if of_smaller else areas[0] + areas[1] - common
        order = rest[common <= reference_area * share]
    return best_indexes


def _compute_overlaps(box: "NDArray[Any]", others: "NDArray[Any]") -> "tuple[NDArray[Any], list[NDArray[Any]]]":
    """Compute the intersections and both areas."""
    import numpy as np

    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    return np.clip(high - low, 0, None).prod(1), [(some[..., 2:] - some[..., :2]).prod(-1) for some in (box, others)]
