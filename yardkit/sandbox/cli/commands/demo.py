"""``yardkit demo``: the quickstart suite, solved by the reference agent."""

import argparse
from pathlib import Path

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.job_options import add_jobs, chosen_jobs
from yardkit.world import Problem

_DESCRIPTION = """\
Seed the quickstart suite, let the reference agent solve it over MCP, grade it, print the table and
write the HTML report. Whatever an earlier demo left in the directory is replaced."""

_EXAMPLES = """\
  yardkit demo
  yardkit demo --jobs 2 --runs runs/demo"""

_TIME_LIMIT_S = 600.0


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "demo", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("--runs", type=Path, default=Path("runs/demo"), metavar="DIR", help="default: %(default)s")
    add_jobs(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.cli.run_display import carry_out
    from yardkit.sandbox.runs.run_directory import RunDirectory
    from yardkit.sandbox.runs.runner import plan_of
    from yardkit.world import remove_world

    jobs = chosen_jobs(arguments)
    plan = plan_of(["quickstart"], [0], "reference", {}, _TIME_LIMIT_S)
    directory = RunDirectory(arguments.runs)
    if arguments.runs.exists():
        if any(arguments.runs.iterdir()) and not directory.exists():
            raise Problem(f"{str(arguments.runs)!r} holds something else than a run; name another --runs")
        with directory.in_use():
            remove_world(arguments.runs)
    return carry_out(plan, directory, jobs)
