"""Near misses of the answer, and of the look that was not taken."""

import re
from collections.abc import Callable

from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.proof import Miss, Solved


def change_answer(change: Callable[[Solved], object], caught_by: Leaves = "answer") -> Miss:
    """Another answer, made from the solved world."""

    def corrupt_world(work: Solved) -> None:
        work.answer = str(change(work))

    return make_miss(caught_by, corrupt_world)


def answered_with(mistake: str, caught_by: Leaves = "answer") -> Miss:
    """The wrong answer to which a mistake leads: that of ``facts["others"]`` with this name."""
    return change_answer(lambda work: work.facts["others"][mistake], caught_by)


def all_answers_listed(caught_by: Leaves = "answer") -> Miss:
    """The right answer and every wrong one in one line, so that nothing was decided."""
    return change_answer(
        lambda work: " or ".join([_list_first_aliases(work), *work.facts["others"].values()]), caught_by
    )


def number_off(caught_by: Leaves = "answer") -> Miss:
    """The right answer but for its last digit."""
    return change_answer(
        lambda work: re.sub(r"\d(?=\D*$)", lambda last: f"{(int(last[0]) + 1) % 10}", _list_first_aliases(work)),
        caught_by,
    )


def make_empty_words(caught_by: Leaves = "answer") -> Miss:
    """Many words, and no answer."""
    return change_answer(
        lambda _: "I looked at everything that was given and worked the answer out step by step.", caught_by
    )


def _list_first_aliases(work: Solved) -> str:
    """The first alias of each group of the whitelist."""
    return " ".join(group[0] for group in work.facts["gt_answer"]["whitelist"])


def never_looked(caught_by: Leaves = "looked") -> Miss:
    """No picture was asked for."""

    def corrupt_world(work: Solved) -> None:
        work.calls[:] = [call for call in work.calls if not call["media"]]

    return make_miss(caught_by, corrupt_world)


def never_inspected(caught_by: Leaves = "inspected") -> Miss:
    """Only what was made counts: nothing was shown, and nothing was read that was not changed."""

    def corrupt_world(work: Solved) -> None:
        changing_calls = [call for call in work.calls if call["state_before"] != call["state_after"]]
        work.calls[:] = [{**call, "media": ()} for call in changing_calls]

    return make_miss(caught_by, corrupt_world)
