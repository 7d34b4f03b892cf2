from pathlib import Path

import pytest
from support.scale import EVERYTHING

from toolyard.__main__ import main
from toolyard.sandbox.proving import prove
from toolyard.sandbox.tasks import load_task, suites

SLOW = {
    f"office/{name}"
    for name in (
        *("brand_deck", "budget_model", "deck_repair", "deck_update", "mail_forms", "mail_merge_letters"),
        *("newsletter_html", "pivot_dashboard", "price_list_print", "quarterly_report", "redaction_release"),
        *("scan_archive", "stock_cleanup", "survey_charts", "table_report", "thesis_format"),
    )
}
"""Their proofs take minutes each: here they are solved and graded; `make everything` proves them."""
TASKS = suites()["office"]


@pytest.mark.heavy
@pytest.mark.timeout(1800)  # pages are printed, on a machine that may be busy
@pytest.mark.parametrize("task", sorted(set(TASKS) - (set() if EVERYTHING else SLOW)))
def test_an_instance_of_an_office_task_is_proved(task: str) -> None:
    """The cards hold five seeds; this catches a change in a server, a seed or a check since then."""
    proof = prove(load_task(task), [0])
    assert proof.failures == []
    assert proof.seeds[0].mutants >= 10


@pytest.mark.heavy
@pytest.mark.timeout(900)
@pytest.mark.parametrize("task", sorted(SLOW))
def test_an_instance_of_an_office_task_whose_proof_is_slow_is_solved(task: str, tmp_path: Path) -> None:
    assert main(["run", task, "--runs", str(tmp_path)]) == 0
    assert main(["run", task, "--agent", "nop", "--runs", str(tmp_path / "nop")]) == 1
