"""Who came to the sessions of courses: tables of a school in the warehouse, as scanners and its office load them."""

import random
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta

from yardkit.apps.courses import User
from yardkit.state_init.company.persons import Somebody
from yardkit.state_init.company.schooling import Course
from yardkit.state_init.company.warehouse import put_table
from yardkit.world import World

PLACE = "CAMPUS.PUBLIC"
_DAY = timedelta(days=1)
Attended = tuple[int, int, int]
"""Sessions at which somebody was present, those with an excused absence, and rows of presence that are there twice."""
Advising = tuple[str, Somebody, date, date | None]
"""Address of a student, the adviser, since when, and until when."""


@dataclass(frozen=True)
class Sessions:
    """The sessions of a course, two a week.

    Attributes:
        course: whose sessions they are.
        first: the number of the first.
        session_count: how many were held until today; one more was called off, at which the scanners saw nobody.
        called_off: its place among them, from 0.
    """

    course: Course
    first: int
    session_count: int
    called_off: int

    @property
    def days(self) -> list[date]:
        """All of them, to the end of the course."""
        days = (self.course.begins + week * 7 * _DAY + beside * _DAY for week in range(14) for beside in (1, 3))
        return [day for day in days if day <= self.course.ends]

    def rows(self) -> list[tuple[int, str, str, date, str]]:
        """As a table has them: number, code, term, day, status."""
        course, states = self.course, ["held"] * (self.session_count + 1)
        states[self.called_off] = "cancelled"
        states += ["planned"] * (len(self.days) - len(states))
        return [
            (self.first + place, course.code, course.term, day, state)
            for place, (day, state) in enumerate(zip(self.days, states, strict=True))
        ]

    def list_scans(self, rng: random.Random, student: int, attended: Attended) -> list[tuple[int, int, str]]:
        """What the scanners and the office have of a student: number of the session and of the student, and what."""
        present, excused, twice = attended
        statuses = ["present"] * present + ["excused"] * excused
        statuses += ["absent"] * (self.session_count - len(statuses))
        rng.shuffle(statuses)
        statuses.insert(self.called_off, "absent")
        rows = [(self.first + place, student, status) for place, status in enumerate(statuses)]
        return rows + [row for row in rows if row[2] == "present"][:twice]


def put_attendance(
    world: World,
    rng: random.Random,
    users: Sequence[User],
    attended: Sequence[tuple[Sessions, Mapping[str, Attended]]],
    advising: Sequence[Advising],
) -> None:
    """Students, sessions, who came (by address) and who advises whom, as tables of `PLACE`."""
    known = {user.email: 20_000 + 7 * user.id for user in users}
    sessions = [row for attended_sessions, _ in attended for row in attended_sessions.rows()]
    scans = [
        scan
        for attended_sessions, by in attended
        for email in by
        for scan in attended_sessions.list_scans(rng, known[email], by[email])
    ]
    rng.shuffle(scans)
    names = [(known[user.email], user.name, user.email) for user in users]
    put_table(
        *(world, f"{PLACE}.STUDENTS", {"STUDENT_ID": "int", "NAME": "text", "EMAIL": "text"}, names),
        "Who studies at the school",
    )
    put_table(
        *(world, f"{PLACE}.SESSIONS"),
        {"SESSION_ID": "int", "COURSE_CODE": "text", "TERM": "text", "HELD_ON": "date", "STATUS": "text"},
        *(sessions, "Sessions of courses: held, cancelled or planned"),
    )
    put_table(
        *(world, f"{PLACE}.ATTENDANCE", {"SESSION_ID": "int", "STUDENT_ID": "int", "STATUS": "text"}, scans),
        "What the scanners at the doors report for each session, with absences that the office excused; loaded hourly",
    )
    put_table(
        *(world, f"{PLACE}.ADVISING"),
        {"STUDENT_ID": "int", "ADVISER": "text", "ADVISER_EMAIL": "text", "SINCE": "date", "UNTIL": "date"},
        [(known[email], by.name, by.email, since, until) for email, by, since, until in advising],
        "Who advises whom, and from when to when; without an end until further notice",
    )


def assign_advisers(
    rng: random.Random,
    today: date,
    students: Sequence[str],
    advisers: Sequence[Somebody],
    moved: Set[str],
    moving: Set[str],
) -> Iterator[Advising]:
    """An adviser for each student; those `moved`, and some others, had another one before, those `moving` will have."""
    begins = date(today.year - 2, 9, 1)
    for place, email in enumerate(students):
        first_adviser, two = rng.sample(advisers, 2)
        turn = today + 16 * _DAY if email in moving else today - 44 * _DAY
        changes = email in moved or email in moving or place % 9 == 0
        yield email, first_adviser, begins, turn if changes else None
        if changes:
            yield email, two, turn, None
