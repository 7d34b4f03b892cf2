"""The field lists are those of Harbor's ``models/trajectories`` for ATIF v1.8, where nothing else is allowed."""

import json
from datetime import datetime
from typing import Any, Literal

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, model_validator

from yardkit.sandbox.episodes.episode import open_episode
from yardkit.sandbox.episodes.ledger import Call, as_line, parse_lines
from yardkit.sandbox.episodes.traces import Subject, as_atif, as_jsonl, as_otel


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Source(_Closed):
    media_type: str
    path: str
    duration_sec: float | None = None


class ContentPart(_Closed):
    type: Literal["text", "image", "audio"]
    text: str | None = None
    source: Source | None = None

    @model_validator(mode="after")
    def _has_what_its_type_needs(self) -> "ContentPart":
        assert (self.type == "text") == (self.text is not None) == (self.source is None)
        return self


class ToolCall(_Closed):
    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]
    extra: dict[str, Any] | None = None


class ObservationResult(_Closed):
    source_call_id: str | None = None
    content: str | list[ContentPart] | None = None
    subagent_trajectory_ref: list[Any] | None = None
    extra: dict[str, Any] | None = None


class Observation(_Closed):
    results: list[ObservationResult]


class Step(_Closed):
    step_id: int
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    model_name: str | None = None
    reasoning_effort: str | float | None = None
    message: str | list[ContentPart]
    reasoning_content: str | None = None
    tool_calls: list[ToolCall] | None = None
    observation: Observation | None = None
    metrics: dict[str, Any] | None = None
    is_copied_context: bool | None = None
    llm_call_count: int | None = None
    extra: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _only_agents_call(self) -> "Step":
        if self.source != "agent":
            assert self.tool_calls is None
            assert self.llm_call_count is None
        if self.llm_call_count == 0:
            assert self.metrics is None
            assert self.reasoning_content is None
        if self.timestamp is not None:
            assert datetime.fromisoformat(self.timestamp).tzinfo
        return self


class Agent(_Closed):
    name: str
    version: str
    model_name: str | None = None
    tool_definitions: list[dict[str, Any]] | None = None
    extra: dict[str, Any] | None = None


class FinalMetrics(_Closed):
    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int | None = None
    extra: dict[str, Any] | None = None


class Trajectory(_Closed):
    schema_version: Literal["ATIF-v1.8"]
    session_id: str | None = None
    trajectory_id: str | None = None
    agent: Agent
    steps: list[Step]
    notes: str | None = None
    final_metrics: FinalMetrics | None = None
    continued_trajectory_ref: str | None = None
    subagent_trajectories: list[Any] | None = None
    extra: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _steps_count_and_results_belong(self) -> "Trajectory":
        assert [step.step_id for step in self.steps] == list(range(1, len(self.steps) + 1))
        assert self.steps
        for step in self.steps:
            ids = {call.tool_call_id for call in step.tool_calls or []}
            assert {result.source_call_id for result in (step.observation.results if step.observation else [])} <= ids
        return self


WORDS = st.text(max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def draw_calls(draw: st.DrawFn) -> list[Call]:
    return [
        Call(
            number=number,
            time="2026-03-16T09:00:00.123456+00:00",
            server=draw(WORDS),
            tool=draw(WORDS),
            arguments=draw(st.dictionaries(WORDS, JSON, max_size=3)),
            error=draw(WORDS),
            crashed=draw(st.booleans()),
            latency_ms=draw(st.floats(0, 1e6)),
            bytes_in=1,
            bytes_out=2,
            result_digest="d",
            text=draw(WORDS),
            media=draw(st.sampled_from([(), ("aa.png",), ("aa.png", "bb.wav", "cc.jpeg")])),
            state_before="x",
            state_after="y",
            fault=draw(st.sampled_from(["", "timeout-1"])),
        )
        for number in range(1, draw(st.integers(0, 5)) + 1)
    ]


SUBJECT = Subject(
    "e0", "quickstart/sort_inbox", 3, "Please sort.", "2026-03-16T08:59:59+00:00", inherited=2, answer="ok"
)


@given(draw_calls())
def test_every_ledger_gives_a_valid_atif_trajectory(ledger: list[Call]) -> None:
    atif_trajectory = json.loads(json.dumps(as_atif(SUBJECT, ledger)))
    trajectory = Trajectory.model_validate(atif_trajectory)
    assert len(trajectory.steps) == len(ledger) + 2
    assert trajectory.final_metrics.total_steps == len(trajectory.steps)
    for call, step in zip(ledger, trajectory.steps[1:], strict=False):
        assert step.tool_calls[0].function_name == call.tool
        assert bool(step.is_copied_context) == (call.number <= 2)
        assert step.llm_call_count == 0


@given(draw_calls())
def test_every_ledger_gives_spans_in_the_shape_of_otlp(ledger: list[Call]) -> None:
    (resource,) = json.loads(json.dumps(as_otel(SUBJECT, ledger)))["resourceSpans"]
    spans = resource["scopeSpans"][0]["spans"]
    root, rest = spans[0], spans[1:]
    assert len(rest) == len(ledger)
    assert len({span["spanId"] for span in spans}) == len(spans)
    for span in spans:
        assert len(bytes.fromhex(span["traceId"])) == 16
        assert len(bytes.fromhex(span["spanId"])) == 8
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) <= int(root["endTimeUnixNano"])
        for attribute in span["attributes"]:
            ((kind, value),) = attribute["value"].items()
            assert kind in ("stringValue", "intValue")
            assert isinstance(value, str)
    for call, span in zip(ledger, rest, strict=True):
        assert span["parentSpanId"] == root["spanId"]
        assert (span.get("status", {}).get("code") == 2) == bool(call.error)


@given(draw_calls())
def test_a_ledger_line_is_one_line_and_reads_back_as_it_was(ledger: list[Call]) -> None:
    written = b"".join(as_line(call) for call in ledger)
    for lines in (parse_lines(written), parse_lines(as_jsonl(ledger).encode())):
        assert [Call(**{**line, "media": tuple(line["media"])}) for line in lines] == ledger


def test_the_trajectory_of_a_fork_marks_what_it_took_over() -> None:
    with open_episode("quickstart/sort_inbox") as episode:
        episode.call("list_folder", path=".")
        fork = episode.fork()
        fork.call("read_file", path="missing")
        subject = Subject(fork.id, fork.task.id, fork.seed, fork.prompt, fork.opened, fork.inherited)
        trajectory = as_atif(subject, fork.ledger.calls)
    steps = Trajectory.model_validate(trajectory).steps
    assert [step.is_copied_context for step in steps] == [None, True, None]
    assert "missing" in str(steps[2].observation.results[0].content)
    assert steps[2].observation.results[0].extra["is_error"] is True
