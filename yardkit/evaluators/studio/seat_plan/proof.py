"""Solutions and near misses of studio/seat_plan."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses.lettering import type_face
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import read_full_sheet, read_full_text

MARKED = "plan_marked.png"
Seats = Mapping[str, Sequence[str]]
Box = tuple[float, float, float, float]


def solve(agent: Agent) -> str:
    """Tint the seats with a strong edge, write the legend, read it again and look."""
    return _mark_plan(agent, lambda box, color: [_make_shape("box", box, color, f"{color}70", 4)])


def alternative_filled_discs_in_columns(agent: Agent, _files: Path) -> str:
    """Discs in a paler tint behind the numbers, and a legend in two columns."""
    return _mark_plan(agent, lambda box, color: [_make_shape("ellipse", box, color, f"{color}58", 3)], columns=2)


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow fills the seats at full strength and writes the numbers anew, in white on what is dark."""
    import PIL.Image
    import PIL.ImageDraw

    plan, colors, seats, box_of, free = _read_situation(agent)
    with PIL.Image.open(files / plan) as image:
        marked = image.convert("RGB")
    draw, face = PIL.ImageDraw.Draw(marked), type_face("Liberation Sans", 19, bold=True)
    for group, named in seats.items():
        for seat in named:
            left, top, right, bottom = box_of[seat]
            draw.rectangle((left + 2, top + 2, right - 2, bottom - 2), fill=colors[group])
            ink = "black" if group != "" and _is_light(colors[group]) else "white"
            draw.text(((left + right) / 2, top + 30), seat[1:], font=face, fill=ink, anchor="ms")
    for place, (group, named) in enumerate(seats.items()):
        y = marked.height - 140 + 40 * place
        draw.rectangle((110, y, 134, y + 24), fill=colors[group])
        line = f"{group}: {len(named)} seats"
        draw.text((146, y + 20), line, font=type_face("Caladea", 25), fill="black", anchor="ls")
    marked.save(files / MARKED)
    agent.look("view_image", path=MARKED)
    return f"There are still\n{free}"


def _is_light(color: str) -> bool:
    return sum(int(color[at : at + 2], 16) * part for at, part in ((1, 0.3), (3, 0.59), (5, 0.11))) > 120


def _paint_box(image: Any, box: Sequence[float], fill: Any, *, number: str = "") -> None:
    import PIL.ImageDraw

    draw = PIL.ImageDraw.Draw(image)
    draw.rectangle([round(side) for side in box], fill=fill)
    if number:
        draw.text(
            ((box[0] + box[2]) / 2, box[1] + 30),
            number,
            font=type_face("Liberation Sans", 19),
            fill="black",
            anchor="ms",
        )


def _list_booked(work: Solved) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, seat) for name, seat in work.facts["seats"].items() if seat["group"]]


@misses.picture_changes(MARKED, caught_by="numbers")
def near_miss_numbers_painted_over(image: Any, work: Solved) -> Any:
    for _, seat in _list_booked(work):
        _paint_box(image, seat["box"], work.facts["colors"][seat["group"]])
    return image


@misses.picture_changes(MARKED, caught_by="seats")
def near_miss_one_seat_of_the_option_marked(image: Any, work: Solved) -> Any:
    name, seat = next((name, seat) for name, seat in work.facts["seats"].items() if not seat["group"])
    _paint_box(image, seat["box"], "#9FC0E8", number=name[1:])
    return image


@misses.picture_changes(MARKED, caught_by="seats")
def near_miss_one_seat_forgotten(image: Any, work: Solved) -> Any:
    name, seat = _list_booked(work)[-1]
    _paint_box(image, seat["box"], "#F2F3F5", number=name[1:])
    return image


@misses.picture_changes(MARKED, caught_by="colors")
def near_miss_two_groups_changed_over(image: Any, work: Solved) -> Any:
    first_group, other = list(work.facts["colors"])[:2]
    swap = {first_group: other, other: first_group}
    for name, seat in _list_booked(work):
        color = work.facts["colors"][swap.get(seat["group"], seat["group"])]
        _paint_box(image, seat["box"], color, number=name[1:])
    return image


@misses.picture_changes(MARKED, caught_by="rest")
def near_miss_title_covered(image: Any) -> Any:
    _paint_box(image, (30, 24, 300, 66), "#D64545")
    return image


