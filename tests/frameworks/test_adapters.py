"""What a run is worth does not depend on the harness."""

import json
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from frameworks.environments import prepare_environment, read_frameworks
from frameworks.grades import HARNESSES, WORKS, by_yardkit

pytestmark = [pytest.mark.drill, pytest.mark.timeout(1200)]


@cache
def grade_of_yardkit(name: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return by_yardkit(WORKS[name], Path(folder))


@pytest.mark.parametrize("name", WORKS)
def test_the_works_differ_as_they_should(name: str) -> None:
    grade = grade_of_yardkit(name)
    assert grade["valid"]
    assert grade["passed"] == (name in ("oracle", "answered"))
    assert (grade["reward"] == 1.0) == (name in ("oracle", "answered"))
    assert (grade["reward"] == 0.0) == (name == "nop")


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize("name", WORKS)
def test_a_harness_gives_the_grade_of_yardkit(name: str, harness: str, tmp_path: Path) -> None:
    assert HARNESSES[harness](WORKS[name], tmp_path) == grade_of_yardkit(name)


def test_branches_of_a_forked_state_of_inspect_have_worlds_of_their_own(tmp_path: Path) -> None:
    command = [
        prepare_environment(read_frameworks()["inspect-ai"]) / "bin/python",
        Path(__file__).with_name("branches.py"),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen == [["before.txt", "one.txt"], ["before.txt", "two.txt"], ["before.txt"]]
