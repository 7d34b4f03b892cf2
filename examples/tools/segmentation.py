"""Examples of segmentation: things cut out of photographs."""

from typing import Any

from tools.example import Example, Gallery
from tools.perception import CAT, COINS, CUP, HER, prepare_files


def cut_out(name: str, path: str, **asked: Any) -> Example:
    target = f"{name}_{asked.get('kind', 'cutout')}.png"
    return Example("cut_out_object", {"path": path, "target": target, **asked}, (target,))


GALLERY = Gallery(
    prepare_files,
    (
        cut_out("cup", CUP, bbox_px=[165, 12, 425, 316]),
        cut_out("cat", CAT, bbox_px=[20, 3, 448, 298], kind="faded"),
        cut_out("coin", COINS, bbox_px=[300, 10, 370, 78], kind="mask"),
        cut_out("sky", HER, point_px=[200, 20], kind="faded"),
        cut_out("her", HER, person=True),
        Example("segment_object", {"path": HER, "person": True}),
        Example("segment_object", {"path": CUP, "query": "the spoon"}, needs="masks"),
    ),
)
