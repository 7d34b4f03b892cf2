"""The table that was circled, when it is left, and the earliest showing that can be reached."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import find_last_line, mentions_name, simplify_text
from yardkit.evaluators.readers.json_files import read_json_object
from yardkit.evaluators.submission import Submission

FIELDS = ("restaurant", "dinner_ends", "at_cinema", "film", "film_begins", "film_ends")


def _normalize_value(value: object) -> str:
    """For comparison: neither letter case nor a missing leading zero of a time matters."""
    return re.sub(r"^(?=\d:)", "0", simplify_text(str(value)))


def _check_fields(*names: str) -> Check:
    """Whether these fields of the plan are right."""

    def check(submission: Submission, facts: Facts) -> Finding:
        plan = read_json_object(submission, "plan.json", FIELDS)
        wrong = {
            name: plan[name] for name in names if _normalize_value(plan[name]) != _normalize_value(facts["plan"][name])
        }
        expected_fields = {name: facts["plan"][name] for name in names}
        return make_finding(
            not wrong, f"{str(wrong)[:300]} is wrong, expected {expected_fields}" if wrong else f"{expected_fields}"
        )

    return check


def _answer_film(submission: Submission, facts: Facts) -> Finding:
    named = [film for film in facts["films"] if mentions_name(submission.answer, film)]
    return make_finding(named == [facts["plan"]["film"]], f"{named} is named, expected {facts['plan']['film']}")


def _answer_time(submission: Submission, facts: Facts) -> Finding:
    times = {
        _normalize_value(time) for time in re.findall(r"(?<!\d)\d{1,2}:\d\d(?!\d)", find_last_line(submission.answer))
    }
    begins = facts["plan"]["film_begins"]
    return make_finding(times == {begins}, f"the last line states {sorted(times)}, expected {begins}")


PLAN = ("file:plan.json", "text:plan.json")
SHOWING = _check_fields("film", "film_begins")

CHECKS = make_group(
    "film_evening",
    "The evening is planned",
    make_checkpoint("answer_film", "The answer names the film", _answer_film, covers=("answer",), weight=2),
    make_checkpoint("answer_time", "The answer states when it begins", _answer_time, covers=("answer",)),
    make_checkpoint(
        "restaurant", "The plan names the restaurant that was circled", _check_fields("restaurant"), covers=PLAN
    ),
    make_checkpoint("dinner", "It says when dinner ends", _check_fields("dinner_ends"), covers=PLAN),
    make_checkpoint("walk", "It says when the cinema is reached", _check_fields("at_cinema"), covers=PLAN),
    make_checkpoint("showing", "It has the earliest showing that fits", SHOWING, covers=PLAN, weight=2),
    make_checkpoint("end", "It says when the film ends", _check_fields("film_ends"), covers=PLAN),
    leaves.nothing_else("plan.json"),
)
