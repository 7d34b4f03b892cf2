"""A client of the plot server over one world."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.answers import Call, caller

from toolyard.servers.plot.server import mcp
from toolyard.world import World, use_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "files").mkdir()
    (tmp_path / "world.json").write_text('{"task": "plot", "seed": 1, "now": "2026-03-14T09:00:00+00:00"}', "utf-8")
    world = World.open(tmp_path)
    with use_world(world):
        yield world


@pytest.fixture
def call(world: World) -> Call:
    return caller(mcp)


@pytest.fixture
def refusal(call: Call, world: World) -> Call:
    """The text of the error that a call gives; and nothing was written."""

    def run(tool: str, **arguments: Any) -> str:
        before = world.state_hash()
        result = call(tool, **arguments)
        assert result.is_error, result
        assert world.state_hash() == before
        return str(result.content[0].text)

    return run
