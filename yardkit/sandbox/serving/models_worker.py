"""The models' worker as a process."""

import os
import secrets
import sys

from fastmcp.server.http import HostOriginGuardMiddleware
from starlette.types import ASGIApp

from yardkit.models.local.families.loading import require_torch
from yardkit.models.local.worker.app import create_app
from yardkit.models.local.worker.engine import Settings, device_of
from yardkit.sandbox.serving.addresses import base_url, is_loopback, open_listener
from yardkit.sandbox.serving.http_server import server_of

KEY_VARIABLE = "YARDKIT_WORKER_KEY"


def serve_models(host: str, port: int, settings: Settings) -> None:
    """Serve at ``http://host:port/v1`` until interrupted; port 0 picks a free one. The address is printed to stderr.

    On addresses other than loopback, clients must send a key: YARDKIT_WORKER_KEY, or one that is generated and printed.

    Raises:
        Unavailable: this environment has no torch, transformers or diffusers.
        Problem: the device does not exist here, or the address cannot be bound.
    """
    require_torch()
    device_of(settings.device)
    key = os.environ.get(KEY_VARIABLE, "")
    if not key and not is_loopback(host):
        key = secrets.token_urlsafe(24)
        _print_message(f"{KEY_VARIABLE}={key}")
    app: ASGIApp = create_app(settings, key)
    if is_loopback(host):  # no web page reaches it through a host name that resolves to 127.0.0.1
        app = HostOriginGuardMiddleware(app, mode="strict")
    with open_listener(host, port) as listener:
        _print_message(f"models' worker at {base_url(host, listener)}/v1 (Ctrl-C stops)")
        server_of(app).run(sockets=[listener])


def _print_message(text: str) -> None:
    print(f"yardkit: {text}", file=sys.stderr, flush=True)  # noqa: T201
