"""An OpenAI-compatible ``/v1/chat/completions`` service: requests with retries, answers that are not trusted."""

import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from yardkit.sandbox.agents.agent import Usage

MAX_RESPONSE_BYTES = 50_000_000
_MAX_WAIT_S = 60.0
_CUT = ("length", "max_tokens", "model_length", "content_filter")
"""Reasons to finish that are not the model's, as OpenAI and services like it say them."""
_TOO_LONG = ("context_length_exceeded", "maximum context length", "context window", "prompt is too long")


class ServiceInvalid(Exception):
    """After all retries the service is unreachable, refuses us or returns garbage: not the agent's fault."""


class ContextFull(Exception):
    """The conversation no longer fits into the model's context."""


class TimeIsUp(Exception):
    """The deadline passed."""


@dataclass(frozen=True)
class ToolCall:
    """A call that the model asks for. `arguments` is the model's text, which should be JSON but may not be."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Answer:
    """One turn of the model.

    Attributes:
        message: the message to add to the conversation.
        cut: why the service ended it before the model did, such as ``length``; empty if it did not.
    """

    text: str
    calls: tuple[ToolCall, ...]
    message: dict[str, Any]
    usage: Usage
    cut: str = ""


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens of the prompt, of the completion, and of the cached part of the prompt."""

    prompt: float
    completion: float
    cached: float

    @classmethod
    def parse(cls, text: str) -> "Price":
        """``IN,OUT`` or ``IN,OUT,CACHED``; without the third, cached tokens cost as much as others.

        Raises:
            ValueError: the text has another format.
        """
        numbers = [float(word) for word in text.split(",")] if text.replace(",", "").strip() else []
        if len(numbers) not in (2, 3) or not all(math.isfinite(number) and number >= 0 for number in numbers):
            raise ValueError("write IN,OUT or IN,OUT,CACHED, in US dollars for a million tokens")
        prompt, completion, *cached = numbers
        return cls(prompt, completion, cached[0] if cached else prompt)

    def of_turn(self, prompt: int, completion: int, cached: int) -> float:
        """The cost of a turn in US dollars; `prompt` includes the `cached` tokens."""
        fresh = max(0, prompt - cached)
        return (fresh * self.prompt + cached * self.cached + completion * self.completion) / 1e6


@dataclass(frozen=True)
class Service:
    """The service that runs the model.

    Attributes:
        base_url: such as ``http://127.0.0.1:8000/v1``.
        retries: further attempts after 429, 5xx, a broken connection or garbage.
        backoff_s: the wait before the first retry; it doubles, up to a minute. ``Retry-After`` overrides it.
        request_timeout_s: seconds that one answer may take.
        price: the price of tokens if the service does not report costs; None if unknown.
    """

    base_url: str
    api_key: str
    retries: int
    backoff_s: float
    request_timeout_s: float
    price: Price | None = None

    def ask(self, body: Mapping[str, Any], deadline: float) -> Answer:
        """Ask for the model's next turn.

        Raises:
            ServiceInvalid: there was no usable answer.
            ContextFull: the conversation is too long for the model.
            TimeIsUp: `deadline` (of `time.monotonic`) passed.
        """
        with httpx2.Client(timeout=self.request_timeout_s, headers=self._build_headers()) as client:
            for attempt in range(self.retries + 1):
                try:
                    return self._attempt_request(client, body, deadline)
                except _Retry as failure:
                    reason = str(failure)
                    wait = failure.wait_s if failure.wait_s is not None else self.backoff_s * 2**attempt
                if attempt < self.retries:
                    _wait_until(min(wait, _MAX_WAIT_S), deadline)
        raise ServiceInvalid(f"{reason} ({self.retries + 1} attempts)")

    def _attempt_request(self, client: httpx2.Client, body: Mapping[str, Any], deadline: float) -> Answer:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeIsUp
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        try:
            timeout = min(left, self.request_timeout_s)
            with client.stream("POST", url, json=dict(body), timeout=timeout) as response:
                data = _read_body(response, min(deadline, time.monotonic() + self.request_timeout_s))
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
            raise ServiceInvalid(
                f"{url!r} is not a valid address of a service ({error}); check OPENAI_BASE_URL"
            ) from error
        except httpx2.HTTPError as error:
            if time.monotonic() >= deadline:
                raise TimeIsUp from error
            raise _Retry(f"no answer from {url}: {type(error).__name__} {error}".rstrip()) from error
        _check_status(response, data, url)
        return self._parse_answer(data)

    def _parse_answer(self, data: bytes) -> Answer:
        try:
            record = json.loads(data)
            return _parse_answer(record, self.price)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            excerpt = data[:200].decode("utf-8", "replace")
            raise _Retry(
                f"the answer is not a chat completion ({type(error).__name__}: {error}): {excerpt!r}"
            ) from error

    def _build_headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}


