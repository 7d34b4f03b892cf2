"""An agent that calls tools and reads nothing but the text of their answers."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastmcp import Client, FastMCP

from toolyard.world import World, use_world


class Agent:
    """Calls tools over a client; `files` is the workspace."""

    def __init__(self, client: Client[Any], files: Path) -> None:
        self.client, self.files = client, files

    async def says(self, tool: str, **arguments: Any) -> str:
        """The text of an answer that is no error."""
        result = await self.client.call_tool(tool, arguments)
        return str(result.content[0].text)

    async def tells(self, tool: str, **arguments: Any) -> Any:
        """The JSON of an answer that is no error."""
        return json.loads(await self.says(tool, **arguments))

    async def fails(self, tool: str, **arguments: Any) -> str:
        """The text of an answer that is an error."""
        result = await self.client.call_tool(tool, arguments, raise_on_error=False)
        assert result.is_error, result.content
        return str(result.content[0].text)


@asynccontextmanager
async def speaking(server: FastMCP[Any], root: Path) -> AsyncIterator[Agent]:
    """An agent with a world of its own."""
    world = World.create(root / "world", task="toolathlon", seed=1)
    with use_world(world):
        async with Client(server) as client:
            yield Agent(client, world.files)
