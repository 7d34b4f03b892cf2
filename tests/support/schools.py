"""A small school: Ada is an admin, Tim teaches course 1, Sue and Sam are its students; course 2 is not published."""

from yardkit.apps.courses import (
    APP,
    RECORDS,
    Assignment,
    AssignmentGroup,
    Course,
    Enrolment,
    File,
    Folder,
    Module,
    ModuleItem,
    Page,
    Question,
    Quiz,
    Rubric,
    School,
    Section,
    Submission,
    Topic,
    User,
)
from yardkit.apps.store import open_store
from yardkit.world import World

ADA, TIM, SUE, SAM = 1, 2, 3, 4
GOOD = {"description": "good", "points": 20}
RECORDS_OF_THE_SCHOOL = (
    School(1, "Harbour College", ADA, "Europe/Vienna"),
    User(ADA, "Ada Berg", "ada@college.example", admin=True),
    User(TIM, "Tim Ott", "tim@college.example"),
    User(SUE, "Sue Lind", "sue@college.example"),
    User(SAM, "Sam Lindt", "sam@college.example"),
    Course(1, "Statistics", "BUS-201", "available", "Spring 2026", syllabus="<p>Chance</p>"),
    Course(2, "Statistics II", "BUS-210", "unpublished", "Spring 2026"),
    Section(1, 1, "Morning"),
    Section(2, 1, "Evening"),
    Enrolment(1, 1, 1, TIM, "teacher"),
    Enrolment(2, 1, 1, SUE),
    Enrolment(3, 1, 2, SAM),
    AssignmentGroup(1, 1, "Homework", 1, 60.0),
    AssignmentGroup(2, 1, "Quizzes", 2, 40.0),
    Assignment(
        1, 1, 1, "Essay", "Write", "2026-03-10T22:59:00Z", 20.0, ["text", "upload"], ["pdf"],
        published=True, rubric_id=1
    ),
    Assignment(2, 1, 1, "Project", "", "2026-04-10T22:59:00Z", 50.0, ["link"], [], published=True),
    Assignment(3, 1, 1, "Secret", "", None, 5.0, ["text"], []),
    Assignment(4, 1, 2, "Quiz 1", "", "2026-03-30T22:59:00Z", 3.0, ["quiz"], [], published=True, quiz_id=1),
    Submission(1, 1, SAM, 1, "text", "My essay", submitted="2026-03-12T10:00:00Z"),
    Rubric(1, 1, "Essay", 20.0, [{"description": "Style", "points": 20, "ratings": [GOOD]}]),
    Quiz(1, 1, "Quiz 1", minutes=30, attempts=2, due="2026-03-30T22:59:00Z", published=True, assignment_id=4),
    Question(1, 1, 1, "Sum", "1+1?", "multiple_choice", 1.0,
             [{"id": 1, "text": "2", "weight": 100.0}, {"id": 2, "text": "3", "weight": 0.0}], {"correct": "yes"}),
    Question(2, 1, 2, "Pi", "Pi to two places?", "numerical", 2.0, [{"id": 1, "text": "3.14", "weight": 100.0}]),
    Module(1, 1, "Week 1", 1),
    Page(1, 1, "welcome", "Welcome", "<p>Hello</p>", front=True),
    Page(2, 1, "draft", "Draft", "x", published=False),
    ModuleItem(1, 1, 1, "page", "Welcome", 1, must_be_done=True),
    ModuleItem(2, 1, 2, "link", "Tables", None, "https://tables.example/"),
    Folder(1, 1, "course files"),
    Folder(2, 1, "slides", 1),
    File(1, "week1.pdf", "application/pdf", 1000, TIM, "2026-02-02T08:00:00Z", 1, 2),
    Topic(1, 1, "Questions?", "Ask here", TIM, "2026-02-02T08:00:00Z"),
    Topic(2, 1, "Exam", "On 1 June", TIM, "2026-03-02T08:00:00Z", announcement=True),
    Topic(3, 1, "Later", "Not yet", TIM, "2026-03-03T08:00:00Z", announcement=True, shows="2026-05-01T08:00:00Z"),
)  # fmt: skip


def make_school(world: World, acting: int = ADA) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for record in RECORDS_OF_THE_SCHOOL:
            store.put(record)
    act_as(world, acting)


def act_as(world: World, user: int) -> None:
    """From now on another person acts."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.change(store.get(School, 1), acting=user)
