"""The worker and those who leave it: clients that go, a worker that is killed, one that wants a key."""

import http.client
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from support.model_workers import serve_models

from yardkit.models.service import find_service
from yardkit.world import Unavailable

LONG = json.dumps({"model": "stable_diffusion", "prompt": "x", "size": "64x64", "num_inference_steps": 200, "n": 8})


def holds_eventually(holds: Callable[[], bool]) -> bool:
    """Whether it holds within ten seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


def test_the_device_is_free_again_when_a_client_has_gone(worker: str) -> None:
    with httpx2.Client(base_url=worker, timeout=30) as client:
        client.post("/v1/images/generations", json={"prompt": "x", "size": "16x16", "num_inference_steps": 1})
        gone = http.client.HTTPConnection(urlsplit(worker).netloc)
        gone.request("POST", "/v1/images/generations", LONG, {"Content-Type": "application/json"})
        gone.sock.close()
        figure = 'route="/v1/images/generations",status="499"} 1.0'
        assert holds_eventually(lambda: figure in client.get("/metrics").text)
        started = time.monotonic()
        assert client.post("/v1/audio/speech", json={"input": "hello"}).status_code == 200
        assert time.monotonic() - started < 10


def test_a_worker_that_is_killed_is_told_in_words(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_models(shelf, tmp_path / "log") as (url, process):
        monkeypatch.setenv("YARDKIT_WORKER_URL", f"{url}/v1")
        service = find_service("voice")
        assert service is not None
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        with pytest.raises(Unavailable, match="cannot be reached"):
            service.fetch("/audio/speech", {"input": "hello"})


def test_a_worker_with_a_key_answers_only_those_who_have_it(shelf: Path, tmp_path: Path) -> None:
    settings = {"YARDKIT_WORKER_KEY": "a-long-secret"}
    with serve_models(shelf, tmp_path / "log", settings=settings) as (url, _), httpx2.Client(base_url=url) as client:
        assert client.get("/v1/models").status_code == 401
        assert client.get("/v1/models", headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert client.get("/v1/models", headers={"Authorization": "Bearer a-long-secret"}).status_code == 200
