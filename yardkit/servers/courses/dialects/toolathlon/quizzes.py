"""Quizzes, their questions, and attempts."""

from typing import Annotated, Any

from pydantic import Field

from yardkit.apps.courses import QuestionKind, Quiz, QuizKind
from yardkit.apps.store import drop_missing
from yardkit.kit.dialect import Text, TextPage
from yardkit.kit.surface import tool
from yardkit.servers.courses.dialects.toolathlon import objects
from yardkit.servers.courses.dialects.toolathlon.app import (
    Body,
    CourseId,
    NewName,
    Offset,
    Points,
    QuizId,
    Time,
    YesNo,
    format_answer,
    mcp,
    open_for_changing,
    open_for_reading,
    require_values,
)
from yardkit.servers.courses.engine import quizzes
from yardkit.servers.courses.engine.school_view import time_of
from yardkit.world import Problem, current_world

QuestionId = Annotated[int, Field(description="ID of the question.")]
Answers = Annotated[
    list[dict[str, Any]] | None, Field(description="Answers: text, weight (100: correct), comments.", max_length=100)
]
_QUIZZES: dict[str, QuizKind] = {name: kind for kind, name in objects.QUIZ_TYPES.items()}
_QUESTIONS: dict[str, QuestionKind] = {name: kind for kind, name in objects.QUESTION_TYPES.items()}


@tool(mcp)
def canvas_list_quizzes(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List all quizzes in a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(
            [objects.build_quiz(campus, quiz) for quiz in quizzes.find_quizzes(campus, course_id)], offset
        )


@tool(mcp)
def canvas_get_quiz(course_id: CourseId, quiz_id: QuizId) -> TextPage:
    """Get details of a specific quiz."""
    require_values(course_id=course_id, quiz_id=quiz_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_quiz(campus, campus.get_course_record(Quiz, quiz_id, course_id)))


@tool(mcp, writes=True, idempotent=False)
def canvas_create_quiz(
    course_id: CourseId,
    title: Annotated[str, Field(description="Title of the quiz.", max_length=500)],
    quiz_type: Annotated[str, Field(description="assignment, practice_quiz, graded_survey or survey.")] = "assignment",
    time_limit: Annotated[int | None, Field(description="Minutes.", ge=1, le=100_000)] = None,
    published: YesNo = None,
    description: Body = None,
    due_at: Time = None,
) -> TextPage:
    """Create a new quiz in a course."""
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


@tool(mcp, writes=True, destructive=True, idempotent=False)
def canvas_delete_quiz(course_id: CourseId, quiz_id: QuizId) -> Text:
    """Delete a quiz."""
    require_values(course_id=course_id, quiz_id=quiz_id)
    with open_for_changing() as campus:
        quizzes.delete_quiz(campus, course_id, quiz_id)
    return Text(f"Successfully deleted quiz {quiz_id} from course {course_id}")


@tool(mcp, writes=True, idempotent=False)
def canvas_start_quiz_attempt(course_id: CourseId, quiz_id: QuizId) -> TextPage:
    """Start a new quiz attempt."""
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


@tool(mcp, writes=True, idempotent=False)
def canvas_submit_quiz_answers(
    course_id: CourseId,
    quiz_id: QuizId,
    submission_id: Annotated[int, Field(description="ID of the quiz submission, from the start of the attempt.")],
    answers: Annotated[
        list[dict[str, Any]], Field(description="Per question: question_id (or id) and answer.", max_length=500)
    ],
    validation_token: Annotated[str | None, Field(description="Token of the attempt.", max_length=200)] = None,
) -> TextPage:
    """Submit answers for a quiz attempt."""
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


@tool(mcp)
def canvas_list_quiz_questions(
    course_id: CourseId,
    quiz_id: QuizId,
    quiz_submission_id: Annotated[int | None, Field(description="ID of an attempt.")] = None,
    quiz_submission_attempt: Annotated[int | None, Field(description="Number of the attempt.")] = None,
    use_submission_endpoint: YesNo = None,
    offset: Offset = 0,
) -> TextPage:
    """List all questions in a quiz."""
    require_values(course_id=course_id, quiz_id=quiz_id)
    with open_for_reading() as campus:
        quiz_questions = quizzes.questions_of(campus, course_id, quiz_id)
        listed = [objects.build_question(campus, question, course_id) for question in quiz_questions]
        of_attempt = quiz_submission_id or quiz_submission_attempt or use_submission_endpoint
        return format_answer({"quiz_submission_questions": listed} if of_attempt else listed, offset)


@tool(mcp)
def canvas_get_quiz_question(course_id: CourseId, quiz_id: QuizId, question_id: QuestionId) -> TextPage:
    """Get details of a specific quiz question."""
    require_values(course_id=course_id, quiz_id=quiz_id, question_id=question_id)
    with open_for_reading() as campus:
        question = quizzes.question_of(campus, course_id, quiz_id, question_id)
        return format_answer(objects.build_question(campus, question, course_id))


@tool(mcp, writes=True, idempotent=False)
def canvas_create_quiz_question(
    course_id: CourseId,
    quiz_id: QuizId,
    question_name: Annotated[str, Field(description="Name of the question.", max_length=500)],
    question_text: Annotated[str, Field(description="Text of the question.", max_length=200_000)],
    question_type: Annotated[str, Field(description="Such as multiple_choice_question.", max_length=60)],
    points_possible: Annotated[float, Field(description="Points that it is worth.", ge=0, le=1_000_000)],
    position: Annotated[int | None, Field(description="Place in the quiz.", ge=1, le=500)] = None,
    correct_comments: Body = None,
    incorrect_comments: Body = None,
    neutral_comments: Body = None,
    answers: Answers = None,
) -> TextPage:
    """Add a new question to a quiz."""
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


@tool(mcp, writes=True, destructive=True)
def canvas_update_quiz_question(
    course_id: CourseId,
    quiz_id: QuizId,
    question_id: QuestionId,
    question_name: NewName = None,
    question_text: Body = None,
    points_possible: Points = None,
    correct_comments: Body = None,
    incorrect_comments: Body = None,
    answers: Answers = None,
) -> TextPage:
    """Update an existing quiz question."""
    require_values(course_id=course_id, quiz_id=quiz_id, question_id=question_id)
    comments = {"correct": correct_comments, "incorrect": incorrect_comments}
    with open_for_changing() as campus:
        old = quizzes.question_of(campus, course_id, quiz_id, question_id)
        saved_question = quizzes.save_question(
            campus, course_id, quiz_id, question_id, name=question_name, text=question_text, points=points_possible,
            answers=answers, comments=old.comments | drop_missing(**comments),
        )  # fmt: skip
        return format_answer(objects.build_question(campus, saved_question, course_id))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def canvas_delete_quiz_question(course_id: CourseId, quiz_id: QuizId, question_id: QuestionId) -> Text:
    """Delete a question from a quiz."""
    require_values(course_id=course_id, quiz_id=quiz_id, question_id=question_id)
    with open_for_changing() as campus:
        quizzes.delete_question(campus, course_id, quiz_id, question_id)
    return Text("Quiz question deleted successfully")


def _get_question_id(answer: dict[str, Any]) -> int:
    number = answer.get("question_id", answer.get("id"))
    if not isinstance(number, int | str) or not str(number).isdigit():
        raise Problem(f"an answer has question_id and answer, not {answer!r}")
    return int(number)
