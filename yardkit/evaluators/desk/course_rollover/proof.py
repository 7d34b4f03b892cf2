"""Solutions and near misses of desk/course_rollover."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.evaluators import misses
from yardkit.evaluators.course_steps import read_closed_days
from yardkit.evaluators.desk_steps import read_note
from yardkit.evaluators.proof import Agent, Miss

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
    target, modules, copies = _copies(agent)
    for said, module in copies:
        made = agent.call("save_assignment", course_id=target, **said)
        agent.call(
            "save_module_item", course_id=target, kind="assignment", module_id=modules[module], content_id=made["id"]
        )
    return f"{len(copies)} assignments are copied."


def also_in_steps_from_the_end(agent: Agent, _files: Path) -> str:
    """The last one first; dates, texts in other HTML and flags in a second step."""
    target, modules, copies = _copies(agent)
    for said, module in reversed(copies):
        first = {name: said[name] for name in ("name", "points", "submission_kinds")}
        made = agent.call("save_assignment", course_id=target, **first, published=False)
        agent.call(
            "save_module_item", course_id=target, kind="assignment", module_id=modules[module], content_id=made["id"]
        )
        text = re.sub(r"<a href='(.*?)'>.*?</a>", r'<a href="\1">this page</a>', said["description"])
        rest = {"due": said["due"], "description": text, "published": said["published"]}
        agent.call("save_assignment", course_id=target, assignment_id=made["id"], **rest)
    return ""


def also_due_in_local_time(agent: Agent, _files: Path) -> str:
    """Deadlines with the offset of the campus, texts without HTML."""
    target, modules, copies = _copies(agent)
    for said, module in copies:
        (course,) = [one for one in agent.call("find_courses", query="Autumn 2026")["courses"] if one["id"] == target]
        due = datetime.fromisoformat(said["due"]).astimezone(ZoneInfo(course["time_zone"])).isoformat()
        text = re.sub(r"<[^>]*>", " ", said["description"])
        made = agent.call("save_assignment", course_id=target, **said | {"due": due, "description": text})
        agent.call(
            "save_module_item", course_id=target, kind="assignment", module_id=modules[module], content_id=made["id"]
        )
    return ""


def _place(agent: Agent, course: int, module: int, made: int) -> None:
    agent.call("save_module_item", course_id=course, kind="assignment", module_id=module, content_id=made)


def _copies(agent: Agent) -> tuple[int, dict[str, int], list[tuple[dict[str, Any], str]]]:
    """The new course, its modules by name, and what is saved in which of them."""
    code = re.findall(r"2026\. (\S+) \(", agent.prompt)[0]
    courses = {one["term"]: one for one in agent.call("find_courses", query=code)["courses"] if one["code"] == code}
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
    found = agent.call("find_assignments", course_id=source["id"], limit=200)["assignments"]
    rules, old = read_note(agent, "Course roll-over"), read_note(agent, "Marked as old")
    terms = [_calendar(agent, year) for year in (2025, 2026)]
    kept = [one for one in found if one["kinds"] != ["quiz"] and "(old)" not in one["name"] and one["name"] not in old]
    return target, new, [(_copy(one, rules, terms, source["time_zone"]), placed[one["id"]]) for one in kept]


def _copy(one: Mapping[str, Any], rules: str, terms: list[Calendar], zone: str) -> dict[str, Any]:
    text, due = one["description"], datetime.fromisoformat(one["due"]).astimezone(ZoneInfo(zone))
    week, set_by = terms[0].week_of(due.date()), re.findall(r"Date of the registrar: (.+?)\.<", text)
    day = terms[1].fixed[set_by[0]] if set_by else terms[1].day(week, due.weekday())
    for gone in re.findall(r"(\S+) is gone", rules):
        text = re.sub(rf"<p>Read <a href='{re.escape(gone)}'>.*?</p>", "", text)
    for link, now in re.findall(r"(\S+) is now (\S+)", rules):
        text = re.sub(rf"{re.escape(link)}(?=['<])", now, text)
    moment = datetime.combine(day, due.time(), ZoneInfo(zone)).astimezone(ZoneInfo("UTC"))
    said = {"name": one["name"], "points": one.get("points", 0), "submission_kinds": one["kinds"], "description": text}
    return said | {"due": f"{moment:%Y-%m-%dT%H:%M:%SZ}", "published": bool(set_by) or week < 3}


def _calendar(agent: Agent, year: int) -> Calendar:
    """A term as the calendar has it."""
    named = f"Autumn term {year}"
    said = {"since": str(SPAN[0]), "until": str(SPAN[1]), "query": named, "limit": 200}
    days = {
        one["title"].removeprefix(f"{named}: "): date.fromisoformat(one["starts"])
        for one in agent.call("list_events", **said)["events"]
    }
    return Calendar(days["first teaching day"], days["reading week, day 1"], read_closed_days(agent, *SPAN), days)


def _changed(name: str, change: str, kills: str) -> Miss:
    """A copy in the new course is another one."""
    where = f"WHERE course_id = :course AND name = '{name}'"
    return misses.records("courses", f"UPDATE assignments SET {change} {where}", kills=kills)  # noqa: S608 - our own


def _due(name: str, days: str) -> Miss:
    return _changed(name, f"due = strftime('%Y-%m-%dT%H:%M:%SZ', due, '{days}')", "copied")


miss_closed_day_kept = _due("Source critique", "-4 days")
miss_moved_onto_a_bridge_day = _due("Source critique", "-3 days")
miss_reading_week_counted = _due("Poster", "-7 days")
miss_hour_of_summer_time = _due("Final report", "-1 hours")
miss_registrar_by_teaching_weeks = _due("Exam registration", "+7 days")
miss_strike_that_was_called_off = _due("Case study 1", "+1 days")
miss_everything_published = _changed("Poster", "published = 1", "published")
miss_registrar_unseen = _changed("Withdrawal form", "published = 0", "published")
miss_old_link_kept = _changed("Source critique", "description = replace(description, 'research/', 'guides/')", "texts")
miss_link_of_nearly_the_same_name = _changed(
    "Final report", "description = replace(description, 'guides/sources-2', 'research/sources-2')", "texts"
)
miss_dead_link_kept = _changed("Poster", "description = description || '<p>Read https://x.example first.</p>'", "texts")
miss_old_one_copied = _changed("Peer review", "name = 'Microfilm exercise'", "copied")
MOVED = "UPDATE module_items SET module_id = module_id - 1 WHERE id = (SELECT max(id) FROM module_items)"
miss_another_module = misses.records("courses", MOVED, kills="placed")
