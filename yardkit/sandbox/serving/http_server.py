"""The HTTP server of all our services: uvicorn, with time limits for clients and fewer connections than open files.

uvicorn limits neither the time in which a request must arrive nor the open connections: its ``limit_concurrency`` still
accepts them and then refuses every request. Hypercorn and Granian only limit the time of the request's head, and manage
their own worker processes, while our workers must be assigned to episodes.
"""

import asyncio
import errno
import resource
import socket
import sys
import time
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_S = 20.0
"""Seconds that a request, head and body, may take to arrive; and an answer to be taken on by a client that stopped."""
CLOSING_S = 5
"""Seconds that requests in flight get when a server stops."""
MAX_FILES = 65_536
"""Files that a process asks to be allowed: some programs close every number below the limit when they start."""
QUEUE = 2048
"""Connections that the system holds until they are taken."""
_ACCEPTED_AT_ONCE = 32
"""asyncio takes so many before it looks at any of them, which uses up files; it would make the queue as short."""
_QUIET_S = 60.0
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def server_of(app: ASGIApp, closing_s: int = CLOSING_S) -> uvicorn.Server:
    """Make a server for `app` that logs little, has the limit `REQUEST_S` and no WebSockets. Its ``run`` takes sockets.

    The limit on open files of this process is raised as far as possible. Half of them are for connections; beyond that
    a new one replaces the one that has gone longest without sending a complete request.
    """
    config = uvicorn.Config(
        app,
        http=type("_Protocol", (PatientProtocol,), {"max_connections": raise_file_limit() // 2}),
        log_level="error",  # uvicorn's warnings are only about clients' requests
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=closing_s,
        backlog=_ACCEPTED_AT_ONCE,
    )
    return _Server(config)


def raise_file_limit() -> int:
    """Raise this process's limit on open files as far as allowed, up to `MAX_FILES`; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target_limit = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < target_limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target_limit, hard))
        return target_limit
    return min(soft, MAX_FILES) if soft != resource.RLIM_INFINITY else MAX_FILES


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(_Complaints())
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)


class _Complaints:
    """Reports now and then that no connection can be accepted; asyncio would log it thousands of times a second."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _NO_ROOM:
            loop.default_exception_handler(context)
        elif time.monotonic() >= self._silent_until:
            self._silent_until = time.monotonic() + _QUIET_S
            print(f"yardkit: cannot accept connections at the moment: {error.strerror}", file=sys.stderr, flush=True)  # noqa: T201


class PatientProtocol(H11Protocol):
    """A connection that is closed if a request does not arrive, or an answer is not read, in time.

    Attributes:
        max_connections: the limit on open connections in one server.
        since: the start of its wait for a request, on the clock of `time.monotonic`.
    """

    max_connections = MAX_FILES
    since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._watch_waiting()
        if len(self.connections) > self.max_connections:
            waiting = [other for other in self.connections if isinstance(other, PatientProtocol) and other.waits]
            min(waiting, key=lambda other: other.since, default=self).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        for name in list(self._timers):
            self._stop_timer(name)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_waiting()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._start_timer("answer")  # closing waits until the client has read all data

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_timer("answer")

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_timer("answer")

    @property
    def waits(self) -> bool:
        """Whether the client has not sent a complete request yet."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()

    def _watch_waiting(self) -> None:
        if not self.waits:
            self._stop_timer("request")
        elif "request" not in self._timers:
            self.since = time.monotonic()
            self._start_timer("request")

    def _start_timer(self, name: str) -> None:
        self._stop_timer(name)
        self._timers[name] = self.loop.call_later(REQUEST_S, self.transport.abort)

    def _stop_timer(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()
