"""A course after six weeks: who is at risk, by grades, attendance and what was told, and who only seems so."""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from yardkit.apps.courses import APP, RECORDS, User
from yardkit.apps.store import Store, open_store
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.company.classes import enrol_user, fill_up, find_namesakes, students_of, to_person
from yardkit.state_init.company.course_rules import write_course_rule
from yardkit.state_init.company.courses import fill_courses
from yardkit.state_init.company.hours import make_moment
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.company.warehouse import fill_warehouse
from yardkit.state_init.desk.early_warning.attendance import Attended, Sessions, assign_advisers, put_attendance
from yardkit.state_init.desk.early_warning.early_warnings import (
    CASES,
    Case,
    Rubric,
    hand_in,
    write_reports,
    write_warning,
)
from yardkit.world import World

DAY = timedelta(days=1)
SESSIONS, STUDENTS = 12, 40
LAST = ((58.3, 44.2, 0, False), (91.0, 38.3, 1, True), (50.0, 71.0, 3, False), (25.0, 62.0, 1, False))
"""Figures of the last term's letters."""
People = Mapping[str, User]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill platform, warehouse, mailbox and notes; the facts say who is warned, and of what."""
    cast = cast_of(world)
    course, other, before = cast.courses[1], cast.courses[2], cast.courses[7]
    rubric = Rubric(rng.choice((70, 75)), rng.choice((50, 55)), 2, rng.choice((40, 45)))
    stories = make_stories(cast, get_stream(world, "stories"), world.now, trainings=0)
    school = fill_courses(world, cast, get_stream(world, "courses"), stories=stories)
    number, beside, old = (
        school.courses[school_course.code, school_course.term] for school_course in (course, other, before)
    )
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        people = _choose_people(store, rng, number)
        enrol_user(store, beside, people["changed"])
        cases = {name: CASES.get(name) or _make_usual_case(rng) for name in people}
        percents = hand_in(store, rng, school, number, people, cases)
        users = store.find(User, "email LIKE '%@students.%'", order="id")
        classes = {student.email: (12 - rng.randint(0, 4), 0, 0) for student in students_of(store, beside)}
        earlier = [to_person(user) for user in students_of(store, old) if user not in people.values()]
    scanned: dict[str, Attended] = {people[name].email: case.attended for name, case in cases.items()}
    sessions = Sessions(course, 4_011, SESSIONS, rng.randint(3, 9)), Sessions(other, 4_211, SESSIONS, rng.randint(3, 9))
    advisers = [teacher for teacher in cast.school.teachers if teacher.email not in (course.teacher, before.teacher)]
    moved = {people[name].email for name in ("absent_and_low", "all_of_it", "only_low")}
    moving = {people[name].email for name in ("hardly_there", "twin")}
    advising = list(assign_advisers(rng, world.now.date(), [user.email for user in users], advisers, moved, moving))
    fill_warehouse(world, cast, get_stream(world, "warehouse"), stories, lines=4_000, events=1_000)
    put_attendance(world, rng, users, [(sessions[0], scanned), (sessions[1], classes)], advising)
    letters = [
        *write_reports(rng, cast, course, other, {name: to_person(user) for name, user in people.items()}, world.now)
    ]
    for place, (figures, student) in enumerate(zip(LAST, rng.sample(earlier, len(LAST)), strict=True)):
        sent = make_moment((before.begins + 43 * DAY), 10, 12 + 7 * place, cast.owner.time_zone)
        marks_and_people, people_of = (
            Rubric(70, 50, 2, 40).list_signals(figures),
            (cast.owner, advisers[place % 3], cast.school.get_teacher(before)),
        )
        letters.append(write_warning(f"warned/{place}", people_of, (before, student), marks_and_people, sent))
    fill_mail(world, cast, get_stream(world, "mail"), count=240, stories=stories, more=letters)
    older = replace(rubric, attendance=rubric.attendance - 10, missing=3).build_page()
    draft = replace(rubric, grades=rubric.grades + 10, alone=60).build_page()
    write_course_rule(world, cast, "Early warnings", rubric.build_page(), older, draft)
    today = {email: by for email, by, since, until in advising if since <= world.now.date() < (until or since.max)}
    warned = [
        {"name": people[name].name, "adviser": today[people[name].email].email, **figures}
        for name, figures in _find_warned(rubric, cases, percents).items()
    ]
    return {
        "owner": cast.owner.email, "code": course.code, "teacher": course.teacher, "warned": warned,
        "names": sorted(user.name for user in people.values()),
        "former": next(by.email for email, by, *_ in advising if email == people["all_of_it"].email),
        "student": people["hardly_there"].email, "students": sorted(user.email for user in people.values()),
        **{name: people[name].name for name in CASES},
        "prompt": {"code": course.code, "course": course.title},
    }  # fmt: skip


def _choose_people(store: Store, rng: random.Random, course: int) -> People:
    """The students of the course by case; two have nearly the same name, and one has left."""
    twins = [enrol_user(store, course, user) for user in rng.sample(find_namesakes(store), 2)]
    rest = [user for user in fill_up(store, course, STUDENTS) if user not in twins]
    rng.shuffle(rest)
    names = [name for name in CASES if name not in ("twin", "other_twin", "left")]
    names += [f"usual_{place}" for place in range(len(rest) - len(names))]
    students_by_case = dict(zip(names, rest, strict=True)) | {"twin": twins[0], "other_twin": twins[1]}
    return students_by_case | {"left": students_of(store, course, "inactive")[0]}


def _make_usual_case(rng: random.Random) -> Case:
    """Somebody with at most one signal, and mostly none."""
    return Case((rng.randint(10, 12), 0, rng.choice((0, 0, 0, 1))), rng.uniform(0.66, 0.94), rng.choice((0, 0, 0, 1)))


def _find_warned(rubric: Rubric, cases: Mapping[str, Case], percents: Mapping[str, float]) -> dict[str, dict[str, Any]]:
    """Who is at risk, with the figures of the signals that hold."""
    warned_students = {}
    for name in (name for name in cases if name not in ("changed", "left")):
        case, (present, excused, _), grades = cases[name], cases[name].attended, percents[name]
        came = 100 * present / (SESSIONS - excused)
        if rubric.at_risk((came, grades, case.missing, case.silent)):
            warned_students[name] = {
                "attendance": came if came < rubric.attendance else None,
                "grades": grades if grades < rubric.grades else None,
                "missing": case.missing if case.missing >= rubric.missing else None,
                "silent": case.silent,
            }
    return warned_students
