"""Drawn things of different flat colours that touch: one piece for each colour."""

from typing import TYPE_CHECKING

from yardkit.servers.counting.engine.pieces import Piece, pieces_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STEP = 0.05
"""Side of a cell in OKLab in which colours count as one."""
_NEAR = 0.045
_LEAST_DISTANCE = 0.1
_FLAT = 0.8
"""Share of a piece that its few colours take, when it is drawn."""
_SOME = 0.08
_MOST = 6


def flat_masks(lab: "NDArray[np.float32]", mask: "NDArray[np.bool_]", pieces: "list[Piece]") -> "list[Piece]":
    """The pieces, with those of several flat colours side by side parted into these.

    Args:
        lab: (height, width, 3).
        mask: from which the pieces were taken.
        pieces: of it.
    """
    import numpy as np

    touching = _by_component(mask, pieces)
    color_pieces: list[Piece] = []
    for group in touching:
        box = [min(piece.box[edge] for piece in group) for edge in (0, 1)]
        box += [max(piece.box[edge] for piece in group) for edge in (2, 3)]
        parts = _by_color(lab, group, box)
        color_pieces += parts if len(parts) > 1 else group
    return sorted(color_pieces, key=lambda piece: (piece.top, piece.left)) if np.size(mask) else color_pieces


def _by_component(mask: "NDArray[np.bool_]", pieces: "list[Piece]") -> "list[list[Piece]]":
    """Pieces in groups of those that touch each other."""
    import cv2
    import numpy as np

    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
    groups: dict[int, list[Piece]] = {}
    for number, piece in enumerate(pieces):
        x_min, y_min, x_max, y_max = piece.box
        component_labels = labels[y_min:y_max, x_min:x_max][piece.mask]
        component_labels = component_labels[component_labels > 0]
        key = int(np.bincount(component_labels).argmax()) if piece.split and len(component_labels) else -1 - number
        groups.setdefault(key, []).append(piece)
    return list(groups.values())


def _by_color(lab: "NDArray[np.float32]", group: "list[Piece]", box: "list[int]") -> "list[Piece]":
    """The parts of one colour each, where a few flat colours lie side by side; else nothing."""
    import cv2
    import numpy as np

    left, top, right, bottom = box
    full_mask = np.zeros((bottom - top, right - left), bool)
    for piece in group:
        x_min, y_min, x_max, y_max = piece.box
        full_mask[y_min - top : y_max - top, x_min - left : x_max - left] |= piece.mask
    part = lab[top:bottom, left:right]
    tones = _find_tones(part[full_mask])
    if len(tones) < 2:
        return []
    away = np.stack([np.linalg.norm(part - tone, axis=2) for tone in tones])
    nearest = np.where(full_mask & (away.min(0) < 2 * _NEAR), away.argmin(0), -1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    color_pieces: list[Piece] = []
    for number in range(len(tones)):
        color_mask = cv2.morphologyEx((nearest == number).astype(np.uint8), cv2.MORPH_OPEN, kernel).astype(bool)
        parts = [
            piece_part
            for piece_part in pieces_of(color_mask)
            if piece_part.area >= _SOME * full_mask.sum() and not _is_within(piece_part, full_mask)
        ]
        color_pieces += [_move_piece(piece_part, left, top, group) for piece_part in parts]
    return color_pieces


def _find_tones(colors: "NDArray[np.float32]") -> "list[NDArray[np.float32]]":
    """The flat colours of a drawn piece; none where its colours run into each other."""
    import numpy as np

    cells, inverse, counts = np.unique(
        (colors / _STEP).round().astype(int), axis=0, return_inverse=True, return_counts=True
    )
    tones: list[NDArray[np.float32]] = []
    for place in np.argsort(-counts)[: 3 * _MOST]:
        tone = np.median(colors[inverse.reshape(-1) == place], axis=0)
        if counts[place] >= _SOME / 3 * len(colors) and all(
            np.linalg.norm(tone - other) > _LEAST_DISTANCE for other in tones
        ):
            tones.append(tone)
    if not 1 < len(tones) <= _MOST or not len(cells):
        return []
    away = np.stack([np.linalg.norm(colors - tone, axis=1) for tone in tones])
    shares = [(away[number] < _NEAR).mean() for number in range(len(tones))]
    return [tone for tone, share in zip(tones, shares, strict=True) if share > _SOME] if sum(shares) >= _FLAT else []


def _is_within(piece: Piece, full_mask: "NDArray[np.bool_]") -> bool:
    """Whether a part is surrounded by its piece: a mark on it and no thing beside it."""
    import cv2
    import numpy as np

    mask = np.zeros(full_mask.shape, np.uint8)
    x_min, y_min, x_max, y_max = piece.box
    mask[y_min:y_max, x_min:x_max] = piece.mask
    rim = cv2.dilate(np.pad(mask, 3), np.ones((7, 7))) - np.pad(mask, 3)
    return float(np.pad(full_mask, 3)[rim.astype(bool)].mean()) > 0.95


def _move_piece(piece: Piece, left: int, top: int, group: "list[Piece]") -> Piece:
    at_edge = any(group_piece.at_edge for group_piece in group)
    return Piece(piece.mask, piece.left + left, piece.top + top, piece.hole_share, split=True, at_edge=at_edge)
