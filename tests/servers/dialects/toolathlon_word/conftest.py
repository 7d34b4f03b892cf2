"""An agent with the tools of Toolathlon's word server, and a document."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastmcp import Client
from support.speaking import Agent
from support.wordreport import NAME, write_report

from toolyard.sandbox.registry import load_server
from toolyard.world import World, use_world


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    world = World.create(tmp_path / "world", task="toolathlon", seed=1)
    with use_world(world):
        async with Client(load_server("documents", "toolathlon")) as client:
            yield Agent(client, world.files)


@pytest.fixture
def report(agent: Agent) -> Path:
    write_report(agent.files / NAME)
    return agent.files / NAME
