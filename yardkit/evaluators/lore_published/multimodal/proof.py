"""Solutions and near misses of lore_published/multimodal."""

from yardkit.evaluators.lore.multimodal.proof import (
    also_looks_at_turned_pictures,
    also_says_what_is_asked_for,
    miss_an_earlier_result,
    miss_every_candidate_listed,
    miss_gave_up_on_the_way,
    miss_halted_before_the_end,
    solve,
    walk,
)

__all__ = [
    "also_looks_at_turned_pictures",
    "also_says_what_is_asked_for",
    "miss_an_earlier_result",
    "miss_every_candidate_listed",
    "miss_gave_up_on_the_way",
    "miss_halted_before_the_end",
    "solve",
    "walk",
]
