"""Near misses of delivered pictures."""

from collections.abc import Callable
from typing import Any

from yardkit.evaluators.misses.edits import Change, FilePath, Leaves, apply_change, make_miss
from yardkit.evaluators.proof import Miss, Solved


def picture_changed(path: FilePath, change: Change, caught_by: Leaves, *, source: FilePath = "") -> Miss:
    """A picture (RGB, as Pillow reads and a viewer shows it) is changed, or is made from another one, `source`.

    A change with a second parameter also gets the solved world.
    """

    def corrupt_world(work: Solved) -> None:
        import PIL.Image
        import PIL.ImageOps

        target = path(work) if callable(path) else path
        source_path = (source(work) if callable(source) else source) or target
        with PIL.Image.open(work.files / source_path) as image:
            upright = PIL.ImageOps.exif_transpose(image).convert("RGB")
        changed: Any = apply_change(change, work, upright)
        changed.save(work.files / target, **({"quality": 92} if target.endswith("jpg") else {}))

    return make_miss(caught_by, corrupt_world)


def picture_changes(path: FilePath, *, caught_by: Leaves, source: FilePath = "") -> Callable[[Change], Miss]:
    """Make a decorator that turns a function changing a picture into a near miss, see `picture_changed`."""
    return lambda change: picture_changed(path, change, caught_by, source=source)


def picture_shrunk(path: str, width_px: int, caught_by: Leaves) -> Miss:
    """A picture is shrunk to this width."""

    def change(image: Any) -> Any:
        return image.resize((width_px, max(1, round(image.height * width_px / image.width))))

    return picture_changed(path, change, caught_by)
