"""Solutions and near misses of gta/text_far_from."""

import math
import re
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.tool_results import read_boxes
from yardkit.evaluators import misses
from yardkit.evaluators.misses.lettering import type_face
from yardkit.evaluators.proof import Agent, Solved

SOURCE, POSTCARD = "photo.jpg", "generated/postcard.png"
CORNERS = {"lt": (0, 0), "rt": (1, 0), "lb": (0, 1), "rb": (1, 1)}


def solve(agent: Agent) -> str:
    """Read the note, find the thing, write into the corner that is farthest from it."""
    slogan, color, corner = _find_slogan(agent)
    return agent.text("AddText", image=SOURCE, text=slogan, position=corner, color=color, filename="postcard")


def alternative_by_a_code_of_the_colour(agent: Agent, _files: Path) -> str:
    """The colour is a code, the place has capitals."""
    slogan, color, corner = _find_slogan(agent)
    code = {"magenta": "#f000e0", "yellow": "#f8f010", "cyan": "#10f0f0"}[color]
    return agent.text(
        "AddText", image=SOURCE, text=slogan, position=corner.upper(), color=code, filename="postcard.png"
    )


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow writes it in two lines, larger, with a dark edge."""
    import PIL.Image

    slogan, color, corner = _find_slogan(agent)
    first, last = slogan.rsplit(" ", 1)
    with PIL.Image.open(files / SOURCE) as image:
        (files / POSTCARD).parent.mkdir()
        x, y = CORNERS[corner]
        place = (x * image.width + (20, -320)[x], y * image.height + (10, -110)[y])
        _write_slogan(image.convert("RGB"), f"{first}\n{last}", color, place).save(files / POSTCARD)
    return ""


def _left_top(box: list[float]) -> tuple[float, float]:
    return box[0] + 100, box[1] + 20


@misses.picture_changes(POSTCARD, caught_by="slogan", source=SOURCE)
def near_miss_old_slogan(image: Any, work: Solved) -> Any:
    return _write_slogan(image, work.facts["old"], work.facts["color"], _left_top(work.facts["place"]))


@misses.picture_changes(POSTCARD, caught_by=("corner", "rest"), source=SOURCE)
def near_miss_second_farthest_corner(image: Any, work: Solved) -> Any:
    return _write_slogan(image, work.facts["slogan"], work.facts["color"], _left_top(work.facts["other"]))


@misses.picture_changes(POSTCARD, caught_by=("corner", "apart"), source=SOURCE)
def near_miss_over_the_thing(image: Any, work: Solved) -> Any:
    left, top, right, bottom = work.facts["thing"]
    place = (max(10.0, (left + right) / 2 - 200), (top + bottom) / 2)
    return _write_slogan(image, work.facts["slogan"], work.facts["color"], place)


@misses.picture_changes(POSTCARD, caught_by="color", source=SOURCE)
def near_miss_in_white(image: Any, work: Solved) -> Any:
    return _write_slogan(image, work.facts["slogan"], "white", _left_top(work.facts["place"]))


@misses.picture_changes(POSTCARD, caught_by="rest")
def near_miss_thing_covered(image: Any, work: Solved) -> Any:
    image.paste("white", [round(side) for side in work.facts["thing"]])
    return image


near_miss_note_deleted = misses.delete_file("note.jpg")


def _write_slogan(image: Any, slogan: str, color: str, place: tuple[float, float]) -> Any:
    import PIL.ImageDraw

    draw, face = PIL.ImageDraw.Draw(image), type_face("Liberation Sans", 40, bold=True)
    draw.multiline_text(place, slogan, font=face, fill=color, stroke_width=3, stroke_fill="black")
    return image


def _find_slogan(agent: Agent) -> tuple[str, str, str]:
    """The slogan, its colour, and the corner."""
    wide, high = map(int, re.findall(r"(\d+) x (\d+) pixels", agent.prompt)[0])
    color, thing = re.findall(r"on, in (\w+), .*from the middle of the ([\w ]+)\.", agent.prompt)[0]
    note_text = " ".join(text for _, text in read_boxes(agent, "note.jpg"))
    slogan = re.findall(r"take:? ?(.+?) (?:Mara|Jon|Ines)", note_text)[0]
    box = re.findall(r"\d+", agent.text("TextToBbox", image=SOURCE, text=thing))
    left, top, right, bottom = map(int, box[:4])
    far = {
        name: math.dist(((left + right) / 2, (top + bottom) / 2), (x * wide, y * high))
        for name, (x, y) in CORNERS.items()
    }
    return slogan, color, max(far, key=lambda name: far[name])
