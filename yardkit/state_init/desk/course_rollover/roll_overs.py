"""Terms of a school, and a course of one that is to be held again in another: what is due when, and what moves."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta

from yardkit.apps.courses import Assignment, AssignmentGroup, Enrolment, Module, ModuleItem, Section, SubmissionKind
from yardkit.apps.courses import Course as CourseRecord
from yardkit.apps.store import Store
from yardkit.state_init.company.hours import make_moment
from yardkit.state_init.company.notes_texts import Part, make_part

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Term:
    """A term. begins: the Monday of its first teaching week; reading: that of a week which does not count.

    closed: days on which the campus is closed; fixed: days that the registrar sets, by what they are.
    """

    name: str
    begins: date
    reading: date
    closed: Mapping[str, date]
    fixed: Mapping[str, date]

    def get_monday(self, week: int) -> date:
        """The first day of a teaching week, from 1."""
        day = self.begins + 7 * (week - 1) * _DAY
        return day + 7 * _DAY if day >= self.reading else day

    def day(self, week: int, weekday: int) -> date:
        """A weekday (0: Monday) of a teaching week, or the next open day."""
        day = self.get_monday(week) + weekday * _DAY
        off: Set[date] = {*self.closed.values()}
        while day in off or day.weekday() > 4:
            day += _DAY
        return day

    @property
    def events(self) -> dict[str, date]:
        """Its days, as a calendar names them."""
        named = {f"{self.name}: first teaching day": self.begins}
        named |= {f"{self.name}: reading week, day {place + 1}": self.reading + place * _DAY for place in range(5)}
        named |= {f"{self.name}: {title}": day for title, day in self.fixed.items()}
        return named | {f"Campus closed ({title} {day.year})": day for title, day in self.closed.items()}


@dataclass(frozen=True)
class Task:
    """An assignment: in which teaching week, on which weekday, at which hour it is due.

    Attributes:
        link: the end of the address to which its text leads.
        fixed: what the registrar calls the day on which it is due instead.
        module: the part of the course in which it stands, from 1.
    """

    name: str
    week: int
    weekday: int
    hour: tuple[int, int]
    points: float
    kinds: tuple[SubmissionKind, ...] = ("upload",)
    link: str = ""
    fixed: str = ""
    module: int = 1

    def due(self, term: Term, zone: str) -> str:
        """When it is due in a term, in UTC."""
        day = term.fixed[self.fixed] if self.fixed else term.day(self.week, self.weekday)
        return f"{make_moment(day, *self.hour, zone).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def put_task(store: Store, course: int, task: Task, due: str, text: str, number: int | None = None) -> Assignment:
    """An assignment of a course, in its module; with a number in the place of one that is there."""
    (group, *_) = store.find(AssignmentGroup, "course_id = ?", [course], order="position")
    known = number or store.next_id(Assignment)
    assignment = Assignment(
        known, course, group.id, task.name, text, due, task.points, list(task.kinds), published=True
    )
    module = store.find(Module, "course_id = ?", [course], order="position")[task.module - 1]
    place = store.count(ModuleItem, "module_id = ?", [module.id]) + 1
    store.put(ModuleItem(store.next_id(ModuleItem), module.id, place, "assignment", task.name, known))
    return store.put(assignment)


def put_shell(store: Store, like: CourseRecord, term: str, starts: str) -> CourseRecord:
    """An empty course of the same name for another term, with the modules of the first, and its teacher."""
    number = store.next_id(CourseRecord)
    new_course = replace(like, id=number, state="unpublished", term=term, starts=starts, ends=None, created=starts)
    section = store.put(Section(store.next_id(Section), number, f"{like.code} A"))
    store.put(AssignmentGroup(store.next_id(AssignmentGroup), number, "Assignments", 1, 100.0))
    for module in store.find(Module, "course_id = ?", [like.id], order="position"):
        store.put(replace(module, id=store.next_id(Module), course_id=number))
    (teaches,) = store.find(Enrolment, "course_id = ? AND role = 'teacher'", [like.id])
    store.put(replace(teaches, id=store.next_id(Enrolment), course_id=number, section_id=section.id))
    return store.put(new_course)


def build_rules_page(links: Mapping[str, str]) -> list[Part]:
    """The rules; links: the addresses that have moved, by the old ones, empty for those that are gone."""
    rule_texts = (
        "The course for the new term is there already, empty but for its modules. Copy the assignments of last year's "
        "course into it with name, points and what is taken, each into the module of the same name. Quizzes are "
        "written anew each year.",
        "A deadline keeps its teaching week, its weekday and its hour by the clock of the campus. Teaching weeks begin "
        "on Mondays, with that of the first teaching day; the reading week is none of them.",
        "Where the campus is closed on that day, it is the next day on which it is open, Saturdays and Sundays left "
        "out, at the same hour.",
        "What the text calls a date of the registrar is due on the day of the new term that the registrar's calendar "
        "has for it, at the hour that it had.",
        'What is marked as old in its name, or on the page "Marked as old", is not copied.',
        "Links that have moved lead to their new addresses. Where one is gone for good, the sentence with it is left "
        "out. Else the text stays as it is.",
        "Published are those of the first two teaching weeks, and those with dates of the registrar. All others stay "
        "unpublished until the teacher has looked at them.",
    )
    listed = [f"{old_link} is now {new}" if new else f"{old_link} is gone" for old_link, new in links.items()]
    first = "How a course of last year becomes that of the next."
    parts = [make_part("paragraph", first), *(make_part("bulleted_list_item", text) for text in rule_texts)]
    return [*parts, make_part("heading_2", "Links"), *(make_part("bulleted_list_item", text) for text in listed)]
