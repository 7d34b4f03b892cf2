"""Solutions and near misses of lore/documents."""

from pathlib import Path

from yardkit.evaluators.lore.misses import (
    miss_an_earlier_result,
    miss_every_candidate_listed,
    miss_gave_up_on_the_way,
    miss_halted_before_the_end,
    miss_ids_tried_by_the_hundred,
)
from yardkit.evaluators.lore.solver import Mind, Page, Perfect, reader, walked
from yardkit.evaluators.proof import Agent, ToolFailed

__all__ = [
    "miss_an_earlier_result",
    "miss_every_candidate_listed",
    "miss_gave_up_on_the_way",
    "miss_halted_before_the_end",
    "miss_ids_tried_by_the_hundred",
]


def solve(agent: Agent) -> str:
    return walk(agent, Perfect())


def walk(agent: Agent, mind: Mind) -> str:
    """Solve it as well as `mind` can."""
    return walked(agent.prompt, reader(agent), mind)


def also_each_document_read_twice(agent: Agent, _files: Path) -> str:
    """An agent that forgets that it has read a document, and says more than the value."""
    once = reader(agent)

    def twice(name: str) -> Page:
        once(name)
        return once(name)

    return f"I followed all rules.\n\n**{walked(agent.prompt, twice, Perfect())}**"


def also_after_a_few_wrong_ids(agent: Agent, _files: Path) -> str:
    """Wrong results that the agent notices, since no such document exists."""
    for number in range(5):
        try:
            agent.call("read_lore_document", doc_id=f"v{number}%nothing")
        except ToolFailed:
            continue
    return f"The value is\nv0 = {walk(agent, Perfect())}."
