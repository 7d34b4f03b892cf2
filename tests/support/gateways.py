"""A gateway on the loopback interface, and clients of it."""

import base64
import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from starlette.types import ASGIApp

from yardkit.evaluators.proof import ToolFailed
from yardkit.sandbox.gateway import Settings, create_app
from yardkit.sandbox.serving.addresses import open_listener

OPERATOR = "the-operator-of-the-tests"
TASK = "quickstart/sort_inbox"


@dataclass(frozen=True)
class Opened:
    """An episode as its runner sees it."""

    http: httpx2.Client
    id: str
    token: str
    mcp_url: str
    prompt: str
    introduction: Mapping[str, Any]

    def get(self, path: str, token: str | None = None) -> httpx2.Response:
        return self.http.get(f"/e/{self.id}/{path}", headers=make_bearer_header(self.token if token is None else token))

    def post(self, path: str, body: Any = None, token: str | None = None) -> httpx2.Response:
        headers = make_bearer_header(self.token if token is None else token)
        return self.http.post(f"/e/{self.id}/{path}", json=body or {}, headers=headers)

    def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        """As `yardkit.evaluators.proof.Agent` has it."""
        return self._call_tool(tool, arguments)["structured_content"]

    def text(self, tool: str, /, **arguments: Any) -> str:
        return self._call_tool(tool, arguments)["text"]

    def look(self, tool: str, /, **arguments: Any) -> tuple[str, bytes]:
        reply = self._call_tool(tool, arguments)
        image_block = next(block for block in reply["content"] if block["type"] == "image")
        return reply["text"], base64.b64decode(image_block["data"])

    def _call_tool(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        reply = self.post("call", {"name": tool, "arguments": arguments}).json()
        if reply["is_error"]:
            raise ToolFailed(reply["text"])
        return reply


@dataclass(frozen=True)
class Gateway:
    """A running gateway."""

    http: httpx2.Client
    runs: Path

    def open(self, seed: int = 0, task: str = TASK) -> Opened:
        answer = self.http.post("/episodes", json={"task": task, "seed": seed}, headers=make_bearer_header(OPERATOR))
        assert answer.status_code == 201, answer.text
        return self.make_opened(answer.json())

    def fork(self, episode: Opened, at_call: int | None = None) -> Opened:
        answer = episode.post("fork", {} if at_call is None else {"at_call": at_call})
        assert answer.status_code == 201, answer.text
        return self.make_opened(answer.json())

    def grade(self, episode: Opened, answer: str = "") -> httpx2.Response:
        return episode.post("grade", {"answer": answer}, OPERATOR)

    def make_opened(self, introduction: Mapping[str, Any]) -> Opened:
        episode_id, token, mcp_url, prompt = (introduction[key] for key in ("episode_id", "token", "mcp_url", "prompt"))
        return Opened(self.http, episode_id, token, mcp_url, prompt, introduction)


def make_bearer_header(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


@contextlib.contextmanager
def run_app(app: ASGIApp) -> Iterator[str]:
    """Serve `app` on a free port in a thread: its address. Requests wait in the backlog until it has started."""
    with open_listener("127.0.0.1", 0) as listener:
        config = uvicorn.Config(app, log_level="critical", access_log=False, ws="none", lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="gateway")
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextlib.contextmanager
def running_gateway(runs: Path, settings: Settings | None = None) -> Iterator[Gateway]:
    with run_app(create_app(runs, OPERATOR, settings)) as url, httpx2.Client(base_url=url, timeout=240) as http:
        yield Gateway(http, runs)
