"""Faces: boxes and six points by BlazeFace, 468 points by FaceMesh, guesses of age, gender and expression by FaceRes.

All four come from one package. Call functions that take the file of a model in `run_in_process`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from yardkit.models.embedded.boxes import Part, best_boxes, parts_of
from yardkit.models.embedded.running import check_region, infer_outputs, load_rgb
from yardkit.world.boxes import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FINDER, MESH, GUESSER, EXPRESSIONS_MODEL = "blazeface", "facemesh", "faceres", "emotion"
PRELOAD = ("numpy", "PIL.Image", "PIL.ImageOps", "onnxruntime")
POINT_NAMES = ("right_eye", "left_eye", "nose", "mouth", "right_ear", "left_ear")
"""The points of BlazeFace; right and left are the person's."""
EXPRESSIONS = ("angry", "disgust", "fear", "happy", "sad", "surprise", "neutral")
_SIDE, _MESH_SIDE, _GUESS_SIDE, _EXPRESSION_SIDE = 256, 192, 224, 64
_GRIDS = ((16, 2), (8, 6))
"""Cells in a row of a map, and boxes to a cell."""
_SAME, _SAME_IN_TILES = 0.3, 0.2
_MIN_TILE = 160
_THERE, _INSIDE = 0.5, 0.6
_MESH_AROUND, _GUESS_AROUND = 1.5, 1.4
"""Side of what a further model sees, in sides of the face's box."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Face:
    """A face.

    Attributes:
        box: [x_min, y_min, x_max, y_max] in pixels.
        score: the model's score, in [0, 1].
        points: the points of eyes, nose, mouth and ears, in the order of `POINT_NAMES`, [x, y] in pixels.
    """

    box: Box
    score: float
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Guess:
    """A model's guesses about a person from the face, which are often wrong.

    Attributes:
        age_guess: the age in years.
        gender_guess: one of the two labels that the model was trained on.
        gender_score: its certainty, in [0.5, 1].
        expression_guess: one of the seven that it knows.
        expression_score: its certainty, in [0, 1].
    """

    age_guess: int
    gender_guess: Literal["female", "male"]
    gender_score: float
    expression_guess: str
    expression_score: float

    def __str__(self) -> str:
        gender = f"{self.gender_guess} ({self.gender_score:.2f})"
        return f"age {self.age_guess}, {gender}, {self.expression_guess} ({self.expression_score:.2f})"


def find_faces(
    models: tuple[Path, Path], path: Path, min_score: float, tiles: int, region: Part | None = None
) -> tuple[list[Face], tuple[int, int]]:
    """Find the faces in a picture, the largest first, and return its width and height.

    Args:
        models: the files of `FINDER` and of `MESH`, which confirms the findings of the first.
        path: the picture.
        min_score: the minimum score of the first.
        tiles: rows and columns of tiles that are also searched, for small faces.
        region: the part to search; None for all.
    """
    pixels = load_rgb(path)
    height, width = pixels.shape[:2]
    return faces_in_pixels(models, pixels, min_score, tiles, check_region(region, width, height)), (width, height)


def faces_in_pixels(
    models: tuple[Path, Path], pixels: "NDArray[np.uint8]", min_score: float, tiles: int, region: Part
) -> list[Face]:
    """Find faces in a part of pixels (height, width, 3), RGB, the largest first."""
    import numpy as np

    x, y, right, bottom = region
    tile_results = [
        _find_faces(models[0], pixels[y + top : y + low, x + left : x + end], (x + left, y + top), min_score)
        for left, top, end, low in parts_of(right - x, bottom - y, tiles, _MIN_TILE)
    ]
    values, scores = (np.concatenate(arrays) for arrays in zip(*tile_results, strict=True))
    candidates = [_make_face(value, float(score)) for value, score in zip(values, scores, strict=True)]
    seen = [(face, _find_mesh(models[1], pixels, face)) for face in candidates]
    sure = [
        (face, points)
        for face, (points, there) in seen
        if there >= _THERE and _measure_inside_share(points, face) > _INSIDE
    ]
    if not sure:
        return []
    # Where tiles cut faces, and between two close ones, half a face may be detected; it overlaps a better one.
    boxes, sure_scores = np.array([face.box for face, _ in sure]), np.array([face.score for face, _ in sure])
    best_indexes = best_boxes(boxes, sure_scores, _SAME_IN_TILES, of_smaller=True)
    faces = [_keep_inside(sure[place][0], pixels.shape[1], pixels.shape[0]) for place in best_indexes]
    return sorted(faces, key=lambda face: (face.box[0] - face.box[2]) * (face.box[3] - face.box[1]))


def _measure_inside_share(points: "NDArray[Any]", face: Face) -> float:
    """Measure the share of points in the box of a face, which is low if the box has the edge of a neighbour."""
    left, top, right, bottom = face.box
    x, y = points.T
    return float(((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).mean())


def _make_face(values: "NDArray[Any]", score: float) -> Face:
    left, top, right, bottom, *points = (round(float(value), 1) for value in values)
    return Face((left, top, right, bottom), round(score, 3), tuple(zip(points[::2], points[1::2], strict=True)))


def _keep_inside(face: Face, width: int, height: int) -> Face:
    """A face with the part of its box that is in the picture; points may be where the edge hides them."""
    left, top, right, bottom = face.box
    return replace(face, box=(max(0.0, left), max(0.0, top), min(float(width), right), min(float(height), bottom)))


def _find_faces(
    model: Path, pixels: "NDArray[np.uint8]", corner: tuple[int, int], min_score: float
) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Return boxes and points (n, 16) in pixels of the complete picture, and scores (n,)."""
    import numpy as np
    from PIL import Image

    height, width = pixels.shape[:2]
    side = max(width, height)
    square = np.zeros((side, side, 3), np.uint8)
    left, top = (side - width) // 2, (side - height) // 2
    square[top : top + height, left : left + width] = pixels
    small = np.asarray(Image.fromarray(square).resize((_SIDE, _SIDE), Image.Resampling.BILINEAR), np.float32)
    outputs = {output.shape[1:]: output[0] for output in infer_outputs(model, {"input": (small / 127.5 - 1)[None]})}
    cells = [(cell, count) for cell, count in _GRIDS]
    values = np.concatenate([outputs[cell * cell * count, 16] for cell, count in cells])
    scores = np.concatenate([outputs[cell * cell * count, 1][:, 0] for cell, count in cells])
    scores = 1 / (1 + np.exp(-np.clip(scores, -80, 80)))
    middles = np.concatenate([_compute_middles(cell, count) for cell, count in cells])
    chosen = scores >= min_score
    values, middles, scores = values[chosen], middles[chosen], scores[chosen]
    middle, half = values[:, :2] + middles, values[:, 2:4] / 2
    points = (values[:, 4:].reshape(-1, 6, 2) + middles[:, None]).reshape(-1, 12)
    boxes_and_points = np.concatenate([middle - half, middle + half, points], 1) * side / _SIDE
    best = best_boxes(boxes_and_points[:, :4], scores, _SAME)
    return boxes_and_points[best] + np.tile([corner[0] - left, corner[1] - top], 8), scores[best]


