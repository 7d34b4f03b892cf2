"""Examples of counting: coins of Pompeii, a cup."""

from typing import Any

from tools.example import Example, Gallery
from tools.perception import COINS, CUP, prepare_files


def make_count_example(target: str, path: str, **asked: Any) -> Example:
    return Example("mark_counted_objects", {"path": path, "target": target, **asked}, (target,))


GALLERY = Gallery(
    prepare_files,
    (
        Example("count_objects", {"path": COINS}),
        make_count_example("coins_counted.png", COINS),
        make_count_example("like_one.png", COINS, example_px=[307, 24, 367, 84]),
        make_count_example("cups.png", CUP, classes=["cup", "spoon"]),
    ),
)
