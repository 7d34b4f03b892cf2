"""The only new form in the app `forms`: finding it, and the leaf about its questions."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.leaves import Records
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.app_records import Row
from yardkit.evaluators.submission import Submission

FORMS, QUESTIONS = Records("forms", "forms"), Records("forms", "questions", ("choices",))
NEW_FORM_TARGETS = (*FORMS.covers, "bystander:forms/forms")
"""The targets of mutants of the new form, and of others that are left beside it."""
Asked = tuple[int, str, str, list[str], bool]


def find_new_form(submission: Submission) -> Row:
    """Find the new form; empty if there is none or more than one."""
    known = {row["id"] for row in FORMS.read_rows(submission.untouched)}
    new = [row for row in FORMS.read_rows(submission) if row["id"] not in known]
    return new[0] if len(new) == 1 else {}


def check_questions(
    name: str, statement: str, expected: Callable[[Facts], Iterable[Mapping[str, Any]]], *, weight: float = 1.0
) -> Checkpoint:
    """Make the leaf `name`: the new form has exactly these questions, with position, text, kind, choices and required.

    No other form has a new question. Letter case and punctuation at the ends do not matter.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        number, known = (
            find_new_form(submission).get("id"),
            {row["id"] for row in QUESTIONS.read_rows(submission.untouched)},
        )
        new = [row for row in QUESTIONS.read_rows(submission) if row["id"] not in known]
        questions, truth = sorted(map(_describe_question, new)), sorted(map(_describe_question, expected(facts)))
        unexpected = [question for question in (*questions, *truth) if (question in questions) != (question in truth)]
        there = {row["form_id"] for row in new} == {number}
        return make_finding(
            there and questions == truth, f"odd or missing: {unexpected or 'none'}; all in the new form: {there}"
        )

    return make_checkpoint(
        name, statement, check, covers=(*QUESTIONS.covers, "bystander:forms/questions"), weight=weight
    )


def _describe_question(row: Mapping[str, Any]) -> Asked:
    choices = [simplify_text(choice) for choice in row["choices"]]
    return row["position"], simplify_text(row["text"]), row["kind"], choices, bool(row["required"])
