"""The plan is held against offers and wishes, the page against the plan; any plan with the most points is right."""

from collections import Counter
from collections.abc import Iterator

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Kind, Names, Number, Row, Table, Text
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.submission import Submission

BOOK, PAGE = "generated/plan.xlsx", "generated/plan.html"
NUMBER = Number(typed=True)
PLACES: dict[str, Kind] = {"Name": Text(), "Workshop": Text(), "Slot": Text(), "Room": Text()}
PLACES |= {"Price": NUMBER, "Points": NUMBER}
PLAN = Table(BOOK, "*", PLACES, ("Name",), lambda facts: [{"Name": name} for name in facts["worth"]])
MEMBERS: dict[str, Kind] = {"Workshop": Text(), "Slot": Text(), "Room": Text(), "Members": Names(), "Free": Number()}
WORKSHOPS = Table(PAGE, "", MEMBERS, ("Workshop",), lambda _facts: [])
AMOUNTS: dict[str, Kind] = {"Workshop": Text(), "People": Number(), "Price": Number(), "Amount": Number()}
COSTS = Table(PAGE, "", AMOUNTS, ("Workshop",), lambda _facts: [])


def _list_planned(submission: Submission, facts: Facts) -> Iterator[tuple[Row, str, int]]:
    """Each row of the plan with the code of its workshop, and what that is worth; 0 where it is not possible."""
    worth = {simplify_text(name): points for name, points in facts["worth"].items()}
    for row in PLAN.read_rows(submission):
        code = simplify_text(str(row["Workshop"])).upper()
        yield row, code, worth.get(PLAN.name(row), {}).get(code, 0)


def _check_possible(submission: Submission, facts: Facts) -> Finding:
    wrong = [f"{PLAN.name(row)}: {code}" for row, code, points in _list_planned(submission, facts) if not points]
    return make_finding(not wrong, f"not possible: {wrong[:6]}")


def _check_sizes(submission: Submission, facts: Facts) -> Finding:
    counts = Counter(code for _, code, _ in _list_planned(submission, facts))
    over = [code for code, count in counts.items() if count > facts["offers"].get(code, {"places": 0})["places"]]
    return make_finding(bool(counts) and not over, f"members {dict(counts)}; too many: {over}")


def _check_best(submission: Submission, facts: Facts) -> Finding:
    """The points of those who are planned once, as long as nobody is too many."""
    once = {PLAN.name(row): points for row, _, points in _list_planned(submission, facts)}
    fits, total = _check_sizes(submission, facts).outcome == "pass", sum(once.values())
    return make_finding(
        fits and total == facts["best"], f"{total} points, {facts['best']} can be reached; it fits: {fits}"
    )


def _list_details(submission: Submission, facts: Facts) -> Iterator[Row]:
    nothing = {"slot": "", "room": "", "price": 0}
    for row, code, points in _list_planned(submission, facts):
        offer = facts["offers"].get(code, nothing)
        values = (row["Name"], code, offer["slot"], offer["room"], offer["price"], points)
        yield dict(zip(PLACES, values, strict=True))


def _list_members(submission: Submission, facts: Facts) -> Iterator[Row]:
    for code, offer in facts["offers"].items():
        names = [str(row["Name"]) for row, other, _ in _list_planned(submission, facts) if other == code]
        values = (code, offer["slot"], offer["room"], ",".join(names), offer["places"] - len(names))
        yield dict(zip(MEMBERS, values, strict=True))


def _list_costs(submission: Submission, facts: Facts) -> list[Row]:
    counts = Counter(code for _, code, _ in _list_planned(submission, facts))
    rows = [
        (code, counts[code], offer["price"], counts[code] * offer["price"]) for code, offer in facts["offers"].items()
    ]
    total = {"Workshop": "Total", "People": counts.total(), "Amount": sum(row[3] for row in rows)}
    return [*(dict(zip(AMOUNTS, row, strict=True)) for row in rows), total]


CHECKS = make_group(
    "workshop_plan",
    "The members have their workshops",
    make_group(
        "plan",
        "The plan is possible, and the best one",
        leaves.check_rows("everyone", "Each member has one place", PLAN, weight=2),
        make_checkpoint(
            "possible",
            "No member is where they cannot or do not want to be",
            _check_possible,
            covers=PLAN.covers,
            weight=2,
        ),
        make_checkpoint("fits", "No workshop has more members than places", _check_sizes, covers=PLAN.covers, weight=2),
        make_checkpoint("best", "No plan has more points", _check_best, covers=PLAN.covers, weight=3),
        leaves.check_agreement(
            "details", "Slots, rooms, prices and points are those of the places", PLAN, _list_details
        ),
        leaves.in_order("sorted", "The rows are sorted by name", PLAN, "Name", weight=0.5),
        weight=5,
    ),
    make_group(
        "page",
        "The page says what the plan says",
        leaves.check_agreement(
            "members", "The members of each workshop, and the free places", WORKSHOPS, _list_members, weight=2
        ),
        leaves.check_agreement("costs", "What each workshop brings in, with the total", COSTS, _list_costs, weight=2),
        leaves.check_outline(
            "headings", "Title and headings are real ones", PAGE, lambda _: [(1, "Workshops"), (1, "Costs")]
        ),
        leaves.check_neatness("neat", "Nothing runs over the edge on a telephone or a screen", PAGE),
        weight=4,
    ),
    leaves.answer_number("The answer says the points", lambda facts: facts["best"], weight=0.5),
    leaves.nothing_else("generated/", weight=0.5),
)
