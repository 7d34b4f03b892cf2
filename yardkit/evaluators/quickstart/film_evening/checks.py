"""The table that was circled, when it is left, and the earliest showing that can be reached."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import find_last_line, fold, mentions
from yardkit.evaluators.readers.json_files import read_json_object
from yardkit.evaluators.submission import Submission

FIELDS = ("restaurant", "dinner_ends", "at_cinema", "film", "film_begins", "film_ends")


def _plain(value: object) -> str:
    """For comparison: neither letter case nor a missing leading zero of a time matters."""
    return re.sub(r"^(?=\d:)", "0", fold(str(value)))


def _fields(*names: str) -> Check:
    """Whether these fields of the plan are right."""

    def check(submission: Submission, facts: Facts) -> Finding:
        plan = read_json_object(submission, "plan.json", FIELDS)
        wrong = {name: plan[name] for name in names if _plain(plan[name]) != _plain(facts["plan"][name])}
        wanted = {name: facts["plan"][name] for name in names}
        return finding(not wrong, f"{str(wrong)[:300]} is wrong, expected {wanted}" if wrong else f"{wanted}")

    return check


def _answer_film(submission: Submission, facts: Facts) -> Finding:
    named = [film for film in facts["films"] if mentions(submission.answer, film)]
    return finding(named == [facts["plan"]["film"]], f"{named} is named, expected {facts['plan']['film']}")


def _answer_time(submission: Submission, facts: Facts) -> Finding:
    times = {_plain(time) for time in re.findall(r"(?<!\d)\d{1,2}:\d\d(?!\d)", find_last_line(submission.answer))}
    begins = facts["plan"]["film_begins"]
    return finding(times == {begins}, f"the last line states {sorted(times)}, expected {begins}")


PLAN = ("file:plan.json", "text:plan.json")
SHOWING = _fields("film", "film_begins")

CHECKS = group(
    "film_evening",
    "The evening is planned",
    leaf("answer_film", "The answer names the film", _answer_film, observes=("answer",), weight=2),
    leaf("answer_time", "The answer states when it begins", _answer_time, observes=("answer",)),
    leaf("restaurant", "The plan names the restaurant that was circled", _fields("restaurant"), observes=PLAN),
    leaf("dinner", "It says when dinner ends", _fields("dinner_ends"), observes=PLAN),
    leaf("walk", "It says when the cinema is reached", _fields("at_cinema"), observes=PLAN),
    leaf("showing", "It has the earliest showing that fits", SHOWING, observes=PLAN, weight=2),
    leaf("end", "It says when the film ends", _fields("film_ends"), observes=PLAN),
    leaves.nothing_else("plan.json"),
)
