"""The marks of an assignment that many handed in late: with more time granted, taken back, or never given."""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from yardkit.apps.courses import APP, RECORDS, Assignment, Submission, User
from yardkit.apps.store import Store, open_store
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.classes import (
    enrol_user,
    fill_up,
    find_namesakes,
    list_outsiders,
    save_marks,
    students_of,
    to_person,
)
from yardkit.state_init.company.closing_days import campus_days
from yardkit.state_init.company.courses import fill_courses
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.desk.late_policy import late_work
from yardkit.state_init.desk.late_policy.late_work import CASES, SILENT, Case, LateRules, hand_in, write_rules
from yardkit.world import World

DAY = timedelta(days=1)
CLOSED = {"Campus closed (Good Friday)": date(2026, 4, 3), "Campus closed (Easter Monday)": date(2026, 4, 6)}
STRIKE = "Campus closed (strike)"
OTHERS = {STRIKE: date(2026, 4, 2), "Library closed (stocktaking)": date(2026, 4, 1), "Open day": date(2026, 4, 11)}
BEFORE, *WORKS = "Assignment 1", "Assignment 2", "Assignment 3"
POINTS, STUDENTS = 20.0, 42
NO_GRADE = ("left", "held")
People = Mapping[str, User]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill the platform, the mailbox, the calendar and the notes; the facts say what is right."""
    cast, due = cast_of(world), date(2026, 3, 31) + rng.randint(0, 1) * DAY
    course, beside = cast.courses[0], cast.courses[6]
    rules = LateRules(cast.school, rng.choice((10, 15)), rng.choice((3, 4)), frozenset(CLOSED.values()))
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    school = fill_courses(world, cast, get_stream(world, "courses"), stories=stories)
    number, other = (school.courses[course_record.code, course_record.term] for course_record in (course, beside))
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        work = _make_assignment(store, school.assignments[number, WORKS[0]], due)
        people = _choose_people(store, rng, number, other)
        tutor = enrol_user(store, number, next(list_outsiders(store, number)), "ta")
        handed = hand_in(store, rng, work, due, late_work.days_of(people), people)
        marks = {name: rng.randint(round(POINTS * 1.2), round(POINTS * 2)) / 2 for name in handed}
        marks |= {"one_of_two": POINTS * 0.9, "other_of_two": POINTS * 0.6}
        mixed = marks | {"one_of_two": marks["other_of_two"], "other_of_two": marks["one_of_two"]}
        save_marks(world, store, f"{course.code} {WORKS[0]}", {people[name].id: mark for name, mark in mixed.items()})
        for school_course in (course, beside):
            before = school.assignments[school.courses[school_course.code, school_course.term], BEFORE]
            graded = store.find(Submission, "assignment_id = ? AND score IS NOT NULL", [before])
            save_marks(
                world,
                store,
                f"{school_course.code} {BEFORE}",
                {submission.user_id: submission.score or 0 for submission in graded},
            )
    talking = {name: to_person(user) for name, user in people.items()}
    letters = [
        *late_work.write_extension_requests(rng, cast, WORKS, due, talking, to_person(tutor)),
        *late_work.write_mark_letters(rng, cast, WORKS[0], talking, marks),
    ]
    fill_mail(world, cast, get_stream(world, "mail"), count=250, stories=stories, more=letters)
    closed = list(campus_days(cast.school, CLOSED, STRIKE, OTHERS))
    fill_calendar(world, cast, get_stream(world, "calendar"), stories, people=4, more=closed)
    write_rules(world, cast, rules)
    teacher, names = cast.school.get_teacher(course), sorted(user.name for user in people.values())
    return _build_truth(rules, due, people, handed, marks) | {
        "owner": cast.owner.email, "course": number, "assignment": work.id, "teacher": teacher.email, "names": names,
        "held": handed["held"].id, "left": handed["left"].id, "held_name": people["held"].name,
        "prompt": {"teacher": teacher.name, "work": WORKS[0], "code": course.code},
    }  # fmt: skip


def _make_assignment(store: Store, number: int, due: date) -> Assignment:
    """The assignment with its day in words; somebody typed in the day alone, of which the platform makes one in UTC."""
    old = store.get(Assignment, number)
    text = f"{old.description}<p>To be handed in by {due:%A}, {due.day} {due:%B %Y}.</p>"
    return store.put(replace(old, points=POINTS, due=f"{due}T23:59:00Z", description=text, rubric_id=None))


def _choose_people(store: Store, rng: random.Random, course: int, other: int) -> People:
    """The students of the course by what happens to them; two of them have nearly the same name."""
    twins = [enrol_user(store, course, user) for user in rng.sample(find_namesakes(store), 2)]
    left = [user for user in fill_up(store, course, STUDENTS) if user not in twins]
    rng.shuffle(left)
    names = [name for name in (*CASES, *SILENT) if name not in ("granted", "namesake", "left")]
    names += [f"late_{place}" for place in range(len(late_work.LATE))]
    names += [f"in_time_{place}" for place in range(len(left) - len(names))]
    students_by_case = dict(zip(names, left, strict=True)) | {"granted": twins[0], "namesake": twins[1]}
    enrol_user(store, other, students_by_case["next_course"])
    return students_by_case | {"left": students_of(store, course, "inactive")[0]}


def _build_truth(
    rules: LateRules, due: date, people: People, handed: Mapping[str, Submission], marks: Mapping[str, float]
) -> dict[str, Any]:
    """What is to be entered, said and written."""
    grades, zero = {}, ["nothing", "nothing_either"]
    for name in (name for name in handed if name not in NO_GRADE):
        until = due + CASES.get(name, Case(0)).until * DAY
        days = rules.days_late(until, datetime.fromisoformat(handed[name].submitted or ""))
        off = rules.points_off(marks[name], POINTS, days)
        grades[name] = {
            "id": handed[name].id,
            "score": marks[name] - off,
            "mark": marks[name],
            "days": days,
            "off": off,
        }
        zero += [name] if days > rules.most else []
    scores = [grade["score"] for grade in grades.values()] + [0.0, 0.0]
    return {
        "grades": grades, "mean": sum(scores) / len(scores), "zero": sorted(people[name].name for name in zero),
        "worth": POINTS, "percent": rules.percent, "most": rules.most, "per_day": POINTS * rules.percent / 100,
        **{f"id_{name}": grade["id"] for name, grade in grades.items()},
        **{name: people[name].id for name in ("nothing", "nothing_either", "excused", "running")},
        "best": people["in_time_0"].name,
    }  # fmt: skip
