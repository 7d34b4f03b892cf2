"""Who acts sees and may do what belongs to an admin, a teacher, a student."""

from collections.abc import Callable
from typing import Any

import pytest
from support.answers import Call
from support.schools import ADA, SAM, SUE, TIM

Acting = Callable[[int], None]


def test_courses_are_seen_by_whom_they_concern(done: Call, refused: Call, acting: Acting) -> None:
    assert [course["code"] for course in done("find_courses")["courses"]] == ["BUS-201", "BUS-210"]
    acting(SUE)
    assert [course["code"] for course in done("find_courses")["courses"]] == ["BUS-201"]
    assert "there is no course 2; there are: 1 (BUS-201)" in refused("read_course", course_id=2)


def test_an_admin_makes_a_course_a_teacher_changes_it_and_a_student_may_not(
    done: Call, refused: Call, acting: Acting
) -> None:
    course = done("save_course", name="Chemistry", code="CHE-1", starts="2026-04-01", syllabus="<p>Acids</p>")
    assert (course["id"], course["starts"]) == (3, "2026-04-01T23:59:00Z")
    done("enrol_user", course_id=3, user_id=TIM, role="teacher")
    acting(TIM)
    done("save_course", course_id=3, state="available")
    view = done("read_course", course_id=3)
    assert (view["role"], view["counts"]["sections"], view["course"]["syllabus"]) == ("teacher", 1, "<p>Acids</p>")
    assert "admins may do this" in refused("save_course", name="Mine")
    acting(SUE)
    assert "there is no course 3" in refused("save_course", course_id=3, name="x")
    assert "teachers may do this" in refused("save_course", course_id=1, name="x")


def test_students_see_what_is_published_and_their_own(done: Call, refused: Call, acting: Acting) -> None:
    acting(SUE)
    assert [assignment["name"] for assignment in done("find_assignments", course_id=1)["assignments"]] == [
        "Essay",
        "Quiz 1",
        "Project",
    ]
    assert [page["url"] for page in done("read_course", course_id=1, part="pages")["items"]] == ["welcome"]
    assert [
        announcement["title"] for announcement in done("read_course", course_id=1, part="announcements")["items"]
    ] == ["Exam"]
    assert done("find_submissions", course_id=1)["submissions"] == []
    assert "can see only their own submissions" in refused("find_submissions", course_id=1, user_id=SAM)
    assert [grade_row["name"] for grade_row in done("report_grades", course_id=1)["grades"]] == ["Sue Lind"]
    assert "teachers may do this" in refused("grade_submission", course_id=1, assignment_id=1, user_id=SAM, grade="1")
    assert "there is no assignment 3" in refused("submit_assignment", course_id=1, assignment_id=3, text="x")


def test_people_take_part_and_no_more(done: Call, refused: Call) -> None:
    assert [person["name"] for person in done("find_users", course_id=1, role="student")["people"]] == [
        "Sue Lind",
        "Sam Lindt",
    ]
    done("enrol_user", course_id=1, user_id=ADA, role="ta", section_id=2)
    assert {"1": "ta"} in [person["roles"] for person in done("find_users", query="berg")["people"]]
    done("enrol_user", course_id=1, user_id=SAM, end=True)
    assert [person["name"] for person in done("find_users", course_id=1, role="student")["people"]] == ["Sue Lind"]
    assert "there is no section 9 in course 1; there are: 1 (Morning), 2 (Evening)" in refused(
        "enrol_user", course_id=1, user_id=ADA, section_id=9
    )
    assert "there is no user 99" in refused("enrol_user", course_id=1, user_id=99)


def test_modules_hold_things_of_the_course(done: Call, refused: Call, acting: Acting) -> None:
    acting(TIM)
    done("save_module_item", course_id=1, kind="assignment", module_id=1, content_id=1, position=2)
    done("save_module_item", course_id=1, kind="heading", module="Week 2", title="Reading")
    first, second = done("list_modules", course_id=1)["modules"]
    assert [(module_item["position"], module_item["title"]) for module_item in first["items"]] == [
        (1, "Welcome"),
        (2, "Essay"),
        (3, "Tables"),
    ]
    assert (second["module"]["name"], second["module"]["position"]) == ("Week 2", 2)
    assert "there is no quiz 9 in course 1; there are 1: 1 (Quiz 1)" in refused(
        "save_module_item", course_id=1, kind="quiz", module_id=1, content_id=9
    )
    assert "needs a title and an address" in refused(
        "save_module_item", course_id=1, kind="link", module_id=1, title="x", url="javascript:1"
    )


def test_announcements_discussions_and_messages(done: Call, refused: Call, acting: Acting) -> None:
    acting(TIM)
    announcement = done("post_announcement", course_id=1, title="Room", text="A2.01", shows="2026-03-20T08:00")
    assert announcement["shows"] == "2026-03-20T08:00:00Z"
    done("post_announcement", course_id=1, title="x", text="Ask!", topic=1)
    sent = done("send_course_message", recipients=["students"], text="Hello", subject="Exam", course_id=1)
    assert sent["conversation"]["people"] == [TIM, SUE, SAM]
    acting(SUE)
    assert [
        listed_announcement["title"]
        for listed_announcement in done("read_course", course_id=1, part="announcements")["items"]
    ] == ["Exam"]
    assert [post["message"] for post in done("read_topic", course_id=1, topic=1)["posts"]] == ["Ask!"]
    again = done("send_course_message", recipients=["tim@college.example", "Sam Lindt"], text="Thanks", subject="Exam")
    assert [message["body"] for message in again["messages"]] == ["Hello", "Thanks"]
    assert len(done("read_course", course_id=1, part="messages")["items"]) == 1
    assert "0 people are called 'Bob'" in refused("send_course_message", recipients=["Bob"], text="x")


def test_a_damaged_or_foreign_database_is_refused_by_name(refused: Call, world: Any) -> None:
    (world.root / "apps" / "courses" / "courses.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 5_000)
    assert "the state of the app 'courses'" in refused("find_courses")


@pytest.mark.parametrize("tool", ["read_course", "list_modules", "find_assignments", "report_grades"])
def test_unknown_numbers_say_what_exists(refused: Call, tool: str) -> None:
    assert "there are: 1 (BUS-201), 2 (BUS-210)" in refused(tool, course_id=77)
