"""A scripted model on the loopback interface: Chat Completions, Responses and Gemini. It replays turns of tool calls,
then answers, and keeps every request, so that what a framework shows its model can be read.
"""

import contextlib
import itertools
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from frameworks.dialects import DIALECTS, Dialect, Turn

LAST_WORDS = ("final_answer", "submit")
"""Tools by which some frameworks let their model answer."""


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

    def reply(self, dialect: Dialect, request: dict[str, Any]) -> dict[str, Any]:
        """What it says to the next request: the next turn of its script, and after the last one the answer."""
        self.requests.append((dialect, request))
        number = next(self._numbers)
        offered = dialect.offered(request)
        if number < len(self.turns):
            calls = [(_offered_as(tool, offered), arguments) for tool, arguments in self.turns[number]]
            return dialect.calling(calls, number)
        for tool in LAST_WORDS:
            if tool in offered:
                return dialect.calling([(tool, {"answer": self.answer})], number)
        return dialect.saying(self.answer)


def _offered_as(tool: str, offered: Sequence[str]) -> str:
    """The tool's name in the framework: some put the name of the server before it."""
    return next((name for name in offered if name == tool or name.endswith(f"_{tool}")), tool)


@contextlib.contextmanager
def scripted_model(turns: Sequence[Turn], answer: str) -> Iterator[ScriptedModel]:
    """Serve the turns, one per request, then the answer."""
    model = ScriptedModel("", turns, answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            dialect = next((dialect for ending, dialect in DIALECTS.items() if ending in self.path), None)
            if dialect is None:
                self._send(404, b"{}", "application/json")
                return
            reply = model.reply(dialect, request)
            if request.get("stream") or "streamGenerateContent" in self.path:
                self._send(200, dialect.streamed(reply), "text/event-stream")
            else:
                self._send(200, json.dumps(reply).encode(), "application/json")

        def _send(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="scripted-model")
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
