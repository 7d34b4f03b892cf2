"""Solutions and near misses of desk/course_rollover."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.solving.courses import read_closed_days
from yardkit.evaluators.solving.desk import read_note

DAY, SPAN = timedelta(days=1), (date(2025, 8, 1), date(2027, 1, 1))


@dataclass(frozen=True)
class Calendar:
    """A term by its calendar: its first Monday, that of the reading week, and what the registrar sets."""

    first: date
    reading: date
    closed: set[date]
    fixed: Mapping[str, date]

    def week_of(self, day: date) -> int:
        """The teaching week of a day."""
        return (day - self.first).days // 7 + 1 - (day >= self.reading)

    def day(self, week: int, weekday: int) -> date:
        """A weekday of a teaching week, or the next open day."""
        day = self.first + (7 * (week - 1) + weekday) * DAY
        day += 7 * DAY if day - weekday * DAY >= self.reading else 0 * DAY
        while day in self.closed or day.weekday() > 4:
            day += DAY
        return day


def solve(agent: Agent) -> str:
    """Each assignment by weeks, weekdays and hours of the campus, in the order of last year's deadlines."""
    target, modules, copies = _list_copies(agent)
    for copy_fields, module in copies:
        assignment = agent.call("save_assignment", course_id=target, **copy_fields)
        agent.call(
            "save_module_item",
            course_id=target,
            kind="assignment",
            module_id=modules[module],
            content_id=assignment["id"],
        )
    return f"{len(copies)} assignments are copied."


def alternative_in_steps_from_the_end(agent: Agent, _files: Path) -> str:
    """The last one first; dates, texts in other HTML and flags in a second step."""
    target, modules, copies = _list_copies(agent)
    for copy_fields, module in reversed(copies):
        first = {name: copy_fields[name] for name in ("name", "points", "submission_kinds")}
        assignment = agent.call("save_assignment", course_id=target, **first, published=False)
        agent.call(
            "save_module_item",
            course_id=target,
            kind="assignment",
            module_id=modules[module],
            content_id=assignment["id"],
        )
        text = re.sub(r"<a href='(.*?)'>.*?</a>", r'<a href="\1">this page</a>', copy_fields["description"])
        rest = {"due": copy_fields["due"], "description": text, "published": copy_fields["published"]}
        agent.call("save_assignment", course_id=target, assignment_id=assignment["id"], **rest)
    return ""


def alternative_due_in_local_time(agent: Agent, _files: Path) -> str:
    """Deadlines with the offset of the campus, texts without HTML."""
    target, modules, copies = _list_copies(agent)
    for copy_fields, module in copies:
        (course,) = [
            course for course in agent.call("find_courses", query="Autumn 2026")["courses"] if course["id"] == target
        ]
        due = datetime.fromisoformat(copy_fields["due"]).astimezone(ZoneInfo(course["time_zone"])).isoformat()
        text = re.sub(r"<[^>]*>", " ", copy_fields["description"])
        assignment = agent.call("save_assignment", course_id=target, **copy_fields | {"due": due, "description": text})
        agent.call(
            "save_module_item",
            course_id=target,
            kind="assignment",
            module_id=modules[module],
            content_id=assignment["id"],
        )
    return ""


def _add_to_module(agent: Agent, course: int, module: int, assignment_id: int) -> None:
    agent.call("save_module_item", course_id=course, kind="assignment", module_id=module, content_id=assignment_id)


def _list_copies(agent: Agent) -> tuple[int, dict[str, int], list[tuple[dict[str, Any], str]]]:
    """The new course, its modules by name, and what is saved in which of them."""
    code = re.findall(r"2026\. (\S+) \(", agent.prompt)[0]
    courses = {
        course["term"]: course for course in agent.call("find_courses", query=code)["courses"] if course["code"] == code
    }
    source, target = courses["Autumn 2025"], courses["Autumn 2026"]["id"]
    modules = agent.call("list_modules", course_id=source["id"])["modules"]
    placed = {
        item["content_id"]: view["module"]["name"]
        for view in modules
        for item in view["items"]
        if item["kind"] == "assignment"
    }
    new = {
        view["module"]["name"]: view["module"]["id"] for view in agent.call("list_modules", course_id=target)["modules"]
    }
    assignments = agent.call("find_assignments", course_id=source["id"], limit=200)["assignments"]
    rules, old = read_note(agent, "Course roll-over"), read_note(agent, "Marked as old")
    terms = [_read_calendar(agent, year) for year in (2025, 2026)]
    current_assignments = [
        assignment
        for assignment in assignments
        if assignment["kinds"] != ["quiz"] and "(old)" not in assignment["name"] and assignment["name"] not in old
    ]
    return (
        target,
        new,
        [
            (_make_copy(assignment, rules, terms, source["time_zone"]), placed[assignment["id"]])
            for assignment in current_assignments
        ],
    )


