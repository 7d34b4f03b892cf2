"""Counting in the dialect of GTA: how many of what a text names, as a number."""

from dataclasses import dataclass
from typing import get_args

from yardkit.servers.counting import engine
from yardkit.servers.counting.engine.colours import Color
from yardkit.servers.counting.engine.shapes import Shape
from yardkit.world import InFile, Problem

_COLORS = {**{name: name for name in get_args(Color)}, "gray": "grey"}
_SHAPES = {**{name: name for name in get_args(Shape)}, "dot": "circle", "disc": "circle", "disk": "circle"}
_ANYTHING = ("object", "thing", "item", "shape", "figure", "piece", "one")
_FILLERS = ("the", "a", "an", "of", "all", "any")


@dataclass(frozen=True)
class Count:
    """A number."""

    count: int

    def __str__(self) -> str:
        return str(self.count)


def CountGivenObject(image: InFile, text: str, bbox: str | None = None) -> Count:
    target = parse_target(text)
    object_count = engine.count_objects(image, target, region=_parse_region(bbox), tiles=2 if target.classes else 1)
    if object_count.count is None:
        raise Problem(f"how many {text!r} there are cannot be told: {object_count.reason}")
    return Count(object_count.count)


def parse_target(text: str) -> engine.CountTarget:
    """What a text asks for: a colour and a shape where it names nothing else, otherwise a class."""
    words = [word for word in text.lower().replace(",", " ").split() if word not in _FILLERS]
    singulars = [word.removesuffix("s") if word.removesuffix("s") in {*_SHAPES, *_ANYTHING} else word for word in words]
    singulars = ["cross" if word in ("crosses", "cros") else word for word in singulars]
    colors = [_COLORS[word] for word in singulars if word in _COLORS]
    shapes = [_SHAPES[word] for word in singulars if word in _SHAPES]
    rest = [word for word in singulars if word not in {*_COLORS, *_SHAPES, *_ANYTHING}]
    if rest or len(colors) > 1 or len(shapes) > 1:
        return engine.CountTarget(classes=[" ".join(words)])
    color: Color | None = next((name for name in get_args(Color) if name in colors), None)
    shape: Shape | None = next((name for name in get_args(Shape) if name in shapes), None)
    return engine.CountTarget(color=color, shape=shape)


def _parse_region(bbox: str | None) -> tuple[int, int, int, int] | None:
    if bbox is None or not bbox.strip():
        return None
    numbers = bbox.strip().strip("()[]").split(",")
    try:
        left, top, right, bottom = (round(float(number)) for number in numbers)
    except (ValueError, OverflowError) as error:
        raise Problem(f"bbox {bbox!r} is not right; write '(x1, y1, x2, y2)'") from error
    return left, top, right, bottom
