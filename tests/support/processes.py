"""The command line as a process of its own."""

import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx2

Listening = AbstractContextManager[tuple[str, "subprocess.Popen[str]"]]

KEY_CALLS = range(217, 220) if os.uname().machine == "aarch64" else range(248, 251)
"""The numbers of add_key, request_key and keyctl."""
COMMAND = [sys.executable, "-P", "-m", "yardkit"]

_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def make_request(number: int, method: str, **params: object) -> str:
    """One line of JSON-RPC in the stateless revision of the protocol."""
    body = {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": _META}}
    return json.dumps(body) + "\n"


def exchange_messages(command: list[str], message: str, cwd: Path, answers: int = 1) -> tuple[int, str, str]:
    """Start `command`, send a message, read so many answers, close stdin: (exit code, all of stdout, stderr)."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=cwd, **pipes) as process:
        process.stdin.write(message)
        process.stdin.flush()
        answer = "".join(process.stdout.readline() for _ in range(answers))
        rest, errors = process.communicate(timeout=240)
        return process.returncode, answer + rest, errors


@contextmanager
def start_listening(*arguments: str, cwd: Path, **environment: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A command that listens on a free port, as (the address that it prints, process); it is ended afterwards."""
    process = subprocess.Popen(
        [*COMMAND, *arguments, "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
    )
    assert process.stderr is not None
    assert process.stdout is not None
    with process, process.stderr, process.stdout:
        try:
            line = process.stderr.readline()
            match = re.search(r"http://[^\s,]+", line)
            assert match, line
            yield match[0], process
        finally:
            process.terminate()
            process.wait(240)


def serve_http(*arguments: str, cwd: Path, **environment: str) -> Listening:
    """``yardkit serve ... --http``."""
    return start_listening("serve", *arguments, "--http", cwd=cwd, **environment)


@contextmanager
def open_episode(task: str, cwd: Path) -> Iterator[tuple[str, str]]:
    """An episode of `task`, open at a gateway of its own: (MCP address, token)."""
    operator = secrets.token_urlsafe(24)
    with start_listening("gateway", "--runs", "runs", cwd=cwd, YARDKIT_OPERATOR_TOKEN=operator) as (url, _):
        answer = httpx2.post(
            f"{url}/episodes",
            json={"task": task, "seed": 1},
            headers={"Authorization": f"Bearer {operator}"},
            timeout=240,
        )
        assert answer.is_success, answer.text
        yield answer.json()["mcp_url"], answer.json()["token"]


def list_alive(pids: list[int]) -> list[int]:
    """Those of the processes that still run; a zombie does not."""
    live_pids = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and pid != os.getpid():
            live_pids.append(pid)
    return live_pids


def wait_until(condition: Callable[[], object], seconds: float = 240) -> None:
    """Wait for what another process does; the seconds only end a test that would hang."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        threading.Event().wait(0.02)
