"""Quizzes: their questions, attempts at them, and what they are worth."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from yardkit.apps.courses import Assignment, Attempt, ModuleItem, Question, Quiz, Submission
from yardkit.apps.store import Record, drop_missing
from yardkit.servers.courses.engine import work
from yardkit.servers.courses.engine.school_view import Campus, in_utc, require_storable_text
from yardkit.world import Problem

MAX_QUESTIONS = 500
_BY_HAND = ("essay",)
_GRADED = ("assignment", "graded_survey")
_NAMES_OF_ANSWERS = {
    "text": ("text", "answer_text", "exact", "answer_exact"),
    "margin": ("margin", "answer_error_margin"),
    "from": ("from", "start", "answer_range_start"),
    "to": ("to", "end", "answer_range_end"),
    "comments": ("comments", "answer_comments"),
}
"""Our name of a part of an answer, and those of Canvas."""
_OTHER_PARTS = ("id", "weight", "answer_weight", "correct", "html", "answer_html", "numerical_answer_type")


def find_quizzes(campus: Campus, course_id: int) -> list[Quiz]:
    """The quizzes of a course that the person sees, by their deadlines."""
    campus.get_course(course_id)
    quizzes = [quiz for quiz in campus.all(Quiz, course_id=course_id) if campus.is_visible(quiz, course_id)]
    return sorted(quizzes, key=lambda quiz: (quiz.due or "9", quiz.id))


def save_quiz(
    campus: Campus, course_id: int, quiz_id: int | None = None, *, clear: Sequence[str] = (), **values: Any
) -> Quiz:
    """A new quiz, with an assignment if it counts; or what is given changed of one, with the fields of `clear` emptied.

    Raises:
        Problem: there is none, the person may not, or a new one has no title.
    """
    campus.require_teacher(course_id)
    require_storable_text("the description", values.get("description") or "")
    if quiz_id is not None:
        changes = dict.fromkeys(clear) | drop_missing(**values)
        quiz = campus.store.change(campus.get_course_record(Quiz, quiz_id, course_id), **changes)
    elif not (values.get("title") or "").strip():
        raise Problem("a new quiz needs a title")
    else:
        quiz = campus.store.put(Quiz(campus.next_id(Quiz), course_id, created=campus.now, **drop_missing(**values)))
    return _with_assignment(campus, quiz)


def delete_quiz(campus: Campus, course_id: int, quiz_id: int) -> Quiz:
    """Delete a quiz with its questions, attempts and assignment.

    Raises:
        Problem: there is none, or the person may not.
    """
    campus.require_teacher(course_id)
    quiz = campus.get_course_record(Quiz, quiz_id, course_id)
    rows: list[Record] = [*campus.all(Question, quiz_id=quiz_id), *campus.all(Attempt, quiz_id=quiz_id)]
    for row in (*rows, *campus.all(ModuleItem, kind="quiz", content_id=quiz_id)):
        campus.store.remove(row)
    if quiz.assignment_id and campus.find_first(Assignment, id=quiz.assignment_id):
        work.delete_assignment(campus, course_id, quiz.assignment_id)
    campus.store.remove(quiz)
    return quiz


def questions_of(campus: Campus, course_id: int, quiz_id: int) -> list[Question]:
    """The questions of a quiz in their order.

    Raises:
        Problem: there is no such quiz, or a student has not begun it.
    """
    quiz = campus.get_course_record(Quiz, quiz_id, course_id)
    if not campus.is_teacher(course_id) and not work.attempts_of(campus, quiz.id, campus.me.id):
        raise Problem(f"{campus.me.name} has not started the quiz {quiz.title!r}; start it to see its questions")
    return campus.all(Question, "position", quiz_id=quiz_id)


def question_of(campus: Campus, course_id: int, quiz_id: int, question_id: int) -> Question:
    """A question of a quiz.

    Raises:
        Problem: there is none of this number.
    """
    questions = questions_of(campus, course_id, quiz_id)
    for question in questions:
        if question.id == question_id:
            return question
    named = ", ".join(f"{question.id} ({question.name})" for question in questions) or "none"
    raise Problem(f"there is no question {question_id} in quiz {quiz_id}; there are: {named}")


def save_question(
    campus: Campus, course_id: int, quiz_id: int, question_id: int | None = None, **values: Any
) -> Question:
    """A new question, or what is given changed of one.

    Raises:
        Problem: there is none, the person may not, or its answers are none.
    """
    campus.require_teacher(course_id)
    quiz = campus.get_course_record(Quiz, quiz_id, course_id)
    there = campus.all(Question, "position", quiz_id=quiz_id)
    if values.get("answers") is not None:
        values["answers"] = _number_answers(values["answers"])
    if question_id is not None:
        question = replace(question_of(campus, course_id, quiz_id, question_id), **drop_missing(**values))
    elif len(there) >= MAX_QUESTIONS:
        raise Problem(f"the quiz has {len(there)} questions; the limit is {MAX_QUESTIONS}")
    else:
        values["position"] = values.get("position") or len(there) + 1
        question = Question(campus.next_id(Question), quiz_id, **drop_missing(**values))
    _require_answers(question)
    saved = campus.store.put(question)
    _with_assignment(campus, quiz)
    return saved


def delete_question(campus: Campus, course_id: int, quiz_id: int, question_id: int) -> Question:
    """Delete a question; those below it move up.

    Raises:
        Problem: there is none, or the person may not.
    """
    campus.require_teacher(course_id)
    question = question_of(campus, course_id, quiz_id, question_id)
    campus.store.remove(question)
    for place, deleted_question in enumerate(campus.all(Question, "position", quiz_id=quiz_id), 1):
        if deleted_question.position != place:
            campus.store.change(deleted_question, position=place)
    _with_assignment(campus, campus.get_course_record(Quiz, quiz_id, course_id))
    return question


def start_attempt(campus: Campus, course_id: int, quiz_id: int) -> Attempt:
    """Begin an attempt at a quiz, as the person who acts; one that is not over goes on.

    Raises:
        Problem: the person is not a student, the quiz is over, or no attempt is left.
    """
    quiz = campus.get_course_record(Quiz, quiz_id, course_id)
    if campus.role(course_id) != "student":
        raise Problem(f"{campus.me.name} is not a student of course {course_id} and cannot take quizzes")
    done = work.attempts_of(campus, quiz_id, campus.me.id)
    if done and done[-1].finished is None and not _is_over(quiz, done[-1], campus.now):
        return done[-1]
    if quiz.due and quiz.due < campus.now:
        raise Problem(f"the quiz {quiz.title!r} was due {quiz.due} and takes no more attempts")
    if quiz.attempts is not None and len(done) >= quiz.attempts:
        raise Problem(f"{campus.me.name} has used all {quiz.attempts} attempts at the quiz {quiz.title!r}")
    number = campus.next_id(Attempt)
    token = hashlib.sha256(f"courses/attempt/{number}/{campus.me.id}".encode()).hexdigest()
    at = campus.make_stamp(Attempt, "started")
    return campus.store.put(Attempt(number, quiz_id, campus.me.id, len(done) + 1, token, at))


def finish_attempt(
    campus: Campus, course_id: int, quiz_id: int, attempt_id: int, answers: Mapping[int, Any], token: str = ""
) -> Attempt:
    """Hand in the answers of an attempt, by number of the question; it is graded at once but for essays.

    Raises:
        Problem: there is no such attempt of the person's, it is over, its token is another, or a question is unknown.
    """
    quiz = campus.get_course_record(Quiz, quiz_id, course_id)
    mine = {attempt.id: attempt for attempt in work.attempts_of(campus, quiz_id, campus.me.id)}
    if attempt_id not in mine:
        raise Problem(
            f"there is no attempt {attempt_id} of {campus.me.name}; there are: {', '.join(map(str, mine)) or 'none'}"
        )
    attempt = mine[attempt_id]
    if attempt.finished:
        raise Problem(f"attempt {attempt_id} was submitted at {attempt.finished}; start another one")
    if token and token != attempt.token:
        raise Problem(f"the token does not belong to attempt {attempt_id}; use the one returned at its start")
    questions = {question.id: question for question in campus.all(Question, "position", quiz_id=quiz_id)}
    if strange := [str(number) for number in answers if number not in questions]:
        raise Problem(f"the quiz has no question {', '.join(strange)}; it has {', '.join(map(str, questions))}")
    is_survey = quiz.kind == "graded_survey"  # which is worth its points to all who take it
    score = points_of(campus, quiz_id) if is_survey else grade_answers(list(questions.values()), answers)
    done = campus.store.change(
        attempt,
        finished=campus.make_stamp(Attempt, "started"),
        answers={str(k): v for k, v in answers.items()},
        score=score,
    )
    if quiz.assignment_id and quiz.kind in _GRADED:
        _hand_in(campus, quiz, done)
    return done


def grade_answers(questions: Sequence[Question], answers: Mapping[int, Any]) -> float | None:
    """The points of answers; null where somebody has to read one of them."""
    if any(question.kind in _BY_HAND and answers.get(question.id) for question in questions):
        return None
    return sum(_compute_worth(question, answers.get(question.id)) for question in questions)


def points_of(campus: Campus, quiz_id: int) -> float:
    """All points of a quiz; a text without a question is worth none."""
    return sum(question.points for question in campus.all(Question, quiz_id=quiz_id) if question.kind != "text_only")


def ends_at(quiz: Quiz, attempt: Attempt) -> str | None:
    """When an attempt is over."""
    if quiz.minutes is None:
        return None
    return in_utc(datetime.fromisoformat(attempt.started) + timedelta(minutes=quiz.minutes))


def _is_over(quiz: Quiz, attempt: Attempt, now: str) -> bool:
    ends = ends_at(quiz, attempt)
    return ends is not None and ends < now


def _compute_worth(question: Question, answer: Any) -> float:
    right = [answer_option for answer_option in question.answers if answer_option.get("weight", 0) > 0]
    if answer in (None, "") or not right:
        return 0.0
    if question.kind == "numerical":
        return question.points if any(_fits_number(answer, answer_option) for answer_option in right) else 0.0
    if question.kind == "short_answer":
        return (
            question.points
            if _normalize_text(answer) in {_normalize_text(answer_option["text"]) for answer_option in right}
            else 0.0
        )
    chosen = {
        _find_chosen_number(question, chosen_answer)
        for chosen_answer in (answer if isinstance(answer, list) else [answer])
    }
    right_numbers = {answer_option["id"] for answer_option in right}
    if question.kind == "multiple_answers":  # as Canvas: each wrong answer takes back what a right one gives
        hits = len(chosen & right_numbers) - len(chosen - right_numbers)
        return round(question.points * max(hits, 0) / len(right_numbers), 2)
    return question.points if len(chosen) == 1 and chosen <= right_numbers else 0.0


def _find_chosen_number(question: Question, answer: Any) -> int | None:
    """The number of the answer that is meant: by its number, or as a text by its text, then by its number."""
    texts = {_normalize_text(answer_option["text"]): int(answer_option["id"]) for answer_option in question.answers}
    if isinstance(answer, str) and _normalize_text(answer) in texts:
        return texts[_normalize_text(answer)]
    return int(answer) if str(answer).isdigit() else None


def _normalize_text(text: object) -> str:
    return " ".join(str(text).split()).casefold()


def _fits_number(answer: Any, answer_option: Mapping[str, Any]) -> bool:
    """Whether a number is the right one, within its margin, or in its range."""
    try:
        number = float(answer)
        if "from" in answer_option:
            return float(answer_option["from"]) <= number <= float(answer_option["to"])
        right = float(answer_option["text"])
        return abs(number - right) <= float(answer_option.get("margin", 0.0)) + 1e-9 * max(1.0, abs(right))
    except (TypeError, ValueError):
        return False


def _number_answers(answers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Answers with numbers of their own, whatever words say what they are and whether they are right."""
    numbered_answers = []
    for number, answer_option in enumerate(answers, 1):
        parts = _read_parts(number, answer_option)
        weight = answer_option.get(
            "weight", answer_option.get("answer_weight", 100 if answer_option.get("correct") else 0)
        )
        answer_id = int(answer_option.get("id") or number)
        numbered_answers.append({"id": answer_id, "text": parts["text"], "weight": float(weight)} | parts)
    return numbered_answers


