"""What is broken in data, predictions and judges is named by its place, and the rest goes on."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.gta import make_leaf, workflow_task
from support.models import Line, make_text_line, scripted_model

from yardkit.__main__ import main
from yardkit.benchmarks.gta.sets.workflow import MAX_DEPTH, read_workflow
from yardkit.world import Problem

READ = {"role": "assistant", "tool_calls": [{"function": {"name": "OCR", "arguments": {"image": "a.png"}}}]}
ANSWER = {"role": "assistant", "content": "It is 7."}
SAMPLE = {
    "tools": [{"name": "OCR"}],
    "files": [{"type": "image", "path": "image/none.png"}],
    "dialogs": [{"role": "user", "content": "Read it."}, READ, {"role": "tool", "content": "7"}, ANSWER],
    "gt_answer": {"whitelist": [["7"]], "blacklist": None},
}


def write_dataset(folder: Path, **samples: Any) -> Path:
    (folder / "dataset.json").write_text(json.dumps(samples))
    return folder


def score_predictions(
    folder: Path, capsys: pytest.CaptureFixture[str], mode: str, **predictions: Any
) -> dict[str, Any]:
    file = folder / "predictions.json"
    file.write_text(json.dumps(predictions))
    capsys.readouterr()
    assert main(["gta", "score", str(file), "--data", str(folder), "--mode", mode, "--format", "json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_a_prediction_that_cannot_be_read_is_named_and_worth_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_dataset(tmp_path, **{"3": SAMPLE, "5": SAMPLE})
    broken = {"prediction": [{"role": "assistant", "tool_calls": [{"function": "OCR"}]}, ANSWER]}
    report = score_predictions(folder, capsys, "step", **{"0": {"prediction": [READ, ANSWER]}, "1": broken})
    place = "predictions.json: 1.prediction[0].tool_calls[0].function should be an object, not a text"
    assert report["broken"] == {"5": place}
    assert (report["corrected"]["inst_acc"], report["published"]["arg_acc"]) == (50, 50)
    assert score_predictions(folder, capsys, "run", **{"0": {"prediction": [[READ, ANSWER]]}, "1": "none"})[
        "corrected"
    ]["ans_acc"] == (50)


def test_a_sample_with_too_few_predictions_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_dataset(tmp_path, **{"3": SAMPLE})
    report = score_predictions(folder, capsys, "step", **{"0": {"prediction": [READ]}})
    assert report["broken"] == {"3": "sample 3 has 2 steps and 1 predictions"}
    assert report["published"]["inst_acc"] == 50


def test_predictions_follow_the_set_where_one_of_its_samples_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_dataset(tmp_path, **{"1": {**SAMPLE, "dialogs": []}, "2": SAMPLE})
    report = score_predictions(folder, capsys, "step", **{"0": {"prediction": []}, "1": {"prediction": [READ, ANSWER]}})
    assert report["corrected"]["inst_acc"] == 100
    assert report["broken"] == {"1": "dataset.json: 1.dialogs has no turn of the user"}


@pytest.mark.parametrize("name", ["dataset.json", "end.json", "predictions.json"])
def test_a_file_that_is_no_json_is_named(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_dataset(tmp_path, **{"1": SAMPLE})
    (tmp_path / name).write_text('{"0": {')
    if name == "end.json":
        (tmp_path / "dataset.json").unlink()
    actions = {"predictions.json": ["score", str(tmp_path / name), "--data"]}
    assert main(["gta", *actions.get(name, ["check"]), str(tmp_path)]) == 2
    assert f"{name} is not valid JSON" in capsys.readouterr().err


def test_tools_that_no_set_has_and_missing_pictures_are_remarked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dataset(tmp_path, **{"1": {**SAMPLE, "tools": [{"name": "OCR"}, {"name": "Telescope"}]}})
    assert main(["gta", "check", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "dataset.json: 1: there is no tool 'Telescope'" in text
    assert "dataset.json: 1: there is no 'image/none.png'" in text


def test_a_tree_without_an_end_is_named_and_the_others_are_kept(tmp_path: Path) -> None:
    tree = [make_leaf("end")]
    for number in range(MAX_DEPTH + 1):
        tree = [{**make_leaf(f"{number}"), "sub_tasks": tree}]
    tasks = {"1": workflow_task(tree), "2": workflow_task([make_leaf("a")], tools=["Telescope"])}
    (tmp_path / "end.json").write_text(json.dumps(tasks))
    workflow = read_workflow(tmp_path)
    assert "checkpoints are nested more than 20 deep" in workflow.broken["1"]
    assert list(workflow.tasks) == ["2"]
    assert workflow.remarks == ("end.json: 2: there is no tool 'Telescope'",)
    (tmp_path / "end.json").write_text('{"1": ' + '{"sub_tasks": [' * 20_000)
    with pytest.raises(Problem, match=r"end\.json is not valid JSON"):
        read_workflow(tmp_path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (make_text_line("I would give it eight points."), "eight points"),
        (make_text_line('{"why": "it is good", "points": 12}'), "12"),
        (Line(b"<html>busy</html>", 200), ""),
        (Line(b"", 500), "500"),
    ],
)
def test_a_judge_that_cannot_be_read_leaves_a_leaf_without_points_and_the_rest_goes_on(
    tmp_path: Path, line: Line, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "end.json").write_text(
        json.dumps({"7": workflow_task([make_leaf("a")]), "8": workflow_task([make_leaf("b")])})
    )
    results = tmp_path / "results"
    for name in ("7", "8"):
        (results / name).mkdir(parents=True)
        (results / name / "final.txt").write_text(f"It is {name}.")
    with scripted_model(make_text_line('{"why": "it does", "points": 8}'), line) as model:
        monkeypatch.setenv("YARDKIT_JUDGE_URL", model.url)
        monkeypatch.setenv("YARDKIT_JUDGE_MODEL", "eyes")
        monkeypatch.setenv("YARDKIT_JUDGE_CACHE", "")
        assert main(["gta", "judge", str(results), "--data", str(tmp_path), "--jobs", "1", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["outcomes"] == {"pass": 1, "observer_invalid": 1}
    assert report["roots"] == {"7": 8.0, "8": None}
    judged_leaves = json.loads((results / "judged.json").read_text())
    assert reason in judged_leaves["8"]["leaves"][0]["why"]
