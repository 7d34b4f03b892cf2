"""A client of the OCR server over one world."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastmcp import Client

from toolyard.servers.ocr.server import mcp
from toolyard.world import World, use_world


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="ocr", seed=1)
    with use_world(world):
        yield world.files


@pytest.fixture
def call(files: Path) -> Callable[..., object]:
    """Call a tool: the result's text as `.text`, its data as `.data`, its `is_error`."""

    def run(tool: str, **arguments: object) -> object:
        async def once() -> object:
            async with Client(mcp) as client:
                return await client.call_tool(tool, arguments, raise_on_error=False)

        return asyncio.run(once())

    return run
