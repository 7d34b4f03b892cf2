"""The seats of each room by kind, a room for each team that keeps all rules, and the fewest metres."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import Number, Table, Text

BOOK = "seating.xlsx"
COUNT = Number(0.0, typed=True)
ROOMS = Table(
    BOOK,
    "Rooms",
    {"Room": Text(), "Free": COUNT, "Taken": COUNT, "Visitors": COUNT, "Left": COUNT},
    ("Room",),
    lambda facts: facts["rooms"],
)
TEAMS = Table(BOOK, "Teams", {"Team": Text(), "People": COUNT, "Room": Text()}, ("Team",), lambda facts: facts["teams"])

CHECKS = make_group(
    "floor_plan_seats",
    "The teams have their rooms",
    make_group(
        "plan",
        "The plan is read",
        leaves.check_rows("each_room", "Each room has one row", ROOMS),
        leaves.check_cells("free", "Free seats are counted", ROOMS, "Free", weight=2),
        leaves.check_cells(
            "others", "Seats that are taken or kept for visitors are counted", ROOMS, "Taken", "Visitors", weight=2
        ),
        weight=3,
    ),
    make_group(
        "move",
        "The teams move in",
        leaves.all_of(
            "each_team",
            "Each team has one row",
            leaves.check_rows("", "", TEAMS),
            leaves.check_cells("", "", TEAMS, "People"),
        ),
        leaves.check_cells("places", "Each team has its room", TEAMS, "Room", weight=3),
        leaves.check_cells("left", "The remaining seats are right", ROOMS, "Left"),
        weight=3,
    ),
    leaves.check_headers("layout", "The sheets are laid out as asked", ROOMS, TEAMS, weight=0.5),
    leaves.answer_number("The answer is the metres of all people", lambda facts: facts["metres"], weight=2),
    leaves.nothing_else(BOOK),
)
