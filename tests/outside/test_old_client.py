"""A client on the generation of the MCP SDK before ours."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.processes import COMMAND, open_episode

pytestmark = pytest.mark.drill

SCRIPT = Path(__file__).with_name("old_client.py")
EVALUATE = [
    ("evaluate_expression", {"expression": "6 * 7"}),
    ("evaluate_expression", {"expression": "9**9**9"}),
    ("evaluate_expression", {"expresion": "6 * 7"}),
]


def seen_by(python: Path, calls: list[Any], cwd: Path, **where: object) -> dict[str, Any]:
    plan = json.dumps({**where, "calls": calls})
    result = subprocess.run([python, SCRIPT, plan], capture_output=True, text=True, timeout=240, cwd=cwd)
    assert result.returncode == 0, result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    assert report["sdk"].startswith("1.")
    assert report["protocol"] == "2025-11-25"
    assert [name for name, _ in calls if name not in report["tools"]] == []
    return report


def check_arithmetic(report: dict[str, Any]) -> None:
    good, refused, misspelt = report["results"]
    assert good[0] is False
    assert "42" in good[1]
    assert "42" in json.dumps(good[2])
    assert refused[0] is True
    assert misspelt[0] is True
    assert "It takes: expression" in misspelt[1]


def test_it_lists_and_calls_tools_over_stdio(old_python: Path, tmp_path: Path) -> None:
    check_arithmetic(seen_by(old_python, EVALUATE, tmp_path, command=[*COMMAND, "serve", "calculator"]))


def test_it_lists_and_calls_tools_over_http(old_python: Path, calculator: str, tmp_path: Path) -> None:
    check_arithmetic(seen_by(old_python, EVALUATE, tmp_path, url=calculator, headers={}))


def test_it_works_on_an_episode_of_the_gateway(old_python: Path, tmp_path: Path) -> None:
    calls = [("list_folder", {"path": "."}), ("read_file", {"path": "../world.json"})]
    with open_episode("quickstart/sort_inbox", cwd=tmp_path) as (url, token):
        bearer = {"Authorization": f"Bearer {token}"}
        listed, escaped = seen_by(old_python, calls, tmp_path, url=url, headers=bearer)["results"]
    assert listed[0] is False
    assert "inbox" in listed[1]
    assert escaped[0] is True
    assert "outside the workspace" in escaped[1]
