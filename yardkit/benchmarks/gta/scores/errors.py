"""The errors in predictions, by the types of `yardkit.sandbox.runs.call_errors`, and where samples failed."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from yardkit.benchmarks.gta.scores.answers import Similarity, score_answer
from yardkit.benchmarks.gta.sets.atomic import GoldCall, GoldStep, Sample
from yardkit.benchmarks.gta.sets.predictions import INVALID_ACTION, Predicted, Worked
from yardkit.benchmarks.gta.sets.predictions import NO_ACTION as NO_ACTION_CALL
from yardkit.sandbox.agents import NO_ACTION, REFUSED_ARGUMENTS
from yardkit.sandbox.runs.call_errors import (
    CALL_ERRORS,
    FAILED,
    REPEATED,
    UNKNOWN_TOOL,
    WRONG_ARGUMENTS,
    WRONG_TOOL,
    error_type,
)

SAMPLE_STAGES = {
    "no answer": "it ended without an answer",
    "tools": "a tool of the gold chain was never called",
    "calls": "a tool of the gold chain was called, and never without an error",
    "answer": "all tools of the gold chain did their work, and the answer is wrong",
}
"""Where an answer that is not right went wrong -> what that means; the first that fits."""
_MARKED = {"ARGS_ERROR": REFUSED_ARGUMENTS, "API_ERROR": FAILED}


def step_errors(
    samples: Sequence[Sample], predictions: Mapping[str, Sequence[Predicted]], defaults: Mapping[str, Mapping[str, Any]]
) -> dict[str, int]:
    """Count each type of error step by step. An answer where the gold chain calls a tool counts as no action."""
    error_counts: Counter[str] = Counter()
    for sample in samples:
        for number, predicted in enumerate(predictions.get(sample.id, ())[: len(sample.steps)]):
            error_counts[_step_error(sample.steps, number, predicted, defaults)] += 1
    return _in_order(error_counts)


def run_errors(samples: Sequence[Sample], worked: Mapping[str, Worked]) -> dict[str, int]:
    """Count each type of error end to end, where arguments other than those of the gold chain may be right, too."""
    error_counts: Counter[str] = Counter()
    for sample in samples:
        run, before = worked.get(sample.id, Worked((), None)), set[str]()
        expected_tools = {call.tool for call in sample.calls}
        for call in run.calls:
            call_text = _format_call(call.tool, call.arguments or {})
            other = WRONG_TOOL if call.tool not in expected_tools else ""
            error_counts[_read_marked_error(call) or (REPEATED if call_text in before else other)] += 1
            before |= set() if call.error else {call_text}
        error_counts[NO_ACTION] += run.answer is None
    return _in_order(error_counts)


def sample_stages(samples: Sequence[Sample], worked: Mapping[str, Worked], similarity: Similarity) -> dict[str, int]:
    """Count the samples with a text answer that failed at each of `SAMPLE_STAGES`; half the points count as similar."""
    stage_counts = Counter(
        _find_stage(sample, worked.get(sample.id, Worked((), None)), similarity) for sample in samples if sample.answer
    )
    return {name: stage_counts[name] for name in SAMPLE_STAGES if stage_counts[name]}


def _find_stage(sample: Sample, run: Worked, similarity: Similarity) -> str:
    if sample.answer and run.answer and score_answer(run.answer, sample.answer, "corrected", similarity) >= 0.5:
        return ""
    if not run.answer:
        return "no answer"
    expected_tools = {call.tool for call in sample.calls}
    if not expected_tools <= {call.tool for call in run.calls}:
        return "tools"
    return "answer" if expected_tools <= {call.tool for call in run.calls if not call.error} else "calls"


def _step_error(
    steps: Sequence[GoldStep], number: int, predicted: Predicted, defaults: Mapping[str, Mapping[str, Any]]
) -> str:
    gold = steps[number]
    if marked_error := _read_marked_error(predicted):
        return marked_error
    if not predicted.tool:
        return NO_ACTION if isinstance(gold, GoldCall) or not predicted.text.strip() else ""
    call_text = _format_call(predicted.tool, predicted.arguments or {}, defaults)
    if isinstance(gold, GoldCall) and call_text == _format_call(gold.tool, gold.arguments, defaults):
        return ""
    if call_text in {
        _format_call(step.tool, step.arguments, defaults) for step in steps[:number] if isinstance(step, GoldCall)
    }:
        return REPEATED
    return WRONG_ARGUMENTS if isinstance(gold, GoldCall) and gold.tool == predicted.tool else WRONG_TOOL


def _read_marked_error(predicted: Predicted) -> str:
    """Read the error that the original's code marked; empty if none."""
    if predicted.tool == NO_ACTION_CALL:
        return NO_ACTION
    if predicted.tool == INVALID_ACTION:
        return UNKNOWN_TOOL
    if not predicted.error:
        return ""
    if not predicted.tool:
        return NO_ACTION
    return _MARKED.get(predicted.error_type) or error_type(predicted.error)


def _format_call(tool: str, given: Mapping[str, Any], defaults: Mapping[str, Mapping[str, Any]] | None = None) -> str:
    filled = {**(defaults or {}).get(tool, {}), **given}
    return f"{tool} {json.dumps(filled, sort_keys=True, default=str)}"


def _in_order(error_counts: Mapping[str, int]) -> dict[str, int]:
    return {name: error_counts[name] for name in CALL_ERRORS if error_counts.get(name)}