def _read_parts(number: int, answer_option: Mapping[str, Any]) -> dict[str, Any]:
    """The text of an answer, and its margin or range if it is a number.

    Raises:
        Problem: it is empty, or has a part of which nothing could be made.
    """
    known = {name: part for part, names in _NAMES_OF_ANSWERS.items() for name in names}
    strange = [name for name in answer_option if name not in known and name not in _OTHER_PARTS]
    if strange:
        raise Problem(
            f"answer {number} has no part {strange[0]!r}; it has text, weight and comments; a number margin, or "
            "from and to"
        )
    parts = {known[name]: value for name, value in answer_option.items() if name in known and value not in (None, "")}
    try:
        parts |= {name: float(parts[name]) for name in ("margin", "from", "to") if name in parts}
    except (TypeError, ValueError) as error:
        raise Problem(f"answer {number} has a margin or range that is not a number") from error
    if ("from" in parts) != ("to" in parts):
        raise Problem(f"answer {number} has one end of a range; give both from and to")
    if "from" in parts:
        parts.setdefault("text", f"{parts['from']:g} to {parts['to']:g}")
    if "text" not in parts:
        raise Problem(f"answer {number} is empty; give text, and weight 100 if it is correct")
    return parts | {name: str(parts[name]) for name in ("text", "comments") if name in parts}


