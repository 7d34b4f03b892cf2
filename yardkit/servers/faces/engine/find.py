"""Faces that were found in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from yardkit.kit.boxes_picture import Mark, save_marked
from yardkit.models.embedded.boxes import Part
from yardkit.models.embedded.faces import (
    EXPRESSIONS_MODEL,
    FINDER,
    GUESSER,
    MESH,
    POINT_NAMES,
    Face,
    Guess,
    Point,
    face_meshes,
    guess_attributes,
)
from yardkit.models.embedded.faces import find_faces as find_in_picture
from yardkit.models.embedded.running import origin_of, run_in_process
from yardkit.models.embedded.store import require_model
from yardkit.world import FileRef
from yardkit.world.boxes import Box
from yardkit.world.wording import format_count

_NOTE = "Faces that are turned away, covered, very small or not upright are missed: there may be more."
_GUESSED = (
    "Age, gender and expression are guesses of a small model from appearance alone, often wrong; "
    "they do not identify a person."
)


@dataclass(frozen=True)
class DetectedFace:
    """A face.

    Attributes:
        number: in the picture of the marks.
        score: how sure the model is that it is one, in [0, 1].
        box: [x_min, y_min, x_max, y_max] in pixels of the picture as displayed, origin top left.
        points: [x, y] of eyes, nose, mouth and ears by name; right and left are the person's.
        landmarks: 468 points, [x, y], in the order of MediaPipe's face model, where they were wanted.
        guesses: of age, gender and expression, where they were wanted; often wrong.
    """

    number: int
    score: float
    box: Box
    points: dict[str, Point]
    landmarks: tuple[Point, ...] = ()
    guesses: Guess | None = None

    def __str__(self) -> str:
        text = f"{self.number} score {self.score:.2f} at [{', '.join(f'{edge:.0f}' for edge in self.box)}]"
        if self.guesses:
            text += f"; guesses: {self.guesses}"
        return text


@dataclass(frozen=True)
class DetectedFaces:
    """What was found, the largest first.

    Attributes:
        faces: at most as many as asked for.
        count: of all that were found; there may be more in the picture.
        width_px, height_px: of the picture as displayed.
        note: what to know of the answer.
        model: with the tier and the quality.
        picture: the picture with the marks, if it was wanted.
    """

    faces: tuple[DetectedFace, ...]
    count: int
    width_px: int
    height_px: int
    note: str
    model: str
    picture: FileRef | None = None

    def __str__(self) -> str:
        head = f"{format_count(self.count, 'face')} in {self.width_px} x {self.height_px} px, by {self.model}"
        saved = [f"marks drawn in {self.picture.path}"] if self.picture else []
        return "\n".join([head, *map(str, self.faces), self.note, *saved])


def find_faces(
    path: Path,
    *,
    min_score: float = 0.6,
    tiles: int = 2,
    region: Part | None = None,
    landmarks: bool = False,
    guesses: bool = False,
    limit: int = 100,
    picture: Path | None = None,
) -> DetectedFaces:
    """Find faces in a picture or in a part of it.

    Args:
        path: of the picture.
        min_score: from which a face is given, in [0, 1].
        tiles: rows and columns of parts that are looked at too, where faces are small.
        region: the part; all without.
        landmarks: whether 468 points of each are given.
        guesses: whether age, gender and expression are guessed.
        limit: of faces that are listed.
        picture: where the picture is written with the marks.

    Raises:
        Problem: the picture cannot be read.
        ModelUnavailable: the models are not set up.
    """
    detected_faces, (width, height) = run_in_process(
        find_in_picture, get_finder_models(), path, min_score, tiles, region
    )
    listed = detected_faces[:limit]
    faces = [
        DetectedFace(number, face.score, face.box, dict(zip(POINT_NAMES, face.points, strict=True)))
        for number, face in enumerate(listed, start=1)
    ]
    if landmarks:
        meshes = run_in_process(face_meshes, require_model(MESH), path, listed)
        faces = [replace(face, landmarks=mesh) for face, mesh in zip(faces, meshes, strict=True)]
    if guesses:
        faces = [
            replace(face, guesses=guess) for face, guess in zip(faces, _guess_attributes(path, listed), strict=True)
        ]
    cut = f"{len(detected_faces) - limit} more are not listed (limit {limit}). " if len(detected_faces) > limit else ""
    note = cut + _NOTE + (f" {_GUESSED}" if guesses else "")
    result = DetectedFaces(tuple(faces), len(detected_faces), width, height, note, str(origin_of(FINDER)))
    if picture is None:
        return result
    marks = [Mark(str(face.number), face.box, points=face.landmarks or tuple(face.points.values())) for face in faces]
    return replace(result, picture=save_marked(path, picture, marks))


def get_finder_models() -> tuple[Path, Path]:
    """The files of the models that find faces.

    Raises:
        ModelUnavailable: they are not set up.
    """
    return require_model(FINDER), require_model(MESH)


def _guess_attributes(path: Path, faces: Sequence[Face]) -> list[Guess]:
    return run_in_process(guess_attributes, require_model(GUESSER), require_model(EXPRESSIONS_MODEL), path, list(faces))
