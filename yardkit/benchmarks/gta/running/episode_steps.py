"""An agent's work in an episode, as the steps of a prediction in the format of OpenCompass."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.sets.predictions import INVALID_ACTION, NO_ACTION
from yardkit.benchmarks.gta.sets.records import read_json
from yardkit.sandbox.agents.dialogue import DONE
from yardkit.sandbox.agents.outputs import READ, SEARCH
from yardkit.sandbox.runs.trajectory import TRAJECTORY
from yardkit.sandbox.serving.agentlego.signatures import kind_of_result

_OURS = (DONE, READ, SEARCH)
"""Calls that are no tools of GTA: our loop offers them."""
_CONTENTS = {"image": "image", "audio": "audio", "video": "file", "file": "file"}
"""What a tool gives -> the type under which OpenCompass keeps its path; all else is text."""
_NO_FORMAT = {"type": "ARGS_ERROR", "msg": "Please follow the format"}


def steps_of(episode: Path) -> list[dict[str, Any]]:
    """List the steps of a finished episode: calls with their errors and results, and the answer at the end.

    As in the original, a call of an unknown tool is a call of ``InvalidAction``, and a text that is neither a call nor
    an answer is one of ``NoAction``.

    Raises:
        Problem: the folder contains no such episode.
    """
    steps = [step for step in read_json(episode / TRAJECTORY)["steps"] if step["source"] == "agent"]
    step_parts = [part for number, step in enumerate(steps, 1) for part in _list_parts(step, last=number == len(steps))]
    answer = read_json(episode / "outcome.json")["answer"]
    return [*step_parts, {"role": "assistant", "content": answer}] if answer else step_parts


def _list_parts(step: Mapping[str, Any], *, last: bool) -> Iterator[dict[str, Any]]:
    calls: Sequence[Mapping[str, Any]] = step.get("tool_calls") or ()
    results = (step.get("observation") or {}).get("results", [])
    if not calls and not last:
        yield _make_call(NO_ACTION, {}, _NO_FORMAT)
    for number, call in enumerate(calls):
        if call["function_name"] not in _OURS:
            yield from _list_call_parts(call, results[number] if number < len(results) else {})


def _list_call_parts(call: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """List a call and its result. A call without ``extra`` never reached a server: its arguments were not JSON."""
    name, reached = str(call["function_name"]), call.get("extra")
    text = _read_text(result.get("content"))
    failed = reached is None or (result.get("extra") or {}).get("is_error", False)
    wrong = reached is None or text.removeprefix("error: ").startswith("wrong arguments for ")
    error = {"type": "ARGS_ERROR" if wrong else "API_ERROR", "msg": text} if failed else None
    unknown = reached is not None and not reached.get("server")
    yield _make_call(INVALID_ACTION if unknown else name, call["arguments"], error)
    kind = "text" if failed else _CONTENTS.get(kind_of_result(name), "text")
    yield {"role": "tool", "name": name, "content": [{"type": kind, "content": text}]}


def _make_call(name: str, arguments: Mapping[str, Any], error: Mapping[str, str] | None) -> dict[str, Any]:
    function = {"name": name, "arguments": dict(arguments)}
    call_turn = {"role": "assistant", "tool_calls": [{"type": "function", "function": function}]}
    return {**call_turn, "error": dict(error)} if error else call_turn


def _read_text(content: object) -> str:
    if isinstance(content, list):  # the text of a result comes before its pictures
        return str(content[0].get("text", "")) if content else ""
    return str(content or "")
