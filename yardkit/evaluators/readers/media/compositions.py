"""The composition of a picture: the place and scale of a photograph on it, and its visible part."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.media.legibility import compute_contrast, compute_luminances
from yardkit.evaluators.readers.media.memory import remember_result
from yardkit.evaluators.readers.pages.covers import cut_out, measure_detail_left
from yardkit.evaluators.submission import Submission

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""
MAX_PIXELS = 40_000_000
_LONGEST_PX = 1100
_LEAST_POINTS = 12


@dataclass(frozen=True)
class Placement:
    """The place of a picture on another one.

    Attributes:
        matrix: 3 x 3, maps points of the picture to points of the other one, both in pixels.
        points: the number of matching details that agree with it.
        size: width and height of the picture.
    """

    matrix: Any
    points: int
    size: tuple[int, int]

    def carry_points(self, points: Any) -> Any:
        """Map points of this picture, of shape (n, 2), to the other one."""
        import cv2
        import numpy as np

        return cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), self.matrix).reshape(-1, 2)

    @property
    def corners(self) -> Any:
        """The corners of the picture on the other one, clockwise from the upper left."""
        width, height = self.size
        return self.carry_points([(0, 0), (width, 0), (width, height), (0, height)])

    def box(self, box: Any) -> Box:
        """The bounding box, on the other picture, of a box of this one."""
        left, top, right, bottom = box
        points = self.carry_points([(left, top), (right, top), (right, bottom), (left, bottom)])
        low, high = points.min(axis=0), points.max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    @property
    def scales(self) -> tuple[float, float]:
        """The horizontal and vertical scale of the picture there."""
        import numpy as np

        corners = self.corners
        across, down = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[0])
        return float(across) / self.size[0], float(down) / self.size[1]

    def take_back(self, other: Any) -> Any:
        """Cut this picture's place out of the other one, an array (height, width, 3), in the frame of this one."""
        import cv2

        return cv2.warpPerspective(other, self.matrix, self.size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def read_upright_picture(submission: Submission, relative: str) -> Any:
    """Read a picture as it is displayed: rotated by its EXIF orientation, RGB, uint8, transparency on white.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a decodable picture, or over `MAX_PIXELS`.
    """
    return parse_file(submission, relative, _load_picture, "picture")


def _load_picture(path: Any) -> Any:
    import numpy as np
    import PIL.Image
    import PIL.ImageOps

    with PIL.Image.open(path) as image:
        if image.width * image.height > MAX_PIXELS:
            raise ValueError(f"{image.width} x {image.height} pixels, more than {MAX_PIXELS:,}")
        rgba = PIL.ImageOps.exif_transpose(image).convert("RGBA")
    white = PIL.Image.new("RGBA", rgba.size, "white")
    return np.asarray(PIL.Image.alpha_composite(white, rgba).convert("RGB"))


def locate_picture(submission: Submission, picture: Any, other: Any, *, flat: bool = False) -> Placement | None:
    """Locate a picture on another one, both arrays (height, width, 3); None if it is not visible there.

    Details are matched by SIFT (Lowe 2004, ratio 0.75) and must agree, by RANSAC, on a perspective transform, or with
    `flat` on a horizontal scale, a vertical scale, a rotation and a shift.
    """
    import numpy as np

    placement = remember_result(
        submission, f"place {flat}", [picture, other], lambda: _match_pictures(picture, other, flat)
    )
    size = (picture.shape[1], picture.shape[0])
    return Placement(np.array(placement["matrix"]), placement["points"], size) if placement else None


def _match_pictures(picture: Any, other: Any, flat: bool) -> dict[str, Any] | None:
    import cv2
    import numpy as np

    (first_details, one_scale), (two, two_scale) = (_find_details(pixels) for pixels in (picture, other))
    if first_details[1] is None or two[1] is None or min(len(first_details[0]), len(two[0])) < _LEAST_POINTS:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(first_details[1], two[1], k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.75 * pair[1].distance]
    if len(good) < _LEAST_POINTS:
        return None
    start = np.array([first_details[0][match.queryIdx].pt for match in good], np.float64) / one_scale
    end = np.array([two[0][match.trainIdx].pt for match in good], np.float64) / two_scale
    cv2.setRNGSeed(1)
    if flat:
        affine, inliers = cv2.estimateAffine2D(start, end, method=cv2.RANSAC, ransacReprojThreshold=4.0)
        matrix = None if affine is None else np.vstack([affine, [0, 0, 1]])
    else:
        matrix, inliers = cv2.findHomography(start, end, cv2.RANSAC, 4.0)
    if matrix is None or int(inliers.sum()) < _LEAST_POINTS:
        return None
    return {"matrix": matrix.tolist(), "points": int(inliers.sum())}


def _find_details(picture: Any) -> tuple[Any, float]:
    """Find the details of a picture with their descriptors, and the scale of the search."""
    import cv2
    import numpy as np

    scale = min(1.0, _LONGEST_PX / max(picture.shape[:2]))
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    finder: Any = vars(cv2)["SIFT_create"](nfeatures=3000, contrastThreshold=0.02)  # missing in the package's stubs
    return finder.detectAndCompute(small, None), scale


def flatten_corners(picture: Any, corners: Any, size: Any) -> Any:
    """Warp the area between four corners, clockwise from the upper left, to a rectangle of a size."""
    import cv2
    import numpy as np

    goals = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    warp = cv2.getPerspectiveTransform(np.array(corners, np.float32), goals)
    return cv2.warpPerspective(picture, warp, (int(size[0]), int(size[1])))


def split_into_tiles(box: Any, width: float, height: float) -> list[Box]:
    """Split a box into tiles of about this size."""
    left, top, right, bottom = box
    columns, rows = max(1, round((right - left) / width)), max(1, round((bottom - top) / height))
    wide, tall = (right - left) / columns, (bottom - top) / rows
    return [
        (left + wide * column, top + tall * row, left + wide * (column + 1), top + tall * (row + 1))
        for row in range(rows)
        for column in range(columns)
    ]


def detail_left(before: Any, after: Any, box: Any) -> float:
    """Measure the share of fine detail in a box of a picture that is left in one of the same size; 1: all of it."""
    frame = (0, 0, before.shape[1], before.shape[0])
    return measure_detail_left(*(cut_out(picture, box, frame) for picture in (before, after)))


def most_left(before: Any, after: Any, boxes: Iterable[Any], width: float, height: float) -> float:
    """Measure the detail left in the clearest tile, of this size, of some boxes; 0 without boxes."""
    parts = [part for box in boxes for part in split_into_tiles(box, width, height)]
    return max((detail_left(before, after, part) for part in parts), default=0.0)


def inked_tiles(picture: Any, width: float, height: float) -> list[Box]:
    """List the tiles of a light picture, of this size, that have dark print."""
    grey, inked = picture.mean(axis=2), []
    for part in split_into_tiles((0, 0, picture.shape[1], picture.shape[0]), width, height):
        left, top, right, bottom = (round(side) for side in part)
        seen = grey[top:bottom, left:right]
        inked += [part] if (seen < seen.max() - 70).mean() > 0.04 else []
    return inked


def share_changed(before: Any, after: Any, box: Any, levels: float = 40.0) -> float:
    """Measure the share of a box that differs from a picture of the same size, ignoring brightness and contrast.

    The grey levels of both are fitted to each other by least squares over the most similar pixels (twice).
    """
    import numpy as np

    frame = (0, 0, before.shape[1], before.shape[0])
    first, other = (cut_out(picture, box, frame).astype(np.float64).mean(axis=2).ravel() for picture in (before, after))
    if not first.size:
        return 1.0
    like = np.ones(first.size, bool)
    for _ in range(3):
        gain, level = np.polyfit(other[like], first[like], 1) if np.ptp(other[like]) > 2 else (1.0, 0.0)
        off = np.abs(other * gain + level - first)
        like = off <= max(float(np.median(off)), 1.0)
    return float((off > levels).mean()) if 0.4 < gain < 3 else 1.0


def read_stamp(path: Any) -> Any:
    """Read a picture with its transparency: an array (height, width, 4), RGBA."""
    import numpy as np
    import PIL.Image

    with PIL.Image.open(path) as image:
        return np.asarray(image.convert("RGBA"))


def stamped_at(picture: Any, stamp: Any, box: Any, reach: int = 6) -> tuple[float, float]:
    """Measure the difference of a picture's box from a stamp (RGBA), and the contrast of the stamp to its background.

    The difference is the mean, over the opaque pixels of the stamp, of the largest difference of a channel, at the best
    place up to `reach` pixels away. The background is visible through the transparent parts of the stamp.
    """
    import cv2
    import numpy as np

    left, top, right, bottom = (round(side) for side in box)
    small = cv2.resize(stamp, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    solid, clear = small[:, :, 3] > 220, small[:, :, 3] < 20
    best, ground = 255.0, 0.0
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            y, x = top + down, left + across
            part = picture[max(0, y) : bottom + down, max(0, x) : right + across]
            if part.shape[:2] != small.shape[:2]:
                continue
            off = float(np.abs(part[solid].astype(int) - small[solid, :3].astype(int)).max(axis=1).mean())
            if off < best:
                best, ground = off, float(np.median(compute_luminances(part[clear])))
    return best, compute_contrast(float(np.median(compute_luminances(small[solid, :3]))), ground)


def measure_sharpness(picture: Any, other: Any, place: Placement, seen: Any) -> float:
    """Measure the sharpness of a picture on another one: 1 is the best possible in that size, less is a worse copy.

    It is the median, over the textured tiles of its visible (`seen`) part, of the energy of the Laplace operator,
    relative to that of the original picture after warping it there and back.
    """
    import cv2
    import numpy as np

    laid = cv2.warpPerspective(picture, place.matrix, (other.shape[1], other.shape[0]), flags=cv2.INTER_LINEAR)
    best = place.take_back(laid)
    energies = [
        cv2.blur(cv2.Laplacian(pixels.astype(np.float32).mean(axis=2), cv2.CV_32F) ** 2, (25, 25))
        for pixels in (best, place.take_back(other))
    ]
    if not seen.any():
        return 0.0
    lively = seen & (energies[0] >= np.percentile(energies[0][seen], 60))
    return float(np.median(energies[1][lively] / np.maximum(energies[0][lively], 1.0)))


def visible_part(picture: Any, other: Any, place: Placement, ground: tuple[int, int, int]) -> tuple[Any, Box]:
    """Find the visible rectangle of a picture on another one, as a mask of the picture's size, and its place there.

    It is the box around the largest similar part, without ragged edges. Where the other picture shows the colour of its
    `ground`, this one is not visible, unless it has that colour itself.
    """
    import cv2
    import numpy as np

    soft = [cv2.GaussianBlur(pixels, (0, 0), 2.0).astype(np.int16) for pixels in (picture, place.take_back(other))]
    ones = np.ones(other.shape[:2], np.uint8)
    inside = cv2.warpPerspective(ones, place.matrix, place.size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    own, visible_difference = (np.abs(softened - np.array(ground, np.int16)).max(axis=2) for softened in soft)
    like = (np.abs(soft[0] - soft[1]).max(axis=2) <= 42) & (inside > 0) & ((visible_difference > 8) | (own <= 14))
    closed_mask = cv2.morphologyEx(
        cv2.morphologyEx(like.astype(np.uint8), cv2.MORPH_OPEN, ones[:9, :9]), cv2.MORPH_CLOSE, ones[:15, :15]
    )
    count, labels, component_stats, _ = cv2.connectedComponentsWithStats(closed_mask)
    mask = np.zeros(like.shape, bool)
    if count < 2:
        return mask, (0.0, 0.0, 0.0, 0.0)
    largest = labels == 1 + int(np.argmax(component_stats[1:, 4]))
    sides = []
    for axis in (0, 1):
        filled = largest.sum(axis=axis)
        full = np.flatnonzero(filled >= 0.5 * np.percentile(filled[filled > 0], 75))
        sides.append((int(full[0]), int(full[-1]) + 1))
    (left, right), (top, bottom) = sides
    mask[top:bottom, left:right] = True
    return mask, place.box((left, top, right, bottom))
