"""Red boxes drawn by Pillow, which represents another program, and near misses made with them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.misses.edits import FilePath, Leaves
from yardkit.evaluators.misses.pictures import picture_changed
from yardkit.evaluators.proof import Miss, Solved

Places = Callable[[Mapping[str, Any]], Sequence[Sequence[float]]]


def draw_boxes(image: Any, boxes: Sequence[Sequence[float]], *, filled: bool = False, color: str = "#F00000") -> Any:
    """Draw boxes on a picture: an outline of five pixels around each place, or a filled patch instead."""
    import PIL.ImageDraw

    draw = PIL.ImageDraw.Draw(image)
    for left, top, right, bottom in boxes:
        place = (left - 6, top - 6, right + 6, bottom + 6)
        draw.rectangle(place, outline=color, width=5, fill=color if filled else None)
    return image


def draw_other_boxes(
    path: str,
    source: FilePath,
    places: Places,
    caught_by: Leaves,
    *,
    filled: bool = False,
    color: str = "#F00000",
) -> Miss:
    """The picture, made again from its source, has boxes around other places."""

    def change(image: Any, work: Solved) -> Any:
        return draw_boxes(image, places(work.facts), filled=filled, color=color)

    return picture_changed(path, change, caught_by, source=source)


def save_boxed(files: Path, source: str, path: str, boxes: Sequence[Sequence[float]]) -> None:
    """Save a copy of a picture in a workspace with boxes on it."""
    import PIL.Image

    (files / path).parent.mkdir(exist_ok=True)
    with PIL.Image.open(files / source) as image:
        draw_boxes(image.convert("RGB"), boxes).save(files / path)
