"""People's answers: parsed according to the questions of the form, and stored as a response."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal

from yardkit.apps.forms import APP, RECORDS, Form, Kind, Question, Response, Value
from yardkit.apps.store import open_store
from yardkit.world import Problem, World

MAX_ANSWER = 20_000
"""Characters of an answer."""
# The longest address that fits into a path of SMTP (RFC 5321, 4.5.3.1.3).
_MAX_ADDRESS = 254
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ADDRESS = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;]+")


class Unfit(Problem):
    """Answers that the form does not take.

    Attributes:
        wrong: the reasons, by the number of the question.
        respondent: the fault of the respondent's address; empty if there is none.
    """

    def __init__(self, wrong: Mapping[int, str], respondent: str = "") -> None:
        parts = [f"question {number}: {message}" for number, message in wrong.items()]
        super().__init__("; ".join([*parts, *([respondent] if respondent else [])]))
        self.wrong, self.respondent = wrong, respondent


def add_response(world: World, form_id: int, given: Mapping[int, Sequence[str]], respondent: str = "") -> Response:
    """Store a person's answers to a form.

    Args:
        world: the world of the form.
        form_id: the number of the form.
        given: the typed or chosen texts by the number of the question; blank ones do not count as answers.
        respondent: the respondent's e-mail address, or empty.

    Raises:
        Unfit: an answer is missing or invalid.
        Problem: the form does not exist or is closed.
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
    """Parse an answer according to its question.

    Raises:
        ValueError: it is invalid; the message is for the respondent.
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
    if Decimal(text) != Decimal(repr(number)):
        raise ValueError("Write a number of at most 15 digits.")
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
