"""Solutions and near misses of lore_published/documents."""

from yardkit.evaluators.lore.documents.proof import (
    also_after_a_few_wrong_ids,
    also_each_document_read_twice,
    miss_an_earlier_result,
    miss_every_candidate_listed,
    miss_gave_up_on_the_way,
    miss_halted_before_the_end,
    solve,
    walk,
)

__all__ = [
    "also_after_a_few_wrong_ids",
    "also_each_document_read_twice",
    "miss_an_earlier_result",
    "miss_every_candidate_listed",
    "miss_gave_up_on_the_way",
    "miss_halted_before_the_end",
    "solve",
    "walk",
]
