"""GTA end to end: the agent works with real tools, and its calls and answer are compared with the gold chain."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.benchmarks.gta.scores.answers import Form, Similarity, score_answer, to_percent
from yardkit.benchmarks.gta.sets.atomic import GoldCall, Sample
from yardkit.benchmarks.gta.sets.kinds import CATEGORIES
from yardkit.benchmarks.gta.sets.predictions import Worked

PICTURE_TOOLS = ("DrawBox", "AddText", "Plot", "TextToImage", "ImageStylization")
"""Whose arguments stand for the picture that they make, in samples whose answer is a picture."""
# Added by the original's code to avoid a division by 0; it changes its F1 slightly.
_EPSILON = 1e-5


@dataclass(frozen=True)
class RunScores:
    """The figures of the paper, in percent.

    Attributes:
        ans_acc: points of answers, over the samples that expect a text.
        ans_acc_with_pictures: over all samples; for those that expect a picture, the similarity of the arguments that
            produce it.
        f1: F1 of the choice of tools, by category (P, O, L, C); 0 if the gold chains have none of a category.
        tool_errors: the share of calls that ended in an error.
    """

    ans_acc: float
    ans_acc_with_pictures: float
    f1: Mapping[str, float]
    tool_errors: float


def score_runs(
    samples: Sequence[Sample], worked: Mapping[str, Worked], form: Form, similarity: Similarity
) -> RunScores:
    """Score runs, given by the id of their sample; a missing run counts as not attempted."""
    runs = [(sample, worked.get(sample.id, Worked((), None))) for sample in samples]
    points = [
        score_answer(run.answer, sample.answer, form, similarity)
        for sample, run in runs
        if sample.answer is not None and run.answer is not None
    ]
    pictured = [_score_pictures(sample, run, form, similarity) for sample, run in runs if sample.answer is None]
    calls = [call for _, run in runs for call in run.calls]
    return RunScores(
        to_percent(sum(points), sum(1 for sample in samples if sample.answer)),
        to_percent(sum(points) + sum(pictured), len(samples)),
        {name: _compute_f1(runs, tools, form) for name, tools in CATEGORIES.items()},
        to_percent(sum(1 for call in calls if call.error), len(calls)),
    )


def _score_pictures(sample: Sample, run: Worked, form: Form, similarity: Similarity) -> float:
    """The similarity of picture-making tools' arguments to those of the gold chain: the product over the calls."""
    gold = [call for call in sample.calls if call.tool in PICTURE_TOOLS]
    if not gold:
        return 1.0 if form == "published" else 0.0  # the original gives a point although nothing was done
    last = {call.tool: call for call in run.calls if not call.error}
    product = 1.0
    for call in gold:
        picture_call = last.get(call.tool)
        product *= (
            max(0.0, similarity(_format_arguments(call.arguments), _format_arguments(picture_call.arguments or {})))
            if picture_call
            else 0.0
        )
    return product


def _format_arguments(arguments: Mapping[str, Any]) -> str:
    return json.dumps(dict(arguments), ensure_ascii=False)


def _compute_f1(runs: Sequence[tuple[Sample, Worked]], tools: Sequence[str], form: Form) -> float:
    if form == "published":
        return _published_f1(runs, tools)
    gold, predicted_count, hits = 0, 0, 0
    for sample, run in runs:
        expected_counts = Counter(call.tool for call in sample.calls if call.tool in tools)
        called = Counter(call.tool for call in run.calls if call.tool in tools and not call.error)
        gold, predicted_count, hits = (
            gold + expected_counts.total(),
            predicted_count + called.total(),
            hits + (expected_counts & called).total(),
        )
    return to_percent(2 * hits, gold + predicted_count)


def _published_f1(runs: Sequence[tuple[Sample, Worked]], tools: Sequence[str]) -> float:
    """F1 as in the original's code: a gold call is a hit if its tool was called at all, so precision can exceed 1."""
    gold: list[GoldCall] = [call for sample, _ in runs for call in sample.calls if call.tool in tools]
    predicted_count = sum(1 for _, run in runs for call in run.calls if call.tool in tools)
    hits = sum(
        1
        for sample, run in runs
        for call in sample.calls
        if call.tool in tools and call.tool in {call.tool for call in run.calls}
    )
    if not gold:
        return 0.0
    precision, recall = hits / (predicted_count + _EPSILON), hits / len(gold)
    return round(100 * 2 * precision * recall / (precision + recall + _EPSILON), 2)
