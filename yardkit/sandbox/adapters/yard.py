"""The gateway that an adapter uses: the one named in the environment, or one started in this process."""

import atexit
import os
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx2

from yardkit.world import Problem

URL = "YARDKIT_GATEWAY"
TOKEN = "YARDKIT_OPERATOR_TOKEN"  # noqa: S105 - the name of a variable
RUNS = "YARDKIT_RUNS"
_WAIT_S = 600


@dataclass(frozen=True)
class Opened:
    """An open episode, with the data that its agent needs."""

    id: str
    token: str
    mcp_url: str
    prompt: str

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers that a client sends with each request."""
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True)
class Yard:
    """A gateway and its operator's token. Calls block."""

    url: str
    token: str

    def list_instances(self, tasks: str | Sequence[str], seeds: int | Sequence[int]) -> list[dict[str, Any]]:
        """List the instances without opening them: ``task``, ``seed``, ``prompt``, ``servers``.

        Args:
            tasks: suites and tasks, comma-separated or in a list.
            seeds: the number of seeds, counted from 0, or a list of seeds.
        """
        from yardkit.sandbox.tasks.suites import find_tasks

        names = tasks.split(",") if isinstance(tasks, str) else list(tasks)
        numbers = range(seeds) if isinstance(seeds, int) else seeds
        return [self._get_json(f"/tasks/{task.id}?seed={seed}") for task in find_tasks(names) for seed in numbers]

    def open(self, task: str, seed: int) -> Opened:
        """Open an episode."""
        return _make_opened(self._post_json("/episodes", {"task": task, "seed": seed}))

    def fork(self, episode: str) -> Opened:
        """Open a new episode that continues from the current state of `episode`."""
        return _make_opened(self._post_json(f"/e/{episode}/fork", {}))

    def grade(self, episode: str, answer: str) -> dict[str, Any]:
        """End an episode and grade it: ``reward``, ``passed``, ``valid`` and the checkpoints."""
        return self._post_json(f"/e/{episode}/grade", {"answer": answer})

    def delete(self, episode: str) -> None:
        """Delete an episode with its files."""
        self._send_request("DELETE", f"/e/{episode}")

    def _get_json(self, path: str) -> dict[str, Any]:
        return dict(self._send_request("GET", path).json())

    def _post_json(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return dict(self._send_request("POST", path, body).json())

    def _send_request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx2.Response:
        bearer = {"Authorization": f"Bearer {self.token}"}
        answer = httpx2.request(method, self.url + path, json=body, headers=bearer, timeout=_WAIT_S)
        if not answer.is_success:
            raise Problem(f"the gateway at {self.url} refused {method} {path}: {answer.text[:500]}")
        return answer


def _make_opened(instance: Mapping[str, Any]) -> Opened:
    return Opened(instance["episode_id"], instance["token"], instance["mcp_url"], instance["prompt"])


@cache
def get_yard() -> Yard:
    """Return the gateway at `URL`, with the operator's token in `TOKEN`; without `URL`, start one in this process.

    Its episodes are stored below the folder named by `RUNS`, ``runs`` by default. The variables are set for processes
    that this one starts.
    """
    if URL in os.environ:
        if TOKEN not in os.environ:
            raise Problem(f"{URL} is set and {TOKEN} is not; set it to the operator's token of that gateway")
        return Yard(os.environ[URL].rstrip("/"), os.environ[TOKEN])
    token = secrets.token_urlsafe(24)
    started = Yard(_start_gateway(Path(os.environ.get(RUNS, "runs")), token), token)
    os.environ[URL], os.environ[TOKEN] = started.url, started.token
    return started


def _start_gateway(runs: Path, token: str) -> str:
    """Serve a gateway on a free port of the loopback interface until this process ends; return its address."""
    import uvicorn

    from yardkit.sandbox.gateway import create_app
    from yardkit.sandbox.serving.addresses import open_listener

    with open_listener("127.0.0.1", 0) as listener:
        config = uvicorn.Config(create_app(runs, token), log_level="error", access_log=False, ws="none", lifespan="on")
        server = uvicorn.Server(config)
        own = listener.dup()  # the listener is closed with its block; the server needs a socket that stays open

    def stop() -> None:
        server.should_exit = True

    atexit.register(stop)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [own]}, name="yardkit-gateway", daemon=True)
    thread.start()
    return f"http://127.0.0.1:{own.getsockname()[1]}"
