"""The actions of `yardkit models` on local models, those in the registry."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from yardkit.world import Problem

if TYPE_CHECKING:
    from yardkit.models.local.shelf.manifest import Manifest


def add_serving(parser: "argparse._ArgumentGroup") -> None:
    """Add the options of ``serve``."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8100, help="the port (%(default)s); 0 takes a free one")
    parser.add_argument(
        "--device", default="auto", help="auto, cpu, or cuda:0 ... (%(default)s takes a GPU if there is one)"
    )
    parser.add_argument(
        "--memory-gb",
        type=float,
        metavar="GB",
        help="of weights on the device; least recently used models make room for others (by default 85 %% "
        "of a GPU, or half of the machine's memory)",
    )


def serve_local(arguments: argparse.Namespace) -> int:
    """Run the worker until it is interrupted."""
    from yardkit.models.local.worker.engine import Settings
    from yardkit.models.local.worker.memory import check_budget
    from yardkit.sandbox.serving.models_worker import serve_models

    size = 0 if arguments.memory_gb is None else check_budget(arguments.memory_gb)
    serve_models(arguments.host, arguments.port, Settings(arguments.device, size))
    return 0


def add_local(arguments: argparse.Namespace) -> int:
    """Add a model to the registry, from a directory or a hub."""
    from yardkit.models.local.shelf.hub import add_from_hub
    from yardkit.models.local.shelf.shelf import add_directory

    if arguments.directory and arguments.from_hub:
        raise Problem("give --from or --from-hub, not both")
    words, name, licence = arguments.names, arguments.name, arguments.licence
    if arguments.directory:
        model = add_directory(arguments.directory, words, name, copy=arguments.copy, licence=licence)
    else:
        model = add_from_hub(arguments.from_hub, arguments.revision, words, name, licence)
    print(  # noqa: T201
        f"{model.name}: for {', '.join(model.capabilities)}; {model.bytes / 1e9:.2f} GB of weights; licence: "
        f"{model.licence}. `yardkit models serve` offers it"
    )
    return 0


def chosen_local(names: Sequence[str]) -> "list[Manifest]":
    """Return the local models with these names, or all of them if there are no names."""
    from yardkit.models.local.shelf.shelf import is_local, local_model, local_models

    return [local_model(name) for name in names if is_local(name)] if names else local_models()


def check_local(models: "Sequence[Manifest]") -> int:
    """Read every file of the models; return the number of faulty models."""
    from yardkit.models.local.shelf.shelf import check_model

    faults = 0
    for model in models:
        try:
            print(f"{model.name}: {check_model(model)}")  # noqa: T201
        except Problem as problem:
            faults += 1
            print(f"{model.name}: {problem}")  # noqa: T201
    return faults


def remove_local(names: Sequence[str]) -> list[str]:
    """Remove the local models among these names, including damaged ones; return the remaining names."""
    from yardkit.models.local.shelf.shelf import is_local, remove_local

    others = [name for name in names if not is_local(name)]
    for name in names:
        if name not in others:
            remove_local(name)
            print(f"{name}: removed; its own directory was not deleted")  # noqa: T201
    return others


def row_of(model: "Manifest") -> dict[str, Any]:
    """Make the row of a local model in the list."""
    from yardkit.models.local.shelf.shelf import weights_folder

    return {
        "name": model.name,
        "tier": "local",
        "capability": ", ".join(model.capabilities),
        "does": f"family {model.family}",
        "package": " at ".join([model.source, *([model.revision[:12]] if model.revision else [])]),
        "licence": model.licence,
        "there": weights_folder(model).is_dir(),
        "bytes": model.bytes,
    }
