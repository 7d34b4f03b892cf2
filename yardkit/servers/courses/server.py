"""The tools of the `courses` server."""

from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from yardkit.apps.courses import (
    Assignment,
    Course,
    CourseState,
    Enrolment,
    ItemKind,
    ModuleItem,
    Question,
    QuestionKind,
    QuizKind,
    Role,
    Submission,
    SubmissionKind,
    Topic,
)
from yardkit.kit.surface import make_server, tool
from yardkit.servers.courses.engine import contents, people, quizzes, views, work
from yardkit.servers.courses.engine.school_view import open_campus, time_of
from yardkit.world import InFile, Problem, current_world

mcp = make_server(
    "courses",
    "Courses of a school. The world sets the acting user: an admin, a teacher or a student, with "
    "that role's permissions. Records have numbers; times are UTC, and a date alone means the "
    "end of that day.",
)

CourseId = Annotated[int, Field(description="Number of the course, from find_courses.", ge=1)]
AssignmentId = Annotated[int, Field(description="Number of the assignment, from find_assignments.", ge=1)]
QuizId = Annotated[int, Field(description="Number of the quiz, from read_course.", ge=1)]
Query = Annotated[str, Field(description="Words that must all occur in it.", max_length=1_000)]
Line = Annotated[str | None, Field(description="Name.", max_length=500)]
Text = Annotated[str | None, Field(description="Text or HTML.", max_length=200_000)]
Due = Annotated[str | None, Field(description="Deadline; empty for none.", max_length=40)]
Published = Annotated[bool | None, Field(description="Whether students can see it.")]
Offset = Annotated[int, Field(description="Records to skip; use next_offset of the previous page.", ge=0)]
Limit = Annotated[int, Field(description="Records per page.", ge=1, le=200)]


