"""The tools of several servers on one server."""

from collections.abc import Iterable
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import Tool
from fastmcp.utilities.versions import VersionSpec

from yardkit.kit.announcements import announce_what_is_there
from yardkit.sandbox.serving.registry import get_version


class SuiteServer(FastMCP[Any]):
    """A server with the tools of several, whose names are unique, found by a lookup of the name.

    FastMCP asks each mounted server for the tool of every call, which takes a millisecond in all, and searches all
    tools of a server.
    """

    def __init__(self, tools: Iterable[Tool], instructions: str) -> None:
        super().__init__(
            "yardkit",
            instructions=instructions,
            version=get_version(),
            mask_error_details=True,
            on_duplicate="error",
            dereference_schemas=False,  # our tools have no references
        )
        announce_what_is_there(self)
        self._by_name = {tool.name: tool for tool in map(self.add_tool, tools)}
        # Otherwise the SDK lists all tools before each call, to find the schema for checking Mcp-Param headers.
        schemas = {name: tool.parameters for name, tool in self._by_name.items()}
        self._mcp_server.get_tool_input_schema = schemas.get

    async def get_tool(self, name: str, version: VersionSpec | None = None) -> Tool | None:
        """Return the tool with that name, if any; our tools have no versions."""
        return self._by_name.get(name) if version is None else await super().get_tool(name, version)