def _compute_middles(cells: int, count: int) -> "NDArray[Any]":
    import numpy as np

    rows, columns = np.divmod(np.arange(cells * cells), cells)
    return np.repeat(np.stack([columns + 0.5, rows + 0.5], 1) * _SIDE / cells, count, axis=0)


def face_meshes(model: Path, path: Path, faces: Sequence[Face]) -> list[tuple[Point, ...]]:
    """Compute 468 points of each face, [x, y] in pixels, by `MESH`.

    Source of their order: the canonical face model of MediaPipe.
    """
    pixels = load_rgb(path)
    meshes = (_find_mesh(model, pixels, face)[0] for face in faces)
    return [tuple((round(float(x), 1), round(float(y), 1)) for x, y in points) for points in meshes]


def _find_mesh(model: Path, pixels: "NDArray[np.uint8]", face: Face) -> "tuple[NDArray[Any], float]":
    """Return points (468, 2), and the model's score that there is a face, in [0, 1]."""
    import numpy as np

    cut, back = _cut_out(pixels, face, _MESH_SIDE, _MESH_AROUND)
    outputs = {output.shape[-1]: output for output in infer_outputs(model, {"input_1": cut[None] / np.float32(255)})}
    points = outputs[1404].reshape(468, 3)[:, :2]
    return np.hstack([points, np.ones((468, 1))]) @ back.T, float(outputs[1].reshape(-1)[0])


