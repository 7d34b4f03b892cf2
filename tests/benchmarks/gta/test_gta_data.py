"""The data sets of GTA as released, and its figures as published and corrected; quirks are those that were seen."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.model_services import model_service
from support.models import make_call_line, make_text_line, scripted_model

from yardkit.__main__ import main
from yardkit.benchmarks.gta.scores.answers import chosen_similarity, compare_words, score_answer
from yardkit.benchmarks.gta.scores.runs import score_runs
from yardkit.benchmarks.gta.scores.steps import StepScores, score_steps
from yardkit.benchmarks.gta.sets.atomic import Objective, Sample, Subjective, read_atomic
from yardkit.benchmarks.gta.sets.predictions import Predicted, Worked
from yardkit.benchmarks.gta.sets.workflow import Node, read_workflow, score_tree, score_workflows
from yardkit.world import Problem

MENU: dict[str, Any] = {
    "tools": [{"name": "OCR", "inputs": [], "outputs": []}, {"name": "Calculator", "inputs": [], "outputs": []}],
    "files": [{"type": "image", "path": "image/image_1.jpg", "url": None}],
    "dialogs": [
        {"role": "user", "content": "How much do two teas cost?"},
        {
            "role": "assistant",
            "tool_calls": [
                {"type": "function", "function": {"name": "OCR", "arguments": {"image": "image/image_1.jpg"}}}
            ],
            "thought": "Read the menu.",
        },
        {"role": "tool", "name": "OCR", "content": {"type": "text", "content": "(12, 8, 90, 30) Tea 3.5"}},
        {
            "role": "assistant",
            "tool_calls": [
                {"type": "function", "function": {"name": "Calculator", "arguments": {"expression": "2 * 3.5"}}}
            ],
        },
        {"role": "tool", "name": "Calculator", "content": {"type": "text", "content": "7.0"}},
        {"role": "assistant", "content": "Two teas cost 7."},
    ],
    "gt_answer": {"whitelist": [["7", "7.0", "seven"]], "blacklist": None},
}
DRAWING: dict[str, Any] = {
    "tools": [{"name": "DrawBox"}],
    "files": [],
    "dialogs": [
        {"role": "user", "content": "Mark the tea."},
        {
            "role": "assistant",
            "tool_calls": [{"function": {"name": "DrawBox", "arguments": {"image": "a.jpg", "bbox": "(1, 2, 3, 4)"}}}],
        },
    ],
    "gt_answer": None,
}
BOX = {"image": "a.jpg", "bbox": "(1, 2, 3, 4)"}


def write_atomic(folder: Path, **samples: Any) -> Path:
    (folder / "image").mkdir()
    (folder / "image" / "image_1.jpg").touch()
    (folder / "dataset.json").write_text(json.dumps(samples))
    optional = {"type": "text", "name": "annotation", "optional": True, "default": None}
    (folder / "toolmeta.json").write_text(json.dumps({"DrawBox": {"name": "DrawBox", "inputs": [optional]}}))
    return folder


@pytest.fixture
def samples(tmp_path: Path) -> list[Sample]:
    return list(read_atomic(write_atomic(tmp_path, **{"0": MENU, "7": DRAWING})).samples.values())


def make_right_predictions() -> dict[str, list[Predicted]]:
    calls = [Predicted("OCR", {"image": "image/image_1.jpg"}), Predicted("Calculator", {"expression": "2 * 3.5"})]
    return {"0": [*calls, Predicted(text="It is 7.")], "7": [Predicted("DrawBox", BOX)]}


def score_changed_steps(samples: list[Sample], form: Any, **changed: list[Predicted]) -> StepScores:
    return score_steps(
        samples,
        {**make_right_predictions(), **{key.strip("_"): value for key, value in changed.items()}},
        form,
        compare_words,
    )


def test_the_released_layout_is_read_with_what_is_unknown_and_missing(tmp_path: Path) -> None:
    folder = write_atomic(tmp_path, **{"0": {**MENU, "level": 2}, "1": {**MENU, "files": [{"path": "image/none.jpg"}]}})
    dataset = read_atomic(folder)
    sample = dataset.samples["0"]
    assert (sample.tools, sample.query, sample.kind) == (
        ("OCR", "Calculator"),
        "How much do two teas cost?",
        "objective",
    )
    assert [call.tool for call in sample.calls] == ["OCR", "Calculator"]
    assert dataset.remarks == ("dataset.json: 0.level", "dataset.json: 1: there is no 'image/none.jpg'")
    assert dataset.defaults == {"DrawBox": {"annotation": None}}


def test_a_broken_sample_is_named_by_its_place_and_the_others_are_kept(tmp_path: Path) -> None:
    broken = {**MENU, "dialogs": [{"role": "user", "content": 5}]}
    dataset = read_atomic(write_atomic(tmp_path, **{"0": MENU, "4": broken}))
    assert list(dataset.samples) == ["0"]
    assert dataset.broken == {"4": "dataset.json: 4.dialogs[0].content should be a text, not a number"}


def test_the_right_steps_have_all_points_in_both_forms(samples: list[Sample]) -> None:
    for form in ("published", "corrected"):
        scores = score_changed_steps(samples, form)
        assert (scores.inst_acc, scores.tool_acc, scores.arg_acc, scores.summ_acc) == (100.0, 100.0, 100.0, 100.0)


def test_published_instructions_can_pass_a_hundred(samples: list[Sample]) -> None:
    """Answers of samples whose answer is a picture count above and not below the line."""
    final_answer = Predicted(text="Here it is.")
    drawing = samples[1]
    longer = Sample("7", drawing.tools, (), drawing.query, (*drawing.steps, *samples[0].steps[2:]), None)
    scores = score_changed_steps([longer], "published", _7=[*make_right_predictions()["7"], final_answer])
    assert scores.inst_acc == 200.0
    assert (
        score_changed_steps([longer], "corrected", _7=[*make_right_predictions()["7"], final_answer]).inst_acc == 100.0
    )


def test_a_call_with_an_error_is_right_as_published_and_wrong_as_corrected(samples: list[Sample]) -> None:
    failed = [Predicted("DrawBox", BOX, error="API_ERROR")]
    scores = score_changed_steps(samples, "published", _7=failed)
    assert (scores.tool_acc, scores.arg_acc, scores.inst_acc, scores.errors) == (100.0, 100.0, 75.0, 1)
    corrected = score_changed_steps(samples, "corrected", _7=failed)
    assert (corrected.tool_acc, corrected.arg_acc) == (66.67, 66.67)


def test_a_default_that_is_given_is_wrong_as_published_only(samples: list[Sample]) -> None:
    given_default = {**make_right_predictions(), "7": [Predicted("DrawBox", {**BOX, "annotation": None})]}
    defaults = {"DrawBox": {"annotation": None}}
    scores = [
        score_steps(samples, given_default, form, compare_words, defaults).arg_acc
        for form in ("published", "corrected")
    ]
    assert scores == [66.67, 100.0]


def test_each_step_needs_its_prediction(samples: list[Sample]) -> None:
    with pytest.raises(Problem, match="sample 7 has 1 steps and 0 predictions"):
        score_changed_steps(samples, "published", _7=[])


@pytest.mark.parametrize(
    ("answer", "alias", "published", "corrected"),
    [
        ("It costs $5.", "$5", 0, 1),
        ("It is -3 degrees", "-3", 0, 1),
        ("50% of them", "50%", 0, 1),
        ("It costs 5.50", "5", 1, 0),
        ("It costs 5,000", "5", 1, 0),
        ("It is -5", "5", 1, 0),
        ("A range of 3-5", "5", 1, 1),
        ("It is 5.0", "5", 1, 1),
        ("It is 15", "5", 0, 0),
        ("It is 12.50", "12.5", 0, 1),
        ("It is 12.51", "12.5", 0, 0),
        ("It is 1,234.50 m", "1234.50", 0, 1),
        ("At 14:30", "14:30", 1, 1),
        ("At 14:30.0", "14:3", 0, 0),
        ("Seven of them.", "seven", 1, 1),
        ("Sevenfold", "seven", 0, 0),
        ("New\nYork", "New York", 0, 1),
    ],
)
def test_where_an_expected_word_is_found(answer: str, alias: str, published: int, corrected: int) -> None:
    gold = Objective(((alias,),))
    assert score_answer(answer, gold, "published", compare_words) == published
    assert score_answer(answer, gold, "corrected", compare_words) == corrected


def test_each_group_must_be_named_and_nothing_of_the_blacklist() -> None:
    gold = Objective((("a", "b"), ("c",)), (("d",),))
    assert [score_answer(text, gold, "corrected", compare_words) for text in ("b c", "a b", "a c d")] == [1, 0, 0]
    subjective = Subjective(("Two cups of tea", "Tea for two"))
    assert score_answer("Two cups of tea", subjective, "published", compare_words) == pytest.approx(1)


def test_the_published_choice_of_tools_counts_one_call_for_all_of_its_name(samples: list[Sample]) -> None:
    menu = samples[0]
    thrice = Sample("0", menu.tools, (), menu.query, (menu.steps[1],) * 3, menu.answer)
    once = {"0": Worked([make_right_predictions()["0"][1]], "7")}
    assert score_runs([thrice], once, "published", compare_words).f1["L"] == pytest.approx(150, abs=0.01)
    assert score_runs([thrice], once, "corrected", compare_words).f1["L"] == 50.0


def test_a_picture_is_judged_by_the_arguments_that_make_it(samples: list[Sample]) -> None:
    worked = {"0": Worked(make_right_predictions()["0"][:2], "7"), "7": Worked(make_right_predictions()["7"], None)}
    scores = score_runs(samples, worked, "corrected", compare_words)
    assert (scores.ans_acc, scores.ans_acc_with_pictures, scores.tool_errors) == (100.0, 100.0, 0.0)
    other = Worked([Predicted("DrawBox", {**BOX, "bbox": "(9, 9, 99, 99)"})], None)
    assert score_runs(samples, {**worked, "7": other}, "corrected", compare_words).ans_acc_with_pictures < 95
    spoken = Sample("7", (), (), "Draw.", samples[1].steps[:0], None)
    free = [score_runs([spoken], {}, form, compare_words).ans_acc_with_pictures for form in ("published", "corrected")]
    assert free == [100.0, 0.0]


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_of_words_is_symmetric_and_whole_for_the_same(left: str, right: str) -> None:
    assert 0 <= compare_words(left, right) <= 1 + 1e-9
    assert compare_words(left, right) == pytest.approx(compare_words(right, left))
    assert compare_words(left, left) == pytest.approx(1) or not any(sign.isalnum() or sign == "_" for sign in left)


def test_a_service_for_embeddings_is_taken_where_one_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = {"data": [{"embedding": [3.0, 4.0]}]}
    with model_service({"POST /embeddings": lambda body, path: vectors}) as url:
        monkeypatch.setenv("YARDKIT_EMBEDDINGS_URL", url)
        monkeypatch.setenv("YARDKIT_EMBEDDINGS_MODEL", "mpnet")
        similarity, name = chosen_similarity()
        assert similarity("a", "b") == pytest.approx(1)
        assert name == "embeddings of mpnet"


TREE: list[dict[str, Any]] = [
    {
        "id": "1",
        "weight": 0.6,
        "requirements": "report.pdf covers revenue",
        "sub_tasks": [
            {"id": "1-1", "weight": 2, "requirements": "three sections"},
            {"id": "1-2", "requirements": "right"},
        ],
    },
    {"id": "2", "weight": 0.4, "requirements": "trend.png is a line chart", "sub_tasks": []},
]


def write_workflow(folder: Path, **tasks: Any) -> Path:
    (folder / "end.json").write_text(json.dumps(tasks))
    return folder


def make_task(**changed: Any) -> dict[str, Any]:
    base = {
        "workflow_category_6class": "Data Analysis",
        "tools": ["ReadXLSX", "Plot"],
        "files": [],
        "dialogs": [{"role": "user", "content": "Analyse it.", "resources": [{"path": "a.xlsx", "type": "xlsx"}]}],
        "sub_tasks": TREE,
    }
    return {**base, **changed}


def test_a_tree_is_scored_by_the_weighted_mean_of_its_parts(tmp_path: Path) -> None:
    workflow_set = read_workflow(write_workflow(tmp_path, **{"15": make_task()}))
    root = workflow_set.tasks["15"].root
    assert [leaf.id for leaf in root.list_leaves()] == ["1-1", "1-2", "2"]
    assert workflow_set.tasks["15"].files == ("a.xlsx",)
    assert workflow_set.remarks == ("end.json: 15: there is no 'a.xlsx'",)
    assert score_tree(root, {"1-1": 9, "1-2": 6, "2": 5}) == pytest.approx(0.6 * 8 + 0.4 * 5)
    assert score_tree(root, {"1-1": 9}) == 9
    assert score_tree(root, {}) is None


@given(st.lists(st.tuples(st.floats(0.01, 9), st.floats(0, 10)), min_size=1, max_size=6))
def test_a_mean_lies_between_its_parts(parts: list[tuple[float, float]]) -> None:
    root = Node("0", 1, "", tuple(Node(f"{at}", weight, "") for at, (weight, _) in enumerate(parts)))
    score = score_tree(root, {f"{at}": points for at, (_, points) in enumerate(parts)})
    assert score is not None
    assert min(points for _, points in parts) - 1e-9 <= score <= max(points for _, points in parts) + 1e-9


def test_the_figures_of_workflows_are_those_of_the_papers(tmp_path: Path) -> None:
    tasks = list(
        read_workflow(write_workflow(tmp_path, **{"1": make_task(), "2": make_task(), "3": make_task()})).tasks.values()
    )
    points = {"1": {"1-1": 9.0, "1-2": 9.0, "2": 9.0}, "2": {"1-1": 7.0, "1-2": 7.0, "2": 7.0}}
    figures = score_workflows(tasks, points)
    # Above 7, and not from 7 on.
    assert (figures.root_score, figures.root_success, figures.leaf_success) == (8.0, 0.5, 0.5)
    assert (figures.by_level[6.0], figures.by_level[9.0], figures.unjudged, figures.tasks) == (1.0, 0.0, 3, 2)
    assert figures.by_category == {"Data Analysis": 8.0}
    with pytest.raises(Problem, match="no leaf of any task has points"):
        score_workflows(tasks, {})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"sub_tasks": []}, "end.json: 9.sub_tasks is empty"),
        ({"sub_tasks": [{"id": "1", "weight": -1}]}, "sub_tasks[0].weight should be 0 or more, not -1"),
        ({"sub_tasks": [{"id": "1", "weight": 0}]}, "all have the weight 0"),
        ({"dialogs": []}, "9.dialogs has no turn of the user"),
        ({"sub_tasks": "none"}, "9.sub_tasks should be a list, not a text"),
    ],
)
def test_a_broken_task_is_named_and_the_others_are_kept(tmp_path: Path, changed: Any, message: str) -> None:
    workflow_set = read_workflow(write_workflow(tmp_path, **{"9": make_task(**changed), "10": make_task()}))
    assert message in workflow_set.broken["9"]
    assert list(workflow_set.tasks) == ["10"]


def test_ids_that_come_twice_are_told_apart(tmp_path: Path) -> None:
    doubled = [{"id": "1", "requirements": "a"}, {"id": "1", "requirements": "b"}, {"requirements": "c"}]
    root = read_workflow(write_workflow(tmp_path, **{"1": make_task(sub_tasks=doubled)})).tasks["1"].root
    assert [leaf.id for leaf in root.list_leaves()] == ["1", "1#2", "unknown"]


def write_predictions(folder: Path) -> Path:
    def call(name: str, **arguments: Any) -> dict[str, Any]:
        return {"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": arguments}}]}

    menu = [
        call("OCR", image="image/image_1.jpg"),
        call("Calculator", expression="2 * 3.5"),
        {"role": "assistant", "content": "It costs 7."},
    ]
    file = folder / "predictions.json"
    file.write_text(json.dumps({"0": {"prediction": menu}, "1": {"prediction": [[call("DrawBox", **BOX)]]}}))
    return file


def test_predictions_of_opencompass_are_scored_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_atomic(tmp_path, **{"0": MENU, "7": DRAWING})
    file = str(write_predictions(tmp_path))
    assert main(["gta", "score", file, "--data", str(folder), "--mode", "step", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["published"]["arg_acc"] == report["corrected"]["inst_acc"] == 100.0
    assert "no model for embeddings" in report["similarity"]
    assert main(["gta", "score", file, "--data", str(folder)]) == 0
    assert "ans_acc_with_pictures: 100.0" in capsys.readouterr().out
    assert main(["gta", "check", str(folder)]) == 0
    assert "gold calls: 3" in capsys.readouterr().out
    assert main(["gta", "check", str(write_workflow(folder, **{"1": make_task()}))]) == 0
    assert main(["gta", "check", str(tmp_path / "none")]) == 2
    assert "neither dataset.json (GTA) nor end.json (GTA-2)" in capsys.readouterr().err


TOOLMETA = {
    "OCR": {"name": "OCR", "description": "Reads.", "inputs": [{"type": "image", "name": "image", "optional": False}]},
    "Calculator": {"name": "Calculator", "inputs": [{"type": "text", "name": "expression", "optional": False}]},
}


@pytest.mark.parametrize("protocol", ["tools", "react"])
def test_a_model_is_asked_step_by_step_with_the_gold_chain_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], protocol: str
) -> None:
    folder = write_atomic(tmp_path, **{"0": MENU})
    (folder / "toolmeta.json").write_text(json.dumps(TOOLMETA))
    lines = {
        "tools": [
            make_call_line(("OCR", {"image": "image/image_1.jpg"})),
            make_call_line(("Calculator", {"sum": 7})),
            make_text_line("It is 7."),
        ],
        "react": [
            make_text_line('Thought: read\nAction: OCR\nAction Input: {"image": "image/image_1.jpg"}'),
            make_text_line('Action: Calculator\nAction Input: {"sum": 7}'),
            make_text_line("Final Answer: It is 7."),
        ],
    }[protocol]
    output = tmp_path / "predictions.json"
    with scripted_model(*lines) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        asked = [
            "gta",
            "ask",
            str(folder),
            "--agent",
            "openai:m",
            "--output",
            str(output),
            "--set",
            f"protocol={protocol}",
        ]
        assert main(asked) == 0
    last = json.dumps(model.requests[2]["messages"])
    for words in (
        "The related files are at `image/image_1.jpg`",
        "(12, 8, 90, 30) Tea 3.5",
        "7.0",
        "Do not call any tools",
    ):
        assert words in last
    capsys.readouterr()
    assert main(["gta", "score", str(output), "--data", str(folder), "--mode", "step", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    # The second call has an argument that the tool does not know.
    assert (report["published"]["tool_acc"], report["corrected"]["tool_acc"], report["published"]["arg_acc"]) == (
        100,
        50,
        50,
    )
    assert report["corrected"]["summ_acc"] == 100
    error = json.loads(output.read_text())["0"]["prediction"][1]["error"]["msg"]
    assert error == "unknown arguments sum; missing arguments expression"
