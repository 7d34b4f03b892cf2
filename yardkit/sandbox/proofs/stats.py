"""The composition of a suite: its tasks by kind, and the servers and tools that their reference solutions use."""

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from yardkit.sandbox.proofs.proofs_lock import Entry, Instance
from yardkit.sandbox.serving.catalog import list_catalog
from yardkit.sandbox.serving.registry import list_dialects
from yardkit.sandbox.tasks.profiles import DELIVERABLES, DIFFICULTIES, DOMAINS, MODALITIES
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem


@dataclass(frozen=True)
class Stats:
    """The figures of some tasks. Mappings go from a word to the number of tasks, in display order.

    Attributes:
        domains, difficulties, modalities, deliverables: from `Profile`; a task with several counts for each.
        offered, used: the number of tasks that offer each server, and of those whose solver calls it.
        combinations: the servers of a solver, joined by ``+``, the most frequent first.
        calls: the calls of a solver: minimum, median and maximum.
        tools: calls of all solvers by ``server.tool``, on the first seed of each task.
        tasks_by_tool: the number of tasks in which a solver calls the tool, or an alternative calls or names it.
        uncalled: the tools, by server, that no proof calls or names.
    """

    tasks: tuple[str, ...]
    domains: Mapping[str, int]
    difficulties: Mapping[str, int]
    modalities: Mapping[str, int]
    deliverables: Mapping[str, int]
    offered: Mapping[str, int]
    used: Mapping[str, int]
    combinations: Mapping[str, int]
    calls: tuple[int, float, int]
    tools: Mapping[str, int]
    tasks_by_tool: Mapping[str, int]
    uncalled: Mapping[str, tuple[str, ...]]

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        low, middle, high = self.calls
        return {**asdict(self), "calls": {"min": low, "median": middle, "max": high}}


def stats_of(tasks: Sequence[Task], entries: Mapping[Instance, Entry], servers: Iterable[str] = ()) -> Stats:
    """Compute the figures of some tasks from their files and the lock; `uncalled` covers all `servers`, offered or not.

    Raises:
        Problem: a task is not proved.
    """
    proved = [_proofs_of(task, entries) for task in tasks]
    task_cards = [proofs[0] for proofs in proved]
    profiles = [task.profile for task in tasks]
    calls = [entry.calls for proofs in proved for entry in proofs]
    offered = Counter(server for task in tasks for server in task.servers)
    spoken = {task.dialect for task in tasks}
    known = {server: _list_tools(server, spoken) for server in sorted({*offered, *servers})}
    called = [{*entry.tools, *_list_named_tools(task, known)} for task, entry in zip(tasks, task_cards, strict=True)]
    by_tool = Counter(tool for some in called for tool in some)
    return Stats(
        tasks=tuple(task.id for task in tasks),
        domains=_count_in_order(DOMAINS, (profile.domain for profile in profiles)),
        difficulties=_count_in_order(DIFFICULTIES, (profile.difficulty for profile in profiles)),
        modalities=_count_in_order(MODALITIES, (word for profile in profiles for word in profile.modalities)),
        deliverables=_count_in_order(DELIVERABLES, (word for profile in profiles for word in profile.deliverables)),
        offered=_rank_counts(offered),
        used=_rank_counts(Counter(server for entry in task_cards for server in entry.servers)),
        combinations=_rank_counts(Counter("+".join(entry.servers) for entry in task_cards)),
        calls=(min(calls), float(median(calls)), max(calls)),
        tools=_rank_counts(sum((Counter(entry.tools) for entry in task_cards), Counter[str]())),
        tasks_by_tool=_rank_counts(by_tool),
        uncalled=_find_uncalled(known, by_tool),
    )


def _proofs_of(task: Task, entries: Mapping[Instance, Entry]) -> list[Entry]:
    """List the proofs of a task, by seed."""
    task_entries = [entries[instance] for instance in sorted(entries) if instance[0] == task.id]
    if not task_entries:
        raise Problem(f"proofs.lock has no proof of {task.id}; `yardkit prove {task.id} --stale` makes it")
    return task_entries


def _count_in_order(known: Sequence[str], words: Iterable[str]) -> dict[str, int]:
    counted = Counter(words)
    return {word: counted[word] for word in known if counted[word]}


def _rank_counts(counted: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _list_tools(server: str, spoken: Collection[str]) -> list[str]:
    """List the tools of a server, under its own names or those of the dialects in use."""
    known = sorted({*list_dialects(server), ""} & set(spoken))
    return [tool.name for dialect in known for entry in list_catalog([server], dialect) for tool in entry.tools]


def _list_named_tools(task: Task, tools: Mapping[str, Sequence[str]]) -> set[str]:
    """List the tools named anywhere in a proof, which works because the names of tools are unique in the suite."""
    folder = Path(str(task.proof().__file__)).parent
    nodes = (node for path in folder.glob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {f"{server}.{tool}" for server, known in tools.items() for tool in known if tool in texts}


def _find_uncalled(tools: Mapping[str, Sequence[str]], called: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    uncalled_tools = {
        server: tuple(tool for tool in known if f"{server}.{tool}" not in called) for server, known in tools.items()
    }
    return {server: missed for server, missed in uncalled_tools.items() if missed}
