"""Trainings: a colleague takes a course at the school, asks for more time, and gets it; of some it is taken back."""

import random
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import at_work, choose_later_moment, make_moment, to_workday
from yardkit.state_init.company.letters import Letter, Meeting, link_thread, write_note
from yardkit.state_init.company.persons import Colleague, Somebody
from yardkit.state_init.company.schooling import Course, Teacher


@dataclass(frozen=True)
class Training:
    """A colleague in a course of the school, one of whose assignments comes late.

    Attributes:
        assignment: its title.
        due: the deadline, in the zone of the school.
        extended: the deadline that the teacher granted.
        revoked: when the teacher took that back; None where it stands.
        exam: the event of it, which the announcement gives.
        letters: those that were written until now; the owner gets copies, who looks after trainings.
    """

    student: Colleague
    course: Course
    teacher: Teacher
    assignment: str
    due: datetime
    extended: datetime
    revoked: datetime | None
    exam: Meeting
    letters: tuple[Letter, ...] = ()


def make_training(rng: random.Random, cast: Cast, number: int, day: date) -> Training:
    """A training whose student asks for more time on a day; that of every third is taken back. One for each course."""
    course, revoked = cast.courses[number % 7], number % 3 == 2
    teacher, zone = cast.school.get_teacher(course), cast.school.time_zone
    student, asked = rng.choice(cast.colleagues), at_work(rng, day, zone)
    due = make_moment(asked.date() + timedelta(days=rng.randint(2, 4)), 23, 59, zone)
    exam_day = to_workday(day + timedelta(days=rng.randint(20, 40)))
    begins = make_moment(exam_day, rng.choice((9, 11, 14)), 0, zone)
    exam = Meeting(
        f"exam-{course.code.lower()}-{number}@{cast.school.domain}",
        *(f"Exam {course.code} {course.title}", begins, begins + timedelta(minutes=90), zone, course.room),
        *(teacher.email, (student.email, cast.owner.email), course.code),
    )
    extended = due + timedelta(days=rng.choice((3, 5, 7)))
    back = choose_later_moment(rng, asked, 2, zone) if revoked else None
    training = Training(student, course, teacher, f"Assignment {rng.randint(1, 6)}", due, extended, back, exam)
    return replace(training, letters=_write_letters(rng, cast, training, asked, number))


def _write_letters(
    rng: random.Random, cast: Cast, training: Training, asked: datetime, number: int
) -> tuple[Letter, ...]:
    student, teacher, copy = training.student, training.teacher, (cast.owner.mailbox,)
    code, what = training.course.code, f"{training.assignment} of {training.course.code}"
    exam = training.exam.begins
    messages: list[tuple[Somebody, Somebody, datetime, str]] = [
        (student, teacher, asked, f"I am travelling for work. Could I hand in {what} later than {training.due:%d %B}?"),
        (
            teacher,
            student,
            choose_later_moment(rng, asked, 1, cast.school.time_zone),
            f"you have until {training.extended:%d %B, %H:%M}.",
        ),
    ]
    if training.revoked:
        text = f"I have to take that back, the faculty allows none: {what} is due on {training.due:%d %B}."
        messages.append((teacher, student, max(training.revoked, messages[-1][2] + timedelta(hours=2)), text))
    letters = link_thread(
        *(
            Letter(
                f"{code}-{number}/{place}",
                by.mailbox,
                (to.mailbox,),
                f"{code}: {training.assignment}",
                write_note(to.first, text, by.first),
                sent,
                copy,
            )
            for place, (by, to, sent, text) in enumerate(messages, 1)
        )
    )
    where = f"in room {training.course.room}"
    news = f"the exam of {code} {training.course.title} takes place on {exam:%A, %d %B at %H:%M} {where}."
    announced = Letter(
        *(
            f"{code}-{number}/exam",
            teacher.mailbox,
            (student.mailbox,),
            f"{code}: exam",
            write_note("all", news, teacher.name),
        ),
        *(at_work(rng, asked.date() - timedelta(days=4), cast.school.time_zone), copy),
    )
    return (announced, *letters)
