"""Solutions and near misses of studio/seat_plan."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses.lettering import type_face
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solver_steps import read_whole_sheet, read_whole_text

MARKED = "plan_marked.png"
Seats = Mapping[str, Sequence[str]]
Box = tuple[float, float, float, float]


def solve(agent: Agent) -> str:
    """Tint the seats with a strong edge, write the legend, read it again and look."""
    return _solved(agent, lambda box, color: [_shape("box", box, color, f"{color}70", 4)])


def also_filled_discs_in_columns(agent: Agent, _files: Path) -> str:
    """Discs in a paler tint behind the numbers, and a legend in two columns."""
    return _solved(agent, lambda box, color: [_shape("ellipse", box, color, f"{color}58", 3)], columns=2)


def also_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow fills the seats at full strength and writes the numbers anew, in white on what is dark."""
    import PIL.Image
    import PIL.ImageDraw

    plan, colors, seats, box_of, free = _read(agent)
    with PIL.Image.open(files / plan) as image:
        marked = image.convert("RGB")
    draw, face = PIL.ImageDraw.Draw(marked), type_face("Liberation Sans", 19, bold=True)
    for group, named in seats.items():
        for seat in named:
            left, top, right, bottom = box_of[seat]
            draw.rectangle((left + 2, top + 2, right - 2, bottom - 2), fill=colors[group])
            ink = "black" if group != "" and _light(colors[group]) else "white"
            draw.text(((left + right) / 2, top + 30), seat[1:], font=face, fill=ink, anchor="ms")
    for place, (group, named) in enumerate(seats.items()):
        y = marked.height - 140 + 40 * place
        draw.rectangle((110, y, 134, y + 24), fill=colors[group])
        line = f"{group}: {len(named)} seats"
        draw.text((146, y + 20), line, font=type_face("Caladea", 25), fill="black", anchor="ls")
    marked.save(files / MARKED)
    agent.look("view_image", path=MARKED)
    return f"There are still\n{free}"


def _light(color: str) -> bool:
    return sum(int(color[at : at + 2], 16) * part for at, part in ((1, 0.3), (3, 0.59), (5, 0.11))) > 120


def _paint(image: Any, box: Sequence[float], fill: Any, *, number: str = "") -> None:
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


def _booked(work: Solved) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, seat) for name, seat in work.facts["seats"].items() if seat["group"]]


@misses.picture_changes(MARKED, kills="numbers")
def miss_numbers_painted_over(image: Any, work: Solved) -> Any:
    for _, seat in _booked(work):
        _paint(image, seat["box"], work.facts["colors"][seat["group"]])
    return image


@misses.picture_changes(MARKED, kills="seats")
def miss_one_seat_of_the_option_marked(image: Any, work: Solved) -> Any:
    name, seat = next((name, seat) for name, seat in work.facts["seats"].items() if not seat["group"])
    _paint(image, seat["box"], "#9FC0E8", number=name[1:])
    return image


@misses.picture_changes(MARKED, kills="seats")
def miss_one_seat_forgotten(image: Any, work: Solved) -> Any:
    name, seat = _booked(work)[-1]
    _paint(image, seat["box"], "#F2F3F5", number=name[1:])
    return image


@misses.picture_changes(MARKED, kills="colors")
def miss_two_groups_changed_over(image: Any, work: Solved) -> Any:
    one, other = list(work.facts["colors"])[:2]
    swap = {one: other, other: one}
    for name, seat in _booked(work):
        color = work.facts["colors"][swap.get(seat["group"], seat["group"])]
        _paint(image, seat["box"], color, number=name[1:])
    return image


@misses.picture_changes(MARKED, kills="rest")
def miss_title_covered(image: Any) -> Any:
    _paint(image, (30, 24, 300, 66), "#D64545")
    return image


@misses.picture_changes(MARKED, kills="lines")
def miss_legend_without_one_group(image: Any, work: Solved) -> Any:
    _paint(image, (0, work.facts["strip"][1] + 8, image.width, work.facts["strip"][1] + 60), "#FDFDFB")
    return image


@misses.picture_changes(MARKED, kills="patches")
def miss_legend_without_colours(image: Any, work: Solved) -> Any:
    grey, top = image.convert("L").convert("RGB"), work.facts["strip"][1] + 8
    image.paste(grey.crop((0, top, image.width, image.height)), (0, top))
    return image


miss_plan_made_smaller = misses.picture_shrunk(MARKED, 500, kills=("seats", "rest"))
miss_nobody_looked = misses.never_inspected()
miss_booked_seats_counted = misses.answered(
    lambda work: sum(bool(seat["group"]) for seat in work.facts["seats"].values())
)


def _read(agent: Agent) -> tuple[str, dict[str, str], dict[str, list[str]], dict[str, Box], int]:
    """The plan, colours, the seats of each group in question, the box of each seat, and how many are free."""
    plan, day = re.findall(r"who sits where on \w+, (\d+) April.*hall, `(.+?)`", agent.prompt, re.DOTALL)[0][::-1]
    rules = read_whole_text(agent, "marking_rules.md")
    last, way = re.findall(r"from A to (\w) .*further to the (\w+);", rules, re.DOTALL)[0]
    measures = re.findall(r"\b\d+\b", rules[rules.index("## Measures") :])
    per_row, x, y, step, after, aisle, row, size = map(int, measures)
    boxes = {}
    for line in range(ord(last) - 64):
        for seat in range(1, per_row + 1):
            along = (seat - 1) * step + (aisle if seat > after else 0)
            left, top = x + (-along if way == "left" else along) - size / 2, y + line * row - size / 2
            boxes[f"{chr(65 + line)}{seat}"] = (left, top, left + size, top + size)
    booked = _bookings(agent, f"2026-04-{int(day):02}")
    return plan, dict(re.findall(r"- (.+): (#\w+)", rules)), booked, boxes, len(boxes) - sum(map(len, booked.values()))


def _bookings(agent: Agent, day: str) -> dict[str, list[str]]:
    """The seats of each group: the last row of each booking counts."""
    last = {row[0]: row for row in read_whole_sheet(agent, "bookings.xlsx", "Bookings")[1:]}
    seats: dict[str, list[str]] = {}
    for _, evening, group, text, state in last.values():
        if str(evening)[:10] == day and state == "confirmed":
            for letter, first, end in re.findall(r"([A-Z])(\d+)(?:-[A-Z](\d+))?", text):
                named = range(int(first), int(end or first) + 1)
                seats.setdefault(group, []).extend(f"{letter}{number}" for number in named)
    return seats


def _shape(kind: str, box: Sequence[float], color: str, fill: str, width: int) -> dict[str, Any]:
    points = [[box[0] + 3, box[1] + 3], [box[2] - 3, box[3] - 3]]
    return {"kind": kind, "points": points, "color": color, "fill": fill, "width_px": width}


def _solved(agent: Agent, mark: Any, columns: int = 1) -> str:
    plan, colors, seats, box_of, free = _read(agent)
    info = agent.call("get_image_info", path=plan)
    marks = [shape for group, named in seats.items() for seat in named for shape in mark(box_of[seat], colors[group])]
    places = {
        group: (100 + 420 * (at % columns), info["height_px"] - 150 + 44 * (at // columns))
        for at, group in enumerate(seats)
    }
    marks += [
        _shape("box", (x, y, x + 30, y + 30), colors[group], colors[group], 2) for group, (x, y) in places.items()
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
