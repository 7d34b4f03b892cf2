"""An agent with the tools of Toolathlon's word server, and a document."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.speaking import Agent, open_speaking_agent
from support.wordreport import NAME, write_report

from yardkit.sandbox.serving.registry import load_server


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[Agent]:
    async with open_speaking_agent(load_server("documents", "toolathlon"), tmp_path) as agent:
        yield agent


@pytest.fixture
def report(agent: Agent) -> Path:
    write_report(agent.files / NAME)
    return agent.files / NAME
