"""Leaves about the final answer."""

from collections.abc import Callable, Iterable

from toolyard.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from toolyard.evaluators.readers.answers import find_last_line, mentions, read_number
from toolyard.evaluators.readers.tables import near
from toolyard.evaluators.submission import Submission


def answer_number(
    says: str,
    wanted: Callable[[Facts], float],
    tolerance: float = 0.0,
    *,
    weight: float = 1.0,
    id: str = "answer",
) -> Checkpoint:
    """The last line of the answer holds one number, the wanted one within the tolerance."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found, truth = read_number(submission.answer), wanted(facts)
        return finding(near(found, truth, tolerance), f"expected {truth:.6g}, found {found}")

    return leaf(id, says, check, observes=("answer",), weight=weight)


def answer_name(
    says: str,
    wanted: Callable[[Facts], str],
    among: Callable[[Facts], Iterable[str]],
    *,
    weight: float = 1.0,
    id: str = "answer",
) -> Checkpoint:
    """The last line of the answer names the wanted one, and no other of those that it could be."""

    def check(submission: Submission, facts: Facts) -> Finding:
        named = [name for name in among(facts) if mentions(submission.answer, name)]
        says = f"{find_last_line(submission.answer)[:80]!r} names {named}, expected {wanted(facts)!r}"
        return finding(named == [wanted(facts)], says)

    return leaf(id, says, check, observes=("answer",), weight=weight)
