"""What stood at the end of the meeting is in the minutes and in the list of actions, and nothing else."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Date, Table, Text
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.office.documents import read_document
from yardkit.evaluators.submission import Submission

MINUTES, BOOK = "minutes.docx", "actions.xlsx"
ACTIONS = Table(
    BOOK,
    "Actions",
    {"Topic": Text(), "Owner": Text(), "Due": Date()},
    ("Topic",),
    lambda facts: sorted(facts["actions"], key=lambda action: action["Due"]),
)
OBSERVED = tuple(f"{kind}:{MINUTES}" for kind in ("file", "body", "paragraphs", "rows"))


def _list_points(submission: Submission, heading: str) -> list[str]:
    """The paragraphs and rows of tables below a heading."""
    points: list[str] = []
    here = False
    for block in read_document(submission, MINUTES).blocks:
        text = getattr(block, "text", "")
        if getattr(block, "level", None):
            here = simplify_text(text) == simplify_text(heading)
        elif here:
            points += [text] if text else [" ".join(row) for row in getattr(block, "rows", ())]
    return [point for point in map(simplify_text, points) if point]


def _check_decisions(submission: Submission, facts: Facts) -> Finding:
    """Each topic has one point with its number; there is no other point, and no other number."""
    points = _list_points(submission, "Decisions")
    wrong = []
    for topic, _, amount in facts["decisions"]:
        own = [point for point in points if simplify_text(topic) in point]
        if len(own) != 1 or find_numbers(own[0]) != [amount]:
            wrong.append(f"{topic}: {own}, expected {amount}")
    return make_finding(
        len(points) == len(facts["decisions"]) and not wrong, f"{len(points)} points; {wrong or 'all right'}"
    )


def _check_withdrawn(submission: Submission, facts: Facts) -> Finding:
    points = _list_points(submission, "Withdrawn")
    named = [
        topic
        for topic, *_ in (*facts["decisions"], facts["dropped"])
        if any(simplify_text(topic) in point for point in points)
    ]
    return make_finding(named == [facts["dropped"][0]], f"withdrawn: {named}, expected {facts['dropped'][0]}")


CHECKS = make_group(
    "meeting_minutes",
    "The meeting is recorded",
    make_group(
        "minutes",
        "The minutes hold what was decided",
        make_checkpoint(
            "decisions",
            "Each valid decision has a point with its number",
            _check_decisions,
            covers=OBSERVED,
            weight=3,
        ),
        make_checkpoint(
            "withdrawn", "The decision that was taken back is named", _check_withdrawn, covers=OBSERVED, weight=2
        ),
        leaves.check_headings(
            "headings", "There are just the two headings", MINUTES, lambda _facts: [(1, "Decisions"), (1, "Withdrawn")]
        ),
        weight=3,
    ),
    make_group(
        "actions",
        "The actions are listed",
        leaves.check_rows(
            "each_once", "Each valid decision has one row, the earliest first", ACTIONS, ordered=True, weight=2
        ),
        leaves.check_cells("owners", "Each has its owner", ACTIONS, "Owner", weight=2),
        leaves.check_cells(
            "days", "Each has its last day, as a real date", ACTIONS, "Due", covers=ACTIONS.formats, weight=2
        ),
        leaves.check_headers("layout", "The sheet is laid out as asked", ACTIONS, weight=0.5),
        weight=3,
    ),
    leaves.answer_number("The answer is the amount that may be spent", lambda facts: facts["euros"]),
    leaves.nothing_else(MINUTES, BOOK),
)
