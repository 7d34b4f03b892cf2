"""All servers as one: every episode sees its own part, and every call goes through the ledger."""

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any

import mcp.types
from fastmcp import FastMCP
from fastmcp.exceptions import NotFoundError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool, ToolResult

from toolyard.sandbox.registry import load_server, server_names, version

if TYPE_CHECKING:
    from toolyard.sandbox.episode import Episode

current_episode: ContextVar["Episode"] = ContextVar("toolyard_episode")
"""The episode that the running request belongs to."""

current_servers: ContextVar[frozenset[str]] = ContextVar("toolyard_servers", default=frozenset())
"""The servers that the running request sees; empty for all of the episode's."""


class EpisodeMiddleware(Middleware):
    """Shows an episode its own servers only, and records every call."""

    def __init__(self, servers: dict[str, FastMCP[Any]]) -> None:
        self._servers = servers
        self._owner_of: dict[str, str] = {}
        self._listed: list[Tool] = []
        self.schemas: dict[str, Mapping[str, Any]] = {}

    async def on_list_tools(
        self,
        context: MiddlewareContext[mcp.types.ListToolsRequest],
        call_next: CallNext[mcp.types.ListToolsRequest, Any],
    ) -> list[Tool]:
        # Tools do not change while a process runs, and putting their schemas together takes tens of milliseconds.
        self._listed = self._listed or list(await call_next(context))
        return [tool for tool in self._listed if await self._visible_owner(tool.name)]

    async def on_call_tool(
        self,
        context: MiddlewareContext[mcp.types.CallToolRequestParams],
        call_next: CallNext[mcp.types.CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        tool, arguments = context.message.name, context.message.arguments or {}
        server = await self._visible_owner(tool)

        async def run() -> ToolResult:
            if not server:
                raise NotFoundError(f"Unknown tool: {tool!r}")
            return await call_next(context)

        return await current_episode.get().record(server, tool, arguments, run)

    async def _visible_owner(self, tool: str) -> str:
        """The server of `tool` if this request may see it, else an empty string."""
        if not self._owner_of:
            for name, child in self._servers.items():
                tools = await child.list_tools()
                self.schemas |= {each.name: each.parameters for each in tools}
                self._owner_of |= dict.fromkeys((each.name for each in tools), name)
        server, servers = self._owner_of.get(tool, ""), current_episode.get().task.servers
        return server if server in (current_servers.get() or servers) and server in servers else ""


@cache
def toolset() -> FastMCP[Any]:
    """Every server of the suite in one FastMCP server, for episodes."""
    servers = {name: load_server(name) for name in server_names()}
    yard: FastMCP[Any] = FastMCP(
        "toolyard",
        instructions="The tools of one task; they all work on its workspace.",
        version=version(),
        mask_error_details=True,
        on_duplicate="error",
        dereference_schemas=False,  # the mounted servers do that
    )
    for server in servers.values():
        yard.mount(server)
    middleware = EpisodeMiddleware(servers)
    yard.add_middleware(middleware)
    # Else the SDK lists all tools before each call, only to find the schema with which it compares Mcp-Param headers.
    yard._mcp_server.get_tool_input_schema = middleware.schemas.get
    return yard
