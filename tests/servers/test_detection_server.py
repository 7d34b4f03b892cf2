"""The server detection."""

from pathlib import Path

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError

from toolyard.servers.detection.server import mcp
from toolyard.world import World, use_world


async def test_a_text_is_measured(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("one two\nthree four five\n")
    with use_world(World.over(tmp_path)):
        async with Client(mcp) as client:
            measured = await client.call_tool("measure_detection", {"path": "notes.txt"})
    assert measured.structured_content == {"lines": 2, "words": 5, "characters": 24}


async def test_what_is_no_text_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(b"\xff\xfe")
    with use_world(World.over(tmp_path)):
        async with Client(mcp) as client:
            with pytest.raises(ToolError, match=r"'data\.bin' is no UTF-8 text"):
                await client.call_tool("measure_detection", {"path": "data.bin"})
