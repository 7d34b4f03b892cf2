"""A world and a client of the html server over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.answers import Call, caller

from toolyard.kit.pages import browser
from toolyard.servers.html.server import mcp
from toolyard.world import World, use_world


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="html", seed=1)
    with use_world(world):
        yield world.files


@pytest.fixture
def call(files: Path) -> Call:
    return caller(mcp)


@pytest.fixture(autouse=True, scope="module")
def _end_workers() -> Iterator[None]:
    yield
    browser.stop()
