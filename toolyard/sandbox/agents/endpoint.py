"""An open episode as an MCP server on the loopback interface, and a plain client for it."""

import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import mcp.types
import uvicorn
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastmcp import Client
from fastmcp.client.client import CallToolResult
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from toolyard.kit.result_settings import ResultSettings, result_settings, use_result_settings
from toolyard.sandbox.episodes.episode import Episode
from toolyard.sandbox.episodes.toolset import current_episode, toolset
from toolyard.sandbox.serving.addresses import listen

CLOSING_S = 2
"""Seconds that calls in flight get when the endpoint closes."""


@contextmanager
def serve_episode(episode: Episode, settings: ResultSettings | None = None) -> Iterator[str]:
    """Serve `episode` at the yielded URL until the block ends. Clients show the episode's token as bearer token.

    Results carry what `settings` say, by default what the environment says.
    """
    app = toolset().http_app(path="/mcp", stateless_http=True, host_origin_protection=True)
    with listen("127.0.0.1", 0) as listener:
        config = uvicorn.Config(
            _OneEpisode(app, episode, settings or result_settings()),
            log_level="error",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=CLOSING_S,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="episode", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join()


class _OneEpisode:
    """Lets in who shows the token, and tells the toolset whose request it is."""

    def __init__(self, app: ASGIApp, episode: Episode, settings: ResultSettings) -> None:
        self._app = app
        self._settings = settings
        self._episode = episode
        self._expected = f"Bearer {episode.token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._may_enter(scope):
            refusal = PlainTextResponse("wrong or missing token", 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        token = current_episode.set(self._episode)
        try:
            with use_result_settings(self._settings):
                await self._app(scope, receive, send)
        finally:
            current_episode.reset(token)

    def _may_enter(self, scope: Scope) -> bool:
        shown = dict(scope["headers"]).get(b"authorization", b"")
        return secrets.compare_digest(shown, self._expected)


class Connection:
    """An MCP client's connection to an episode, for code without ``async``."""

    def __init__(self, portal: BlockingPortal, client: Client[Any]) -> None:
        self._portal = portal
        self._client = client

    def tools(self) -> list[mcp.types.Tool]:
        """What the episode offers."""
        listed: list[mcp.types.Tool] = self._portal.call(self._client.list_tools)
        return listed

    def call(self, tool: str, arguments: Mapping[str, Any], timeout_s: float | None = None) -> CallToolResult:
        """Call a tool. A tool error is a result with ``is_error``.

        Raises:
            fastmcp.exceptions.McpError: no answer within `timeout_s` seconds.
        """

        async def call() -> CallToolResult:
            return await self._client.call_tool(tool, dict(arguments), timeout=timeout_s, raise_on_error=False)

        return self._portal.call(call)


@contextmanager
def connect(episode: Episode, settings: ResultSettings | None = None) -> Iterator[Connection]:
    """Serve `episode` and connect to it, over HTTP like any agent."""
    with serve_episode(episode, settings) as url, start_blocking_portal() as portal:
        client = Client(url, auth=episode.token)
        with portal.wrap_async_context_manager(client):
            yield Connection(portal, client)
