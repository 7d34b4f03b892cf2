"""Pictures put on slides: where and how large they come out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("place", "box"),
    [
        ({"left_cm": 22, "top_cm": 4}, [22, 4, 11.87, 5.93]),
        ({"left_cm": 2, "top_cm": 14}, [2, 14, 10.1, 5.05]),
        ({"left_cm": 1, "top_cm": 1}, [1, 1, 20.32, 10.16]),
        ({"left_cm": 22, "top_cm": 4, "height_cm": 8}, [22, 4, 16, 8]),
    ],
    ids=["at_the_right", "at_the_foot", "room_enough", "of_a_stated_size"],
)
def test_a_picture_of_no_stated_size_stays_on_the_slide(
    call: Callable[..., dict[str, Any]], picture: Path, place: dict[str, Any], box: list[Any]
) -> None:
    call("create_deck", path="p.pptx", slides=[{"title": "Photo"}])
    ids = call("place_slide_picture", path="p.pptx", slide=1, image="red.png", **place)["ids"]
    [shape] = [
        candidate for candidate in call("read_slides", path="p.pptx")["slides"][0]["shapes"] if candidate["id"] in ids
    ]
    assert shape["box_cm"] == pytest.approx(box, abs=0.05)
