"""What is said of the pictures of the zoo, as exiftool of Debian says it."""

import json
import subprocess
from typing import Any

import pytest
from support.answers import Call
from support.live_programs import needed_program
from zoo.pictures import ZOO, build_picture

from yardkit.world import World

pytestmark = [pytest.mark.drill, pytest.mark.live]
_ASKED = ("ImageSize", "Orientation", "Rotation", "ProfileDescription")
_TURNS = {
    3: "turned by 180 degrees",
    6: "shown turned 90 degrees clockwise",
    8: "shown turned 90 degrees anticlockwise",
}


def test_a_picture_has_the_size_orientation_and_profile_that_exiftool_sees(world: World, done: Call) -> None:
    for name in ZOO:
        (world.files / name).write_bytes(build_picture(name))
    command = [needed_program("exiftool"), "-json", "-n", *(f"-{tag}" for tag in _ASKED), str(world.files)]
    seen = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    there = {facts["SourceFile"].rpartition("/")[2]: _find_shown(facts) for facts in seen}
    del there["text-orientation.jpg"]  # whose number is a text, which no viewer turns
    here = {}
    for name in there:
        info = done("get_image_info", path=name)
        turn = info["orientation"] if there[name]["turn"] is not None else None
        profile = info["profile"] if there[name]["profile"] else ""
        here[name] = {"size": f"{info['width_px']} {info['height_px']}", "turn": turn, "profile": profile}
    assert here == there
    assert sum(bool(facts["profile"]) for facts in there.values()) == 3
    assert len(there) == len(ZOO) - 1


def _find_shown(facts: Any) -> dict[str, Any]:
    """The size as it is shown; a turn only where it is in the EXIF, since a HEIC is turned as it is decoded."""
    turn = facts.get("Orientation", 1)
    is_turned = turn in (6, 8) or facts.get("Rotation", 0) % 180 == 90
    size = " ".join(reversed(facts["ImageSize"].split())) if is_turned else facts["ImageSize"]
    return {"size": size, "turn": _TURNS.get(turn), "profile": facts.get("ProfileDescription", "")}
