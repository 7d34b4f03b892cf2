"""Solutions and near misses of lore/multimodal."""

from contextlib import suppress
from pathlib import Path

from yardkit.benchmarks.lore.solving.misses import (
    near_miss_an_earlier_result,
    near_miss_every_candidate_listed,
    near_miss_gave_up_on_the_way,
    near_miss_halted_before_the_end,
    near_miss_ids_tried_by_the_hundred,
)
from yardkit.benchmarks.lore.solving.solver import Mind, Perfect, make_picture_reader, solve_documents, starts_of
from yardkit.evaluators.proof import Agent, ToolFailed


def solve(agent: Agent) -> str:
    return walk_graph(agent, Perfect())


def walk_graph(agent: Agent, mind: Mind) -> str:
    """Solve it as well as `mind` can."""
    return solve_documents(agent.prompt, make_picture_reader(agent), mind)


def alternative_looks_at_turned_pictures(agent: Agent, _files: Path) -> str:
    """Formulas are read from a rotated view."""
    return solve_documents(agent.prompt, make_picture_reader(agent, turned=True), Perfect())


def alternative_says_what_is_asked_for(agent: Agent, _files: Path) -> str:
    """The answer as an equation, after some other views of a picture that tell nothing new."""
    answer = walk_graph(agent, Perfect())
    start = starts_of(agent.prompt)[0]
    for tool, values in (("flip_image", {"direction": "vertical"}), ("rotate_image", {"angle": 12})):
        with suppress(ToolFailed):  # it may show no picture
            agent.call(tool, doc_id=start, **values)
    return f"v0: {answer}"
