"""Options of commands that work on many instances: the seeds and the number of parallel jobs."""

import argparse

from yardkit.sandbox.cli.episode_options import MAX_SEED
from yardkit.world import Problem

MAX_JOBS = 256


def add_seeds(parser: argparse.ArgumentParser, default: int) -> None:
    """Add ``--seeds N`` (or ``--tasks N``, as each seed is a task) and ``--seed-list``; read with `chosen_seeds`."""
    parser.add_argument("--seeds", "--tasks", type=int, metavar="N", help=f"seeds 0 to N-1 (default {default})")
    parser.add_argument("--seed-list", metavar="A,B,...", help="these seeds instead, such as 0,3,7")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs J``; read with `chosen_jobs`."""
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="J", help="how many to run at once (default %(default)s)"
    )


def chosen_seeds(arguments: argparse.Namespace, default: int) -> list[int]:
    """Return the seeds given on the command line.

    Raises:
        Problem: both options are given, the number is below 1, or a value is not a seed.
    """
    if arguments.seed_list is None:
        count = default if arguments.seeds is None else arguments.seeds
        if count < 1:
            raise Problem(f"--seeds {count}: at least one seed is needed")
        return list(range(count))
    if arguments.seeds is not None:
        raise Problem("--seeds and --seed-list exclude each other; leave one out")
    try:
        seeds = [int(word) for word in arguments.seed_list.split(",")]
    except ValueError:
        raise Problem(f"--seed-list {arguments.seed_list!r}: write numbers with commas, such as 0,3,7") from None
    if not all(0 <= seed <= MAX_SEED for seed in seeds):
        raise Problem(f"--seed-list {arguments.seed_list!r}: a seed is a whole number from 0 to {MAX_SEED}")
    return seeds


def chosen_jobs(arguments: argparse.Namespace) -> int:
    """Return the number of jobs.

    Raises:
        Problem: it is not between 1 and `MAX_JOBS`.
    """
    if not 1 <= arguments.jobs <= MAX_JOBS:
        raise Problem(f"--jobs {arguments.jobs}: use 1 to {MAX_JOBS}")
    jobs: int = arguments.jobs
    return jobs
