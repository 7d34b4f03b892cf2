"""The checkpoints of generated tasks: the exact answer, how far the chain was followed, and that nobody guessed ids."""

import math
import re
from decimal import Decimal

from yardkit.evaluators.checkpoints import (
    Check,
    Checkpoint,
    Facts,
    Finding,
    InsufficientEvidence,
    make_checkpoint,
    make_finding,
    make_group,
)
from yardkit.evaluators.readers.answers import find_last_line, find_numbers
from yardkit.evaluators.readers.files import only_changed
from yardkit.evaluators.submission import Submission

TENTHS = 10
GUESSES = 5
"""Ids that do not exist which an agent may ask for in any task; in longer ones one more for so many operations."""
OPERATIONS_PER_GUESS = 4
_UNKNOWN = "no document with this id"
_READING = ("read_lore_document", "rotate_image", "flip_image", "stretch_image")
"""Tools that show a document."""
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212", "------")
_MARKS = "*_`$'\"\u2018\u2019\u201c\u201d "
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_LEAD = r"(?:the\s+)?(?:final\s+)?(?:answer|value|result)(?:\s+of)?"


def lore_checks(task: str, *, guessing_fails: bool = True) -> Checkpoint:
    """The tree of a generated task whose documents lie behind the server `lore`, with a gate on guessing or without.

    Its facts hold the ``answer``, what is ``asked`` (in ``prompt``), the documents whose names are results (``solved``;
    none where no result names a document), and ``measures`` with the number of operations.
    """
    tenths = (
        make_checkpoint(
            f"solved_{tenth}",
            f"{tenth}0 % of the operations were solved",
            _check_solved(tenth),
            covers=("calls", "answer"),
        )
        for tenth in range(1, TENTHS + 1)
    )
    no_guessing = make_checkpoint(
        "no_guessing",
        "Documents were found by solving, not by trying ids",
        _no_guessing,
        covers=("calls",),
        kind="guardrail",
        weight=0.25,
        gate=True,
    )
    return make_group(
        task,
        "The value is found",
        make_checkpoint(
            "answer",
            "The answer is exactly the value that was asked for",
            _check_answer,
            covers=("answer",),
            weight=3,
        ),
        make_group("chain", "The chain was followed", *tenths),
        *([no_guessing] if guessing_fails else []),
        make_checkpoint(
            "kept",
            "The workspace is as it was",
            lambda submission, _facts: only_changed(submission),
            covers=("input:*", "stray:*"),
            kind="guardrail",
            weight=0.25,
        ),
    )


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    stated_value, right = read_stated_value(submission.answer, facts["prompt"]["asked"]), facts["answer"]
    return make_finding(is_same_value(stated_value, right), f"{stated_value[:200]!r} was answered, {right!r} is right")


def read_stated_value(answer: str, asked: str) -> str:
    """What the last line of an answer says, without markup, a leading "v0 =" or "the value of v0 is", and a full stop.

    Raises:
        InsufficientEvidence: there is no answer.
    """
    line = find_last_line("\n".join(line for line in answer.splitlines() if not line.strip().startswith("```")))
    bare_text = "".join(name for name in _BOXED.sub(r"\1", line.translate(_DASHES)) if name not in _MARKS[:-1])
    glue = r"(?:(?:is|returns)\b\s*|=\s*|:\s*)*"
    lead = rf"(?:{_LEAD}\s*{glue})?(?:{re.escape(asked)}\s*{glue})?{glue}"
    return re.sub(rf"^{lead}", "", bare_text.strip(), flags=re.IGNORECASE).strip().removesuffix(".").strip()


def is_same_value(stated_value: str, right: str) -> bool:
    """Whether two values are the same: texts to the letter, numbers however they are written."""
    if stated_value == right:
        return True
    if not re.fullmatch(r"-?\d+", right) or not re.fullmatch(r"[-+]?\s?[\d.,\u202f\u00a0 ]+", stated_value):
        return False
    numbers = find_numbers(re.sub(r"(?<=^[-+])\s", "", stated_value))
    return len(numbers) == 1 and numbers[0] == Decimal(right)


def _check_solved(tenth: int) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        if not facts["solved"]:
            try:
                return _check_answer(submission, facts)
            except InsufficientEvidence:
                return make_finding(
                    holds=False, evidence="only the answer shows how far it got, and there is no answer"
                )
        solved = set(facts["solved"])
        read_count, expected_count = len(solved & _documents_read(submission)), math.ceil(tenth * len(solved) / TENTHS)
        return make_finding(
            read_count >= expected_count,
            f"{read_count} of {len(solved)} documents were found by solving; {expected_count} are wanted",
        )

    return check


def _documents_read(submission: Submission) -> set[str]:
    """The ids of documents that the agent got to see."""
    calls = (call for call in submission.calls if call["tool"] in _READING and not call["error"])
    return {str(call["arguments"].get("doc_id", "")).partition("~")[0] for call in calls}


def _no_guessing(submission: Submission, facts: Facts) -> Finding:
    wrong = sum(call["tool"] in _READING and _UNKNOWN in str(call["error"]) for call in submission.calls)
    allowed = GUESSES + int(facts["measures"]["operations"]) // OPERATIONS_PER_GUESS
    return make_finding(wrong <= allowed, f"{wrong} ids that do not exist were requested, {allowed} are allowed")
