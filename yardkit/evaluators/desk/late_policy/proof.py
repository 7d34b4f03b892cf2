"""Solutions and near misses of desk/late_policy."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.solving import courses as steps
from yardkit.evaluators.solving.courses import Assigned, Student
from yardkit.evaluators.solving.desk import Mail, read_day, read_mails, read_note, read_today
from yardkit.evaluators.solving.solver import read_csv_records

Grade = tuple[Student, float | None, int, float]
"""Who gets how many points (None: is excused), how many days late, and what that costs."""


def solve(agent: Agent) -> str:
    """Each work by the campus's days and the teacher's last word, then the announcement and the mail."""
    work, grades = _read_grades(agent)
    for student, points, days, off in grades:
        comment = f"{days} days late, {off:g} points off" if off else ""
        work.grade(agent, student, "excused" if points is None else f"{points:g}", comment)
    return _announce_grades(agent, work, grades, "The mean of this assignment is {mean:.1f} points.")


def alternative_marks_before_days_are_counted(agent: Agent, _files: Path) -> str:
    """Each work has its mark at first, and later what the days leave of it."""
    work, grades = _read_grades(agent)
    for student, points, _, off in grades:
        work.grade(agent, student, "ex" if points is None else str(points + off))
    for student, points, days, off in (grade for grade in grades if grade[3]):
        work.grade(agent, student, str(points), f"It came {days} days late and lost {off:g} points.")
    return _announce_grades(agent, work, grades, "Mean: {mean:.1f}")


def alternative_grades_last_and_in_percent(agent: Agent, _files: Path) -> str:
    """Mail and announcement first; grades in percent from the last student on, comments apart, in other words."""
    work, grades = _read_grades(agent)
    _announce_grades(
        agent, work, grades[::-1], "<p>All grades are in. On average you have <b>{mean:.2f}</b> points.</p>"
    )
    for student, points, days, off in grades[::-1]:
        work.grade(agent, student, "EX" if points is None else f"{100 * points / work.points:g}%")
        if off:
            comment_text = f"Handed in {days} day{'s' * (days > 1)} late: -{off:.1f} of {work.points:g} points."
            work.grade(agent, student, None, comment_text)
    return ""


def _read_grades(agent: Agent) -> tuple[Assigned, list[Grade]]:
    """The assignment, and whatever is to be entered for it."""
    title, code = re.findall(r"left the marks of (.+) in (\S+) in `", agent.prompt)[0]
    work = steps.read_assignment(agent, code, title)
    rows = read_csv_records(agent, f"marks/{code}_{title.replace(' ', '_')}.csv")
    marks, until, pending_students = (
        {row["address"]: float(row["points"]) for row in rows},
        dict[str, date | None](),
        set[str](),
    )
    for mail in read_mails(agent, subject=f"{code}: {title}", sender=work.teacher):
        _apply_mail(work, mail, marks, until, pending_students)
    return work, [*_compute_grades(agent, work, marks, until, pending_students)]


def _apply_mail(
    work: Assigned, mail: Mail, marks: dict[str, float], until: dict[str, date | None], pending_students: set[str]
) -> None:
    """What the teacher grants, takes back, holds and corrects; the last word holds. None: who is excused."""
    text, to = " ".join(mail["text"].split()), steps.bare_address(mail["to"][0])
    for day in re.findall(r"have until \w+, (\d+ \w+)", text):
        until[to] = read_day(f"{day} {work.due.year}")
    if "take that back" in text:
        del until[to]
    if "You are excused" in text:
        until[to] = None
    pending_students |= {*re.findall(r"enter no grade for (.+?) in ", text), *re.findall(r"Nor for (.+?)\.", text)}
    pending_students -= {*re.findall(r"nothing against the work of (.+?),", text)}
    for student in work.students.values():
        for points in re.findall(rf"{student.name} has ([\d.]*\d) points", text):
            marks[student.address] = float(points)


def _compute_grades(
    agent: Agent, work: Assigned, marks: dict[str, float], until: dict[str, date | None], pending_students: set[str]
) -> Iterator[Grade]:
    rules, today = read_note(agent, "Late work"), read_today(agent)
    (percent,), (most,) = re.findall(r"late costs (\d+) %", rules), re.findall(r"more than (\d+) days late", rules)
    closed = steps.read_closed_days(agent, work.due, today)
    for address, student in work.students.items():
        due = until.get(address, work.due)
        if due is None:
            yield student, None, 0, 0.0
        elif student.id in work.handed and student.name not in pending_students:
            days, mark = steps.days_after(due, work.handed[student.id], closed), marks[address]
            off = mark if days > int(most) else work.points * int(percent) * days / 100
            yield student, mark - off, days, off
        elif student.id not in work.handed and due < today:
            yield student, 0.0, 0, 0.0


def _announce_grades(agent: Agent, work: Assigned, grades: Sequence[Grade], text: str) -> str:
    """The announcement and the mail."""
    given, title = [points for _, points, *_ in grades if points is not None], f"Grades of {work.name}"
    text = text.format(mean=sum(given) / len(given))
    agent.call("post_announcement", course_id=work.course, title=title, text=text)
    names = "\n".join(f"- {student.name}" for student, points, *_ in grades if points == 0)
    text = f"Hello,\n\nthe grades are in. These have no points, as they came too late or not at all:\n{names}"
    agent.call("send_message", to=[work.teacher], subject=title, text=text)
    return f"{len(grades)} grades are entered."


def _change_records(change: str, where: str, caught_by: str = "grades", table: str = "submissions") -> Miss:
    """Submissions, or what else stands in a table of the platform, are others."""
    return misses.change_records("courses", f"UPDATE {table} SET {change} WHERE {where}", caught_by=caught_by)  # noqa: S608 - ours


def _change_points(change: str, name: str) -> Miss:
    return _change_records(f"score = {change}", f"id = :id_{name}")


def _change_mail(change: Callable[[str, Facts], str]) -> Miss:
    """The mail to the teacher says something else."""
    return misses.mail_edited(
        lambda mail, facts: mail.sender == facts["owner"] and facts["teacher"] in mail.to,
        lambda message, facts: message.set_content(change(message.get_content(), facts)),
        caught_by="says",
    )


MINE, HERE = "id = (SELECT max(id) FROM topics)", "assignment_id = :assignment"
ENTERED = "score = 10.0, grade = '10', graded = '2026-04-17T09:30:00Z'"
near_miss_days_of_utc = _change_points("score + :per_day", "just_after_midnight")
near_miss_closed_days_counted = _change_points("score - :per_day", "used_up")
near_miss_revoked_time_kept = _change_points("score + :per_day", "taken_back")
near_miss_tutor_heeded = _change_points("score + :per_day", "by_the_tutor")
near_miss_first_word_held = _change_points("score - :per_day", "prolonged")
near_miss_names_mixed_up = _change_points("score - 3 * :per_day", "granted")
near_miss_time_of_another_assignment = _change_points("score + :per_day", "next_work")
near_miss_percent_of_the_mark = _change_points("(score + :per_day) * (1 - :percent / 100.0)", "released")
near_miss_mixed_up_marks_entered = _change_points("12.0", "one_of_two")
near_miss_held_work_graded = _change_records(ENTERED, "id = :held", "records")
near_miss_who_left_graded = _change_records(ENTERED, "id = :left", "records")
near_miss_zero_before_the_time_is_over = _change_records(
    "user_id = :running", f"user_id = :nothing AND {HERE}", "missing"
)
near_miss_excused_one_failed = _change_records("excused = 0, score = 0.0", f"user_id = :excused AND {HERE}", "missing")
near_miss_late_work_without_a_word = _change_records("comments = '[]'", "id = :id_just_after_midnight", "comments")
OTHER = "comments = (SELECT comments FROM submissions WHERE id = :id_released)"
near_miss_word_on_work_in_time = _change_records(OTHER, "id = :id_granted", "comments")
near_miss_mean_without_zeros = _change_records(
    "message = 'Mean: ' || round(:mean + 0.7, 1)", MINE, "announced", "topics"
)
near_miss_names_in_public = _change_records("message = message || ' Best: ' || :best", MINE, "announced", "topics")
near_miss_late_one_left_out = _change_mail(lambda text, facts: text.replace(facts["zero"][0], ""))
near_miss_held_one_named = _change_mail(lambda text, facts: f"{text}\nNothing yet: {facts['held_name']}")
