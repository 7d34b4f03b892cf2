"""The pages of the app `forms`: a questionnaire as people see it, and what they send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from yardkit.apps.form_answers import MAX_ANSWER, Unfit, add_response
from yardkit.apps.forms import APP, RECORDS, Form, Question
from yardkit.apps.store import opened
from yardkit.kit.markup import Child, Html, clean, tag
from yardkit.servers.browser.engine.app_pages.requests import (
    NoPage,
    Page,
    Request,
    Sent,
    hint,
    notice,
    number_of,
    paragraphs,
    wrong,
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

    def texts(self, question: Question) -> list[str]:
        return [text[:MAX_ANSWER] for text in self.given.get(question.id, ())]


def show(world: World, request: Request) -> Page:
    """The page of a form, or the one that comes after it.

    Raises:
        NoPage: there is none.
    """
    if not request.path:
        text = "Open a form by the address that you were given, such as https://forms.example/f/1."
        return Page("Forms", notice("Fill in a form", text))
    form, questions = _form_of(world, request)
    if request.path[2:] == (_SENT,):
        return Page(f"{form.title}: sent", _thanks(form))
    if request.path[2:]:
        raise NoPage("This form has one page.")
    return _form_page(form, questions, _Filled())


def take(world: World, request: Request) -> Sent:
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
    given = {**sent, **{one.id: _chosen(one, sent[one.id]) for one in questions if one.choices and one.id in sent}}
    try:
        add_response(world, form.id, given, request.sent("respondent"))
    except Unfit as error:
        filled = _Filled(given, error.wrong, request.sent("respondent")[:MAX_ANSWER], error.respondent)
        return Sent(path, _form_page(form, questions, filled))
    return Sent(f"{path}/{_SENT}")


def _chosen(question: Question, texts: Sequence[str]) -> list[str]:
    """The choices that were sent, without what no page can hold, as the question has them."""
    by_shown = {clean(choice): choice for choice in reversed(question.choices)}
    return [by_shown.get(text, text) for text in texts]


def _form_of(world: World, request: Request) -> tuple[Form, list[Question]]:
    if len(request.path) < 2 or request.path[0] != _FORM:
        raise NoPage("The address of a form looks like https://forms.example/f/1.")
    number = number_of(request.path[1])
    with opened(APP, *RECORDS, world=world) as store:
        found = store.find(Form, "id = ?", [number])
        if not found:
            raise NoPage(f"There is no form {number}; check the address that you were given.")
        return found[0], store.find(Question, "form_id = ?", [number], order="position")


def _thanks(form: Form) -> Html:
    again = tag("p", tag("a", "Send another response", href=f"/{_FORM}/{form.id}"))
    text = tag("p", "Your answers have been sent. Thank you.", role="status")
    return tag("section", tag("h1", form.title), text, again if form.closed is None else None, class_="card")


def _form_page(form: Form, questions: Sequence[Question], filled: _Filled) -> Page:
    head: list[Child] = [tag("h1", form.title), paragraphs(form.description)]
    if form.closed is not None or not questions:
        why = f"This form takes no more responses; it was closed on {form.closed[:10]}." if form.closed else ""
        text = tag("p", why or "This form has no questions yet.", role="status")
        return Page(form.title, tag("section", head, text, class_="card"))
    odd = len(filled.wrong) + bool(filled.odd_respondent)
    if odd:
        said = "1 answer is" if odd == 1 else f"{odd} answers are"
        head.append(tag("p", f"Nothing was sent yet: {said} missing or wrong.", role="alert", class_="wrong"))
    known = {question.id for question in questions}
    head += [wrong(said) for number, said in filled.wrong.items() if number not in known]
    if any(question.required for question in questions):
        head.append(tag("p", "* must be answered", class_="hint"))
    body = [
        tag("section", head, class_="card"),
        [_question(question, filled) for question in questions],
        _respondent(filled),
        tag("button", "Send"),
    ]
    return Page(form.title, tag("form", body, method="post", action=f"/{_FORM}/{form.id}", novalidate=True))


def _question(question: Question, filled: _Filled) -> Html:
    label = [question.text, tag("span", " *", class_="must") if question.required else None]
    below = [hint(_HINTS.get(question.kind, "")), wrong(filled.wrong.get(question.id, ""))]
    if question.kind == "choices" or (question.kind == "choice" and len(question.choices) <= _MAX_RADIOS):
        return tag("fieldset", tag("legend", label), below, _ticks(question, filled), class_="card")
    name = f"q{question.id}"
    return tag("section", tag("label", label, for_=name), below, _entry(question, filled), class_="card")


def _ticks(question: Question, filled: _Filled) -> list[Html]:
    kind = "checkbox" if question.kind == "choices" else "radio"
    chosen = filled.texts(question)
    return [
        tag(
            "label",
            tag("input", type=kind, name=f"q{question.id}", value=choice, checked=choice in chosen),
            tag("span", choice),
            class_="tick",
        )
        for choice in question.choices
    ]


def _entry(question: Question, filled: _Filled) -> Html:
    name, typed = f"q{question.id}", next(iter(filled.texts(question)), "")
    if question.kind == "choice":
        options = [tag("option", choice, value=choice, selected=choice == typed) for choice in question.choices]
        return tag("select", tag("option", "Choose", value=""), options, name=name, id=name)
    if question.kind == "text":
        return tag("textarea", "\n", typed, name=name, id=name, rows="2")  # the first line break is none of the text
    kinds = {"number": "number", "date": "date"}
    any_step = "any" if question.kind == "number" else None
    return tag("input", type=kinds[question.kind], step=any_step, name=name, id=name, value=typed)


def _respondent(filled: _Filled) -> Html:
    entry = tag("input", type="email", name="respondent", id="respondent", value=filled.respondent)
    label = tag("label", "Your e-mail address", for_="respondent")
    why = hint("So that it is known who answers; it may stay empty.")
    return tag("section", label, why, wrong(filled.odd_respondent), entry, class_="card")
