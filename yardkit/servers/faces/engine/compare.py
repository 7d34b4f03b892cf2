"""Whether the faces of two pictures are alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from yardkit.models.embedded.boxes import Part
from yardkit.models.embedded.faces import FINDER, GUESSER, Face, face_vectors
from yardkit.models.embedded.faces import find_faces as find_in_picture
from yardkit.models.embedded.running import origin_of, run_in_process
from yardkit.models.embedded.store import require_model
from yardkit.servers.faces.engine.find import get_finder_models
from yardkit.world import Problem
from yardkit.world.boxes import Box

PRELOAD = ("numpy", "PIL.Image", "PIL.ImageOps", "onnxruntime")
_LIKELY_SAME, _UNLIKE = 0.62, 0.48
"""Cosines from which two faces are likely of one person, and up to which of two; measured, see the server's README."""
_SCORE = 0.6
_TILES = 2
_NOTE = "A guess by a small model that was not made to distinguish people. Never use it as proof of identity."
Guess = Literal["likely the same person", "likely different persons", "cannot tell"]


@dataclass(frozen=True)
class FaceComparison:
    """Two faces compared.

    Attributes:
        guess: by the likeness.
        likeness: cosine of the two faces' vectors, in [-1, 1].
        box, other_box: of the faces, [x_min, y_min, x_max, y_max] in pixels of their pictures.
        note: what to know of the answer.
        model: with the tier and the quality.
    """

    guess: Guess
    likeness: float
    box: Box
    other_box: Box
    note: str
    model: str

    def __str__(self) -> str:
        boxes = " and ".join(f"[{', '.join(f'{edge:.0f}' for edge in box)}]" for box in (self.box, self.other_box))
        return f"{self.guess} (guess), similarity {self.likeness:.2f}, faces at {boxes}, by {self.model}\n{self.note}"


def compare_faces(
    path: Path, other: Path, region: Part | None = None, other_region: Part | None = None
) -> FaceComparison:
    """Compare the largest faces of two pictures, or of parts of them.

    Raises:
        Problem: a picture cannot be read, or no face is found in it.
        ModelUnavailable: the models are not set up.
    """
    face_groups = [_find_faces(picture, part) for picture, part in ((path, region), (other, other_region))]
    faces = [of_picture[0] for of_picture in face_groups]
    likeness = run_in_process(likeness_of, require_model(GUESSER), (path, other), faces)
    guess: Guess = "cannot tell"
    if likeness >= _LIKELY_SAME:
        guess = "likely the same person"
    elif likeness <= _UNLIKE:
        guess = "likely different persons"
    note = " ".join(
        [*_note_others(path, face_groups[0], "bbox_px"), *_note_others(other, face_groups[1], "other_bbox_px"), _NOTE]
    )
    return FaceComparison(guess, likeness, faces[0].box, faces[1].box, note, str(origin_of(FINDER)))


def _note_others(path: Path, faces: Sequence[Face], argument: str) -> list[str]:
    if len(faces) == 1:
        return []
    return [f"Of {len(faces)} faces in {path.name} only the largest was compared; pass {argument} for another."]


def _find_faces(path: Path, region: Part | None) -> list[Face]:
    """The faces of a picture, the largest first."""
    faces, _ = run_in_process(find_in_picture, get_finder_models(), path, _SCORE, _TILES, region)
    if not faces:
        where = f"in {list(region)} of {path.name!r}" if region else f"in {path.name!r}"
        raise Problem(f"no face was found {where}; give bbox_px of an area in which it is large and upright")
    return faces


def likeness_of(model: Path, pictures: Sequence[Path], faces: Sequence[Face]) -> float:
    """The cosine of the vectors of two faces. To be called in `run_in_process`."""
    first_vector, other = (face_vectors(model, path, [face])[0] for path, face in zip(pictures, faces, strict=True))
    return round(float(first_vector @ other), 3)
