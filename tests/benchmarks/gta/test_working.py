"""Sets of GTA worked on end to end by a scripted model: real episodes, real tools."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.models import Line, make_call_line, make_text_line, scripted_model

from yardkit.__main__ import main
from yardkit.benchmarks.gta.running.set_tasks import set_task
from yardkit.benchmarks.gta.sets.workflow import read_workflow
from yardkit.world import Problem

NOTE = {"filename": "sum", "data_str": '[["sum"], [12]]'}


def make_sample(query: str, gold: str, *tools: str) -> dict[str, Any]:
    call = {"function": {"name": "Calculator", "arguments": {"expression": gold}}}
    return {
        "tools": [{"name": name} for name in tools],
        "files": [{"type": "file", "path": "image/a.csv"}],
        "dialogs": [
            {"role": "user", "content": query},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "content": {"type": "text", "content": "12"}},
            {"role": "assistant", "content": "It is 12."},
        ],
        "gt_answer": {"whitelist": [["12"]], "blacklist": None},
    }


@pytest.fixture
def atomic(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    (folder / "image").mkdir(parents=True)
    (folder / "image" / "a.csv").write_text("n\n5\n7\n")
    queries = {
        "4": make_sample("What is {5} + 7?", "5 + 7", "Calculator"),
        "9": make_sample("And 6 * 2?", "6 * 2", "Calculator"),
    }
    missing = {**queries["9"], "files": [{"type": "file", "path": "image/none.csv"}]}
    (folder / "dataset.json").write_text(json.dumps({**queries, "11": missing}))
    return folder


def run_model(folder: Path, output: Path, model: str, *more: str, code: int = 0) -> None:
    settings = ("--set", f"base_url={model}", "--set", "retries=0", *more)
    assert main(["gta", "run", str(folder), "--agent", "openai:m", "--output", str(output), *settings]) == code


def run_gta(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["gta", *arguments, "--format", "json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def make_react_turn(action: str, given: dict[str, Any]) -> Line:
    return make_text_line(f"Thought: so.\nAction: {action}\nAction Input: {json.dumps(given)}")


TOOLS = [
    make_call_line(("Calculator", {"expression": "5 + 7"})),
    make_text_line("It is 12."),
    make_call_line(
        ("Calculator", {"expression": "6 / 0"}), ("OCR", {"image": "image/a.csv"}), ("Calculator", "{not json")
    ),
    make_text_line("I do not know."),
]
REACT = [
    make_react_turn("Calculator", {"expression": "5 + 7"}),
    make_text_line("Thought: done.\nFinal Answer: It is 12."),
    make_react_turn("Calculator", {"expression": "6 / 0"}),
    make_text_line("Hm."),
    make_text_line("Thought: done.\nFinal Answer: I do not know."),
]


@pytest.mark.parametrize(("protocol", "lines", "errors"), [("tools", TOOLS, 75.0), ("react", REACT, 66.67)])
def test_a_model_works_on_each_sample_and_its_predictions_are_scored(
    atomic: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    protocol: str,
    lines: list[Line],
    errors: float,
) -> None:
    output = tmp_path / "out"
    with scripted_model(*lines) as model:
        run_model(atomic, output, model.url, "--set", f"protocol={protocol}")
        first = model.requests[0]["messages"][1]["content"]
    assert first == "The related files are at `image/a.csv`\n\nWhat is {5} + 7?"
    assert "there is no 'image/none.csv'" in capsys.readouterr().out
    steps = json.loads((output / "predictions.json").read_text())["0"]["prediction"][0]
    assert [step["role"] for step in steps] == ["assistant", "tool", "assistant"]
    assert steps[1]["content"] == [{"type": "text", "content": "12"}]
    report = run_gta(capsys, "score", str(output / "predictions.json"), "--data", str(atomic), "--mode", "run")
    assert report["corrected"]["ans_acc"] == 33.33
    assert report["corrected"]["tool_errors"] == errors


def test_each_kind_of_error_is_marked_as_in_the_original(atomic: Path, tmp_path: Path) -> None:
    with scripted_model(*TOOLS) as model:
        run_model(atomic, tmp_path / "out", model.url)
    steps = json.loads((tmp_path / "out" / "predictions.json").read_text())["1"]["prediction"][0]
    marked = [
        (step["tool_calls"][0]["function"]["name"], step["error"]["type"]) for step in steps if "tool_calls" in step
    ]
    assert marked == [("Calculator", "API_ERROR"), ("InvalidAction", "API_ERROR"), ("Calculator", "ARGS_ERROR")]


def test_a_run_goes_on_where_it_was_broken_and_refuses_another_agent(
    atomic: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    with scripted_model(*TOOLS[:2], Line(b"no", 400)) as model:
        run_model(atomic, output, model.url, code=3)
        assert "the model's service" in capsys.readouterr().err
        assert json.loads((output / "predictions.json").read_text())["1"] == {"prediction": []}
        model.lines[:] = [make_text_line("It is 12.")]
        before = len(model.requests)
        run_model(atomic, output, model.url)
        assert len(model.requests) == before + 1
    assert main(["gta", "run", str(atomic), "--agent", "nop", "--output", str(output)]) == 2
    assert "holds a run of" in capsys.readouterr().err


def test_what_is_delivered_for_a_workflow_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, output = tmp_path / "set", tmp_path / "out"
    (folder / "files").mkdir(parents=True)
    (folder / "files" / "a.csv").write_text("n\n5\n7\n")
    leaf = {"id": "1", "weight": 1, "requirements": "sum.csv holds the sum"}
    task = {
        "tools": ["ReadCSV", "CsvFileGenerator"],
        "files": [{"type": "csv", "path": "files/a.csv"}],
        "dialogs": [{"role": "user", "content": "Add it up in sum.csv."}],
        "sub_tasks": [leaf],
    }
    (folder / "end.json").write_text(json.dumps({"3": task}))
    work = [
        make_call_line(("ReadCSV", {"csv_file": "files/a.csv"})),
        make_call_line(("CsvFileGenerator", NOTE)),
        make_text_line("Done."),
    ]
    with scripted_model(*work, make_text_line('{"why": "it does", "points": 9}')) as model:
        run_model(folder, output, model.url)
        offered = {tool["function"]["name"] for tool in model.requests[0]["tools"]}
        monkeypatch.setenv("YARDKIT_JUDGE_URL", model.url)
        monkeypatch.setenv("YARDKIT_JUDGE_MODEL", "eyes")
        capsys.readouterr()
        report = run_gta(capsys, "judge", str(output), "--data", str(folder))
    assert {"ReadCSV", "CsvFileGenerator"} < offered
    assert "Calculator" not in offered
    assert (output / "3" / "files" / "generated" / "sum.csv").read_text() == "sum\n12\n"
    assert report["roots"] == {"3": 9.0}


def test_all_tools_are_those_of_the_set_and_files_stay_in_it(tmp_path: Path) -> None:
    task = {"dialogs": [{"role": "user", "content": "Go."}], "sub_tasks": [{"id": "1"}], "tools": ["OCR"]}
    outside = {**task, "files": [{"path": "../x.csv"}]}
    (tmp_path / "end.json").write_text(json.dumps({"1": task, "2": outside, "3": {**task, "tools": ["Oracle"]}}))
    tasks = read_workflow(tmp_path).tasks
    assert set_task(tasks["1"], tmp_path, all_tools=False).tools == ("OCR",)
    assert len(set_task(tasks["1"], tmp_path, all_tools=True).tools) == 37
    for name, complaint in (("2", "is outside the set"), ("3", "there is no tool 'Oracle'")):
        with pytest.raises(Problem, match=complaint):
            set_task(tasks[name], tmp_path, all_tools=False)
