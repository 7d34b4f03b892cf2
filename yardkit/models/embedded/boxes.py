"""Boxes from detectors: overlapping tiles of a picture, and merging to one box for each object.

A box is [x_min, y_min, x_max, y_max] in pixels, origin top left.
"""

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Part = tuple[int, int, int, int]
_TILE_OVERLAP = 0.2
_LONG, _SQUARE = 2.2, 1.25
"""Ratio of the sides from which a picture is long, such as a panorama or the copy of a web page, and that of a part."""
_LEAST_STRIP_PX, _MAX_SQUARES = 32, 12


def parts_of(width: int, height: int, tiles: int, smallest_px: int) -> list[Part]:
    """List the parts of a picture: the complete picture, its squares where it is long, and its tiles.

    Args:
        width: the width of the picture.
        height: the height of the picture.
        tiles: rows and columns, of each square where it is long; 1 for none.
        smallest_px: the size below which a tile shows a model no more detail than the complete picture.
    """
    columns, rows = _count_squares(width, height), _count_squares(height, width)
    tiled = [max(count, min(tiles * count, side // smallest_px)) for count, side in ((columns, width), (rows, height))]
    grids = dict.fromkeys([(1, 1), (columns, rows), (tiled[0], tiled[1])])
    return [part for grid in grids for part in _cut_grid(width, height, *grid)]


def squares_of(width: int, height: int) -> list[Part]:
    """List what a model that takes squares should see of a picture: all of it, or parts that overlap if it is long."""
    return _cut_grid(width, height, _count_squares(width, height), _count_squares(height, width))


def _count_squares(side: int, other: int) -> int:
    """How many squares lie along a side, where the picture is so long that a square would hold little of it."""
    if other < _LEAST_STRIP_PX or side <= _LONG * other:
        return 1
    return min(_MAX_SQUARES, math.ceil(side / (other * _SQUARE)))


def _cut_grid(width: int, height: int, columns: int, rows: int) -> list[Part]:
    """Parts of a grid, each wider and higher by its overlap with its neighbours."""
    across, down = width / columns, height / rows
    margin_x, margin_y = across * _TILE_OVERLAP, down * _TILE_OVERLAP
    return [
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
