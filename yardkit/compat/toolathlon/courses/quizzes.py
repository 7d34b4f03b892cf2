"""Quizzes, their questions, and attempts."""

from typing import Any

from yardkit.apps.courses import QuestionKind, Quiz, QuizKind
from yardkit.apps.store import drop_missing
from yardkit.compat.toolathlon.courses import objects
from yardkit.servers.courses.engine import quizzes
from yardkit.servers.courses.engine.school_view import Campus, time_of
from yardkit.world import Problem, current_world

_QUIZZES: dict[str, QuizKind] = {name: kind for kind, name in objects.QUIZ_TYPES.items()}
_QUESTIONS: dict[str, QuestionKind] = {name: kind for kind, name in objects.QUESTION_TYPES.items()}


def canvas_list_quizzes(campus: Campus, course_id: int) -> Any:
    return [objects.build_quiz(campus, quiz) for quiz in quizzes.find_quizzes(campus, course_id)]


def canvas_get_quiz(campus: Campus, course_id: int, quiz_id: int) -> Any:
    return objects.build_quiz(campus, campus.get_course_record(Quiz, quiz_id, course_id))


def canvas_create_quiz(
    campus: Campus,
    course_id: int,
    title: str,
    quiz_type: str = "assignment",
    time_limit: int | None = None,
    published: bool | None = None,
    description: str | None = None,
    due_at: str | None = None,
) -> Any:
    if quiz_type not in _QUIZZES:
        raise Problem(f"there is no quiz type {quiz_type!r}; there are {', '.join(_QUIZZES)}")
    world = current_world()
    new_quiz = quizzes.save_quiz(
        campus, course_id, title=title, kind=_QUIZZES[quiz_type], minutes=time_limit, published=published,
        description=description, due=time_of(due_at, world),
    )  # fmt: skip
    return objects.build_quiz(campus, new_quiz)


def canvas_delete_quiz(campus: Campus, course_id: int, quiz_id: int) -> str:
    quizzes.delete_quiz(campus, course_id, quiz_id)
    return f"Successfully deleted quiz {quiz_id} from course {course_id}"


def canvas_start_quiz_attempt(campus: Campus, course_id: int, quiz_id: int) -> Any:
    new_attempt = quizzes.start_attempt(campus, course_id, quiz_id)
    return {
        "quiz_submissions": [
            objects.build_attempt(campus, new_attempt, campus.get_course_record(Quiz, quiz_id, course_id))
        ]
    }


def canvas_submit_quiz_answers(
    campus: Campus,
    course_id: int,
    quiz_id: int,
    submission_id: int,
    answers: list[dict[str, Any]],
    validation_token: str | None = None,
) -> Any:
    answers_by_question = {_get_question_id(answer_data): answer_data.get("answer") for answer_data in answers}
    finished_attempt = quizzes.finish_attempt(
        campus, course_id, quiz_id, submission_id, answers_by_question, validation_token or ""
    )
    return {
        "quiz_submissions": [
            objects.build_attempt(campus, finished_attempt, campus.get_course_record(Quiz, quiz_id, course_id))
        ]
    }


def canvas_list_quiz_questions(
    campus: Campus,
    course_id: int,
    quiz_id: int,
    quiz_submission_id: int | None = None,
    quiz_submission_attempt: int | None = None,
    use_submission_endpoint: bool | None = None,
) -> Any:
    quiz_questions = quizzes.questions_of(campus, course_id, quiz_id)
    listed = [objects.build_question(campus, question, course_id) for question in quiz_questions]
    of_attempt = quiz_submission_id or quiz_submission_attempt or use_submission_endpoint
    return {"quiz_submission_questions": listed} if of_attempt else listed


def canvas_get_quiz_question(campus: Campus, course_id: int, quiz_id: int, question_id: int) -> Any:
    question = quizzes.question_of(campus, course_id, quiz_id, question_id)
    return objects.build_question(campus, question, course_id)


def canvas_create_quiz_question(
    campus: Campus,
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
) -> Any:
    if not (course_id and quiz_id and question_name and question_text and question_type):
        names = "course_id, quiz_id, question_name, question_text, question_type, and points_possible"
        raise Problem(f"Missing required fields: {names}")
    if question_type not in _QUESTIONS:
        raise Problem(f"there is no question type {question_type!r} here; there are {', '.join(_QUESTIONS)}")
    comments = {"correct": correct_comments, "incorrect": incorrect_comments, "neutral": neutral_comments}
    new_question = quizzes.save_question(
        campus, course_id, quiz_id, name=question_name, text=question_text, kind=_QUESTIONS[question_type],
        points=points_possible, position=position, answers=answers,
        comments={key: value for key, value in comments.items() if value},
    )  # fmt: skip
    return objects.build_question(campus, new_question, course_id)


def canvas_update_quiz_question(
    campus: Campus,
    course_id: int,
    quiz_id: int,
    question_id: int,
    question_name: str | None = None,
    question_text: str | None = None,
    points_possible: float | None = None,
    correct_comments: str | None = None,
    incorrect_comments: str | None = None,
    answers: list[dict[str, Any]] | None = None,
) -> Any:
    comments = {"correct": correct_comments, "incorrect": incorrect_comments}
    old = quizzes.question_of(campus, course_id, quiz_id, question_id)
    saved_question = quizzes.save_question(
        campus, course_id, quiz_id, question_id, name=question_name, text=question_text, points=points_possible,
        answers=answers, comments=old.comments | drop_missing(**comments),
    )  # fmt: skip
    return objects.build_question(campus, saved_question, course_id)


def canvas_delete_quiz_question(campus: Campus, course_id: int, quiz_id: int, question_id: int) -> str:
    quizzes.delete_question(campus, course_id, quiz_id, question_id)
    return "Quiz question deleted successfully"


def _get_question_id(answer: dict[str, Any]) -> int:
    number = answer.get("question_id", answer.get("id"))
    if not isinstance(number, int | str) or not str(number).isdigit():
        raise Problem(f"an answer has question_id and answer, not {answer!r}")
    return int(number)
