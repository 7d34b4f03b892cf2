"""Settings of ``openai:``, and the limits that they and the task set."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from yardkit.sandbox.agents.dialogue import Dialogue, ToolCalling
from yardkit.sandbox.agents.react import React
from yardkit.sandbox.agents.service import Price, Service
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem

_OURS = ("model", "messages", "tools", "stream")
"""Fields of a request without which there is no conversation."""
_SET = ("temperature", "max_completion_tokens", "reasoning_effort", "parallel_tool_calls")
"""Fields with a setting of the same name."""


def _parse_object(text: str) -> dict[str, Any]:
    parsed_object = json.loads(text)
    if not isinstance(parsed_object, dict):
        raise ValueError("write one JSON object")
    return parsed_object


@dataclass(frozen=True)
class ChatSettings:
    """Settings of ``openai:``.

    Attributes:
        base_url, api_key: the service; from ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY`` where not given.
        protocol: ``tools`` of the API, or ``react``: the tools in the first message and calls as text.
        temperature, reasoning_effort: None leaves it to the service.
        parallel_tool_calls: whether a turn may make several calls; None leaves it to the service. Where it is false
            and the model makes several all the same, the first is carried out.
        extra_body: further fields of each request's body.
        max_turns: answers of the model; 0 is without limit; None: what the task allows.
        max_tokens: prompt and completion tokens over all turns; 0 is without limit.
        max_completion_tokens: of one turn; 0 leaves it to the service.
        failed_rounds: so many turns in a row in which every call failed end the run, without an answer; 0: never;
            None: what the task says.
        output_limit: characters of a tool's output that stay in the conversation.
        context_tokens: what the model can read at once; 0: not known, the service says when it is too much.
        context_meter: whether the model is told after each round of calls how full its context is.
        keep_turns: results of turns older than that are dropped from the conversation; 0: none are.
        when_full: a full context ends the run (``stop``), or old turns are cut and it goes on (``cut``).
        images: whether pictures in results are shown to the model.
        tool_timeout_s: seconds that one tool call may take.
        price: US dollars for a million tokens, ``IN,OUT`` or ``IN,OUT,CACHED``.
        retries, backoff_s, request_timeout_s: see `Service`.
    """

    model: str
    base_url: str
    api_key: str = field(default="", repr=False)
    protocol: Literal["tools", "react"] = "tools"
    temperature: Annotated[float, Field(ge=0)] | None = None
    reasoning_effort: Annotated[str, Field(min_length=1)] | None = None
    parallel_tool_calls: bool | None = None
    extra_body: Annotated[dict[str, Any], BeforeValidator(_parse_object)] = field(default_factory=dict)
    max_turns: Annotated[int, Field(ge=0)] | None = None
    max_tokens: Annotated[int, Field(ge=0)] = 0
    max_completion_tokens: Annotated[int, Field(ge=0)] = 0
    failed_rounds: Annotated[int, Field(ge=0)] | None = None
    output_limit: Annotated[int, Field(ge=1_000)] = 100_000
    context_tokens: Annotated[int, Field(ge=0)] = 0
    context_meter: bool = False
    keep_turns: Annotated[int, Field(ge=0)] = 0
    when_full: Literal["stop", "cut"] = "stop"
    images: bool = True
    tool_timeout_s: Annotated[float, Field(gt=0)] = 300.0
    price: Annotated[Price, BeforeValidator(Price.parse)] | None = None
    retries: Annotated[int, Field(ge=0)] = 5
    backoff_s: Annotated[float, Field(ge=0)] = 1.0
    request_timeout_s: Annotated[float, Field(gt=0)] = 600.0

    def __post_init__(self) -> None:
        for name in (*_OURS, *_SET):
            if name in self.extra_body:
                instead = f"use the setting {name!r}" if name in _SET else "the agent fills it in itself"
                raise Problem(f"extra_body has the field {name!r}; {instead}")
        if self.protocol == "react" and self.parallel_tool_calls is not None:
            raise Problem("parallel_tool_calls is for protocol=tools; with react a turn makes one call")

    @property
    def forgets(self) -> bool:
        """Whether turns may go from the conversation, so that the model has tools to look them up."""
        return self.when_full == "cut" or bool(self.keep_turns)

    def make_service(self) -> Service:
        return Service(
            self.base_url, self.api_key, self.retries, self.backoff_s, self.request_timeout_s, price=self.price
        )

    def dialogue(self, tools: Sequence[Mapping[str, Any]]) -> Dialogue:
        """How the model and the `tools` (in OpenAI's form) come together."""
        return React(tools) if self.protocol == "react" else ToolCalling(tools, self.parallel_tool_calls)

    def fields(self) -> dict[str, Any]:
        """What they put into the body of each request; `extra_body` goes before all."""
        given = {
            "temperature": self.temperature,
            "reasoning_effort": self.reasoning_effort,
            "max_completion_tokens": self.max_completion_tokens or None,
        }
        return {name: value for name, value in given.items() if value is not None} | self.extra_body

    def limits_on(self, task: Task) -> "Limits":
        """What ends a run on `task`: what the settings say, and else the task."""
        turns = task.max_turns if self.max_turns is None else self.max_turns
        rounds = task.failed_rounds if self.failed_rounds is None else self.failed_rounds
        return Limits(turns, rounds, self.max_tokens)


@dataclass(frozen=True)
class Limits:
    """Turns, failed rounds in a row and tokens that end a run; 0 is without limit."""

    turns: int
    failed_rounds: int
    tokens: int
