import json
import tomllib
from pathlib import Path

import pytest

from yardkit.sandbox.adapters.harbor import export_task
from yardkit.sandbox.tasks.suites import find_task
from yardkit.world import Problem


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_task(find_task("sort_inbox"), 3, tmp_path_factory.mktemp("tasks"), image="mine:1")


def test_a_harbor_task_is_whole(exported: Path) -> None:
    written = {str(path.relative_to(exported)) for path in exported.rglob("*") if path.is_file()}
    assert written == {
        "task.toml",
        "instruction.md",
        "environment/Dockerfile",
        "environment/docker-compose.yaml",
        "solution/calls.json",
        "solution/solve.py",
        "solution/solve.sh",
        "tests/Dockerfile",
        "tests/test.sh",
    }
    assert "<<" not in "".join(path.read_text("utf-8") for path in exported.rglob("*.*") if path.suffix != ".sh")
    about = tomllib.loads((exported / "task.toml").read_text("utf-8"))
    assert about["schema_version"] == "1.4"
    assert about["metadata"]["task"] == "quickstart/sort_inbox"
    assert about["environment"]["mcp_servers"][0]["headers"] == {"Authorization": "Bearer ${YARDKIT_TOKEN}"}
    assert about["verifier"]["environment_mode"] == "separate"


def test_the_agents_container_has_nothing_of_yardkit(exported: Path) -> None:
    lines = (exported / "environment/Dockerfile").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("FROM")] == ["FROM python:3.12-slim"]
    assert not [line for line in lines if line.startswith(("COPY", "ADD")) or "pip" in line]


def test_the_episode_and_the_verifier_run_on_the_named_image(exported: Path) -> None:
    assert "image: ${YARDKIT_IMAGE:-mine:1}" in (exported / "environment/docker-compose.yaml").read_text("utf-8")
    assert "ARG YARDKIT_IMAGE=mine:1" in (exported / "tests/Dockerfile").read_text("utf-8")


def test_the_oracle_has_the_calls_of_the_solver(exported: Path) -> None:
    plan = json.loads((exported / "solution/calls.json").read_text("utf-8"))
    assert plan["calls"][-1]["name"] == "write_file"
    assert plan["answer"] == "The inbox is sorted."


def test_a_folder_that_is_there_is_not_overwritten(exported: Path) -> None:
    with pytest.raises(Problem, match="already exists"):
        export_task(find_task("sort_inbox"), 3, exported.parent)
