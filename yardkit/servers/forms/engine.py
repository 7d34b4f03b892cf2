"""Work on questionnaires and their responses, as the app `forms` of a world keeps them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from yardkit.apps.forms import APP, RECORDS, Form, Kind, Question, Response, page_address
from yardkit.apps.store import Page, Store, drop_missing, open_store
from yardkit.kit.times import to_moment
from yardkit.world import Problem, World

MAX_QUESTIONS = 200
"""Questions of one form."""
MAX_CHOICES = 100
"""Choices of one question."""
MAX_LINE = 2_000
"""Characters of a title, a question or a choice."""
MAX_PAGE_CHARACTERS = 40_000
"""About so much comes on one page; what is more comes with the next."""

Item = TypeVar("Item")
State = Literal["any", "open", "closed"]


@dataclass(frozen=True)
class NewQuestion:
    """A question to be asked. kind: by default ``choice`` where there are choices, else ``text``."""

    text: str
    kind: Kind | None = None
    choices: list[str] = field(default_factory=list)
    required: bool = False


@dataclass(frozen=True)
class FormLine:
    """A questionnaire in a list. created, closed: ISO 8601; closed: null while it takes responses."""

    id: int
    title: str
    description: str
    created: str
    closed: str | None
    questions: int
    responses: int


@dataclass(frozen=True)
class Forms:
    """A page of questionnaires. total: all that match; next_offset: where the list goes on, null at its end."""

    forms: list[FormLine]
    total: int
    next_offset: int | None


@dataclass(frozen=True)
class FormView:
    """A questionnaire with its questions in their order, and how many people answered, since when and until when.

    Attributes:
        url: where people fill it in.
        total_questions: of the whole form.
        next_offset: where the questions go on, null at their end.
    """

    id: int
    title: str
    description: str
    created: str
    closed: str | None
    url: str
    questions: list[Question]
    total_questions: int
    next_offset: int | None
    responses: int
    first_response: str | None
    last_response: str | None


@dataclass(frozen=True)
class Deleted:
    """What was deleted. answers_lost: how many responses had an answer to the question."""

    question: Question
    answers_lost: int


@dataclass(frozen=True)
class Asked:
    """A question that answers belong to."""

    id: int
    text: str
    kind: Kind


@dataclass(frozen=True)
class Responses:
    """A page of responses, and the questions that the numbers in their answers stand for.

    Attributes:
        responses: answers by number of the question; what was not answered is left out.
        total: all that match; next_offset: where the list goes on, null at its end.
    """

    questions: list[Asked]
    responses: list[Response]
    total: int
    next_offset: int | None


def find_forms(world: World, text: str = "", state: State = "any", offset: int = 0, limit: int = 50) -> Forms:
    """Questionnaires in whose title or description each word of `text` stands, newest first."""
    where = {"any": "1", "open": "closed IS NULL", "closed": "closed IS NOT NULL"}[state]
    with open_store(APP, *RECORDS, world=world) as store:
        page = store.search(
            Form, text, "title", "description", where=where, order="created DESC", offset=offset, limit=limit
        )
        counts = [store.counts(kind, "form_id") for kind in (Question, Response)]
        lines = [_build_line(form, *(count[form.id] for count in counts)) for form in page.items]
    return Forms(*_take_fitting(Page(lines, page.total, page.next_offset), offset))


def create_form(world: World, title: str, description: str, questions: list[NewQuestion]) -> FormView:
    """A new questionnaire with these questions.

    Raises:
        Problem: a question is not valid.
    """
    _require_number(len(questions))
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        form = store.put(
            Form(store.next_id(Form), _line_of("title", title), description, store.make_stamp(Form, "created"))
        )
        for position, question in enumerate(questions, start=1):
            _put_question(store, form.id, question, position)
        return _build_view(store, form, 0)


def read_form(world: World, form_id: int, offset: int = 0) -> FormView:
    """A questionnaire; `offset` questions are skipped.

    Raises:
        Problem: there is none of this number.
    """
    with open_store(APP, *RECORDS, world=world) as store:
        return _build_view(store, store.get(Form, form_id), offset)


def add_question(world: World, form_id: int, question: NewQuestion, position: int | None = None) -> Question:
    """Put a question at the end, or at `position` (from 1); those from there on move down.

    Raises:
        Problem: there is no such form, it is full, or the question is not valid.
    """
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.get(Form, form_id)
        there = len(_list_questions(store, form_id))
        _require_number(there + 1)
        added = _put_question(store, form_id, question, there + 1)
        return _move_question(store, added, position) if position else added


def change_question(
    world: World,
    question_id: int,
    text: str | None = None,
    kind: Kind | None = None,
    choices: list[str] | None = None,
    required: bool | None = None,
    position: int | None = None,
) -> Question:
    """Change what is given; the rest stays, and so do the answers that were given.

    Raises:
        Problem: nothing is given, there is no such question, or it has answers that would not fit its new kind.
    """
    if all(value is None for value in (text, kind, choices, required, position)):
        raise Problem("there is nothing to change; give text, kind, choices, required or position")
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        old = store.get(Question, question_id)
        if kind not in (None, "choice", "choices") and choices is None:
            choices = []  # a question that is no choice any more has none
        new = _clean_question(replace(old, **drop_missing(text=text, kind=kind, choices=choices, required=required)))
        _require_fitting_answers(store, old, new.kind)
        return _move_question(store, store.put(new), position or old.position)


def delete_question(world: World, question_id: int, *, discard_answers: bool = False) -> Deleted:
    """Take a question out of its form, and its answers out of the responses; those below it move up.

    Raises:
        Problem: there is none of this number, or it has answers and they are not to be lost.
    """
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        question = store.get(Question, question_id)
        answered = _list_answering(store, question)
        if answered and not discard_answers:
            raise Problem(
                f"question {question.id} has {len(answered)} answers, which would be lost; set "
                "discard_answers to delete them too, or close the form instead"
            )
        for response in answered:
            store.change(response, answers={key: v for key, v in response.answers.items() if key != question.id})
        store.remove(question)
        _number_questions(store, _list_questions(store, question.form_id))
        return Deleted(question, len(answered))


def close_form(world: World, form_id: int, *, reopen: bool = False) -> FormLine:
    """Take no more responses from now on, or take them again. A form that is closed stays closed since it was.

    Raises:
        Problem: there is none of this number.
    """
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        form = store.get(Form, form_id)
        closed = None if reopen else form.closed or store.now.isoformat()
        counts = (store.count(kind, "form_id = ?", [form_id]) for kind in (Question, Response))
        return _build_line(store.change(form, closed=closed), *counts)


def find_responses(
    world: World,
    form_id: int | None = None,
    since: str = "",
    until: str = "",
    *,
    newest_first: bool = False,
    offset: int = 0,
    limit: int = 50,
) -> Responses:
    """Responses that were submitted at or after `since` and at or before `until`, by default of all forms.

    Both are dates, of which the whole day counts, or times, in ISO 8601, in the world's zone where they name none.

    Raises:
        Problem: there is no such form, a time cannot be read, or the first is after the last.
    """
    first, end = since and to_moment(world.now, since), until and to_moment(world.now, until, end=True)
    if first and end and first >= end:
        raise Problem(f"since {since!r} is after until {until!r}; give the earlier time as since")
    bounds = [("form_id = ?", form_id), ("submitted >= ?", first), ("submitted < ?", end)]
    where = " AND ".join(["1", *(condition for condition, value in bounds if value)])
    values = [value for _, value in bounds if value]
    with open_store(APP, *RECORDS, world=world) as store:
        if form_id is not None:
            store.get(Form, form_id)
        order = f"submitted {'DESC' if newest_first else 'ASC'}"
        page = store.read_page(Response, where, values, order=order, offset=offset, limit=limit)
        responses, total, next_offset = _take_fitting(page, offset)
        forms = sorted({response.form_id for response in responses} | ({form_id} if form_id else set()))
        asked = [
            Asked(question.id, question.text, question.kind)
            for form in forms
            for question in _list_questions(store, form)
        ]
    return Responses(asked, responses, total, next_offset)


def _build_line(form: Form, questions: int, responses: int) -> FormLine:
    return FormLine(form.id, form.title, form.description, form.created, form.closed, questions, responses)


def _build_view(store: Store, form: Form, offset: int) -> FormView:
    questions = store.read_page(
        Question, "form_id = ?", [form.id], order="position", offset=offset, limit=MAX_QUESTIONS
    )
    page_questions, total, end = _take_fitting(questions, offset)
    first, last = (
        store.read_page(Response, "form_id = ?", [form.id], order=order, limit=1)
        for order in ("submitted", "submitted DESC")
    )
    between = [page.items[0].submitted if page.items else None for page in (first, last)]
    head = (form.id, form.title, form.description, form.created, form.closed, page_address(form.id))
    return FormView(*head, page_questions, total, end, first.total, *between)


def _take_fitting(page: Page[Item], offset: int) -> tuple[list[Item], int, int | None]:
    """As many items of a page as fit a result, but one at least; the total; where the list goes on."""
    size = 0
    for fitting_count, item in enumerate(page.items):
        size += len(str(item))
        if fitting_count and size > MAX_PAGE_CHARACTERS:
            return page.items[:fitting_count], page.total, offset + fitting_count
    return page.items, page.total, page.next_offset


def _list_questions(store: Store, form_id: int) -> list[Question]:
    return store.find(Question, "form_id = ?", [form_id], order="position")


def _put_question(store: Store, form_id: int, new: NewQuestion, position: int) -> Question:
    kind: Kind = new.kind or ("choice" if new.choices else "text")
    question = Question(store.next_id(Question), form_id, position, new.text, kind, new.choices, new.required)
    return store.put(_clean_question(question))


def _move_question(store: Store, question: Question, position: int) -> Question:
    others = [
        other_question
        for other_question in _list_questions(store, question.form_id)
        if other_question.id != question.id
    ]
    if position > len(others) + 1:
        raise Problem(f"position {position} is beyond the end: the form has {len(others) + 1} questions")
    return _number_questions(store, [*others[: position - 1], question, *others[position - 1 :]])[position - 1]


def _number_questions(store: Store, questions: Iterable[Question]) -> list[Question]:
    """Questions in a new order; only those that have another position are saved."""
    return [
        question if question.position == place else store.change(question, position=place)
        for place, question in enumerate(questions, start=1)
    ]


def _list_answering(store: Store, question: Question) -> list[Response]:
    responses = store.find(Response, "form_id = ?", [question.form_id])
    return [response for response in responses if question.id in response.answers]


def _require_number(questions: int) -> None:
    if questions > MAX_QUESTIONS:
        raise Problem(f"{questions} questions are too many for one form; the limit is {MAX_QUESTIONS}")


def _clean_question(question: Question) -> Question:
    """A question without blanks around its text and choices.

    Raises:
        Problem: it says nothing, or its choices are none.
    """
    text = _line_of("a question", question.text)
    choices = [_line_of("a choice", choice) for choice in question.choices]
    of_choices = question.kind in ("choice", "choices")
    if of_choices and (len(choices) < 2 or len(set(choices)) < len(choices)):
        raise Problem(f"{text!r} has the choices {choices!r}; give at least two different ones, or another kind")
    if choices and not of_choices:
        raise Problem(f"{text!r} is of kind {question.kind!r}, which has no choices; omit them, or use kind 'choice'")
    if len(choices) > MAX_CHOICES:
        raise Problem(f"{text!r} has {len(choices)} choices; the limit is {MAX_CHOICES}")
    return replace(question, text=text, choices=choices)


def _line_of(what: str, text: str) -> str:
    stripped = text.strip()
    if not 0 < len(stripped) <= MAX_LINE:
        raise Problem(f"{what} must have 1 to {MAX_LINE:,} characters, not {len(stripped):,}: {stripped[:60]!r}")
    return stripped


def _require_fitting_answers(store: Store, old: Question, kind: Kind) -> None:
    """Any text that was chosen or a date is also free text; other kinds have answers of other types."""
    if kind == old.kind or (kind == "text" and old.kind in ("choice", "date")):
        return
    answered = _list_answering(store, old)
    if answered:
        raise Problem(
            f"question {old.id} has {len(answered)} answers of kind {old.kind!r}, which are not valid for "
            f"kind {kind!r}; add another question instead"
        )
