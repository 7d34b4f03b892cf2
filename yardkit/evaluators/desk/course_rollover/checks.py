"""The new course has last year's assignments, due by the new calendar, with links that lead somewhere."""

import re
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Records
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.submission import Submission

ASSIGNMENTS, ITEMS = Records("courses", "assignments", ("kinds", "extensions")), Records("courses", "module_items")
FIELDS = ("name", "due", "points", "kinds")
DEFAULT_FIELDS: dict[str, object] = {"extensions": [], "quiz_id": None, "rubric_id": None}


def _check_texts(submission: Submission, facts: Facts) -> Finding:
    """What each copy says, and just its link."""
    new = {row["name"]: str(row["description"]) for row in _list_new(ASSIGNMENTS, submission)}
    problems = [
        f"{copy['name']}: {new.get(copy['name'])!r}"
        for copy in facts["copies"]
        if not _is_right_text(new.get(copy["name"], ""), copy)
    ]
    return make_finding(not problems, "; ".join(problems) or "all texts are right")


def _is_right_text(text: str, copy: Facts) -> bool:
    links = {link.rstrip(".,") for link in re.findall(r"https?://[^\s'\"<>)]+", text)}
    text_without_tags = simplify_text(re.sub(r"<[^>]*>", " ", text))
    return (
        links == ({copy["link"]} - {""})
        and simplify_text(copy["told"]) in text_without_tags
        and ("read" in text_without_tags) == bool(copy["link"])
    )


def _check_module_items(submission: Submission, facts: Facts) -> Finding:
    ids = {row["id"]: row["name"] for row in _list_new(ASSIGNMENTS, submission)}
    module_items = sorted(
        (row["module_id"], str(ids.get(row["content_id"])), row["title"], row["kind"], row["url"], row["must_be_done"])
        for row in _list_new(ITEMS, submission)
    )
    expected_items = sorted(
        (copy["module"], copy["name"], copy["name"], "assignment", "", 0) for copy in facts["copies"]
    )
    return make_finding(module_items == expected_items, f"{module_items}, expected {expected_items}")


def _list_new(records: Records, submission: Submission) -> list[dict[str, Any]]:
    known = {row["id"] for row in records.read_rows(submission.untouched)}
    return [row for row in records.read_rows(submission) if row["id"] not in known]


CHECKS = make_group(
    "course_rollover",
    "Last year's course is ready for the new term",
    leaves.check_records(
        *("copied", "Each assignment that is not old is there once, with its deadline", ASSIGNMENTS),
        lambda facts: [
            {name: copy[name] for name in FIELDS}
            | DEFAULT_FIELDS
            | {"course_id": facts["course"], "group_id": facts["group"]}
            for copy in facts["copies"]
        ],
        added=True,
        weight=4,
    ),
    leaves.check_records(
        *("published", "Students see the first two weeks and the registrar's dates", ASSIGNMENTS),
        lambda facts: [{name: copy[name] for name in ("name", "published")} for copy in facts["copies"]],
        added=True,
        weight=2,
    ),
    make_checkpoint(
        "texts", "Texts are as they were, and links lead on", _check_texts, covers=ASSIGNMENTS.covers, weight=2
    ),
    make_checkpoint(
        "placed",
        "Each is in its module",
        _check_module_items,
        covers=(*ITEMS.covers, "bystander:courses/module_items"),
    ),
    leaves.check_unchanged_records("courses:assignments+", "courses:module_items+"),
    leaves.nothing_else(),
)