def guess_attributes(model: Path, expressions: Path, path: Path, faces: Sequence[Face]) -> list[Guess]:
    """Guess the attributes of each face by `GUESSER` and `EXPRESSIONS_MODEL`."""
    import numpy as np
    from PIL import Image

    pixels = load_rgb(path)
    attributes = []
    for face in faces:
        cut, _ = _cut_out(pixels, face, _GUESS_SIDE, _GUESS_AROUND)
        outputs = {output.shape[-1]: output[0] for output in infer_outputs(model, {"input_1": cut[None]})}
        male = float(outputs[1][0])
        age = float((outputs[100] * np.arange(100)).sum())
        grey = Image.fromarray(cut.astype(np.uint8)).convert("L").resize((_EXPRESSION_SIDE, _EXPRESSION_SIDE))
        [chances] = infer_outputs(expressions, {"input_1": np.asarray(grey, np.float32)[None, ..., None] / 127.5 - 1})
        best = int(chances[0].argmax())
        gender: Literal["female", "male"] = "male" if male > 0.5 else "female"
        score = round(float(chances[0][best]), 2)
        attributes.append(Guess(round(age), gender, round(max(male, 1 - male), 2), EXPRESSIONS[best], score))
    return attributes


def face_vectors(model: Path, path: Path, faces: Sequence[Face]) -> "NDArray[np.float32]":
    """Compute `GUESSER`'s descriptor of each face, (n, 1024), of length 1."""
    import numpy as np

    pixels = load_rgb(path)
    vectors = []
    for face in faces:
        cut, _ = _cut_out(pixels, face, _GUESS_SIDE, _GUESS_AROUND)
        outputs = {output.shape[-1]: output[0] for output in infer_outputs(model, {"input_1": cut[None]})}
        vectors.append(outputs[1024] / max(1e-9, float(np.linalg.norm(outputs[1024]))))
    return np.array(vectors, np.float32).reshape(-1, 1024)


def _cut_out(
    pixels: "NDArray[np.uint8]", face: Face, side: int, around: float
) -> "tuple[NDArray[np.float32], NDArray[Any]]":
    """Cut out a face with its eyes level, (side, side, 3) from 0 to 255; also return the (2, 3) map to the picture."""
    import numpy as np
    from PIL import Image

    (right_x, right_y), (left_x, left_y) = face.points[:2]
    angle = np.arctan2(left_y - right_y, left_x - right_x)
    size = around * max(face.box[2] - face.box[0], face.box[3] - face.box[1])
    cos, sin = np.cos(angle) * size / side, np.sin(angle) * size / side
    x, y = (face.box[0] + face.box[2]) / 2, (face.box[1] + face.box[3]) / 2
    back = np.array([[cos, -sin, x - (cos - sin) * side / 2], [sin, cos, y - (sin + cos) * side / 2]])
    # If a pixel of the cut-out covers many of the picture, average those first to avoid aliasing.
    reduced, factor = _reduce_pixels(pixels, size / side)
    scaled = back / factor
    cut = Image.fromarray(reduced).transform(
        (side, side), Image.Transform.AFFINE, tuple(scaled.reshape(-1)), Image.Resampling.BILINEAR
    )
    return np.asarray(cut, np.float32), back


def _reduce_pixels(pixels: "NDArray[np.uint8]", scale: float) -> "tuple[NDArray[np.uint8], int]":
    import numpy as np
    from PIL import Image

    factor = max(1, int(scale))
    return (np.asarray(Image.fromarray(pixels).reduce(factor)), factor) if factor > 1 else (pixels, 1)
