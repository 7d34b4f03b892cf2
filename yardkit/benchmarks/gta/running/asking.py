"""Asking a model step by step: it sees the gold chain up to a step and predicts the next one; no tool runs."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.running.set_tasks import with_files
from yardkit.benchmarks.gta.sets.atomic import AtomicSet, GoldCall, Sample
from yardkit.benchmarks.gta.sets.predictions import INVALID_ACTION, NO_ACTION, Predicted, make_call_turn
from yardkit.benchmarks.gta.sets.records import save_json
from yardkit.sandbox.agents.chat_settings import ChatSettings
from yardkit.sandbox.agents.dialogue import DONE, Dialogue, Seen, Turn
from yardkit.sandbox.agents.service import ToolCall

_SUMMARIZE = "Please summarize the chat history and give a final answer. Do not call any tools."
_TYPES = {"int": "integer", "float": "number", "bool": "boolean"}
_SECONDS = 3600.0


def ask_steps(sample: Sample, data: AtomicSet, settings: ChatSettings, *, all_tools: bool) -> list[Predicted]:
    """Ask a model for its prediction at each step of a sample.

    Args:
        sample: a sample of the set.
        data: the set, whose ``toolmeta.json`` describes the tools.
        settings: the settings of the model; ``protocol`` is ``tools`` or ``react``.
        all_tools: offer all tools of the set instead of only those of the sample.

    Raises:
        ServiceInvalid, ContextFull, TimeIsUp: there was no answer from the model.
    """
    names = list(data.tools) if all_tools else list(sample.tools)
    dialogue = settings.dialogue([_as_function(name, data.tools.get(name, {})) for name in names])
    service = settings.make_service()
    predicted_steps = []
    for number in range(len(sample.steps)):
        messages = list(_list_messages(sample, number, dialogue))
        fields = {**dialogue.fields, **settings.fields()}
        body = {"model": settings.model, "messages": messages, **fields}
        answer = service.ask(body, time.monotonic() + _SECONDS)
        predicted_steps.append(_make_predicted(dialogue.parse_turn(answer), names, data))
    return predicted_steps


def save_predictions(path: Path, samples: Sequence[Sample], predictions: Mapping[str, Sequence[Predicted]]) -> None:
    """Write predictions in the format of OpenCompass, in the order of the samples."""
    record = {
        str(number): {"prediction": [_as_step(step) for step in predictions[sample.id]]}
        for number, sample in enumerate(samples)
    }
    save_json(path, record)


def _list_messages(sample: Sample, number: int, dialogue: Dialogue) -> Iterator[Mapping[str, Any]]:
    """List the conversation before a step, with the results of the gold chain."""
    yield {"role": "system", "content": dialogue.system}
    yield {"role": "user", "content": with_files(sample.query, sample.files)}
    for at, step in enumerate(sample.steps[:number]):
        if isinstance(step, GoldCall):
            yield from _list_call_messages(at, step, dialogue)
        else:
            yield {"role": "assistant", "content": step.text}
    if number == len(sample.steps) - 1 and not isinstance(sample.steps[number], GoldCall):
        yield {"role": "user", "content": _SUMMARIZE}


def _list_call_messages(at: int, step: GoldCall, dialogue: Dialogue) -> Iterator[Mapping[str, Any]]:
    given = json.dumps(dict(step.arguments), ensure_ascii=False)
    call = ToolCall(f"action_{at + 1}", step.tool, given)
    if "tools" in dialogue.fields:
        function = {"name": step.tool, "arguments": given}
        called = [{"id": call.id, "type": "function", "function": function}]
        yield {"role": "assistant", "content": None, "tool_calls": called}
    else:
        yield {"role": "assistant", "content": f"Action: {step.tool}\nAction Input: {given}"}
    yield from dialogue.format_results([(call, Seen(step.result))], images=False)


def _make_predicted(turn: Turn, names: Sequence[str], data: AtomicSet) -> Predicted:
    if turn.complaint:
        return Predicted(NO_ACTION, {}, error="Please follow the format")
    if not turn.calls:
        return Predicted(text=turn.text)
    call = turn.calls[0]
    try:
        given = json.loads(call.arguments or "{}")
    except ValueError:
        given = None
    if call.name == DONE:
        return Predicted(text=str(given.get("answer", "")) if isinstance(given, dict) else "")
    if call.name not in names:
        return Predicted(INVALID_ACTION, {}, error="The action is invalid, please check the action name.")
    if not isinstance(given, dict):
        return Predicted(call.name, {}, error=f"the arguments are not a JSON object: {call.arguments[:100]}")
    return Predicted(call.name, given, error=_wrong_arguments(given, data.tools.get(call.name, {})))


def _wrong_arguments(given: Mapping[str, Any], meta: Mapping[str, Any]) -> str:
    """Describe the fault in the names of arguments, by the tool's description; empty without a fault or description."""
    inputs = [item for item in meta.get("inputs") or () if isinstance(item, dict) and "name" in item]
    if not inputs:
        return ""
    unknown = sorted(set(given) - {item["name"] for item in inputs})
    missing = sorted({item["name"] for item in inputs if not item.get("optional")} - set(given))
    words = [f"unknown arguments {', '.join(unknown)}"] if unknown else []
    return "; ".join([*words, *([f"missing arguments {', '.join(missing)}"] if missing else [])])


def _as_function(name: str, meta: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a tool of ``toolmeta.json`` in the format of the API."""
    inputs = [item for item in meta.get("inputs") or () if isinstance(item, dict) and "name" in item]
    properties = {
        item["name"]: {
            "type": _TYPES.get(str(item.get("type")), "string"),
            "description": item.get("description") or "",
        }
        for item in inputs
    }
    required = [item["name"] for item in inputs if not item.get("optional")]
    parameters = {"type": "object", "properties": properties, "required": required}
    return {
        "type": "function",
        "function": {"name": name, "description": str(meta.get("description") or ""), "parameters": parameters},
    }


def _as_step(predicted: Predicted) -> dict[str, Any]:
    error = {"error": {"type": "ARGS_ERROR", "msg": predicted.error}} if predicted.error else {}
    if not predicted.tool:
        return {"role": "assistant", "content": predicted.text, **error}
    return {**make_call_turn(predicted.tool, predicted.arguments or {}), **error}
