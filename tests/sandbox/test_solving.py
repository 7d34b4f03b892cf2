"""A task of each suite is solved by the agent that knows how, and not by one that does nothing."""

from pathlib import Path

import pytest

from toolyard.__main__ import main
from toolyard.sandbox.tasks import suites

EASY = {"quickstart": "sort_inbox", "office": "timesheets", "lore": "documents"}


def test_every_suite_has_an_easy_task_here() -> None:
    assert EASY.keys() == suites().keys()


@pytest.mark.parametrize("task", [f"{suite}/{name}" for suite, name in EASY.items()])
def test_an_easy_task_of_the_suite_is_solved(task: str, tmp_path: Path) -> None:
    assert main(["run", task, "--runs", str(tmp_path)]) == 0
    assert main(["run", task, "--agent", "nop", "--runs", str(tmp_path / "nop")]) == 1
