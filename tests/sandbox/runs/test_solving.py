"""A task of each suite is solved by the agent that knows how, and not by one that does nothing."""

from pathlib import Path

import pytest
from support.scale import select_drills

from yardkit.__main__ import main
from yardkit.sandbox.tasks.suites import list_suites

QUICK = {
    "quickstart": "policy_proof",
    "office": "feedback_form",
    "lore": "documents",
    "sight": "floor_plan_seats",
    "studio": "seat_plan",
    "lore_published": "documents",
    "gta": "menu_bill",
    "desk": "fraud_review",
}
"""Of each suite a task whose solution takes a moment."""
TASKS = [f"{suite}/{name}" for suite, name in QUICK.items()]


def test_every_suite_has_a_quick_task_here() -> None:
    assert QUICK.keys() == list_suites().keys()


@pytest.mark.parametrize("task", TASKS)
def test_a_task_of_the_suite_is_solved(task: str, tmp_path: Path) -> None:
    assert main(["run", task, "--runs", str(tmp_path)]) == 0


@pytest.mark.parametrize("task", [*TASKS[:1], *select_drills(*TASKS[1:])])
def test_a_task_of_the_suite_is_not_solved_by_doing_nothing(task: str, tmp_path: Path) -> None:
    assert main(["run", task, "--agent", "nop", "--runs", str(tmp_path)]) == 1
