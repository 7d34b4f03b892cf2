"""Kits of courses: days that count as late, who came to sessions, and who advises whom."""

import random
from dataclasses import replace
from datetime import date, datetime

import pytest

from yardkit.state_init.company.cast import Cast, cast_of
from yardkit.state_init.desk.early_warning.attendance import Sessions, assign_advisers
from yardkit.state_init.desk.early_warning.early_warnings import Rubric
from yardkit.state_init.desk.late_policy.late_work import LateRules
from yardkit.world import World

DUE, CLOSED = date(2026, 4, 1), frozenset([date(2026, 4, 3)])


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Cast:
    return cast_of(World.create(tmp_path_factory.mktemp("kits") / "world", task="desk/x", seed=1))


@pytest.mark.parametrize(
    ("handed", "days"),
    [
        ("2026-04-01T21:59:00+00:00", 0),
        ("2026-04-01T22:01:00+00:00", 1),
        ("2026-04-03T12:00:00+00:00", 1),
        ("2026-04-04T12:00:00+00:00", 2),
    ],
)
def test_days_are_those_of_the_campus_and_closed_ones_do_not_count(cast: Cast, handed: str, days: int) -> None:
    rules = LateRules(replace(cast.school, time_zone="Europe/Berlin"), 10, 3, CLOSED)
    assert rules.days_late(DUE, datetime.fromisoformat(handed)) == days


def test_late_work_loses_a_share_of_the_points_of_the_assignment_and_in_the_end_all(cast: Cast) -> None:
    rules = LateRules(cast.school, 10, 3, CLOSED)
    assert [rules.points_off(15, 20, days) for days in (0, 2, 3, 4)] == [0, 4, 6, 15]


def test_scans_tell_who_was_there_with_rows_that_are_there_twice_and_a_session_that_was_off(cast: Cast) -> None:
    sessions = Sessions(cast.courses[0], 100, 12, 5)
    scans = sessions.list_scans(random.Random(1), 7, (8, 1, 2))
    assert len(scans) == 13 + 2
    assert len(set(scans)) == 13
    states = {row[0]: row[4] for row in sessions.rows()}
    session_statuses = [status for number, _, status in {*scans} if states[number] == "held"]
    assert sorted(session_statuses) == sorted(["present"] * 8 + ["excused"] + ["absent"] * 3)
    assert [states[105], states[112], states[113]] == ["cancelled", "held", "planned"]


def test_each_student_has_one_adviser_on_every_day(cast: Cast) -> None:
    today, students = date(2026, 4, 15), [f"s{number}@x.example" for number in range(30)]
    rows = [*assign_advisers(random.Random(1), today, students, cast.school.teachers, {students[1]}, {students[2]})]
    for email in students:
        mine = [(since, until) for student, _, since, until in rows if student == email]
        assert sum(since <= today < (until or date.max) for since, until in mine) == 1
    assert [sum(row[0] == email for row in rows) for email in students[1:4]] == [2, 2, 1]


def test_one_signal_is_no_risk_two_are_and_hardly_coming_is_one() -> None:
    rubric = Rubric(70, 50, 2, 40)
    assert not rubric.at_risk((58.3, 80.0, 1, False))
    assert rubric.at_risk((58.3, 44.4, 1, False))
    assert rubric.at_risk((33.3, None, 0, False))
    assert rubric.list_signals((58.3, 44.4, 2, True)) == [
        "attendance: 58 %", "grades: 44 %", "missing work: 2", "mails of the teacher stay without an answer",
    ]  # fmt: skip
