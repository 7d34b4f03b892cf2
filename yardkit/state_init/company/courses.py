"""The school of a seeded company, filled: courses with people, modules, work, grades, quizzes and what is said there.

The courses and teachers are the cast's; the colleagues of the stories' trainings take part, and what they are to hand
in has the deadline that the letters name.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.apps.courses import (
    APP,
    RECORDS,
    Assignment,
    AssignmentGroup,
    Attempt,
    Conversation,
    Enrolment,
    Folder,
    ItemKind,
    Message,
    Module,
    ModuleItem,
    Page,
    Post,
    Question,
    Quiz,
    Rubric,
    School,
    Section,
    Submission,
    Topic,
    User,
)
from yardkit.apps.courses import Course as CourseRecord
from yardkit.apps.store import Record, Store, open_store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.persons import SPELLINGS, Somebody, address_of, fresh_names
from yardkit.state_init.company.schooling import Course
from yardkit.state_init.company.stories import Stories
from yardkit.state_init.company.trainings import Training
from yardkit.world import World, skip_syncing

_WORDS = (
    "sample", "variance", "deadline", "report", "source", "figure", "model", "method", "result", "error", "table",
)  # fmt: skip
_NEWS = (
    ("Room change", "This week we meet in {room}."),
    ("Slides are online", "The slides of the last lecture are in the files."),
    ("No office hours", "My office hours are cancelled this week."),
    ("Guest lecture", "A guest from industry speaks next week in {room}."),
    ("Grades", "The last assignment is graded."),
)
_ASKED = (
    "Which chapters are part of the exam?",
    "May we work in pairs?",
    "Is the deadline by local time?",
    "Where are the slides?",
)
_POST_TEXTS = (
    "Chapters 1 to 6.",
    "Yes, in pairs, no more.",
    "Yes, by the clock of the school.",
    "In the files, in slides.",
    "Thank you!",
)
_SENTENCES = (
    "The {} of the {} shows that the {} is larger than we assumed.",
    "We compared each {} with the {} of the year before.",
    "A {} without a {} says little about the {}.",
    "In the second part we explain the {} by an example with one {}.",
    "Our {} agrees with the {}, but for one {} that we leave out.",
)
_COMMENTS = ("Well argued.", "Please name your sources.", "See my notes in the text.", "The figure lacks units.", "")


@dataclass(frozen=True)
class FilledSchool:
    """What stands in the school: numbers by code and term of a course, by address of a person, by course and title."""

    courses: dict[tuple[str, str], int]
    people: dict[str, int]
    assignments: dict[tuple[int, str], int]


def fill_courses(
    world: World,
    cast: Cast,
    rng: random.Random,
    *,
    stories: Stories | None = None,
    acting: str = "",
    students: int = 140,
) -> FilledSchool:
    """Fill the school of the cast: eight courses, so many students and a few colleagues.

    Args:
        world: to be filled.
        cast: whose school it is.
        rng: of this app.
        stories: whose trainings are told here, too.
        acting: the address of who works with the tools: of a teacher, a student; by default the owner, an admin.
        students: of the school, besides colleagues; two of them have nearly the same name.
    """
    with skip_syncing(), open_store(APP, *RECORDS, writes=True, world=world) as store:
        maker = _Maker(store, cast, rng, world.now)
        maker.make_people(students, stories.trainings if stories else ())
        for course in cast.courses:
            maker.make_course(
                course, [training for training in (stories.trainings if stories else ()) if training.course == course]
            )
        maker.make_messages()
        store.put(School(1, cast.school.name, maker.users[acting or cast.owner.email], cast.school.time_zone))
        return FilledSchool(maker.courses, maker.users, maker.assignments)


class _Maker:
    """Writes records; numbers are counted by kind."""

    def __init__(self, store: Store, cast: Cast, rng: random.Random, now: datetime) -> None:
        self.store, self.cast, self.rng, self.now = store, cast, rng, now.astimezone(UTC)
        self.zone = ZoneInfo(cast.school.time_zone)
        self.users: dict[str, int] = {}
        self.courses: dict[tuple[str, str], int] = {}
        self.assignments: dict[tuple[int, str], int] = {}
        self.students: list[int] = []
        self._next: dict[type[Record], count[int]] = {}

    def number(self, kind: type[Record]) -> int:
        return next(self._next.setdefault(kind, count(1)))

    def make_people(self, students: int, trainings: Sequence[Training]) -> None:
        owner, school = self.cast.owner, self.cast.school
        self._make_user(owner, "Trainings", admin=True)
        for teacher in school.teachers:
            self._make_user(teacher, "Lecturer")
        twins = self.rng.choice(SPELLINGS)
        names = fresh_names(self.rng, students, self.cast.names)
        names[:2] = [(names[0][0], last) for last in twins]
        self.rng.shuffle(names)
        for first, last in names:
            address = address_of(first, last, f"students.{school.domain}")
            while address in self.users:
                address = address.replace("@", "2@")
            self.students.append(self._make_user(Somebody(first, last, address)))
        for training in trainings:
            if training.student.email not in self.users:
                self._make_user(training.student)

    def make_course(self, course: Course, trainings: Sequence[Training]) -> None:
        number = self.number(CourseRecord)
        self.courses[course.code, course.term] = number
        over = course.ends < self.now.date()
        begins = datetime.combine(course.begins, datetime.min.time(), self.zone)
        self.store.put(
            CourseRecord(
                number,
                course.title,
                course.code,
                "completed" if over else "available",
                course.term,
                _format_moment(begins),
                _format_moment(begins + (course.ends - course.begins)),
                self._write_syllabus(course),
                time_zone=self.cast.school.time_zone,
                created=_format_moment(begins - timedelta(days=30)),
            )
        )
        taking = self._enrol_students(number, course, trainings, begins)
        self.store.put(Folder(self.number(Folder), number, "course files"))
        weeks = [begins + timedelta(weeks=week) for week in range(1, 15)]
        groups = self._make_groups(number)
        rubric = self._make_rubric(number)
        assignments = [
            self._make_assignment(number, groups[0], rubric, place, weeks[2 * place], trainings)
            for place in range(1, 7)
        ]
        quizzes = [self._make_quiz(number, groups[1], place, weeks[4 * place]) for place in (1, 2, 3)]
        self._make_modules(number, course, assignments, quizzes)
        asking = {training.assignment: self.users[training.student.email] for training in trainings}
        for assignment in assignments:  # who asked for more time has handed nothing in
            handing = [user for user in taking if user != asking.get(assignment.name)]
            self._hand_in(assignment, handing, self.users[course.teacher])
        for quiz, assignment, questions in quizzes:
            self._take_quiz(quiz, assignment, questions, taking)
        self._make_talk(number, course, taking, begins, trainings)

    def make_messages(self) -> None:
        """Conversations of teachers with students, and of the owner with teachers."""
        teachers = [self.users[teacher.email] for teacher in self.cast.school.teachers]
        for number in range(24):
            teacher = self.rng.choice(teachers)
            other = self.users[self.cast.owner.email] if number % 6 == 0 else self.rng.choice(self.students)
            subject = self.rng.choice(("Question", "Absence", "Grade", "Exam", "Group work"))
            thread = self.store.put(
                Conversation(self.number(Conversation), f"{subject} {number + 1}", sorted((teacher, other)))
            )
            sent = self.now - timedelta(days=self.rng.randint(1, 60), minutes=self.rng.randint(0, 600))
            for place in range(self.rng.randint(1, 4)):
                by = (other, teacher)[place % 2]
                text = self.rng.choice(_ASKED if place % 2 == 0 else _POST_TEXTS)
                self.store.put(
                    Message(
                        self.number(Message), thread.id, by, text, _format_moment(sent + timedelta(hours=5 * place))
                    )
                )

    def _make_user(self, person: Somebody, title: str = "", *, admin: bool = False) -> int:
        number = self.number(User)
        self.users[person.email] = number
        self.store.put(
            User(number, person.name, person.email, f"{person.last}, {person.first}", title=title, admin=admin)
        )
        return number

    def _enrol_students(
        self, number: int, course: Course, trainings: Sequence[Training], begins: datetime
    ) -> list[int]:
        sections = [self.store.put(Section(self.number(Section), number, f"{course.code} {name}")) for name in "AB"]
        added = _format_moment(begins - timedelta(days=10))
        self.store.put(
            Enrolment(
                self.number(Enrolment), number, sections[0].id, self.users[course.teacher], "teacher", "active", added
            )
        )
        taking = self.rng.sample(self.students, min(len(self.students), self.rng.randint(28, 46)))
        taking += [self.users[training.student.email] for training in trainings]
        for place, user in enumerate(dict.fromkeys(taking)):
            state = "inactive" if place % 19 == 18 else "active"
            section = sections[place % 2].id
            self.store.put(Enrolment(self.number(Enrolment), number, section, user, "student", state, added))  # type: ignore[arg-type]
        return list(dict.fromkeys(taking))

    def _make_groups(self, number: int) -> list[int]:
        parts = (("Assignments", 60.0), ("Quizzes", 40.0))
        return [
            self.store.put(AssignmentGroup(self.number(AssignmentGroup), number, name, place, weight)).id
            for place, (name, weight) in enumerate(parts, 1)
        ]

    def _make_rubric(self, number: int) -> int:
        criteria = [
            {
                "description": name,
                "points": 10,
                "ratings": [{"description": "full", "points": 10}, {"description": "none", "points": 0}],
            }
            for name in ("Argument", "Sources", "Form")
        ]
        return self.store.put(Rubric(self.number(Rubric), number, "Written work", 30.0, criteria)).id

    def _make_assignment(
        self, course: int, group: int, rubric: int, place: int, due: datetime, trainings: Sequence[Training]
    ) -> Assignment:
        name = f"Assignment {place}"
        known_training = next((training for training in trainings if training.assignment == name), None)
        moment = known_training.due if known_training else due.replace(hour=23, minute=59)
        points = self.rng.choice((10.0, 20.0, 20.0, 30.0))
        number = self.number(Assignment)
        self.assignments[course, name] = number
        text = f"<p>Write about {self.rng.choice(_WORDS)} and {self.rng.choice(_WORDS)}, two pages.</p>"
        return self.store.put(
            Assignment(
                number, course, group, name, text, _format_moment(moment), points, ["text", "upload"], ["pdf", "docx"],
                published=place < 6, rubric_id=rubric if points == 30 else None,
                created=_format_moment(due - timedelta(days=40)),
            )
        )  # fmt: skip

    def _write_prose(self, sentences: int) -> str:
        chosen = (self.rng.choice(_SENTENCES) for _ in range(sentences))
        return " ".join(
            sentence_template.format(*(self.rng.choice(_WORDS) for _ in range(3))) for sentence_template in chosen
        )

    def _hand_in(self, assignment: Assignment, taking: Sequence[int], teacher: int) -> None:
        """Most hand in before the deadline, some late, some nothing; the newest work is not graded yet."""
        due = datetime.fromisoformat(assignment.due or "")
        if due > self.now + timedelta(days=10) or not assignment.published:
            return
        for user in taking:
            handed = due + timedelta(
                hours=self.rng.choice((-70, -46, -30, -9, -5, -2, -1, 3, 20)), minutes=self.rng.randint(0, 59)
            )
            if self.rng.random() < 0.1 or handed > self.now:
                continue
            graded = due < self.now - timedelta(days=12) and self.rng.random() < 0.95
            score = round(assignment.points * self.rng.uniform(0.45, 1.0) * 2) / 2 if graded else None
            at = _format_moment(due + timedelta(days=self.rng.randint(3, 9))) if graded else None
            comment = self.rng.choice(_COMMENTS) if graded else ""
            self.store.put(
                Submission(
                    self.number(Submission), assignment.id, user, self.rng.choice((1, 1, 1, 2)), "text",
                    f"<p>{self._write_prose(3)}</p>", submitted=_format_moment(handed),
                    score=score,
                    grade=None if score is None else f"{score:g}", graded=at, grader_id=teacher if graded else None,
                    comments=[{"author_id": teacher, "text": comment, "at": at}] if comment else [],
                )
            )  # fmt: skip

    def _make_quiz(self, course: int, group: int, place: int, due: datetime) -> tuple[Quiz, Assignment, list[Question]]:
        number, work, moment = (
            self.number(Quiz),
            self.number(Assignment),
            _format_moment(due.replace(hour=23, minute=59)),
        )
        asked = self.rng.randint(4, 7)
        questions = [self._make_question(number, at) for at in range(1, asked + 1)]
        points = sum(question.points for question in questions)
        title = f"Quiz {place}"
        self.assignments[course, title] = work
        assignment = self.store.put(
            Assignment(work, course, group, title, "", moment, points, ["quiz"], [], published=True, quiz_id=number)
        )
        quiz = Quiz(number, course, title, "", "assignment", 30, 2, moment, published=True, assignment_id=work)
        return self.store.put(quiz), assignment, questions

    def _make_question(self, quiz: int, at: int) -> Question:
        first, second = self.rng.randint(3, 19), self.rng.randint(3, 19)
        right = first * second if at % 2 else first + second
        text = f"What is {first} {'times' if at % 2 else 'plus'} {second}?"
        name, number = f"Question {at}", self.number(Question)
        if at % 3 == 0:
            answers = [{"id": 1, "text": str(right), "weight": 100.0}]
            return self.store.put(Question(number, quiz, at, name, text, "numerical", 2.0, answers))
        values = self.rng.sample([right + 1, right - 2, right + 10], 3)
        values.insert(self.rng.randrange(4), right)
        answers = [
            {"id": answer_number, "text": str(value), "weight": 100.0 * (value == right)}
            for answer_number, value in enumerate(values, 1)
        ]
        return self.store.put(Question(number, quiz, at, name, text, "multiple_choice", 1.0, answers))

    def _take_quiz(
        self, quiz: Quiz, assignment: Assignment, questions: Sequence[Question], taking: Sequence[int]
    ) -> None:
        due = datetime.fromisoformat(quiz.due or "")
        if due > self.now:
            return
        for user in taking:
            if self.rng.random() < 0.12:
                continue
            started = due - timedelta(minutes=self.rng.randint(40, 4_000))
            answers = {str(question.id): self._choose_answer(question) for question in questions}
            score = sum(question.points for question in questions if _is_right(question, answers[str(question.id)]))
            number, done = self.number(Attempt), _format_moment(started + timedelta(minutes=self.rng.randint(5, 29)))
            self.store.put(
                Attempt(number, quiz.id, user, 1, f"{number:064x}", _format_moment(started), done, answers, score)
            )
            self.store.put(
                Submission(
                    self.number(Submission), assignment.id, user, 1, "quiz", submitted=done, score=score,
                    grade=f"{score:g}", graded=done,
                )
            )  # fmt: skip

    def _choose_answer(self, question: Question) -> int | str:
        right = next(choice for choice in question.answers if choice["weight"])
        if self.rng.random() < 0.75:
            return str(right["text"]) if question.kind == "numerical" else int(right["id"])
        return "0" if question.kind == "numerical" else int(self.rng.choice(question.answers)["id"])

    def _make_modules(
        self,
        number: int,
        course: Course,
        assignments: Sequence[Assignment],
        quizzes: Sequence[tuple[Quiz, Assignment, object]],
    ) -> None:
        for place in range(1, 4):
            module = self.store.put(Module(self.number(Module), number, f"Part {place}", place))
            url = f"part-{place}"
            body = f"<h2>Part {place}</h2><p>{self._write_prose(5)}</p>"
            updated = _format_moment(self.now - timedelta(days=60))
            page = Page(
                self.number(Page), number, url, f"Part {place}: {course.title}", body, front=place == 1, updated=updated
            )
            self.store.put(page)
            self._make_item(module.id, 1, "page", page.title, page.id, must_be_done=True)
            for at, work in enumerate(assignments[2 * place - 2 : 2 * place], 2):
                self._make_item(module.id, at, "assignment", work.name, work.id, published=work.published)
            self._make_item(module.id, 4, "quiz", quizzes[place - 1][0].title, quizzes[place - 1][0].id)
            link = f"https://library.{self.cast.school.domain}/{course.code.lower()}"
            self._make_item(module.id, 5, "link", "Reading list", url=link)

    def _make_item(
        self, module: int, place: int, kind: ItemKind, title: str, content: int | None = None, **more: Any
    ) -> None:
        self.store.put(ModuleItem(self.number(ModuleItem), module, place, kind, title, content, **more))

    def _make_talk(
        self, number: int, course: Course, taking: Sequence[int], begins: datetime, trainings: Sequence[Training]
    ) -> None:
        """Announcements, of exams, too; and a discussion in which some ask and the teacher answers."""
        teacher = self.users[course.teacher]
        announcements = [(begins + timedelta(days=9 * at, hours=10), *news) for at, news in enumerate(_NEWS, 1)]
        announcements += [
            (
                begins + timedelta(days=20),
                "Exam",
                f"The exam takes place on {training.exam.begins:%A, %d %B at %H:%M} in {training.exam.place}.",
            )
            for training in trainings
        ]
        for at, title, text in sorted(announcements):
            if at < self.now:
                message = f"<p>{text.format(room=course.room)}</p>"
                self.store.put(
                    Topic(self.number(Topic), number, title, message, teacher, _format_moment(at), announcement=True)
                )
        topic = Topic(
            self.number(Topic), number, "Questions and answers", "<p>Ask here.</p>", teacher, _format_moment(begins)
        )
        self.store.put(topic)
        for place, text in enumerate(_ASKED):
            at = begins + timedelta(days=8 * place + 3)
            for by, words, hours in ((self.rng.choice(taking), text, 0), (teacher, _POST_TEXTS[place], 7)):
                self.store.put(
                    Post(self.number(Post), topic.id, by, words, _format_moment(at + timedelta(hours=hours)))
                )

    def _write_syllabus(self, course: Course) -> str:
        teacher = self.cast.school.get_teacher(course)
        return (
            f"<h2>{course.code} {course.title}</h2><p>{teacher.name}, room {course.room}, {course.credits} credits. "
            "Assignments count 60 %, quizzes 40 %. Work that is late by more than three days is not graded.</p>"
        )


def _is_right(question: Question, answer: int | str) -> bool:
    right = next(choice for choice in question.answers if choice["weight"])
    return answer in (right["id"], right["text"]) if question.kind != "numerical" else answer == right["text"]


def _format_moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
