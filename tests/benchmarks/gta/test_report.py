"""The tables of the papers for several agents side by side."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.gta import judged_task, make_leaf, workflow_task, write_judged
from support.runs import run_here

from yardkit.__main__ import main
from yardkit.benchmarks.gta.report.figures import Share, figures_of
from yardkit.benchmarks.gta.report.works import Leaf, Work
from yardkit.benchmarks.gta.sets.kinds import CATEGORIES, asked_kinds, list_capabilities


def make_call_turn(name: str, error: str = "", **arguments: Any) -> dict[str, Any]:
    marked = {"error": {"type": error, "msg": "it failed"}} if error else {}
    return {"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": arguments}}], **marked}


def make_text_turn(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


SEEN = {"role": "tool", "name": "OCR", "content": {"type": "text", "content": "7"}}
READ, ADD = make_call_turn("OCR", image="a.png"), make_call_turn("Calculator", expression="3 + 4")
SAMPLE = {
    "tools": [{"name": "OCR"}, {"name": "Calculator"}],
    "files": [],
    "dialogs": [{"role": "user", "content": "How much?"}, READ, SEEN, ADD, SEEN, make_text_turn("It is 7.")],
    "gt_answer": {"whitelist": [["7"]], "blacklist": None},
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "dataset.json").write_text(json.dumps({str(number): SAMPLE for number in range(4)}))
    inner = {"id": "all", "weight": 1, "requirements": "", "sub_tasks": [make_leaf("a"), make_leaf("b")]}
    tasks = {"1": workflow_task([inner, make_leaf("c")]), "2": workflow_task([inner, make_leaf("c")], tools=["Plot"])}
    (folder / "end.json").write_text(json.dumps(tasks))
    return folder


def write_predictions(folder: Path, name: str, *samples: list[dict[str, Any]], single_turns: bool = False) -> Path:
    file = folder / f"{name}.json"
    turns = [[steps] if single_turns else steps for steps in samples]
    file.write_text(json.dumps({str(number): {"prediction": turn} for number, turn in enumerate(turns)}))
    return file


def run_report(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert main(["gta", "report", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_steps_and_runs_of_an_agent_stand_in_one_row_with_their_errors(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = write_predictions(
        tmp_path,
        "steps",
        [READ, ADD, make_text_turn("It is 7.")],
        [
            make_call_turn("NoAction", "ARGS_ERROR"),
            make_call_turn("InvalidAction", "ARGS_ERROR"),
            make_text_turn("It is 8."),
        ],
        [
            make_call_turn("OCR", "ARGS_ERROR", picture="a.png"),
            make_call_turn("Calculator", "API_ERROR", expression="3 + 4"),
            make_text_turn("7"),
        ],
        [make_call_turn("Calculator", expression="1"), READ, make_text_turn("7")],
    )
    runs = write_predictions(
        tmp_path,
        "runs",
        [READ, SEEN, ADD, SEEN, make_text_turn("It is 7.")],
        [READ, SEEN, READ, SEEN, make_text_turn("It is 8.")],
        [READ, SEEN, make_call_turn("Calculator", "API_ERROR", expression="1"), SEEN, make_text_turn("It is 8.")],
        [READ, SEEN],
        single_turns=True,
    )
    text = run_report(capsys, f"A={steps}", f"A={runs}", "--data", data, "--format", "markdown")
    assert "|  | Inst | Tool | Arg | Summ | P | O | L | C | Ans | Ans+I |" in text
    assert "| A, published | 66.67 | 50.00 | 37.50 | 75.00 |" in text
    assert "| A, corrected | 66.67 | 25.00 | 25.00 | 75.00 |" in text
    wrong = text.partition("step by step\n")[2].partition("##")[0]
    for line in ("| no action | 1 |", "| unknown tool | 1 |", "| refused arguments | 1 |", "| failed call | 1 |"):
        assert line in wrong
    for line in ("| repeated call | 1 |", "| wrong tool | 1 |"):
        assert line in wrong
    stages = text.partition("Where answers went wrong")[2]
    for line in ("| no answer | 1 |", "| tools | 1 |", "| calls | 1 |"):
        assert line in stages


def test_other_arguments_and_a_call_made_again_are_told_step_by_step(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [[make_call_turn("OCR", image="b.png"), READ, make_text_turn("7")]] * 4
    report_data = json.loads(
        run_report(
            capsys, write_predictions(tmp_path, "steps", *steps), "--data", data, "--mode", "step", "--format", "json"
        )
    )
    assert report_data["columns"][0]["steps"]["errors"] == {"repeated call": 4, "wrong arguments": 4}


def test_judged_results_of_two_agents_stand_side_by_side(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first_agent = write_judged(
        tmp_path / "one", **{"1": judged_task(8.5, a=9.0, b=8.0, c=8.5), "2": judged_task(4.0, a=9, b=3, c=2)}
    )
    nothing = judged_task(0.0, (), a=0.0, b=0.0, c=0.0)
    other = write_judged(tmp_path / "other", **{"1": nothing, "2": judged_task(6.75, a=9, b=9, c=4.5)})
    (first_agent / "usage.csv").write_text(
        "task,seconds,cost_usd,prompt_tokens,cached_tokens,calls,call_errors\n1,60,2,900,100,8,2\n2,120,0.5,100,,2,0\n"
    )
    text = run_report(capsys, first_agent, other, "--data", data, "--format", "markdown")
    for line in (
        "|  | one | other |",
        "| Root score | 6.25 | 3.38 |",
        "| Root SR, above 7 | 50.00 % (1/2) | 0.00 % (0/2) |",
        "| Leaf SR | 66.67 % (4/6) | 33.33 % (2/6) |",
        "| Tool SR | 80.00 % (8/10) | - |",
        "| Minutes for a task | 1.5 | - |",
        "| Tokens in all | 1,000 (100 cached) | - |",
        "| Root score per USD | 2.50 | - |",
        "| Deliverables: all present and readable | 100.00 % (2/2) | 50.00 % (1/2) |",
        "| Groups of leaves passed | 50.00 % (1/2) | 50.00 % (1/2) |",
        "| nothing delivered | 0 | 1 |",
        "| leaves | 1 | 0 |",
        "| composition | 0 | 1 |",
        "| P (perception) | 8.50, 100.00 % (1/1) | 0.00, 0.00 % (0/1) |",
        "| up to 5 | 6.25, 50.00 % (1/2) | 3.38, 0.00 % (0/2) |",
        "| pdf | 6.25, 50.00 % (1/2) | 3.38, 0.00 % (0/2) |",
        "| 1 | 8.50, 1.0 min, 2.00 USD | 0.00 |",
    ):
        assert line in text
    assert "Workflow, published" not in text
    page = tmp_path / "page.html"
    run_report(capsys, f"X={first_agent}", f"Y={other}", "--data", data, "--output", page)
    assert page.read_text().count("<svg") >= 4
    assert "<script" not in page.read_text()


def test_a_run_of_our_own_is_work_with_a_tree_like_theirs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run_here(tmp_path, "quickstart/sort_inbox", "nop")
    text = run_report(capsys, f"A={tmp_path}", f"B={tmp_path}", "--format", "markdown")
    assert result.reward == 0
    for line in (
        "|  | A | B |",
        "| Root score | 0.00 | 0.00 |",
        "| quickstart/sort_inbox | 0.00, 0.0 min | 0.00, 0.0 min |",
    ):
        assert line in text
    for title in ("Where tasks failed", "Three levels", "By class", "By deliverable"):
        assert f"## {title}" in text


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"files": "none"}, "judged.json: 1.files should be a list, not a text"),
        (
            {"leaves": [{"id": "a", "points": 11, "outcome": "pass"}]},
            "judged.json: 1.leaves[0].points should be 0 to 10",
        ),
    ],
)
def test_broken_results_are_named_by_file_and_place(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], broken: dict[str, Any], message: str
) -> None:
    folder = write_judged(tmp_path / "one", **{"1": {**judged_task(8.0, a=8.0), **broken}})
    assert main(["gta", "report", str(folder), "--data", str(data)]) == 2
    assert message in capsys.readouterr().err


def test_what_cannot_be_a_source_is_named(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = write_predictions(tmp_path, "steps", *[[READ, ADD, make_text_turn("7")]] * 4)
    for arguments, expected_message in (
        ([data], "is neither a file of predictions, nor a folder with judged.json"),
        ([steps], "holds predictions; name the folder with their dataset.json: --data DIR"),
        ([f"A={steps}", f"A={steps}", "--data", data], "holds what another source of 'A' holds already"),
        ([steps, "--data", tmp_path], "holds neither dataset.json (GTA) nor end.json (GTA-2)"),
    ):
        assert main(["gta", "report", *map(str, arguments)]) == 2
        assert expected_message in capsys.readouterr().err
    folder = write_judged(tmp_path / "one", **{"1": judged_task(8.0, a=8.0)})
    (folder / "usage.csv").write_text("task,seconds\n1,soon\n")
    assert main(["gta", "report", str(folder)]) == 2
    assert "'usage.csv', row 2: could not convert string to float: 'soon'" in capsys.readouterr().err


def test_a_task_counts_for_each_capability_and_kind_of_file_that_it_asks_for() -> None:
    assert sum(map(len, CATEGORIES.values())) == 38
    assert list_capabilities(["Plot", "OCR", "SomethingElse"]) == ("P", "L")
    assert asked_kinds("report.pdf and a chart in trend.png from data.xlsx", ["files/data.xlsx"], ["Solver"]) == (
        "pdf",
        "image",
    )
    assert asked_kinds("It is convincing", [], ["DocxFileGenerator", "Plot"]) == ("docx", "image")
    assert asked_kinds("The answer names 3.14 and v1.2", [], ["Calculator"]) == ("answer",)


def test_a_work_without_a_judged_leaf_is_left_out_of_the_means() -> None:
    judged_one = Work("1", "", (), (), 8.0, 8.0, (), (Leaf("a", 8.0, "pass"),), delivered=True)
    unjudged = Work("2", "", (), (), None, 0.0, (), (Leaf("a", None, "observer_invalid"),), delivered=True)
    figures = figures_of([judged_one, unjudged])
    assert (figures.works, figures.root, figures.unjudged, figures.successes[7.0]) == (2, 8.0, 1, Share(1, 1))
    assert figures_of([unjudged]).root is None
