"""What a report says of the calls of an agent, and of where its runs failed."""

import json
from pathlib import Path

import pytest
from support.models import Line, make_call_line, make_text_line, scripted_model
from support.runs import run_here

from yardkit.__main__ import main
from yardkit.sandbox.agents import Usage
from yardkit.sandbox.reports.breakdowns import by_turns
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.stages import stage_of

LISTED = ("list_folder", {"path": "inbox"})


def run_with(folder: Path, *lines: Line, protocol: str = "tools") -> None:
    with scripted_model(*lines) as model:
        run_here(folder, "quickstart/sort_inbox", "openai:scripted", {"base_url": model.url, "protocol": protocol})


def run_report(run: Path, capsys: pytest.CaptureFixture[str], form: str) -> str:
    capsys.readouterr()
    assert main(["report", str(run), "--format", form]) == 0
    return capsys.readouterr().out


def test_each_wrong_call_is_counted_by_its_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_with(
        tmp_path,
        make_call_line(("no_such_tool", {})),
        make_call_line(("read_file", "{broken")),
        make_call_line(("read_file", {"colour": "red"})),
        make_call_line(("read_file", {"path": "none.txt"})),
        make_call_line(LISTED, LISTED),
        make_text_line(""),
    )
    text = run_report(tmp_path, capsys, "markdown")
    for name in ("no action", "unknown tool", "refused arguments", "failed call", "repeated call"):
        assert f"| {name} | {2 if name == 'refused arguments' else 1} |" in text
    assert "wrong tool" not in text
    assert "| delivery | 1 |" in text
    assert "Errors of calls" in run_report(tmp_path, capsys, "html")
    record = json.loads(run_report(tmp_path, capsys, "json"))
    assert record["runs"][0]["call_errors"]["refused arguments"] == 2


def test_words_without_an_action_are_no_action(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_with(tmp_path, make_text_line("I shall look."), make_text_line("Final Answer: done"), protocol="react")
    assert "| no action | 1 |" in run_report(tmp_path, capsys, "markdown")


@pytest.mark.parametrize(
    ("outcomes", "stage"),
    [
        (["insufficient_evidence"] * 3, "nothing delivered"),
        (["pass", "insufficient_evidence", "pass"], "delivery"),
        (["pass", "invalid_artifact", "fail"], "delivery"),
        (["pass", "fail", "fail"], "leaves"),
        (["pass", "fail"], "leaves"),
        (["pass", "pass", "fail"], "composition"),
        ([], ""),
    ],
)
def test_work_fails_at_the_first_stage_that_fits(outcomes: list[str], stage: str) -> None:
    holds = [outcome == "pass" for outcome in outcomes]
    assert stage_of(outcomes, holds, passed=False) == stage
    assert stage_of(outcomes, holds, passed=True) == ""


def make_result(seed: int, turns: int, *, calls: int = 0, passed: bool = True, valid: bool = True) -> Result:
    usage = Usage(turns=turns)
    return Result("a/b", seed, "", float(passed), passed, valid, (), "done", calls=calls, usage=usage)


def test_results_are_put_into_thirds_by_their_turns() -> None:
    results = [make_result(seed, 10 - seed, passed=seed > 3) for seed in range(8)]
    thirds = by_turns([*results, make_result(9, 99, valid=False)])
    third_figures = [(third.fewest, third.most, third.summary.runs, third.summary.passed) for third in thirds.values()]
    assert third_figures == [(3, 5, 3, 3), (6, 7, 2, 1), (8, 10, 3, 0)]
    assert by_turns(results[:2]) == {}


def test_calls_stand_for_turns_that_are_not_known() -> None:
    thirds = by_turns([make_result(seed, turns=seed, calls=7 * seed) for seed in range(3)])
    assert [(third.fewest, third.unit) for third in thirds.values()] == [(0, "calls"), (7, "calls"), (14, "calls")]
