"""Work that comes late: the rules of a school, students who ask for more time, and what they are told."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from yardkit.apps.courses import Assignment, Submission, User
from yardkit.apps.courses import School as SchoolRecord
from yardkit.apps.store import Store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.course_rules import write_course_rule
from yardkit.state_init.company.hours import at_work, choose_later_moment, make_moment
from yardkit.state_init.company.letters import Letter, link_thread, write_note
from yardkit.state_init.company.notes_texts import Part, make_part
from yardkit.state_init.company.persons import Somebody
from yardkit.state_init.company.schooling import School
from yardkit.world import World

_DAY = timedelta(days=1)
_OPENINGS = (
    "We compared both years and found that the mean moved less than the variance.",
    "In this report I look at three sources and ask which of them agree.",
    "The table shows the figures of the model; the text explains where they are off.",
    "My example is a small firm that changed its method in the middle of the year.",
)


@dataclass(frozen=True)
class LateRules:
    """What late work costs.

    Attributes:
        school: by whose clock days begin and end.
        percent: of the points that an assignment is worth, taken off for each day.
        most: days after which a work gets no points.
        closed: days on which the campus is closed, which do not count.
    """

    school: School
    percent: int
    most: int
    closed: Set[date]

    def days_late(self, due: date, handed: datetime) -> int:
        """How many days after the day on which it was due something was handed in."""
        day = handed.astimezone(ZoneInfo(self.school.time_zone)).date()
        after = (due + number * _DAY for number in range(1, (day - due).days + 1))
        return sum(day not in self.closed for day in after)

    def points_off(self, mark: float, points: float, days: int) -> float:
        """What so many days cost a work with this mark, in an assignment of so many points."""
        return mark if days > self.most else min(mark, points * self.percent * days / 100)

    def build_page(self, *, of_the_mark: bool = False) -> list[Part]:
        """The rules as a page of the handbook; `of_the_mark`: as an older one has them."""
        base = "of the points that the work got" if of_the_mark else "of the points that the assignment is worth"
        rule_lines = (
            f"Work is due at 23:59 by the clock of the campus in {self.school.city}, on the day that stands in the "
            'text of the assignment. The platform keeps all times in UTC, and its own mark "late" goes by what '
            "somebody once typed in: nobody grades by it.",
            f"Each day late costs {self.percent} % {base}. Work that is handed in on the day after it was due, by "
            "the clock of the campus, is one day late, and so on. Saturdays and Sundays count; days on which the "
            "whole campus is closed do not.",
            f"Work that is more than {self.most} days late gets 0 points.",
            "More time is granted by the teacher of the course, by nobody else, and for one assignment. It lasts "
            "until the end of the day that the teacher names, which then is the day on which the work is due. The "
            "teacher's last word holds.",
            "Who has handed in nothing gets 0 points once the time is over, the granted one too; until then there is "
            "no grade. Whom the teacher excuses is entered as excused. What the teacher holds back stays without a "
            "grade. Who has left the course is not in its grade report any more and gets nothing.",
            "A work that lost points by these rules gets a comment that says how many days late it is and how many "
            'points that cost, such as "2 days late, 6 points off". No other work gets a comment.',
            'When everything is entered, the course gets an announcement with a title like "Grades of Assignment 5". '
            "It says the mean of all points that were entered, zeros too, with one decimal, and names nobody.",
            "The teacher gets one mail about the assignment. It names who got 0 points for being too late and who for "
            "having handed in nothing, and nobody else.",
        )
        first = f"This holds for all courses that we look after at {self.school.name}."
        return [make_part("paragraph", first), *(make_part("bulleted_list_item", text) for text in rule_lines)]


@dataclass(frozen=True)
class Case:
    """A student. handed: how many days after it was due, None for never; until: the same of the time that holds.

    says: who writes what, S: the student, L: the lecturer, T: the tutor; ``{d[5]}`` is five days after it was due.
    """

    handed: int | None
    until: int = 0
    says: tuple[str, ...] = ()


CASES: Mapping[str, Case] = {
    "granted": Case(5, 5, (
        "S: I have been in bed with a fever since the weekend. Could I hand in {work} a few days later?",
        "L: get well soon. You have until {d[5]}.")),
    "used_up": Case(4, 2, (
        "S: my laptop has broken down. Could I have more time for {work}?", "L: all right, you have until {d[2]}.")),
    "prolonged": Case(5, 6, (
        "S: I am called up as a juror this week. Could I hand in {work} later?", "L: of course, you have until {d[2]}.",
        "S: it takes longer than they said, I am sorry. May I have some more days?",
        "L: you have until {d[6]}, but that is the last time.")),
    "taken_back": Case(2, 0, (
        "S: our team is in the finals. Could I hand in {work} later?", "L: congratulations! You have until {d[6]}.",
        "L: I have to take that back, the faculty allows no more time for sports. {work} is due as it is for all.")),
    "by_the_tutor": Case(3, 0, (
        "S: I have to move house this week. Could I hand in {work} a bit later?",
        "T: no problem, you have until {d[5]}.")),
    "unanswered": Case(4, 0, ("S: I am travelling for my job. I hope it is fine if {work} comes by {d[5]}.",)),
    "running": Case(None, 25, (
        "S: my father has died. I cannot finish {work} now.", "L: I am so sorry. You have until {d[25]}.")),
    "excused": Case(None, 0, (
        "S: I have had an accident and shall be in hospital until May. What about {work}?",
        "L: I have your certificate, thank you. You are excused from {work}.")),
    "next_work": Case(1, 0, (
        "S: could I hand in {work} later? I am at a wedding abroad.",
        "L: have fun. You have until {d[24]} for {work}.")),
    "next_course": Case(2, 0, ("S: could I hand in {work} later? It is a busy week.", "L: you have until {d[7]}.")),
}  # fmt: skip
"""Who asks for more time; that of `next_work` is for another assignment, that of `next_course` for another course."""
SILENT: Mapping[str, Case] = {
    **dict.fromkeys(("left", "held", "one_of_two", "other_of_two"), Case(0)),
    **dict.fromkeys(("just_after_midnight", "also_after_midnight", "released"), Case(1)),
    **dict.fromkeys(("nothing", "nothing_either"), Case(None)),
    "namesake": Case(5),
    "second_midnight": Case(2),
    "over_closed_days": Case(6),
    "much_too_late": Case(11),
}
"""Who does not; `namesake` has nearly the name of whom time was granted."""
LATE = (1, 1, 2, 2, 3, 4, 5)
"""How many days late others are, who asked nobody."""


def hand_in(
    store: Store, rng: random.Random, work: Assignment, due: date, days: Mapping[str, int], people: Mapping[str, User]
) -> dict[str, Submission]:
    """What is handed in for an assignment, by name; nothing of it is graded, and nothing else is there any more.

    Args:
        store: of the platform.
        rng: of the task.
        work: the assignment.
        due: its day.
        days: by name, how many days later somebody hands in; names of midnight within the first hour of the day.
        people: the students by name.
    """
    zone = store.find(SchoolRecord)[0].time_zone
    for submission in store.find(Submission, "assignment_id = ?", [work.id]):
        store.remove(submission)
    submissions = {}
    for name in sorted(days, key=lambda name: people[name].sortable_name):
        handed, user = _choose_submission_time(rng, name, due, days[name], zone), people[name].id
        at = f"{handed.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        comments = [{"author_id": user, "text": "Sorry that it is late.", "at": at}] if name == "late_1" else []
        text, number = f"<p>{rng.choice(_OPENINGS)}</p>", store.next_id(Submission)
        submissions[name] = store.put(
            Submission(number, work.id, user, 1, "text", text, submitted=at, comments=comments)
        )
    return submissions


def _choose_submission_time(rng: random.Random, name: str, due: date, days: int, zone: str) -> datetime:
    if name.endswith("midnight"):
        return make_moment(due + days * _DAY, 0, rng.randint(2, 50), zone)
    if not days:
        return make_moment(due - rng.choice((0, 0, 1, 3)) * _DAY, rng.randint(9, 23), rng.randint(0, 58), zone)
    return make_moment(due + days * _DAY, rng.randint(9, 22), rng.randint(0, 59), zone)


def days_of(people: Iterable[str]) -> dict[str, int]:
    """By name, how many days after it was due something is handed in, where it is."""
    days = {name: case.handed for name, case in {**CASES, **SILENT}.items()}
    days |= {f"late_{place}": number for place, number in enumerate(LATE)}
    return {name: handed for name in people if (handed := days.get(name, 0)) is not None}


def write_extension_requests(
    rng: random.Random, cast: Cast, works: Sequence[str], due: date, people: Mapping[str, Somebody], tutor: Somebody
) -> Iterator[Letter]:
    """Who asks for more time in the first course, with the answers; the owner gets copies.

    Args:
        rng: of the task.
        cast: whose school it is; the first course has one of nearly the same name.
        works: the title of the assignment, and of the one after it.
        due: its day.
        people: the students by case.
        tutor: of the course; who asks a tutor lets the lecturer know, too.
    """
    days = [f"{due + number * _DAY:%A, %d %B}".replace(" 0", " ") for number in range(30)]
    for name, case in CASES.items():
        code = cast.courses[6 if name == "next_course" else 0].code
        title = works[1 if name == "next_work" else 0]
        talking = {"S": people[name], "L": cast.school.get_teacher(cast.courses[0]), "T": tutor}
        other = "T" if any(text.startswith("T") for text in case.says) else "L"
        letters, sent = [], at_work(rng, due - rng.randint(1, 2) * _DAY, "UTC")
        for place, text in enumerate(case.says):
            by, to = talking[text[0]], talking[other if text[0] == "S" else "S"]
            words = write_note(to.first, text[3:].format(d=days, work=title), by.first)
            copies = [cast.owner.mailbox, *([talking["L"].mailbox] if other == "T" else [])]
            key, subject = f"{code}-{name}/{place}", f"{code}: {title}"
            letters.append(Letter(key, by.mailbox, (to.mailbox,), subject, words, sent, tuple(copies)))
            sent = choose_later_moment(rng, sent, min(place, 1), "UTC")
        yield from link_thread(*letters)


def write_mark_letters(
    rng: random.Random, cast: Cast, work: str, people: Mapping[str, Somebody], marks: Mapping[str, float]
) -> Iterator[Letter]:
    """What the teacher of the first course writes to the owner about the marks of an assignment."""
    first_mark, two = (f"{people[name].name} has {marks[name]:g} points" for name in ("one_of_two", "other_of_two"))
    withheld_name, released = (people[name].name for name in ("held", "released"))
    words = {
        10: (
            f"please enter no grade for {withheld_name} in {work} yet, the board of examiners looks at it. Nor for"
            f" {released}."
        ),
        4: f"the board has nothing against the work of {released}, please enter that grade as for all.",
        2: f"I have mixed up two rows in my list of {work}. {first_mark}, {two}. I am leaving now; see you in May!",
    }
    by, code = cast.school.get_teacher(cast.courses[0]), cast.courses[0].code
    for days, text in words.items():
        sent = at_work(rng, date(2026, 4, 16) - days * _DAY, cast.school.time_zone)
        letter_text = write_note(cast.owner.first, text, by.name)
        yield Letter(f"{code}-told/{days}", by.mailbox, (cast.owner.mailbox,), f"{code}: {work}", letter_text, sent)


def write_rules(world: World, cast: Cast, rules: LateRules) -> None:
    """The company's notes, and the rules among them: with an older version and a draft."""
    older = replace(rules, percent=5, most=5).build_page(of_the_mark=True)
    draft = replace(rules, percent=20, most=rules.most - 1).build_page()
    write_course_rule(world, cast, "Late work", rules.build_page(), older, draft)
