"""What small models and measuring tell of pictures: tags, colours, size. Facts, not descriptions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.chat import Region
from yardkit.models.contract import Origin
from yardkit.models.embedded import coco_detection, image_classes
from yardkit.models.embedded.running import check_region, displayed_size, load_rgb, run_in_process
from yardkit.models.embedded.store import require_model
from yardkit.servers.vision.engine.colours import Colour, name_colours
from yardkit.servers.vision.engine.folders import pictures_of
from yardkit.world import Problem, current_world
from yardkit.world.pictures import load_picture

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PICTURES = 5_000
PRELOAD = image_classes.PRELOAD
"""What the process that looks keeps loaded."""
_MIN_OBJECT, _MIN_KIND, _MIN_CLASS = 0.5, 0.4, 0.25
_MAX_CLASSES, _MAX_KINDS = 3, 2
_ENOUGH_PX = 416
"""A side of what the detector looks at; the classes need less."""
_MIN_SHARE, _MAX_COLOURS = 0.04, 6
_GREY, _GREY_SHARE = 40, 0.001
"""How far apart red, green and blue of a pixel are at most in a picture without colours, but for a share of it."""
_GREY_MEAN = 6
_OPAQUE, _SIDE, _SAMPLE = 128, 96, 96 * 96
_NOTE = (
    "Facts, not a description: tags are guesses by small models, which know 80 kinds of objects "
    "and 1000 classes and mislabel unknown things; an object without a tag may still be there."
)


@dataclass(frozen=True)
class Tag:
    """A guess at what a picture shows.

    Attributes:
        label: the word.
        score: how sure the model is, in [0, 1].
        count: how many were found, at least; 0 where the tag is of the whole picture.
    """

    label: str
    score: float
    count: int

    def __str__(self) -> str:
        return f"{self.label} {self.score:.2f}" + (f" (at least {self.count})" if self.count > 1 else "")


@dataclass(frozen=True)
class PictureFacts:
    """What is known of a picture.

    Attributes:
        path: of the picture.
        width_px, height_px: as displayed; of the part, where one was asked for.
        tags: best first; none where nothing known was seen.
        colours: what covers most first.
        in_colour: whether it has colours, or only greys.
        brightness: mean, from 0 black to 1 white.
    """

    path: str
    width_px: int
    height_px: int
    tags: list[Tag]
    colours: list[Colour]
    in_colour: bool
    brightness: float

    def __str__(self) -> str:
        tags = ", ".join(map(str, self.tags)) or "no tags"
        colours = ", ".join(map(str, self.colours))
        light = f"brightness {self.brightness:.2f}" + ("" if self.in_colour else ", greys only")
        return f"{self.path} ({self.width_px} x {self.height_px} px): {tags}; {colours}; {light}"


@dataclass(frozen=True)
class TaggedPictures:
    """Pictures and what is known of each.

    Attributes:
        pictures: those from `offset` on.
        total: pictures in all.
        next_offset: where the next begin; null at the end.
        unread: pictures that cannot be read, and why.
        note: what to know of the tags.
        origin: backend, models, quality.
    """

    pictures: list[PictureFacts]
    total: int
    next_offset: int | None
    unread: dict[str, str]
    note: str
    origin: Origin

    def __str__(self) -> str:
        unread = [f"{name}: not read, {why}" for name, why in self.unread.items()]
        more = [] if self.next_offset is None else [f"{self.total} in all; go on with offset={self.next_offset}"]
        return "\n".join([*map(str, self.pictures), *unread, *more, f"{self.note} [by {self.origin}]"])


def tag_pictures(path: Path, region: Region | None = None, *, offset: int = 0, limit: int = 20) -> TaggedPictures:
    """What is known of a picture, a part of it, or each picture of a folder.

    Args:
        path: of the picture or folder.
        region: only this part of a picture: [x_min, y_min, x_max, y_max] in pixels.
        offset: so many pictures of a folder are skipped.
        limit: of pictures that are looked at.

    Raises:
        Problem: the picture cannot be read, the folder has none, or the region lies outside.
        ModelUnavailable: a model is not there.
    """
    models = require_model(coco_detection.MODEL), require_model(image_classes.MODEL)
    names = f"{coco_detection.MODEL}, {image_classes.MODEL}"
    origin = Origin("embedded", names, "facts_only")
    if path.is_file():
        facts = [run_in_process(measure_picture, *models, path, current_world().to_relative(path), region)]
        return TaggedPictures(facts, 1, None, {}, _NOTE, origin)
    if region is not None:
        raise Problem("bbox_px applies to one picture; name a picture, not a folder")
    paths = pictures_of(path, MAX_PICTURES)
    facts, unread = _measure_pictures(models, paths[offset : offset + limit])
    following = offset + limit if offset + limit < len(paths) else None
    return TaggedPictures(facts, len(paths), following, unread, _NOTE, origin)


def _measure_pictures(models: tuple[Path, Path], paths: Sequence[Path]) -> tuple[list[PictureFacts], dict[str, str]]:
    picture_facts, unread = [], {}
    for path in paths:
        name = current_world().to_relative(path)
        try:
            picture_facts.append(run_in_process(measure_picture, *models, path, name, None))
        except Problem as problem:
            unread[name] = str(problem)
    return picture_facts, unread


def measure_picture(detector: Path, classifier: Path, path: Path, name: str, region: Region | None) -> PictureFacts:
    """What is known of a picture or a part of it. To be called in `run_in_process`."""
    pixels = load_rgb(path, None if region else _ENOUGH_PX)
    width, height = displayed_size(path)
    if region:
        left, top, right, bottom = check_region(region, width, height)
        pixels = pixels[top:bottom, left:right]
        width, height = right - left, bottom - top
    objects = coco_detection.detect_in_pixels(detector, pixels, _MIN_OBJECT)
    looks = image_classes.look_at_pixels(classifier, pixels)
    spread = pixels.max(-1).astype(int) - pixels.min(-1)
    return PictureFacts(
        name,
        width,
        height,
        _list_tags(objects, looks),
        name_colours(_select_opaque(pixels, path, region), _MIN_SHARE, _MAX_COLOURS),
        float(spread.mean()) > _GREY_MEAN or float((spread > _GREY).mean()) > _GREY_SHARE,
        round(float(pixels.mean()) / 255, 2),
    )


def _select_opaque(pixels: "NDArray[np.uint8]", path: Path, region: Region | None) -> "NDArray[np.uint8]":
    """A sample of the pixels of a picture, or of a part of it, without those that are transparent."""
    import numpy as np

    image = load_picture(path).image
    if image.mode != "RGBA":
        return pixels
    alpha = np.asarray(image.getchannel("A"))
    left, top, right, bottom = check_region(region, image.width, image.height)
    opaque_pixels = pixels[alpha[top:bottom, left:right] >= _OPAQUE]
    if not len(opaque_pixels):
        return pixels
    sample = opaque_pixels[:: -(-len(opaque_pixels) // _SAMPLE)]
    return sample[: len(sample) // _SIDE * _SIDE].reshape(-1, _SIDE, 3) if len(sample) >= _SIDE else sample[None]


def _list_tags(objects: Sequence[coco_detection.Detection], looks: image_classes.Looks) -> list[Tag]:
    """Each word once, with its best score."""
    counts = Counter(detection.label for detection in objects)
    scored = [
        *((detection.label, detection.score) for detection in objects),
        *image_classes.best_kinds(looks.scores, _MIN_KIND, _MAX_KINDS),
        *image_classes.best_classes(looks.scores, _MIN_CLASS, _MAX_CLASSES),
    ]
    best: dict[str, float] = {}
    for label, score in scored:
        best[label] = max(score, best.get(label, 0))
    return [Tag(label, score, counts[label]) for label, score in sorted(best.items(), key=lambda pair: -pair[1])]
