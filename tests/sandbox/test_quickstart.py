import pytest
from support.scale import EVERYTHING

from toolyard.sandbox.proving import prove
from toolyard.sandbox.tasks import load_task, suites

TASKS = suites()["quickstart"]
SLOW = {"quickstart/csv_to_workbook"}
"""Proved in `make everything`, as its card says; test_demo.py solves it."""


@pytest.mark.heavy
@pytest.mark.parametrize("task", sorted(set(TASKS) - (set() if EVERYTHING else SLOW)))
def test_an_instance_of_every_task_is_proved(task: str) -> None:
    """The cards hold five seeds; this catches a change in a server, a seed or a check since then."""
    proof = prove(load_task(task), [0])
    assert proof.failures == []
    assert proof.seeds[0].mutants >= 10


def test_the_suite_has_twelve_tasks() -> None:
    assert len(TASKS) == 12
