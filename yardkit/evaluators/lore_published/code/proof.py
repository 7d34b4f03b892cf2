"""Solutions and near misses of lore_published/code."""

from yardkit.evaluators.lore.code.proof import (
    also_level_by_level,
    also_with_wrong_names_and_files_read_again,
    miss_every_candidate_listed,
    miss_gave_up_on_the_way,
    miss_halted_before_the_end,
    solve,
    walk,
)
from yardkit.evaluators.proof import Solved, killed_by

__all__ = [
    "also_level_by_level",
    "also_with_wrong_names_and_files_read_again",
    "miss_every_candidate_listed",
    "miss_gave_up_on_the_way",
    "miss_halted_before_the_end",
    "miss_one_too_many",
    "solve",
    "walk",
]


@killed_by("answer")
def miss_one_too_many(work: Solved) -> None:
    """One sleep was counted twice."""
    work.answer = str(int(work.facts["answer"]) + 1)
