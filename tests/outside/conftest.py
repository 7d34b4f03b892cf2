import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.bearer import with_bearer
from support.processes import open_episode, serve_http
from support.scale import select_drills

CACHE = Path(__file__).parents[2] / ".cache-outside"
OLD_CLIENT = "mcp==1.30.0"
AGENTLEGO = "agentlego==0.2.0"


@pytest.fixture(scope="session")
def calculator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The MCP address of one server over HTTP."""
    with serve_http("calculator", cwd=tmp_path_factory.mktemp("workspace")) as (url, _):
        yield url


@pytest.fixture(scope="session")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The MCP address of an open episode, for clients that cannot send its token."""
    folder = tmp_path_factory.mktemp("gateway")
    with open_episode("quickstart/sort_inbox", cwd=folder) as (url, token), with_bearer(url, token) as open_url:
        yield open_url


@pytest.fixture(params=["calculator", *select_drills("gateway")])
def address(request: pytest.FixtureRequest) -> str:
    """The MCP address of each kind of HTTP server that we run."""
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture(scope="session")
def old_python() -> Path:
    """An interpreter whose environment has the generation of the SDK before ours."""
    return python_with(OLD_CLIENT)


@pytest.fixture(scope="session")
def agentlego_python() -> Path:
    """An interpreter with AgentLego, whose RemoteTool GTA's agents use."""
    return python_with(AGENTLEGO)


def python_with(package: str) -> Path:
    """An interpreter of an environment with a package, kept between test runs."""
    folder = CACHE / package
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, timeout=240)
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True, timeout=280)
        (folder / "ready").touch()
    return python
