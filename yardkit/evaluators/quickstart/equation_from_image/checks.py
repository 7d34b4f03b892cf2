"""The solutions of three exercises, and one of them in the answer."""

import json
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import (
    Check,
    Facts,
    Finding,
    InvalidArtifact,
    make_checkpoint,
    make_finding,
    make_group,
)
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.submission import Submission

TOLERANCE = 0.0002


def _read_solutions(submission: Submission) -> dict[str, Any]:
    try:
        read = json.loads(files.read_text(submission, "solutions.json", max_bytes=100_000))
    except (ValueError, RecursionError) as error:
        raise InvalidArtifact(f"solutions.json is not valid JSON ({error})") from error
    if not isinstance(read, dict):
        raise InvalidArtifact(f"solutions.json holds a {type(read).__name__}, not an object")
    return {str(key).strip(): value for key, value in read.items()}


def _check_exercise(which: str) -> Check:
    """`which` is the fact that names the exercise."""

    def check(submission: Submission, facts: Facts) -> Finding:
        expected_solution, delivered_solution = (
            facts["solutions"][facts[which]],
            _read_solutions(submission).get(facts[which]),
        )
        good = isinstance(delivered_solution, list) and len(delivered_solution) == len(expected_solution)
        good = good and all(
            _is_solution(value, right) for value, right in zip(delivered_solution or [], expected_solution, strict=True)
        )
        return make_finding(good, f"exercise {facts[which]}: found {delivered_solution}, expected {expected_solution}")

    return check


def _is_solution(value: Any, right: float) -> bool:
    return isinstance(value, int | float) and is_near(value, right, TOLERANCE)


def _check_keys(submission: Submission, facts: Facts) -> Finding:
    exercise_keys = sorted(_read_solutions(submission))
    return make_finding(
        exercise_keys == sorted(facts["solutions"]),
        f"exercises {exercise_keys}, asked for {sorted(facts['solutions'])}",
    )


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    stated, expected_value = read_number(submission.answer), max(facts["solutions"][facts["ringed"]])
    return make_finding(
        is_near(stated, expected_value, TOLERANCE), f"{stated} was stated, the larger solution is {expected_value}"
    )


FILE = ("text:solutions.json",)

CHECKS = make_group(
    "equation_from_image",
    "The exercises on the sheet are solved",
    make_checkpoint(
        "answer", "The larger solution of the ringed exercise is stated", _check_answer, covers=("answer",), weight=2
    ),
    make_checkpoint("keys", "The file has exactly the three exercises", _check_keys, covers=FILE, kind="format"),
    make_checkpoint("ringed", "The ringed exercise is solved", _check_exercise("ringed"), covers=FILE, weight=2),
    make_checkpoint("crossed", "The corrected exercise is solved", _check_exercise("crossed"), covers=FILE, weight=2),
    make_checkpoint("pair", "The pair of equations is solved", _check_exercise("pair"), covers=FILE, weight=2),
    leaves.nothing_else("solutions.json"),
)
