"""An agent's work in an episode, as the steps of a prediction in the format of OpenCompass."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.sets.predictions import INVALID_ACTION, NO_ACTION, make_call_turn
from yardkit.benchmarks.gta.sets.records import read_json
from yardkit.sandbox.agents.dialogue import DONE
from yardkit.sandbox.agents.outputs import READ, SEARCH
from yardkit.sandbox.runs.trajectory import TRAJECTORY
from yardkit.sandbox.serving.agentlego.signatures import kind_of_result

_OURS = (DONE, READ, SEARCH)
"""Calls that are no tools of GTA: our loop offers them."""
_CONTENTS = {"image": "image", "audio": "audio", "video": "file", "file": "file"}
"""What a tool gives -> the type under which OpenCompass keeps its path; all else is text."""


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
        yield make_call_turn(NO_ACTION, {}, "ARGS_ERROR", "Please follow the format")
    for number, call in enumerate(calls):
        if call["function_name"] not in _OURS:
            yield from _list_call_parts(call, results[number] if number < len(results) else {})


def _list_call_parts(call: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """List a call and its result. A call without ``extra`` never reached a server: its arguments were not JSON."""
    name, reached = str(call["function_name"]), call.get("extra")
    content = result.get("content")
    if isinstance(content, list):  # the text of a result comes before its pictures
        content = content[0].get("text") if content else ""
    text = str(content or "")
    failed = reached is None or (result.get("extra") or {}).get("is_error", False)
    wrong = reached is None or (failed and text.removeprefix("error: ").startswith("wrong arguments for "))
    error_type = "ARGS_ERROR" if wrong else "API_ERROR" if failed else ""
    unknown = reached is not None and not reached.get("server")
    yield make_call_turn(INVALID_ACTION if unknown else name, call["arguments"], error_type, text)
    kind = "text" if failed else _CONTENTS.get(kind_of_result(name), "text")
    yield {"role": "tool", "name": name, "content": [{"type": kind, "content": text}]}
