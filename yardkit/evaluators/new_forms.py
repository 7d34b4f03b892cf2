"""The one form that was made in the app `forms`: which it is, and the leaf about what it asks."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from yardkit.evaluators.leaves import Records
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.app_records import Row
from yardkit.evaluators.submission import Submission

FORMS, QUESTIONS = Records("forms", "forms"), Records("forms", "questions", ("choices",))
MADE = (*FORMS.observes, "bystander:forms/forms")
"""The targets of mutants of the new form, and of others that are left beside it."""
Asked = tuple[int, str, str, list[str], bool]


def find_new_form(submission: Submission) -> Row:
    """The form that was not there before; without anything where there are more or none."""
    known = {row["id"] for row in FORMS.found(submission.untouched)}
    new = [row for row in FORMS.found(submission) if row["id"] not in known]
    return new[0] if len(new) == 1 else {}


def questions(
    name: str, says: str, wanted: Callable[[Facts], Iterable[Mapping[str, Any]]], *, weight: float = 1.0
) -> Checkpoint:
    """The leaf `name`: the new form has just these questions, with position, text, kind, choices and required.

    No other form has a new one. Letter case and punctuation at the ends do not matter.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        number, known = (
            find_new_form(submission).get("id"),
            {row["id"] for row in QUESTIONS.found(submission.untouched)},
        )
        new = [row for row in QUESTIONS.found(submission) if row["id"] not in known]
        found, truth = sorted(map(_asked, new)), sorted(map(_asked, wanted(facts)))
        odd = [one for one in (*found, *truth) if (one in found) != (one in truth)]
        there = {row["form_id"] for row in new} == {number}
        return finding(there and found == truth, f"odd or missing: {odd or 'none'}; all in the new form: {there}")

    return leaf(name, says, check, observes=(*QUESTIONS.observes, "bystander:forms/questions"), weight=weight)


def _asked(row: Mapping[str, Any]) -> Asked:
    choices = [fold(choice) for choice in row["choices"]]
    return row["position"], fold(row["text"]), row["kind"], choices, bool(row["required"])