@misses.picture_changes(MARKED, caught_by="lines")
def near_miss_legend_without_one_group(image: Any, work: Solved) -> Any:
    _paint_box(image, (0, work.facts["strip"][1] + 8, image.width, work.facts["strip"][1] + 60), "#FDFDFB")
    return image


@misses.picture_changes(MARKED, caught_by="patches")
def near_miss_legend_without_colours(image: Any, work: Solved) -> Any:
    grey, top = image.convert("L").convert("RGB"), work.facts["strip"][1] + 8
    image.paste(grey.crop((0, top, image.width, image.height)), (0, top))
    return image


near_miss_plan_made_smaller = misses.picture_shrunk(MARKED, 500, caught_by=("seats", "rest"))
near_miss_nobody_looked = misses.never_inspected()
near_miss_booked_seats_counted = misses.change_answer(
    lambda work: sum(bool(seat["group"]) for seat in work.facts["seats"].values())
)


def _read_situation(agent: Agent) -> tuple[str, dict[str, str], dict[str, list[str]], dict[str, Box], int]:
    """The plan, colours, the seats of each group in question, the box of each seat, and how many are free."""
    plan, day = re.findall(r"who sits where on \w+, (\d+) April.*hall, `(.+?)`", agent.prompt, re.DOTALL)[0][::-1]
    rules = read_full_text(agent, "marking_rules.md")
    last, way = re.findall(r"from A to (\w) .*further to the (\w+);", rules, re.DOTALL)[0]
    measures = re.findall(r"\b\d+\b", rules[rules.index("## Measures") :])
    per_row, x, y, step, after, aisle, row, size = map(int, measures)
    boxes = {}
    for line in range(ord(last) - 64):
        for seat in range(1, per_row + 1):
            along = (seat - 1) * step + (aisle if seat > after else 0)
            left, top = x + (-along if way == "left" else along) - size / 2, y + line * row - size / 2
            boxes[f"{chr(65 + line)}{seat}"] = (left, top, left + size, top + size)
    booked = _read_bookings(agent, f"2026-04-{int(day):02}")
    return plan, dict(re.findall(r"- (.+): (#\w+)", rules)), booked, boxes, len(boxes) - sum(map(len, booked.values()))


def _read_bookings(agent: Agent, day: str) -> dict[str, list[str]]:
    """The seats of each group: the last row of each booking counts."""
    last = {row[0]: row for row in read_full_sheet(agent, "bookings.xlsx", "Bookings")[1:]}
    seats: dict[str, list[str]] = {}
    for _, evening, group, text, state in last.values():
        if str(evening)[:10] == day and state == "confirmed":
            for letter, first, end in re.findall(r"([A-Z])(\d+)(?:-[A-Z](\d+))?", text):
                named = range(int(first), int(end or first) + 1)
                seats.setdefault(group, []).extend(f"{letter}{number}" for number in named)
    return seats


def _make_shape(kind: str, box: Sequence[float], color: str, fill: str, width: int) -> dict[str, Any]:
    points = [[box[0] + 3, box[1] + 3], [box[2] - 3, box[3] - 3]]
    return {"kind": kind, "points": points, "color": color, "fill": fill, "width_px": width}


def _mark_plan(agent: Agent, mark: Any, columns: int = 1) -> str:
    plan, colors, seats, box_of, free = _read_situation(agent)
    info = agent.call("get_image_info", path=plan)
    marks = [shape for group, named in seats.items() for seat in named for shape in mark(box_of[seat], colors[group])]
    places = {
        group: (100 + 420 * (at % columns), info["height_px"] - 150 + 44 * (at // columns))
        for at, group in enumerate(seats)
    }
    marks += [
        _make_shape("box", (x, y, x + 30, y + 30), colors[group], colors[group], 2) for group, (x, y) in places.items()
    ]
    agent.call("draw_on_image", path=plan, target=MARKED, marks=marks)
    for group, (x, y) in places.items():
        agent.call(
            "add_image_text", path=MARKED, target=MARKED, text=f"{group}: {len(seats[group])} seats", size_px=24,
            place="left", position_px=[x + 40, y + 15],
        )  # fmt: skip
    agent.call(
        "read_image_text", path=MARKED, bbox_px=[0, info["height_px"] - 170, info["width_px"], info["height_px"]]
    )
    agent.look("view_image", path=MARKED)
    return f"{free}"
