"""What mails to all who come along say: spans of days, refusals, numbers behind names; and the form they lead to."""

from pathlib import Path

import pytest

from yardkit.apps.forms import APP, RECORDS, Form, Question
from yardkit.apps.store import open_store
from yardkit.evaluators.desk.retreat_survey.day_spans import find_span_days
from yardkit.evaluators.desk.retreat_survey.new_forms import check_questions, find_new_form
from yardkit.evaluators.shared_mails import is_refusal, states_number
from yardkit.evaluators.submission import Submission
from yardkit.world import World

ASKED = {"position": 1, "text": "Do you come?", "kind": "choice", "choices": ["Yes", "No"], "required": 1}


@pytest.mark.parametrize(
    "text",
    [
        "4 and 5 June 2026",
        "June 4-5",
        "June 4th and 5th, 2026",
        "Thursday 4 and Friday 5 June",
        "2026-06-04 to 2026-06-05",
        "from the 4th to the 5th of June",
        "4\u20135 June, 12 votes",
    ],
)
def test_both_days_of_a_span_are_found_however_they_are_written(text: str) -> None:
    assert find_span_days(text, 2026) == {"2026-06-04", "2026-06-05"}


@pytest.mark.parametrize("text", ["95 and 5 June 2026", "June 95-5"])
def test_a_day_that_no_month_has_is_named_too(text: str) -> None:
    assert find_span_days(text, 2026) == {"2026-06-95", "2026-06-05"}


def test_a_refusal_is_told_from_a_promise() -> None:
    assert is_refusal("This year we go to another place.")
    assert is_refusal("Sorry, we can't come.")
    assert not is_refusal("We take your offer for 4 and 5 June. We are 41 people.")


def test_a_number_belongs_to_the_name_before_it_in_its_line() -> None:
    assert states_number("- Mill House: 9\n- Hill House: 8", "Mill House", 9)
    assert not states_number("- Mill House:\n- Hill House: 9", "Mill House", 9)
    assert not states_number("- Mill House: 12, of 9 hosts", "Mill House", 9)


@pytest.mark.parametrize(
    ("forms", "holds", "text"),
    [(1, True, "Do you come?"), (1, True, "do you come"), (1, False, "Do you stay?"), (2, False, "Do you come?")],
)
def test_the_one_new_form_asks_what_it_should(tmp_path: Path, forms: int, text: str, holds: bool) -> None:
    before, after = (World.create(tmp_path / name, task="desk/x", seed=1) for name in ("before", "after"))
    for world, count in ((before, 0), (after, forms)):
        with open_store(APP, *RECORDS, writes=True, world=world) as store:
            for number in range(1, count + 2):
                store.put(Form(number, "Trip", "", world.now.isoformat()))
                store.put(Question(number, number, 1, text, "choice", ["Yes", "No"], required=True))
    submission = Submission(after.root, before=lambda: before.root)
    assert find_new_form(submission).get("id") == (2 if forms == 1 else None)
    question_leaf = check_questions("asked", "It asks this", lambda _facts: [ASKED])
    assert question_leaf.check is not None
    assert question_leaf.check(submission, {}).outcome == ("pass" if holds else "fail")
