"""A benchmark is dropped by deleting its folder and its suites; everything else goes on."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import yardkit
from yardkit.sandbox.benchmarks import map_commands


@pytest.mark.drill
@pytest.mark.parametrize("name", map_commands())
def test_without_its_folders_a_benchmark_is_gone_and_the_rest_works(name: str, tmp_path: Path) -> None:
    source = Path(yardkit.__file__).parent
    shutil.copytree(source, tmp_path / "yardkit", ignore=shutil.ignore_patterns("__pycache__", "fonts"))
    suites = [
        folder for room in ("evaluators", "state_init", "fixtures") for folder in tmp_path.glob(f"*/{room}/{name}*")
    ]
    for folder in [tmp_path / "yardkit" / "benchmarks" / name, *suites]:
        shutil.rmtree(folder)

    def run(*argv: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "yardkit", *argv]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)

    assert f"\n  {name} " not in run("--help").stdout
    assert f"there is no command {name!r}" in run(name).stderr
    tasks = run("tasks")
    assert tasks.returncode == 0, tasks.stderr
    assert "\nquickstart " in tasks.stdout
    assert f"\n{name}" not in f"\n{tasks.stdout}"
    catalog = run("catalog", "calculator")
    assert catalog.returncode == 0, catalog.stderr
