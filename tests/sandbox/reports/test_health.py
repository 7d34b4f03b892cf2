"""What a report says of the calls of an agent, and of where its runs failed."""

import json
from pathlib import Path

import pytest
from support.models import calls, says, scripted_model

from toolyard.__main__ import main
from toolyard.sandbox.agents import Usage
from toolyard.sandbox.reports.breakdowns import by_turns
from toolyard.sandbox.runs.results import Result
from toolyard.sandbox.runs.stages import stage_of

LISTED = ("list_folder", {"path": "inbox"})


def run_with(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: object, setting: str = "retries=0") -> list[str]:
    with scripted_model(*lines) as model:  # type: ignore[arg-type]
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        arguments = ["--agent", "openai:scripted", "--runs", str(folder), "--set", setting]
        assert main(["run", "quickstart/sort_inbox", *arguments]) == 1
    return [str(folder)]


def told(run: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["report", *run, "--format", "markdown"]) == 0
    return capsys.readouterr().out


def test_each_wrong_call_is_counted_by_its_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_with(
        tmp_path / "run",
        monkeypatch,
        calls(("no_such_tool", {})),
        calls(("read_file", "{broken")),
        calls(("read_file", {"colour": "red"})),
        calls(("read_file", {"path": "none.txt"})),
        calls(LISTED, LISTED),
        says(""),
    )
    text = told(run, capsys)
    for name in ("no action", "unknown tool", "refused arguments", "failed call", "repeated call"):
        assert f"| {name} | {2 if name == 'refused arguments' else 1} |" in text
    assert "wrong tool" not in text
    assert "| delivery | 1 |" in text
    page = (tmp_path / "run" / "report.html").read_text()
    assert "What went wrong with calls" in page
    record = json.loads((tmp_path / "run" / "report.json").read_text())
    assert record["runs"][0]["call_errors"]["refused arguments"] == 2


def test_words_without_an_action_are_no_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (says("I shall look."), says("Final Answer: done"))
    run = run_with(tmp_path / "run", monkeypatch, *lines, setting="protocol=react")
    assert "| no action | 1 |" in told(run, capsys)


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


def result(seed: int, turns: int, *, calls: int = 0, passed: bool = True, valid: bool = True) -> Result:
    usage = Usage(turns=turns)
    return Result("a/b", seed, "", float(passed), passed, valid, (), "done", calls=calls, usage=usage)


def test_results_are_put_into_thirds_by_their_turns() -> None:
    results = [result(seed, 10 - seed, passed=seed > 3) for seed in range(8)]
    found = by_turns([*results, result(9, 99, valid=False)])
    shown = [(third.fewest, third.most, third.summary.runs, third.summary.passed) for third in found.values()]
    assert shown == [(3, 5, 3, 3), (6, 7, 2, 1), (8, 10, 3, 0)]
    assert by_turns(results[:2]) == {}


def test_calls_stand_for_turns_that_are_not_known() -> None:
    found = by_turns([result(seed, turns=seed, calls=7 * seed) for seed in range(3)])
    assert [(third.fewest, third.unit) for third in found.values()] == [(0, "calls"), (7, "calls"), (14, "calls")]
