"""The records of the app `courses`: a school's courses and their contents, modelled on learning platforms.

Times are UTC, such as ``2026-03-16T09:00:00Z``, or null. Deleted records that others refer to stay with the state
``deleted``. The bytes of a file are in ``apps/courses/files/<id>``.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

APP = "courses"
HOST = "courses.example"
"""Where the browser shows the school."""
CourseState = Literal["unpublished", "available", "completed", "deleted"]
Role = Literal["student", "teacher", "ta", "observer", "designer"]
EnrolmentState = Literal["active", "invited", "inactive", "completed", "deleted"]
ItemKind = Literal["assignment", "quiz", "page", "file", "topic", "link", "heading"]
SubmissionKind = Literal["text", "link", "upload", "quiz", "none", "paper"]
QuizKind = Literal["assignment", "practice", "survey", "graded_survey"]
QuestionKind = Literal[
    "multiple_choice", "true_false", "multiple_answers", "short_answer", "numerical", "essay", "text_only"
]


@dataclass(frozen=True)
class School:
    """The school. acting: the number of the person who works with the tools: as an admin, a teacher or a student."""

    id: int
    name: str
    acting: int
    time_zone: str = "UTC"


@dataclass(frozen=True)
class User:
    """A person. admin: may do everything."""

    id: int
    name: str
    email: str
    sortable_name: str = ""
    short_name: str = ""
    title: str = ""
    bio: str = ""
    time_zone: str = ""
    admin: bool = False
    created: str = ""


@dataclass(frozen=True)
class Course:
    """A course. settings: further settings by another program, under its names."""

    id: int
    name: str
    code: str
    state: CourseState = "unpublished"
    term: str = ""
    starts: str | None = None
    ends: str | None = None
    syllabus: str = ""
    description: str = ""
    public: bool = False
    time_zone: str = ""
    created: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """A group within a course."""

    id: int
    course_id: int
    name: str


@dataclass(frozen=True)
class Enrolment:
    """A person's participation in a course, with a role."""

    id: int
    course_id: int
    section_id: int
    user_id: int
    role: Role = "student"
    state: EnrolmentState = "active"
    created: str = ""


@dataclass(frozen=True)
class Module:
    """A part of a course. position: from 1."""

    id: int
    course_id: int
    name: str
    position: int
    published: bool = True
    unlocks: str | None = None


@dataclass(frozen=True)
class ModuleItem:
    """An item of a module. content_id: the number of its content; null for links and headings."""

    id: int
    module_id: int
    position: int
    kind: ItemKind
    title: str
    content_id: int | None = None
    url: str = ""
    published: bool = True
    must_be_done: bool = False


@dataclass(frozen=True)
class Completion:
    """An item of a module that a person marked as done."""

    id: int
    item_id: int
    user_id: int
    at: str


@dataclass(frozen=True)
class AssignmentGroup:
    """Assignments that count together. weight: their share of the grade in percent, 0 where all points are added."""

    id: int
    course_id: int
    name: str
    position: int
    weight: float = 0.0


@dataclass(frozen=True)
class Assignment:
    """An assignment. extensions: the allowed file types, empty for any; quiz_id: set if it is a quiz."""

    id: int
    course_id: int
    group_id: int
    name: str
    description: str = ""
    due: str | None = None
    points: float = 0.0
    kinds: list[SubmissionKind] = field(default_factory=lambda: ["none"])
    extensions: list[str] = field(default_factory=list)
    published: bool = False
    quiz_id: int | None = None
    rubric_id: int | None = None
    created: str = ""


@dataclass(frozen=True)
class Submission:
    """A person's last submission of an assignment, and its grade.

    Attributes:
        score: the points, null until it is graded; grade: the grade as entered, such as ``B+``.
        comments: ``author_id, text, at``.
        excused: whether it does not count.
    """

    id: int
    assignment_id: int
    user_id: int
    attempt: int = 0
    kind: SubmissionKind | None = None
    body: str = ""
    url: str = ""
    files: list[int] = field(default_factory=list)
    submitted: str | None = None
    score: float | None = None
    grade: str | None = None
    graded: str | None = None
    grader_id: int | None = None
    comments: list[dict[str, Any]] = field(default_factory=list)
    excused: bool = False


@dataclass(frozen=True)
class Rubric:
    """The criteria for grading. criteria: ``description, points, ratings`` (each with ``description, points``)."""

    id: int
    course_id: int
    title: str
    points: float
    criteria: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Quiz:
    """A quiz. minutes: the time limit of an attempt; attempts: the allowed number, null for any."""

    id: int
    course_id: int
    title: str
    description: str = ""
    kind: QuizKind = "assignment"
    minutes: int | None = None
    attempts: int | None = 1
    due: str | None = None
    published: bool = False
    assignment_id: int | None = None
    created: str = ""


@dataclass(frozen=True)
class Question:
    """A question of a quiz. answers: ``id, text, weight`` (100: right); comments: by ``correct``, ``incorrect`` ..."""

    id: int
    quiz_id: int
    position: int
    name: str
    text: str
    kind: QuestionKind
    points: float = 1.0
    answers: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Attempt:
    """An attempt at a quiz. answers: by number of the question; score: null until all of it is graded."""

    id: int
    quiz_id: int
    user_id: int
    number: int
    token: str
    started: str
    finished: str | None = None
    answers: dict[str, Any] = field(default_factory=dict)
    score: float | None = None


@dataclass(frozen=True)
class Topic:
    """A discussion, or an announcement. shows: when it becomes visible, if later."""

    id: int
    course_id: int
    title: str
    message: str
    author_id: int
    posted: str
    announcement: bool = False
    published: bool = True
    shows: str | None = None
    file_id: int | None = None


@dataclass(frozen=True)
class Post:
    """A post in a discussion."""

    id: int
    topic_id: int
    author_id: int
    message: str
    posted: str
    parent_id: int | None = None


@dataclass(frozen=True)
class Page:
    """A page. url: its name within the course."""

    id: int
    course_id: int
    url: str
    title: str
    body: str
    published: bool = True
    front: bool = False
    updated: str = ""


@dataclass(frozen=True)
class Folder:
    """A folder of files. parent_id: null for a course's root folder."""

    id: int
    course_id: int
    name: str
    parent_id: int | None = None


@dataclass(frozen=True)
class File:
    """A file. course_id: null if it belongs to a person and no course."""

    id: int
    name: str
    media_type: str
    size_bytes: int
    author_id: int
    created: str
    course_id: int | None = None
    folder_id: int | None = None


@dataclass(frozen=True)
class Conversation:
    """A thread of messages between people. hidden_by: the people who deleted it for themselves."""

    id: int
    subject: str
    people: list[int]
    course_id: int | None = None
    hidden_by: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Message:
    """A message of a conversation."""

    id: int
    conversation_id: int
    author_id: int
    body: str
    sent: str


@dataclass(frozen=True)
class Report:
    """A report that an admin asked for."""

    id: int
    kind: str
    parameters: dict[str, Any]
    created: str


RECORDS = (
    *(School, User, Course, Section, Enrolment, Module, ModuleItem, Completion, AssignmentGroup, Assignment),
    *(Submission, Rubric, Quiz, Question, Attempt, Topic, Post, Page, Folder, File, Conversation, Message, Report),
)
