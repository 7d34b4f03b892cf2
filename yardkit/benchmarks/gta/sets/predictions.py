"""Predictions for the set Atomic in the format of OpenCompass: ``predictions/<model>/<dataset>.json``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.sets.atomic import Sample
from yardkit.benchmarks.gta.sets.records import Record, read_json
from yardkit.world import Problem

NO_ACTION, INVALID_ACTION = "NoAction", "InvalidAction"
"""What the original calls a step that is neither a call nor an answer, and a call of a tool that is not there."""


@dataclass(frozen=True)
class Predicted:
    """A model's prediction of a step.

    Attributes:
        tool: the tool that it calls; empty for an answer.
        arguments: the arguments of the call.
        text: the text of the answer.
        error: the fault of the call, such as an unknown tool; empty if none.
        error_type: the original's mark, such as ``ARGS_ERROR`` or ``API_ERROR``; empty if unknown.
    """

    tool: str = ""
    arguments: Mapping[str, Any] | None = None
    text: str = ""
    error: str = ""
    error_type: str = ""


@dataclass(frozen=True)
class Worked:
    """An agent's work on a sample: its calls in order, and its final text; None if there is none."""

    calls: Sequence[Predicted]
    answer: str | None


def make_call_turn(tool: str, arguments: Mapping[str, Any], error_type: str = "", message: str = "") -> dict[str, Any]:
    """Make the assistant's turn that calls a tool, with the error that it ended in."""
    function = {"name": tool, "arguments": dict(arguments)}
    turn = {"role": "assistant", "tool_calls": [{"type": "function", "function": function}]}
    return {**turn, "error": {"type": error_type, "msg": message}} if error_type else turn


def read_predictions(
    path: Path, samples: Sequence[Sample], ids: Sequence[str] = (), broken: dict[str, str] | None = None
) -> dict[str, list[Predicted]]:
    """Read a model's predictions for each sample; the file has the samples in the order of the set.

    Args:
        path: the file.
        samples: the usable samples.
        ids: the ids of all samples of the set in order, including unusable ones; empty if all are usable.
        broken: collects the fault of each unreadable prediction by the id of its sample, which then has no prediction.
            Without it, such a prediction raises an error.

    Raises:
        Problem: the file has another format or another number of samples.
    """
    order = list(ids) or [sample.id for sample in samples]
    records = list(_list_numbered(path))
    if len(records) != len(order):
        raise Problem(f"{path.name} holds {len(records)} predictions; the set has {len(order)} samples")
    by_id = dict(zip(order, records, strict=True))
    predictions: dict[str, list[Predicted]] = {}
    for sample in samples:
        where, value = by_id[sample.id]
        try:
            predictions[sample.id] = predicted_of(Record.make_record(where, value))
        except Problem as problem:
            if broken is None:
                raise
            broken[sample.id], predictions[sample.id] = str(problem), []
    return predictions


def predicted_of(record: Record) -> list[Predicted]:
    """Parse the assistant's message in a record with a ``prediction``.

    Raises:
        Problem: it has another form.
    """
    return [_make_predicted(step) for step in _list_steps(record)]


def as_steps(
    samples: Sequence[Sample], predictions: Mapping[str, Sequence[Predicted]], broken: dict[str, str]
) -> dict[str, list[Predicted]]:
    """Pair predictions with steps: a sample with another number of them is broken, and missing ones count as wrong."""
    steps_by_sample = {}
    for sample in samples:
        steps, step_count = list(predictions.get(sample.id, ())), len(sample.steps)
        if len(steps) != step_count:
            broken.setdefault(sample.id, f"sample {sample.id} has {step_count} steps and {len(steps)} predictions")
        missing = [Predicted(NO_ACTION, {}, error="there is no prediction")] * (step_count - len(steps))
        steps_by_sample[sample.id] = [*steps[:step_count], *missing]
    return steps_by_sample


def _list_numbered(path: Path) -> Iterator[tuple[str, object]]:
    """List the predictions in a file with their places, from an object keyed by numbers or from a list."""
    value = read_json(path)
    if not isinstance(value, dict | list):
        raise Problem(f"{path.name} should hold an object keyed by numbers, with a prediction for each sample")
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield f"{path.name}: {key}", item


def holds_steps(path: Path, samples: Sequence[Sample], predictions: Mapping[str, Sequence[Predicted]]) -> bool:
    """Whether the predictions are for single steps: one for each step of the gold chains, without results of tools."""
    if any(len(predictions[sample.id]) != len(sample.steps) for sample in samples):
        return False
    return not any(_has_results(item.get("prediction")) for _, item in _list_numbered(path) if isinstance(item, dict))


def _has_results(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_has_results, value))
    return isinstance(value, dict) and value.get("role") == "tool"


def worked_of(predictions: Mapping[str, Sequence[Predicted]]) -> dict[str, Worked]:
    """Convert predictions to end-to-end runs: the calls, and the answer if the last step is one."""
    return {
        sample: Worked([step for step in steps if step.tool], steps[-1].text if steps and not steps[-1].tool else None)
        for sample, steps in predictions.items()
    }


def _list_steps(record: Record) -> Iterator[Record]:
    """List the assistant's steps: a list of steps, or a list per turn of the user, of which the first is used."""
    prediction_items = record.items("prediction", optional=True)
    turns = (
        prediction_items[0]
        if prediction_items and all(isinstance(turn, list) for turn in prediction_items) and len(prediction_items) == 1
        else prediction_items
    )
    for number, step in enumerate(turns):
        while isinstance(step, list):
            step = step[0] if step else {"role": "assistant", "content": ""}  # noqa: PLW2901 - one step may be wrapped
        step_record = Record.make_record(f"{record.where}.prediction[{number}]", step)
        thought = isinstance(meta := step_record.get_any("meta"), dict) and meta.get("type") == "thought"
        if step_record.text("role", "assistant") == "assistant" and not thought:
            yield step_record


def _make_predicted(step: Record) -> Predicted:
    calls = step.records("tool_calls", optional=True)
    error, error_type = _read_error(step.get_any("error"))
    if not calls:
        content = step.get_any("content")
        return Predicted(text=content if isinstance(content, str) else "", error=error, error_type=error_type)
    function = Record.make_record(f"{calls[0].where}.function", calls[0].get_any("function"))
    arguments = function.get_any("arguments")
    given = arguments if isinstance(arguments, dict) else {}
    return Predicted(function.text("name"), given, error=error, error_type=error_type)


def _read_error(value: Any) -> tuple[str, str]:
    """Read the error of a step as text, and its type."""
    if not value:
        return "", ""
    if not isinstance(value, dict):
        return str(value), ""
    return str(value.get("msg") or value.get("type") or "error"), str(value.get("type") or "")
