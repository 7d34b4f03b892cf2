"""Pieces of a mask: one for each thing, also where things touch."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NECK = 0.78
"""Where two bulges meet in less than this share of the smaller one's width, they are two things."""
_FULL_WIDTH = 0.9
"""Where they meet in more than this share of it, they are parts of one long or bent thing."""
_LEAST_RADIUS = 3.0
_SMALL_SHARE = 0.02
"""Of the largest piece: what is smaller is a speck."""
_LEAST_PX = 12
_MAX_BULGES = 400
_DENT, _LEAST_DENT_PX = 0.05, 2.5
_SLIVER = 0.12
"""Half width of what is no thing at the edge of a picture, in its lengths."""
_CORNER = 0.5
"""Of the usual area: what is smaller in a corner of the picture is no thing."""
_SAME = 0.6
"""Intersection over union of the boxes of one piece at two thresholds."""
_CONVEX = 0.88
_SEVERAL, _SIMILAR = 4, 0.25
"""Things that enclose a gap when they touch, and the spread of their areas."""
_UNLIKE = 8
"""What touches is convex, and the largest of it has at most so many times the area of the smallest."""


@dataclass(frozen=True)
class Piece:
    """A connected part of a mask that is one thing.

    Attributes:
        mask: of its box, without holes.
        left, top: of its box in pixels.
        hole_share: of its area that its holes take.
        split: whether it touched another one and was cut off from it.
        at_edge: whether the edge of the picture cuts it.
    """

    mask: "NDArray[np.bool_]"
    left: int
    top: int
    hole_share: float = 0.0
    split: bool = False
    at_edge: bool = False

    @property
    def area(self) -> int:
        return int(self.mask.sum())

    @property
    def box(self) -> tuple[int, int, int, int]:
        return self.left, self.top, self.left + self.mask.shape[1], self.top + self.mask.shape[0]


def pieces_of(mask: "NDArray[np.bool_]", least_px: int = _LEAST_PX) -> list[Piece]:
    """The things of a mask, from top to bottom, without specks.

    Args:
        mask: (height, width).
        least_px: area below which a part is a speck in any case.
    """
    import cv2
    import numpy as np

    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    areas = stats[1:, cv2.CC_STAT_AREA]
    if not len(areas):
        return []
    least = max(least_px, _SMALL_SHARE * areas.max())
    all_pieces: list[Piece] = []
    for number in range(1, count):
        left, top, width, height, area = stats[number]
        if area >= least:
            part = labels[top : top + height, left : left + width] == number
            piece = _fill_piece(part, int(left), int(top), mask.shape)
            if not _is_slip(piece):
                all_pieces += _split_touching(piece) if not piece.hole_share else _split_open(piece, part)
    usual = float(np.median([piece.area for piece in all_pieces])) if all_pieces else 0.0
    remaining_pieces = [
        piece for piece in all_pieces if piece.area > _CORNER * usual or not _holds_corner(piece, mask.shape)
    ]
    return sorted(remaining_pieces, key=lambda piece: (piece.top, piece.left))


def _holds_corner(piece: Piece, size: tuple[int, ...]) -> bool:
    """Whether a corner of the picture is in it, which photographs and scans often have dark or rounded."""
    x_min, y_min, x_max, y_max = piece.box
    across, down = {0: x_min == 0, -1: x_max == size[1]}, {0: y_min == 0, -1: y_max == size[0]}
    return any(
        at_side and at_end and bool(piece.mask[row, column])
        for row, at_end in down.items()
        for column, at_side in across.items()
    )


