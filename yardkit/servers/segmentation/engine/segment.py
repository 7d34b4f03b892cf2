"""The mask of a thing, by the way that fits what is asked."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.models.chat import encode_picture, picture_url
from yardkit.models.contract import ModelUnavailable
from yardkit.models.embedded.boxes import Part
from yardkit.models.embedded.person_mask import MODEL
from yardkit.models.embedded.running import load_rgb, origin_of, run_in_process
from yardkit.models.embedded.store import require_model
from yardkit.models.service import Service, find_service, missing_service, service_options
from yardkit.servers.segmentation.engine.results import (
    SegmentationResult,
    build_service_result,
    segment_box,
    segment_person,
    segment_point,
)
from yardkit.world import FileRef, Problem, Unavailable, save_bytes

BackendChoice = Literal["auto", "endpoint", "local", "embedded"]
PRELOAD = ("numpy", "PIL.Image", "PIL.ImageOps")
_LONGEST_PX = 2048
_PIXELS = "GrabCut (embedded, limited)"
_FLOOD = "flood fill (embedded, limited)"
_NOTES = {
    _PIXELS: "Separated by colour: where the object has the colours of its background, the edge is wrong. "
    "Check the picture.",
    _FLOOD: "The area of similar colour around the point: only part of an object that has several colours.",
}
_PERSON_NOTE = "People who are large in the picture; objects in their hands or before them may be in the mask."


@dataclass(frozen=True)
class Target:
    """What is cut out: what a box or a point holds, the persons, or what words name."""

    box: Part | None = None
    point: tuple[int, int] | None = None
    person: bool = False
    query: str | None = None


@dataclass(frozen=True)
class Segment:
    """A thing that was cut out.

    Attributes:
        box: [x_min, y_min, x_max, y_max] of the mask in pixels of the picture as displayed, origin top left.
        area_px: pixels of the mask.
        share: of the picture, in [0, 1].
        parts: of the mask that are apart from each other.
        score: of the model; null where it gives none.
        width_px, height_px: of the picture.
        note: what to know of the mask.
        model: with the tier and the quality.
        mask: white where the thing is, of the size of the picture, if it was wanted.
        cutout: the thing alone, of the size of the box, transparent around it, if it was wanted.
        picture: the picture with all else faded, if it was wanted.
    """

    box: tuple[int, int, int, int]
    area_px: int
    share: float
    parts: int
    score: float | None
    width_px: int
    height_px: int
    note: str
    model: str
    mask: FileRef | None = None
    cutout: FileRef | None = None
    picture: FileRef | None = None

    def __str__(self) -> str:
        share = f"{self.share:.1%} of {self.width_px} x {self.height_px} px"
        parts = f" in {self.parts} parts" if self.parts > 1 else ""
        score = "" if self.score is None else f", score {self.score:.2f}"
        head = f"mask of {self.area_px:,} px{parts}, {share}, at {list(self.box)}{score}, by {self.model}"
        files = {"mask": self.mask, "cut-out": self.cutout, "picture": self.picture}
        saved = [f"{name} in {file.path}" for name, file in files.items() if file]
        return "\n".join([head, *filter(None, [self.note]), *saved])


def segment_object(
    path: Path,
    requested_target: Target,
    *,
    backend: BackendChoice = "auto",
    mask: Path | None = None,
    cutout: Path | None = None,
    picture: Path | None = None,
) -> Segment:
    """Cut a thing out of a picture.

    Args:
        path: of the picture.
        requested_target: one of its ways.
        backend: which kind of model; the embedded way for boxes and points is GrabCut and a flood.
        mask: where the mask is written, a PNG.
        cutout: where the thing is written, a PNG with an alpha channel.
        picture: where the picture is written with all else faded, a PNG.

    Raises:
        Problem: the picture cannot be read; none or several ways are asked for; or there is nothing to cut out.
        ModelUnavailable: words are given and no model is set up.
    """
    given = [
        requested_target.box is not None,
        requested_target.point is not None,
        requested_target.person,
        bool(requested_target.query),
    ]
    if sum(given) != 1:
        raise Problem("give exactly one of bbox_px, point_px, person and query")
    for target in (mask, cutout, picture):
        if target is not None and target.suffix.lower() != ".png":
            raise Problem(f"{target.name!r} is not a PNG file name; end it with .png")
    service = _choose_service(backend, requested_target)
    results, score, note, model = (
        _by_service(path, requested_target, service) if service else _by_pixels(path, requested_target)
    )
    share = round(results.area_px / (results.size[0] * results.size[1]), 4)
    return Segment(
        results.box,
        results.area_px,
        share,
        results.parts,
        score,
        *results.size,
        note,
        model,
        _save_result(mask, results.mask),
        _save_result(cutout, results.cutout),
        _save_result(picture, results.marked),
    )


def _save_result(target: Path | None, data: bytes) -> FileRef | None:
    if target is None:
        return None
    save_bytes(target, data)
    return FileRef.from_path(target)


def _choose_service(backend: BackendChoice, target: Target) -> Service | None:
    """The model behind HTTP that does it, or None where pixels or the embedded model do.

    Raises:
        ModelUnavailable: words are given and there is none.
        Unavailable: the wanted tier is not set up.
    """
    if backend == "embedded" and not target.query:
        return None
    service, reason = None, ""
    if backend != "embedded":
        try:
            service = find_service("masks", backend)
        except Problem as problem:
            reason = str(problem)
    if service:
        return service
    if target.query:
        partial = "find the object with detect_objects and give its box as bbox_px"
        raise ModelUnavailable("masks by words", "a segmentation model", service_options("masks"), partial)
    if backend == "auto":
        return None
    raise Unavailable(reason or missing_service("masks") or f"no model for masks is configured as {backend}")


def _by_pixels(path: Path, target: Target) -> tuple[SegmentationResult, float | None, str, str]:
    if target.box is not None:
        return run_in_process(segment_box, path, target.box), None, _NOTES[_PIXELS], _PIXELS
    if target.point is not None:
        return run_in_process(segment_point, path, target.point), None, _NOTES[_FLOOD], _FLOOD
    return run_in_process(segment_person, path, require_model(MODEL)), None, _PERSON_NOTE, str(origin_of(MODEL))


def _by_service(path: Path, target: Target, service: Service) -> tuple[SegmentationResult, float | None, str, str]:
    size = run_in_process(size_of, path)
    scale = min(1.0, _LONGEST_PX / max(size))
    picture = run_in_process(encode_picture, path, _LONGEST_PX)
    answer = service.ask("/masks", {"image": picture_url(picture), **_build_question(target, scale)})
    mask_files, score = _extract_masks(answer, service)
    if not mask_files:
        raise Problem(f"{service.model} found nothing like {target.query or 'that'} in {path.name!r}")
    results = run_in_process(build_service_result, path, mask_files, size, f"the service of {service.setting}")
    return results, score, "", str(service.origin)


def _build_question(target: Target, scale: float) -> dict[str, Any]:
    """What is asked of a service, in pixels of what it is sent."""
    if target.box is not None:
        return {"boxes": [[round(edge * scale, 1) for edge in target.box]]}
    if target.point is not None:
        x, y = (round(value * scale, 1) for value in target.point)
        return {"points": [{"x": x, "y": y, "inside": True}]}
    return {"query": target.query or "person"}


def _extract_masks(answer: Mapping[str, Any], service: Service) -> tuple[list[bytes], float | None]:
    """The files of masks, all of those that words name, and the least score."""
    try:
        scored_masks = [
            (base64.b64decode(mask["png"], validate=True), float(mask.get("score", 1))) for mask in answer["masks"]
        ]
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise Unavailable(f"the service of {service.setting} returned no list of masks") from error
    return [data for data, _ in scored_masks], round(
        min(score for _, score in scored_masks), 3
    ) if scored_masks else None


def size_of(path: Path) -> tuple[int, int]:
    """Width and height of a picture as it is displayed. To be called in `run_in_process`."""
    height, width = load_rgb(path).shape[:2]
    return width, height
