"""``openai:MODEL``: a plain tool-calling loop on any OpenAI-compatible service."""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import mcp.types
from mcp import MCPError
from mcp.types import ImageContent
from pydantic import BeforeValidator, Field

from toolyard.sandbox.agents.agent import MAX_ANSWER, Outcome, Stop, Transcript, Usage
from toolyard.sandbox.agents.endpoint import Connection, connect
from toolyard.sandbox.agents.outputs import READ, SEARCH, KeptOutputs, kept_output_tools
from toolyard.sandbox.agents.service import Answer, ContextFull, Service, ServiceInvalid, TimeIsUp, ToolCall
from toolyard.sandbox.agents.settings import parse_settings
from toolyard.sandbox.episodes.episode import Episode
from toolyard.sandbox.episodes.ledger import text_of
from toolyard.sandbox.tasks.task import Task
from toolyard.world import Problem

DONE = "claim_done"
SYSTEM = f"""\
You do a person's work with the tools that you are given. Its files, if it has any, lie in a folder, the workspace. \
Nobody can answer questions: decide yourself, and check what you did. When the work is done, call {DONE} with your \
final answer."""


def _pair(value: Any) -> Any:
    return tuple(value.split(",")) if isinstance(value, str) else value


@dataclass(frozen=True)
class ChatSettings:
    """Settings of ``openai:``.

    Attributes:
        base_url, api_key: the service; from ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY`` where not given.
        temperature: None leaves it to the service.
        max_turns: answers of the model; None: what the task allows.
        max_tokens: prompt and completion tokens over all turns; 0 is without limit.
        max_completion_tokens: of one turn; 0 leaves it to the service.
        failed_rounds: so many turns in a row in which every call failed end the run, without an answer; 0: never;
            None: what the task says.
        output_limit: characters of a tool's output that stay in the conversation.
        images: whether pictures in results are shown to the model.
        tool_timeout_s: seconds that one tool call may take.
        price: US dollars for a million prompt tokens and a million completion tokens, ``IN,OUT``.
        retries, backoff_s, request_timeout_s: see `Service`.
    """

    model: str
    base_url: str
    api_key: str = field(default="", repr=False)
    temperature: Annotated[float, Field(ge=0)] | None = None
    max_turns: Annotated[int, Field(ge=1)] | None = None
    max_tokens: Annotated[int, Field(ge=0)] = 0
    max_completion_tokens: Annotated[int, Field(ge=0)] = 0
    failed_rounds: Annotated[int, Field(ge=0)] | None = None
    output_limit: Annotated[int, Field(ge=1_000)] = 100_000
    images: bool = True
    tool_timeout_s: Annotated[float, Field(gt=0)] = 300.0
    price: Annotated[tuple[float, float], BeforeValidator(_pair)] | None = None
    retries: Annotated[int, Field(ge=0)] = 5
    backoff_s: Annotated[float, Field(ge=0)] = 1.0
    request_timeout_s: Annotated[float, Field(gt=0)] = 600.0

    def service(self) -> Service:
        return Service(
            self.base_url, self.api_key, self.retries, self.backoff_s, self.request_timeout_s, price_usd=self.price
        )

    def limits_on(self, task: Task) -> "_Limits":
        """What ends a run on `task`: what the settings say, and else the task."""
        turns = task.max_turns if self.max_turns is None else self.max_turns
        rounds = task.failed_rounds if self.failed_rounds is None else self.failed_rounds
        return _Limits(turns, rounds, self.max_tokens)


@dataclass(frozen=True)
class _Limits:
    """Turns, failed rounds in a row and tokens that end a run; 0 of the last two is without limit."""

    turns: int
    failed_rounds: int
    tokens: int


@dataclass(frozen=True)
class ChatAgent:
    """A model behind ``/v1/chat/completions`` with the tools of the episode, two for long outputs, and `claim_done`."""

    settings: ChatSettings

    @classmethod
    def of(cls, model: str, given: Mapping[str, str]) -> "ChatAgent":
        """The agent for a model name.

        Raises:
            Problem: no model, no service, or a wrong setting.
        """
        if not model:
            raise Problem("openai: names no model; write for example openai:gpt-5.2")
        import re2  # noqa: F401 - better now than in the middle of a run

        values = {"base_url": os.environ.get("OPENAI_BASE_URL", ""), "api_key": os.environ.get("OPENAI_API_KEY", "")}
        settings = parse_settings(ChatSettings, "openai", {**values, **given}, model=model)
        if not settings.base_url.startswith(("http://", "https://")):
            raise Problem(
                f"the address of the service is {settings.base_url!r}; set OPENAI_BASE_URL, for example to "
                "http://127.0.0.1:8000/v1, and OPENAI_API_KEY if it needs one"
            )
        return cls(settings)

    def run(self, episode: Episode, transcript: Transcript, time_limit_s: float) -> Outcome:
        deadline = time.monotonic() + time_limit_s
        with connect(episode) as connection:
            conversation = _Conversation(self.settings, connection, transcript, deadline)
            stop, detail = conversation.hold(episode.prompt, self.settings.limits_on(episode.task))
        transcript.add("event", detail, stop=stop)
        return Outcome(conversation.answer[:MAX_ANSWER], stop, detail, conversation.usage)


@dataclass(frozen=True)
class _Seen:
    """What a call shows to the model. An error is text as well."""

    text: str
    pictures: Sequence[ImageContent] = ()
    failed: bool = False


