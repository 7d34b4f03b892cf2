"""``yardkit prove``: show that evaluators can be trusted."""

import argparse
from pathlib import Path

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.job_options import add_jobs, add_seeds, chosen_jobs, chosen_seeds
from yardkit.sandbox.serving.registry import ALL

_SEEDS = 5

_DESCRIPTION = """\
Check for each task that its evaluator fails the untouched world, accepts the reference solution and
every alternative solution, fails every near miss and every automatic mutant at the checkpoint that covers
it, gives the same grade twice, and survives hostile files. Exit code 1 when any of this fails."""

_EXAMPLES = """\
  yardkit prove sort_inbox --seeds 1
  yardkit prove --check
  yardkit prove office --stale --jobs 2
  yardkit prove quickstart --seeds 5 --jobs 2 --cards runs/cards"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "prove", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("names", nargs="*", metavar="SUITE|TASK", help="default: `all`, every task")
    add_seeds(parser, default=_SEEDS)
    add_jobs(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--stale", action="store_true", help="prove what proofs.lock lacks or has stale; by default seed 0"
    )
    how.add_argument("--check", action="store_true", help="prove nothing; list what --stale would prove and why")
    how.add_argument("--variants", action="store_true", help="also prove the variants that task.toml names")
    how.add_argument("--cards", type=Path, metavar="DIR", help="write a card of each valid proof below DIR")


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.cli.proof_display import carry_out_proofs, carry_out_stale_proofs, check_proofs
    from yardkit.sandbox.proofs.stale import with_variants
    from yardkit.sandbox.tasks.suites import find_tasks, list_suites

    lock = arguments.stale or arguments.check
    seeds, jobs = chosen_seeds(arguments, 1 if lock else _SEEDS), chosen_jobs(arguments)
    tasks = find_tasks(list(list_suites()) if arguments.names in ([], [ALL]) else arguments.names)
    tasks = with_variants(tasks) if lock or arguments.variants else tasks
    for task in tasks:
        task.checks()
        task.proof()
    if arguments.check:
        return check_proofs(tasks, seeds)
    if arguments.stale:
        return carry_out_stale_proofs(tasks, seeds, jobs)
    return carry_out_proofs(tasks, seeds, jobs, arguments.cards)
