"""Shared steps of reference solutions on a course platform, using only tool calls."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.desk import read_day

_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+")


@dataclass(frozen=True)
class Student:
    """A participant of a course."""

    id: int
    name: str
    address: str


@dataclass(frozen=True)
class Assigned:
    """An assignment with its course.

    Attributes:
        due: the day named in its text.
        teacher: the address of the course's teacher.
        students: the remaining participants, by address.
        handed: the school day on which students handed in, by their numbers.
    """

    course: int
    id: int
    name: str
    points: float
    due: date
    teacher: str
    students: Mapping[str, Student]
    handed: Mapping[int, date]

    def grade(self, agent: Agent, student: Student, grade: str | None, comment: str = "") -> None:
        """Enter a grade, or only a comment."""
        whom = {"course_id": self.course, "assignment_id": self.id, "user_id": student.id}
        agent.call("grade_submission", **whom, grade=grade, comment=comment)


def read_students(agent: Agent, course: int) -> dict[str, Student]:
    """Read the students in a course's grade report, by address."""
    people = agent.call("find_users", course_id=course, role="student", limit=200)["people"]
    active = {grade_row["user_id"] for grade_row in agent.call("report_grades", course_id=course)["grades"]}
    return {
        person["email"]: Student(person["id"], person["name"], person["email"])
        for person in people
        if person["id"] in active
    }


def read_assignment(agent: Agent, code: str, title: str) -> Assigned:
    """Read an assignment whose text gives its due day."""
    (course,) = agent.call("find_courses", query=code)["courses"]
    (work,) = agent.call("find_assignments", course_id=course["id"], query=title)["assignments"]
    due = read_day(re.findall(r"handed in by \w+, (\d+ \w+ \d+)", work["description"])[0])
    (teacher,) = agent.call("find_users", course_id=course["id"], role="teacher")["people"]
    search_arguments = {"course_id": course["id"], "assignment_id": work["id"], "limit": 200}
    submissions = [
        submission_row["submission"]
        for submission_row in agent.call("find_submissions", **search_arguments)["submissions"]
    ]
    zone = ZoneInfo(course["time_zone"])
    handed = {
        submission["user_id"]: datetime.fromisoformat(submission["submitted"]).astimezone(zone).date()
        for submission in submissions
    }
    students = read_students(agent, course["id"])
    return Assigned(course["id"], work["id"], title, work["points"], due, teacher["email"], students, handed)


def read_closed_days(agent: Agent, since: date, until: date, query: str = "Campus closed") -> set[date]:
    """Read the first days of the events with these words that were not cancelled."""
    search_arguments = {"since": str(since), "until": str(until), "query": query, "limit": 200}
    events = agent.call("list_events", **search_arguments)["events"]
    return {date.fromisoformat(event["starts"][:10]) for event in events if event.get("status") != "cancelled"}


def days_after(first: date, last: date, off: set[date]) -> int:
    """Count the days after one day, up to and including another, except days off."""
    days = (first + timedelta(days=number) for number in range(1, (last - first).days + 1))
    return sum(day not in off for day in days)


def bare_address(text: str) -> str:
    """Return the address in ``Ada Berg <ada.berg@example.com>``."""
    return str(_ADDRESS.findall(text)[-1])
