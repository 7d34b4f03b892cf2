"""A plan of a floor with seats by colour, teams that need room, and ways that they have to walk."""

import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any

from yardkit.state_init.material import fill_in
from yardkit.state_init.names import make_people
from yardkit.state_init.rendering import save_image
from yardkit.state_init.sight.floor_plan_seats.floor_plans import CORNER_PX, METRE_PX, MOST_SEATS, Room, floor_plan
from yardkit.state_init.workbooks import Book, make_single_sheet
from yardkit.world import World

COLORS = {"free": (40, 168, 72), "taken": (204, 44, 40), "visitors": (38, 92, 204)}
TEAMS = ("Billing", "Claims", "Design", "Events", "Facilities", "Grants", "Hotline", "Imports")
NEEDS = ("quiet", "daylight", "door lock")
TEAM_COUNT = 4


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the plan and write who has to sit where; the facts hold the seats and the best places of the teams."""
    while True:
        rooms, offers, closed = _make_rooms(rng), *_make_offers(rng)
        teams, ways = _make_teams(rng), {}
        separated_teams = tuple(rng.sample(sorted(teams), 2))
        ways = {team: [rng.randint(8, 95) for _ in rooms] for team in teams}
        open_seats = [0 if place == closed else room.seats.count("free") for place, room in enumerate(rooms)]
        best = _find_best_plan(teams, ways, open_seats, offers, separated_teams)
        if best and _is_hard(best, rooms, teams, ways, open_seats, offers, separated_teams):
            break
    _write_files(world, rng, rooms, offers, closed, teams, ways, separated_teams)
    cost, places = best
    room_of = {team: rooms[place].name for team, place in zip(teams, places, strict=True)}
    moved = {room.name: sum(size for team, (size, _) in teams.items() if room_of[team] == room.name) for room in rooms}
    return {
        "rooms": [
            {"Room": room.name, **{kind.title(): room.seats.count(kind) for kind in COLORS},
             "Left": room.seats.count("free") - moved[room.name]}
            for room in rooms
        ],
        "teams": [{"Team": team, "People": size, "Room": room_of[team]} for team, (size, _) in teams.items()],
        "metres": cost,
        "visitors": sum(room.seats.count("visitors") for room in rooms),
    }  # fmt: skip


Best = tuple[int, tuple[int, ...]]
Teams = Mapping[str, tuple[int, str]]


def _make_rooms(rng: random.Random) -> list[Room]:
    """Three rooms on each side of a corridor."""
    new_rooms = []
    for row, top in enumerate((0.0, 9.0)):
        first, second = rng.choice((7.5, 8.0, 8.5)), rng.choice((7.5, 8.0, 8.5))
        left = 0.0
        for place, width in enumerate((first, second, 24 - first - second)):
            seats = rng.choices(sorted(COLORS), (5, 6, 2), k=rng.randint(4, MOST_SEATS))
            new_rooms.append(Room(f"Room 2.{3 * row + place + 1:02d}", (left, top, width, 6.0), seats))
            left += width
    return new_rooms


def _make_offers(rng: random.Random) -> tuple[list[list[str]], int]:
    """What each room offers, and which one is closed."""
    return [sorted(rng.sample(NEEDS, rng.choice((1, 2, 2)))) for _ in range(6)], rng.randrange(6)


def _make_teams(rng: random.Random) -> dict[str, tuple[int, str]]:
    """How many people a team has, and what it needs."""
    names = sorted(rng.sample(TEAMS, TEAM_COUNT))
    return {name: (rng.randint(2, 4), rng.choice((*NEEDS, ""))) for name in names}


def _find_best_plan(
    teams: Teams,
    ways: Mapping[str, Sequence[int]],
    seats: Sequence[int],
    offers: Sequence[Sequence[str]],
    separated_teams: Sequence[str],
) -> Best | None:
    """The shortest way of all people together, and the room of each team; none where two ways are as short."""
    names, candidate_plans = list(teams), []
    for places in itertools.product(range(len(seats)), repeat=len(names)):
        chosen = dict(zip(names, places, strict=True))
        taken = [sum(teams[name][0] for name in names if chosen[name] == place) for place in range(len(seats))]
        fits = all(used <= room for used, room in zip(taken, seats, strict=True))
        served = all(not teams[name][1] or teams[name][1] in offers[chosen[name]] for name in names)
        if fits and served and (not separated_teams or chosen[separated_teams[0]] != chosen[separated_teams[1]]):
            candidate_plans.append((sum(teams[name][0] * ways[name][chosen[name]] for name in names), places))
    candidate_plans.sort()
    return candidate_plans[0] if len(candidate_plans) > 1 and candidate_plans[0][0] < candidate_plans[1][0] else None


def _is_hard(
    best: Best, rooms: Sequence[Room], teams: Teams, ways: Any, seats: Sequence[int], offers: Any, separated_teams: Any
) -> bool:
    """Whether each thing that may be overlooked leads to other rooms."""
    every = [room.seats.count("free") for room in rooms]
    with_visitors = [
        len(room.seats) - room.seats.count("taken") if free else 0 for room, free in zip(rooms, seats, strict=True)
    ]
    slips = (
        (teams, every, offers, separated_teams),
        (teams, with_visitors, offers, separated_teams),
        ({name: (size, "") for name, (size, _) in teams.items()}, seats, offers, separated_teams),
        (teams, seats, offers, ()),
    )
    others = [_find_best_plan(crew, ways, room, gives, team_pair) for crew, room, gives, team_pair in slips]
    return sum(other is None or other[1] != best[1] for other in others) >= 3


def _write_files(
    world: World, rng: random.Random, rooms: Sequence[Room], offers: Sequence[Sequence[str]], closed: int,
    teams: Teams, ways: Mapping[str, Sequence[int]], separated_teams: Sequence[str],
) -> None:  # fmt: skip
    save_image(floor_plan("Second floor, March 2026", rooms, COLORS, rng), world.files / "plan_2026-03.png")
    older = [Room(room.name, room.box_m, rng.sample(list(room.seats), len(room.seats) - 1)) for room in rooms]
    save_image(floor_plan("Second floor, September 2025", older, COLORS, rng), world.files / "plan_2025-09.png")
    book = Book(world.now, title="Rooms", author=make_people(rng, 1)[0].name)
    rows: list[list[Any]] = [
        [room.name, *room.box_m, ", ".join(offer), "closed until May" if place == closed else "open"]
        for place, (room, offer) in enumerate(zip(rooms, offers, strict=True))
    ]
    book.sheet("Rooms", [["Room", "Left m", "Top m", "Width m", "Depth m", "Offers", "State"], *rows])
    walks: list[list[Any]] = [
        ["Team", *(room.name for room in rooms)],
        *([team, *metres] for team, metres in ways.items()),
    ]
    book.sheet("Ways", walks)
    book.save(world.files / "rooms.xlsx")
    rows = [["Team", "People", "Needs"], *([name, size, need or "-"] for name, (size, need) in teams.items())]
    make_single_sheet("Teams", rows, world.now, title="Teams that move").save(world.files / "teams.xlsx")
    x, y = CORNER_PX
    fill_in(world, "moving_rules.md", one=separated_teams[0], other=separated_teams[1], x=x, y=y, scale=METRE_PX)
