"""Options of commands that work on generated tasks: the domains, and a grid of parameter values."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.sandbox.tasks.task import Task

_SHORT = ("mode", "variant", "ops")
"""Parameters with options of their own. Lengths come last: a run goes through those of one kind before the next."""


def add_dials(parser: argparse.ArgumentParser) -> None:
    """Add ``--domain``, ``--ops``, ``--mode``, ``--variant`` and ``--with``; read with `chosen_tasks`."""
    group = parser.add_argument_group("generated tasks", "Several values with commas give every combination of them.")
    group.add_argument("--domain", metavar="D,...", help="only the tasks of these names, such as documents")
    group.add_argument("--ops", metavar="N,...", help="operations that must be solved, such as 5,10,20")
    group.add_argument("--mode", metavar="M,...", help="bottom-up or top-down, of tasks that can be both")
    group.add_argument("--variant", metavar="V,...", help="of tasks that have variants, such as standard,hard")
    group.add_argument(
        "--with",
        dest="dials",
        action="append",
        default=[],
        metavar="NAME=V,...",
        help="values of any other parameter of the tasks; may be repeated",
    )


def any_dials(arguments: argparse.Namespace) -> bool:
    """Whether one of the options was given."""
    return bool(arguments.dials) or any(getattr(arguments, name) is not None for name in ("domain", *_SHORT))


def chosen_tasks(names: Sequence[str], arguments: argparse.Namespace) -> "list[Task]":
    """Return the instances that `names` and the options select; those left out are listed on stderr.

    Raises:
        Problem: as `expand_instances`, or an option is not a list of values.
    """
    from yardkit.sandbox.tasks.instances import expand_instances

    domains = [] if arguments.domain is None else _split_words("--domain", arguments.domain)
    tasks, left_out = expand_instances(names, domains, _read_dials(arguments))
    for reason in left_out:
        print(f"yardkit: left out: {reason}", file=sys.stderr)  # noqa: T201
    return tasks


def _read_dials(arguments: argparse.Namespace) -> dict[str, list[str]]:
    dials: dict[str, list[str]] = {}
    for pair in arguments.dials:
        name, sign, values = pair.partition("=")
        if not sign or not name:
            raise Problem(f"--with {pair!r}: write NAME=VALUE or NAME=VALUE,VALUE, such as branching=2,4")
        if name in dials or getattr(arguments, name if name in _SHORT else "", None) is not None:
            raise Problem(f"--with {pair!r}: {name} is given twice; write all its values in one option")
        dials[name] = _split_words(f"--with {name}=", values)
    given = {name: text for name in _SHORT if (text := getattr(arguments, name)) is not None}
    return {**dials, **{name: _split_words(f"--{name}", text) for name, text in given.items()}}


def _split_words(option: str, text: str) -> list[str]:
    words = text.split(",")
    if not all(words):
        raise Problem(f"{option} {text!r}: write values with commas between them, such as A or A,B")
    return list(dict.fromkeys(words))
