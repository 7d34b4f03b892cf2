"""``yardkit gta check``: show the contents of a set."""

import argparse
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.world import Problem

_DESCRIPTION = """\
Read a set and report its contents, and what is broken or unknown, with its position in the file."""

_EXAMPLES = """\
  yardkit gta check gta_dataset
  yardkit gta check gta_dataset_v2 --format json"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "check", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="DIR", help="the folder of a set: dataset.json or end.json")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.path
    if (folder / "dataset.json").is_file():
        return print_summary(_check_atomic(folder), arguments)
    if (folder / "end.json").is_file():
        return print_summary(_check_workflow(folder), arguments)
    raise Problem(f"{folder.name!r} holds neither dataset.json (GTA) nor end.json (GTA-2)")


def _check_atomic(folder: Path) -> dict[str, Any]:
    from yardkit.benchmarks.gta.sets.atomic import read_atomic

    data = read_atomic(folder)
    samples = list(data.samples.values())
    kinds = [sample.kind for sample in samples]
    return {
        "samples": len(samples),
        "kinds": {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
        "gold calls": sum(len(sample.calls) for sample in samples),
        "tools": sorted({name for sample in samples for name in sample.tools}),
        "broken": dict(data.broken),
        "remarks": list(data.remarks),
    }


def _check_workflow(folder: Path) -> dict[str, Any]:
    from yardkit.benchmarks.gta.sets.workflow import read_workflow

    data = read_workflow(folder)
    tasks = list(data.tasks.values())
    leaves = [sum(1 for _ in task.root.list_leaves()) for task in tasks]
    return {
        "tasks": len(tasks),
        "leaves": sum(leaves),
        "leaves of a task": f"{min(leaves)} to {max(leaves)}",
        "tools": sorted({name for task in tasks for name in task.tools}),
        "broken": dict(data.broken),
        "remarks": list(data.remarks),
    }
