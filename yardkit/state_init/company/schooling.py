"""The school with which a seeded company works: its teachers and courses."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from yardkit.state_init.company.persons import Names, Somebody, address_of

_SUBJECTS = (
    ("ACC", "Accounting"), ("BUS", "Business Statistics"), ("DES", "Industrial Design"), ("ECO", "Economics"),
    ("ERG", "Ergonomics"), ("LAW", "Contract Law"), ("LOG", "Logistics"), ("MAT", "Materials Science"),
    ("MKT", "Marketing"), ("OPS", "Operations Research"), ("PRG", "Programming"), ("WRT", "Technical Writing"),
)  # fmt: skip


@dataclass(frozen=True)
class Teacher(Somebody):
    """Somebody who teaches at the school."""


@dataclass(frozen=True)
class Course:
    """A course. code: such as ``BUS-201``; teacher: an address; term: such as ``Spring 2026``; credits: points."""

    code: str
    title: str
    teacher: str
    term: str
    begins: date
    ends: date
    room: str
    credits: int


@dataclass(frozen=True)
class School:
    """Where the courses are held. time_zone: that of the deadlines."""

    name: str
    domain: str
    city: str
    time_zone: str
    teachers: tuple[Teacher, ...]
    courses: tuple[Course, ...]

    def get_teacher(self, course: Course) -> Teacher:
        """Who teaches a course."""
        return next(teacher for teacher in self.teachers if teacher.email == course.teacher)


def make_school(rng: random.Random, city: str, time_zone: str, names: Names, today: date) -> School:
    """Eight courses of six subjects: one has a second part, one was held the term before as well."""
    domain = f"{rng.choice(('harbour', 'riverside', 'northgate', 'abbey'))}college.example"
    teachers = tuple(Teacher(first, last, address_of(first, last, domain)) for first, last in names)
    courses = _make_courses(rng, teachers, today)
    return School(f"{domain.partition('college')[0].title()} College", domain, city, time_zone, teachers, courses)


def _make_courses(rng: random.Random, teachers: Sequence[Teacher], today: date) -> tuple[Course, ...]:
    subjects = rng.sample(_SUBJECTS, 6)
    numbers = [rng.choice((101, 201, 202, 301)) for _ in subjects]
    begins, before = today - timedelta(days=42 + today.weekday()), today - timedelta(days=224 + today.weekday())
    new_courses = [
        _make_course(rng, f"{code}-{number}", title, teachers[place % len(teachers)], begins)
        for place, ((code, title), number) in enumerate(zip(subjects, numbers, strict=True))
    ]
    (code, title), number = subjects[0], numbers[0]
    new_courses.append(_make_course(rng, f"{code}-{number + 9}", f"{title} II", teachers[0], begins))
    (code, title), number = subjects[1], numbers[1]
    new_courses.append(_make_course(rng, f"{code}-{number}", title, teachers[-1], before))
    return tuple(new_courses)


def _make_course(rng: random.Random, code: str, title: str, teacher: Teacher, begins: date) -> Course:
    term = f"{'Spring' if begins.month < 7 else 'Autumn'} {begins.year}"
    room = f"{rng.choice('ABC')}{rng.randint(1, 4)}.{rng.randint(1, 24):02d}"
    return Course(
        code, title, teacher.email, term, begins, begins + timedelta(days=110), room, rng.choice((3, 5, 5, 6))
    )
