"""Early warnings: by which signals a student is at risk, how advisers are written to, and what was told of students."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from yardkit.apps.courses import Assignment, Attempt, Quiz, Submission, User
from yardkit.apps.store import Store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.courses import FilledSchool
from yardkit.state_init.company.hours import at_work
from yardkit.state_init.company.letters import Letter, join_paragraphs, write_note
from yardkit.state_init.company.notes_texts import Part, make_part
from yardkit.state_init.company.persons import Somebody
from yardkit.state_init.company.schooling import Course
from yardkit.state_init.desk.early_warning.attendance import Attended

_DAY = timedelta(days=1)
Figures = tuple[float | None, float | None, int, bool]
"""Attendance and grades in percent, works that are missing, whether mails stay without an answer."""


_WORKS = {"Assignment 1": 20.0, "Assignment 2": 10.0, "Assignment 3": 30.0}


@dataclass(frozen=True)
class Rubric:
    """Below which percent attendance and grades are signals, from how many missing works on, and which alone is one."""

    attendance: int
    grades: int
    missing: int
    alone: int

    def list_signals(self, figures: Figures) -> list[str]:
        """Those that hold, as letters write them."""
        attendance, grades, missing, silent = figures
        signal_texts = {
            f"attendance: {attendance or 0:.0f} %": attendance is not None and attendance < self.attendance,
            f"grades: {grades or 0:.0f} %": grades is not None and grades < self.grades,
            f"missing work: {missing}": missing >= self.missing,
            "mails of the teacher stay without an answer": silent,
        }
        return [text for text, holds in signal_texts.items() if holds]

    def at_risk(self, figures: Figures) -> bool:
        """Whether an adviser is to be warned."""
        return len(self.list_signals(figures)) > 1 or (figures[0] or 100) < self.alone

    def build_page(self) -> list[Part]:
        """The rubric as a page of the handbook."""
        signal_lines = (
            f"Attendance: present at less than {self.attendance} % of the sessions that were held so far. An excused "
            "absence is left out of the count, and a session counts once, however often somebody was scanned.",
            f"Grades: less than {self.grades} % in the grade report of the platform.",
            f"Missing work: {self.missing} or more works that are not handed in although their deadline is over.",
            "Silence: the teacher has told us that mails to the student stay without an answer, and has not taken that "
            "back.",
        )
        rule_lines = (
            f"At risk is who shows two of these signals, or comes to less than {self.alone} % of the sessions.",
            "Who has changed to another course or has left is none of it any more, even while lists still have them.",
            "For each student at risk the adviser of that day gets a letter, with a copy to the teacher of the course. "
            "It names the signals that hold, with their figures, as our letters always do. Students get nothing from "
            "us, and no letter says a word about another student.",
        )
        first = "Six weeks into a term we look at each student of a course for four signals:"
        listed = [make_part("bulleted_list_item", text) for text in signal_lines]
        return [make_part("paragraph", first), *listed, *(make_part("paragraph", text) for text in rule_lines)]


@dataclass(frozen=True)
class Case:
    """A student: who came how often, what part of the points the work got, how much is missing."""

    attended: Attended
    grades: float = 0.8
    missing: int = 0
    silent: bool = False


LOW = 0.4
CASES: Mapping[str, Case] = {
    "absent_and_low": Case((7, 0, 0), LOW),
    "absent_and_missing": Case((8, 0, 0), missing=2),
    "low_and_silent": Case((11, 0, 0), LOW, silent=True),
    "missing_and_silent": Case((12, 0, 0), missing=2, silent=True),
    "hardly_there": Case((4, 0, 0)),
    "all_of_it": Case((5, 0, 0), LOW, 2, silent=True),
    "twin": Case((6, 0, 0), LOW),
    "stays": Case((7, 1, 0), LOW),
    "scanned_twice": Case((8, 0, 5), LOW),
    "only_absent": Case((7, 0, 0)),
    "only_low": Case((12, 0, 0), LOW),
    "other_twin": Case((12, 0, 0), 0.95),
    "excused": Case((7, 3, 0), LOW),
    "by_the_cancelled_one": Case((9, 0, 0), LOW),
    "answered": Case((10, 0, 0), LOW),
    "changed": Case((3, 0, 0), LOW, 1, silent=True),
    "left": Case((2, 0, 0), LOW),
}
"""Of twelve sessions; the first nine are at risk, the others only seem so."""


def write_warning(
    key: str,
    people: tuple[Somebody, Somebody, Somebody],
    about: tuple[Course, Somebody],
    signal_texts: list[str],
    sent: datetime,
) -> Letter:
    """A letter about a student of a course, with the signals. people: by whom, to which adviser, and who has a copy."""
    (by, to, copy), (course, student) = people, about
    listed = "\n".join(f"- {text}" for text in signal_texts)
    text = join_paragraphs(
        f"Dear {to.first},",
        f"{student.name} may not reach the end of {course.code} {course.title} as things stand:",
        listed,
        f"Please talk to {student.first}, and let me know what comes of it.",
        f"Kind regards\n{by.name}",
    )
    subject = f"Early warning: {student.name}, {course.code}"
    return Letter(key, by.mailbox, (to.mailbox,), subject, text, sent, (copy.mailbox,))


def write_reports(
    rng: random.Random, cast: Cast, course: Course, other: Course, people: Mapping[str, Somebody], now: datetime
) -> Iterator[Letter]:
    """What the teacher and the registrar tell the owner: who does not answer, or does again; who changes, or not."""
    teacher = cast.school.get_teacher(course)
    office = Somebody("Registrar's", "Office", f"registrar@{cast.school.domain}")
    names = {name: person.name for name, person in people.items()}
    messages: list[tuple[int, Somebody, str]] = [
        (9 + place % 3, teacher, f"{names[name]} has not answered any of my mails for two weeks.")
        for place, name in enumerate(("low_and_silent", "missing_and_silent", "all_of_it", "answered", "changed"))
    ]
    messages += [
        (2, teacher, f"{names['answered']} has answered at last, so forget what I wrote."),
        (6, office, f"{names['changed']} has changed from {course.code} to {other.code}. The platform follows in May."),
        (7, office, f"{names['stays']} asked for a change from {course.code} to {other.code}."),
        (5, office, f"{other.code} is full: {names['stays']} stays in {course.code}."),
    ]
    for place, (days, by, text) in enumerate(messages):
        sent = at_work(rng, (now - days * _DAY).date(), cast.school.time_zone)
        words = write_note(cast.owner.first, text, by.name)
        key = f"{course.code}-told/{place}"
        yield Letter(key, by.mailbox, (cast.owner.mailbox,), f"{course.code}: a student", words, min(sent, now))


def hand_in(
    store: Store,
    rng: random.Random,
    school: FilledSchool,
    course: int,
    people: Mapping[str, User],
    cases: Mapping[str, Case],
) -> dict[str, float]:
    """Three works, of which the first two are graded; the quiz is still to come. What each student has, in percent."""
    works = [store.get(Assignment, school.assignments[course, name]) for name in _WORKS]
    quiz = store.get(Assignment, school.assignments[course, "Quiz 1"])
    for work in (*works, quiz):
        for submission in store.find(Submission, "assignment_id = ?", [work.id]):
            store.remove(submission)
    for attempt in store.find(Attempt, "quiz_id = ?", [quiz.quiz_id]):
        store.remove(attempt)
    store.put(replace(quiz, due="2026-04-24T20:00:00Z"))
    store.put(replace(store.get(Quiz, quiz.quiz_id or 0), due="2026-04-24T20:00:00Z"))
    days = (datetime.fromisoformat(f"2026-{day}T20:00:00+00:00") for day in ("03-22", "04-02", "04-12"))
    works = [
        store.put(replace(work, points=points, due=f"{due:%Y-%m-%dT%H:%M:%SZ}", rubric_id=None))
        for work, points, due in zip(works, _WORKS.values(), days, strict=True)
    ]
    submissions = {}
    for name in sorted(people, key=lambda name: people[name].id):
        case, scores = cases[name], list[float]()
        for place, work in enumerate(works[: 3 - case.missing]):
            share = case.grades + rng.uniform(-0.06, 0.06)
            score = float(round(work.points * share)) if place == 0 else round(2 * work.points * share) / 2
            handed = datetime.fromisoformat(work.due or "") + timedelta(hours=rng.choice((-50, -26, -3, -2, 1, 30)))
            _put_submission(store, work, people[name], handed, score if place < 2 else None)
            scores += [score] if place < 2 else []
        submissions[name] = 100 * sum(scores) / sum(work.points for work in works[: len(scores)])
    return submissions


def _put_submission(store: Store, work: Assignment, user: User, handed: datetime, score: float | None) -> None:
    at, graded = f"{handed:%Y-%m-%dT%H:%M:%SZ}", f"{handed + 5 * _DAY:%Y-%m-%dT%H:%M:%SZ}"
    given = {"score": score, "grade": f"{score:g}", "graded": graded} if score is not None else {}
    number, text = store.next_id(Submission), "<p>My report is below.</p>"
    store.put(Submission(number, work.id, user.id, 1, "text", text, submitted=at, **given))  # type: ignore[arg-type]
