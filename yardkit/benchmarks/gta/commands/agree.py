"""``yardkit gta agree``: how far two raters agree."""

import argparse
from dataclasses import asdict
from pathlib import Path

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.world import Problem

_DESCRIPTION = """\
Report how well two raters agree on leaves and roots: FILE and --with are sheets that were filled in, or the judged.json
that judge writes. Correlations, ICC, kappa, mean difference."""

_EXAMPLES = """\
  yardkit gta agree sheet_of_ada.csv --with results/judged.json --data gta_dataset_v2"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "agree", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="FILE", help="one rater")
    parser.add_argument("--with", dest="other", type=Path, metavar="FILE", required=True, help="the other rater")
    parser.add_argument("--data", type=Path, metavar="DIR", required=True, help="the folder of the set")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.scores.agreement import agree_on, check_known, read_ratings
    from yardkit.benchmarks.gta.sets.workflow import read_workflow

    tasks = read_workflow(arguments.data).tasks
    raters = [read_ratings(path) for path in (arguments.path, arguments.other)]
    for path, ratings in zip((arguments.path, arguments.other), raters, strict=True):
        check_known(ratings, tasks, path.name)
    agreements = agree_on(raters[0], raters[1], tasks)
    if not agreements["leaves"].items:
        raise Problem("the two raters rated no leaf in common")
    return print_summary({level: asdict(figures) for level, figures in agreements.items()}, arguments)