def _make_copy(assignment: Mapping[str, Any], rules: str, terms: list[Calendar], zone: str) -> dict[str, Any]:
    text, due = assignment["description"], datetime.fromisoformat(assignment["due"]).astimezone(ZoneInfo(zone))
    week, set_by = terms[0].week_of(due.date()), re.findall(r"Date of the registrar: (.+?)\.<", text)
    day = terms[1].fixed[set_by[0]] if set_by else terms[1].day(week, due.weekday())
    for gone in re.findall(r"(\S+) is gone", rules):
        text = re.sub(rf"<p>Read <a href='{re.escape(gone)}'>.*?</p>", "", text)
    for link, now in re.findall(r"(\S+) is now (\S+)", rules):
        text = re.sub(rf"{re.escape(link)}(?=['<])", now, text)
    moment = datetime.combine(day, due.time(), ZoneInfo(zone)).astimezone(ZoneInfo("UTC"))
    copy_fields = {
        "name": assignment["name"],
        "points": assignment.get("points", 0),
        "submission_kinds": assignment["kinds"],
        "description": text,
    }
    return copy_fields | {"due": f"{moment:%Y-%m-%dT%H:%M:%SZ}", "published": bool(set_by) or week < 3}


def _read_calendar(agent: Agent, year: int) -> Calendar:
    """A term as the calendar has it."""
    named = f"Autumn term {year}"
    search_arguments = {"since": str(SPAN[0]), "until": str(SPAN[1]), "query": named, "limit": 200}
    days = {
        event["title"].removeprefix(f"{named}: "): date.fromisoformat(event["starts"])
        for event in agent.call("list_events", **search_arguments)["events"]
    }
    return Calendar(days["first teaching day"], days["reading week, day 1"], read_closed_days(agent, *SPAN), days)


def _change_copy(name: str, change: str, caught_by: str) -> Miss:
    """A copy in the new course is another one."""
    where = f"WHERE course_id = :course AND name = '{name}'"
    return misses.change_records("courses", f"UPDATE assignments SET {change} {where}", caught_by=caught_by)  # noqa: S608 - our own


def _change_due(name: str, days: str) -> Miss:
    return _change_copy(name, f"due = strftime('%Y-%m-%dT%H:%M:%SZ', due, '{days}')", "copied")


near_miss_closed_day_kept = _change_due("Source critique", "-4 days")
near_miss_moved_onto_a_bridge_day = _change_due("Source critique", "-3 days")
near_miss_reading_week_counted = _change_due("Poster", "-7 days")
near_miss_hour_of_summer_time = _change_due("Final report", "-1 hours")
near_miss_registrar_by_teaching_weeks = _change_due("Exam registration", "+7 days")
near_miss_strike_that_was_called_off = _change_due("Case study 1", "+1 days")
near_miss_everything_published = _change_copy("Poster", "published = 1", "published")
near_miss_registrar_unseen = _change_copy("Withdrawal form", "published = 0", "published")
near_miss_old_link_kept = _change_copy(
    "Source critique", "description = replace(description, 'research/', 'guides/')", "texts"
)
near_miss_link_of_nearly_the_same_name = _change_copy(
    "Final report", "description = replace(description, 'guides/sources-2', 'research/sources-2')", "texts"
)
near_miss_dead_link_kept = _change_copy(
    "Poster", "description = description || '<p>Read https://x.example first.</p>'", "texts"
)
near_miss_old_one_copied = _change_copy("Peer review", "name = 'Microfilm exercise'", "copied")
MOVED = "UPDATE module_items SET module_id = module_id - 1 WHERE id = (SELECT max(id) FROM module_items)"
near_miss_another_module = misses.change_records("courses", MOVED, caught_by="placed")
