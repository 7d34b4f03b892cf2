"""Graders see delivered pictures as a viewer shows them, whatever program wrote them."""

import io

import numpy as np
import pytest
from PIL import Image
from zoo.pictures import PATCHES, SIZE, ZOO, build_picture, draw_scene

from yardkit.evaluators.readers.displayed_images import convert_to_displayed

_ELSEWHERE = (
    *("coded-p3.png", "camera-adobe.jpg", "float.tif", "twelve-bits.tif", "lab.tif"),
    *("old-mac.png", "moving-with-cover.png", "white-is-zero.tif", "no-sign.tif", "old-palette.tif"),
)
"""Kinds that no task asks for, and that graders see in the colours of their numbers."""


@pytest.mark.parametrize("name", [name for name in ZOO if "heic" not in name and name not in _ELSEWHERE])
def test_a_delivered_picture_is_seen_as_a_viewer_shows_it(name: str) -> None:
    kind = ZOO[name]
    with Image.open(io.BytesIO(build_picture(name))) as opened:
        image = convert_to_displayed(opened)
    assert (image.mode, image.size) == ("RGBA", SIZE)
    scene = draw_scene().convert("L").convert("RGB") if kind.grey else draw_scene()
    seen, right = np.asarray(image, int)[..., :3], np.asarray(scene, int)
    assert all(np.abs(seen[y, x] - right[y, x]).max() <= kind.tolerance for x, y in PATCHES)
