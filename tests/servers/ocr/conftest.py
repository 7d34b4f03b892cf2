"""A client of the OCR server over one world."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.answers import Call, caller
from support.scale import drills

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


@pytest.fixture(params=["tesseract", *drills("rapidocr")])
def backend(request: pytest.FixtureRequest) -> str:
    """For what the engine does with what is read; the slower one reads it with everything."""
    name: str = request.param
    return name
