import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.processes import COMMAND


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def toolyard(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command line as a user does, in an empty directory."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            env={**os.environ, **environment},
        )

    return run
