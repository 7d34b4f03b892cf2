"""Courses, assignments, quizzes and grades as they are shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from yardkit.apps.courses import (
    Assignment,
    AssignmentGroup,
    Attempt,
    Completion,
    Course,
    Module,
    ModuleItem,
    Post,
    Question,
    Quiz,
    Rubric,
    Section,
    Submission,
    Topic,
)
from yardkit.servers.courses.engine import contents, people, quizzes, work
from yardkit.servers.courses.engine.school_view import Campus
from yardkit.world import Problem

Part = Literal[
    "overview",
    "people",
    "sections",
    "groups",
    "pages",
    "files",
    "topics",
    "announcements",
    "quizzes",
    "rubrics",
    "messages",
]
_MAX_LIST_TEXT = 4_000
"""Characters of a long text in a list."""
Item = TypeVar("Item")


@dataclass(frozen=True)
class Courses:
    """A page of courses. total: all that match; next_offset: where it goes on, null at the end."""

    courses: list[Course]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class People:
    """A page of people. total: all that match; next_offset: where it goes on, null at the end."""

    people: list[people.Person]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class Assignments:
    """A page of assignments. total: all that match; next_offset: where it goes on, null at the end."""

    assignments: list[Assignment]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class CourseView:
    """A course, or a part of it.

    Attributes:
        role: what the person who acts is in it.
        counts: how many things of each kind it has.
        items: of the part, in its order; total: all of them; next_offset: where they go on, null at the end.
    """

    course: Course
    role: str
    part: Part
    counts: dict[str, int]
    items: list[Any]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class ModuleView:
    """A module with what it holds; done: the numbers of the items that the person who acts marked as done."""

    module: Module
    items: list[ModuleItem]
    done: list[int]


@dataclass(frozen=True)
class Modules:
    """A page of modules. total: all of them; next_offset: where it goes on, null at the end."""

    modules: list[ModuleView]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class SubmissionView:
    """What somebody handed in, whose it is, and whether it came late."""

    submission: Submission
    name: str
    assignment: str
    late: bool


@dataclass(frozen=True)
class Submissions:
    """A page of what was handed in. total: all that match; next_offset: where it goes on, null at the end."""

    submissions: list[SubmissionView]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class QuizView:
    """A quiz with its questions. points: of all of them."""

    quiz: Quiz
    points: float
    questions: list[Question]


@dataclass(frozen=True)
class AttemptView:
    """An attempt, and the questions that are to be answered; which answers are right is not told."""

    attempt: Attempt
    ends: str | None
    questions: list[Question]


@dataclass(frozen=True)
class TopicView:
    """A discussion or announcement, and what was said in it, the oldest first."""

    topic: Topic
    author: str
    posts: list[Post]


@dataclass(frozen=True)
class Grades:
    """What students have in a course, by name; and the mean of those who have something."""

    grades: list[work.Grade]
    mean_percent: float | None
    total: int
    next_offset: int | None = None


def take_page(items: Sequence[Item], offset: int, limit: int) -> tuple[list[Item], int, int | None]:
    """A page of a list: its items, how many there are, and where the list goes on."""
    page_items = list(items[offset : offset + limit])
    end = offset + len(page_items)
    return page_items, len(items), end if end < len(items) else None


def view_course(campus: Campus, course_id: int, part: Part, offset: int, limit: int) -> CourseView:
    """A course with a page of one of its parts.

    Raises:
        Problem: there is none of this number for the person who acts.
    """
    course = campus.get_course(course_id)
    kinds: dict[str, Callable[[], Sequence[Any]]] = {
        "people": lambda: people.find_people(campus, course_id=course_id),
        "sections": lambda: campus.all(Section, course_id=course_id),
        "groups": lambda: campus.all(AssignmentGroup, "position", course_id=course_id),
        "pages": lambda: contents.find_pages(campus, course_id),
        "files": lambda: contents.find_files(campus, course_id),
        "topics": lambda: contents.find_topics(campus, course_id, announcements=False),
        "announcements": lambda: contents.find_topics(campus, course_id, announcements=True),
        "quizzes": lambda: quizzes.find_quizzes(campus, course_id),
        "rubrics": lambda: campus.all(Rubric, course_id=course_id),
        "messages": lambda: [
            conversation_view
            for conversation_view in contents.find_conversations(campus)
            if conversation_view.conversation.course_id == course_id
        ],
    }
    view_parts = {name: find_contents() for name, find_contents in kinds.items()}
    counts = {name: len(items) for name, items in view_parts.items()}
    counts["assignments"] = len(work.find_assignments(campus, course_id))
    counts["modules"] = len(contents.find_modules(campus, course_id))
    return CourseView(course, campus.role(course_id), part, counts, *take_page(view_parts.get(part, []), offset, limit))


def view_modules(campus: Campus, course_id: int) -> list[ModuleView]:
    """The modules of a course with what they hold."""
    done = {completion.item_id for completion in campus.all(Completion, user_id=campus.me.id)}
    views = []
    for module in contents.find_modules(campus, course_id):
        items = contents.items_of(campus, course_id, module.id)
        views.append(ModuleView(module, items, [module_item.id for module_item in items if module_item.id in done]))
    return views


def view_submissions(
    campus: Campus, course_id: int, submissions: Sequence[Submission], *, uncut: bool = True
) -> list[SubmissionView]:
    """Submissions with names; not `uncut`: long texts are cut, which they say."""
    names = {user.id: user.name for _, user in campus.list_people(course_id)}
    assignments = {assignment.id: assignment for assignment in campus.all(Assignment, course_id=course_id)}
    return [
        SubmissionView(
            submission if uncut else replace(submission, body=_cut_text(submission.body)),
            names.get(submission.user_id, str(submission.user_id)),
            assignments[submission.assignment_id].name,
            work.is_late(submission, assignments[submission.assignment_id]),
        )
        for submission in submissions
    ]


def _cut_text(text: str) -> str:
    if len(text) <= _MAX_LIST_TEXT:
        return text
    more = f"[cut; {len(text):,} characters in all; give assignment_id and user_id to read them]"
    return f"{text[:_MAX_LIST_TEXT]}\n{more}"


def view_quiz(campus: Campus, course_id: int, quiz: Quiz) -> QuizView:
    """A quiz with its questions, for a teacher."""
    quiz = campus.get_course_record(Quiz, quiz.id, course_id)
    return QuizView(quiz, quizzes.points_of(campus, quiz.id), quizzes.questions_of(campus, course_id, quiz.id))


def view_attempt(campus: Campus, course_id: int, attempt: Attempt) -> AttemptView:
    """An attempt with its questions."""
    quiz = campus.get_course_record(Quiz, attempt.quiz_id, course_id)
    asked = [without_answers(question) for question in quizzes.questions_of(campus, course_id, quiz.id)]
    return AttemptView(attempt, quizzes.ends_at(quiz, attempt), [] if attempt.finished else asked)


def without_answers(question: Question) -> Question:
    """A question as a student sees it."""
    has_options = question.kind in ("multiple_choice", "true_false", "multiple_answers")
    answers = [{"id": answer["id"], "text": answer["text"]} for answer in question.answers] if has_options else []
    return replace(question, answers=answers, comments={})


def view_topic(campus: Campus, course_id: int, topic_id: int) -> TopicView:
    """A discussion or announcement with what was said in it."""
    topic = campus.get_course_record(Topic, topic_id, course_id)
    return TopicView(topic, people.user_of(campus, topic.author_id).name, contents.posts_of(campus, topic))


def view_grades(campus: Campus, course_id: int, offset: int, limit: int) -> Grades:
    """The grades of a course."""
    grades = work.list_grades(campus, course_id)
    shares = [grade.percent for grade in grades if grade.percent is not None]
    mean = round(sum(shares) / len(shares), 2) if shares else None
    page_grades, total, end = take_page(grades, offset, limit)
    return Grades(page_grades, mean, total, end)


def numbers_of(campus: Campus, recipients: Sequence[str], course_id: int | None) -> list[int]:
    """People by number, address, name, or role in a course (``students``, ``teachers``).

    Raises:
        Problem: there is nobody of this name, or there are several.
    """
    user_ids: list[int] = []
    for text in recipients:
        role = text.strip().casefold().removesuffix("s")
        if course_id is not None and role in ("student", "teacher", "ta"):
            user_ids += [user.id for _, user in campus.list_people(course_id, role)]
            continue
        matching = [
            person.id for person in people.find_people(campus)
            if text.strip().casefold() in (str(person.id), person.email.casefold(), person.name.casefold())
        ]  # fmt: skip
        if len(matching) != 1:
            raise Problem(f"{len(matching)} people are called {text!r}; use a number from find_users")
        user_ids += matching
    return user_ids
