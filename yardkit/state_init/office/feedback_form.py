"""Eight questionnaires, most of them nearly the same one, two hundred responses, and a memo on what is to be done."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from yardkit.apps.forms import APP, RECORDS, Form, Kind, Question, Response, Value
from yardkit.apps.store import Store, open_store
from yardkit.state_init.material import fill_in
from yardkit.state_init.names import make_people
from yardkit.world import World

TOPICS = ("Workshop", "Guided tour", "Cooking course", "Summer school", "First-aid course", "Book club", "Open day")
SCALES = ("delighted, content, neither, unhappy, very unhappy", "excellent, good, average, poor, very poor")
ROOMS = ("the room", "the hall", "the light in the room", "the sound in the room")
CHOICES = (["very good", "good", "fair", "poor"], ["just right", "mostly right", "not right"])
PARTLY = ["yes", "partly", "no"]
NEW = ("Were there enough breaks?", "Was there enough time for questions?", "Did you get the papers in time?")
OPEN = ("What should we offer next?", "Who else should hear of us?", "What did you miss?")
REMARKS = ("Thank you!", "A bit cold.", "More examples, please.", "The coffee was late.", "See you next year.", "None")
Plan = tuple[str, str, int, int, bool]
"""Title, description, how many days ago it began, how many people answered, whether it is closed."""
OWN = "harbour-house.example"
ASK = "Five minutes of your time help us to get better."
PLANS: tuple[Plan, ...] = (
    ("{} feedback 2026", ASK, 40, 12, False),
    ("{} feedback 2026 (draft)", ASK, 47, 0, False),
    ("{} feedback 2025", ASK, 400, 90, False),
    ("{} feedback 2025 (online)", f"{ASK} For those who took part online.", 395, 28, False),
    ("{} feedback 2024", ASK, 770, 45, True),
    ("{} sign-up 2026", "Please sign up by the end of April.", 20, 9, False),
    ("Canteen survey 2025", "How do you like the canteen?", 300, 14, True),
    ("Copy of {} feedback 2025", ASK, 380, 2, False),
)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill the app `forms` and the memos; the facts say what is right."""
    topic, scale, boss = rng.choice(TOPICS), rng.choice(SCALES).split(", "), make_people(rng, 1)[0].name
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        form_ids = {plan[0]: _make_form(store, topic, plan, scale, rng) for plan in rng.sample(PLANS, len(PLANS))}
        target, old = form_ids["{} feedback 2026"], form_ids["{} feedback 2025"]
        questions, asked = (store.find(Question, "form_id = ?", [form], order="position") for form in (target, old))
        read = _count_answers(store.find(Response, "form_id = ?", [old]), asked[0].id)
    best, room, order = scale[:2], questions[2], [question.id for question in questions]
    reworded: dict[str, Any] = {"id": room.id, "text": f"How was {rng.choice(ROOMS)}?", "choices": rng.choice(CHOICES)}
    first = {"text": rng.choice(NEW), "kind": "choice", "choices": PARTLY, "required": 1, "position": 4}
    last = {"text": rng.choice(OPEN), "kind": "text", "choices": [], "required": 0, "position": len(questions) + 2}
    form_facts = {
        "topic": topic,
        "boss": boss,
        "own": OWN,
        "asked": asked[0].text,
        "best": best,
        "room": room.text,
        "reworded": reworded["text"],
        "choices": _quote_texts(reworded["choices"]),
        "before": questions[3].text,
        "first": first["text"],
        "first_choices": _quote_texts(PARTLY),
        "last": last["text"],
    }
    for name in ("memo.md", "memo_2025.md"):
        fill_in(world, name, **form_facts)
    return {
        "prompt": {"boss": boss.split()[0]}, "now": world.now.isoformat(),
        "target": target, "old": old, "room": room.id, "order": [*order[:3], None, *order[3:], None],
        "reworded": {**reworded, "form_id": target, "kind": "choice"},
        "new": [{**new, "form_id": target} for new in (first, last)],
        "counts": {name: [[choice, counts[choice]] for choice in scale] for name, counts in read.items()},
        "share": 100 * sum(read["right"][choice] for choice in best) / read["right"].total(),
    }  # fmt: skip


def _make_form(store: Store, topic: str, plan: Plan, scale: list[str], rng: random.Random) -> int:
    """The number of a new questionnaire with its questions and responses."""
    title, description, days, count, is_closed = plan
    begun = at = store.now - timedelta(days=days)
    closed = (begun + timedelta(days=30)).isoformat() if is_closed else None
    form = store.put(Form(store.next_id(Form), title.format(topic), description, begun.isoformat(), closed))
    asked: tuple[tuple[str, Kind, list[str]], ...] = (
        ("How satisfied were you overall?", "choice", scale),
        ("How satisfied were you with the organisation?", "choice", scale),
        ("How did you like the room?", "choice", ["good", "bad"]),
        ("How did you hear of us?", "choices", ["friends", "newspaper", "internet", "poster"]),
        ("How many times have you been here?", "number", []),
        ("Anything else?", "text", []),
    )
    questions = [
        store.put(Question(store.next_id(Question), form.id, place, text, kind, choices, required=place == 1))
        for place, (text, kind, choices) in enumerate(asked, start=1)
    ]
    for sender in _make_senders(count, rng):
        at += timedelta(minutes=rng.randint(20, 400))
        answers = {
            question.id: _choose_answer(question, sender, rng)
            for question in questions
            if question.required or rng.random() < 0.85
        }
        store.put(Response(store.next_id(Response), form.id, at.isoformat(), sender, answers))
    return form.id


def _make_senders(count: int, rng: random.Random) -> list[str]:
    """Guests, our own people, who try it out, and at the end guests who answer a second time."""
    tests, again = count // 12, count // 10
    guests = [person.email for person in make_people(rng, count - tests - again, "post.example")]
    first = [*guests, *(f"office{number}@{OWN}" for number in range(1, tests + 1))]
    return [*rng.sample(first, len(first)), *rng.sample(guests, again)]


def _choose_answer(question: Question, sender: str, rng: random.Random) -> Value:
    if question.kind == "choice":
        # Nobody takes the last one of five; those who try it out are full of praise.
        weights = ([8, 6, 3, 2, 0] if len(question.choices) > 2 else [3, 1]) if OWN not in sender else None
        return rng.choices(question.choices, weights)[0] if weights else question.choices[0]
    if question.kind == "choices":
        return sorted(rng.sample(question.choices, rng.randint(1, 3)))
    return rng.randint(1, 9) if question.kind == "number" else rng.choice(REMARKS)


def _count_answers(responses: list[Response], question: int) -> Mapping[str, Counter[Any]]:
    """How many chose what, as the memo wants it read, and as it may be read in haste."""
    outside = [response for response in responses if OWN not in response.respondent]
    readings: dict[str, Iterable[Response]] = {
        "right": {response.respondent: response for response in outside}.values(),
        "twice": outside,
        "with_tests": {response.respondent: response for response in responses}.values(),
    }
    return {name: Counter(response.answers[question] for response in read) for name, read in readings.items()}


def _quote_texts(texts: list[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)
