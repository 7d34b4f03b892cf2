"""Solutions and near misses of gta/box_archive_photo."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.tool_results import find_objects, read_boxes
from yardkit.evaluators import misses
from yardkit.evaluators.misses import draw_boxes, draw_other_boxes, save_boxed
from yardkit.evaluators.misses.lettering import type_face
from yardkit.evaluators.proof import Agent, Solved

BOXED = "generated/found.png"


def solve(agent: Agent) -> str:
    """Find the thing on one of the prints, read its number, and draw both."""
    source, box, number = _find_print(agent)
    return agent.text("DrawBox", image=source, bbox=str(box), annotation=number, filename="found")


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow draws an outline, and the number in plain letters above it."""
    import PIL.Image

    source, box, number = _find_print(agent)
    save_boxed(files, source, BOXED, [box])
    with PIL.Image.open(files / BOXED) as image:
        _draw_label(image.convert("RGB"), number, box[:2]).save(files / BOXED)
    return ""


def alternative_a_wider_box(agent: Agent, _files: Path) -> str:
    """The box has some room around the thing."""
    source, (left, top, right, bottom), number = _find_print(agent)
    box = f"({left - 6}, {top - 6}, {right + 6}, {bottom + 6})"
    return agent.text("DrawBox", image=source, bbox=box, annotation=number, filename="found.png")


def _get_source(work: Solved) -> str:
    return str(work.facts["source"])


near_miss_number_missing = draw_other_boxes(BOXED, _get_source, lambda facts: facts["wanted"], ("number", "above"))
near_miss_box_around_the_whole_print = draw_other_boxes(BOXED, _get_source, lambda _: [(40, 40, 750, 500)], "around")
near_miss_painted_over = draw_other_boxes(
    BOXED, _get_source, lambda facts: facts["wanted"], ("around", "rest"), filled=True
)
near_miss_nothing_drawn = misses.picture_changed(BOXED, lambda image: image, ("around", "number"), source=_get_source)
near_miss_print_deleted = misses.delete_file("print_2.jpg")


@misses.picture_changes(BOXED, caught_by="number", source=_get_source)
def near_miss_number_of_the_negative(image: Any, work: Solved) -> Any:
    """The other number, which is like it, stands above the box."""
    box = work.facts["wanted"][0]
    return _draw_label(draw_boxes(image, [box]), work.facts["negative"], box[:2])


@misses.picture_changes(BOXED, caught_by="above", source=_get_source)
def near_miss_number_in_the_margin(image: Any, work: Solved) -> Any:
    """The number stands at the bottom."""
    return _draw_label(draw_boxes(image, work.facts["wanted"]), work.facts["number"], (400, image.height - 4))


@misses.picture_changes(BOXED, caught_by="rest")
def near_miss_caption_cut(image: Any) -> Any:
    """The caption is gone."""
    image.paste("white", (0, image.height - 90, image.width, image.height))
    return image


def _draw_label(image: Any, number: str, place: Sequence[float]) -> Any:
    import PIL.ImageDraw

    x, y = place[0], max(36.0, place[1] - 10)
    face = type_face("Liberation Sans", 30, bold=True)
    PIL.ImageDraw.Draw(image).text(
        (x, y), number, font=face, fill="#F00000", anchor="ls", stroke_width=3, stroke_fill="white"
    )
    return image


def _find_print(agent: Agent) -> tuple[str, tuple[int, ...], str]:
    """The print that shows the thing, the box of the thing, and the archive number."""
    thing = re.findall(r"shows an? ([\w ]+)\.", agent.prompt)[0]
    detections = [
        (int(re.findall(r"\d+", seen.text)[0]), (seen.left, seen.top, seen.right, seen.bottom), source)
        for source in (f"print_{number}.jpg" for number in range(1, 5))
        for seen in find_objects(agent, source, thing)
    ]
    _, box, source = max(detections)
    caption = " ".join(text for _, text in read_boxes(agent, source))
    return source, box, re.findall(r"rchive ?no\.? ?(\d+)", caption)[0]
