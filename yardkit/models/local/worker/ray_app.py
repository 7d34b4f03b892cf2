"""The worker as a Ray Serve application: the same routes, on the GPUs of several machines.

    serve run yardkit.models.local.worker.ray_app:application replicas=2 gpus=1

Each replica is a worker with its own device and memory, and reads the registry of its machine (YARDKIT_MODELS on a
shared folder, or the same models added on each). Only the replica that makes a video or a piece of music knows its job:
give these an application with one replica.
"""

import os
from typing import Any

from yardkit.models.local.worker.app import create_app
from yardkit.models.local.worker.engine import Settings
from yardkit.world import Problem

_CALLS_AT_ONCE = 256


def build_application(arguments: dict[str, str]) -> Any:
    """Build the application, for `serve run` and `serve deploy`.

    Args:
        arguments: ``replicas`` (1), ``gpus`` of each (0), ``device`` (auto), ``memory_gb`` of weights on it.

    Raises:
        Problem: an argument is unknown or not a number.
    """
    known = {"replicas": "1", "gpus": "0", "device": "auto", "memory_gb": "0"}
    if wrong := next((name for name in arguments if name not in known), None):
        raise Problem(f"{wrong!r} is not an argument of the worker; it takes {', '.join(known)}")
    settings_values = {**known, **arguments}
    try:
        replicas, gpus, gigabytes = (
            int(settings_values["replicas"]),
            float(settings_values["gpus"]),
            float(settings_values["memory_gb"]),
        )
    except ValueError as error:
        raise Problem(f"replicas, gpus and memory_gb are numbers: {error}") from error
    return ray_worker(Settings(settings_values["device"], int(gigabytes * 1e9)), replicas, gpus)


def ray_worker(settings: Settings, replicas: int = 1, gpus: float = 0) -> Any:
    """Make the worker's deployment for Ray Serve. Clients send the key of YARDKIT_WORKER_KEY, if there is one."""
    from ray import serve

    app = create_app(settings, os.environ.get("YARDKIT_WORKER_KEY", ""))

    @serve.deployment(
        name="yardkit-models",
        num_replicas=replicas,
        max_ongoing_requests=_CALLS_AT_ONCE,
        ray_actor_options={"num_gpus": gpus},
    )
    @serve.ingress(app)
    class Worker:
        pass

    deployment: Any = Worker
    return deployment.bind()
