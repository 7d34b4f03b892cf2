"""The new course has last year's assignments, due by the new calendar, with links that lead somewhere."""

import re
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Records
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.submission import Submission

ASSIGNMENTS, ITEMS = Records("courses", "assignments", ("kinds", "extensions")), Records("courses", "module_items")
FIELDS = ("name", "due", "points", "kinds")
PLAIN: dict[str, object] = {"extensions": [], "quiz_id": None, "rubric_id": None}


def _texts(submission: Submission, facts: Facts) -> Finding:
    """What each copy says, and just its link."""
    new = {row["name"]: str(row["description"]) for row in _new(ASSIGNMENTS, submission)}
    odd = [
        f"{copy['name']}: {new.get(copy['name'])!r}"
        for copy in facts["copies"]
        if not _right(new.get(copy["name"], ""), copy)
    ]
    return finding(not odd, "; ".join(odd) or "all texts are right")


def _right(text: str, copy: Facts) -> bool:
    links = {link.rstrip(".,") for link in re.findall(r"https?://[^\s'\"<>)]+", text)}
    plain = fold(re.sub(r"<[^>]*>", " ", text))
    return links == ({copy["link"]} - {""}) and fold(copy["told"]) in plain and ("read" in plain) == bool(copy["link"])


def _placed(submission: Submission, facts: Facts) -> Finding:
    ids = {row["id"]: row["name"] for row in _new(ASSIGNMENTS, submission)}
    found = sorted(
        (row["module_id"], str(ids.get(row["content_id"])), row["title"], row["kind"], row["url"], row["must_be_done"])
        for row in _new(ITEMS, submission)
    )
    wanted = sorted((copy["module"], copy["name"], copy["name"], "assignment", "", 0) for copy in facts["copies"])
    return finding(found == wanted, f"{found}, expected {wanted}")


def _new(records: Records, submission: Submission) -> list[dict[str, Any]]:
    known = {row["id"] for row in records.found(submission.untouched)}
    return [row for row in records.found(submission) if row["id"] not in known]


CHECKS = group(
    "course_rollover",
    "Last year's course is ready for the new term",
    leaves.records(
        *("copied", "Each assignment that is not old is there once, with its deadline", ASSIGNMENTS),
        lambda facts: [
            {name: copy[name] for name in FIELDS} | PLAIN | {"course_id": facts["course"], "group_id": facts["group"]}
            for copy in facts["copies"]
        ],
        added=True,
        weight=4,
    ),
    leaves.records(
        *("published", "Students see the first two weeks and the registrar's dates", ASSIGNMENTS),
        lambda facts: [{name: copy[name] for name in ("name", "published")} for copy in facts["copies"]],
        added=True,
        weight=2,
    ),
    leaf("texts", "Texts are as they were, and links lead on", _texts, observes=ASSIGNMENTS.observes, weight=2),
    leaf("placed", "Each is in its module", _placed, observes=(*ITEMS.observes, "bystander:courses/module_items")),
    leaves.kept_records("courses:assignments+", "courses:module_items+"),
    leaves.nothing_else(),
)
