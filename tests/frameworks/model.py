"""A scripted model on the loopback interface: Chat Completions, Responses and Gemini. It replays turns of tool calls,
then answers, and keeps every request, so that what a framework shows its model can be read.
"""

import contextlib
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from support import web
from support.web import Request, body_of, serve_requests

from frameworks.dialects import DIALECTS, Dialect, Turn

LAST_WORDS = ("final_answer", "submit")
"""Tools by which some frameworks let their model answer."""
_JSON = {"Content-Type": "application/json"}


@dataclass
class ScriptedModel:
    """The running model.

    Attributes:
        url: where it listens, without a path.
        requests: what it was asked, in order, with the dialect.
    """

    url: str
    turns: Sequence[Turn]
    answer: str
    requests: list[tuple[Dialect, dict[str, Any]]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def answer_request(self, dialect: Dialect, request: dict[str, Any]) -> dict[str, Any]:
        """What it says to the next request: the next turn of its script, and after the last one the answer."""
        self.requests.append((dialect, request))
        number = next(self._numbers)
        offered = dialect.list_tool_names(request)
        if number < len(self.turns):
            calls = [(_offered_as(tool, offered), arguments) for tool, arguments in self.turns[number]]
            return dialect.make_call_response(calls, number)
        for tool in LAST_WORDS:
            if tool in offered:
                return dialect.make_call_response([(tool, {"answer": self.answer})], number)
        return dialect.make_text_response(self.answer)


def _offered_as(tool: str, offered: Sequence[str]) -> str:
    """The tool's name in the framework: some put the name of the server before it."""
    return next((name for name in offered if name == tool or name.endswith(f"_{tool}")), tool)


@contextlib.contextmanager
def scripted_model(turns: Sequence[Turn], answer: str) -> Iterator[ScriptedModel]:
    """Serve the turns, one per request, then the answer."""
    model = ScriptedModel("", turns, answer)

    def respond(request: Request) -> None:
        asked = json.loads(body_of(request))
        dialect = next((dialect for ending, dialect in DIALECTS.items() if ending in request.path), None)
        if dialect is None:
            web.send_answer(request, 404, b"{}", _JSON)
            return
        reply = model.answer_request(dialect, asked)
        if asked.get("stream") or "streamGenerateContent" in request.path:
            web.send_answer(request, 200, dialect.stream_response(reply), {"Content-Type": "text/event-stream"})
        else:
            web.send_answer(request, 200, json.dumps(reply).encode(), _JSON)

    with serve_requests(respond) as address:
        model.url = address
        yield model
