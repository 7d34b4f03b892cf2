import pytest
from support.waiting import WAITING

from toolyard.sandbox.proving import prove
from toolyard.sandbox.tasks import load_task, suites

TASKS = [task for task in suites()["office"] if task not in WAITING][::3]
"""Every third: all of them take longer than CI has. `toolyard prove office` proves the others, and their cards tell."""


@pytest.mark.heavy
@pytest.mark.timeout(900)  # pages are printed, on a machine that may be busy
@pytest.mark.parametrize("task", TASKS)
def test_an_instance_of_every_third_office_task_is_proved(task: str) -> None:
    """The cards hold all mutants of five seeds; this catches a change in a server, a seed or a check since then."""
    proof = prove(load_task(task), [0], one_in=3)
    assert proof.failures == []
    assert proof.seeds[0].mutants >= 5
