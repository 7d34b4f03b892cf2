"""A client on the generation of the MCP SDK before ours."""

import json
import subprocess
from pathlib import Path

import pytest
from support.processes import COMMAND

pytestmark = pytest.mark.heavy

SCRIPT = Path(__file__).with_name("old_client.py")


def report(python: Path, *server: str, cwd: Path) -> None:
    result = subprocess.run([python, SCRIPT, *server], capture_output=True, text=True, timeout=60, cwd=cwd)
    assert result.returncode == 0, result.stderr
    seen = json.loads(result.stdout)
    assert seen["sdk"].startswith("1.")
    assert seen["protocol"] == "2025-11-25"
    assert seen["server"] == "calculator"
    assert "evaluate_expression" in seen["tools"]
    assert seen["good"][0] is False
    assert "42" in seen["good"][1]
    assert "42" in json.dumps(seen["good"][2])
    assert seen["bad"][0] is True
    assert seen["bad"][1]


def test_it_lists_and_calls_tools_over_stdio(old_python: Path, tmp_path: Path) -> None:
    report(old_python, *COMMAND, "serve", "calculator", cwd=tmp_path)


def test_it_lists_and_calls_tools_over_http(old_python: Path, address: str, tmp_path: Path) -> None:
    report(old_python, address, cwd=tmp_path)
