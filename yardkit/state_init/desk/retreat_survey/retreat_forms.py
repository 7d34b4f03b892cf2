"""The forms of a retreat: its survey with the answers, what is asked about travel and meals, and others beside."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from yardkit.apps.forms import APP, RECORDS, Form, Kind, Question, Response, Value
from yardkit.apps.store import Store, open_store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import make_moment
from yardkit.state_init.desk.retreat_survey.retreats import DAY, NAMES, Ballot, Retreat
from yardkit.world import World

REMARKS = ("Anywhere but the hall of two years ago.", "Looking forward to it!", "Please not on a Friday.", "Thanks!")
Asked = tuple[str, Kind, Sequence[str], bool]
"""A question: text, kind, choices, whether it must be answered."""
MORE: Sequence[Asked] = (
    ("Which size of T-shirt do you take?", "choice", ("S", "M", "L", "XL"), True),
    ("Do you want a room of your own?", "choice", ("Yes", "No", "I do not mind"), True),
    ("Which allergies do you have?", "choices", ("None", "Nuts", "Milk", "Gluten"), True),
)
WAYS = ("By train", "By car")


def put_form(
    store: Store, title: str, description: str, created_at: datetime, closed: datetime | None, asked: Sequence[Asked]
) -> tuple[Form, list[Question]]:
    """A form with its questions."""
    stamp = closed.astimezone(UTC).isoformat() if closed else None
    form = store.put(Form(store.next_id(Form), title, description, created_at.astimezone(UTC).isoformat(), stamp))
    questions = [
        store.put(Question(store.next_id(Question), form.id, place, text, kind, [*choices], required))
        for place, (text, kind, choices, required) in enumerate(asked, 1)
    ]
    return form, questions


def put_survey(store: Store, rng: random.Random, retreat: Retreat, ballots: Sequence[Ballot], city: str) -> Form:
    """The survey with its answers; it is closed if it is last year's."""
    asked: list[Asked] = [
        ("Where shall we go?", "choice", [venue.name for venue in retreat.places], True),
        ("What shall we do in the afternoon?", "choice", retreat.afternoons, True),
        ("Anything else?", "text", [], False),
    ]
    instructions = f"Please answer by {retreat.until_text} ({city} time). The house rules are in our handbook."
    closed = retreat.ends + timedelta(minutes=2) if retreat.ends < store.now - 60 * DAY else None
    title = f"{retreat.title}: where shall we go?"
    form, questions = put_form(store, title, instructions, retreat.ends - 18 * DAY, closed, asked)
    for ballot in sorted(ballots, key=lambda ballot: ballot.at):
        if closed is None or ballot.at < closed:
            survey_answers: list[Value] = [
                ballot.place,
                ballot.afternoon,
                *([rng.choice(REMARKS)] if rng.random() < 0.2 else []),
            ]
            answers = {question.id: value for question, value in zip(questions, survey_answers, strict=False)}
            at = ballot.at.astimezone(UTC).isoformat()
            store.put(Response(store.next_id(Response), form.id, at, ballot.email, answers))
    return form


def travel_questions(ways: Sequence[str], afternoon: str, more: Sequence[Asked] = ()) -> list[Asked]:
    """What is asked about travel and meals; more: after the meals."""
    return [
        ("Do you come along?", "choice", ["Yes", "No"], True),
        ("How do you travel?", "choice", [*ways], True),
        ("What do you eat?", "choice", ["Everything", "Vegetarian", "Vegan"], True),
        *more,
        (f"Do you take part in the afternoon ({afternoon})?", "choice", ["Yes", "No"], True),
        ("What else should we know?", "text", [], False),
    ]


def list_question_facts(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """The questions of a form in their places, for facts."""
    return [
        {"position": place, "text": text, "kind": kind, "choices": [*choices], "required": int(required)}
        for place, (text, kind, choices, required) in enumerate(asked, 1)
    ]


def put_answers(
    store: Store, rng: random.Random, form_questions: tuple[Form, list[Question]], people: Sequence[str]
) -> None:
    """What these people, or most of them, answer by chance to what is asked of everybody, within two weeks."""
    form, questions = form_questions
    for email in rng.sample(people, len(people) * 9 // 10):
        at = datetime.fromisoformat(form.created) + timedelta(minutes=rng.randint(30, 20_000))
        answers: dict[int, Value] = {
            question.id: rng.choice(question.choices) for question in questions if question.required
        }
        store.put(Response(store.next_id(Response), form.id, at.isoformat(), email, answers))


def write_travel_intro(retreat: Retreat) -> str:
    """What stands below the title of that form."""
    return f"{retreat.won.name}, {retreat.won.days}. Please answer by {retreat.reply_text}."


def fill_forms(
    world: World, cast: Cast, rng: random.Random, years: tuple[Retreat, Retreat], hasty: Sequence[Sequence[Ballot]]
) -> dict[str, int]:
    """The numbers of both surveys, by title, and of last year's form about travel; there are older forms and others."""
    ids, (old, new), city = {}, years, cast.offices[0].city
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for title, days in (("Retreat 2024: where shall we go?", 750), ("Retreat 2024: travel and meals", 720)):
            asked: list[Asked] = [("Where to?", "choice", NAMES[:3], True)]
            asked = asked if "where" in title else travel_questions(WAYS, "Pottery")[:3]
            at = world.now - days * DAY
            new_form = put_form(store, title, "", at, at + 20 * DAY, asked)
            put_answers(store, rng, new_form, old.people[:30])
        ids[old.title] = put_survey(store, rng, old, [*old.counted, *hasty[0]], city).id
        asked, form_texts = travel_questions([*WAYS, coach_of(cast)], old.afternoon), write_travel_intro(old)
        at = make_moment(old.ends.date() + 4 * DAY, 15, 20, cast.owner.time_zone)
        closed = make_moment(old.reply_by + DAY, 9, 0, cast.owner.time_zone)
        new_form = put_form(store, f"{old.title}: travel and meals", form_texts, at, closed, asked)
        put_answers(store, rng, new_form, old.people)
        ids["travel"] = new_form[0].id
        for title, days in (
            ("Canteen survey", 200),
            ("Summer party 2025: who brings what?", 310),
            ("Retreat 2026: where shall we go? (test)", 26),
        ):
            asked = [("What do you like?", "choice", ("This", "That", "Neither"), True), ("Why?", "text", (), False)]
            new_form = put_form(store, title, "", world.now - days * DAY, None, asked)
            put_answers(store, rng, new_form, new.people[: 4 if "test" in title else 25])
        ids[new.title] = put_survey(store, rng, new, [*new.counted, *hasty[1]], city).id
    return ids


def coach_of(cast: Cast) -> str:
    """How people went last year: from the head office, by coach."""
    return f"By coach from {cast.offices[0].city}"
