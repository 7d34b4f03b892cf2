"""The pages of the app `forms`: a questionnaire as people see it, and what they send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from yardkit.apps.form_answers import MAX_ANSWER, Unfit, add_response
from yardkit.apps.forms import APP, RECORDS, Form, Question
from yardkit.apps.store import open_store
from yardkit.kit.markup import Child, Html, clean_text, make_tag
from yardkit.servers.browser.engine.app_pages.requests import (
    NoPage,
    Page,
    Request,
    Sent,
    build_error,
    build_hint,
    build_notice,
    number_of,
    split_paragraphs,
)
from yardkit.world import World

_FORM, _SENT = "f", "sent"
_MAX_RADIOS = 12
"""More choices come as a list that folds out."""
_HINTS = {"choices": "Choose all that hold.", "number": "A number.", "date": "A date."}


@dataclass(frozen=True)
class _Filled:
    """What somebody typed, by number of the question, and what is wrong with it."""

    given: Mapping[int, Sequence[str]] = field(default_factory=dict)
    wrong: Mapping[int, str] = field(default_factory=dict)
    respondent: str = ""
    odd_respondent: str = ""

    def list_texts(self, question: Question) -> list[str]:
        return [text[:MAX_ANSWER] for text in self.given.get(question.id, ())]


def show_page(world: World, request: Request) -> Page:
    """The page of a form, or the one that comes after it.

    Raises:
        NoPage: there is none.
    """
    if not request.path:
        text = "Open a form by the address that you were given, such as https://forms.example/f/1."
        return Page("Forms", build_notice("Fill in a form", text))
    form, questions = _form_of(world, request)
    if request.path[2:] == (_SENT,):
        return Page(f"{form.title}: sent", _build_thanks(form))
    if request.path[2:]:
        raise NoPage("This form has one page.")
    return _form_page(form, questions, _Filled())


def take_form(world: World, request: Request) -> Sent:
    """Keep what was answered; else the form comes again with what is wrong.

    Raises:
        NoPage: there is no such form.
    """
    form, questions = _form_of(world, request)
    if request.path[2:]:
        raise NoPage("This form has one page.")
    path = f"/{_FORM}/{form.id}"
    if form.closed is not None:
        return Sent(path, _form_page(form, questions, _Filled()))
    sent = {number_of(name[1:]): texts for name, texts in request.fields.items() if name[:1] == "q"}
    given = {
        **sent,
        **{
            question.id: _list_chosen(question, sent[question.id])
            for question in questions
            if question.choices and question.id in sent
        },
    }
    try:
        add_response(world, form.id, given, request.get_form_text("respondent"))
    except Unfit as error:
        filled = _Filled(given, error.wrong, request.get_form_text("respondent")[:MAX_ANSWER], error.respondent)
        return Sent(path, _form_page(form, questions, filled))
    return Sent(f"{path}/{_SENT}")


def _list_chosen(question: Question, texts: Sequence[str]) -> list[str]:
    """The choices that were sent, without what no page can hold, as the question has them."""
    by_shown = {clean_text(choice): choice for choice in reversed(question.choices)}
    return [by_shown.get(text, text) for text in texts]


def _form_of(world: World, request: Request) -> tuple[Form, list[Question]]:
    if len(request.path) < 2 or request.path[0] != _FORM:
        raise NoPage("The address of a form looks like https://forms.example/f/1.")
    number = number_of(request.path[1])
    with open_store(APP, *RECORDS, world=world) as store:
        forms = store.find(Form, "id = ?", [number])
        if not forms:
            raise NoPage(f"There is no form {number}; check the address that you were given.")
        return forms[0], store.find(Question, "form_id = ?", [number], order="position")


def _build_thanks(form: Form) -> Html:
    again = make_tag("p", make_tag("a", "Send another response", href=f"/{_FORM}/{form.id}"))
    text = make_tag("p", "Your answers have been sent. Thank you.", role="status")
    return make_tag("section", make_tag("h1", form.title), text, again if form.closed is None else None, class_="card")


def _form_page(form: Form, questions: Sequence[Question], filled: _Filled) -> Page:
    head: list[Child] = [make_tag("h1", form.title), split_paragraphs(form.description)]
    if form.closed is not None or not questions:
        why = f"This form takes no more responses; it was closed on {form.closed[:10]}." if form.closed else ""
        text = make_tag("p", why or "This form has no questions yet.", role="status")
        return Page(form.title, make_tag("section", head, text, class_="card"))
    fault_count = len(filled.wrong) + bool(filled.odd_respondent)
    if fault_count:
        fault_text = "1 answer is" if fault_count == 1 else f"{fault_count} answers are"
        head.append(
            make_tag("p", f"Nothing was sent yet: {fault_text} missing or wrong.", role="alert", class_="wrong")
        )
    known = {question.id for question in questions}
    head += [build_error(fault_text) for number, fault_text in filled.wrong.items() if number not in known]
    if any(question.required for question in questions):
        head.append(make_tag("p", "* must be answered", class_="hint"))
    body = [
        make_tag("section", head, class_="card"),
        [_build_question(question, filled) for question in questions],
        _build_respondent(filled),
        make_tag("button", "Send"),
    ]
    return Page(form.title, make_tag("form", body, method="post", action=f"/{_FORM}/{form.id}", novalidate=True))


def _build_question(question: Question, filled: _Filled) -> Html:
    label = [question.text, make_tag("span", " *", class_="must") if question.required else None]
    below = [build_hint(_HINTS.get(question.kind, "")), build_error(filled.wrong.get(question.id, ""))]
    if question.kind == "choices" or (question.kind == "choice" and len(question.choices) <= _MAX_RADIOS):
        return make_tag("fieldset", make_tag("legend", label), below, _build_ticks(question, filled), class_="card")
    name = f"q{question.id}"
    return make_tag(
        "section", make_tag("label", label, for_=name), below, _build_entry(question, filled), class_="card"
    )


def _build_ticks(question: Question, filled: _Filled) -> list[Html]:
    kind = "checkbox" if question.kind == "choices" else "radio"
    chosen = filled.list_texts(question)
    return [
        make_tag(
            "label",
            make_tag("input", type=kind, name=f"q{question.id}", value=choice, checked=choice in chosen),
            make_tag("span", choice),
            class_="tick",
        )
        for choice in question.choices
    ]


def _build_entry(question: Question, filled: _Filled) -> Html:
    name, typed = f"q{question.id}", next(iter(filled.list_texts(question)), "")
    if question.kind == "choice":
        options = [make_tag("option", choice, value=choice, selected=choice == typed) for choice in question.choices]
        return make_tag("select", make_tag("option", "Choose", value=""), options, name=name, id=name)
    if question.kind == "text":
        return make_tag(
            "textarea", "\n", typed, name=name, id=name, rows="2"
        )  # the first line break is none of the text
    kinds = {"number": "number", "date": "date"}
    any_step = "any" if question.kind == "number" else None
    return make_tag("input", type=kinds[question.kind], step=any_step, name=name, id=name, value=typed)


def _build_respondent(filled: _Filled) -> Html:
    entry = make_tag("input", type="email", name="respondent", id="respondent", value=filled.respondent)
    label = make_tag("label", "Your e-mail address", for_="respondent")
    why = build_hint("So that it is known who answers; it may stay empty.")
    return make_tag("section", label, why, build_error(filled.odd_respondent), entry, class_="card")
