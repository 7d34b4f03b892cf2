import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from support.gateways import TASK, bearer
from support.processes import COMMAND

from toolyard.sandbox.serving import listen


@contextmanager
def _started(runs: Path, *arguments: str, **environment: str) -> Iterator[tuple["subprocess.Popen[str]", str, str]]:
    """A gateway process with what it says on stderr: (process, address, operator's token or nothing)."""
    command = [*COMMAND, "gateway", "--port", "0", "--runs", str(runs), *arguments]
    settings = {name: value for name, value in os.environ.items() if name != "TOOLYARD_OPERATOR_TOKEN"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**settings, **environment}
    ) as process:
        try:
            said = ""
            while "gateway at" not in said:
                line = process.stderr.readline()
                assert line, said
                said += line
            token = re.search(r"operator token: (\S+)", said)
            yield process, re.search(r"http://[^,\s]+", said)[0], token[1] if token else ""
        finally:
            process.kill()


def test_a_token_is_made_and_printed_once_where_none_is_given(tmp_path: Path) -> None:
    with _started(tmp_path) as (process, address, token):
        assert len(token) >= 32
        assert httpx2.get(f"{address}/episodes", headers=bearer(token)).json() == {"episodes": []}
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=30)
    assert token not in out + errors


@pytest.mark.drill
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_at_once_and_quietly_with_episodes_open_and_a_client_connected(
    tmp_path: Path, sent: signal.Signals
) -> None:
    secret = "a-secret-of-the-operator"
    with _started(tmp_path, TOOLYARD_OPERATOR_TOKEN=secret) as (process, address, token):
        assert token == ""
        with httpx2.Client(base_url=address, headers=bearer(secret), timeout=60) as http:
            opened = http.post("/episodes", json={"task": TASK}).json()
            process.send_signal(sent)
            out, errors = process.communicate(timeout=30)
    assert process.returncode in (-sent, 128 + sent)
    assert (out, errors.replace("^C", "").strip()) == ("", "")
    with _started(tmp_path, TOOLYARD_OPERATOR_TOKEN=secret) as (_, address, _again):
        grade = httpx2.post(
            f"{address}/e/{opened['episode_id']}/grade", json={"answer": ""}, headers=bearer(secret), timeout=60
        )
    assert grade.json()["valid"] is True


@pytest.mark.drill
def test_a_killed_gateway_loses_no_call_that_was_answered(tmp_path: Path) -> None:
    secret = "a-secret-of-the-operator"
    with _started(tmp_path, "--operator-token", secret) as (process, address, _):
        with httpx2.Client(base_url=address, timeout=60) as http:
            opened = http.post("/episodes", json={"task": TASK}, headers=bearer(secret)).json()
            where = f"/e/{opened['episode_id']}/call"
            for number in range(3):
                body = {"name": "write_file", "arguments": {"path": f"{number}.txt", "content": "x"}}
                assert http.post(where, json=body, headers=bearer(opened["token"])).status_code == 200
        process.kill()
    lines = (tmp_path / opened["episode_id"] / "ledger.jsonl").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1, 2, 3]


def test_answers_do_not_wait_for_the_clients_acknowledgement() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
