"""Each work has the points that the rules leave it, late ones say why, and course and teacher know."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.submission import Submission

SUBMISSIONS = Records("courses", "submissions", ("comments",))
ENTERED = ("score", "grade", "graded", "grader_id")


def _list_expected_mails(facts: Facts) -> list[Facts]:
    never = [name for name in facts["names"] if name not in facts["zero"]]
    return [{"to": [facts["teacher"]], "says": [facts["prompt"]["work"], *facts["zero"]], "never": never}]


def _list_missing_records(facts: Facts) -> list[dict[str, object]]:
    """Records of those who have handed in nothing, by what is entered."""
    empty = {"assignment_id": facts["assignment"], "submitted": None, "comments": [], "attempt": 0}
    zero = [{"user_id": facts[name], "score": 0.0, "excused": 0} for name in ("nothing", "nothing_either")]
    return [empty | record for record in (*zero, {"user_id": facts["excused"], "score": None, "excused": 1})]


def _check_comments(submission: Submission, facts: Facts) -> Finding:
    before = {row["id"]: row["comments"] for row in SUBMISSIONS.read_rows(submission.untouched)}
    now, problems = {row["id"]: row["comments"] for row in SUBMISSIONS.read_rows(submission)}, []
    for name, grade in facts["grades"].items():
        old, new_comments = before[grade["id"]], now.get(grade["id"], [])
        new = [str(comment.get("text")) for comment in new_comments[len(old) :]]
        right = len(new) == 1 and _states_deduction(new[0], grade, facts) if grade["off"] else not new
        problems += [] if right and new_comments[: len(old)] == old else [f"{name}: {new} for {grade}"]
    return make_finding(not problems, "; ".join(problems) or "all comments are right")


def _states_deduction(text: str, grade: Facts, facts: Facts) -> bool:
    """The days, and the points that they cost; other days and points are those of the rules and the work."""
    days = {int(number) for number in re.findall(r"(\d+)[ -](?:\w+ )?days?\b", simplify_text(text))}
    points = {float(number) for number in re.findall(r"(\d+(?:\.\d+)?)[ -]?(?:points?|pts?)\b", simplify_text(text))}
    numbers = {
        abs(float(number)) for number in find_numbers(re.sub(r"\d+[ -](?:\w+ )?days?\b", "", simplify_text(text)))
    }
    known = {grade["off"], grade["mark"], grade["score"], facts["worth"], facts["per_day"]}
    return grade["days"] in days <= {grade["days"], facts["most"]} and points <= known and grade["off"] in numbers


def _list_entered_fields(facts: Facts) -> tuple[str, ...]:
    grades = facts["grades"].values()
    fields = [f"courses:submissions#{grade['id']}.{name}" for grade in grades for name in ENTERED]
    return (*fields, *(f"courses:submissions#{grade['id']}.comments" for grade in grades if grade["off"]))


CHECKS = make_group(
    "late_policy",
    "The grades of the assignment are out, by the rules for late work",
    leaves.check_records(
        *("grades", "Each work has its mark less what its days cost", SUBMISSIONS),
        lambda facts: [
            {"id": grade["id"], "score": grade["score"], "excused": 0} for grade in facts["grades"].values()
        ],
        where=lambda row, facts: row["id"] in {grade["id"] for grade in facts["grades"].values()},
        weight=5,
    ),
    leaves.check_records(
        *("missing", "Of those without work two have 0 points, and one is excused", SUBMISSIONS, _list_missing_records),
        added=True,
        weight=2,
    ),
    make_checkpoint(
        "comments", "What lost points says how late it was", _check_comments, covers=SUBMISSIONS.covers, weight=2
    ),
    leaves.check_announcement(
        *("announced", "The course knows the mean, and no names"),
        lambda facts: {
            "course": facts["course"],
            "title": f"Grades of {facts['prompt']['work']}",
            "number": facts["mean"],
            "never": facts["names"],
        },
        weight=1.5,
    ),
    Mails(_list_expected_mails).check_sent("sent", "The teacher has one mail, and no one else has any"),
    Mails(_list_expected_mails).says("says", "It names the students with 0 points, and no one else"),
    leaves.check_unchanged_records(
        "courses:submissions+", "courses:topics+", "mail:sent", "mail:answers", also=_list_entered_fields
    ),
    leaves.nothing_else(),
)
