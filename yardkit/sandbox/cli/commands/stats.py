"""``yardkit stats``: show the composition of a suite."""

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from yardkit.sandbox.cli import Subparsers, new_parser

if TYPE_CHECKING:
    from yardkit.sandbox.proofs.stats import Stats

_DESCRIPTION = """\
Summarize suites: tasks by domain, difficulty, inputs and deliverables; and, from the
proofs on file, which servers and tools the reference solutions use, which servers together, with how
many calls, and which tools no proof ever calls."""

_EXAMPLES = """\
  yardkit stats office
  yardkit stats all --json"""

_TOOLS = 25
"""Tools that are listed; the JSON has all."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "stats", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "names",
        nargs="+",
        metavar="SUITE|TASK|all",
        help="the tasks; with `all`, servers that no task offers are included too",
    )
    parser.add_argument("--json", action="store_true", help="all figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.proofs.proofs_lock import read_lock
    from yardkit.sandbox.proofs.stats import stats_of
    from yardkit.sandbox.serving.registry import server_names
    from yardkit.sandbox.tasks.suites import find_tasks, list_suites

    names = [suite for name in arguments.names for suite in (list_suites() if name == "all" else [name])]
    stats = stats_of(find_tasks(names), read_lock(), server_names() if "all" in arguments.names else ())
    print(json.dumps(stats.as_dict(), indent=2) if arguments.json else "\n".join(_format_stats(stats)))  # noqa: T201
    return 0


def _format_stats(stats: "Stats") -> Iterator[str]:
    low, middle, high = stats.calls
    yield f"{len(stats.tasks)} tasks; calls of the reference solution: {low} to {high}, median {middle:g}"
    for title, counted in (
        ("Domains", stats.domains),
        ("Difficulty", stats.difficulties),
        ("Inputs", stats.modalities),
        ("Deliverables", stats.deliverables),
    ):
        yield from _format_counts(title, counted)
    yield from ("", "Servers: tasks that offer them, tasks whose solution uses them")
    for server, tasks in stats.offered.items():
        yield f"  {server:<34}{tasks:>6}{stats.used.get(server, 0):>6}"
    yield from _format_counts("Servers together, by tasks", stats.combinations)
    yield from ("", f"Tools: calls of the solutions, tasks in which they are called ({len(stats.tasks_by_tool)} tools)")
    for tool in [*stats.tools][:_TOOLS]:
        yield f"  {tool:<34}{stats.tools[tool]:>6}{stats.tasks_by_tool[tool]:>6}"
    if len(stats.tools) > _TOOLS:
        yield f"  ... and {len(stats.tools) - _TOOLS} more, see --json"
    yield from ("", f"Tools that no proof calls: {sum(map(len, stats.uncalled.values()))}")
    for server, tools in stats.uncalled.items():
        yield f"  {server}: {', '.join(tools)}"


def _format_counts(title: str, counted: Mapping[str, int]) -> Iterator[str]:
    yield from ("", title)
    for word, tasks in counted.items():
        yield f"  {word:<34}{tasks:>6}"
