"""Leaves about announcements to a course."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.leaves.records import Records
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.submission import Submission

_TOPICS = Records("courses", "topics")


def check_announcement(
    id: str,
    statement: str,
    expected: Callable[[Facts], Mapping[str, Any]],
    *,
    tolerance: float = 0.0501,
    weight: float = 1.0,
) -> Checkpoint:
    """There is exactly one new announcement, it is visible at once, and it is the expected one.

    Args:
        id: the id of the leaf.
        statement: the sentence for the report.
        expected: ``course`` (its number), ``title`` (letter case is free), and any of ``says`` (texts in it),
            ``number`` (the only number in it that is not an integer), ``never`` (texts that it must not contain).
        tolerance: the allowed difference of the number; by default, rounding to one decimal.
        weight: the weight of the leaf.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        known = {row["id"] for row in _TOPICS.read_rows(submission.untouched)}
        new = [row for row in _TOPICS.read_rows(submission) if row["id"] not in known]
        problems = [text for row in new for text in _list_problems(row, expected(facts), tolerance)]
        return make_finding(
            len(new) == 1 and not problems, "; ".join(problems) or f"{len(new)} new announcements, expected 1"
        )

    return make_checkpoint(id, statement, check, covers=(*_TOPICS.covers, "bystander:courses/topics"), weight=weight)


def _list_problems(topic: Mapping[str, Any], want: Mapping[str, Any], tolerance: float) -> Iterator[str]:
    where = topic["course_id"], topic["announcement"], topic["published"], topic["shows"], topic["file_id"]
    if where != (want["course"], 1, 1, None, None):
        yield f"course, announcement, published, shows, file: {where}"
    if simplify_text(str(topic["title"])) != simplify_text(want["title"]):
        yield f"the title is {topic['title']!r}"
    text = re.sub(r"<[^>]*>", " ", str(topic["message"]))
    decimals = [float(number) for number in find_numbers(text) if "." in str(number)]
    off = [abs(number - want.get("number", number)) > tolerance for number in decimals]
    if "number" in want and (all(off) or any(far and number % 1 for far, number in zip(off, decimals, strict=True))):
        yield f"it says {decimals}, expected {want['number']:.3f}"
    yield from (f"it lacks {part!r}" for part in want.get("says", ()) if simplify_text(part) not in simplify_text(text))
    yield from (f"it says {part!r}" for part in want.get("never", ()) if simplify_text(part) in simplify_text(text))
