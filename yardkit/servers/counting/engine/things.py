"""Things that stand out from a plain ground, or have a colour, with what makes the count sure or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.embedded.running import check_region, load_rgb
from yardkit.servers.counting.engine.background import find_ground
from yardkit.servers.counting.engine.colours import COLORS, Color, color_name, color_numbers, to_oklab
from yardkit.servers.counting.engine.flat_colours import flat_masks
from yardkit.servers.counting.engine.marks import count_left_out, count_marks, middle_color
from yardkit.servers.counting.engine.pieces import Piece, compute_solidity, count_dents, lasting_pieces, pieces_of
from yardkit.servers.counting.engine.shapes import LEAST_PX, Shape, shape_of
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = ("numpy", "cv2", "PIL.Image", "PIL.ImageOps")
_WORKING_PX, _CLOSE_PX = 1_500_000, 4_000_000
"""Of a picture, and of one in which nothing was found and which is looked at more closely."""
_NOISY = 1.5
_ROUGH = 0.03
"""Scatter of a ground in OKLab that may hide things."""
_FAINT, _LEAST_CLOSE_PX = 0.012, 4
"""Distance from the ground, and area, from which something counts where nothing else was found."""
_STEPS = 9
_LOWEST, _HIGHEST = 0.035, 0.6
"""Thresholds of the distance from the ground: the least, and the highest as a share of how far most things are."""
_NOISE = 2.5
_SURE = 0.5
"""Share of the thresholds at which a piece is there, from which it counts."""
_LEAST_CONFIDENCE = 0.7
"""Confidence from which a count is told."""
_SPECKS = 0.0005
_LATTICE, _ALL = 0.3, 0.8
_LIGHTS = ((1, 1, 1), (0.93, 1, 1), (1.07, 1, 1), (1, 0.8, 0.8), (1, 1.2, 1.2))
"""By which the three axes of OKLab are stretched."""
_EVEN, _DOUBLE, _LARGER = 0.2, 1.7, 1.2
_SOLID, _WAIST = 0.82, 2


@dataclass(frozen=True)
class Thing:
    """One that is counted.

    Attributes:
        color: its name.
        shape: of its outline, None where it is too small to tell.
        box: [x_min, y_min, x_max, y_max] in pixels of the picture.
    """

    color: Color
    shape: Shape | None
    box: Box


@dataclass(frozen=True)
class Things:
    """What was found.

    Attributes:
        things: that are counted.
        how: they were told from the rest.
        confidence: in [0, 1].
        unsure: why the count cannot be told; empty where it can.
        notes: what to know of it.
        at_least: whether some may be missed.
        size: of the picture.
    """

    things: list[Thing]
    how: str
    confidence: float
    unsure: str
    notes: list[str]
    at_least: bool
    size: tuple[int, int]


def find_things(
    path: Path, color: Color | None, shape: Shape | None, region: tuple[int, int, int, int] | None
) -> Things:
    """Things of a colour and a shape, or all that stand out. To be called in `run_apart`."""
    pixels = load_rgb(path)
    height, width = pixels.shape[:2]
    left, top, right, bottom = check_region(region, width, height)
    part = pixels[top:bottom, left:right]
    lab, factor = _prepare_pixels(part, _WORKING_PX)
    ground_things = _by_ground(lab)
    if not ground_things.pairs:  # what is small, thin or faint is there, or nothing
        lab, factor = _prepare_pixels(part, _CLOSE_PX)
        ground_things = _by_ground(lab, is_close=noise_of(part) < _NOISY)
    if color and (ground_things.unsure or _holds_more(lab, color, ground_things)):
        ground_things = _by_color(lab, color)
    matching_pairs = [(piece, thing) for piece, thing in ground_things.pairs if _is_matching(thing, color, shape)]
    doubts = _find_doubts(ground_things, matching_pairs, color, shape)
    things = [
        Thing(thing.color, thing.shape, _to_source_box(piece, factor, left, top)) for piece, thing in matching_pairs
    ]
    unsure = ground_things.unsure or _small_doubt(ground_things.pairs, shape)
    confidence = round(ground_things.confidence * (1 - doubts.several / max(1, 2 * len(things))), 2)
    return Things(things, ground_things.how, confidence, unsure, doubts.notes, doubts.at_least, (width, height))


def _prepare_pixels(pixels: "NDArray[np.uint8]", most_px: int) -> "tuple[NDArray[np.float32], float]":
    """Pixels in OKLab without noise, and by how much they are smaller."""
    factor = min(1.0, (most_px / (pixels.shape[0] * pixels.shape[1])) ** 0.5)
    return to_oklab(_reduce_noise(pixels, factor)), factor


@dataclass(frozen=True)
class _ForegroundThings:
    """Pieces and what they are; `left_out` smaller or fainter ones are none of them, and `marks` lie on them."""

    pairs: "list[tuple[Piece, Thing]]"
    how: str
    confidence: float
    unsure: str = ""
    left_out: int = 0
    marks: int = 0


def _holds_more(lab: "NDArray[np.float32]", color: Color, ground_things: _ForegroundThings) -> bool:
    """Whether much of a colour lies outside the pieces that have its name."""
    import numpy as np

    mask = _open_mask(color_numbers(lab) == COLORS.index(color))
    inside = np.zeros_like(mask)
    for piece, thing in ground_things.pairs:
        if thing.color == color:
            x_min, y_min, x_max, y_max = piece.box
            inside[y_min:y_max, x_min:x_max] |= piece.mask
    return bool((mask & ~inside).sum() > max(_SPECKS * mask.size, 0.2 * mask.sum()))


def _is_matching(thing: Thing, color: Color | None, shape: Shape | None) -> bool:
    shapes = {"rectangle": ("rectangle", "square"), "ellipse": ("ellipse", "circle")}.get(str(shape), (shape,))
    return (color is None or thing.color == color) and (shape is None or thing.shape in shapes)


def _to_source_box(piece: Piece, factor: float, left: int, top: int) -> Box:
    x_min, y_min, x_max, y_max = (round(edge / factor, 1) for edge in piece.box)
    return x_min + left, y_min + top, x_max + left, y_max + top


def _reduce_noise(pixels: "NDArray[np.uint8]", factor: float) -> "NDArray[np.uint8]":
    """The picture at working size, with its noise taken away and its edges kept."""
    import cv2
    import numpy as np

    if factor < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    noise = noise_of(pixels)
    if noise < _NOISY:
        return pixels
    width = 3 if noise < 6 else 5 if noise < 14 else 7
    quiet = cv2.medianBlur(pixels, width)
    return np.asarray(quiet if noise < 6 else cv2.GaussianBlur(quiet, (0, 0), width / 5), np.uint8)


def noise_of(pixels: "NDArray[np.uint8]") -> float:
    """Standard deviation of noise on a scale of 255.

    Source: John Immerkær, "Fast noise variance estimation", 1996; with the median in the mean's place, so that edges
    do not count.
    """
    import cv2
    import numpy as np

    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    return float(np.median(np.abs(cv2.filter2D(grey, -1, kernel)))) / 0.6745 / 6


def _by_ground(lab: "NDArray[np.float32]", *, is_close: bool = False) -> _ForegroundThings:
    """What stands out from the ground at most thresholds.

    Args:
        lab: (height, width, 3).
        is_close: whether what is small, thin or faint counts, too.
    """
    import numpy as np

    how = "pieces that stand out from the background"
    ground = find_ground(lab)
    if ground is None:
        return _ForegroundThings([], how, 0.0, "the picture has no plain ground")
    least = _FAINT if is_close else _LOWEST
    lowest = max(least, _NOISE * ground.scatter)
    far = ground.distance[ground.distance > max(least, 4 * ground.scatter)]
    if not len(far):
        is_rough = ground.scatter > _ROUGH
        reason = "the picture is too uneven for anything to stand out" if is_rough else ""
        return _ForegroundThings([], how, 0.0 if is_rough else 1.0, reason)
    thresholds = np.geomspace(lowest, max(1.3 * lowest, _HIGHEST * float(np.median(far))), _STEPS)
    masks = [ground.distance > threshold for threshold in thresholds]
    masks = masks if is_close else [_open_mask(mask) for mask in masks]
    lasting = lasting_pieces([pieces_of(mask, *([_LEAST_CLOSE_PX] if is_close else [])) for mask in masks])
    sure = [piece for piece, share in lasting if share >= _SURE]
    confidence = _compute_confidence([share for _, share in lasting])
    seen = masks[_STEPS // 2]
    pairs = [(piece, _describe_thing(piece, lab, seen)) for piece in flat_masks(lab, seen, sure)]
    if any(piece.hole_share > _LATTICE and piece.mask.size > _ALL * lab[..., 0].size for piece in sure):
        return _ForegroundThings(pairs, how, 0.0, "a structure covers the entire picture, such as joints between tiles")
    if confidence >= _LEAST_CONFIDENCE:
        left_out = count_left_out(ground, [piece for piece, _ in pairs])
        return _ForegroundThings(pairs, how, confidence, "", left_out, count_marks(lab, seen, pairs))
    few, many = (sum(share > least for _, share in lasting) for least in (0.8, 0.2))
    reason = f"the background is uneven: {few} to {many} pieces stand out, depending on the threshold"
    return _ForegroundThings(pairs, how, confidence, reason)


def _open_mask(mask: "NDArray[np.bool_]") -> "NDArray[np.bool_]":
    import cv2
    import numpy as np

    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)).astype(bool)


def _by_color(lab: "NDArray[np.float32]", color: Color) -> _ForegroundThings:
    """What has the colour in most lights: brighter and darker, paler and stronger ones too."""
    import numpy as np

    how = f"{color} pieces"
    masks = [_open_mask(color_numbers(lab * np.array(light, np.float32)) == COLORS.index(color)) for light in _LIGHTS]
    lasting = lasting_pieces([pieces_of(mask) for mask in masks])
    sure = [piece for piece, share in lasting if share >= _SURE]
    confidence = _compute_confidence([share for _, share in lasting])
    pairs = [(piece, Thing(color, _detect_shape(piece), piece.box)) for piece in sure]
    if sum(piece.area for piece in sure) > 0.5 * lab[..., 0].size:
        return _ForegroundThings(pairs, how, 0.0, f"most of the picture is {color}, including its background")
    if confidence >= _LEAST_CONFIDENCE:
        return _ForegroundThings(pairs, how, confidence)
    few, many = (sum(share > least for _, share in lasting) for least in (0.8, 0.2))
    reason = f"the {color} parts have no sharp borders: {few} to {many} are counted, depending on the lighting"
    return _ForegroundThings(pairs, how, confidence, reason)


def _compute_confidence(shares: Sequence[float]) -> float:
    """How clearly pieces are there or not: 1 where each is at all thresholds or at none."""
    doubts = sum(1 - abs(2 * share - 1) for share in shares)
    sure = sum(share >= _SURE for share in shares)
    return round(1 - doubts / (sure + doubts), 2) if shares else 1.0


def _describe_thing(piece: Piece, lab: "NDArray[np.float32]", seen: "NDArray[np.bool_]") -> Thing:
    return Thing(color_name(middle_color(piece, lab, seen)), _detect_shape(piece), piece.box)


def _detect_shape(piece: Piece) -> Shape | None:
    return shape_of(piece.mask, piece.hole_share) if max(piece.mask.shape) >= LEAST_PX else None


def _small_doubt(pairs: "Sequence[tuple[Piece, Thing]]", shape: Shape | None) -> str:
    small = sum(thing.shape is None for _, thing in pairs)
    if shape and small and small > len(pairs) / 2:
        return f"{small} of {len(pairs)} pieces are under {LEAST_PX} pixels: too small to determine their shape"
    return ""


@dataclass(frozen=True)
class _Doubts:
    """What to know of a count, whether it may be too small, and how many pieces may be several things."""

    notes: list[str]
    at_least: bool
    several: int


def _find_doubts(
    ground_things: _ForegroundThings,
    matching_pairs: "Sequence[tuple[Piece, Thing]]",
    color: Color | None,
    shape: Shape | None,
) -> _Doubts:
    pieces, all_pieces = [piece for piece, _ in matching_pairs], [piece for piece, _ in ground_things.pairs]
    cut, parted = sum(piece.at_edge for piece in pieces), sum(piece.split for piece in pieces)
    several = sum(_may_be_several(piece, thing, pieces) for piece, thing in matching_pairs)
    unclear = [
        piece
        for piece, thing in ground_things.pairs
        if not _is_matching(thing, color, shape)
        and _is_matching(thing, color, None)
        and (piece.at_edge or _may_be_several(piece, thing, all_pieces) or _is_unlike(piece, thing, pieces))
    ]
    notes = {
        f"{cut} of them reach the edge of the picture or region": cut,
        f"{parted} of them touch others and were parted where they are narrow": parted,
        f"{several} may be several that touch or overlap": several,
        f"{len(unclear)} more without a clear shape, which touch others or the edge, are not counted": len(unclear),
        f"{ground_things.left_out} smaller, thinner or fainter marks are not counted; "
        "give bbox_px around them to count them": ground_things.left_out,
        f"{ground_things.marks} marks or things that lie on others are not counted; "
        "give bbox_px within one to count those on it": ground_things.marks,
    }
    at_least = bool(several or unclear or ground_things.left_out)
    return _Doubts([note for note, applies in notes.items() if applies], at_least, several)


def _is_unlike(piece: Piece, thing: Thing, pieces: Sequence[Piece]) -> bool:
    """Whether a piece has no known shape and is larger than those that have the one that is counted."""
    import numpy as np

    areas = [other.area for other in pieces]
    return thing.shape == "other" and bool(areas) and piece.area > _LARGER * float(np.median(areas))


def _may_be_several(piece: Piece, thing: Thing, pieces: Sequence[Piece]) -> bool:
    """Whether a piece has the outline of no single thing, or the size of two of the others, which are all alike."""
    import numpy as np

    others = [other.area for other in pieces if other is not piece]
    if len(others) >= 4 and np.std(others) < _EVEN * np.mean(others) and piece.area > _DOUBLE * np.mean(others):
        return True
    is_thin = piece.area < LEAST_PX / 2 * max(piece.mask.shape)
    if thing.shape not in ("other", "ellipse", "rectangle") or min(piece.mask.shape) < 2 * LEAST_PX or is_thin:
        return False
    return (thing.shape == "other" and compute_solidity(piece) < _SOLID) or count_dents(piece) >= _WAIST
