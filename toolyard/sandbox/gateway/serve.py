"""The gateway as a process."""

import secrets
import sys
from dataclasses import replace
from pathlib import Path

import uvicorn

from toolyard.sandbox.gateway.app import create_app
from toolyard.sandbox.gateway.settings import Settings
from toolyard.sandbox.serving import base_url, is_loopback, listen
from toolyard.world import Problem

CLOSING_S = 5
"""Seconds that requests in flight get when the gateway stops."""


def serve_gateway(runs: Path, host: str, port: int, operator_token: str, settings: Settings) -> None:
    """Answer at ``http://host:port`` until interrupted; port 0 takes a free one. The address goes to stderr.

    Without an operator's token one is made and printed there too.

    Raises:
        Problem: `runs` cannot be made, the token is too short, or the address cannot be bound.
    """
    if settings.max_open < 1:
        raise Problem(f"a gateway for {settings.max_open} episodes is no use; give a number from 1")
    runs, token = made(runs), operator_token or secrets.token_urlsafe(24)
    # Elsewhere than on loopback the names of this machine are unknown to us; there the tokens protect.
    app = create_app(runs, token, replace(settings, strict_hosts=is_loopback(host)))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=CLOSING_S,
    )
    with listen(host, port) as listener:
        address = base_url(host, listener)
        if not operator_token:
            print(f"toolyard: operator token: {token}", file=sys.stderr)  # noqa: T201
        print(f"toolyard: gateway at {address}, episodes in {runs} (Ctrl-C stops)", file=sys.stderr, flush=True)  # noqa: T201
        uvicorn.Server(config).run(sockets=[listener])


def made(runs: Path) -> Path:
    """The directory of episodes, made if needed, as an absolute path.

    Raises:
        Problem: it cannot be made.
    """
    try:
        runs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"cannot use {str(runs)!r} for episodes ({error.strerror}); name another with --runs") from error
    return runs.resolve()
