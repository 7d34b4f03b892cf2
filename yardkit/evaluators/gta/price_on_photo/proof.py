"""Solutions and near misses of gta/price_on_photo."""

import re
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.tool_results import read_boxes
from yardkit.evaluators import misses
from yardkit.evaluators.misses.lettering import type_face
from yardkit.evaluators.proof import Agent, Solved

SOURCE, BOARD = "counter.jpg", "generated/board.png"
HEADS = {"at the table": "atthetable", "to take away": "totakeaway"}


def solve(agent: Agent) -> str:
    """Read both prices in the right part of the menu, add them up, write the line."""
    line, color = _compose_line(agent)
    return agent.text("AddText", image=SOURCE, text=line, position="rb", color=color, filename="board")


def alternative_at_a_place_in_pixels(agent: Agent, _files: Path) -> str:
    """The place is given by its left bottom corner, the colour by its code."""
    line, color = _compose_line(agent)
    code = {"yellow": "#ffff00", "cyan": "#00e5ff", "lime": "#00ff00"}[color]
    return agent.text("AddText", image=SOURCE, text=line, position="(560, 655)", color=code, filename="board.png")


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow writes it larger, with a dark edge."""
    import PIL.Image

    line, color = _compose_line(agent)
    with PIL.Image.open(files / SOURCE) as image:
        (files / BOARD).parent.mkdir()
        _write_line(image.convert("RGB"), line, color).save(files / BOARD)
    return ""


@misses.picture_changes(BOARD, caught_by="line", source=SOURCE)
def near_miss_price_of_the_other_part(image: Any, work: Solved) -> Any:
    return _write_line(image, work.facts["elsewhere"], work.facts["color"])


@misses.picture_changes(BOARD, caught_by="line", source=SOURCE)
def near_miss_count_forgotten(image: Any, work: Solved) -> Any:
    return _write_line(image, work.facts["single"], work.facts["color"])


@misses.picture_changes(BOARD, caught_by="corner", source=SOURCE)
def near_miss_in_the_other_corner(image: Any, work: Solved) -> Any:
    return _write_line(image, work.facts["line"], work.facts["color"], (16, 650))


@misses.picture_changes(BOARD, caught_by="color", source=SOURCE)
def near_miss_in_white(image: Any, work: Solved) -> Any:
    return _write_line(image, work.facts["line"], "white")


@misses.picture_changes(BOARD, caught_by="rest")
def near_miss_photograph_covered(image: Any) -> Any:
    image.paste("black", (0, 0, 500, 300))
    return image


near_miss_photograph_overwritten = misses.overwrite_file(SOURCE, BOARD)


def _write_line(image: Any, line: str, color: str, place: tuple[int, int] = (520, 650)) -> Any:
    import PIL.ImageDraw

    face = type_face("Liberation Sans", 38, bold=True)
    draw = PIL.ImageDraw.Draw(image)
    draw.text(place, line, font=face, fill=color, anchor="ls", stroke_width=2, stroke_fill="#202020")
    return image


def _compose_line(agent: Agent) -> tuple[str, str]:
    """What is to be written, and its colour."""
    count, first, second, where = re.findall(r"what (\d) x (.+) and 1 x (.+) cost (.+?)\. Write", agent.prompt)[0]
    name, color = re.findall(r"`([^`]+): \$`.* in (\w+), in", agent.prompt)[0]
    pieces = read_boxes(agent, "menu.jpg")
    first_price, other = (_find_price(pieces, HEADS[where], _normalize_text(dish)) for dish in (first, second))
    total = agent.text("Calculator", expression=f"round({count} * {first_price} + {other}, 2)")
    return f"{name}: ${float(total):.2f}", color


def _find_price(pieces: list[tuple[tuple[int, ...], str]], head: str, dish: str) -> str:
    """The price of a dish below the head of a part of the menu: in its column, and in its line."""
    part = next(box for box, text in pieces if _normalize_text(text) == head)
    named = [
        box for box, text in pieces if _normalize_text(text) == dish and box[1] > part[1] and abs(box[0] - part[0]) < 80
    ]
    line = min(named, key=lambda box: box[1])
    middle = (line[1] + line[3]) / 2
    prices = [(box[0], text) for box, text in pieces if "." in text and box[0] > line[2] and box[1] < middle < box[3]]
    return str(re.findall(r"\d+\.\d\d", min(prices)[1])[0])


def _normalize_text(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalpha())
