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

from yardkit.world import Problem, current_world

Call = Callable[..., Any]
Golden = Callable[[str, Callable[[Path], object]], Path]


async def answer_of(server: FastMCP[Any], tool: str, **arguments: object) -> ToolResult:
    """The answer to a client's request, without a client: `.content`, `.structured_content` and `.is_error`.

    Every call is held against the hints of its tool: one that is announced as read-only leaves the world as it is.
    """
    before = world_state() if await is_announced_read_only(server, tool) else None
    try:
        answer = await server.call_tool(tool, arguments)
    except FastMCPError as error:  # what the server sends as an answer, which no client has to raise again
        answer = ToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)
    assert before is None or world_state() == before, f"{tool} is announced as read-only and changed the world"
    return answer


async def is_announced_read_only(server: FastMCP[Any], tool: str) -> bool:
    announced = await server.get_tool(tool)
    return bool(announced and announced.annotations and announced.annotations.read_only_hint)


def world_state() -> dict[str, tuple[int, int, int]]:
    """Every file and folder of the current world, if there is one, with inode, size and time of change.

    A file is saved by renaming another over it, so even equal content has another inode. Locks are no state.
    """
    try:
        root = current_world().root
    except Problem:  # a server that needs none, such as the calculator
        return {}
    return {
        str(path.relative_to(root)): (status.st_ino, status.st_size, status.st_mtime_ns)
        for path in root.rglob("*")
        if ".locks" not in path.relative_to(root).parts and (status := path.lstat())
    }


def make_caller(server: FastMCP[Any]) -> Call:
    """Calls a tool, outside of an event loop."""

    def call(tool: str, **arguments: object) -> ToolResult:
        return asyncio.run(answer_of(server, tool, **arguments))

    return call


def list_pictures(answer: Any) -> list[PIL.Image.Image]:
    images = (base64.b64decode(part.data) for part in answer.content if part.type == "image")
    return [PIL.Image.open(io.BytesIO(data)) for data in images]


def read_text(answer: Any) -> str:
    text: str = answer.content[0].text
    return text


def read_facts(answer: Any) -> Any:
    assert not answer.is_error, read_text(answer)
    return json.loads(read_text(answer))
