"""The published numbers of GTA, as far as the counts behind them are known, come out of the published form."""

import json
from pathlib import Path

import pytest
from support.gta import CALLS, judged_task, make_leaf, make_synthetic_set, predicted_with, workflow_task, write_judged

from yardkit.benchmarks.gta.report.figures import figures_of
from yardkit.benchmarks.gta.report.works import Leaf, Work, read_judged
from yardkit.benchmarks.gta.scores.answers import compare_words, score_answer
from yardkit.benchmarks.gta.scores.runs import score_runs
from yardkit.benchmarks.gta.scores.steps import StepScores, score_steps
from yardkit.benchmarks.gta.sets.atomic import GoldAnswer, GoldCall, Objective, Sample
from yardkit.benchmarks.gta.sets.predictions import Predicted, Worked
from yardkit.benchmarks.gta.sets.workflow import Node, read_workflow, score_tree
from yardkit.sandbox.agents import Usage

PICTURE = Sample("1", ("Plot",), (), "Draw it.", (GoldCall("Plot", {"command": "x"}), GoldAnswer("Here.")), None)
WORDS = Sample(
    "0", ("OCR",), (), "Read it.", (GoldCall("OCR", {"image": "a.png"}), GoldAnswer("It is 7.")), Objective((("7",),))
)


@pytest.mark.parametrize(
    ("exact", "tool", "kind", "published"),
    [
        (211, 342, 621, (85.19, 61.40, 37.88)),  # gpt-4-1106-preview
        (196, 392, 630, (86.42, 70.38, 35.19)),  # gpt-4o
        (62, 214, 430, (58.98, 38.42, 11.13)),  # mistral-large
    ],
)
def test_step_by_step_figures_are_so_many_of_729_and_557(
    exact: int, tool: int, kind: int, published: tuple[float, float, float]
) -> None:
    samples = make_synthetic_set()
    assert sum(len(sample.calls) for sample in samples) == CALLS
    scores = score_steps(samples, predicted_with(samples, exact, tool, kind), "published", compare_words)
    assert (scores.inst_acc, scores.tool_acc, scores.arg_acc) == published
    assert scores.summ_acc == 100


def right_steps(form: str) -> StepScores:
    samples = [WORDS, PICTURE]
    predictions = {
        sample.id: [
            Predicted(step.tool, step.arguments) if isinstance(step, GoldCall) else Predicted(text=step.text)
            for step in sample.steps
        ]
        for sample in samples
    }
    return score_steps(samples, predictions, form, compare_words)  # type: ignore[arg-type]


def test_four_right_steps_are_133_percent_where_one_answers_a_picture() -> None:
    assert right_steps("published").inst_acc == 133.33
    assert right_steps("corrected").inst_acc == 100


def test_one_call_for_three_of_the_gold_chain_passes_a_hundred() -> None:
    calculation = GoldCall("Calculator", {"expression": "1 + 1"})
    thrice = Sample("0", ("Calculator",), (), "How much?", (calculation,) * 3, Objective((("2",),)))
    once = {"0": Worked([Predicted("Calculator", {"expression": "1 + 1"})], "2")}
    assert score_runs([thrice], once, "published", compare_words).f1["L"] == pytest.approx(149.99, abs=0.011)
    assert score_runs([thrice], once, "corrected", compare_words).f1["L"] == 50


def test_a_call_with_an_error_counts_for_the_choice_of_tools_as_published() -> None:
    failed = {"0": Worked([Predicted("OCR", {}, error="API_ERROR")], "7")}
    forms = [score_runs([WORDS], failed, form, compare_words).f1["P"] for form in ("published", "corrected")]
    assert forms == [pytest.approx(100, abs=0.01), 0]


@pytest.mark.parametrize("form", ["published", "corrected"])
def test_an_empty_prediction_and_a_set_without_answers_break_nothing(form: str) -> None:
    """The original ends with an IndexError, and with a division by zero."""
    empty = score_runs([WORDS], {"0": Worked((), None)}, form, compare_words)  # type: ignore[arg-type]
    assert (empty.ans_acc, empty.f1["P"]) == (0, 0)
    predictions = {"1": [Predicted("Plot", {"command": "x"}), Predicted(text="Here.")]}
    assert score_steps([PICTURE], predictions, form, compare_words).summ_acc == 0  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["published", "corrected"])
