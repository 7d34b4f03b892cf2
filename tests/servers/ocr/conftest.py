"""A client of the OCR server over one world."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.answers import Call, caller

from toolyard.servers.ocr.server import mcp
from toolyard.world import World, use_world


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="ocr", seed=1)
    with use_world(world):
        yield world.files


@pytest.fixture
def call(files: Path) -> Call:
    return caller(mcp)
