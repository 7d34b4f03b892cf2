"""Workflows run what a developer can run, at fixed commits of actions, with few rights."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
PREPARATIONS = (
    "apt-get update && apt-get install -y --no-install-recommends ca-certificates git make",
    "gh release create ",
)
"""Steps before there is a checkout, and without one."""


def steps_of(path: Path) -> Iterator[dict[str, Any]]:
    for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_the_steps_of_a_workflow_are_make_targets(path: Path) -> None:
    commands = [step["run"] for step in steps_of(path) if "run" in step]
    called = {
        command: set(re.findall(r"\bmake(?: --silent)? ([a-z-]+)", command))
        for command in commands
        if not command.startswith(PREPARATIONS)
    }
    assert [command for command, targets in called.items() if not targets or not targets <= TARGETS] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_names_each_action_by_its_commit(path: Path) -> None:
    uses = re.findall(r"uses: (.+)", path.read_text("utf-8"))
    assert [name for name in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", name)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_only_read_unless_a_job_says_more(path: Path) -> None:
    assert yaml.safe_load(path.read_text("utf-8"))["permissions"] == {"contents": "read"}
