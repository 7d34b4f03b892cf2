"""The capabilities that a server announces to its clients: its tools, and the files behind links if there are any."""

from typing import Any

from fastmcp import FastMCP
from fastmcp.resources import ResourceContent, ResourceResult, ResourceTemplate
from mcp.types import ResourcesCapability, ServerCapabilities, ToolsCapability

from yardkit.kit.result_settings import result_settings
from yardkit.kit.results import SCHEME, linked_file


def announce_what_is_there(server: FastMCP[Any]) -> None:
    """Make `server` announce only the capabilities that it has, in both versions of the protocol.

    FastMCP always announces resources, prompts and changing lists, so that clients subscribe to them.
    """
    links = result_settings().pictures == "link"
    if links:
        server.add_template(
            ResourceTemplate.from_function(
                _read_linked_file,
                SCHEME + "{path*}",
                name="workspace",
                description="Pictures and sounds of the workspace.",
            )
        )

    def capabilities(*_args: object, **_kwargs: object) -> ServerCapabilities:
        return ServerCapabilities(tools=ToolsCapability(), resources=ResourcesCapability() if links else None)

    server._mcp_server.get_capabilities = capabilities  # type: ignore[method-assign]


def _read_linked_file(path: str) -> ResourceResult:
    data, media_type = linked_file(path)
    return ResourceResult([ResourceContent(data, mime_type=media_type)])
