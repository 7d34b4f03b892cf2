"""A world and a client of the html server over it."""

import asyncio
import base64
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from fastmcp import Client

from toolyard.servers.html.server import mcp
from toolyard.servers.pages import browser
from toolyard.world import World, use_world

Call = Callable[..., Any]


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="html", seed=1)
    with use_world(world):
        yield world.files


@pytest.fixture
def call(files: Path) -> Call:
    """Call a tool; the answer has `.content`, `.structured_content` and `.is_error`."""

    def run(tool: str, **arguments: object) -> Any:
        async def once() -> Any:
            async with Client(mcp) as client:
                return await client.call_tool(tool, arguments, raise_on_error=False)

        return asyncio.run(once())

    return run


def pictures(answer: Any) -> list[PIL.Image.Image]:
    shown = (base64.b64decode(each.data) for each in answer.content if each.type == "image")
    return [PIL.Image.open(io.BytesIO(data)).convert("RGB") for data in shown]


def told(answer: Any) -> str:
    text: str = answer.content[0].text
    return text


def facts(answer: Any) -> Any:
    assert not answer.is_error, told(answer)
    return json.loads(told(answer))


@pytest.fixture(autouse=True, scope="module")
def _end_workers() -> Iterator[None]:
    yield
    browser.stop()
