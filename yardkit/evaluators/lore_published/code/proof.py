"""Solutions and near misses of lore_published/code."""

from yardkit.benchmarks.lore.solving.misses import (
    near_miss_every_candidate_listed,
    near_miss_gave_up_on_the_way,
    near_miss_halted_before_the_end,
)
from yardkit.evaluators.lore.code.proof import (
    alternative_level_by_level,
    alternative_with_wrong_names_and_files_read_again,
    solve,
    walk_graph,
)
from yardkit.evaluators.proof import Solved, caught_by_leaf


@caught_by_leaf("answer")
def near_miss_one_too_many(work: Solved) -> None:
    """One sleep was counted twice."""
    work.answer = str(int(work.facts["answer"]) + 1)
