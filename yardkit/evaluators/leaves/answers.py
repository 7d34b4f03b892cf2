"""Leaves about the final answer."""

from collections.abc import Callable, Iterable

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import find_last_line, mentions_name, read_number
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.readers.whitelists import Groups, groups_unsaid, mentions_alias, numbers_beside
from yardkit.evaluators.submission import Submission


def answer_number(
    statement: str,
    expected: Callable[[Facts], float],
    tolerance: float = 0.0,
    *,
    weight: float = 1.0,
    id: str = "answer",
) -> Checkpoint:
    """The last line of the answer has one number, the expected one within the tolerance."""

    def check(submission: Submission, facts: Facts) -> Finding:
        number, truth = read_number(submission.answer), expected(facts)
        return make_finding(is_near(number, truth, tolerance), f"expected {truth:.6g}, found {number}")

    return make_checkpoint(id, statement, check, covers=("answer",), weight=weight)


def answer_name(
    statement: str,
    expected: Callable[[Facts], str],
    among: Callable[[Facts], Iterable[str]],
    *,
    weight: float = 1.0,
    id: str = "answer",
) -> Checkpoint:
    """The last line of the answer names the expected candidate and no other one."""

    def check(submission: Submission, facts: Facts) -> Finding:
        named = [name for name in among(facts) if mentions_name(submission.answer, name)]
        evidence = f"{find_last_line(submission.answer)[:80]!r} names {named}, expected {expected(facts)!r}"
        return make_finding(named == [expected(facts)], evidence)

    return make_checkpoint(id, statement, check, covers=("answer",), weight=weight)


def _get_whitelist(facts: Facts) -> Groups:
    groups: Groups = facts["gt_answer"]["whitelist"]
    return groups


def answer_whitelisted(
    statement: str,
    groups: Callable[[Facts], Groups] = _get_whitelist,
    *,
    full_answer: bool = False,
    weight: float = 1.0,
    id: str = "answer",
) -> Checkpoint:
    """The last line of the answer has one alias of each group, and no other possible answer.

    For tasks in the dialect GTA: the facts have ``gt_answer``, in the form of its ``dataset.json``, and ``others``:
        wrong
    answers, each by the name of the mistake that leads to it (``{"tip_forgotten": "11.20"}``). The line must contain
    none of them, no word of the blacklist and, if a number is asked for, no other number. The prompt says what the last
    line must look like. `yardkit.evaluators.readers.whitelists` defines how aliases are matched.

    Args:
        statement: the sentence that is true if it passes.
        groups: groups of aliases, by default the whitelist of ``gt_answer``. A subjective task declares its own.
        full_answer: check the complete answer, in which other numbers are allowed.
        weight: the weight of the leaf.
        id: the id of the leaf.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        line = find_last_line(submission.answer)
        text, expected_groups = (submission.answer, groups(facts)) if full_answer else (line, groups(facts))
        unsaid = groups_unsaid(text, expected_groups)
        wrong = [other for other in _ruled_out(facts) if mentions_alias(text, other)]
        wrong += [] if full_answer else numbers_beside(text, expected_groups)
        evidence = f"{text[:200]!r} leaves out {unsaid}, says {wrong} beside what was expected: {expected_groups}"
        return make_finding(not unsaid and not wrong, evidence)

    return make_checkpoint(id, statement, check, covers=("answer",), weight=weight)


def _ruled_out(facts: Facts) -> list[str]:
    """List the wrong answers and the words of the blacklist."""
    expected = facts["gt_answer"]
    blacklist = (expected["blacklist"] or []) if isinstance(expected, dict) else []
    return [*facts.get("others", {}).values(), *(word for group in blacklist for word in group)]
