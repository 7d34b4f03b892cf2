"""``toolyard prove``: show that evaluators can be trusted."""

import argparse
from pathlib import Path

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.sandbox.cli.run import add_jobs, add_seeds, chosen_jobs, chosen_seeds

_SEEDS = 5

_DESCRIPTION = """\
Show for each task that its evaluator fails the untouched world, accepts the reference solution and
every other right way, kills every near miss and every automatic mutant by the checkpoint that looks
there, grades twice the same, and survives hostile files. Exit code 1 when anything of it does not hold."""

_EXAMPLES = """\
  toolyard prove sort_inbox --seeds 1
  toolyard prove quickstart --seeds 5 --jobs 2 --cards docs/tasks"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "prove", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("names", nargs="*", metavar="SUITE|TASK", help="default: every task")
    add_seeds(parser, default=_SEEDS)
    add_jobs(parser)
    parser.add_argument("--cards", type=Path, metavar="DIR", help="write a card of each proof that holds below DIR")


def run(arguments: argparse.Namespace) -> int:
    from toolyard.sandbox.proofs import carry_out_proofs
    from toolyard.sandbox.tasks import find_tasks, suites

    seeds, jobs = chosen_seeds(arguments, _SEEDS), chosen_jobs(arguments)
    tasks = find_tasks(arguments.names or list(suites()))
    for task in tasks:
        task.checks()
        task.proof()
    return carry_out_proofs(tasks, seeds, jobs, arguments.cards)
