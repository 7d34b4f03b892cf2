"""Predictions as OpenCompass writes them, of the set Atomic: ``predictions/<model>/<dataset>.json``."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolyard.sandbox.gta.atomic import Sample
from toolyard.sandbox.gta.records import Record, numbered, read_json
from toolyard.sandbox.gta.runs import Worked
from toolyard.sandbox.gta.steps import Predicted
from toolyard.world import Problem


def read_predictions(path: Path, samples: Sequence[Sample]) -> dict[str, list[Predicted]]:
    """What a model said to each sample, in order; the file holds the samples in the order of the set.

    Raises:
        Problem: it is no such file, or holds another number of samples.
    """
    records = [record for _, record in numbered(path.name, read_json(path))]
    if len(records) != len(samples):
        raise Problem(f"{path.name} holds {len(records)} predictions; the set has {len(samples)} samples")
    return {sample.id: predicted_of(record) for sample, record in zip(samples, records, strict=True)}


def predicted_of(record: Record) -> list[Predicted]:
    """What the assistant said, of a record with a ``prediction``.

    Raises:
        Problem: it is none.
    """
    return [_predicted(step) for step in _steps(record)]


def holds_steps(path: Path, samples: Sequence[Sample], predictions: Mapping[str, Sequence[Predicted]]) -> bool:
    """Whether predictions are those of single steps: one for each step of the gold chains, without results of tools."""
    if any(len(predictions[sample.id]) != len(sample.steps) for sample in samples):
        return False
    return not any(_has_results(record.anything("prediction")) for _, record in numbered(path.name, read_json(path)))


def _has_results(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_has_results, value))
    return isinstance(value, dict) and value.get("role") == "tool"


def worked_of(predictions: Mapping[str, Sequence[Predicted]]) -> dict[str, Worked]:
    """The same as runs end to end: the calls, and the answer if the last step is one."""
    return {
        sample: Worked([step for step in steps if step.tool], steps[-1].text if steps and not steps[-1].tool else None)
        for sample, steps in predictions.items()
    }


def _steps(record: Record) -> Iterator[Record]:
    """The steps of the assistant: a list of them, or one for each turn of the user, of which the first counts."""
    found = record.items("prediction", optional=True)
    turns = found[0] if found and all(isinstance(turn, list) for turn in found) and len(found) == 1 else found
    for number, step in enumerate(turns):
        while isinstance(step, list):
            step = step[0] if step else {"role": "assistant", "content": ""}  # noqa: PLW2901 - one step may be wrapped
        one = Record.of(f"{record.where}.prediction[{number}]", step)
        thought = isinstance(meta := one.anything("meta"), dict) and meta.get("type") == "thought"
        if one.text("role", "assistant") == "assistant" and not thought:
            yield one


def _predicted(step: Record) -> Predicted:
    calls = step.records("tool_calls", optional=True)
    error, error_type = _error(step.anything("error"))
    if not calls:
        content = step.anything("content")
        return Predicted(text=content if isinstance(content, str) else "", error=error, error_type=error_type)
    function = Record.of(f"{calls[0].where}.function", calls[0].anything("function"))
    arguments = function.anything("arguments")
    given = arguments if isinstance(arguments, dict) else {}
    return Predicted(function.text("name"), given, error=error, error_type=error_type)


def _error(value: Any) -> tuple[str, str]:
    """What is wrong with a step in words, and its type."""
    if not value:
        return "", ""
    if not isinstance(value, dict):
        return str(value), ""
    return str(value.get("msg") or value.get("type") or "error"), str(value.get("type") or "")
