"""The school of a seeded company: its courses, people and work, as its trainings tell of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.answers import make_caller

from yardkit.apps.courses import APP, RECORDS, Assignment, Enrolment, Submission, User
from yardkit.apps.store import open_store
from yardkit.sandbox.serving.registry import load_server
from yardkit.state_init.company.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.courses import FilledSchool, fill_courses
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.world import World, use_world

School = tuple[World, Cast, Stories, FilledSchool]


def _fill_school(root: Path, seed: int = 1, acting: int | None = None) -> School:
    world = World.create(root, task="desk/x", seed=seed)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    who = "" if acting is None else cast.school.teachers[acting].email
    return world, cast, stories, fill_courses(world, cast, get_stream(world, "courses"), stories=stories, acting=who)


def _call_tool(world: World, tool: str, **arguments: Any) -> Any:
    with use_world(world):
        return json.loads(make_caller(load_server("courses"))(tool, **arguments).content[0].text)


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> School:
    return _fill_school(tmp_path_factory.mktemp("school") / "world")


def test_it_has_the_courses_of_the_cast_and_hundreds_of_submissions(school: School) -> None:
    world, cast, _, filled = school
    listed = _call_tool(world, "find_courses")["courses"]
    assert [(course["code"], course["term"]) for course in listed] == [
        (course.code, course.term) for course in cast.courses
    ]
    assert len(filled.courses) == 8
    with open_store(APP, *RECORDS, world=world) as store:
        assert 60 <= store.count(User) <= 300
        assert 500 <= store.count(Submission) <= 5_000
        emails = [user.email for user in store.find(User)]
        assert len(emails) == len(set(emails))


def test_what_the_letters_of_trainings_say_stands_in_the_school(school: School) -> None:
    world, _cast, stories, filled = school
    assert stories.trainings
    for training in stories.trainings:
        course = filled.courses[training.course.code, training.course.term]
        student = filled.people[training.student.email]
        number = filled.assignments[course, training.assignment]
        (work,) = (
            assignment
            for assignment in _call_tool(world, "find_assignments", course_id=course)["assignments"]
            if assignment["id"] == number
        )
        assert work["due"] == training.due.astimezone(world.now.tzinfo).strftime("%Y-%m-%dT%H:%M:%SZ")
        assert (
            _call_tool(world, "find_submissions", course_id=course, assignment_id=number, user_id=student)["total"] == 0
        )
        with open_store(APP, *RECORDS, world=world) as store:
            assert store.count(Enrolment, "course_id = ? AND user_id = ?", [course, student]) == 1


def test_scores_lie_within_the_points_and_quizzes_within_their_questions(school: School) -> None:
    with open_store(APP, *RECORDS, world=school[0]) as store:
        points = {assignment.id: assignment.points for assignment in store.find(Assignment)}
        handed = store.find(Submission)
    assert all(
        submission.score is None or 0 <= submission.score <= points[submission.assignment_id] for submission in handed
    )
    assert {submission.score is None for submission in handed} == {True, False}


def test_a_teacher_can_act_and_a_seed_makes_the_same_school_again(school: School, tmp_path: Path) -> None:
    again, *_ = _fill_school(tmp_path / "again")
    assert again.state_hash() == school[0].state_hash()
    world, cast, *_ = _fill_school(tmp_path / "teacher", acting=0)
    mine = [course.code for course in cast.courses if course.teacher == cast.school.teachers[0].email]
    assert [course["code"] for course in _call_tool(world, "find_courses")["courses"]] == mine
