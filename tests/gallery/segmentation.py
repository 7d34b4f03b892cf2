"""Examples of segmentation: things cut out of photographs."""

from typing import Any

from gallery.example import Example, Gallery
from gallery.perception import CAT, COINS, CUP, HER, prepare


def cut_out(name: str, path: str, **asked: Any) -> Example:
    files = {"target": f"{name}_faded.png", "cutout": f"{name}_alone.png", "mask": f"{name}_mask.png"}
    return Example("segment_object", {"path": path, **files, **asked}, tuple(files.values()))


GALLERY = Gallery(
    prepare,
    (
        cut_out("cup", CUP, bbox_px=[165, 12, 425, 316]),
        cut_out("cat", CAT, bbox_px=[20, 3, 448, 298]),
        cut_out("coin", COINS, bbox_px=[300, 10, 370, 78]),
        cut_out("sky", HER, point_px=[200, 20]),
        cut_out("her", HER, person=True),
        Example("segment_object", {"path": CUP, "query": "the spoon", "target": "spoon.png"}, needs="masks"),
    ),
)
