"""Quizzes, their questions, and attempts."""

from typing import Any

from yardkit.apps.courses import QuestionKind, Quiz, QuizKind
from yardkit.apps.store import drop_missing
from yardkit.compat.toolathlon.courses import objects
from yardkit.compat.toolathlon.courses.app import format_answer, open_for_changing, open_for_reading, require_values
from yardkit.kit.dialect import Offset, Text, TextPage
from yardkit.servers.courses.engine import quizzes
from yardkit.servers.courses.engine.school_view import time_of
from yardkit.world import Problem, current_world

_QUIZZES: dict[str, QuizKind] = {name: kind for kind, name in objects.QUIZ_TYPES.items()}
_QUESTIONS: dict[str, QuestionKind] = {name: kind for kind, name in objects.QUESTION_TYPES.items()}


def canvas_list_quizzes(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_quiz(campus, quiz) for quiz in quizzes.find_quizzes(campus, course_id)], offset
        )


def canvas_get_quiz(course_id: int, quiz_id: int) -> TextPage:
    require_values(course_id=course_id, quiz_id=quiz_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_quiz(campus, campus.get_course_record(Quiz, quiz_id, course_id)))


def canvas_create_quiz(
    course_id: int,
    title: str,
    quiz_type: str = "assignment",
    time_limit: int | None = None,
    published: bool | None = None,
    description: str | None = None,
    due_at: str | None = None,
) -> TextPage:
    require_values(course_id=course_id, title=title)
    if quiz_type not in _QUIZZES:
        raise Problem(f"there is no quiz type {quiz_type!r}; there are {', '.join(_QUIZZES)}")
    world = current_world()
    with open_for_changing() as campus:
        new_quiz = quizzes.save_quiz(
            campus, course_id, title=title, kind=_QUIZZES[quiz_type], minutes=time_limit, published=published,
            description=description, due=time_of(due_at, world),
        )  # fmt: skip
        return format_answer(objects.build_quiz(campus, new_quiz))


def canvas_delete_quiz(course_id: int, quiz_id: int) -> Text:
    require_values(course_id=course_id, quiz_id=quiz_id)
    with open_for_changing() as campus:
        quizzes.delete_quiz(campus, course_id, quiz_id)
    return Text(f"Successfully deleted quiz {quiz_id} from course {course_id}")


def canvas_start_quiz_attempt(course_id: int, quiz_id: int) -> TextPage:
    require_values(course_id=course_id, quiz_id=quiz_id)
    with open_for_changing() as campus:
        new_attempt = quizzes.start_attempt(campus, course_id, quiz_id)
        return format_answer(
            {
                "quiz_submissions": [
                    objects.build_attempt(campus, new_attempt, campus.get_course_record(Quiz, quiz_id, course_id))
                ]
            }
        )


def canvas_submit_quiz_answers(
    course_id: int, quiz_id: int, submission_id: int, answers: list[dict[str, Any]], validation_token: str | None = None
) -> TextPage:
    require_values(course_id=course_id, quiz_id=quiz_id, submission_id=submission_id, answers=answers)
    answers_by_question = {_get_question_id(answer_data): answer_data.get("answer") for answer_data in answers}
    with open_for_changing() as campus:
        finished_attempt = quizzes.finish_attempt(
            campus, course_id, quiz_id, submission_id, answers_by_question, validation_token or ""
        )
        return format_answer(
            {
                "quiz_submissions": [
                    objects.build_attempt(campus, finished_attempt, campus.get_course_record(Quiz, quiz_id, course_id))
                ]
            }
        )


def canvas_list_quiz_questions(
    course_id: int,
    quiz_id: int,
    quiz_submission_id: int | None = None,
    quiz_submission_attempt: int | None = None,
    use_submission_endpoint: bool | None = None,
    offset: Offset = 0,
) -> TextPage:
    require_values(course_id=course_id, quiz_id=quiz_id)
    with open_for_reading() as campus:
        quiz_questions = quizzes.questions_of(campus, course_id, quiz_id)
        listed = [objects.build_question(campus, question, course_id) for question in quiz_questions]
        of_attempt = quiz_submission_id or quiz_submission_attempt or use_submission_endpoint
        return format_answer({"quiz_submission_questions": listed} if of_attempt else listed, offset)


def canvas_get_quiz_question(course_id: int, quiz_id: int, question_id: int) -> TextPage:
    require_values(course_id=course_id, quiz_id=quiz_id, question_id=question_id)
    with open_for_reading() as campus:
        question = quizzes.question_of(campus, course_id, quiz_id, question_id)
        return format_answer(objects.build_question(campus, question, course_id))


def canvas_create_quiz_question(
    course_id: int,
    quiz_id: int,
    question_name: str,
    question_text: str,
    question_type: str,
    points_possible: float,
    position: int | None = None,
    correct_comments: str | None = None,
    incorrect_comments: str | None = None,
    neutral_comments: str | None = None,
    answers: list[dict[str, Any]] | None = None,
) -> TextPage:
    if not (course_id and quiz_id and question_name and question_text and question_type):
        names = "course_id, quiz_id, question_name, question_text, question_type, and points_possible"
        raise Problem(f"Missing required fields: {names}")
    if question_type not in _QUESTIONS:
        raise Problem(f"there is no question type {question_type!r} here; there are {', '.join(_QUESTIONS)}")
    comments = {"correct": correct_comments, "incorrect": incorrect_comments, "neutral": neutral_comments}
    with open_for_changing() as campus:
        new_question = quizzes.save_question(
            campus, course_id, quiz_id, name=question_name, text=question_text, kind=_QUESTIONS[question_type],
            points=points_possible, position=position, answers=answers,
            comments={key: value for key, value in comments.items() if value},
        )  # fmt: skip
        return format_answer(objects.build_question(campus, new_question, course_id))


def canvas_update_quiz_question(
    course_id: int,
    quiz_id: int,
    question_id: int,
    question_name: str | None = None,
    question_text: str | None = None,
    points_possible: float | None = None,
    correct_comments: str | None = None,
    incorrect_comments: str | None = None,
    answers: list[dict[str, Any]] | None = None,
) -> TextPage:
    require_values(course_id=course_id, quiz_id=quiz_id, question_id=question_id)
    comments = {"correct": correct_comments, "incorrect": incorrect_comments}
    with open_for_changing() as campus:
        old = quizzes.question_of(campus, course_id, quiz_id, question_id)
        saved_question = quizzes.save_question(
            campus, course_id, quiz_id, question_id, name=question_name, text=question_text, points=points_possible,
            answers=answers, comments=old.comments | drop_missing(**comments),
        )  # fmt: skip
        return format_answer(objects.build_question(campus, saved_question, course_id))


def canvas_delete_quiz_question(course_id: int, quiz_id: int, question_id: int) -> Text:
    require_values(course_id=course_id, quiz_id=quiz_id, question_id=question_id)
    with open_for_changing() as campus:
        quizzes.delete_question(campus, course_id, quiz_id, question_id)
    return Text("Quiz question deleted successfully")


def _get_question_id(answer: dict[str, Any]) -> int:
    number = answer.get("question_id", answer.get("id"))
    if not isinstance(number, int | str) or not str(number).isdigit():
        raise Problem(f"an answer has question_id and answer, not {answer!r}")
    return int(number)
