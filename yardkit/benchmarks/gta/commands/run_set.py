"""``yardkit gta run``: run an agent on a set end to end."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.commands.run import settings_of
from yardkit.sandbox.cli.job_options import add_jobs, chosen_jobs
from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.benchmarks.gta.running.set_tasks import SetTask
    from yardkit.benchmarks.gta.running.working import Ended

_DESCRIPTION = """\
Let an agent work end to end on a set of GTA or GTA-2 as it is released: each task is a workspace with its files, and
its own tools or all of the set. --output DIR gets predictions.json (as OpenCompass writes it, for `yardkit gta score
--mode run`), a folder for each task with final.txt and files/ (for `yardkit gta judge`), and usage.csv.

The same command goes on with a run that was interrupted; what its model's service broke is done again.

The agent is any of `yardkit run`: openai:MODEL (--set protocol=react for calls as text, --set max_turns=10 for the
turns that the papers allow), command:"PROGRAM .."."""

_EXAMPLES = """\
  yardkit gta run gta_dataset --agent openai:gpt-5.2 --output runs/gpt --jobs 4
  yardkit gta run gta_dataset --agent openai:my-model --set protocol=react --all-tools --output runs/mine
  yardkit gta run gta_dataset_v2 --agent openai:gpt-5.2 --output runs/flows"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "run", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="DIR", help="the folder of the set")
    parser.add_argument("--agent", required=True, help="who works")
    parser.add_argument("--output", type=Path, metavar="DIR", required=True, help="the folder of the run")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the agent; may be repeated"
    )
    parser.add_argument("--all-tools", action="store_true", help="all tools of the set, not only those of the task")
    parser.add_argument(
        "--time-limit", type=float, default=1800.0, metavar="S", help="seconds for one task (%(default)g)"
    )
    add_jobs(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.running.working import PREDICTIONS, save_work, settle_run, work_on_set
    from yardkit.sandbox.agents import make_agent

    settings, output = settings_of(arguments.set), arguments.output
    make_agent(arguments.agent, settings)
    names, tasks, broken = _read_tasks(arguments.path, all_tools=arguments.all_tools)
    tools = "all" if arguments.all_tools else "of each task"
    settle_run(output, {"agent": arguments.agent, "settings": settings, "tools": tools})
    invalid: dict[str, str] = {}

    def ended(name: str, how: "Ended") -> None:
        if how.fault:
            invalid[name] = how.fault
        print(f"yardkit: {name}: {how.fault or how.stop}, {how.calls} calls", file=sys.stderr)  # noqa: T201

    work_on_set(tasks, output, arguments.agent, settings, arguments.time_limit, chosen_jobs(arguments), ended)
    summary = {
        "tasks": len(names),
        "ended": save_work(output, names),
        "tools": tools,
        "written": str(output / PREDICTIONS),
        "invalid": invalid,
        "broken": broken,
    }
    print_summary(summary, arguments)
    return 3 if invalid else 0


def _read_tasks(folder: Path, *, all_tools: bool) -> tuple[list[str], "dict[str, SetTask]", dict[str, Any]]:
    """Read the ids of the set, its tasks, and the faults of those that cannot be used."""
    from yardkit.benchmarks.gta.running.set_tasks import read_set, set_task
    from yardkit.benchmarks.gta.sets.atomic import AtomicSet

    data = read_set(folder)
    items = data.samples if isinstance(data, AtomicSet) else data.tasks
    broken, tasks = dict(data.broken), {}
    for name, item in items.items():
        try:
            tasks[name] = set_task(item, folder, all_tools=all_tools)
        except Problem as problem:
            broken[name] = str(problem)
    if not tasks:
        raise Problem(f"no task of {folder.name!r} can be used; {next(iter(broken.values()))}")
    return list(data.ids if isinstance(data, AtomicSet) else items), tasks, broken