@tool(mcp, bulk=True)
def find_courses(
    query: Query = "",
    state: Annotated[CourseState | None, Field(description="State; by default all.")] = None,
    term: Annotated[str, Field(description="Part of the term's name.", max_length=100)] = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> views.Courses:
    """Search courses by name, code or term."""
    with open_campus(current_world()) as seen:
        return views.Courses(*views.take_page(people.find_courses(seen, query, state, term), offset, limit))


@tool(mcp, bulk=True)
def read_course(
    course_id: CourseId,
    part: Annotated[views.Part, Field(description="Part of the course to list.")] = "overview",
    offset: Offset = 0,
    limit: Limit = 50,
) -> views.CourseView:
    """Read a course with its syllabus, and one part of it: people, pages, files, quizzes, rubrics, messages ..."""
    with open_campus(current_world()) as seen:
        return views.view_course(seen, course_id, part, offset, limit)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_course(
    course_id: Annotated[
        int | None, Field(description="Number of the course to change; by default one is created.")
    ] = None,
    name: Line = None,
    code: Annotated[str | None, Field(description="Short name, such as MAT-101.", max_length=100)] = None,
    state: Annotated[CourseState | None, Field(description="available: visible to students.")] = None,
    term: Annotated[str | None, Field(description="Term, such as Spring 2026.", max_length=100)] = None,
    starts: Annotated[str | None, Field(description="First day; empty for none.", max_length=40)] = None,
    ends: Annotated[str | None, Field(description="Last day; empty for none.", max_length=40)] = None,
    syllabus: Text = None,
) -> Course:
    """Create a course, or change the given fields of one."""
    world = current_world()
    values = {
        "name": name, "code": code, "state": state, "term": term, "syllabus": syllabus,
        "starts": time_of(starts, world), "ends": time_of(ends, world),
    }  # fmt: skip
    with open_campus(world, writes=True) as seen:
        clear = [name for name, text in (("starts", starts), ("ends", ends)) if text == ""]
        return people.save_course(seen, course_id, clear=clear, **values)


@tool(mcp, bulk=True)
def find_users(
    query: Query = "",
    course_id: Annotated[int | None, Field(description="Members of this course; by default everyone.")] = None,
    role: Annotated[Role | None, Field(description="People with this role in a course.")] = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> views.People:
    """Search people by name or address, with their roles and courses."""
    with open_campus(current_world()) as seen:
        return views.People(*views.take_page(people.find_people(seen, query, course_id, role), offset, limit))


@tool(mcp, bulk=True, writes=True, destructive=True)
def enrol_user(
    course_id: CourseId,
    user_id: Annotated[int, Field(description="Number of the person, from find_users.", ge=1)],
    role: Annotated[Role, Field(description="Role in the course.")] = "student",
    section_id: Annotated[int | None, Field(description="Number of the section; by default the first.")] = None,
    end: Annotated[bool, Field(description="Remove them from the course; submissions are kept.")] = False,
) -> Enrolment:
    """Enrol a person in a course, or end the enrolment."""
    with open_campus(current_world(), writes=True) as seen:
        new_enrolment = people.enrol_user(seen, course_id, user_id, role, "active", section_id)
        return people.unenrol_user(seen, course_id, new_enrolment.id) if end else new_enrolment


@tool(mcp, bulk=True)
def list_modules(course_id: CourseId, offset: Offset = 0, limit: Limit = 50) -> views.Modules:
    """List the modules of a course with their items."""
    with open_campus(current_world()) as seen:
        return views.Modules(*views.take_page(views.view_modules(seen, course_id), offset, limit))


@tool(mcp, bulk=True, writes=True, idempotent=False)
def save_module_item(
    course_id: CourseId,
    kind: Annotated[ItemKind, Field(description="Kind of item.")],
    module_id: Annotated[int | None, Field(description="Number of the module, from list_modules.")] = None,
    module: Annotated[str, Field(description="Name for a new module, instead of module_id.", max_length=500)] = "",
    content_id: Annotated[int | None, Field(description="Number of the assignment, quiz, page, file or topic.")] = None,
    title: Annotated[str, Field(description="Title of a link or heading.", max_length=500)] = "",
    url: Annotated[str, Field(description="URL of a link.", max_length=2_000)] = "",
    position: Annotated[int | None, Field(description="Position in the module, from 1; by default last.", ge=1)] = None,
) -> ModuleItem:
    """Add an item to a module of a course, or to a new module."""
    with open_campus(current_world(), writes=True) as seen:
        if module_id is None and not module:
            raise Problem("the module is missing: give module_id, or module to name a new one")
        number = module_id or contents.save_module(seen, course_id, name=module).id
        return contents.save_item(seen, course_id, number, kind, title, content_id, url, position)


@tool(mcp, bulk=True)
def find_assignments(
    course_id: CourseId, query: Query = "", offset: Offset = 0, limit: Limit = 50
) -> views.Assignments:
    """List the assignments of a course, by deadline."""
    with open_campus(current_world()) as seen:
        return views.Assignments(*views.take_page(work.find_assignments(seen, course_id, query), offset, limit))


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def save_assignment(
    course_id: CourseId,
    assignment_id: Annotated[
        int | None, Field(description="Number of the assignment to change; by default one is created.")
    ] = None,
    name: Line = None,
    description: Text = None,
    due: Due = None,
    points: Annotated[float | None, Field(description="Maximum points.", ge=0, le=1_000_000)] = None,
    submission_kinds: Annotated[list[SubmissionKind] | None, Field(description="Kinds of submission accepted.")] = None,
    extensions: Annotated[list[str] | None, Field(description="File suffixes, such as pdf; by default any.")] = None,
    published: Published = None,
    rubric: Annotated[int | None, Field(description="Number of the grading rubric.")] = None,
    discard: Annotated[bool, Field(description="Delete it with its submissions.")] = False,
) -> Assignment:
    """Create an assignment, change the given fields of one, or delete it."""
    world = current_world()
    values: dict[str, Any] = {
        "name": name, "description": description, "due": time_of(due, world), "points": points,
        "kinds": submission_kinds, "extensions": extensions, "published": published, "rubric_id": rubric,
    }  # fmt: skip
    with open_campus(world, writes=True) as seen:
        if discard:
            if assignment_id is None:
                raise Problem("give the assignment_id of the assignment to delete")
            return work.delete_assignment(seen, course_id, assignment_id)
        return work.save_assignment(seen, course_id, assignment_id, clear=["due"] if due == "" else [], **values)


@tool(mcp, bulk=True)
def find_submissions(
    course_id: CourseId,
    assignment_id: Annotated[int | None, Field(description="Assignment; by default all.")] = None,
    user_id: Annotated[int | None, Field(description="Person; by default all.")] = None,
    state: Annotated[
        Literal["any", "ungraded", "graded", "late"],
        Field(description="State; by default all. ungraded: submitted, and not graded since."),
    ] = "any",
    offset: Offset = 0,
    limit: Limit = 50,
) -> views.Submissions:
    """List submissions; students see their own."""
    with open_campus(current_world()) as seen:
        submissions = work.find_submissions(seen, course_id, assignment_id, user_id)
        uncut = assignment_id is not None and user_id is not None
        submission_views = views.view_submissions(seen, course_id, submissions, uncut=uncut)
        matching_views = [submission_view for submission_view in submission_views if _has_state(state, submission_view)]
        return views.Submissions(*views.take_page(matching_views, offset, limit))


@tool(mcp, bulk=True, writes=True, idempotent=False)
def submit_assignment(
    course_id: CourseId,
    assignment_id: AssignmentId,
    text: Annotated[str, Field(description="Submission as text.", max_length=200_000)] = "",
    url: Annotated[str, Field(description="Submission as a link.", max_length=2_000)] = "",
    attachments: Annotated[list[InFile], Field(description="Workspace files to submit.", max_length=20)] = [],  # noqa: B006
    comment: Annotated[str, Field(description="Comment for the teacher.", max_length=20_000)] = "",
) -> Submission:
    """Submit an assignment as the acting student: a text, a link or files."""
    world = current_world()
    offered: dict[SubmissionKind, object] = {"text": text, "link": url, "upload": attachments}
    given_kinds = [kind for kind, value in offered.items() if value]
    if len(given_kinds) != 1:
        raise Problem("submit exactly one of text, url or attachments")
    with open_campus(world, writes=True) as seen:
        files = [contents.upload_file(seen, world, path, course_id).id for path in attachments]
        return work.submit_work(seen, course_id, assignment_id, given_kinds[0], text, url, files, comment)


@tool(mcp, bulk=True, writes=True, destructive=True)
def grade_submission(
    course_id: CourseId,
    assignment_id: AssignmentId,
    user_id: Annotated[int, Field(description="Number of the student.", ge=1)],
    grade: Annotated[
        str | None, Field(description="Points, percent (85%), complete, incomplete or excused.", max_length=40)
    ] = None,
    comment: Annotated[str, Field(description="Comment for the student.", max_length=20_000)] = "",
) -> Submission:
    """Grade a student's submission, or comment on it."""
    if grade is None and not comment:
        raise Problem("give a grade, a comment, or both")
    with open_campus(current_world(), writes=True) as seen:
        return work.grade_submission(seen, course_id, assignment_id, user_id, grade, comment)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def save_quiz(
    course_id: CourseId,
    quiz_id: Annotated[
        int | None, Field(description="Number of the quiz to change; by default one is created.")
    ] = None,
    title: Line = None,
    description: Text = None,
    quiz_kind: Annotated[
        QuizKind | None, Field(description="assignment counts towards the grade, practice does not.")
    ] = None,
    due: Due = None,
    minutes: Annotated[int | None, Field(description="Time limit of an attempt.", ge=1, le=100_000)] = None,
    attempts: Annotated[int | None, Field(description="Number of attempts allowed.", ge=1, le=1_000)] = None,
    published: Published = None,
    questions: Annotated[
        list[dict[str, Any]],
        Field(
            description="Questions to add, or to change by id: name, text, kind (multiple_choice, true_false, "
            "multiple_answers, short_answer, numerical, essay), points, answers [{text, weight: 100 if "
            "correct; margin, or from and to, of a number}]; delete: true.",
            max_length=200,
        ),
    ] = [],  # noqa: B006 - never changed
) -> views.QuizView:
    """Create a quiz with its questions, or change the given fields of one."""
    world = current_world()
    values = {
        "title": title, "description": description, "kind": quiz_kind, "due": time_of(due, world), "minutes": minutes,
        "attempts": attempts, "published": published,
    }  # fmt: skip
    with open_campus(world, writes=True) as seen:
        quiz = quizzes.save_quiz(seen, course_id, quiz_id, clear=["due"] if due == "" else [], **values)
        for question in questions:
            _save_question(seen, course_id, quiz.id, dict(question))
        return views.view_quiz(seen, course_id, quiz)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def take_quiz(
    course_id: CourseId,
    quiz_id: QuizId,
    attempt: Annotated[int | None, Field(description="Number of the attempt; by default a new one is started.")] = None,
    responses: Annotated[
        dict[int, Any] | None,
        Field(description="By question number: an answer id, a list of ids, a text or a number. Submits the attempt."),
    ] = None,
) -> views.AttemptView:
    """Start an attempt at a quiz and get its questions; with responses, submit it."""
    with open_campus(current_world(), writes=True) as seen:
        if responses is None:
            return views.view_attempt(seen, course_id, quizzes.start_attempt(seen, course_id, quiz_id))
        number = attempt or quizzes.start_attempt(seen, course_id, quiz_id).id
        return views.view_attempt(seen, course_id, quizzes.finish_attempt(seen, course_id, quiz_id, number, responses))


@tool(mcp, bulk=True, writes=True, idempotent=False)
def post_announcement(
    course_id: CourseId,
    title: Annotated[str, Field(description="Title.", min_length=1, max_length=500)],
    text: Annotated[str, Field(description="Text or HTML.", min_length=1, max_length=200_000)],
    shows: Annotated[str | None, Field(description="When students can see it; by default at once.")] = None,
    topic: Annotated[int | None, Field(description="Number of a discussion to post in instead.")] = None,
) -> Topic:
    """Post an announcement to a course, or a message in a discussion."""
    world = current_world()
    with open_campus(world, writes=True) as seen:
        if topic is not None:
            contents.add_post(seen, course_id, topic, text)
            return views.view_topic(seen, course_id, topic).topic
        return contents.save_topic(seen, course_id, title, text, announcement=True, shows=time_of(shows, world))


@tool(mcp, bulk=True)
def read_topic(
    course_id: CourseId,
    topic: Annotated[int, Field(description="Number of the discussion or announcement, from read_course.", ge=1)],
) -> views.TopicView:
    """Read a discussion or announcement with its posts."""
    with open_campus(current_world()) as seen:
        return views.view_topic(seen, course_id, topic)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def send_course_message(
    recipients: Annotated[
        list[str],
        Field(description="Numbers, addresses or names; students or teachers: all in the course.", max_length=200),
    ],
    text: Annotated[str, Field(description="Text of the message.", min_length=1, max_length=200_000)],
    subject: Annotated[str, Field(description="Subject line.", max_length=1_000)] = "",
    course_id: Annotated[int | None, Field(description="Course that it concerns.")] = None,
) -> contents.ThreadView:
    """Send a message to people in the school; earlier messages with this subject are returned, too."""
    with open_campus(current_world(), writes=True) as seen:
        if course_id is not None:
            seen.get_course(course_id)
        numbers = views.numbers_of(seen, recipients, course_id)
        return contents.send_message(seen, numbers, text, subject, course_id)


@tool(mcp, bulk=True)
def report_grades(course_id: CourseId, offset: Offset = 0, limit: Limit = 200) -> views.Grades:
    """Report grades for each student in a course: points, percent, missing and late work."""
    with open_campus(current_world()) as seen:
        return views.view_grades(seen, course_id, offset, limit)


def _has_state(state: str, submission_view: views.SubmissionView) -> bool:
    awaits = work.awaits_grade(submission_view.submission)
    return {
        "any": True,
        "graded": submission_view.submission.graded is not None and not awaits,
        "late": submission_view.late,
        "ungraded": awaits,
    }[state]


def _save_question(seen: Any, course_id: int, quiz_id: int, question_values: dict[str, Any]) -> Question:
    number, delete = question_values.pop("id", None), question_values.pop("delete", False)
    if delete:
        return quizzes.delete_question(seen, course_id, quiz_id, number)
    strange = sorted(set(question_values) - {"name", "text", "kind", "points", "position", "answers", "comments"})
    if strange:
        raise Problem(
            f"a question has no field {', '.join(strange)}; it has name, text, kind, points, position, "
            "answers, comments"
        )
    if number is None:
        question_values = {
            "name": "Question",
            "kind": "multiple_choice" if question_values.get("answers") else "essay",
            **question_values,
        }
        if question_values["kind"] not in get_args(QuestionKind):
            kinds = ", ".join(get_args(QuestionKind))
            raise Problem(f"{question_values['kind']!r} is not a kind of question; use one of {kinds}")
        if "text" not in question_values:
            raise Problem("a new question needs a text")
    return quizzes.save_question(seen, course_id, quiz_id, number, **question_values)
