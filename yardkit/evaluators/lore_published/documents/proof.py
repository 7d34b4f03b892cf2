"""Solutions and near misses of lore_published/documents."""

from yardkit.benchmarks.lore.solving.misses import (
    near_miss_an_earlier_result,
    near_miss_every_candidate_listed,
    near_miss_gave_up_on_the_way,
    near_miss_halted_before_the_end,
)
from yardkit.evaluators.lore.documents.proof import (
    alternative_after_a_few_wrong_ids,
    alternative_each_document_read_twice,
    solve,
    walk_graph,
)
