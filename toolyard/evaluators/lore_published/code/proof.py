"""Solutions and near misses of lore_published/code."""

from toolyard.evaluators.lore.code.proof import (
    also_level_by_level,
    also_with_wrong_names_and_files_read_again,
    miss_every_candidate_listed,
    miss_gave_up_on_the_way,
    miss_halted_before_the_end,
    solve,
    walk,
)

__all__ = [
    "also_level_by_level",
    "also_with_wrong_names_and_files_read_again",
    "miss_every_candidate_listed",
    "miss_gave_up_on_the_way",
    "miss_halted_before_the_end",
    "solve",
    "walk",
]
