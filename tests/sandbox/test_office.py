import pytest

from toolyard.sandbox.proving import prove
from toolyard.sandbox.tasks import load_task, suites

SLOW = {
    f"office/{name}"
    for name in (
        *("budget_model", "mail_merge_letters", "pivot_dashboard", "quarterly_report", "scan_archive"),
        *("survey_charts", "thesis_format"),
    )
}
"""Minutes each, beyond what CI has: their cards, which hold five seeds, are all that tells of them."""
TASKS = [task for task in suites()["office"] if task not in SLOW]


@pytest.mark.heavy
@pytest.mark.timeout(900)  # pages are printed, on a machine that may be busy
@pytest.mark.parametrize("task", TASKS)
def test_an_instance_of_every_office_task_is_proved(task: str) -> None:
    """The cards hold five seeds; this catches a change in a server, a seed or a check since then."""
    proof = prove(load_task(task), [0])
    assert proof.failures == []
    assert proof.seeds[0].mutants >= 10
