"""A world, a client of the documents server over it, and documents made by other programs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import papers
from support.answers import Call, caller

from toolyard.servers.documents.server import mcp
from toolyard.world import World, use_world


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="documents", seed=1)
    with use_world(world):
        yield world.files


@pytest.fixture
def call(files: Path) -> Call:
    return caller(mcp)


@pytest.fixture
def done(call: Call) -> Call:
    """Call a tool that must succeed; its structured content, or the JSON of a reading tool."""

    def run(tool: str, **arguments: object) -> Any:
        answer = call(tool, **arguments)
        assert not answer.is_error, answer.content[0].text
        return answer.structured_content or json.loads(answer.content[0].text)

    return run


@pytest.fixture
def anchor(done: Call) -> Callable[..., str]:
    """The anchor of the first block whose text holds something (of the first table for "table")."""

    def find(path: str, text: str) -> str:
        for block in done("read_document", path=path, limit=500)["blocks"]:
            if block["kind"] == "table" == text or (text and text in block.get("text", "")):
                return str(block["anchor"])
        raise AssertionError(f"no block with {text!r}")

    return find


@pytest.fixture
def report(files: Path) -> Path:
    path = files / "report.docx"
    papers.write_with_python_docx(path, files / "navy.png")
    return path


@pytest.fixture
def contract(files: Path) -> Path:
    path = files / "contract.docx"
    papers.write_by_hand(path)
    return path
