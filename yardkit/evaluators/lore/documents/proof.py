"""Solutions and near misses of lore/documents."""

from pathlib import Path

from yardkit.benchmarks.lore.solving.misses import (
    near_miss_an_earlier_result,
    near_miss_every_candidate_listed,
    near_miss_gave_up_on_the_way,
    near_miss_halted_before_the_end,
    near_miss_ids_tried_by_the_hundred,
)
from yardkit.benchmarks.lore.solving.solver import Mind, Page, Perfect, make_reader, solve_documents
from yardkit.evaluators.proof import Agent, ToolFailed


def solve(agent: Agent) -> str:
    return walk_graph(agent, Perfect())


def walk_graph(agent: Agent, mind: Mind) -> str:
    """Solve it as well as `mind` can."""
    return solve_documents(agent.prompt, make_reader(agent), mind)


def alternative_each_document_read_twice(agent: Agent, _files: Path) -> str:
    """An agent that forgets that it has read a document, and says more than the value."""
    once = make_reader(agent)

    def twice(name: str) -> Page:
        once(name)
        return once(name)

    return f"I followed all rules.\n\n**{solve_documents(agent.prompt, twice, Perfect())}**"


def alternative_after_a_few_wrong_ids(agent: Agent, _files: Path) -> str:
    """Wrong results that the agent notices, since no such document exists."""
    for number in range(5):
        try:
            agent.call("read_lore_document", doc_id=f"v{number}%nothing")
        except ToolFailed:
            continue
    return f"The value is\nv0 = {walk_graph(agent, Perfect())}."
