"""The gateway as a process."""

import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from yardkit.sandbox.episodes.ids import Share
from yardkit.sandbox.episodes.opening import make_runs_directory
from yardkit.sandbox.gateway.app import create_app
from yardkit.sandbox.gateway.episodes import require_token
from yardkit.sandbox.gateway.front import create_front
from yardkit.sandbox.gateway.settings import Settings
from yardkit.sandbox.gateway.workers import Worker, spare_collections
from yardkit.sandbox.serving.addresses import base_url, is_loopback, open_listener
from yardkit.sandbox.serving.http_server import server_of
from yardkit.world import Problem

MAX_WORKERS = 64


def serve_gateway(runs: Path, host: str, port: int, operator_token: str, settings: Settings, workers: int = 1) -> None:
    """Serve at ``http://host:port`` until interrupted; port 0 picks a free one. The address is printed to stderr.

    With several `workers`, each serves its share of the episodes in a separate process, also at its own address: the
    ports after `port`. Without an operator's token, one is made and printed, too.

    Raises:
        Problem: `runs` cannot be created, the token is too short, or an address cannot be bound.
    """
    if not 1 <= workers <= MAX_WORKERS:
        raise Problem(f"{workers} is not a valid number of workers; give 1 to {MAX_WORKERS}")
    if settings.max_open < 1:
        raise Problem(f"{settings.max_open} is not a valid number of open episodes; give 1 or more")
    runs, token = make_runs_directory(runs), operator_token or secrets.token_urlsafe(24)
    # On other interfaces than loopback we do not know this machine's names; there the tokens protect.
    settings = replace(settings, strict_hosts=is_loopback(host))
    with open_listener(host, port) as listener, ExitStack() as stack:
        if workers == 1:
            app = create_app(runs, token, settings)
        else:
            require_token(token)
            app = create_front(
                stack.enter_context(_start_workers(workers, runs, host, port, token, settings)), settings
            )
        address = base_url(host, listener)
        if not operator_token:
            print(f"yardkit: operator token: {token}", file=sys.stderr)  # noqa: T201
        print(f"yardkit: gateway at {address}, episodes in {runs} (Ctrl-C stops)", file=sys.stderr, flush=True)  # noqa: T201
        spare_collections()
        server_of(app).run(sockets=[listener])


@contextmanager
def _start_workers(
    count: int, runs: Path, host: str, port: int, token: str, settings: Settings
) -> Iterator[list[Worker]]:
    """Make workers with listening sockets. Behind a proxy clients reach only the front, so workers get no addresses."""
    # Rounded up, so that all workers together admit at least the limit.
    share = replace(settings, max_open=-(-settings.max_open // count))
    with tempfile.TemporaryDirectory(prefix="yardkit-gateway-") as folder, ExitStack() as stack:
        workers = []
        for number in range(count):
            link = Path(folder) / str(number)
            sockets = [stack.enter_context(_open_link(link))]
            if not settings.public_url:
                sockets.append(stack.enter_context(open_listener(host, port + 1 + number if port else 0)))
            workers.append(Worker(Share(number, count), runs, token, share, link, tuple(sockets)))
        yield workers


def _open_link(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(2048)
    return listener
