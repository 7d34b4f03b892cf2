"""Solutions and near misses of quickstart/film_evening."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

TABLES, CINEMA = "screenshots/tables.png", "screenshots/cinema_saturday.jpg"
CLASSES = {"horse": "a horse", "airplane": "an airplane", "sports ball": "a football", "cup": "a cup of coffee"}
Piece = Mapping[str, Any]

_RING = """
import numpy
from PIL import Image
pixels = numpy.asarray(Image.open({path!r}).convert("RGB")).astype(int)[:, {left}:]
red = (pixels[..., 0] > 180) & (pixels[..., 1] < 70) & (pixels[..., 2] < 80)
rows, columns = numpy.nonzero(red)
print((columns.min() + columns.max()) // 2 + {left}, (rows.min() + rows.max()) // 2)
"""
# A showing that is sold out is grey: its channels are close together.
_COLORED = """
import numpy
from PIL import Image
pixels = numpy.asarray(Image.open({path!r}).convert("RGB")).astype(int)
spread = pixels.max(axis=2) - pixels.min(axis=2)
print([int(numpy.percentile(spread[top:bottom, left:right], 97)) for left, top, right, bottom in {boxes}])
"""


@dataclass(frozen=True)
class Showing:
    """One start of a film that is not sold out; times in minutes after midnight."""

    film: str
    screen: str
    length: int
    begins: int


def solve(agent: Agent) -> str:
    """Find the red ring and the entry in it, the end of dinner, the way, and the first showing that fits."""
    plan = _make_plan(agent)
    agent.call("write_file", path="plan.json", content=json.dumps(plan, indent=2))
    return f"Dinner is at {plan['restaurant']}.\n\n{plan['film']}, {plan['film_begins']}"


def alternative_in_capitals_and_with_more_fields(agent: Agent, files: Path) -> str:
    """Other order, other case, an extra field, UTF-16, and a sentence as the last line."""
    plan = _make_plan(agent)
    fields = {"date": "2026-03-21", **{name: plan[name].upper() for name in reversed(plan)}}
    (files / "plan.json").write_text(json.dumps(fields), "utf-16")
    return f"**{plan['film']}, {plan['film_begins']}.**"


def alternative_resaved_by_another_program(agent: Agent, files: Path) -> str:
    """Indented, with a byte order mark, Windows line ends and escaped letters."""
    answer = solve(agent)
    plan = json.loads((files / "plan.json").read_text("utf-8"))
    text = json.dumps(plan, indent=4, sort_keys=True, ensure_ascii=True).replace("\n", "\r\n")
    (files / "plan.json").write_bytes(text.encode("utf-8-sig"))
    return answer


@caught_by_leaf("answer_time", "showing")
def near_miss_a_showing_that_is_sold_out(work: Solved) -> None:
    """The crossed times were read like the others."""
    _rewrite_plan(work, work.facts["careless"]["sold_out"])


@caught_by_leaf("answer_time", "showing")
def near_miss_another_picture(work: Solved) -> None:
    """The earliest film, whatever is on its photograph."""
    _rewrite_plan(work, work.facts["careless"]["still"])


@caught_by_leaf("answer_time", "showing", "walk")
def near_miss_the_walk_forgotten(work: Solved) -> None:
    """As if the cinema were next door."""
    _rewrite_plan(work, {**work.facts["careless"]["walk"], "at_cinema": work.facts["plan"]["dinner_ends"]})


@caught_by_leaf("answer_time", "showing")
def near_miss_dinner_taken_for_a_moment(work: Solved) -> None:
    """The start of dinner instead of its end."""
    _rewrite_plan(work, work.facts["careless"]["stay"])


@caught_by_leaf("restaurant")
def near_miss_another_restaurant(work: Solved) -> None:
    """An entry that is not circled."""
    _rewrite_plan(work, {"restaurant": work.facts["careless"]["other_restaurant"]})


@caught_by_leaf("end")
def near_miss_the_end_is_when_the_film_begins(work: Solved) -> None:
    """The length of the film was not added."""
    _rewrite_plan(work, {"film_ends": work.facts["plan"]["film_begins"]})


@caught_by_leaf("answer_film")
def near_miss_every_film_listed_as_the_answer(work: Solved) -> None:
    """A last line in which the right title stands among all others."""
    work.answer = f"{', '.join(work.facts['films'])}, {work.facts['plan']['film_begins']}"


def _rewrite_plan(work: Solved, changes: Mapping[str, str]) -> None:
    plan = {**work.facts["plan"], **changes}
    (work.files / "plan.json").write_text(json.dumps(plan), "utf-8")
    work.answer = f"{plan['film']}, {plan['film_begins']}"


def _make_plan(agent: Agent) -> dict[str, str]:
    restaurant, begins = _find_circled(agent)
    notes = agent.call("read_file", path="notes.md")["content"]
    stay = re.findall(r"table for (\d+) minutes", notes)[0]
    walk = next(
        minutes for name, minutes in re.findall(r"- (.+): (\d+) minutes", notes) if _is_same_text(name, restaurant)
    )
    ends = _add(agent, _to_minutes(begins), int(stay))
    there = _add(agent, ends, int(walk))
    late = [showing for showing in _list_showings(agent) if showing.begins >= there]
    liked = {screen for screen in {showing.screen for showing in late} if _is_liked(agent, screen)}
    fit = [showing for showing in late if showing.screen in liked]
    first = min(fit, key=lambda showing: showing.begins)
    return {
        "restaurant": restaurant,
        "dinner_ends": _format_clock(ends),
        "at_cinema": _format_clock(there),
        "film": first.film,
        "film_begins": _format_clock(first.begins),
        "film_ends": _format_clock(_add(agent, first.begins, first.length)),
    }


def _is_liked(agent: Agent, screen: str) -> bool:
    """Whether on the photograph of a screen is what the prompt asks for."""
    classes = [name for name, word in CLASSES.items() if word in agent.prompt]
    return bool(agent.call("detect_objects", path=f"stills/saturday/screen_{screen}.jpg", classes=classes)["objects"])


def _find_circled(agent: Agent) -> tuple[str, str]:
    """Restaurant and time of the entry inside the red ring."""
    pieces = agent.call("read_image_text", path=TABLES)["pieces"]
    rows = _group_rows(pieces)
    titles = [above for above, row in pairwise(rows) if "stars" in _join_row_text(row)]
    # The pictures to the left of the names may be red as well.
    left = min(int(title[0]["bbox_px"][0]) for title in titles) - 20
    x, y = map(int, agent.call("run_solver_code", code=_RING.format(path=TABLES, left=left))["output"].split())
    times = [piece for piece in pieces if re.search(r"\d\d:\d\d", piece["text"])]
    time = min(times, key=lambda piece: abs(_compute_middle(piece)[0] - x) + abs(_compute_middle(piece)[1] - y))
    title = max((row for row in titles if _compute_middle(row[0])[1] < y), key=lambda row: _compute_middle(row[0])[1])
    return _join_row_text(title), re.findall(r"\d\d:\d\d", time["text"])[0]


def _list_showings(agent: Agent) -> list[Showing]:
    """All showings on the page of the cinema that are not sold out."""
    rows = _group_rows(agent.call("read_image_text", path=CINEMA)["pieces"])
    showings: list[tuple[Showing, list[int]]] = []
    for title, facts, times in zip(rows, rows[1:], rows[2:], strict=False):
        film = re.search(r"(\d) ?h ?(\d+) ?min.*?(\d)$", _join_row_text(facts))
        for piece in times if film else ():
            clock = re.search(r"\d\d:\d\d", piece["text"])
            if film and clock:
                length = int(film[1]) * 60 + int(film[2])
                showings.append(
                    (Showing(_join_row_text(title), film[3], length, _to_minutes(clock.group())), piece["bbox_px"])
                )
    boxes = [box for _, box in showings]
    spreads = json.loads(agent.call("run_solver_code", code=_COLORED.format(path=CINEMA, boxes=boxes))["output"])
    return [showing for (showing, _), spread in zip(showings, spreads, strict=True) if spread > 65]


def _group_rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    rows: dict[int, list[Piece]] = {}
    for piece in pieces:
        rows.setdefault(piece["row"], []).append(piece)
    return list(rows.values())


def _join_row_text(row: Sequence[Piece]) -> str:
    return " ".join(piece["text"] for piece in row)


def _is_same_text(first: str, other: str) -> bool:
    return first.replace(" ", "").lower() == other.replace(" ", "").lower()


def _compute_middle(piece: Piece) -> tuple[float, float]:
    left, top, right, bottom = piece["bbox_px"]
    return (left + right) / 2, (top + bottom) / 2


def _add(agent: Agent, first: int, other: int) -> int:
    return int(agent.call("evaluate_expression", expression=f"{first} + {other}")["value"])


def _to_minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _format_clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"
