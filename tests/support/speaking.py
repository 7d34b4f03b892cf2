"""An agent that calls tools and reads nothing but the text of their answers."""

import json
from pathlib import Path
from typing import Any

from fastmcp import Client


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
