"""`yardkit new`: skeletons that pass every test as they are."""

import ast
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import yardkit
from yardkit.sandbox.skeletons import FOLDER, write_skeleton
from yardkit.world import Problem

ROOT = Path(yardkit.__file__).parents[1]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout, without most tests."""
    root = tmp_path_factory.mktemp("new") / "yard"
    ignored = shutil.ignore_patterns("__pycache__")
    for part in ("yardkit", "tests/support"):
        shutil.copytree(ROOT / part, root / part, ignore=ignored)
    files = ("conftest.py", "seconds.json", "servers/walking.py", "servers/conftest.py", "servers/test_contract.py")
    for name in ("pyproject.toml", *(f"tests/{file}" for file in files)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, root / name)
    return root


def run_module(root: Path, *arguments: str) -> str:
    """What a module of Python prints that runs in the checkout, and how it ended."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=240)
    return f"{done.stdout}{done.stderr}\nended with {done.returncode}"


def run_tests(root: Path, *arguments: str) -> str:
    return run_module(root, "pytest", "-n", "0", "-p", "no:cacheprovider", *arguments)


def test_names_that_a_skeleton_uses_of_the_package_exist() -> None:
    names = [name for path in FOLDER.rglob("*.py.txt") for name in list_names_of_package(path.read_text("utf-8"))]
    assert len(names) > 20
    assert [f"{module}.{name}" for module, name in names if find_object(module, name) is None] == []


def list_names_of_package(source: str) -> Iterator[tuple[str, str]]:
    """Module or class, and name in it, of what a skeleton imports from our package and then uses of that."""
    tree = ast.parse(source.replace("$", "NEW_"))
    imported: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("yardkit."):
            if "NEW_" not in node.module:
                yield from ((node.module, alias.name) for alias in node.names if "NEW_" not in alias.name)
                imported |= {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            yield imported[node.value.id], node.attr


def find_object(owner: str, name: str) -> object:
    """What a module or a class of ours has by this name; None for nothing."""
    try:
        return pkgutil.resolve_name(f"{owner}.{name}")
    except (ImportError, AttributeError):
        return None


@pytest.mark.drill
def test_a_new_server_passes_the_contract_and_its_own_tests(checkout: Path) -> None:
    written = write_skeleton("server", "demo", checkout)
    assert Path("yardkit/servers/demo/server.py") in written
    test_output = run_tests(
        checkout, "tests/servers/test_contract.py", "tests/servers/test_demo_server.py", "-k", "demo or tool"
    )
    assert test_output.endswith("ended with 0"), test_output
    with pytest.raises(Problem, match="already exists"):
        write_skeleton("server", "demo", checkout)


@pytest.mark.drill
def test_a_new_app_passes_its_own_tests(checkout: Path) -> None:
    write_skeleton("app", "ledger", checkout)
    test_output = run_tests(checkout, "tests/apps/test_ledger_records.py")
    assert test_output.endswith("ended with 0"), test_output


@pytest.mark.drill
def test_a_new_task_is_proved(checkout: Path) -> None:
    write_skeleton("task", "pilot/month_orders", checkout)
    prove_output = run_module(checkout, "yardkit", "prove", "pilot/month_orders", "--seeds", "1")
    assert "0 survived, 0 failures" in prove_output, prove_output
    assert prove_output.endswith("ended with 0"), prove_output
    assert Path("yardkit/evaluators/pilot/__init__.py") not in write_skeleton("task", "pilot/other", checkout)
    assert Path("yardkit/evaluators/pilot/pilot/checks.py") in write_skeleton("task", "pilot/pilot", checkout)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("server", "My server"), ("server", "../x"), ("server", "class"), ("app", "a/b"), ("task", "lonely")],
)
def test_a_name_that_is_none_is_refused(checkout: Path, kind: str, name: str) -> None:
    with pytest.raises(Problem, match="is not a valid name"):
        write_skeleton(kind, name, checkout)


def test_skeletons_are_written_into_a_checkout_only(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="is not a checkout"):
        write_skeleton("server", "demo", tmp_path)
