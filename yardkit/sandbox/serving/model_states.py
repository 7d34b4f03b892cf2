"""Which models are there: the embedded ones, the services that settings name, the worker."""

import os
from dataclasses import dataclass
from typing import get_args

from yardkit.models.embedded.catalog import embedded_models
from yardkit.models.embedded.store import SET_COMMAND, is_there, models_folder
from yardkit.models.service import WORKER_VARIABLE, Capability, missing_service, worker_capabilities
from yardkit.world import Problem
from yardkit.world.wording import counted


@dataclass(frozen=True)
class ModelState:
    """What there is of a tier.

    Attributes:
        tier: ``embedded``, ``endpoint`` or ``local``.
        detail: in words.
        fix: a command that gets what is missing; empty where there is none.
        works: whether what is asked for is there; true where nothing is.
    """

    tier: str
    detail: str
    fix: str = ""
    works: bool = True


def model_states() -> list[ModelState]:
    """The state of each tier; of services, what they say within seconds."""
    return [_embedded(), *_endpoints(), _worker()]


def _embedded() -> ModelState:
    models = embedded_models().values()
    missing = [model.name for model in models if not is_there(model)]
    there = f"{len(models) - len(missing)} of {counted(len(models), 'model')} in {models_folder()}"
    if not missing:
        return ModelState("embedded", there)
    return ModelState("embedded", f"{there}; missing: {', '.join(missing)}", SET_COMMAND, works=False)


def _endpoints() -> list[ModelState]:
    named = [name for name in get_args(Capability) if os.environ.get(f"YARDKIT_{name.upper()}_URL")]
    if not named:
        return [ModelState("endpoint", "no setting YARDKIT_<CAPABILITY>_URL names a service")]
    faults = {name: missing_service(name) for name in named}
    return [
        ModelState("endpoint", f"{name}: {fault or 'is set up'}", works=not fault) for name, fault in faults.items()
    ]


def _worker() -> ModelState:
    try:
        found = worker_capabilities()
    except Problem as problem:
        return ModelState("local", str(problem), "yardkit models serve", works=False)
    if found is None:
        return ModelState("local", f"{WORKER_VARIABLE} is not the address of a worker")
    return ModelState("local", f"the worker has models for {', '.join(found) or 'nothing yet'}")
