import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.proof_locks import ENTRY, new_lock

from yardkit.__main__ import main
from yardkit.sandbox.proofs.proofs_lock import write_entry
from yardkit.sandbox.tasks.suites import list_suites

SMALL = "quickstart/sort_inbox"


@pytest.fixture(autouse=True)
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seeds of the small task, and one of the others of its suite, whose solver also draws."""
    new_lock(tmp_path, monkeypatch)
    for name in list_suites()["quickstart"]:
        write_entry(name, 0, replace(ENTRY, tools={**ENTRY.tools, "plot.draw_plot": 1}))
    write_entry(SMALL, 0, ENTRY)
    write_entry(SMALL, 1, replace(ENTRY, tools={"files.move_path": 90}))


def read_figures(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert main(["stats", *argv, "--json"]) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    return figures


def test_a_suite_is_counted_by_kind_of_task_and_by_what_its_proofs_use(capsys: pytest.CaptureFixture[str]) -> None:
    figures = read_figures(capsys, "quickstart")
    assert len(figures["tasks"]) == 12
    for aspect in ("domains", "difficulties"):
        assert sum(figures[aspect].values()) == 12
    assert figures["domains"]["personal"] == 4
    assert figures["deliverables"]["workbook"] == 3
    assert figures["offered"]["files"] == figures["used"]["files"] == 12
    assert figures["combinations"] == {"files+plot": 11, "files": 1}
    assert [figures["calls"][name] for name in ("min", "median", "max")] == [51, 52, 90]
    assert figures["tools"] == {"files.read_file": 27 * 12, "files.move_path": 24 * 12, "plot.draw_plot": 11}
    assert figures["tasks_by_tool"]["calculator.evaluate_expression"] == 12, "another right way calls it"
    assert "move_path" not in figures["uncalled"]["files"]
    assert "append_file" in figures["uncalled"]["files"]


def test_the_figures_are_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", SMALL]) == 0
    text = capsys.readouterr().out
    assert "1 tasks; calls of the reference solution: 51 to 90, median 70.5" in text
    assert "  administration                         1" in text
    assert "  files.move_path " in text
    assert "Tools that no proof calls: " in text


def test_a_task_that_was_not_proved_says_how_to_prove_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "policy_proof", "lore/code"]) == 2
    assert (
        "proofs.lock has no proof of lore/code; `yardkit prove lore/code --stale` makes it" in capsys.readouterr().err
    )