def _require_answers(question: Question) -> None:
    right = [answer_option for answer_option in question.answers if answer_option["weight"] > 0]
    choice = question.kind in ("multiple_choice", "true_false", "multiple_answers")
    if choice and (len(question.answers) < 2 or not right):
        raise Problem(f"the question {question.name!r} needs two answers, one of them correct (weight 100)")
    if not re.sub(r"<[^>]*>|\s", "", question.text):
        raise Problem(f"the question {question.name!r} has no text; give one")
    require_storable_text("the question", question.text)


def _with_assignment(campus: Campus, quiz: Quiz) -> Quiz:
    """Keep the assignment of a quiz that counts in step with it; that of one that no longer counts is hidden."""
    if quiz.kind not in _GRADED:
        if quiz.assignment_id:
            work.save_assignment(campus, quiz.course_id, quiz.assignment_id, published=False)
        return quiz
    assignment_values: dict[str, Any] = {
        "name": quiz.title,
        "due": quiz.due,
        "points": points_of(campus, quiz.id),
        "published": quiz.published,
    }
    if quiz.assignment_id:
        clear = () if quiz.due else ("due",)
        work.save_assignment(campus, quiz.course_id, quiz.assignment_id, clear=clear, **assignment_values)
        return quiz
    saved_assignment = work.save_assignment(
        campus, quiz.course_id, kinds=["quiz"], quiz_id=quiz.id, **assignment_values
    )
    return campus.store.change(quiz, assignment_id=saved_assignment.id)


def _hand_in(campus: Campus, quiz: Quiz, attempt: Attempt) -> None:
    """The grade of a quiz is that of the best attempt, or what a teacher gave if that is more."""
    assignment_id = quiz.assignment_id or 0
    known = campus.find_first(Submission, assignment_id=assignment_id, user_id=campus.me.id)
    old = known or Submission(0, assignment_id, campus.me.id)
    scores = [done.score for done in work.attempts_of(campus, quiz.id, campus.me.id) if done.score is not None]
    best = max(scores, default=None)
    submitted = work.make_later(attempt.finished or campus.now, old.graded)
    handed_in = replace(
        old, id=old.id or campus.next_id(Submission), attempt=attempt.number, kind="quiz", submitted=submitted
    )
    if best is not None and (old.score is None or best >= old.score):
        handed_in = replace(handed_in, score=best, grade=f"{best:g}", grader_id=None)
    if attempt.score is not None:
        handed_in = replace(handed_in, graded=submitted)
    campus.store.put(handed_in)
