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


def caller(server: FastMCP[Any]) -> Call:
    """Calls a tool as a client's request would; the answer has `.content`, `.structured_content` and `.is_error`."""

    def call(tool: str, **arguments: object) -> ToolResult:
        try:
            return asyncio.run(server.call_tool(tool, arguments))
        except FastMCPError as error:  # what the server sends as an answer, which no client has to raise again
            return ToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)

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
