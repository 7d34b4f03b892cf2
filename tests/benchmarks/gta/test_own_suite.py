"""Our suite `gta` as sets in the released forms, and its runs as input of the papers' figures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.models import Model, make_call_line, make_text_line, scripted_model
from support.runs import run_here

from yardkit.__main__ import main
from yardkit.benchmarks.gta.running.exporting import published_tree
from yardkit.benchmarks.gta.scores.answers import compare_words
from yardkit.benchmarks.gta.scores.runs import score_runs
from yardkit.benchmarks.gta.scores.steps import score_steps
from yardkit.benchmarks.gta.sets.atomic import GoldAnswer, GoldStep, read_atomic
from yardkit.benchmarks.gta.sets.predictions import Predicted, worked_of
from yardkit.sandbox.tasks.task import load_task

TASK = "gta/sales_review"
WORK = [
    make_call_line(("ReadXLSX", {"file": "orders_h1.xlsx", "sheet": "Prices"})),
    make_call_line(("Calculator", {"expression": "1 / 0"}), ("Oracle", {"q": "sum"})),
    make_call_line(("CsvFileGenerator", {"filename": "left_out", "data_str": "[[1, 2]]"})),
    make_text_line("The sum is 12."),
]


def run_gta(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["gta", *arguments, "--format", "json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def predict_step(step: GoldStep) -> Predicted:
    return Predicted(text=step.text) if isinstance(step, GoldAnswer) else Predicted(step.tool, step.arguments)


def test_a_tree_is_published_without_what_guards_the_rest() -> None:
    checks = load_task(TASK).checks()
    tree = published_tree(checks)
    judged = {leaf.id for leaf in checks.list_leaves() if leaf.kind != "guardrail"}
    assert len(judged) == len(list(checks.list_leaves())) - 1
    assert {node["id"] for node in leaves_below(tree)} == judged
    assert tree[0]["requirements"] == checks.parts[0].says
    assert [node["weight"] for node in tree] == [part.weight for part in checks.parts if part.kind != "guardrail"]


def leaves_below(nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        yield from leaves_below(node["sub_tasks"]) if "sub_tasks" in node else [node]


@pytest.mark.drill
@pytest.mark.parametrize("name", ["gta/box_last_show", "gta"])
def test_what_is_exported_is_whole_and_its_gold_chains_have_all_points(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sets"
    assert main(["gta", "export", str(folder), "--task", name, "--seed", "1", "--jobs", "2"]) == 0
    for set_name in (path.name for path in folder.iterdir()):
        report = run_gta(capsys, "check", str(folder / set_name))
        assert (report["broken"], report["remarks"]) == ({}, [])
    data = read_atomic(folder / "atomic")
    samples = list(data.samples.values())
    assert all(path.startswith("image/") for sample in samples for path in sample.files)
    gold = {sample.id: [predict_step(step) for step in sample.steps] for sample in samples}
    steps = score_steps(samples, gold, "corrected", compare_words, data.defaults)
    words = 100.0 if any(sample.answer for sample in samples) else 0.0
    assert (steps.inst_acc, steps.tool_acc, steps.arg_acc, steps.summ_acc) == (100.0, 100.0, 100.0, words)
    runs = score_runs(samples, worked_of(gold), "corrected", compare_words)
    assert (runs.ans_acc, runs.ans_acc_with_pictures) == (words, 100.0)
    assert main(["gta", "export", str(folder)]) == 2


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a task by a scripted model, in which calls fail."""
    folder = tmp_path_factory.mktemp("run") / "run"
    with scripted_model(*WORK) as model:
        assert run_here(folder, TASK, "openai:m", {"base_url": model.url}).state == "failed"
    return folder


@pytest.fixture
def query(run: Path) -> str:
    [episode] = run.glob("gta/*/*/*/episode.json")
    return str(json.loads(episode.read_text())["prompt"])


def test_a_run_of_the_suite_is_scored_with_its_failed_calls(
    run: Path, query: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = {"function": {"name": "Calculator", "arguments": {"expression": "5 + 7"}}}
    sample: dict[str, Any] = {
        "tools": [{"name": "Calculator"}],
        "dialogs": [{"role": "user", "content": query}, {"role": "assistant", "tool_calls": [call]}],
        "gt_answer": {"whitelist": [["12"]], "blacklist": None},
    }
    other = {**sample, "dialogs": [{"role": "user", "content": "Another?"}, *sample["dialogs"][1:]]}
    (tmp_path / "dataset.json").write_text(json.dumps({"0": sample, "1": other}))
    report = run_gta(capsys, "score", str(run), "--data", str(tmp_path))
    assert report["without a run"] == ["1"]
    assert (report["corrected"]["ans_acc"], report["corrected"]["tool_errors"]) == (50.0, 50.0)
    assert (report["published"]["f1"]["L"], report["corrected"]["f1"]["L"]) == (66.67, 0.0)
    assert main(["gta", "score", str(run), "--data", str(tmp_path), "--mode", "step"]) == 2
    (tmp_path / "dataset.json").write_text(json.dumps({"1": other}))
    assert main(["gta", "score", str(run), "--data", str(tmp_path)]) == 2
    assert "export the set with the seed of the run" in capsys.readouterr().err


def test_what_a_run_delivered_is_judged_and_nothing_else(
    run: Path, query: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = {
        "dialogs": [{"role": "user", "content": query}],
        "sub_tasks": [{"id": "1", "weight": 1, "requirements": "the list holds what is left out"}],
    }
    (tmp_path / "end.json").write_text(json.dumps({"4": task}))
    with scripted_model(make_text_line('{"why": "it does", "points": 6}')) as judge:
        judged_by(judge, monkeypatch)
        report = run_gta(capsys, "judge", str(run), "--data", str(tmp_path))
    assert report["roots"] == {"4": 6.0}
    assert json.loads((run / "judged.json").read_text())["4"]["files"] == ["generated/left_out.csv"]
    asked = "\n".join(part["text"] for part in judge.requests[0]["messages"][1]["content"] if part["type"] == "text")
    assert "The sum is 12." in asked


def judged_by(judge: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_JUDGE_URL", judge.url)
    monkeypatch.setenv("YARDKIT_JUDGE_MODEL", "eyes")
    monkeypatch.setenv("YARDKIT_JUDGE_CACHE", "")
