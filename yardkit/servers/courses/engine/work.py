"""Assignments, what was handed in, and what it is worth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from yardkit.apps.courses import (
    Assignment,
    AssignmentGroup,
    Attempt,
    Enrolment,
    File,
    ModuleItem,
    Quiz,
    Rubric,
    Submission,
    SubmissionKind,
    User,
)
from yardkit.apps.store import drop_missing
from yardkit.servers.courses.engine.school_view import Campus, in_utc, require_storable_text
from yardkit.world import Problem

MAX_POINTS = 1_000_000


@dataclass(frozen=True)
class Grade:
    """What somebody has in a course. percent: of the points that are graded; null where nothing is."""

    user_id: int
    name: str
    points: float
    possible: float
    percent: float | None
    missing: int
    late: int


def find_assignments(campus: Campus, course_id: int, query: str = "") -> list[Assignment]:
    """The assignments of a course in whose name or text each word stands, by their deadlines."""
    campus.get_course(course_id)
    words = query.casefold().split()
    matching_assignments = [
        assignment
        for assignment in campus.all(Assignment, course_id=course_id)
        if campus.is_visible(assignment, course_id)
        and all(word in f"{assignment.name} {assignment.description}".casefold() for word in words)
    ]
    return sorted(matching_assignments, key=lambda assignment: (assignment.due or "9", assignment.id))


def save_assignment(
    campus: Campus, course_id: int, assignment_id: int | None = None, *, clear: Sequence[str] = (), **values: Any
) -> Assignment:
    """A new assignment, or what is given changed of one; the fields of `clear` are emptied.

    Raises:
        Problem: there is none, the person may not, or a new one has no name.
    """
    campus.require_teacher(course_id)
    require_storable_text("the description", values.get("description") or "")
    points = values.get("points")
    if points is not None and not 0 <= points <= MAX_POINTS:
        raise Problem(f"{points} is not a valid number of points; use 0 to {MAX_POINTS:,}")
    if values.get("group_id"):
        campus.get_course_record(AssignmentGroup, values["group_id"], course_id)
    if values.get("rubric_id"):
        campus.get_course_record(Rubric, values["rubric_id"], course_id)
    if assignment_id is not None:
        return campus.store.change(
            campus.get_course_record(Assignment, assignment_id, course_id),
            **(dict.fromkeys(clear) | drop_missing(**values)),
        )
    if not (values.get("name") or "").strip():
        raise Problem("a new assignment needs a name")
    group = campus.all(AssignmentGroup, "position", course_id=course_id)
    values["group_id"] = values.get("group_id") or (group[0].id if group else _first_group(campus, course_id))
    number = campus.next_id(Assignment)
    return campus.store.put(Assignment(number, course_id, created=campus.now, **drop_missing(**values)))


def delete_assignment(campus: Campus, course_id: int, assignment_id: int) -> Assignment:
    """Delete an assignment with what was handed in for it. Its quiz, if it has one, goes on as practice.

    Raises:
        Problem: there is none, or the person may not.
    """
    campus.require_teacher(course_id)
    assignment = campus.get_course_record(Assignment, assignment_id, course_id)
    for submission in campus.all(Submission, assignment_id=assignment_id):
        campus.store.remove(submission)
    for quiz in campus.all(Quiz, course_id=course_id, assignment_id=assignment_id):
        campus.store.change(quiz, assignment_id=None, kind="practice")
    for item in campus.all(ModuleItem, kind="assignment", content_id=assignment_id):
        campus.store.remove(item)
    campus.store.remove(assignment)
    return assignment


def find_submissions(
    campus: Campus, course_id: int, assignment_id: int | None = None, user_id: int | None = None
) -> list[Submission]:
    """What was handed in for one or all assignments of a course; students see their own."""
    assignments = [assignment.id for assignment in find_assignments(campus, course_id)]
    if assignment_id is not None:
        assignments = [campus.get_course_record(Assignment, assignment_id, course_id).id]
    requested_user = user_id if campus.is_teacher(course_id) else campus.me.id
    if user_id not in (None, requested_user):
        raise Problem(f"{campus.me.name} can see only their own submissions; omit user_id")
    all_submissions = [
        submission for number in assignments for submission in campus.all(Submission, assignment_id=number)
    ]
    return [submission for submission in all_submissions if requested_user in (None, submission.user_id)]


def submission_of(campus: Campus, course_id: int, assignment_id: int, user_id: int | None = None) -> Submission:
    """What somebody, by default the person who acts, handed in; one of no attempt where nothing was."""
    assignment = campus.get_course_record(Assignment, assignment_id, course_id)
    requested_user = campus.me.id if user_id is None else user_id
    if requested_user != campus.me.id and not campus.is_teacher(course_id):
        raise Problem(f"{campus.me.name} can see only their own submissions")
    if user_id is not None:
        campus.store.get(User, user_id)
    return campus.find_first(Submission, assignment_id=assignment.id, user_id=requested_user) or Submission(
        0, assignment.id, requested_user
    )


def submit_work(
    campus: Campus,
    course_id: int,
    assignment_id: int,
    kind: SubmissionKind,
    body: str = "",
    url: str = "",
    files: Sequence[int] = (),
    comment: str = "",
) -> Submission:
    """Hand something in, as the person who acts; the attempt before is replaced, its grade stays until the next.

    Raises:
        Problem: the person is not a student of the course, or the assignment does not take this.
    """
    assignment = campus.get_course_record(Assignment, assignment_id, course_id)
    if campus.role(course_id) != "student":
        raise Problem(f"{campus.me.name} is not a student of course {course_id} and cannot submit anything")
    _require_taken(campus, assignment, kind, body, url, files)
    old = submission_of(campus, course_id, assignment_id)
    at = make_later(campus.make_stamp(Submission, "submitted"), old.graded)
    comments = [*old.comments, *([{"author_id": campus.me.id, "text": comment, "at": at}] if comment else [])]
    handed_in = replace(
        old, id=old.id or campus.next_id(Submission), attempt=old.attempt + 1, kind=kind,
        body=require_storable_text("the text", body), url=url, files=list(files), submitted=at, comments=comments,
    )  # fmt: skip
    return campus.store.put(handed_in)


def make_later(stamp: str, graded: str | None) -> str:
    """The time of work that is handed in: after the grade of what it replaces, so that it waits for one of its own."""
    if not graded or stamp > graded:
        return stamp
    return in_utc(datetime.fromisoformat(graded) + timedelta(seconds=1))


def grade_submission(
    campus: Campus, course_id: int, assignment_id: int, user_id: int, given_grade: str | float | None, comment: str = ""
) -> Submission:
    """Say what work is worth: points, percent (``85%``), ``complete``, ``incomplete``, ``excused``; or only a comment.

    Raises:
        Problem: the person may not, a person is not a student, or the grade is not valid.
    """
    campus.require_teacher(course_id)
    assignment = campus.get_course_record(Assignment, assignment_id, course_id)
    if not campus.find_first(Enrolment, course_id=course_id, user_id=user_id, role="student"):
        raise Problem(f"person {user_id} is not a student of course {course_id}; find_users lists students")
    old = submission_of(campus, course_id, assignment_id, user_id)
    changes: dict[str, Any] = {"id": old.id or campus.next_id(Submission)}
    at = campus.make_stamp(Submission, "graded")
    if given_grade is not None:
        score = _parse_points(given_grade, assignment)
        text = f"{given_grade:g}" if isinstance(given_grade, int | float) else given_grade
        graded = max(at, old.submitted or "")
        changes |= {"score": score, "grade": text, "graded": graded, "grader_id": campus.me.id}
        changes["excused"] = text.strip().casefold() in ("excused", "ex")
        if not text.strip():
            changes |= dict.fromkeys(("grade", "graded", "grader_id"))
    if comment:
        changes["comments"] = [*old.comments, {"author_id": campus.me.id, "text": comment, "at": at}]
    return campus.store.change(old, **changes)


def is_late(submission: Submission, assignment: Assignment) -> bool:
    """Whether it was handed in after the deadline."""
    return bool(submission.submitted and assignment.due and submission.submitted > assignment.due)


def awaits_grade(submission: Submission) -> bool:
    """Whether it was handed in, for the first time or again, and not graded since."""
    return bool(submission.submitted and (submission.graded is None or submission.graded < submission.submitted))


def is_missing(submission: Submission | None, assignment: Assignment, now: str) -> bool:
    """Whether the deadline is over and nothing was handed in that should have been."""
    handed = submission is not None and (submission.submitted or submission.score is not None or submission.excused)
    return bool(
        not handed and assignment.due and assignment.due < now and assignment.kinds not in (["none"], ["paper"])
    )


def list_grades(campus: Campus, course_id: int) -> list[Grade]:
    """What all students of a course have, by name; students see their own."""
    assignments = {
        assignment.id: assignment for assignment in find_assignments(campus, course_id) if assignment.published
    }
    groups = {
        assignment_group.id: assignment_group.weight
        for assignment_group in campus.all(AssignmentGroup, course_id=course_id)
    }
    handed: dict[int, dict[int, Submission]] = {}
    for submission in find_submissions(campus, course_id):
        handed.setdefault(submission.user_id, {})[submission.assignment_id] = submission
    students = {
        user.id: user for enrolment, user in campus.list_people(course_id, "student") if enrolment.state == "active"
    }
    if not campus.is_teacher(course_id):
        students = {campus.me.id: campus.me} if campus.me.id in students else {}
    return [
        _compute_grade(user, assignments, groups, handed.get(user.id, {}), campus.now) for user in students.values()
    ]


def attempts_of(campus: Campus, quiz_id: int, user_id: int) -> list[Attempt]:
    """The attempts of somebody at a quiz, the first first."""
    return campus.all(Attempt, "number", quiz_id=quiz_id, user_id=user_id)


def _first_group(campus: Campus, course_id: int) -> int:
    return campus.store.put(AssignmentGroup(campus.next_id(AssignmentGroup), course_id, "Assignments", 1)).id


def _require_taken(
    campus: Campus, assignment: Assignment, kind: SubmissionKind, body: str, url: str, files: Sequence[int]
) -> None:
    if kind not in assignment.kinds:
        raise Problem(f"{assignment.name!r} does not accept {kind!r}; it accepts {', '.join(assignment.kinds)}")
    empty = {"text": not body.strip(), "link": not url.strip(), "upload": not files}
    if empty.get(kind):
        raise Problem(f"nothing was submitted: {kind!r} needs its content")
    for number in files:
        file = campus.store.get(File, number)
        suffix = Path(file.name).suffix.lower().lstrip(".")
        if assignment.extensions and suffix not in [
            extension.lower().lstrip(".") for extension in assignment.extensions
        ]:
            raise Problem(
                f"{file.name!r} is not an accepted file type; accepted are {', '.join(assignment.extensions)}"
            )
        if file.author_id != campus.me.id:
            raise Problem(f"the file {number} belongs to another person")


def _parse_points(given_grade: str | float, assignment: Assignment) -> float | None:
    if isinstance(given_grade, int | float):
        score = float(given_grade)
    else:
        text = given_grade.strip().casefold()
        words = {"complete": assignment.points, "pass": assignment.points, "incomplete": 0.0, "fail": 0.0}
        if text in ("excused", "ex", ""):
            return None
        try:
            score = (
                words[text]
                if text in words
                else float(text.rstrip("%")) * (assignment.points / 100 if "%" in text else 1)
            )
        except ValueError as error:
            raise Problem(
                f"{given_grade!r} is not a valid grade; use points of {assignment.points:g}, percent such as "
                "85%, complete, incomplete or excused"
            ) from error
    if not 0 <= score <= MAX_POINTS:
        raise Problem(f"{score:g} is not a valid number of points; use 0 to {assignment.points:g}")
    return score


def _compute_grade(
    user: User, assignments: dict[int, Assignment], weights: dict[int, float], handed: dict[int, Submission], now: str
) -> Grade:
    counted = [
        (assignments[number], submission)
        for number, submission in handed.items()
        if number in assignments and submission.score is not None and not submission.excused
    ]
    points, possible = (
        sum(submission.score or 0.0 for _, submission in counted),
        sum(what.points for what, _ in counted),
    )
    late = sum(
        is_late(submission, assignments[number]) for number, submission in handed.items() if number in assignments
    )
    missing = sum(is_missing(handed.get(number), assignment, now) for number, assignment in assignments.items())
    return Grade(user.id, user.name, points, possible, _compute_percent(counted, weights), missing, late)


def _compute_percent(counted: Sequence[tuple[Assignment, Submission]], weights: dict[int, float]) -> float | None:
    """Of all points; where groups have weights, the weighted mean of the groups that have graded work.

    A group that weighs 0 beside others that weigh more does not count. What groups weigh beyond 100 is extra credit.
    """
    if not sum(what.points for what, _ in counted):
        return None
    is_weighted = any(weights.values())
    shares: dict[int, tuple[float, float]] = {}
    for what, submission in counted:
        key = what.group_id if is_weighted else 0
        got, possible = shares.get(key, (0.0, 0.0))
        shares[key] = (got + (submission.score or 0.0), possible + what.points)
    weighed = [
        (got / possible, weights.get(key, 0.0) if is_weighted else 1.0)
        for key, (got, possible) in shares.items()
        if possible
    ]
    total = sum(weight for _, weight in weighed)
    full_weight = min(total, 100.0) if is_weighted else total
    return round(100 * sum(share * weight for share, weight in weighed) / full_weight, 2) if total else None
