import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-P", "-m", "toolyard"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def toolyard(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command line as a user does, in an empty directory."""

    def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            env={**os.environ, **environment},
        )

    return run


def exchange(command: list[str], message: str, cwd: Path) -> tuple[int, str, str]:
    """Start `command`, send one message, read one answer, close stdin: (exit code, the rest of stdout too, stderr)."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=cwd, **pipes) as process:
        process.stdin.write(message)
        process.stdin.flush()
        answer = process.stdout.readline()
        rest, errors = process.communicate(timeout=60)
        return process.returncode, answer + rest, errors


@contextmanager
def served(*arguments: str, cwd: Path, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """``toolyard serve ... --http`` on a free port, as (address, process); it is ended afterwards."""
    process = subprocess.Popen(
        [*COMMAND, "serve", *arguments, "--http", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
    )
    assert process.stderr is not None
    assert process.stdout is not None
    with process, process.stderr, process.stdout:
        try:
            line = process.stderr.readline()
            found = re.search(r"http://\S+", line)
            assert found, line
            yield found[0], process
        finally:
            process.terminate()
            process.wait(30)
