"""The state of models: the embedded ones, the configured services, the worker."""

import importlib
import os
from dataclasses import dataclass
from typing import get_args

from yardkit.models.embedded.catalog import embedded_models
from yardkit.models.embedded.store import SET_COMMAND, is_there, models_folder
from yardkit.models.service import (
    WORKER_VARIABLE,
    Capability,
    missing_service,
    service_options,
    worker_capabilities,
)
from yardkit.world import Problem
from yardkit.world.wording import format_count

EVERY_TOOL = "every tool"
"""What a server names in its ``MODELS`` if none of its tools works without the model."""


@dataclass(frozen=True)
class MissingModel:
    """A model that tools of a server need and that is not configured.

    Attributes:
        tools: the tools that do not work without it; `EVERY_TOOL` for all of the server.
        detail: the missing settings.
        fix: the settings or commands that provide one.
    """

    tools: str
    detail: str
    fix: str


@dataclass(frozen=True)
class ModelState:
    """The state of a tier.

    Attributes:
        tier: ``embedded``, ``endpoint`` or ``local``.
        detail: a description.
        fix: a command that installs what is missing; empty if nothing is.
        works: whether the configured models are available; true if none is configured.
    """

    tier: str
    detail: str
    fix: str = ""
    works: bool = True


def model_states() -> list[ModelState]:
    """Find the state of each tier; services must answer within seconds."""
    return [_describe_embedded(), *_list_endpoints(), _describe_worker()]


def missing_models(server: str) -> list[MissingModel]:
    """List the models that the server's tools need, according to its ``MODELS``, and that are not configured."""
    needed: dict[str, tuple[Capability, ...]]
    needed = getattr(importlib.import_module(f"yardkit.servers.{server}"), "MODELS", {})
    missing_names = []
    for tools, capabilities in needed.items():
        faults = [missing_service(capability) for capability in capabilities]
        if all(faults):
            missing_names.append(MissingModel(tools, faults[0], _way_to_model(capabilities[0])))
    return missing_names


def _way_to_model(capability: Capability) -> str:
    endpoint, local = service_options(capability)
    settings = " ".join(f"{name}={value}" for name, value in endpoint.settings.items())
    return f"set {settings}; or run `{local.command}` and `yardkit models serve`, and set {WORKER_VARIABLE}"


def _describe_embedded() -> ModelState:
    models = embedded_models().values()
    missing = [model.name for model in models if not is_there(model)]
    there = f"{len(models) - len(missing)} of {format_count(len(models), 'model')} in {models_folder()}"
    if not missing:
        return ModelState("embedded", there)
    return ModelState("embedded", f"{there}; missing: {', '.join(missing)}", SET_COMMAND, works=False)


def _list_endpoints() -> list[ModelState]:
    named = [name for name in get_args(Capability) if os.environ.get(f"YARDKIT_{name.upper()}_URL")]
    if not named:
        return [ModelState("endpoint", "none is set up (YARDKIT_<CAPABILITY>_URL)")]
    faults = {name: missing_service(name) for name in named}
    return [
        ModelState("endpoint", f"{name}: {fault or 'is set up'}", works=not fault) for name, fault in faults.items()
    ]


def _describe_worker() -> ModelState:
    try:
        capabilities = worker_capabilities()
    except Problem as problem:
        return ModelState("local", str(problem), "yardkit models serve", works=False)
    if capabilities is None:
        return ModelState("local", f"none is set up ({WORKER_VARIABLE})")
    return ModelState("local", f"the worker has models for {', '.join(capabilities) or 'nothing yet'}")