def test_a_tool_of_the_second_set_counts_in_its_category(form: str) -> None:
    """The original ends with a KeyError."""
    prover = GoldCall("Prover", {"theorem": "(assert true)"})
    sample = Sample("0", ("Prover",), (), "Is it so?", (prover,), Objective((("yes",),)))
    worked = {"0": Worked([Predicted("Prover", prover.arguments)], "yes")}
    assert score_runs([sample], worked, form, compare_words).f1["L"] == pytest.approx(100, abs=0.01)  # type: ignore[arg-type]


def test_an_alias_that_ends_in_a_sign_is_never_found_as_published() -> None:
    for alias in ("$5", "-3", "50%"):
        matches = [
            score_answer(f"It is {alias}.", Objective(((alias,),)), form, compare_words)
            for form in ("published", "corrected")
        ]
        assert matches == [0, 1]
    assert score_answer("It is 5.50", Objective((("5",),)), "published", compare_words) == 1


def test_a_group_whose_weights_are_all_zero_is_worth_nothing_as_published() -> None:
    node = Node("0", 1, "", (Node("1", 0, "a"), Node("2", 0, "b")))
    assert score_tree(node, {"1": 10, "2": 10}) == 0


def test_a_leaf_that_no_judge_could_read_is_worth_nothing_as_published_and_left_out_as_corrected(
    tmp_path: Path,
) -> None:
    (tmp_path / "end.json").write_text(json.dumps({"7": workflow_task([make_leaf("a", 3), make_leaf("b", 1)])}))
    results = write_judged(tmp_path / "results", **{"7": judged_task(8.0, a=8.0, b=None)})
    works = read_judged(results, read_workflow(tmp_path).tasks)
    published, corrected = figures_of(works, "published"), figures_of(works, "corrected")
    assert (published.root, corrected.root) == (6, 8)
    assert (published.successes[7.0].count, corrected.successes[7.0].count) == (0, 1)
    assert (published.leaves.rate, corrected.leaves.rate, corrected.unjudged) == (0.5, 1, 1)


def works_with(roots: int, tasks: int, good: int, leaves: int) -> list[Work]:
    """So many tasks, the first of which have a root above 7, with so many leaves, the first of which are above 7."""
    works = []
    for number in range(tasks):
        leaf_numbers = range(leaves * number // tasks, leaves * (number + 1) // tasks)
        tree = tuple(Leaf(f"{place}", 9.0 if place < good else 7.0, "pass") for place in leaf_numbers)
        root = 7.5 if number < roots else 7.0
        usage = Usage(cost_usd=0.5)
        works.append(Work(f"{number}", "", (), (), root, root, (), tree, delivered=True, usage=usage))
    return works


@pytest.mark.parametrize(
    ("roots", "tasks", "good", "leaves", "published"),
    [
        (19, 132, 329, 1156, (14.39, 28.46)),  # Gemini-2.5-Pro
        (15, 132, 304, 1156, (11.36, 26.30)),  # GPT-5
        (12, 132, 303, 1156, (9.09, 26.21)),  # Claude-Sonnet-4.5
        (0, 30, 28, 276, (0.0, 10.14)),  # Lagent with Sonnet-4.5
        (15, 30, 203, 276, (50.0, 73.55)),  # OpenClaw with Sonnet-4.5
        (16, 30, 198, 276, (53.33, 71.74)),  # Kortix
    ],
)
def test_workflow_rates_are_so_many_of_132_tasks_and_1156_leaves_above_7(
    roots: int, tasks: int, good: int, leaves: int, published: tuple[float, float]
) -> None:
    figures = figures_of(works_with(roots, tasks, good, leaves), "published")
    shares = figures.successes[7.0], figures.leaves
    assert (figures.leaves.of, figures.works) == (leaves, tasks)
    assert tuple(round(100 * (share.rate or 0), 2) for share in shares) == published
    assert figures.per_cost == pytest.approx((figures.root or 0) / (tasks * 0.5))
