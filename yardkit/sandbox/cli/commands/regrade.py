"""``yardkit regrade``: grade finished runs again."""

import argparse
from pathlib import Path

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.job_options import add_jobs, chosen_jobs

_DESCRIPTION = """\
Grade the finished episodes of a run again, without the agent, for example after a check was fixed.

The evaluators look at the worlds as they were frozen when each episode ended. Results and reports are
written again. Exit codes as for `yardkit run`."""

_EXAMPLES = """\
  yardkit regrade runs/demo
  yardkit regrade runs/demo --jobs 4"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "regrade", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("directory", type=Path, metavar="DIR", help="a run directory")
    add_jobs(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.cli.run_display import carry_out_regrading
    from yardkit.sandbox.runs.run_directory import RunDirectory

    return carry_out_regrading(RunDirectory(arguments.directory), chosen_jobs(arguments))
