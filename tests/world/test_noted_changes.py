"""What the tools of servers change is noted, or seen by the stamps of folders."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


@pytest.mark.drill
@pytest.mark.timeout(600)
@pytest.mark.parametrize("server", ["test_files_server.py", "test_forms_server.py", "database"])
def test_after_each_call_of_a_servers_tests_the_hash_is_that_of_a_walk(server: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "support.walked", "-n", "0", str(TESTS / "servers" / server)]
    done = subprocess.run(command, cwd=TESTS.parent, env={**os.environ, "PYTHONPATH": str(TESTS)}, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()[-2_000:]
