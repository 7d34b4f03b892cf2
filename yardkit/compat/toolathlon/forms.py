"""Questionnaires in the dialect of Toolathlon's google_forms: five tools, with the objects of Google's Forms API."""

from typing import Any

from yardkit.apps.forms import APP, RECORDS, Form, Question, Response, Value, page_address
from yardkit.apps.store import hex_id, open_store
from yardkit.kit.dialect import Answer
from yardkit.servers.forms import engine
from yardkit.world import Problem, World, current_world

_SHORT = 8
"""Digits of the ids of items and questions."""


def create_form(title: str, description: str = "") -> Answer:
    form = engine.create_form(current_world(), title, description, [])
    identity = hex_id(APP, Form, form.id)
    address = page_address(form.id)
    return Answer({"formId": identity, "title": title, "description": description, "responderUri": address})


def add_text_question(formId: str, questionTitle: str, required: bool = False) -> Answer:
    _add(formId, engine.NewQuestion(questionTitle, "text", required=required))
    return Answer(
        {
            "success": True,
            "message": "Text question added successfully",
            "questionTitle": questionTitle,
            "required": required,
        }
    )


def add_multiple_choice_question(formId: str, questionTitle: str, options: list[str], required: bool = False) -> Answer:
    _add(formId, engine.NewQuestion(questionTitle, "choice", options, required))
    return Answer(
        {
            "success": True,
            "message": "Multiple choice question added successfully",
            "questionTitle": questionTitle,
            "options": options,
            "required": required,
        }
    )


def get_form(formId: str, offset: int = 0) -> Answer:
    world = current_world()
    form = engine.read_form(world, _find_number(world, formId), offset)
    info = {"title": form.title, "description": form.description, "documentTitle": form.title}
    items = [_build_item(question) for question in form.questions]
    return Answer(
        {
            "formId": formId,
            "info": info,
            "responderUri": form.url,
            "items": items,
            **_format_next_offset(form.next_offset),
        }
    )


def get_form_responses(formId: str, offset: int = 0) -> Answer:
    world = current_world()
    page = engine.find_responses(world, _find_number(world, formId), offset=offset, limit=200)
    return Answer(
        {
            "responses": [_build_response(formId, response) for response in page.responses],
            **_format_next_offset(page.next_offset),
        }
    )


def _add(form_id: str, question: engine.NewQuestion) -> None:
    world = current_world()
    engine.add_question(world, _find_number(world, form_id), question)


def _find_number(world: World, form_id: str) -> int:
    with open_store(APP, *RECORDS, world=world) as store:
        form_ids = [form.id for form in store.find(Form) if hex_id(APP, Form, form.id) == form_id]
    if not form_ids:
        raise Problem(f"Requested entity was not found: there is no form {form_id!r}")
    return form_ids[0]


def _format_next_offset(next_offset: int | None) -> dict[str, int]:
    return {"nextOffset": next_offset} if next_offset else {}


def _build_item(question: Question) -> dict[str, Any]:
    identity = hex_id(APP, Question, question.id, _SHORT)
    asked: dict[str, Any] = {"questionId": identity, "required": question.required, **_build_question_kind(question)}
    return {"itemId": identity, "title": question.text, "questionItem": {"question": asked}}


def _build_question_kind(question: Question) -> dict[str, Any]:
    if question.choices:
        kind = "RADIO" if question.kind == "choice" else "CHECKBOX"
        return {"choiceQuestion": {"type": kind, "options": [{"value": choice} for choice in question.choices]}}
    return {"dateQuestion": {"includeYear": True}} if question.kind == "date" else {"textQuestion": {}}


def _build_response(form_id: str, response: Response) -> dict[str, Any]:
    given = {hex_id(APP, Question, number, _SHORT): value for number, value in response.answers.items()}
    answers = {
        key: {"questionId": key, "textAnswers": {"answers": _build_texts(value)}} for key, value in given.items()
    }
    facts = {
        "formId": form_id,
        "responseId": hex_id(APP, Response, response.id),
        "createTime": response.submitted,
        "lastSubmittedTime": response.submitted,
    }
    return facts | ({"respondentEmail": response.respondent} if response.respondent else {}) | {"answers": answers}


def _build_texts(value: Value) -> list[dict[str, str]]:
    return [{"value": str(answer_value)} for answer_value in (value if isinstance(value, list) else [value])]
