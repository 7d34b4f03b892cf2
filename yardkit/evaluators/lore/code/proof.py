"""Solutions and near misses of lore/code."""

from collections.abc import Mapping
from pathlib import Path

from yardkit.benchmarks.lore.solving.interpreter import Module
from yardkit.benchmarks.lore.solving.misses import (
    near_miss_every_candidate_listed,
    near_miss_gave_up_on_the_way,
    near_miss_halted_before_the_end,
    near_miss_ids_tried_by_the_hundred,
)
from yardkit.benchmarks.lore.solving.solver import Mind, Perfect, children_first
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, ToolFailed

ROOT = "main"
_MODULUS = 999_983


def solve(agent: Agent) -> str:
    return walk_graph(agent, Perfect())


def walk_graph(agent: Agent, mind: Mind) -> str:
    """Solve it as well as `mind` can: read down to the modules that import none, and work the way back."""
    return str(evaluate_root(modules_read(agent), mind))


def modules_read(agent: Agent, *, breadth_first: bool = False) -> dict[str, Module]:
    """All modules that the program needs, by name."""
    modules: dict[str, Module] = {}
    todo = [ROOT]
    while todo:
        name = todo.pop(0 if breadth_first else -1)
        if name not in modules:
            modules[name] = Module(agent.text("read_lore_document", doc_id=f"{name}.py").partition("\n")[2])
            todo += modules[name].imports
    return modules


def evaluate_root(modules: Mapping[str, Module], mind: Mind) -> int:
    """What ``main()`` of the root returns."""
    results: dict[str, int] = {}
    for name in children_first(ROOT, lambda name: modules[name].imports):
        result = modules[name].run_main(results)
        results[name] = int(mind.worked_out(result)) if modules[name].imports else result
    return results[ROOT]


def alternative_level_by_level(agent: Agent, _files: Path) -> str:
    """Another order of reading, and more words around the number."""
    modules = modules_read(agent, breadth_first=True)
    return f"I read {len(modules)} files, level by level.\n\n**{evaluate_root(modules, Perfect())}**"


def alternative_with_wrong_names_and_files_read_again(agent: Agent, _files: Path) -> str:
    """An agent that looks for files which are not there, and reads the first one twice."""
    for name in ("v0", "__init__.py", "README.md", "main"):
        try:
            agent.call("read_lore_document", doc_id=name)
        except ToolFailed:
            continue
    modules_read(agent)
    return f"The program prints:\nmain() = {walk_graph(agent, Perfect())}."


near_miss_the_last_remainder_not_taken = misses.change_answer(lambda work: int(work.answer) + _MODULUS)


near_miss_a_remainder_below_zero = misses.change_answer(lambda work: int(work.answer) - _MODULUS)
