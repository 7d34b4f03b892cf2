"""Examples of counting: coins of Pompeii, a cup."""

from typing import Any

from gallery.example import Example, Gallery
from gallery.perception import COINS, CUP, prepare


def counted(target: str, path: str, **asked: Any) -> Example:
    return Example("mark_counted_objects", {"path": path, "target": target, **asked}, (target,))


GALLERY = Gallery(
    prepare,
    (
        Example("count_objects", {"path": COINS}),
        counted("coins_counted.png", COINS),
        counted("like_one.png", COINS, example_px=[307, 24, 367, 84]),
        counted("cups.png", CUP, classes=["cup", "spoon"]),
    ),
)
