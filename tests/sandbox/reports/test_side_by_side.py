import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.__main__ import main
from yardkit.sandbox.agents import Usage
from yardkit.sandbox.runs.repeats import compute_all_true_chance, repeats_of
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory
from yardkit.world import save_text

TASKS = ("quickstart/sort_inbox", "quickstart/policy_proof")


def make_result(task: str, seed: int, repeat: int, *, passed: bool, valid: bool = True, errors: int = 0) -> Result:
    usage = Usage(turns=3, prompt_tokens=100, cost_usd=0.5)
    more = {"calls": 4, "tool_errors": errors, "usage": usage, "repeat": repeat}
    return Result(task, seed, "", float(passed), passed, valid, (), "done", **more)  # type: ignore[arg-type]


def run_of(folder: Path, agent: str, results: list[Result], seeds: tuple[int, ...] = (0, 1)) -> Path:
    folder.mkdir()
    plan = Plan(TASKS, seeds, agent, {}, 60.0, repeats=2)
    save_text(folder / "run.json", json.dumps(plan.as_dict()))
    RunDirectory(folder).replace_results(results)
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """The first passes every other time, the second always, but for one task and a run that is invalid."""
    keys = [(task, seed, repeat) for task in TASKS for seed in (0, 1) for repeat in (0, 1)]
    first = [make_result(*key, passed=key[2] == 0, errors=key[2]) for key in keys]
    second = [make_result(*key, passed=key[0] == TASKS[0], valid=key != keys[-1]) for key in keys]
    first_run = run_of(tmp_path / "one", "openai:small", first)
    return [str(first_run), str(run_of(tmp_path / "two", "openai:large", second))]


def test_runs_stand_side_by_side_with_paired_differences(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *runs, "--format", "markdown"]) == 0
    text = capsys.readouterr().out
    # One instance of the second has a single valid run, so k is 1 for both.
    for line in (
        "| Runs (invalid) | 8 (0) | 8 (1) |",
        "| Pass@1 | 50.0 % ± 70.7 | 50.0 % ± 11.8 |",
        "| Instances in common | - | 4: better on 2, worse on 2 |",
        "| Calls that ended in an error | 12.5 % | 0.0 % |",
        "| Passed with an error | 0.0 % | - |",
        "| quickstart/sort_inbox | 2/4 (50 %) | 4/4 (100 %) |",
    ):
        assert line in text
    assert "Pass^k |" not in text
    assert main(["report", *runs, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [column["name"] for column in report] == ["openai:small", "openai:large"]
    assert report[1]["paired"]["difference"] == 0.0
    assert report[1]["turns"] == 3.0
    assert main(["report", *runs]) == 0
    assert "<script" not in capsys.readouterr().out


def test_runs_of_one_agent_are_told_by_their_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = [make_result(TASKS[0], 0, 0, passed=True)]
    folders = [str(run_of(tmp_path / name, "openai:small", results)) for name in ("one", "two")]
    main(["report", *folders, "--format", "markdown"])
    assert "|  | openai:small (one) | openai:small (two) |" in capsys.readouterr().out


def test_runs_without_a_common_instance_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first_run = run_of(tmp_path / "one", "a", [make_result(TASKS[0], 0, 0, passed=True)])
    two = run_of(tmp_path / "two", "b", [make_result(TASKS[0], 1, 0, passed=True)])
    assert main(["report", str(first_run), str(two)]) == 2
    assert "no task and seed in common" in capsys.readouterr().err
    assert main(["report", str(first_run), str(first_run), "--format", "junit"]) == 2
    assert "JUnit XML is of one run" in capsys.readouterr().err


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.data())
def test_the_chance_of_k_passes_lies_between_all_and_one(runs: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(runs)))
    chance = compute_all_true_chance(runs, k)
    assert (
        float(all(runs))
        <= chance
        <= compute_all_true_chance(runs, 1)
        <= 1 - compute_all_true_chance([not run for run in runs], k)
    )
    assert compute_all_true_chance(runs, 1) == sum(runs) / len(runs)


def test_pass_at_k_and_pass_hat_k_count_instances_that_pass_once_and_always() -> None:
    repeats = repeats_of(
        [make_result(TASKS[0], seed, repeat, passed=repeat >= seed) for seed in (0, 1) for repeat in (0, 1)]
    )
    assert repeats is not None
    assert (repeats.runs, repeats.pass_at_1, repeats.pass_at_k, repeats.pass_hat_k) == (2, 0.75, 1.0, 0.5)
    assert repeats_of([make_result(TASKS[0], 0, 0, passed=True, valid=False)]) is None
