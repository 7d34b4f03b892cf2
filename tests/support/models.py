"""A scripted OpenAI-compatible service on the loopback interface: it says its lines and keeps what it was asked."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from support.web import Request, body_of, send_answer, serve_requests


@dataclass(frozen=True)
class Line:
    """One HTTP response."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def make_text_line(text: str, finish: str = "stop", **usage: Any) -> Line:
    """The model answers with text."""
    return _make_completion({"role": "assistant", "content": text}, usage, finish)


def make_call_line(*requested_calls: tuple[str, object], finish: str = "tool_calls", **usage: Any) -> Line:
    """The model calls tools; arguments that are text go out as they are."""
    tool_calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": _write_arguments(arguments)}}
        for number, (name, arguments) in enumerate(requested_calls)
    ]
    return _make_completion({"role": "assistant", "content": None, "tool_calls": tool_calls}, usage, finish)


def _write_arguments(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _make_completion(message: dict[str, Any], usage: dict[str, Any], finish: str) -> Line:
    used = {"prompt_tokens": 100, "completion_tokens": 10, **usage}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return Line(json.dumps({"choices": [choice], "usage": used}).encode())


@dataclass
class Model:
    """The running service: its address, and the requests that it got."""

    url: str
    lines: list[Line]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextlib.contextmanager
def scripted_model(*lines: Line) -> Iterator[Model]:
    """Serve `lines`, one per request; the last one is repeated."""
    model = Model("", list(lines))

    def respond(request: Request) -> None:
        model.requests.append(json.loads(body_of(request)))
        model.headers.append({name.lower(): value for name, value in request.headers.items()})
        line = model.lines[min(len(model.requests), len(model.lines)) - 1]
        send_answer(request, line.status, line.body, line.headers)

    with serve_requests(respond) as address:
        model.url = f"{address}/v1"
        yield model
