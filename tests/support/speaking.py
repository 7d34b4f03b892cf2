"""An agent that calls tools and reads nothing but the text of their answers."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import ToolResult

from support.answers import answer_of, read_text
from yardkit.world import World, use_world


class Agent:
    """Calls tools as the requests of a client would; `files` is the workspace."""

    def __init__(self, server: FastMCP[Any], files: Path) -> None:
        self.server, self.files = server, files

    async def answer(self, tool: str, **arguments: Any) -> ToolResult:
        """An answer, which may be an error."""
        return await answer_of(self.server, tool, **arguments)

    async def says(self, tool: str, **arguments: Any) -> str:
        """The text of an answer that is no error."""
        result = await self.answer(tool, **arguments)
        assert not result.is_error, read_text(result)
        return read_text(result)

    async def call_for_json(self, tool: str, **arguments: Any) -> Any:
        """The JSON of an answer that is no error."""
        return json.loads(await self.says(tool, **arguments))

    async def call_for_error(self, tool: str, **arguments: Any) -> str:
        """The text of an answer that is an error."""
        result = await self.answer(tool, **arguments)
        assert result.is_error, result.content
        return read_text(result)


@asynccontextmanager
async def open_speaking_agent(server: FastMCP[Any], root: Path) -> AsyncIterator[Agent]:
    """An agent with a world of its own."""
    world = World.create(root / "world", task="toolathlon", seed=1)
    with use_world(world):
        yield Agent(server, world.files)
