"""Calls on a server and their answers, for tests without an event loop of their own."""

import asyncio
import base64
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
from fastmcp import FastMCP
from fastmcp.exceptions import FastMCPError
from fastmcp.tools import ToolResult
from mcp.types import TextContent

Call = Callable[..., Any]
Golden = Callable[[str, Callable[[Path], object]], Path]


async def answer_of(server: FastMCP[Any], tool: str, **arguments: object) -> ToolResult:
    """The answer to a client's request, without a client: `.content`, `.structured_content` and `.is_error`."""
    try:
        return await server.call_tool(tool, arguments)
    except FastMCPError as error:  # what the server sends as an answer, which no client has to raise again
        return ToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)


def caller(server: FastMCP[Any]) -> Call:
    """Calls a tool, outside of an event loop."""

    def call(tool: str, **arguments: object) -> ToolResult:
        return asyncio.run(answer_of(server, tool, **arguments))

    return call


def pictures(answer: Any) -> list[PIL.Image.Image]:
    shown = (base64.b64decode(part.data) for part in answer.content if part.type == "image")
    return [PIL.Image.open(io.BytesIO(data)) for data in shown]


def told(answer: Any) -> str:
    text: str = answer.content[0].text
    return text


def facts(answer: Any) -> Any:
    assert not answer.is_error, told(answer)
    return json.loads(told(answer))
