"""The trajectory of a run: the agent's messages from its transcript, and its calls from the ledger."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.sandbox.agents import Outcome, Usage
from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.traces import Subject, as_atif
from yardkit.sandbox.serving.registry import get_version

TRAJECTORY = "trajectory.json"
"""Where the trajectory of an episode lies in its folder."""
_SOURCES = {"system": "system", "user": "user", "assistant": "agent"}


def build_trajectory(episode: Episode, agent: str, outcome: Outcome) -> dict[str, Any]:
    """Build the ATIF v1.8 trajectory of a run.

    An agent that exposes its turns gives a step per turn, with its text, calls and tokens; the ledger adds latency,
    state hashes and pictures to each call that reached a tool. For an external program only the calls are known.
    """
    subject = Subject(
        episode.id, episode.task.id, episode.seed, episode.prompt, episode.opened, episode.inherited, outcome.answer
    )
    ledger_trajectory = as_atif(subject, episode.ledger.calls)
    lines = _read_lines(episode.directory / "transcript.jsonl")
    if any("tool_calls" in line for line in lines):
        ledger_trajectory["steps"] = _merge_steps(lines, ledger_trajectory["steps"])
    kind, _, model = agent.partition(":")
    ledger_trajectory["agent"] = {"name": kind, "version": get_version()}
    if kind == "openai":
        ledger_trajectory["agent"]["model_name"] = model
    ledger_trajectory["final_metrics"] = {
        "total_steps": len(ledger_trajectory["steps"]),
        **_build_metrics(outcome.usage, "total_"),
    }
    ledger_trajectory["extra"] |= {"stop": outcome.stop, "detail": outcome.detail}
    return ledger_trajectory


def _read_lines(path: Path) -> list[dict[str, Any]]:
    text = path.read_text("utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def _merge_steps(lines: Sequence[Mapping[str, Any]], ledger_steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Merge the transcript into steps; results belong to the step before them."""
    recorded = [step for step in ledger_steps if "observation" in step]
    steps: list[dict[str, Any]] = []
    for line in lines:
        if line["role"] in _SOURCES:
            steps.append(_make_step(line, len(steps) + 1, recorded))
        elif line["role"] == "tool" and steps:
            _add_result(steps[-1], line)
    for step in steps:
        step.pop("recorded", None)
    return steps


def _make_step(line: Mapping[str, Any], number: int, recorded: list[Mapping[str, Any]]) -> dict[str, Any]:
    step: dict[str, Any] = {
        "step_id": number,
        "timestamp": line["time"],
        "source": _SOURCES[line["role"]],
        "message": line["content"],
    }
    if line["role"] != "assistant":
        return step
    usage = Usage(**line["usage"]) if "usage" in line else Usage()
    if metrics := _build_metrics(usage, ""):
        step["metrics"] = metrics
    step["llm_call_count"] = usage.turns
    tool_calls = [
        {
            "tool_call_id": call.get("id") or f"call_{number}_{place}",
            "function_name": call["name"],
            "arguments": _parse_arguments(call["arguments"]),
        }
        for place, call in enumerate(line.get("tool_calls", ()), start=1)
    ]
    if tool_calls:
        step["tool_calls"] = tool_calls
        step["recorded"] = [_take_recorded(call, recorded) for call in tool_calls]
    return step


def _take_recorded(call: dict[str, Any], recorded: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Take the first recorded call with this tool and these arguments; None if the call never reached a tool."""
    for step in recorded:
        known = step["tool_calls"][0]
        if (known["function_name"], known["arguments"]) == (call["function_name"], call["arguments"]):
            recorded.remove(step)
            call["extra"] = known["extra"]
            result: Mapping[str, Any] = step["observation"]["results"][0]
            return result
    return None


def _add_result(step: dict[str, Any], line: Mapping[str, Any]) -> None:
    results = step.setdefault("observation", {"results": []})["results"]
    calls = step.get("tool_calls", [])
    if len(results) >= len(calls):
        return
    known = step["recorded"][len(results)] or {}
    content: Any = line["content"]
    if isinstance(known.get("content"), list):
        content = [{"type": "text", "text": content}, *known["content"][1:]]
    result = {"source_call_id": calls[len(results)]["tool_call_id"], "content": content}
    results.append(result | ({"extra": known["extra"]} if known else {}))


def _parse_arguments(arguments: Any) -> dict[str, Any]:
    """Parse arguments as an object, as ATIF requires; other text of a model is kept as it is."""
    if isinstance(arguments, dict):
        return arguments
    try:
        parsed = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        parsed = None
    return parsed if isinstance(parsed, dict) else {"unreadable": str(arguments)}


def _build_metrics(usage: Usage, prefix: str) -> dict[str, Any]:
    if not usage.turns:
        return {}
    metrics: dict[str, Any] = {
        f"{prefix}prompt_tokens": usage.prompt_tokens,
        f"{prefix}completion_tokens": usage.completion_tokens,
        f"{prefix}cached_tokens": usage.cached_tokens,
    }
    if usage.cost_usd is not None:
        # ATIF names the sum total_cost_usd and that of a step cost_usd.
        metrics[f"{prefix}cost_usd"] = usage.cost_usd
    return metrics