def lasting_pieces(piece_lists: "list[list[Piece]]") -> "list[tuple[Piece, float]]":
    """Pieces of masks at rising thresholds, each once, with the share of the thresholds at which it is there."""
    import numpy as np

    lasting: list[list[Piece]] = []
    boxes = np.zeros((0, 4))
    for pieces in piece_lists:
        for piece in pieces:
            same = np.flatnonzero(_compute_overlaps(boxes, np.array(piece.box)) > _SAME)
            if len(same):
                lasting[same[0]].append(piece)
                boxes[same[0]] = piece.box
            else:
                lasting.append([piece])
                boxes = np.vstack([boxes, piece.box])
    middles = [(same[len(same) // 2], min(1.0, len(same) / len(piece_lists))) for same in lasting]
    return sorted(middles, key=lambda lasting_pair: (lasting_pair[0].top, lasting_pair[0].left))


def _compute_overlaps(boxes: "NDArray[Any]", box: "NDArray[Any]") -> "NDArray[Any]":
    """Intersection over union of boxes with one."""
    import numpy as np

    low, high = np.maximum(boxes[:, :2], box[:2]), np.minimum(boxes[:, 2:], box[2:])
    common = np.clip(high - low, 0, None).prod(1)
    shares: NDArray[Any] = common / ((boxes[:, 2:] - boxes[:, :2]).prod(1) + (box[2:] - box[:2]).prod() - common)
    return shares


def _fill_piece(part: "NDArray[np.bool_]", left: int, top: int, size: tuple[int, ...]) -> Piece:
    import cv2
    import numpy as np

    outlines, _ = cv2.findContours(part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled_mask = np.zeros(part.shape, np.uint8)
    cv2.drawContours(filled_mask, outlines, -1, 1, cv2.FILLED)
    holes = 1 - float(part.sum()) / float(filled_mask.sum())
    height, width = part.shape
    at_edge = left == 0 or top == 0 or left + width == size[1] or top + height == size[0]
    return Piece(filled_mask.astype(bool), left, top, holes, at_edge=at_edge)


def _is_slip(piece: Piece) -> bool:
    """Whether it is a sliver along the edge of the picture, such as a frame or a corner of the table."""
    import cv2
    import numpy as np

    if not piece.at_edge:
        return False
    widest = float(cv2.distanceTransform(np.pad(piece.mask, 1).astype(np.uint8), cv2.DIST_L2, 3).max())
    return bool(widest < _SLIVER * max(piece.mask.shape))


def _split_touching(piece: Piece) -> list[Piece]:
    """A piece, or those that touch in it: its bulges, where the necks between them are narrow."""
    import cv2
    import numpy as np

    inner = cv2.distanceTransform(np.pad(piece.mask, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    centres = _find_centres(inner)
    if len(centres) < 2:
        return [piece]
    y, x = np.nonzero(piece.mask)
    away = np.stack([np.hypot(y - row, x - column) - inner[row, column] for row, column in centres])
    nearest = np.full(piece.mask.shape, -1)
    nearest[y, x] = away.argmin(0)
    numbers = _join_wide(nearest, inner, [float(inner[centre]) for centre in centres])
    if len(set(numbers)) < 2:
        return [piece]
    merged = np.where(nearest < 0, -1, np.array(numbers)[nearest])
    parts = [_cut_out(merged == number, piece) for number in sorted(set(numbers))]
    areas = [part.area for part in parts]
    if max(areas) > _UNLIKE * min(areas) or min(map(compute_solidity, parts)) < _CONVEX:
        return [piece]
    return parts


def _join_wide(nearest: "NDArray[Any]", inner: "NDArray[np.float32]", widths: Sequence[float]) -> list[int]:
    """For each bulge the number of its thing: two that meet at nearly their full width, as along a ring, are one."""
    import numpy as np

    numbers = list(range(len(widths)))
    for ahead in ((slice(1, None), slice(None)), (slice(None), slice(1, None))):
        behind = tuple(slice(None, -1) if part.start else part for part in ahead)
        meeting = (nearest[behind] != nearest[ahead]) & (nearest[behind] >= 0) & (nearest[ahead] >= 0)
        half_widths = np.maximum(inner[behind], inner[ahead])[meeting]
        for first, other, half_width in zip(
            nearest[behind][meeting], nearest[ahead][meeting], half_widths, strict=True
        ):
            before, after = numbers[other], numbers[first]
            if before != after and half_width > _FULL_WIDTH * min(widths[first], widths[other]):
                numbers = [after if number == before else number for number in numbers]
    return numbers


def _split_open(piece: Piece, part: "NDArray[np.bool_]") -> list[Piece]:
    """As `_split_touching`, of a piece with holes, which may be gaps between alike things that touch all around."""
    import numpy as np

    pieces = _split_touching(piece)
    if len(pieces) > 1:
        return pieces
    parts = _split_touching(replace(piece, mask=part))
    areas = [open_part.area for open_part in parts]
    return parts if len(parts) >= _SEVERAL and np.std(areas) < _SIMILAR * np.mean(areas) else pieces


def compute_solidity(piece: Piece) -> float:
    """The share of its convex hull that a piece fills."""
    import cv2

    outline = outline_of(piece)
    hull: float = cv2.contourArea(cv2.convexHull(outline))
    return min(1.0, cv2.contourArea(outline) / max(1.0, hull))


def count_dents(piece: Piece) -> int:
    """How often its outline goes in by more than a twentieth of its width, as where two things overlap."""
    import cv2

    outline = outline_of(piece)
    defects = cv2.convexityDefects(outline, cv2.convexHull(outline, returnPoints=False))
    depths = [] if defects is None else defects.reshape(-1, 4)[:, 3] / 256
    return sum(depth > max(_LEAST_DENT_PX, _DENT * min(piece.mask.shape)) for depth in depths)


def outline_of(piece: Piece) -> "NDArray[Any]":
    """The longest outline of a piece, (n, 1, 2), x and y from the corner of its box."""
    import cv2
    import numpy as np

    outlines, _ = cv2.findContours(piece.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(outlines, key=cv2.contourArea))


def _find_centres(inner: "NDArray[np.float32]") -> "list[tuple[int, int]]":
    """The middles of bulges, the largest first, that a narrow neck parts from each larger one."""
    import cv2
    import numpy as np

    smooth = cv2.GaussianBlur(inner, (0, 0), 1)
    peaks = (smooth == cv2.dilate(smooth, np.ones((5, 5)))) & (smooth >= _LEAST_RADIUS)
    places = sorted(zip(*np.nonzero(peaks), strict=True), key=lambda place: -smooth[place])[:_MAX_BULGES]
    remaining_centres: list[tuple[int, int]] = []
    for place in places:
        if all(_measure_neck(smooth, place, other) < _NECK * smooth[place] for other in remaining_centres):
            remaining_centres.append((int(place[0]), int(place[1])))
    return remaining_centres


def _measure_neck(inner: "NDArray[np.float32]", first: "tuple[int, int]", other: "tuple[int, int]") -> float:
    """The least half width on the way from one place to another."""
    import numpy as np

    steps = max(2, int(np.hypot(first[0] - other[0], first[1] - other[1])))
    rows, columns = (np.linspace(first[axis], other[axis], steps).round().astype(int) for axis in (0, 1))
    return float(inner[rows, columns].min())


def _cut_out(part: "NDArray[np.bool_]", piece: Piece) -> Piece:
    import numpy as np

    rows, columns = (np.flatnonzero(part.any(axis)) for axis in (1, 0))
    cut = part[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Piece(cut, piece.left + int(columns[0]), piece.top + int(rows[0]), split=True, at_edge=piece.at_edge)
