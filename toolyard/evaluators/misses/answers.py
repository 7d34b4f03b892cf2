"""Near misses of the answer, and of the look that was not taken."""

from collections.abc import Callable

from toolyard.evaluators.misses.edits import Leaves, miss
from toolyard.evaluators.proof import Miss, Solved


def answered(change: Callable[[Solved], object], kills: Leaves = "answer") -> Miss:
    """Another answer, made from the solved world."""

    def spoil(work: Solved) -> None:
        work.answer = str(change(work))

    return miss(kills, spoil)


def never_looked(kills: Leaves = "looked") -> Miss:
    """No picture was asked for."""

    def spoil(work: Solved) -> None:
        work.calls[:] = [call for call in work.calls if not call["media"]]

    return miss(kills, spoil)


def never_inspected(kills: Leaves = "inspected") -> Miss:
    """Only what was made counts: nothing was shown, and nothing was read that was not changed."""

    def spoil(work: Solved) -> None:
        made = [call for call in work.calls if call["state_before"] != call["state_after"]]
        work.calls[:] = [{**call, "media": ()} for call in made]

    return miss(kills, spoil)
