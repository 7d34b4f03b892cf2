"""GTA step by step: the model sees the gold chain up to a step and predicts the next one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.benchmarks.gta.scores.answers import Form, Similarity, score_answer, to_percent
from yardkit.benchmarks.gta.sets.atomic import GoldAnswer, GoldCall, GoldStep, Sample
from yardkit.benchmarks.gta.sets.predictions import Predicted
from yardkit.world import Problem


@dataclass(frozen=True)
class StepScores:
    """The four figures of the paper, in percent.

    Attributes:
        inst_acc: steps of the right kind without an error.
        tool_acc: calls of the right tool.
        arg_acc: calls of the right tool with the right arguments.
        summ_acc: points of the final answers.
        calls, errors: the tool calls in the predictions, and the number of them with an error.
    """

    inst_acc: float
    tool_acc: float
    arg_acc: float
    summ_acc: float
    calls: int
    errors: int


def score_steps(
    samples: Sequence[Sample],
    predictions: Mapping[str, Sequence[Predicted]],
    form: Form,
    similarity: Similarity,
    defaults: Mapping[str, Mapping[str, Any]] | None = None,
) -> StepScores:
    """Score predictions, one for each step of each sample.

    Args:
        samples: the samples of the set.
        predictions: the predictions by the id of the sample, in the order of its steps.
        form: ``published`` or ``corrected``.
        similarity: the measure for answers whose meaning counts.
        defaults: the defaults of optional arguments, by tool; in the corrected form, leaving an argument out then
            equals giving its default.

    Raises:
        Problem: a sample has another number of predictions than steps.
    """
    for sample in samples:
        if len(predicted := predictions.get(sample.id, ())) != len(sample.steps):
            raise Problem(f"sample {sample.id} has {len(sample.steps)} steps and {len(predicted)} predictions")
    pairs = [
        (sample, *pair) for sample in samples for pair in zip(sample.steps, predictions.get(sample.id, ()), strict=True)
    ]
    gold_calls = sum(len(sample.calls) for sample in samples)
    answers = sum(1 for sample in samples if sample.answer)
    # The original counts hits at all steps but divides only by these, so its figure can exceed 100.
    steps = gold_calls + answers if form == "published" else sum(len(sample.steps) for sample in samples)
    tool_steps = [predicted for _, _, predicted in pairs if predicted.tool]
    return StepScores(
        to_percent(
            sum(
                isinstance(gold, GoldCall) is bool(predicted.tool) and not predicted.error
                for _, gold, predicted in pairs
            ),
            steps,
        ),
        to_percent(sum(_right_tool(gold, predicted, form) for _, gold, predicted in pairs), gold_calls),
        to_percent(
            sum(_right_arguments(gold, predicted, form, defaults or {}) for _, gold, predicted in pairs), gold_calls
        ),
        to_percent(
            sum(_score_step(sample, gold, predicted, form, similarity) for sample, gold, predicted in pairs), answers
        ),
        len(tool_steps),
        sum(1 for predicted in tool_steps if predicted.error),
    )


def _right_tool(gold: GoldStep, predicted: Predicted, form: Form) -> bool:
    counts = form == "published" or not predicted.error
    return isinstance(gold, GoldCall) and gold.tool == predicted.tool and counts


def _right_arguments(
    gold: GoldStep, predicted: Predicted, form: Form, defaults: Mapping[str, Mapping[str, Any]]
) -> bool:
    if not isinstance(gold, GoldCall) or not _right_tool(gold, predicted, form):
        return False
    given = dict(predicted.arguments or {})
    if form == "published":
        return given == dict(gold.arguments)
    filled = defaults.get(gold.tool, {})
    return {**filled, **given} == {**filled, **gold.arguments}


def _score_step(sample: Sample, gold: GoldStep, predicted: Predicted, form: Form, similarity: Similarity) -> float:
    if not isinstance(gold, GoldAnswer) or sample.answer is None or predicted.tool:
        return 0.0
    return score_answer(predicted.text, sample.answer, form, similarity)
