"""A course of last year that is held again: deadlines by teaching weeks, dates of the registrar, links, what is old."""

import random
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from yardkit.apps.courses import APP, RECORDS, Assignment, AssignmentGroup, Module, ModuleItem, Submission
from yardkit.apps.courses import Course as CourseRecord
from yardkit.apps.store import open_store
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.closing_days import campus_days
from yardkit.state_init.company.course_rules import write_course_rule
from yardkit.state_init.company.courses import fill_courses
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.note_pages import open_notebook
from yardkit.state_init.company.notes_texts import make_part
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.desk.course_rollover.roll_overs import Task, Term, build_rules_page, put_shell, put_task
from yardkit.world import World

DAY = timedelta(days=1)
NIGHT, NOON, EVENING = (23, 59), (12, 0), (18, 0)
WITHDRAW, REGISTER = "last day to withdraw", "exam registration closes"
TASKS = (
    Task("Learning agreement", 1, 4, NOON, 5.0, ("text",)),
    Task("Reading diary", 2, 2, NIGHT, 10.0, ("text",), "guides/reading"),
    Task("Case study 1", 3, 1, NIGHT, 20.0, ("upload",), "cases/first"),
    Task("Source critique", 4, 3, EVENING, 15.0, ("upload",), "guides/sources"),
    Task("Withdrawal form", 5, 4, NOON, 0.0, ("upload",), fixed=WITHDRAW, module=2),
    Task("Case study 2", 6, 0, NIGHT, 20.0, ("upload",), "cases/second", module=2),
    Task("Data exercise (old)", 7, 2, NIGHT, 10.0, ("upload",), module=2),
    Task("Peer review", 8, 2, NIGHT, 10.0, ("text", "upload"), "guides/review", module=2),
    Task("Exam registration", 9, 0, NOON, 0.0, ("link",), fixed=REGISTER, module=3),
    Task("Microfilm exercise", 9, 3, EVENING, 10.0, module=3),
    Task("Poster", 10, 1, NIGHT, 20.0, ("upload",), "guides/posters", module=3),
    Task("Final report", 12, 4, EVENING, 30.0, ("upload",), "guides/sources-2", module=3),
)
DROPPED = "Data exercise (old)", "Microfilm exercise"
MOVED = {
    "guides/reading": "research/reading",
    "guides/sources": "research/sources",
    "cases/second": "cases/2026/second",
}
GONE = "guides/posters"
STRIKE = "Campus closed (strike 2026)"


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill platform, calendar, notes and mailbox; the facts say what the new course holds."""
    cast = cast_of(world)
    course, (old, new) = cast.courses[7], _make_terms(rng)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    school = fill_courses(world, cast, get_stream(world, "courses"), stories=stories)
    number, host = school.courses[course.code, course.term], f"https://library.{cast.school.domain}/"
    zone = cast.school.time_zone
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for item in store.find(ModuleItem, "kind = 'assignment'"):
            if store.get(Assignment, item.content_id or 0).course_id == number:
                store.remove(item)
        for name in (f"Assignment {place}" for place in range(1, 7)):
            for submission in store.find(Submission, "assignment_id = ?", [school.assignments[number, name]]):
                store.remove(submission)
        known = [school.assignments[number, f"Assignment {place}"] for place in range(1, 7)]
        for place, task in enumerate(TASKS):
            taken = known[place] if place < len(known) else None
            put_task(store, number, task, task.due(old, zone), _write_task_text(task, host + task.link), taken)
        start = f"{new.begins - 2 * DAY}T22:00:00Z"
        shell = put_shell(store, store.get(CourseRecord, number), "Autumn 2026", start)
        group = store.find(AssignmentGroup, "course_id = ?", [shell.id])[0].id
        modules = [row.id for row in store.find(Module, "course_id = ?", [shell.id], order="position")]
    links = {host + old_path: host + other for old_path, other in MOVED.items()} | {host + GONE: ""}
    days = {**old.events, **new.events, "Summer term 2026: exam registration closes": date(2026, 6, 12)}
    off = {STRIKE: new.day(3, 1)}
    fill_mail(world, cast, get_stream(world, "mail"), count=150, stories=stories)
    more = list(campus_days(cast.school, days, STRIKE, off))
    fill_calendar(world, cast, get_stream(world, "calendar"), stories, people=4, more=more)
    write_course_rule(
        world,
        cast,
        "Course roll-over",
        build_rules_page(links),
        build_rules_page({}),
        build_rules_page({host + "guides/sources-2": ""}),
    )
    with open_notebook(world) as notes:
        dropped_texts = [
            f"{DROPPED[1]} ({course.code}): nobody has a reader for it any more",
            "Card index (all courses)",
        ]
        parts = [
            make_part("paragraph", "What we do not hold again."),
            *(make_part("bulleted_list_item", dropped_text) for dropped_text in dropped_texts),
        ]
        notes.add_page("Marked as old", None, world.now - 40 * DAY, cast.owner.email, parts)
    return {
        "owner": cast.owner.email, "course": shell.id, "group": group, "source": number,
        "copies": [_copy_task(task, new, zone, host, modules) for task in TASKS if task.name not in DROPPED],
        "prompt": {"code": course.code, "course": course.title},
    }  # fmt: skip


def _make_terms(rng: random.Random) -> tuple[Term, Term]:
    """Last year's term and the new one, in which the campus is closed where deadlines would fall."""
    closed = {"Founders' Day": date(2025, 10, 2), "Regatta": date(2025, 11, 12)}
    fixed = {WITHDRAW: date(2025, 10, 9), REGISTER: date(2025, 11, 14)}
    old = Term("Autumn term 2025", date(2025, 9, 1), date(2025, 10, 20), closed, fixed)
    fixed = {WITHDRAW: date(2026, 10, rng.randint(13, 16)), REGISTER: date(2026, 11, rng.randint(9, 13))}
    reading = date(2026, 10, 5) + rng.choice((0, 7)) * DAY
    new = Term("Autumn term 2026", date(2026, 9, 7), reading, {}, fixed)
    thursday, monday = new.get_monday(4) + 3 * DAY, new.get_monday(6)
    return old, replace(new, closed={"Founders' Day": thursday, "Bridge day": thursday + DAY, "City holiday": monday})


def _write_task_text(task: Task, link: str) -> str:
    """What a task says, and where it leads."""
    how = "Write half a page into the field." if task.kinds[0] == "text" else f"Hand in {task.points / 5:.0f} pages."
    due_text = f"Date of the registrar: {task.fixed}." if task.fixed else how
    read = f"<p>Read <a href='{link}'>{link}</a> first.</p>" if task.link else ""
    return f"<p>{due_text}</p>{read}"


def _copy_task(task: Task, term: Term, zone: str, host: str, modules: list[int]) -> dict[str, Any]:
    """An assignment as the new course has it."""
    end = MOVED.get(task.link, task.link) if task.link != GONE else ""
    return {
        "name": task.name, "due": task.due(term, zone), "points": task.points, "kinds": list(task.kinds),
        "published": int(task.week < 3 or bool(task.fixed)), "link": host + end if end else "",
        "told": _write_task_text(replace(task, link=""), "").removeprefix("<p>").removesuffix("</p>"),
        "module": modules[task.module - 1],
    }  # fmt: skip
