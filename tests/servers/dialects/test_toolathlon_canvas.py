"""The 69 tools of Toolathlon's canvas: each is called, and answers with Canvas's objects as indented JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.schools import ADA, SAM, SUE, TIM, act_as, make_school
from support.speaking import Agent

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

COURSE = {"course_id": 1}
ESSAY = {"course_id": 1, "assignment_id": 1}
QUIZ = {"course_id": 1, "quiz_id": 1}
ACCOUNT = {"account_id": 1}


class Canvas(Agent):
    """Calls without the prefix of all names, as somebody."""

    world: World

    def act_as_user(self, user: int) -> "Canvas":
        act_as(self.world, user)
        return self

    async def call_for_json(self, tool: str, **arguments: Any) -> Any:
        text = await self.says(f"canvas_{tool}", **arguments)
        reply = json.loads(text)
        assert text == json.dumps(reply, indent=2, ensure_ascii=False)
        return reply


@pytest.fixture
def canvas(tmp_path: Path) -> Iterator[Canvas]:
    world = World.create(tmp_path / "world", task="courses", seed=1)
    make_school(world)
    (world.files / "essay.pdf").write_bytes(b"%PDF-1.4")
    with use_world(world):
        agent = Canvas(load_server("courses", "toolathlon"), world.files)
        agent.world = world
        yield agent


async def test_courses_and_the_one_who_acts(canvas: Canvas) -> None:
    health = await canvas.call_for_json("health_check")
    assert health == {"status": "ok", "timestamp": "2026-03-16T09:00:00Z", "user": {"id": ADA, "name": "Ada Berg"}}
    created_course = await canvas.call_for_json(
        "create_course", **ACCOUNT, name="Chemistry", course_code="CHE", license="public_domain"
    )
    assert (
        created_course["id"],
        created_course["course_code"],
        created_course["workflow_state"],
        created_course["license"],
    ) == (
        3,
        "CHE",
        "unpublished",
        "public_domain",
    )
    changed = await canvas.call_for_json("update_course", course_id=3, event="offer", syllabus_body="<p>Acids</p>")
    assert (changed["workflow_state"], changed["license"]) == ("available", "public_domain")
    assert await canvas.call_for_json("get_syllabus", course_id=3) == {"course_id": 3, "syllabus_body": "<p>Acids</p>"}
    assert await canvas.says("canvas_delete_course", course_id=3, event="conclude") == "Successfully concluded course 3"
    assert [course["id"] for course in await canvas.call_for_json("list_courses")] == [1, 2]
    assert [course["id"] for course in await canvas.call_for_json("list_courses", include_ended=True)] == [1, 2, 3]
    course = await canvas.act_as_user(SUE).call_for_json("get_course", **COURSE)
    assert course["enrollments"] == [
        {"type": "student", "role": "StudentEnrollment", "user_id": SUE, "enrollment_state": "active"}
    ]
    assert (await canvas.call_for_json("update_user_profile", short_name="Sue", bio="Hi"))["bio"] == "Hi"
    profile = await canvas.call_for_json("get_user_profile")
    assert (profile["name"], profile["short_name"], profile["primary_email"]) == (
        "Sue Lind",
        "Sue",
        "sue@college.example",
    )


async def test_people_take_part_and_have_grades(canvas: Canvas) -> None:
    enrollment = await canvas.call_for_json("enroll_user", **COURSE, user_id=ADA, role="TaEnrollment")
    assert (enrollment["type"], enrollment["enrollment_state"], enrollment["user"]["name"]) == (
        "TaEnrollment",
        "active",
        "Ada Berg",
    )
    reply = await canvas.says("canvas_unenroll_user", **COURSE, enrollment_id=enrollment["id"])
    assert reply == f"Successfully unenrolled user with enrollment {enrollment['id']} from course 1"
    await canvas.act_as_user(TIM).call_for_json("submit_grade", **ESSAY, user_id=SAM, grade=15)
    grades = await canvas.call_for_json("get_course_grades", **COURSE)
    assert [(grade_row["user"]["name"], grade_row["grades"]["current_score"]) for grade_row in grades] == [
        ("Sue Lind", None),
        ("Sam Lindt", 75.0),
    ]
    (mine,) = await canvas.act_as_user(SAM).call_for_json("get_user_grades")
    assert (mine["course_id"], mine["grades"]["final_score"]) == (1, 75.0)


async def test_assignments_and_what_is_handed_in(canvas: Canvas) -> None:
    assignment = await canvas.act_as_user(TIM).call_for_json(
        "create_assignment", **COURSE, name="Lab", due_at="2026-04-01T10:00:00Z", points_possible=10,
        submission_types=["online_text_entry", "online_url"], published=True,
    )  # fmt: skip
    assert assignment["submission_types"] == ["online_text_entry", "online_url"]
    lab = {"course_id": 1, "assignment_id": assignment["id"]}
    assert (await canvas.call_for_json("update_assignment", **lab, points_possible=12.5))["points_possible"] == 12.5
    assert [assignment["name"] for assignment in await canvas.call_for_json("list_assignments", **COURSE)] == [
        "Essay", "Quiz 1", "Lab", "Project", "Secret",
    ]  # fmt: skip
    groups = await canvas.call_for_json("list_assignment_groups", **COURSE)
    assert [
        (assignment_group["name"], assignment_group["group_weight"], len(assignment_group["assignments"]))
        for assignment_group in groups
    ] == [
        ("Homework", 60, 4),
        ("Quizzes", 40, 1),
    ]
    canvas.act_as_user(SUE)
    text = await canvas.call_for_json("submit_assignment", **lab, submission_type="online_text_entry", body="Done")
    assert (text["submission_type"], text["workflow_state"], text["late"]) == ("online_text_entry", "submitted", False)
    file = await canvas.call_for_json("upload_file_from_path", file_path="essay.pdf", **COURSE)
    assert (file["display_name"], file["content-type"], file["upload_status"]) == (
        "essay.pdf",
        "application/pdf",
        "success",
    )
    assert (await canvas.call_for_json("get_file", file_id=file["id"]))["size"] == 8
    with_file = await canvas.call_for_json(
        "submit_assignment_with_file", **ESSAY, file_path="essay.pdf", comment="Sorry"
    )
    assert (with_file["late"], with_file["attachments"][0]["filename"]) == (True, "essay.pdf")
    assert with_file["submission_comments"][0]["comment"] == "Sorry"
    again = await canvas.call_for_json(
        "submit_assignment", **ESSAY, submission_type="online_upload", file_ids=[file["id"]]
    )
    assert again["attempt"] == 2
    assert (await canvas.call_for_json("get_assignment", **ESSAY, include_submission=True))["submission"][
        "attempt"
    ] == 2
    assert (await canvas.call_for_json("get_submission", **ESSAY))["user_id"] == SUE
    assert (await canvas.call_for_json("list_assignments", **COURSE, include_submissions=True))[0]["submission"][
        "attempt"
    ] == 2
    graded = await canvas.act_as_user(TIM).call_for_json(
        "submit_grade", **ESSAY, user_id=SUE, grade="85%", comment="Good"
    )
    assert (graded["score"], graded["grade"], graded["workflow_state"], graded["grader_id"]) == (
        17,
        "85%",
        "graded",
        TIM,
    )
    assert (await canvas.call_for_json("get_submission", **ESSAY, user_id=SAM))["body"] == "My essay"
    reply = await canvas.says("canvas_delete_assignment", **lab)
    assert reply == f"Successfully deleted assignment {lab['assignment_id']} from course 1"
    (rubric,) = await canvas.call_for_json("list_rubrics", **COURSE)
    assert (await canvas.call_for_json("get_rubric", **COURSE, rubric_id=1)) == rubric
    assert rubric["data"][0]["ratings"][0]["description"] == "good"


async def test_quizzes_are_made_and_taken(canvas: Canvas) -> None:
    quiz = await canvas.act_as_user(TIM).call_for_json(
        "create_quiz", **COURSE, title="Test", quiz_type="practice_quiz", time_limit=20, published=True
    )
    assert (quiz["quiz_type"], quiz["time_limit"], quiz["question_count"], quiz["assignment_id"]) == (
        "practice_quiz",
        20,
        0,
        None,
    )
    test = {"course_id": 1, "quiz_id": quiz["id"]}
    question = await canvas.call_for_json(
        "create_quiz_question", **test, question_name="Q", question_text="1+1?", points_possible=2,
        question_type="multiple_choice_question", correct_comments="yes",
        answers=[{"text": "2", "weight": 100}, {"text": "3", "weight": 0}],
    )  # fmt: skip
    assert (question["correct_comments"], question["answers"][0]) == ("yes", {"id": 1, "text": "2", "weight": 100.0})
    of = {**test, "question_id": question["id"]}
    assert (await canvas.call_for_json("update_quiz_question", **of, points_possible=3))["points_possible"] == 3
    assert (await canvas.call_for_json("get_quiz_question", **of))["question_name"] == "Q"
    assert (await canvas.call_for_json("get_quiz", **test))["points_possible"] == 3
    assert [quiz["title"] for quiz in await canvas.call_for_json("list_quizzes", **COURSE)] == ["Quiz 1", "Test"]
    (begun,) = (await canvas.act_as_user(SUE).call_for_json("start_quiz_attempt", **test))["quiz_submissions"]
    assert (begun["workflow_state"], begun["end_at"], len(begun["validation_token"])) == (
        "untaken",
        "2026-03-16T09:20:00Z",
        64,
    )
    assert await canvas.call_for_json("list_quiz_questions", **test) == [
        {
            **question,
            "points_possible": 3,
            "correct_comments": "",
            "answers": [{"id": 1, "text": "2"}, {"id": 2, "text": "3"}],
        }
    ]
    listed = await canvas.call_for_json(
        "list_quiz_questions", **test, quiz_submission_id=begun["id"], use_submission_endpoint=True
    )
    assert list(listed) == ["quiz_submission_questions"]
    answers = [{"question_id": question["id"], "answer": 1}]
    wrong = await canvas.call_for_error(
        "canvas_submit_quiz_answers", **test, submission_id=begun["id"], answers=answers, validation_token="x"
    )
    assert "the token does not belong to attempt" in wrong
    (done,) = (
        await canvas.call_for_json(
            "submit_quiz_answers", **test, submission_id=begun["id"], answers=answers,
            validation_token=begun["validation_token"],
        )
    )["quiz_submissions"]  # fmt: skip
    assert (done["workflow_state"], done["score"], done["quiz_points_possible"]) == ("complete", 3, 3)
    canvas.act_as_user(TIM)
    assert await canvas.says("canvas_delete_quiz_question", **of) == "Quiz question deleted successfully"
    assert await canvas.says("canvas_delete_quiz", **test) == f"Successfully deleted quiz {quiz['id']} from course 1"


async def test_modules_pages_and_files(canvas: Canvas) -> None:
    canvas.act_as_user(SUE)
    (module,) = await canvas.call_for_json("list_modules", **COURSE)
    assert (module["name"], module["items_count"]) == ("Week 1", 2)
    assert await canvas.call_for_json("get_module", **COURSE, module_id=1) == module
    page, link = await canvas.call_for_json("list_module_items", **COURSE, module_id=1)
    assert (page["type"], page["completion_requirement"]) == ("Page", {"type": "must_mark_done", "completed": False})
    assert (link["type"], link["external_url"]) == ("ExternalUrl", "https://tables.example/")
    assert await canvas.call_for_json("mark_module_item_complete", **COURSE, module_id=1, item_id=1) == {
        "message": "OK"
    }
    done = await canvas.call_for_json("get_module_item", **COURSE, module_id=1, item_id=1)
    assert done["completion_requirement"]["completed"] is True
    assert [page["url"] for page in await canvas.call_for_json("list_pages", **COURSE)] == ["welcome"]
    assert (await canvas.call_for_json("get_page", **COURSE, page_url="welcome"))["body"] == "<p>Hello</p>"
    assert [listed_folder["full_name"] for listed_folder in await canvas.call_for_json("list_folders", **COURSE)] == [
        "course files",
        "course files/slides",
    ]
    assert [
        listed_file["display_name"] for listed_file in await canvas.call_for_json("list_files", **COURSE, folder_id=2)
    ] == ["week1.pdf"]
    assert await canvas.call_for_json("list_files", **COURSE, folder_id=1) == []


async def test_discussions_announcements_messages_and_news(canvas: Canvas) -> None:
    (topic,) = await canvas.act_as_user(SUE).call_for_json("list_discussion_topics", **COURSE)
    assert (topic["title"], topic["author"]["display_name"]) == ("Questions?", "Tim Ott")
    assert (await canvas.call_for_json("post_to_discussion", **COURSE, topic_id=1, message="When?"))[
        "user_name"
    ] == "Sue Lind"
    assert [
        topic_entry["message"]
        for topic_entry in (await canvas.call_for_json("get_discussion_topic", **COURSE, topic_id=1))["entries"]
    ] == ["When?"]
    announcement = await canvas.act_as_user(TIM).call_for_json(
        "create_announcement", **COURSE, title="Room", message="A2", attachment={"filename": "essay.pdf"}
    )
    assert announcement["is_announcement"] is True
    assert [
        announcement["title"]
        for announcement in await canvas.act_as_user(SUE).call_for_json("list_announcements", **COURSE)
    ] == [
        "Room",
        "Exam",
    ]
    reply = await canvas.act_as_user(TIM).says(
        "canvas_delete_announcement", **COURSE, announcement_id=announcement["id"]
    )
    assert reply == f"Successfully deleted announcement {announcement['id']} from course 1"
    (sent,) = await canvas.call_for_json(
        "create_conversation", recipients=["course_1_students"], body="Hello", subject="Hi"
    )
    assert (sent["subject"], sent["audience"], sent["messages"][0]["body"]) == ("Hi", [SUE, SAM], "Hello")
    await canvas.act_as_user(SUE).call_for_json(
        "create_conversation", recipients=[str(TIM), str(SAM)], body="Thanks", subject="Hi"
    )
    assert [conversation["message_count"] for conversation in await canvas.call_for_json("list_conversations")] == [2]
    conversation = await canvas.call_for_json("get_conversation", conversation_id=sent["id"])
    assert [message["body"] for message in conversation["messages"]] == ["Thanks", "Hello"]
    news = await canvas.act_as_user(SAM).call_for_json("list_notifications")
    assert [(news_row["type"], news_row["title"]) for news_row in news] == [
        ("Conversation", "Hi"),
        ("Announcement", "Exam"),
    ]
    assert (
        await canvas.says("canvas_delete_conversation", conversation_id=sent["id"])
        == f"Successfully deleted conversation {sent['id']}"
    )
    assert await canvas.call_for_json("list_conversations") == []


async def test_what_is_due_and_the_dashboard(canvas: Canvas) -> None:
    canvas.act_as_user(SUE)
    coming = await canvas.call_for_json("get_upcoming_assignments", limit=1)
    assert [(event["title"], event["start_at"]) for event in coming] == [("Quiz 1", "2026-03-30T22:59:00Z")]
    listed = await canvas.call_for_json("list_calendar_events", start_date="2026-03-01", end_date="2026-03-31")
    assert [due_row["assignment"]["name"] for due_row in listed] == ["Essay", "Quiz 1"]
    cards = await canvas.call_for_json("get_dashboard_cards")
    assert [(card["courseCode"], card["enrollmentType"]) for card in cards] == [("BUS-201", "student")]
    dashboard = await canvas.call_for_json("get_dashboard")
    assert (dashboard["dashboard_cards"], len(dashboard["upcoming_events"])) == (cards, 2)


async def test_the_account_its_users_and_reports(canvas: Canvas) -> None:
    assert (await canvas.call_for_json("get_account", **ACCOUNT))["name"] == "Harbour College"
    assert await canvas.call_for_json("list_sub_accounts", **ACCOUNT) == []
    matching_courses = await canvas.call_for_json(
        "list_account_courses", **ACCOUNT, published=False, search_term="stat"
    )
    assert [course["course_code"] for course in matching_courses] == ["BUS-210"]
    person = {"name": "Zoe Ek"}
    user = await canvas.call_for_json(
        "create_user", **ACCOUNT, user=person, pseudonym={"unique_id": "zoe@college.example"}
    )
    assert (user["id"], user["sortable_name"], user["login_id"]) == (5, "Ek, Zoe", "zoe@college.example")
    first = await canvas.says("canvas_list_account_users", **ACCOUNT, per_page=2)
    assert first.startswith('Users (Page 1):\n\n[\n  {\n    "id": 1,')
    session = first.split("Session ID: ")[1].split("\n")[0]
    assert f'Next page: Use {{"session_id": "{session}", "page": 2}}' in first
    assert "Previous page" not in first
    last = await canvas.says("canvas_list_account_users", session_id=session, page=3)
    assert '"name": "Tim Ott"' in last
    assert "Total pages: 3\nPrevious page" in last
    assert "not found or expired" in await canvas.call_for_error("canvas_list_account_users", session_id="x")
    report = await canvas.call_for_json("create_account_report", **ACCOUNT, report="grade_export_csv")
    reports = await canvas.call_for_json("get_account_reports", **ACCOUNT)
    assert (report["status"], reports[0]["last_run"]) == ("complete", report)


async def test_what_is_needed_and_empty_is_refused_in_canvas_words(canvas: Canvas) -> None:
    for tool, asked, message in (
        ("get_course", {"course_id": 0}, "Missing required field: course_id"),
        ("get_page", {"course_id": 1, "page_url": ""}, "Missing required fields: course_id and page_url"),
        (
            "get_module_item",
            {"course_id": 1, "module_id": 0, "item_id": 1},
            "Missing required fields: course_id, module_id, and item_id",
        ),
        ("submit_grade", {**ESSAY, "user_id": 0, "grade": 1}, "Missing required fields for grade submission"),
        ("list_account_users", {}, "Missing required field: account_id (required for new sessions)"),
    ):
        assert message in await canvas.call_for_error(f"canvas_{tool}", **asked)
    assert "there is no account 9" in await canvas.call_for_error("canvas_get_account", account_id=9)
    assert "admins may do this" in await canvas.act_as_user(SUE).call_for_error("canvas_get_account_reports", **ACCOUNT)
    assert "has not started the quiz" in await canvas.call_for_error("canvas_list_quiz_questions", **QUIZ)
