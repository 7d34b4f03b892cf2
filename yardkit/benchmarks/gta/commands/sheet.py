"""``yardkit gta sheet``: a sheet for people to rate leaves."""

import argparse
from pathlib import Path

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.world import save_text

_DESCRIPTION = """\
Write a sheet (CSV) for people to rate the leaves of the set Workflow: fill in the points, 0 to 10."""

_EXAMPLES = """\
  yardkit gta sheet gta_dataset_v2 --output sheet_of_ada.csv"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "sheet", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="DIR", help="the folder of the set")
    parser.add_argument("--output", type=Path, metavar="FILE", required=True, help="the file for the sheet")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.scores.agreement import write_sheet
    from yardkit.benchmarks.gta.sets.workflow import read_workflow

    tasks = read_workflow(arguments.path).tasks
    save_text(arguments.output.absolute(), write_sheet(tasks))
    return print_summary({"tasks": len(tasks), "written": str(arguments.output)}, arguments)
