"""What people answer: it is read as the questions of the form want it, and kept as a response."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from yardkit.apps.forms import APP, RECORDS, Form, Kind, Question, Response, Value
from yardkit.apps.store import open_store
from yardkit.world import Problem, World

MAX_ANSWER = 20_000
"""Characters of an answer."""
_MAX_ADDRESS = 254
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ADDRESS = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;]+")


class Unfit(Problem):
    """Answers that the form does not take.

    Attributes:
        wrong: why not, by the number of the question.
        respondent: what is wrong with who answers; empty where nothing is.
    """

    def __init__(self, wrong: Mapping[int, str], respondent: str = "") -> None:
        parts = [f"question {number}: {message}" for number, message in wrong.items()]
        super().__init__("; ".join([*parts, *([respondent] if respondent else [])]))
        self.wrong, self.respondent = wrong, respondent


def add_response(world: World, form_id: int, given: Mapping[int, Sequence[str]], respondent: str = "") -> Response:
    """Keep what somebody answers to a form now.

    Args:
        world: whose form it is.
        form_id: its number.
        given: texts by the number of the question, as they were typed or chosen; blank ones are no answers.
        respondent: who answers, an e-mail address, or empty.

    Raises:
        Unfit: an answer is missing or none.
        Problem: there is no such form, or it is closed.
    """
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        form = store.get(Form, form_id)
        if form.closed is not None:
            raise Problem(f"form {form_id} is closed since {form.closed} and takes no responses")
        questions = store.find(Question, "form_id = ?", [form_id], order="position")
        answers = _read_answers(questions, given, respondent.strip())
        number, stamp = store.next_id(Response), store.make_stamp(Response, "submitted")
        return store.put(Response(number, form_id, stamp, respondent.strip(), answers))


def is_address(text: str) -> bool:
    """Whether a text can be an e-mail address."""
    return len(text) <= _MAX_ADDRESS and _ADDRESS.fullmatch(text) is not None


def _read_answers(
    questions: Sequence[Question], given: Mapping[int, Sequence[str]], respondent: str
) -> dict[int, Value]:
    answers, wrong = dict[int, Value](), dict[int, str]()
    for question in questions:
        texts = [text.replace("\r\n", "\n").strip() for text in given.get(question.id, ())]
        texts = [text for text in texts if text]
        try:
            if texts:
                answers[question.id] = _read_answer(question, texts)
            elif question.required:
                wrong[question.id] = "This question must be answered."
        except ValueError as error:
            wrong[question.id] = str(error)
    unknown = sorted(set(given) - {question.id for question in questions})
    wrong |= dict.fromkeys(unknown, "The form no longer has this question.")
    known = not respondent or is_address(respondent)
    email_problem = (
        "" if known else "This is not a valid e-mail address; leave it empty or write it like ann@example.org."
    )
    if wrong or email_problem:
        raise Unfit(wrong, email_problem)
    return answers


def _read_answer(question: Question, texts: Sequence[str]) -> Value:
    """An answer as its question has it.

    Raises:
        ValueError: it is none; the words are for who gave it.
    """
    if max(map(len, texts)) > MAX_ANSWER:
        raise ValueError(f"This answer is too long; write at most {MAX_ANSWER:,} characters.")
    if question.kind == "choices":
        if not set(texts) <= set(question.choices):
            raise ValueError("Choose from the answers that are listed.")
        return [choice for choice in question.choices if choice in texts]
    if len(texts) > 1:
        raise ValueError("Give one answer only.")
    if question.kind == "choice" and texts[0] not in question.choices:
        raise ValueError("Choose one of the listed answers.")
    return _READERS[question.kind](texts[0])


def _number_of(text: str) -> int | float:
    if _INTEGER.fullmatch(text):
        return int(text)
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise ValueError("Write a number, such as 12 or 2.5.")
    return number


def _date_of(text: str) -> str:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:  # such as February 30
        pass
    raise ValueError("Write a valid date, such as 2026-03-16.")


def _keep_text(text: str) -> str:
    return text


_READERS: dict[Kind, Callable[[str], Value]] = {
    "text": _keep_text, "choice": _keep_text, "number": _number_of, "date": _date_of,
}  # fmt: skip
