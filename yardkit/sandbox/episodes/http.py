"""One episode over HTTP, for all of its clients."""

import secrets
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Literal

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.toolset import build_toolset, current_episode, current_servers
from yardkit.sandbox.serving.addresses import base_url, is_loopback, open_listener
from yardkit.sandbox.serving.http_server import server_of


def serve_episode_http(episode: Episode, servers: Collection[str], host: str, port: int, token: str = "") -> None:
    """Serve at ``http://host:port/mcp`` until interrupted; port 0 picks a free one. The address is printed to stderr.

    Clients send `token`, or the episode's own token, which is printed, too. The tools are those of `servers`, or all of
    the task's if that is empty.

    Raises:
        Problem: the address cannot be bound.
    """
    with open_listener(host, port) as listener:
        app = episode_app(episode, token or episode.token, servers, only_loopback=is_loopback(host))
        address = f"{base_url(host, listener)}/mcp"
        _print_message(
            f"episode of {episode.task.id}, seed {episode.seed}, at {address}, in {episode.directory} (Ctrl-C stops)"
        )
        _print_message(f"grade with: yardkit grade {episode.directory}")
        if not token:
            _print_message(f"token: {episode.token}")
        server_of(app).run(sockets=[listener])


def episode_app(episode: Episode, token: str, servers: Collection[str] = (), *, only_loopback: bool = True) -> ASGIApp:
    """Make the app that serves the episode over MCP at ``/mcp`` with `token`; ``/health`` needs no token.

    With `only_loopback`, host names that a web page makes resolve to 127.0.0.1 are refused. On other interfaces we do
    not know this machine's names, so only requests over loopback are checked.
    """
    protection: Literal[True, "auto"] = True if only_loopback else "auto"
    mcp = build_toolset(episode.task).http_app(path="/mcp", stateless_http=True, host_origin_protection=protection)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with mcp.lifespan(mcp):
            yield

    routes = [Route("/health", _answer_health), Mount("/", _SingleEpisode(mcp, episode, token, servers))]
    return Starlette(routes=routes, lifespan=lifespan)


class _SingleEpisode:
    """Admits requests with the token, and binds each to the episode for the toolset."""

    def __init__(self, app: ASGIApp, episode: Episode, token: str, servers: Collection[str]) -> None:
        self._app = app
        self._episode = episode
        self._servers = frozenset(servers)
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        authorization = dict(scope["headers"]).get(b"authorization", b"")
        if not secrets.compare_digest(authorization, self._expected):
            refusal = PlainTextResponse("wrong or missing token", 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        episode_was, servers_were = current_episode.set(self._episode), current_servers.set(self._servers)
        try:
            await self._app({**scope, "root_path": ""}, receive, send)
        finally:
            current_servers.reset(servers_were)
            current_episode.reset(episode_was)


async def _answer_health(_request: Request) -> Response:
    return JSONResponse({"status": "ok"})


def _print_message(text: str) -> None:
    print(f"yardkit: {text}", file=sys.stderr, flush=True)  # noqa: T201
