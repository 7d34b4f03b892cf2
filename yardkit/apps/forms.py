"""The records of the app `forms`: questionnaires, their questions, and the responses."""

from dataclasses import dataclass
from typing import Literal

APP = "forms"
HOST = "forms.example"
"""Where the browser shows the page of a form."""
Kind = Literal["text", "choice", "choices", "number", "date"]
"""Of a question: free text, one of its choices, any of its choices, a number, a date (ISO 8601)."""
Value = str | int | float | list[str]
"""Of an answer: a list for ``choices``, a number for ``number``, else a text."""


@dataclass(frozen=True)
class Form:
    """A questionnaire. created, closed: ISO 8601; closed: when it was closed, null while it is open."""

    id: int
    title: str
    description: str
    created: str
    closed: str | None = None


@dataclass(frozen=True)
class Question:
    """A question of a form. position: from 1, without gaps; choices: of ``choice`` and ``choices``, else empty."""

    id: int
    form_id: int
    position: int
    text: str
    kind: Kind
    choices: list[str]
    required: bool


@dataclass(frozen=True)
class Response:
    """One person's answers. submitted: ISO 8601; respondent: an address, or empty; answers: by id of question."""

    id: int
    form_id: int
    submitted: str
    respondent: str
    answers: dict[int, Value]


def page_address(form_id: int) -> str:
    """Return the address at which people fill in a form."""
    return f"https://{HOST}/f/{form_id}"


RECORDS = (Form, Question, Response)
