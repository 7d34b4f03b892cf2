"""Near misses of the answer, and of a missing look at the result."""

import re
from collections.abc import Callable

from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.proof import Miss, Solved


def change_answer(change: Callable[[Solved], object], caught_by: Leaves = "answer") -> Miss:
    """The answer is another one, made from the solved world."""

    def corrupt_world(work: Solved) -> None:
        work.answer = str(change(work))

    return make_miss(caught_by, corrupt_world)


def answered_with(mistake: str, caught_by: Leaves = "answer") -> Miss:
    """The answer is the result of a mistake: the one in ``facts["others"]`` with this name."""
    return change_answer(lambda work: work.facts["others"][mistake], caught_by)


def all_answers_listed(caught_by: Leaves = "answer") -> Miss:
    """The answer lists the right answer and every wrong one in one line, without deciding."""
    return change_answer(
        lambda work: " or ".join([_list_first_aliases(work), *work.facts["others"].values()]), caught_by
    )


def number_off(caught_by: Leaves = "answer") -> Miss:
    """The last digit of the answer is wrong."""
    return change_answer(
        lambda work: re.sub(r"\d(?=\D*$)", lambda last: f"{(int(last[0]) + 1) % 10}", _list_first_aliases(work)),
        caught_by,
    )


def make_empty_words(caught_by: Leaves = "answer") -> Miss:
    """The answer has many words but no content."""
    return change_answer(
        lambda _: "I looked at everything that was given and worked the answer out step by step.", caught_by
    )


def _list_first_aliases(work: Solved) -> str:
    """List the first alias of each group of the whitelist."""
    return " ".join(group[0] for group in work.facts["gt_answer"]["whitelist"])


def never_looked(caught_by: Leaves = "looked") -> Miss:
    """The agent never requested a picture."""

    def corrupt_world(work: Solved) -> None:
        work.calls[:] = [call for call in work.calls if not call["media"]]

    return make_miss(caught_by, corrupt_world)


def never_inspected(caught_by: Leaves = "inspected") -> Miss:
    """The agent never inspected its results: no picture was shown and no call read content."""

    def corrupt_world(work: Solved) -> None:
        changing_calls = [call for call in work.calls if call["state_before"] != call["state_after"]]
        work.calls[:] = [{**call, "media": ()} for call in changing_calls]

    return make_miss(caught_by, corrupt_world)
