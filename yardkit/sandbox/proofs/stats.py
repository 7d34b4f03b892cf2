"""What a suite is made of: its tasks by kind, and the servers and tools that their reference solutions use."""

import ast
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import yardkit
from yardkit.programs.pool import Died, in_workers
from yardkit.sandbox.episodes.episode import open_new
from yardkit.sandbox.episodes.replies import ToolAgent
from yardkit.sandbox.proofs.cards import read_card, save_card
from yardkit.sandbox.proofs.proving import tools_called
from yardkit.sandbox.serving.catalog import catalog
from yardkit.sandbox.serving.registry import dialects, server_modules
from yardkit.sandbox.tasks.profiles import DELIVERABLES, DIFFICULTIES, DOMAINS, MODALITIES
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.world import Problem, remove_world

CARDS = Path(yardkit.__file__).parent.parent / "docs" / "tasks"
"""The cards of a checkout."""
PRELOAD = server_modules()
"""What `in_workers` keeps loaded in the process from which workers are forked: solvers work with tools."""
LIMIT_S = 1800.0
"""Seconds that solving one task may take."""


@dataclass(frozen=True)
class Stats:
    """The figures of some tasks. Mappings go from a word to the number of tasks, in the order in which they are shown.

    Attributes:
        domains, difficulties, modalities, deliverables: from `Profile`; of several a task counts for each.
        offered, used: servers by the number of tasks that offer them, and of those whose solver calls them.
        combinations: the servers of a solver, joined by ``+``, the most frequent first.
        calls: of a solver: the least, the median, the most.
        tools: calls of all solvers by ``server.tool``, on the first seed of each task.
        tasks_by_tool: in how many tasks a solver calls it, or another right way names it.
        uncalled: by server, the tools that no proof calls or names.
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
        """Plain JSON."""
        low, middle, high = self.calls
        return {**asdict(self), "calls": {"min": low, "median": middle, "max": high}}


def stats_of(tasks: Sequence[Task], cards: Path, servers: Iterable[str] = ()) -> Stats:
    """The figures of some tasks, from their files and their cards; `uncalled` also of other `servers` than they offer.

    Raises:
        Problem: a task has no card there, or its card lacks the tools.
    """
    shown = [_card(task, cards) for task in tasks]
    profiles = [task.profile for task in tasks]
    calls = [count for card in shown for count in card["calls"]]
    offered = Counter(server for task in tasks for server in task.servers)
    spoken = {task.dialect for task in tasks}
    known = {server: _tools(server, spoken) for server in sorted({*offered, *servers})}
    called = [{*card["tools"], *_named(task, known)} for task, card in zip(tasks, shown, strict=True)]
    by_tool = Counter(tool for some in called for tool in some)
    return Stats(
        tasks=tuple(task.id for task in tasks),
        domains=_ordered(DOMAINS, (profile.domain for profile in profiles)),
        difficulties=_ordered(DIFFICULTIES, (profile.difficulty for profile in profiles)),
        modalities=_ordered(MODALITIES, (word for profile in profiles for word in profile.modalities)),
        deliverables=_ordered(DELIVERABLES, (word for profile in profiles for word in profile.deliverables)),
        offered=_ranked(offered),
        used=_ranked(Counter(server for card in shown for server in card["servers_crossed"])),
        combinations=_ranked(Counter("+".join(card["servers_crossed"]) for card in shown)),
        calls=(min(calls), float(median(calls)), max(calls)),
        tools=_ranked(sum((Counter(card["tools"]) for card in shown), Counter[str]())),
        tasks_by_tool=_ranked(by_tool),
        uncalled=_uncalled(known, by_tool),
    )


def fill_cards(
    tasks: Sequence[Task], cards: Path, jobs: int, on_task: Callable[[str, str], None] = lambda _task, _fault: None
) -> list[str]:
    """Solve each task, on the first seed of its card, and write into the card which tools that calls.

    It judges nothing: `prove` does. Returns what did not work; `on_task` gets each task with its fault, if any.
    """
    faults = []
    cases = [(task.id, int((read_card(task, cards) or {"seeds": [0]})["seeds"][0])) for task in tasks]
    for (name, _seed), found in in_workers(solve_case, cases, jobs, LIMIT_S):
        fault = found.reason if isinstance(found, Died) else _fill(load_task(name), found, cards)
        faults += [f"{name}: {fault}"] if fault else []
        on_task(name, fault)
    return faults


def solve_case(case: tuple[str, int]) -> Counter[str] | str:
    """The calls by tool of ``solve`` on one instance; or why there are none."""
    task, root = load_task(case[0]), Path(tempfile.mkdtemp(prefix="yardkit-stats-"))
    try:
        episode = open_new(task, case[1], root)
        task.proof().solve(ToolAgent(episode))
        return tools_called(episode)
    except Exception as error:  # noqa: BLE001 - a broken solver must not end the others
        return f"solve failed: {type(error).__name__}: {error}"
    finally:
        remove_world(root)


def _fill(task: Task, tools: Counter[str] | str, cards: Path) -> str:
    """Write the tools into a card; why that cannot be, or an empty text."""
    card = read_card(task, cards)
    if isinstance(tools, str):
        return tools
    if card is None:
        return f"there is no card yet; make one with `yardkit prove {task.id} --cards {cards}`"
    if tools.total() != card["calls"][0]:
        return f"{tools.total()} calls, and its card says {card['calls'][0]}; prove it again"
    filled: dict[str, Any] = {}
    for name, value in card.items():
        filled[name] = value
        if name == "servers_crossed":  # where `card_of` puts them
            filled["tools"] = dict(sorted(tools.items()))
    save_card(task, {**filled, "tools": dict(sorted(tools.items()))}, cards)
    return ""


def _card(task: Task, cards: Path) -> dict[str, Any]:
    card = read_card(task, cards)
    if card is None:
        raise Problem(f"{task.id} has no card in {cards}; make it with `yardkit prove {task.id} --cards {cards}`")
    if "tools" not in card:
        raise Problem(f"the card of {task.id} does not say which tools were called; add --fill to find out")
    return card


def _ordered(known: Sequence[str], words: Iterable[str]) -> dict[str, int]:
    counted = Counter(words)
    return {word: counted[word] for word in known if counted[word]}


def _ranked(counted: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _tools(server: str, spoken: Collection[str]) -> list[str]:
    """Its tools in its own words or in dialects, whichever of them are spoken."""
    known = sorted({*dialects(server), ""} & set(spoken))
    return [tool.name for dialect in known for entry in catalog([server], dialect) for tool in entry.tools]


def _named(task: Task, tools: Mapping[str, Sequence[str]]) -> set[str]:
    """The tools that a proof names, in whichever of its right ways: names of tools are unique in the suite."""
    folder = Path(str(task.proof().__file__)).parent
    nodes = (node for path in folder.glob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {f"{server}.{tool}" for server, known in tools.items() for tool in known if tool in texts}


def _uncalled(tools: Mapping[str, Sequence[str]], called: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    found = {
        server: tuple(tool for tool in known if f"{server}.{tool}" not in called) for server, known in tools.items()
    }
    return {server: missed for server, missed in found.items() if missed}
