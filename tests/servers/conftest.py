"""A world, and calls of the server in whose folder a test stands."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.answers import Call, Golden, make_caller, read_facts, read_text

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """Empty, and the one in which all calls work."""
    new_world = World.create(tmp_path / "world", task=request.path.parent.name, seed=1)
    with use_world(new_world):
        yield new_world


@pytest.fixture
def files(world: World) -> Path:
    """The workspace."""
    return world.files


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where files are made that many tests start from."""
    return tmp_path_factory.mktemp("workshop")


@pytest.fixture
def golden(files: Path, workshop: Path) -> Golden:
    """A file in the workspace that is made once in a run, and copied."""

    def copied(name: str, make: Callable[[Path], object]) -> Path:
        if not (workshop / name).exists():
            make(workshop / name)
        return Path(shutil.copy(workshop / name, files / name))

    return copied


@pytest.fixture
def call(world: World, request: pytest.FixtureRequest) -> Call:
    """Call a tool."""
    return make_caller(load_server(request.path.parent.name))


@pytest.fixture
def done(call: Call) -> Call:
    """Call a tool that must succeed; its structured content, or the JSON of a bulk tool."""

    def run(tool: str, **arguments: Any) -> Any:
        answer = call(tool, **arguments)
        return answer.structured_content if answer.structured_content and not answer.is_error else read_facts(answer)

    return run


@pytest.fixture
def refused(call: Call) -> Call:
    """Call a tool that must fail; what it says."""

    def run(tool: str, **arguments: Any) -> str:
        answer = call(tool, **arguments)
        assert answer.is_error, read_text(answer)
        return read_text(answer)

    return run
