"""Options shared by the commands about episodes."""

import argparse
from pathlib import Path

from yardkit.world import Problem

MAX_SEED = 2**63 - 1


def add_runs(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--runs DIR``."""
    parser.add_argument(
        "--runs", type=Path, default=Path("runs"), metavar="DIR", help="where episodes are kept (./%(default)s)"
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--seed S``."""
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="which instance of the task (%(default)s)")


def add_extra_servers(parser: argparse.ArgumentParser, default: int | None = 0) -> None:
    """Add the option ``--extra-servers N``."""
    parser.add_argument(
        "--extra-servers",
        type=int,
        default=default,
        metavar="N",
        help="number of unrelated servers to offer besides the task's, as distractors (default 0)",
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--format text|json``."""
    parser.add_argument("--format", choices=["text", "json"], default="text", help="of the output (%(default)s)")


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > MAX_SEED:
        raise Problem(f"{text!r} is not a seed; use a whole number from 0 to {MAX_SEED}")
    return int(text)
