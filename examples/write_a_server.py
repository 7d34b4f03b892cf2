"""A server with one tool, over a folder, called without a client process."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastmcp import Client
from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.world import InFile, Problem, World, set_world

mcp = make_server("words", "Counts words in text files.")


@dataclass(frozen=True)
class WordCount:
    """The result: clients get it as text and as structured content."""

    words: int

    def __str__(self) -> str:
        return f"{self.words} words"


@tool(mcp, writes=False)
def count_words(path: Annotated[InFile, Field(description="Text file.")]) -> WordCount:
    """Count the words of a text file."""
    try:
        return WordCount(len(path.read_text("utf-8").split()))
    except UnicodeDecodeError as error:
        raise Problem(f"{path.name!r} is not a UTF-8 text; give a text file") from error


async def main() -> None:
    Path("poem.txt").write_text("So much depends upon a red wheel barrow\n", encoding="utf-8")
    set_world(World.open_user_folder(Path()))
    async with Client(mcp) as client:
        counted = await client.call_tool("count_words", {"path": "poem.txt"})
        print(counted.content[0].text, counted.structured_content)
        refused = await client.call_tool("count_words", {"path": "../secret.txt"}, raise_on_error=False)
        print(refused.content[0].text)


asyncio.run(main())
