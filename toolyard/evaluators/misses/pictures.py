"""Near misses of delivered pictures."""

from collections.abc import Callable
from typing import Any

from toolyard.evaluators.misses.edits import Leaves, miss
from toolyard.evaluators.proof import Miss, Solved


def picture_changed(path: str, change: Callable[[Any], Any], kills: Leaves) -> Miss:
    """A picture (RGB, as Pillow reads it) looks otherwise."""

    def spoil(work: Solved) -> None:
        import PIL.Image

        with PIL.Image.open(work.files / path) as image:
            changed = change(image.convert("RGB"))
        changed.save(work.files / path)

    return miss(kills, spoil)


def picture_shrunk(path: str, width_px: int, kills: Leaves) -> Miss:
    """A picture is only so wide."""

    def change(image: Any) -> Any:
        return image.resize((width_px, max(1, round(image.height * width_px / image.width))))

    return picture_changed(path, change, kills)
