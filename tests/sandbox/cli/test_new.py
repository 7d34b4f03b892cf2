"""`toolyard new`: skeletons that pass every test as they are."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import toolyard
from toolyard.sandbox.skeletons import write_skeleton
from toolyard.world import Problem

ROOT = Path(toolyard.__file__).parents[1]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a server needs of this checkout."""
    root = tmp_path_factory.mktemp("new") / "yard"
    for part in ("toolyard/kit", "toolyard/world", "toolyard/programs", "toolyard/apps", "toolyard/sandbox"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("toolyard/__init__.py", "toolyard/__main__.py", "toolyard/servers/__init__.py", "pyproject.toml"):
        (root / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / part, root / part)
    shutil.copytree(ROOT / "tests/support", root / "tests/support", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "servers/walking.py", "servers/test_contract.py"):
        (root / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "tests" / name, root / "tests" / name)
    return root


def passes(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=100)


def test_a_new_server_passes_the_contract_and_its_own_tests(checkout: Path) -> None:
    written = write_skeleton("server", "demo", checkout)
    assert Path("toolyard/servers/demo/server.py") in written
    done = passes(checkout, "tests/servers/test_contract.py", "tests/servers/test_demo_server.py", "-k", "demo or tool")
    assert done.returncode == 0, done.stdout
    with pytest.raises(Problem, match="exists already"):
        write_skeleton("server", "demo", checkout)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("server", "My server"), ("server", "../x"), ("server", "class"), ("app", "a/b"), ("task", "lonely")],
)
def test_a_name_that_is_none_is_refused(checkout: Path, kind: str, name: str) -> None:
    with pytest.raises(Problem, match="is no name"):
        write_skeleton(kind, name, checkout)


def test_skeletons_are_written_into_a_checkout_only(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="is no checkout"):
        write_skeleton("server", "demo", tmp_path)
