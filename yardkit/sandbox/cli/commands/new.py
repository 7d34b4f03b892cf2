"""``yardkit new``: write the skeleton of a server, an app or a task into this checkout."""

import argparse
from pathlib import Path

import yardkit
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.skeletons import list_kinds, write_skeleton

_DESCRIPTION = """\
Write the smallest server, app or task that passes every test into this checkout.

Nothing that exists is overwritten. Afterwards `make docs` brings the tables in the documents up to date."""

_EXAMPLES = """\
  yardkit new server weather
  yardkit new app forms
  yardkit new task office/sort_post"""

_NEXT = {
    "server": "make docs && .venv/bin/pytest tests/servers/test_contract.py tests/servers/test_{name}_server.py",
    "app": ".venv/bin/pytest tests/apps/test_{name}_records.py",
    "task": "yardkit prove {name} --seeds 1",
}


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "new", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("kind", choices=list_kinds())
    parser.add_argument("name", metavar="NAME", help="one lower-case word; of a task SUITE/TASK")


def run(arguments: argparse.Namespace) -> int:
    for path in write_skeleton(arguments.kind, arguments.name, Path(yardkit.__file__).parent.parent):
        print(path)  # noqa: T201
    print(f"next: {_NEXT[arguments.kind].format(name=arguments.name)}")  # noqa: T201
    return 0