class _Conversation:
    """One run: the messages so far, and what they cost."""

    def __init__(self, settings: ChatSettings, connection: Connection, transcript: Transcript, deadline: float) -> None:
        self.answer = ""
        self.usage = Usage()
        self._settings = settings
        self._service = settings.service()
        self._connection = connection
        self._transcript = transcript
        self._deadline = deadline
        self._outputs = KeptOutputs(settings.output_limit)
        self._messages: list[dict[str, Any]] = []
        self._failed_rounds = 0
        self._tools = [*_openai_tools(connection.tools()), *kept_output_tools(), _DONE_TOOL]

    def hold(self, prompt: str, limits: _Limits) -> tuple[Stop, str]:
        """Talk until something ends it; what, and more about it."""
        self._say("system", SYSTEM)
        self._say("user", prompt)
        try:
            for _ in range(limits.turns):
                answer = self._service.ask(self._body(), self._deadline)
                self._take(answer)
                if not answer.calls:
                    self.answer = answer.text
                if not answer.calls or self._run_calls(answer.calls):
                    return "done", ""
                if limit := self._reached(limits):
                    return limit
        except TimeIsUp:
            return "time_limit", "the time was up"
        except ContextFull as error:
            return "token_limit", f"the conversation is too long for the model: {error}"
        except ServiceInvalid as error:
            return "service_invalid", str(error)
        return "max_turns", f"{limits.turns} turns"

    def _reached(self, limits: _Limits) -> tuple[Stop, str] | None:
        if limits.failed_rounds and self._failed_rounds >= limits.failed_rounds:
            return "failed_rounds", f"every call failed in {self._failed_rounds} rounds in a row"
        if limits.tokens and self.usage.tokens >= limits.tokens:
            return "token_limit", f"{self.usage.tokens:,} tokens used, {limits.tokens:,} allowed"
        return None

    def _body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._settings.model, "messages": self._messages, "tools": self._tools}
        if self._settings.temperature is not None:
            body["temperature"] = self._settings.temperature
        if self._settings.max_completion_tokens:
            body["max_completion_tokens"] = self._settings.max_completion_tokens
        return body

    def _say(self, role: str, text: str) -> None:
        self._messages.append({"role": role, "content": text})
        self._transcript.add(role, text)

    def _take(self, answer: Answer) -> None:
        self.usage += answer.usage
        self._messages.append(answer.message)
        calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in answer.calls]
        self._transcript.add("assistant", answer.text, tool_calls=calls, usage=answer.usage.__dict__)

    def _run_calls(self, calls: Sequence[ToolCall]) -> bool:
        """Answer each call; whether the model claimed to be done."""
        pictures: list[dict[str, Any]] = []
        failed = True
        for call in calls:
            arguments = _read_arguments(call.arguments)
            if call.name == DONE and isinstance(arguments, dict):
                self.answer = str(arguments.get("answer", ""))
                return True
            seen = self._observe(call.name, arguments)
            failed = failed and seen.failed
            self._messages.append({"role": "tool", "tool_call_id": call.id, "content": seen.text})
            self._transcript.add("tool", seen.text, name=call.name, tool_call_id=call.id, pictures=len(seen.pictures))
            pictures += _picture_parts(call, seen.pictures)
        self._failed_rounds = self._failed_rounds + 1 if failed else 0
        if pictures and self._settings.images:
            # A tool message holds text only, so the pictures follow in a message of their own.
            self._messages.append({"role": "user", "content": pictures})
        return False

    def _observe(self, tool: str, arguments: dict[str, Any] | str) -> _Seen:
        if isinstance(arguments, str):
            return _Seen(arguments, failed=True)
        if tool in (READ, SEARCH):
            try:
                return _Seen(self._outputs.call(tool, arguments))
            except Problem as problem:
                return _Seen(f"error: {problem}", failed=True)
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeIsUp
        try:
            result = self._connection.call(tool, arguments, min(left, self._settings.tool_timeout_s))
        except MCPError as error:
            if time.monotonic() >= self._deadline:
                raise TimeIsUp from error
            return _Seen(f"error: {tool} gave no answer: {error}", failed=True)
        text = text_of(result.content) or json.dumps(result.structured_content, ensure_ascii=False)
        shown = [block for block in result.content if isinstance(block, ImageContent)]
        return _Seen(self._outputs.shortened(f"error: {text}" if result.is_error else text), shown, result.is_error)


def _read_arguments(text: str) -> dict[str, Any] | str:
    """The arguments of a call, or what to tell the model about them."""
    try:
        arguments = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        return f"error: the arguments are not JSON ({error}); send one JSON object"
    if not isinstance(arguments, dict):
        return f"error: the arguments are {type(arguments).__name__}, not a JSON object"
    return arguments


def _picture_parts(call: ToolCall, shown: Sequence[ImageContent]) -> list[dict[str, Any]]:
    if not shown:
        return []
    urls = [f"data:{block.mime_type};base64,{block.data}" for block in shown]
    parts = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return [{"type": "text", "text": f"Pictures in the result of {call.name} ({call.id}):"}, *parts]


def _openai_tools(tools: Sequence[mcp.types.Tool]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema},
        }
        for tool in tools
    ]


_DONE_TOOL = {
    "type": "function",
    "function": {
        "name": DONE,
        "description": "Say that the work is done, and give the final answer. Ends the run.",
        "parameters": {
            "type": "object",
            "properties": {"answer": {"type": "string", "description": "the final answer, as the task wants it"}},
            "required": ["answer"],
        },
    },
}
