"""Solutions and near misses of lore_published/multimodal."""

from yardkit.benchmarks.lore.solving.misses import (
    near_miss_an_earlier_result,
    near_miss_every_candidate_listed,
    near_miss_gave_up_on_the_way,
    near_miss_halted_before_the_end,
)
from yardkit.evaluators.lore.multimodal.proof import (
    alternative_looks_at_turned_pictures,
    alternative_says_what_is_asked_for,
    solve,
    walk_graph,
)
