"""Counting in the dialect of GTA: how many of what a text names, as a number."""

from dataclasses import dataclass
from typing import Annotated, get_args

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.counting import engine
from yardkit.servers.counting.engine.colours import Color
from yardkit.servers.counting.engine.shapes import Shape
from yardkit.world import InFile, Problem

mcp = make_server("counting", "Counts objects in images, or says why it cannot.")

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


@tool(mcp, name="CountGivenObject")
def count_given_object(
    image: Annotated[InFile, Field(description="Image file.")],
    text: Annotated[str, Field(description="The object to count, in English.", min_length=1, max_length=200)],
    bbox: Annotated[
        str | None, Field(description="Count only in this box: '(x1, y1, x2, y2)' in pixels.", max_length=100)
    ] = None,
) -> Count:
    """Count how many of an object an image shows; an error says so where that cannot be told."""
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
