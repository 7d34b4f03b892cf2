"""All servers in one: every episode sees its own part, and every call goes through the ledger."""

import functools
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from typing import Any, Protocol

import mcp.types
from fastmcp import FastMCP
from fastmcp.exceptions import NotFoundError
from fastmcp.resources import ResourceResult
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import FunctionTool, Tool, ToolResult

from yardkit.sandbox.serving.registry import ALL, chosen_servers, load_server, tools_of
from yardkit.sandbox.serving.suite_server import SuiteServer
from yardkit.sandbox.tasks.task import Task


class Recording(Protocol):
    """The interface to the episode that a request belongs to."""

    task: Task

    async def record(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        run: Callable[[], Awaitable[ToolResult]],
        *,
        reads_only: bool = False,
    ) -> ToolResult:
        """Run one call in its turn on the episode's world and write it to the ledger, whether or not it fails."""

    def look(self) -> None:
        """Find the changes of the running call, in its own thread."""


READ_RESOURCE = "resources/read"
"""How a ledger calls it that a client followed a link to a picture; it is no tool."""

current_episode: ContextVar[Recording] = ContextVar("yardkit_episode")
"""The episode that the running request belongs to."""

current_servers: ContextVar[frozenset[str]] = ContextVar("yardkit_servers", default=frozenset())
"""The servers that the running request sees; empty for all of the episode's."""


class EpisodeMiddleware(Middleware):
    """Shows an episode only its own servers, and records every call."""

    def __init__(self, tools: Mapping[str, Sequence[Tool]]) -> None:
        self._owners = {tool.name: server for server, own in tools.items() for tool in own}
        self._reading = {tool.name for own in tools.values() for tool in own if _reads_only(tool)}
        self._listed: list[Tool] = []

    async def on_list_tools(
        self,
        context: MiddlewareContext[mcp.types.ListToolsRequest],
        call_next: CallNext[mcp.types.ListToolsRequest, Any],
    ) -> list[Tool]:
        # Tools do not change while a process runs, and collecting their schemas takes tens of milliseconds.
        self._listed = self._listed or list(await call_next(context))
        return [tool for tool in self._listed if self._visible_owner(tool.name)]

    async def on_call_tool(
        self,
        context: MiddlewareContext[mcp.types.CallToolRequestParams],
        call_next: CallNext[mcp.types.CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        tool, arguments = context.message.name, context.message.arguments or {}
        server = self._visible_owner(tool)

        async def run() -> ToolResult:
            if not server:
                raise NotFoundError(f"Unknown tool: {tool!r}")
            return await call_next(context)

        return await current_episode.get().record(server, tool, arguments, run, reads_only=tool in self._reading)

    async def on_read_resource(
        self,
        context: MiddlewareContext[mcp.types.ReadResourceRequestParams],
        call_next: CallNext[mcp.types.ReadResourceRequestParams, ResourceResult],
    ) -> ResourceResult:
        # The ledger records tool results, so the content of the resource is passed around it.
        read: list[ResourceResult] = []

        async def run() -> ToolResult:
            read.append(await call_next(context))
            return ToolResult(content=[])

        uri = str(context.message.uri)
        await current_episode.get().record("", READ_RESOURCE, {"uri": uri}, run, reads_only=True)
        return read[0]

    def _visible_owner(self, tool: str) -> str:
        """The server of `tool` if this request may see it, else an empty string."""
        server, task = self._owners.get(tool, ""), current_episode.get().task
        return server if server in (current_servers.get() or task.servers) and task.offers(server, tool) else ""


def _watch_tool(tool: Tool) -> Tool:
    """Wrap the tool to find its changes in the same thread, which saves waiting for another one."""
    if _reads_only(tool) or not isinstance(tool, FunctionTool):
        return tool
    function: Callable[..., Any] = tool.fn

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        finally:
            current_episode.get().look()

    return tool.model_copy(update={"fn": call})


def _reads_only(tool: Tool) -> bool:
    return tool.annotations is not None and bool(tool.annotations.read_only_hint)


def build_toolset(task: Task) -> FastMCP[Any]:
    """Build one FastMCP server with the servers of a task, for its episodes."""
    return _build_toolset(task.servers, task.dialect)


def build_full_toolset(dialect: str = "") -> FastMCP[Any]:
    """Build one FastMCP server with all servers, or those that have a dialect; loading them takes seconds."""
    return _build_toolset(tuple(chosen_servers([ALL], dialect)), dialect)


@cache
def _build_toolset(servers: tuple[str, ...], dialect: str) -> FastMCP[Any]:
    tools = {name: [_watch_tool(tool) for tool in tools_of(load_server(name, dialect))] for name in servers}
    yard = SuiteServer(itertools.chain(*tools.values()), "The tools of one task; they all work on its workspace.")
    yard.add_middleware(EpisodeMiddleware(tools))
    return yard
