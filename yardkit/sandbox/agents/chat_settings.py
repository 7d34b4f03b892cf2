"""Settings of ``openai:``, and the limits that the settings and the task impose."""

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
        base_url, api_key: the service; by default from ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``.
        protocol: ``tools`` uses the API's tool calling; ``react`` puts the tools in the first message and calls in
            text.
        temperature, reasoning_effort: None leaves them to the service.
        parallel_tool_calls: whether a turn may make several calls; None leaves it to the service. If it is false
            and the model makes several anyway, only the first is carried out.
        extra_body: further fields of each request's body.
        max_turns: answers of the model; 0: no limit; None: the task's limit.
        max_tokens: prompt and completion tokens over all turns; 0: no limit.
        max_completion_tokens: per turn; 0 leaves it to the service.
        failed_rounds: the run ends without an answer after this many turns in a row in which every call failed;
            0: never; None: the task's limit.
        output_limit: characters of a tool's output that are kept in the conversation.
        context_tokens: size of the model's context; 0: unknown, so the service's error shows when it is full.
        context_meter: whether a message after each round of calls tells the model how full its context is.
        keep_turns: the number of newest turns whose results stay in the conversation; 0: all.
        when_full: whether a full context ends the run (``stop``) or old turns are cut (``cut``).
        images: whether the model sees the pictures in results.
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
        """Whether turns may leave the conversation, so that the model needs tools to look them up."""
        return self.when_full == "cut" or bool(self.keep_turns)

    def make_service(self) -> Service:
        return Service(
            self.base_url, self.api_key, self.retries, self.backoff_s, self.request_timeout_s, price=self.price
        )

    def dialogue(self, tools: Sequence[Mapping[str, Any]]) -> Dialogue:
        """Make the protocol in which the model uses the `tools` (in OpenAI's format)."""
        return React(tools) if self.protocol == "react" else ToolCalling(tools, self.parallel_tool_calls)

    def fields(self) -> dict[str, Any]:
        """The fields that the settings add to the body of each request; `extra_body` overrides the others."""
        given = {
            "temperature": self.temperature,
            "reasoning_effort": self.reasoning_effort,
            "max_completion_tokens": self.max_completion_tokens or None,
        }
        return {name: value for name, value in given.items() if value is not None} | self.extra_body

    def limits_on(self, task: Task) -> "Limits":
        """The limits of a run on `task`: those of the settings, else those of the task."""
        turns = task.max_turns if self.max_turns is None else self.max_turns
        rounds = task.failed_rounds if self.failed_rounds is None else self.failed_rounds
        return Limits(turns, rounds, self.max_tokens)


@dataclass(frozen=True)
class Limits:
    """Turns, failed rounds in a row and tokens that end a run; 0 means no limit."""

    turns: int
    failed_rounds: int
    tokens: int
