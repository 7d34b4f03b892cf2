"""``yardkit gta``: the data sets and figures of GTA and GTA-2, with one module per action."""

import argparse
from importlib import import_module
from types import ModuleType

from yardkit.sandbox.cli import Subparsers, new_parser

ACTIONS = {
    "check": "read a set and report its contents, and what is broken or unknown in it",
    "ask": "ask a model step by step: the gold chain up to a step, and what comes next",
    "run": "let an agent work on a set end to end, with real tools",
    "score": "the figures of the papers for predictions of the set Atomic",
    "judge": "judge what any agent delivered for the set Workflow, leaf by leaf",
    "sheet": "write a sheet for people to rate the leaves of the set Workflow",
    "report": "the tables of the papers for several agents side by side, with plots",
    "export": "write our suite gta as sets in the released forms",
    "agree": "report how well two raters agree on leaves and roots",
}
"""Action -> one line of help, in their order; each is a module of this package with ``add`` and ``run``."""
_MODULES = {"run": "run_set"}
"""Those of another name: `run` is what this command does."""

_DESCRIPTION = """\
Work with the released data of GTA (dataset.json, toolmeta.json, image/) and GTA-2 (end.json, toolmeta.json, files/).

actions:
""" + "\n".join(f"  {name:8} {text}" for name, text in ACTIONS.items())

_EXAMPLES = """\
  yardkit gta check gta_dataset
  yardkit gta ask gta_dataset --agent openai:gpt-5.2 --output predictions.json
  yardkit gta run gta_dataset --agent openai:gpt-5.2 --output runs/gpt --jobs 4
  yardkit gta score predictions/model/gta_bench.json --data gta_dataset --mode step
  yardkit gta judge results --data gta_dataset_v2 --layout openclaw --jobs 4

`yardkit gta ACTION --help` explains an action."""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "gta", _DESCRIPTION, _EXAMPLES)
    parser.usage = "yardkit gta ACTION ..."
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, help=argparse.SUPPRESS, prog="yardkit gta"
    )
    for name in ACTIONS:
        _load_action(name).add(actions)


def run(arguments: argparse.Namespace) -> int:
    code: int = _load_action(arguments.action).run(arguments)
    return code


def _load_action(action: str) -> ModuleType:
    return import_module(f"{__name__}.{_MODULES.get(action, action)}")
