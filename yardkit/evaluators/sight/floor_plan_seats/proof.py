"""Solutions and near misses of sight/floor_plan_seats."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import read_full_sheet, write_book

BOOK = "seating.xlsx"
PLAN = "plan_2026-03.png"
SEATS = {"Free": "green", "Taken": "red", "Visitors": "blue"}
HEAD = ["Room", *SEATS, "Left"]
Rows = list[list[Any]]


def solve(agent: Agent) -> str:
    """Count discs by colour room by room, then solve a linear problem in whole numbers."""
    rooms, teams, metres = _plan_seats(agent)
    write_book(agent, BOOK, {"Rooms": [HEAD, *rooms], "Teams": [["Team", "People", "Room"], *teams]})
    return f"{metres}"


def alternative_with_formulas_and_in_another_order(agent: Agent, files: Path) -> str:
    """What is left as a formula, rooms from the last to the first, saved again by openpyxl."""
    rooms, teams, metres = _plan_seats(agent)
    for number, row in enumerate(reversed(rooms), 2):
        row[4] = f"=B{number}-SUMIF(Teams!C:C,A{number},Teams!B:B)"
    write_book(agent, BOOK, {"Teams": [["Team", "People", "Room"], *teams], "Rooms": [HEAD, *rooms[::-1]]})
    with open_edited(files / BOOK):
        pass
    return f"All together they walk\n**{metres:,} metres**"


def alternative_names_in_capitals(agent: Agent, files: Path) -> str:
    """Letter case does not matter, nor does a sheet more with notes."""
    answer = solve(agent)
    with open_edited(files / BOOK) as book:
        for row in book["Teams"].iter_rows(min_row=2):
            row[2].value = row[2].value.upper()
        book.create_sheet("Notes").append(["The room that is closed was left out."])
    return answer


in_rooms, in_teams = (misses.InSheet(BOOK, name) for name in ("Rooms", "Teams"))
near_miss_plants_counted_as_free = in_rooms.column("Free", lambda count: count + 1, caught_by="free")
near_miss_a_visitor_seat_taken_for_a_free_one = in_rooms.column(
    "Visitors", lambda count: count - 1, where=lambda row: row["Visitors"], caught_by="others"
)
near_miss_two_teams_changed_over = in_teams.column(
    "Room",
    lambda room, _row, work: next(team["Room"] for team in work.facts["teams"] if team["Room"] != room),
    caught_by="places",
)
near_miss_seats_left_not_computed = in_rooms.column("Left", lambda _left, row, _work: row["Free"], caught_by="left")
near_miss_team_left_out = in_teams.row_gone(caught_by="each_team")
near_miss_closed_room_left_out = in_rooms.row_gone(caught_by="each_room", where=lambda row: row["Left"] == row["Free"])
near_miss_metres_of_one_person_of_each_team = misses.change_answer(lambda work: work.facts["metres"] // 3)
near_miss_older_plan_deleted = misses.delete_file("plan_2025-09.png")


def _plan_seats(agent: Agent) -> tuple[Rows, Rows, int]:
    """The rows of both sheets, and the metres."""
    rules = str(agent.call("read_file", path="moving_rules.md")["content"])
    names, states, offers, seats = _read_rooms(agent, rules)
    head, *ways = read_full_sheet(agent, "rooms.xlsx", "Ways")
    teams = read_full_sheet(agent, "teams.xlsx", "Teams")[1:]
    separated_pairs = re.findall(r"(\w+) and (\w+) do not sit", rules)[0]
    walks = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in ways}
    variables, limits, terms = [], [], []
    for number, (team, size, need) in enumerate(teams):
        own = [place for place in range(6) if states[place] == "open" and (need == "-" or need in offers[place])]
        variables += [(number, place) for place in own]
        limits.append(" + ".join(f"x{number}{place}" for place in own) + " = 1")
        terms += [f"{size * walks[team][names[place]]}*x{number}{place}" for place in own]
    for place in range(6):
        here = [number for number, other in variables if other == place]
        if here:
            limits.append(" + ".join(f"{teams[n][1]}*x{n}{place}" for n in here) + f" <= {seats[place][0]}")
        if sum(teams[number][0] in separated_pairs for number in here) == 2:
            limits.append(" + ".join(f"x{n}{place}" for n in here if teams[n][0] in separated_pairs) + " <= 1")
    best = _solve(agent, " + ".join(terms), [f"x{number}{place}" for number, place in variables], limits)
    at = {number: place for number, place in variables if best[f"x{number}{place}"] > 0.5}
    moved = [sum(teams[number][1] for number in at if at[number] == place) for place in range(6)]
    rooms = [[name, *counts, counts[0] - used] for name, counts, used in zip(names, seats, moved, strict=True)]
    placed = [[team, size, names[at[number]]] for number, (team, size, _) in enumerate(teams)]
    return rooms, placed, sum(size * walks[team][room] for team, size, room in placed)


def _read_rooms(agent: Agent, rules: str) -> tuple[list[str], list[str], list[str], list[list[int]]]:
    """Names, states, offers, and how many seats of each kind there are, room by room."""
    scale, left, top = map(int, re.findall(r"metre is (\d+) pixels.* lies (\d+) pixels .* and (\d+)", rules)[0])
    rows = read_full_sheet(agent, "rooms.xlsx", "Rooms")[1:]
    seats = []
    for row in rows:
        x, y, width, depth = (round(float(side) * scale) for side in row[1:5])
        box = [left + x, top + y, left + x + width, top + y + depth]
        seats.append([_count_circles(agent, box, color) for color in SEATS.values()])
    return [row[0] for row in rows], [row[6] for row in rows], [row[5] for row in rows], seats


def _count_circles(agent: Agent, box: Sequence[int], color: str) -> int:
    return int(agent.call("count_objects", path=PLAN, color=color, contour="circle", bbox_px=list(box))["count"])


def _solve(agent: Agent, objective: str, variables: Sequence[str], limits: Sequence[str]) -> Mapping[str, float]:
    given = {
        "objective": objective,
        "variables": [{"name": name, "lower": 0, "upper": 1, "integer": True} for name in variables],
        "constraints": list(limits),
    }
    seats_by_variable: Mapping[str, float] = agent.call("optimize_function", **given)["point"]
    return seats_by_variable
