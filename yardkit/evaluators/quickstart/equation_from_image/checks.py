"""The solutions of three exercises, and one of them in the answer."""

import json
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.tables import near
from yardkit.evaluators.submission import Submission

TOLERANCE = 0.0002


def _solutions(submission: Submission) -> dict[str, Any]:
    try:
        read = json.loads(files.read_text(submission, "solutions.json", max_bytes=100_000))
    except (ValueError, RecursionError) as error:
        raise InvalidArtifact(f"solutions.json is not valid JSON ({error})") from error
    if not isinstance(read, dict):
        raise InvalidArtifact(f"solutions.json holds a {type(read).__name__}, not an object")
    return {str(key).strip(): value for key, value in read.items()}


def _exercise(which: str) -> Check:
    """`which` is the fact that names the exercise."""

    def check(submission: Submission, facts: Facts) -> Finding:
        wanted, found = facts["solutions"][facts[which]], _solutions(submission).get(facts[which])
        good = isinstance(found, list) and len(found) == len(wanted)
        good = good and all(_is(value, right) for value, right in zip(found or [], wanted, strict=True))
        return finding(good, f"exercise {facts[which]}: found {found}, expected {wanted}")

    return check


def _is(value: Any, right: float) -> bool:
    return isinstance(value, int | float) and near(value, right, TOLERANCE)


def _keys(submission: Submission, facts: Facts) -> Finding:
    found = sorted(_solutions(submission))
    return finding(found == sorted(facts["solutions"]), f"exercises {found}, asked for {sorted(facts['solutions'])}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    stated, wanted = read_number(submission.answer), max(facts["solutions"][facts["ringed"]])
    return finding(near(stated, wanted, TOLERANCE), f"{stated} was stated, the larger solution is {wanted}")


FILE = ("text:solutions.json",)

CHECKS = group(
    "equation_from_image",
    "The exercises on the sheet are solved",
    leaf("answer", "The larger solution of the ringed exercise is stated", _answer, observes=("answer",), weight=2),
    leaf("keys", "The file has exactly the three exercises", _keys, observes=FILE, kind="format"),
    leaf("ringed", "The ringed exercise is solved", _exercise("ringed"), observes=FILE, weight=2),
    leaf("crossed", "The corrected exercise is solved", _exercise("crossed"), observes=FILE, weight=2),
    leaf("pair", "The pair of equations is solved", _exercise("pair"), observes=FILE, weight=2),
    leaves.nothing_else("solutions.json"),
)
