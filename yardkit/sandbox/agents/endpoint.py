"""An open episode as an MCP server on the loopback interface, and a blocking client for it."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import mcp.types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastmcp import Client
from fastmcp.client.client import CallToolResult
from starlette.types import ASGIApp, Receive, Scope, Send

from yardkit.kit.result_settings import ResultSettings, result_settings, use_result_settings
from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.http import episode_app
from yardkit.sandbox.serving.addresses import open_listener
from yardkit.sandbox.serving.http_server import server_of

CLOSING_S = 2
"""Seconds that calls in flight get when the endpoint closes."""


@contextmanager
def serve_episode(episode: Episode, settings: ResultSettings | None = None) -> Iterator[str]:
    """Serve `episode` at the yielded URL until the block ends. Clients send the episode's token as bearer token.

    Results have the form that `settings` select, by default the one that the environment selects.
    """
    with open_listener("127.0.0.1", 0) as listener:
        server = server_of(
            _apply_settings(episode_app(episode, episode.token), settings or result_settings()), CLOSING_S
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="episode", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join()


def _apply_settings(app: ASGIApp, settings: ResultSettings) -> ASGIApp:
    """Wrap the app so that results have the form that `settings` select."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        with use_result_settings(settings):
            await app(scope, receive, send)

    return serve


class Connection:
    """An MCP client's connection to an episode, for code without ``async``."""

    def __init__(self, portal: BlockingPortal, client: Client[Any]) -> None:
        self._portal = portal
        self._client = client

    def tools(self) -> list[mcp.types.Tool]:
        """The tools of the episode."""
        listed: list[mcp.types.Tool] = self._portal.call(self._client.list_tools)
        return listed

    def call(self, tool: str, arguments: Mapping[str, Any], timeout_s: float | None = None) -> CallToolResult:
        """Call a tool. A tool error is a result with ``is_error``.

        Raises:
            fastmcp.exceptions.McpError: there was no answer within `timeout_s` seconds.
        """

        async def call() -> CallToolResult:
            return await self._client.call_tool(tool, dict(arguments), timeout=timeout_s, raise_on_error=False)

        return self._portal.call(call)


@contextmanager
def connect_episode(episode: Episode, settings: ResultSettings | None = None) -> Iterator[Connection]:
    """Serve `episode` and connect to it, over HTTP like any agent."""
    with serve_episode(episode, settings) as url, start_blocking_portal() as portal:
        client = Client(url, auth=episode.token)
        with portal.wrap_async_context_manager(client):
            yield Connection(portal, client)
