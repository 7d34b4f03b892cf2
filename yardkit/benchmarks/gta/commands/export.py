"""``yardkit gta export``: write our suite as data sets in the published formats."""

import argparse
import sys
from pathlib import Path

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.job_options import add_jobs, chosen_jobs
from yardkit.world import Problem

_DESCRIPTION = """\
Write our suite `gta` as data sets in the forms of the papers: DIR/atomic (dataset.json, toolmeta.json, image/) and
DIR/workflow (end.json, toolmeta.json, files/). Gold chains are what the reference agent does, with the results of the
tools; another seed is another instance of each task."""

_EXAMPLES = """\
  yardkit gta export sets
  yardkit gta export sets_of_seed_3 --seed 3 --jobs 2
  yardkit gta check sets/atomic"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "export", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="DIR", help="a new folder")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the tasks (default %(default)s)")
    parser.add_argument("--task", action="append", default=[], metavar="NAME", help="only this task; may be repeated")
    add_jobs(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.running.exporting import SUITE, export_suite

    if arguments.seed < 0:
        raise Problem(f"--seed {arguments.seed}: a seed is 0 or more")
    left_out: dict[str, str] = {}

    def ended(task: str, why: str) -> None:
        if why:
            left_out[task] = why
        print(f"yardkit: {task}: {why or 'written'}", file=sys.stderr)  # noqa: T201

    counts = export_suite(arguments.path, arguments.seed, chosen_jobs(arguments), ended, arguments.task or [SUITE])
    print_summary({"written": str(arguments.path), "tasks": counts, "left out": left_out}, arguments)
    return 1 if left_out else 0
