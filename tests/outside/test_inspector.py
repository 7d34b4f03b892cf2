"""The command line of the MCP Inspector against a server over stdio."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from npm import run_npx
from support.processes import COMMAND

pytestmark = pytest.mark.drill

PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
TOOL_ERROR = 5


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "mcp.json"
    entry = {"command": COMMAND[0], "args": [*COMMAND[1:], "serve", "calculator", "--workspace", str(tmp_path)]}
    path.write_text(json.dumps({"mcpServers": {"calculator": entry}}))
    return path


def run_inspector(config: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    where = ("--cli", "-q", "--config", str(config), "--server", "calculator", "--format", "json")
    return run_npx(PACKAGE, "mcp-inspector", *where, *arguments, cwd=config.parent)


def call_inspector(config: Path, expression: str) -> tuple[int, dict[str, Any]]:
    arguments = ("--tool-name", "evaluate_expression", "--tool-args-json", json.dumps({"expression": expression}))
    result = run_inspector(config, "--method", "tools/call", *arguments)
    return result.returncode, json.loads(result.stdout)


def test_it_lists_the_tools(config: Path) -> None:
    result = run_inspector(config, "--method", "tools/list")
    assert result.returncode == 0, result.stdout + result.stderr
    assert '"evaluate_expression"' in result.stdout


def test_it_finds_the_schemas_portable(config: Path) -> None:
    result = run_inspector(config, "--method", "tools/list", "--strict")
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_call_answers(config: Path) -> None:
    code, answer = call_inspector(config, "6 * 7")
    assert code == 0
    assert "42" in json.dumps(answer)


def test_a_foreseen_failure_is_a_tool_error(config: Path) -> None:
    code, answer = call_inspector(config, "9**9**9")
    assert code == TOOL_ERROR
    assert "isError" in json.dumps(answer)
