"""An episode's ledger in the formats of other tools: ATIF v1.8 (Harbor) and OpenTelemetry spans (OTLP/JSON)."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from yardkit.sandbox.episodes.ledger import Call
from yardkit.sandbox.serving.registry import get_version

_KIND_SERVER = 2
_STATUS_ERROR = 2
_MEDIA_KINDS = {"png": "image", "jpeg": "image", "webp": "image", "gif": "image"}


@dataclass(frozen=True)
class Subject:
    """The episode of a trajectory.

    Attributes:
        id: the episode.
        opened: its start, ISO 8601.
        inherited: the number of calls copied from the episode that it was forked from.
        answer: the agent's final text; None if there is none yet.
    """

    id: str
    task: str
    seed: int
    prompt: str
    opened: str
    inherited: int = 0
    answer: str | None = None


def as_atif(subject: Subject, calls: Sequence[Call]) -> dict[str, Any]:
    """Format an ATIF v1.8 trajectory.

    The gateway sees tool calls but no model, so the agent's steps have no messages, no metrics, and ``llm_call_count``
    0. Latency, state hashes and faults are under ``extra``; pictures are given by their path in the episode's
    directory.
    """
    steps: list[dict[str, Any]] = [
        {"step_id": 1, "timestamp": subject.opened, "source": "user", "message": subject.prompt}
    ]
    for call in calls:
        steps.append(_make_step(call, len(steps) + 1, copied=call.number <= subject.inherited))
    if subject.answer is not None:
        steps.append({"step_id": len(steps) + 1, "source": "agent", "message": subject.answer, "llm_call_count": 0})
    return {
        "schema_version": "ATIF-v1.8",
        "session_id": subject.id,
        "agent": {"name": "mcp-client", "version": "unknown"},
        "steps": steps,
        "final_metrics": {"total_steps": len(steps)},
        "extra": {"task": subject.task, "seed": subject.seed, "recorded_by": f"yardkit {get_version()}"},
    }


def as_otel(subject: Subject, calls: Sequence[Call]) -> dict[str, Any]:
    """Format an OTLP/JSON ``TracesData`` object: one span for the episode, one per call in the GenAI conventions."""
    root = _span_id(subject.id, 0)
    # OpenTelemetry's ids: 16 bytes for a trace, 8 for a span.
    trace = hashlib.sha256(subject.id.encode()).hexdigest()[:32]
    begin = _to_nanoseconds(subject.opened)
    end = max([begin, *(_find_end(call) for call in calls)])
    spans = [
        {
            "traceId": trace,
            "spanId": root,
            "name": f"episode {subject.task}",
            "kind": _KIND_SERVER,
            "startTimeUnixNano": str(begin),
            "endTimeUnixNano": str(end),
            "attributes": _list_attributes({"yardkit.task": subject.task, "yardkit.seed": subject.seed}),
        },
        *(_make_span(call, trace, root, subject.id) for call in calls),
    ]
    resource = {"service.name": "yardkit", "service.version": get_version(), "gen_ai.conversation.id": subject.id}
    scope = {"name": "yardkit", "version": get_version()}
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _list_attributes(resource)},
                "scopeSpans": [{"scope": scope, "spans": spans}],
            }
        ]
    }


def as_jsonl(calls: Iterable[Call]) -> str:
    """The ledger's lines."""
    return "".join(json.dumps(asdict(call), ensure_ascii=True) + "\n" for call in calls)


def _make_step(call: Call, step: int, *, copied: bool) -> dict[str, Any]:
    name = f"call_{call.number}"
    facts = {"server": call.server, "latency_ms": call.latency_ms, "state_before": call.state_before}
    result = {"state_after": call.state_after, "is_error": bool(call.error), "result_digest": call.result_digest}
    if call.fault:
        result["fault"] = call.fault
    return {
        "step_id": step,
        "timestamp": call.time,
        "source": "agent",
        "message": "",
        "tool_calls": [
            {"tool_call_id": name, "function_name": call.tool, "arguments": dict(call.arguments), "extra": facts}
        ],
        "observation": {"results": [{"source_call_id": name, "content": _make_content(call), "extra": result}]},
        **({"is_copied_context": True} if copied else {}),
        "llm_call_count": 0,
    }


def _make_content(call: Call) -> str | list[dict[str, Any]]:
    text = call.error or call.text
    if not call.media:
        return text
    return [{"type": "text", "text": text}, *(_describe_media(name) for name in call.media)]


def _describe_media(name: str) -> dict[str, Any]:
    suffix = name.rpartition(".")[2]
    kind = _MEDIA_KINDS.get(suffix, "audio")
    return {"type": kind, "source": {"media_type": f"{kind}/{suffix}", "path": f"media/{name}"}}


def _make_span(call: Call, trace: str, parent: str, episode: str) -> dict[str, Any]:
    facts: dict[str, str | int] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.tool,
        "gen_ai.tool.call.id": f"call_{call.number}",
        "gen_ai.tool.call.arguments": json.dumps(dict(call.arguments)),
        "gen_ai.tool.call.result": call.text,
        "yardkit.server": call.server,
        "yardkit.state.before": call.state_before,
        "yardkit.state.after": call.state_after,
    }
    if call.error:
        facts["error.type"] = "tool_error"
    if call.fault:
        facts["yardkit.fault"] = call.fault
    return {
        "traceId": trace,
        "spanId": _span_id(episode, call.number),
        "parentSpanId": parent,
        "name": f"execute_tool {call.tool}",
        "kind": _KIND_SERVER,
        "startTimeUnixNano": str(_to_nanoseconds(call.time)),
        "endTimeUnixNano": str(_find_end(call)),
        "attributes": _list_attributes(facts),
        **({"status": {"code": _STATUS_ERROR, "message": call.error}} if call.error else {}),
    }


def _list_attributes(facts: Mapping[str, str | int]) -> list[dict[str, Any]]:
    # OTLP/JSON writes 64-bit integers as strings.
    return [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
        for key, value in facts.items()
    ]


def _span_id(episode: str, number: int) -> str:
    return hashlib.sha256(f"{episode}:{number}".encode()).hexdigest()[:16]


def _to_nanoseconds(time: str) -> int:
    since = datetime.fromisoformat(time) - datetime.fromisoformat("1970-01-01T00:00:00+00:00")
    return (since // timedelta(microseconds=1)) * 1000


def _find_end(call: Call) -> int:
    return _to_nanoseconds(call.time) + int(call.latency_ms * 1_000_000)