class _Retry(Exception):
    """A fault that is worth another attempt, after `wait_s` if the service asked for a wait."""

    def __init__(self, reason: str, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


def _read_body(response: httpx2.Response, deadline: float) -> bytes:
    data = bytearray()
    for chunk in response.iter_bytes():
        data += chunk
        if len(data) > MAX_RESPONSE_BYTES:
            raise _Retry(f"the answer has more than {MAX_RESPONSE_BYTES:,} bytes")
        if time.monotonic() > deadline:
            raise httpx2.ReadTimeout("the answer did not end in time")
    return bytes(data)


def _check_status(response: httpx2.Response, data: bytes, url: str) -> None:
    if response.status_code == httpx2.codes.OK:
        return
    excerpt = data[:500].decode("utf-8", "replace")
    reason = f"{url} answered {response.status_code}: {excerpt}"
    # Timeouts, conflicts, "too early", rate limits and server errors may be over at the next attempt.
    if response.status_code in (408, 409, 425, 429) or response.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR:
        raise _Retry(reason, _retry_after(response))
    if any(sign in excerpt.lower() for sign in _TOO_LONG):
        raise ContextFull(excerpt)
    raise ServiceInvalid(reason)


def _retry_after(response: httpx2.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None


def _wait_until(seconds: float, deadline: float) -> None:
    left = deadline - time.monotonic()
    time.sleep(max(0.0, min(seconds, left)))
    if seconds >= left:
        raise TimeIsUp


def _parse_answer(record: Any, price: Price | None) -> Answer:
    choice = record["choices"][0]
    message, reason = choice["message"], choice.get("finish_reason")
    text = _read_text(message.get("content"))
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise TypeError("tool_calls is not a list")
    # A service needs its additions to a call (signatures of thoughts) sent back; `index` and the like do no harm.
    tool_calls = [
        {**call, "id": _get_call_id(call, number), "type": "function"} for number, call in enumerate(calls, start=1)
    ]
    parsed = tuple(ToolCall(call["id"], str(call["function"]["name"]), _read_arguments(call)) for call in tool_calls)
    for call, tool_call in zip(tool_calls, parsed, strict=True):
        call["function"] = {**call["function"], "arguments": tool_call.arguments}
    back: dict[str, Any] = {"role": "assistant", "content": text or None}
    if tool_calls:
        back["tool_calls"] = tool_calls
    return Answer(text, parsed, back, _read_usage(record.get("usage"), price), reason if reason in _CUT else "")


def _read_text(content: Any) -> str:
    """The text of a message's content, which is null, text or a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(str(part.get("text", "")) for part in content if part.get("type") == "text")


def _get_call_id(call: Mapping[str, Any], number: int) -> str:
    return str(call.get("id") or f"call_{number}")


def _read_arguments(call: Mapping[str, Any]) -> str:
    arguments = call["function"].get("arguments")
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {})


def _read_usage(record: Any, price: Price | None) -> Usage:
    """Read the usage that the service reports; zero where the report is missing or invalid."""
    if not isinstance(record, Mapping):
        return Usage(turns=1)
    prompt, completion = _read_count(record, "prompt_tokens"), _read_count(record, "completion_tokens")
    cached = min(prompt, _count_cached(record))
    cost = record.get("cost")
    if not isinstance(cost, int | float):
        cost = price.of_turn(prompt, completion, cached) if price else None
    return Usage(1, prompt, completion, cached, cost)


def _count_cached(record: Mapping[str, Any]) -> int:
    """Count the cached prompt tokens, in the fields of OpenAI or of DeepSeek and Moonshot."""
    details = record.get("prompt_tokens_details")
    cached_tokens = _read_count(details, "cached_tokens") if isinstance(details, Mapping) else 0
    return cached_tokens or _read_count(record, "prompt_cache_hit_tokens") or _read_count(record, "cached_tokens")


def _read_count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) and value >= 0 else 0
