"""``openai:MODEL``: a simple loop of turns and tool calls with any OpenAI-compatible service."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import mcp.types
from mcp import MCPError
from mcp.types import ImageContent

from yardkit.sandbox.agents.agent import (
    MAX_ANSWER,
    NO_ACTION,
    REFUSED_ARGUMENTS,
    Outcome,
    Review,
    Stop,
    Transcript,
    Usage,
)
from yardkit.sandbox.agents.chat_settings import ChatSettings, Limits
from yardkit.sandbox.agents.dialogue import DONE, Seen, Turn
from yardkit.sandbox.agents.endpoint import Connection, connect_episode
from yardkit.sandbox.agents.history import DROP, LIST, History, history_tools
from yardkit.sandbox.agents.history import READ as READ_HISTORY
from yardkit.sandbox.agents.history import SEARCH as SEARCH_HISTORY
from yardkit.sandbox.agents.outputs import READ, SEARCH, LongOutputs, list_output_tools
from yardkit.sandbox.agents.service import Answer, ContextFull, ServiceInvalid, TimeIsUp, ToolCall
from yardkit.sandbox.agents.settings import parse_settings
from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.ledger import text_of
from yardkit.world import Problem


@dataclass(frozen=True)
class ChatAgent:
    """A model behind ``/v1/chat/completions`` with the tools of the episode, two for long outputs, and `claim_done`."""

    settings: ChatSettings

    @classmethod
    def from_settings(cls, model: str, given: Mapping[str, str]) -> "ChatAgent":
        """Make the agent for a model name.

        Raises:
            Problem: there is no model or service, or a setting is wrong.
        """
        if not model:
            raise Problem("openai: needs a model, for example openai:gpt-5.2")
        import re2  # noqa: F401 - a missing package must fail now, not in the middle of a run

        values = {"base_url": os.environ.get("OPENAI_BASE_URL", ""), "api_key": os.environ.get("OPENAI_API_KEY", "")}
        settings = parse_settings(ChatSettings, "openai", {**values, **given}, model=model)
        if not settings.base_url.startswith(("http://", "https://")):
            raise Problem(
                f"the address of the service is {settings.base_url!r}; set OPENAI_BASE_URL, for example to "
                "http://127.0.0.1:8000/v1, and OPENAI_API_KEY if it needs one"
            )
        return cls(settings)

    def run(self, episode: Episode, transcript: Transcript, time_limit_s: float) -> Outcome:
        return self.run_reviewed(episode, transcript, time_limit_s, lambda _answer: "")

    def run_reviewed(self, episode: Episode, transcript: Transcript, time_limit_s: float, review: Review) -> Outcome:
        deadline = time.monotonic() + time_limit_s
        with connect_episode(episode) as connection:
            conversation = _Conversation(self.settings, connection, transcript, deadline)
            stop, detail = conversation.hold(episode.prompt, self.settings.limits_on(episode.task), review)
        transcript.add("event", detail, stop=stop)
        return Outcome(conversation.answer[:MAX_ANSWER], stop, detail, conversation.usage)


class _Conversation:
    """One run: the messages so far and their cost."""

    def __init__(self, settings: ChatSettings, connection: Connection, transcript: Transcript, deadline: float) -> None:
        self.answer = ""
        self.usage = Usage()
        self._settings = settings
        self._service = settings.make_service()
        self._connection = connection
        self._transcript = transcript
        self._deadline = deadline
        self._outputs = LongOutputs(settings.output_limit)
        self._failed_rounds = 0
        ours = [*list_output_tools(), *(history_tools() if settings.forgets else [])]
        self._dialogue = settings.dialogue([*_openai_tools(connection.tools()), *ours])
        self._history = History(self._dialogue, settings.context_tokens)

    def hold(self, prompt: str, limits: Limits, review: Review) -> tuple[Stop, str]:
        """Talk until a limit is reached or a delivery gets no feedback; return the reason and a detail."""
        self._add_message("system", self._dialogue.system)
        self._add_message("user", prompt)
        try:
            for _ in range(limits.turns) if limits.turns else count():
                turn = self._take_turn()
                if self._done_after(turn):
                    stop, detail = _find_stop(turn)
                    if stop != "done" or not self._goes_on(review):
                        return stop, detail
                if limit := self._find_reached_limit(limits):
                    return limit
        except TimeIsUp:
            return "time_limit", "the time was over"
        except ContextFull as error:
            return "token_limit", f"the conversation is too long for the model: {error}"
        except ServiceInvalid as error:
            return "service_invalid", str(error)
        return "max_turns", f"{limits.turns} turns"

    def _goes_on(self, review: Review) -> bool:
        """Add the feedback on the delivery to the conversation, and return whether there is any."""
        started = time.monotonic()
        words = review(self.answer[:MAX_ANSWER])
        self._deadline += time.monotonic() - started
        if words:
            self._add_message("user", words, event="feedback")
        return bool(words)

    def _find_reached_limit(self, limits: Limits) -> tuple[Stop, str] | None:
        if limits.failed_rounds and self._failed_rounds >= limits.failed_rounds:
            return "failed_rounds", f"every call failed in {self._failed_rounds} rounds in a row"
        if limits.tokens and self.usage.tokens >= limits.tokens:
            return "token_limit", f"{self.usage.tokens:,} tokens used, {limits.tokens:,} allowed"
        return None

    def _add_message(self, role: str, text: str, **more: str) -> None:
        self._history.add_message({"role": role, "content": text})
        self._transcript.add(role, text, **more)

    def _take_turn(self) -> Turn:
        """Ask the model and add its turn to the conversation."""
        answer = self._ask_model()
        self.usage += answer.usage
        self._history.measured(answer.usage.prompt_tokens)
        turn = self._dialogue.parse_turn(answer)
        self._history.add(turn.message)
        calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in turn.calls]
        cut = {"cut": turn.cut} if turn.cut else {}
        self._transcript.add("assistant", turn.text, tool_calls=calls, usage=answer.usage.__dict__, **cut)
        return turn

    def _ask_model(self) -> Answer:
        """Ask the model; if the conversation is too long and may be cut, cut it and ask again."""
        self._drop_old_results()
        fields = {**self._dialogue.fields, **self._settings.fields()}
        while True:
            body = {"model": self._settings.model, "messages": self._history.list_messages(), **fields}
            try:
                return self._service.ask(body, self._deadline)
            except ContextFull:
                if self._settings.when_full == "stop" or not self._cut_history():
                    raise

    def _drop_old_results(self) -> None:
        if self._settings.keep_turns and (dropped := self._history.thin_turns(self._settings.keep_turns)):
            self._transcript.add("event", "results dropped from the conversation", context="dropped", turns=dropped)
        if self._settings.when_full == "cut" and self._history.is_nearly_full():
            self._cut_history()

    def _cut_history(self) -> bool:
        """Make room in the conversation; return whether any was made."""
        done = self._history.make_room()
        if done:
            self._transcript.add("event", done, context="cut")
        return bool(done)

    def _done_after(self, turn: Turn) -> bool:
        """Carry out the model's turn; return whether the run is over."""
        if turn.complaint:
            self._failed_rounds += 1
            self._add_message("user", turn.with_hint(turn.complaint), fault=NO_ACTION)
            return False
        if not turn.calls:
            self.answer = turn.text
            return True
        return self._run_calls(turn)

    def _run_calls(self, turn: Turn) -> bool:
        """Answer each call; return whether the model claimed to be done."""
        seen: list[tuple[ToolCall, Seen]] = []
        done = False
        for call in turn.calls:
            arguments = _read_arguments(call.arguments)
            if done:
                result = Seen("error: not carried out: the work was already declared done", failed=True)
            elif seen and self._settings.parallel_tool_calls is False:
                result = Seen("error: not carried out: only one call is made at a time; make it again", failed=True)
            elif call.name == DONE and isinstance(arguments, dict):
                self.answer, done = str(arguments.get("answer", "")), True
                result = Seen("The answer was submitted.")
            else:
                given = turn.with_hint(arguments) if isinstance(arguments, str) else arguments
                result = self._observe_call(call.name, given)
            seen.append((call, result))
            more = {"fault": REFUSED_ARGUMENTS} if isinstance(arguments, str) else {}
            pictures = len(result.pictures)
            self._transcript.add("tool", result.text, name=call.name, tool_call_id=call.id, pictures=pictures, **more)
        self._failed_rounds = self._failed_rounds + 1 if all(result.failed for _, result in seen) else 0
        self._history.add_results(seen, images=self._settings.images)
        if self._settings.context_meter and not done:
            meter = self._history.describe_usage()
            self._history.note(meter)
            self._transcript.add("user", meter, context="meter")
        return done

    def _observe_call(self, tool: str, arguments: dict[str, Any] | str) -> Seen:
        if isinstance(arguments, str):
            return Seen(arguments, failed=True)
        if own := self._own_tool(tool):
            try:
                return Seen(own(tool, arguments))
            except Problem as problem:
                return Seen(f"error: {problem}", failed=True)
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeIsUp
        try:
            result = self._connection.call(tool, arguments, min(left, self._settings.tool_timeout_s))
        except MCPError as error:
            if time.monotonic() >= self._deadline:
                raise TimeIsUp from error
            return Seen(f"error: {tool} did not answer: {error}", failed=True)
        text = text_of(result.content) or json.dumps(result.structured_content, ensure_ascii=False)
        image_blocks = [block for block in result.content if isinstance(block, ImageContent)]
        return Seen(
            self._outputs.shortened(f"error: {text}" if result.is_error else text), image_blocks, result.is_error
        )

    def _own_tool(self, tool: str) -> Callable[[str, dict[str, Any]], str] | None:
        """Return the function that answers one of the agent's own tools; None for a tool of the episode."""
        if tool in (READ, SEARCH):
            return self._outputs.call
        forgetting = self._settings.forgets and tool in (LIST, READ_HISTORY, SEARCH_HISTORY, DROP)
        return self._history.call if forgetting else None


def _find_stop(turn: Turn) -> tuple[Stop, str]:
    """Return how the run ended, judged by the model's last turn, and a detail."""
    if turn.cut and not turn.calls:
        return "cut_off", f"the service truncated the last answer: {turn.cut}"
    if turn.is_empty():
        return "no_answer", "the last answer had neither a call nor text"
    return "done", ""


def _read_arguments(text: str) -> dict[str, Any] | str:
    """Parse the arguments of a call, or return the error to show to the model."""
    try:
        arguments = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        return f"error: the arguments are not JSON ({error}); send one JSON object"
    if not isinstance(arguments, dict):
        return f"error: the arguments are {type(arguments).__name__}, not a JSON object"
    return arguments


def _openai_tools(tools: Sequence[mcp.types.Tool]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema},
        }
        for tool in tools
    ]
