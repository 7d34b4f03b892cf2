"""What a count leaves out: marks beside the things and on them. And what colour a thing has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from yardkit.servers.counting.engine.background import Ground
from yardkit.servers.counting.engine.pieces import Piece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FAINT, _SCATTERED = 0.012, 5.0
"""Distance from the ground, and this in its scatter, from which something is a mark."""
_LEAST_PX = 12
_RIM_PX = 9
"""About a thing, where pictures of JPEG have ripples."""
_ON_THING, _LEAST_SHARE = 0.12, 0.004
"""Distance from the colour of a thing, and share of it, from which something on it is a mark."""
_SHARP = 0.8
"""Share of a mark that half as much again of the distance leaves: shadows and shades lose more."""
_MANY = 400


def count_left_out(ground: Ground, pieces: Sequence[Piece]) -> int:
    """How many marks with sharp borders stand out from the ground and are none of the pieces."""
    import cv2
    import numpy as np

    near = np.zeros(ground.distance.shape, np.uint8)
    for piece in pieces:
        x_min, y_min, x_max, y_max = piece.box
        near[y_min:y_max, x_min:x_max] |= piece.mask
    near = np.asarray(cv2.dilate(near, np.ones((2 * _RIM_PX + 1,) * 2, np.uint8)), np.uint8)
    near[[0, -1]], near[:, [0, -1]] = 1, 1  # corners and rims of what is photographed are no marks
    least = max(_FAINT, _SCATTERED * ground.scatter)
    return _count_sharp(ground.distance, least, near.astype(bool), _LEAST_PX)


def count_marks(lab: "NDArray[np.float32]", seen: "NDArray[np.bool_]", pairs: "Sequence[tuple[Piece, Any]]") -> int:
    """How many marks with sharp borders and of another colour lie on the pieces.

    Args:
        lab: (height, width, 3).
        seen: what is not ground.
        pairs: each piece with anything.
    """
    import numpy as np

    count = 0
    for piece, _ in pairs[:_MANY]:
        x_min, y_min, x_max, y_max = piece.box
        part = lab[y_min:y_max, x_min:x_max]
        away = np.linalg.norm(part - middle_color(piece, lab, seen), axis=2).astype(np.float32)
        rim = ~_shrink_mask(piece.mask & seen[y_min:y_max, x_min:x_max], 2)
        count += _count_sharp(away, _ON_THING, rim, max(_LEAST_PX, round(_LEAST_SHARE * piece.area)))
    return count


def middle_color(piece: Piece, lab: "NDArray[np.float32]", seen: "NDArray[np.bool_]") -> "NDArray[np.float32]":
    """The median colour of a piece, without its holes, and away from its edge where it is wide enough."""
    import numpy as np

    x_min, y_min, x_max, y_max = piece.box
    full = piece.mask & seen[y_min:y_max, x_min:x_max]
    inner = _shrink_mask(full, 2)
    mask = inner if inner.sum() > 8 else full if full.any() else piece.mask
    return np.asarray(np.median(lab[y_min:y_max, x_min:x_max][mask], axis=0), np.float32)


def _shrink_mask(mask: "NDArray[np.bool_]", pixels: int) -> "NDArray[np.bool_]":
    import cv2
    import numpy as np

    inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3)), iterations=pixels, borderValue=0)
    return np.asarray(inner, bool)


def _count_sharp(distance: "NDArray[np.float32]", least: float, outside: "NDArray[np.bool_]", least_px: int) -> int:
    """How many parts are further than `least`, touch nothing `outside` and have sharp borders."""
    import cv2
    import numpy as np

    count, labels = cv2.connectedComponents((distance > least).astype(np.uint8), connectivity=8)
    areas = np.bincount(labels.ravel(), minlength=count)
    further = np.bincount(labels[distance > 1.5 * least], minlength=count)
    touching = np.bincount(labels[outside], minlength=count)
    chosen = (areas >= least_px) & (further >= _SHARP * areas) & (touching == 0)
    return int(chosen[1:].sum())
