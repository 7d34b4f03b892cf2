"""The checkpoints of generated tasks: the exact answer, how far the chain was followed, and that nobody guessed ids."""

import math
import re

from toolyard.evaluators.checkpoints import Check, Checkpoint, Facts, Finding, finding, group, leaf
from toolyard.evaluators.readers.answers import last_line
from toolyard.evaluators.readers.files import only_changed
from toolyard.evaluators.submission import Submission

TENTHS = 10
GUESSES = 10
"""Ids that do not exist which an agent may ask for in any task; in longer ones `GUESSES_PER_OPERATION` more each."""
GUESSES_PER_OPERATION = 2
_READING = "read_lore_document"
_VIEWS = ("rotate_image", "flip_image", "stretch_image")


def lore_checks(task: str) -> Checkpoint:
    """The tree of a generated task whose documents lie behind the server `lore`.

    Its facts hold the ``answer``, what is ``asked`` (in ``prompt``), the ``chain`` of all documents that must be read,
    and ``measures`` with the number of operations.
    """
    tenths = (
        leaf(
            f"read_{tenth}",
            f"{tenth} tenths of the documents that lead to the answer were read",
            _read(tenth),
            observes=("calls",),
            kind="tool",
        )
        for tenth in range(1, TENTHS + 1)
    )
    return group(
        task,
        "The value is found",
        leaf("answer", "The answer is exactly the value that was asked for", _answer, observes=("answer",), weight=3),
        group("chain", "The chain was followed", *tenths),
        leaf(
            "no_guessing",
            "Documents were found by solving, not by trying ids",
            _no_guessing,
            observes=("calls",),
            kind="guardrail",
            gate=True,
        ),
        leaf("kept", "The workspace is as it was", _kept, observes=("input:*", "stray:*"), kind="guardrail"),
    )


def _answer(submission: Submission, facts: Facts) -> Finding:
    line, right = last_line(submission.answer).replace("\u2212", "-"), facts["answer"]
    # "v0 = 17" and "17" say the same.
    told = re.sub(rf"^{re.escape(facts['prompt']['asked'])}\s*(?:=|:|is)\s*", "", line).strip(" .'\"`*")
    return finding(told == right, f"{line[:200]!r} was answered, {right!r} is right")


def _read(tenth: int) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        chain = set(facts["chain"])
        found, wanted = len(chain & _documents_read(submission)), math.ceil(tenth * len(chain) / TENTHS)
        return finding(found >= wanted, f"{found} of {len(chain)} documents were read, {wanted} are {tenth} tenths")

    return check


def _documents_read(submission: Submission) -> set[str]:
    """The ids of documents that the agent got to see."""
    calls = (call for call in submission.calls if call["tool"] == _READING and not call["error"])
    return {str(call["arguments"].get("doc_id", "")).partition("~")[0] for call in calls}


def _kept(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission)


def _no_guessing(submission: Submission, facts: Facts) -> Finding:
    wrong = sum(call["tool"] in (_READING, *_VIEWS) and bool(call["error"]) for call in submission.calls)
    allowed = GUESSES + GUESSES_PER_OPERATION * int(facts["measures"]["operations"])
    return finding(wrong <= allowed, f"{wrong} calls failed, {allowed} are allowed")
