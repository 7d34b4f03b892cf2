import json
import os
import re
import select
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from support.gateways import TASK, make_bearer_header
from support.processes import COMMAND, wait_until

from yardkit.sandbox.episodes.ids import Share
from yardkit.sandbox.serving.addresses import open_listener


@contextmanager
def _start_gateway(
    runs: Path, *arguments: str, **environment: str
) -> Iterator[tuple["subprocess.Popen[str]", str, str]]:
    """A gateway process with what it says on stderr: (process, address, operator's token or nothing)."""
    command = [*COMMAND, "gateway", "--port", "0", "--runs", str(runs), *arguments]
    settings = {name: value for name, value in os.environ.items() if name != "YARDKIT_OPERATOR_TOKEN"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**settings, **environment}
    ) as process:
        try:
            stderr_text = ""
            while "gateway at" not in stderr_text:
                line = process.stderr.readline()
                assert line, stderr_text
                stderr_text += line
            token = re.search(r"operator token: (\S+)", stderr_text)
            yield process, re.search(r"http://[^,\s]+", stderr_text)[0], token[1] if token else ""
        finally:
            process.kill()


def test_a_token_is_made_and_printed_once_where_none_is_given(tmp_path: Path) -> None:
    with _start_gateway(tmp_path) as (process, address, token):
        assert len(token) >= 32
        assert httpx2.get(f"{address}/episodes", headers=make_bearer_header(token), timeout=240).json() == {
            "episodes": []
        }
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=240)
    assert token not in out + errors


@pytest.mark.drill
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_at_once_and_quietly_with_episodes_open_and_a_client_connected(
    tmp_path: Path, sent: signal.Signals
) -> None:
    secret = "a-secret-of-the-operator"
    with _start_gateway(tmp_path, YARDKIT_OPERATOR_TOKEN=secret) as (process, address, token):
        assert token == ""
        with httpx2.Client(base_url=address, headers=make_bearer_header(secret), timeout=240) as http:
            opened = http.post("/episodes", json={"task": TASK}).json()
            process.send_signal(sent)
            out, errors = process.communicate(timeout=240)
    assert process.returncode in (-sent, 128 + sent)
    assert (out, errors.replace("^C", "").strip()) == ("", "")
    with _start_gateway(tmp_path, YARDKIT_OPERATOR_TOKEN=secret) as (_, address, _again):
        grade = httpx2.post(
            f"{address}/e/{opened['episode_id']}/grade",
            json={"answer": ""},
            headers=make_bearer_header(secret),
            timeout=60,
        )
    assert grade.json()["valid"] is True


@pytest.mark.drill
def test_a_killed_gateway_loses_no_call_that_was_answered(tmp_path: Path) -> None:
    secret = "a-secret-of-the-operator"
    with _start_gateway(tmp_path, "--operator-token", secret) as (process, address, _):
        with httpx2.Client(base_url=address, timeout=240) as http:
            opened = http.post("/episodes", json={"task": TASK}, headers=make_bearer_header(secret)).json()
            where = f"/e/{opened['episode_id']}/call"
            for number in range(3):
                body = {"name": "write_file", "arguments": {"path": f"{number}.txt", "content": "x"}}
                assert http.post(where, json=body, headers=make_bearer_header(opened["token"])).status_code == 200
        process.kill()
    lines = (tmp_path / opened["episode_id"] / "ledger.jsonl").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1, 2, 3]


def test_answers_do_not_wait_for_the_clients_acknowledgement() -> None:
    with open_listener("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def _list_workers(process: int) -> list[int]:
    """The workers among the children: a shell that waits to remove the temporary folder is none."""
    children = [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return [child for child in children if b"workers" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.parametrize("of", [1, 2, 3, 64])
def test_an_episodes_id_says_whose_it_is(of: int) -> None:
    for number in range(of):
        ids = {Share(number, of).new_id() for _ in range(20)}
        assert len(ids) == 20
        assert all(re.fullmatch("e[0-9a-f]{16}", episode_id) for episode_id in ids)
        assert [share for share in range(of) if all(Share(share, of).contains(episode_id) for episode_id in ids)] == [
            number
        ]


@pytest.mark.drill
def test_workers_share_the_episodes_one_that_dies_is_started_again_and_all_end_together(tmp_path: Path) -> None:
    secret = "a-secret-of-the-operator"
    with _start_gateway(tmp_path, "--operator-token", secret, "--workers", "2") as (process, address, _):
        with httpx2.Client(base_url=address, headers=make_bearer_header(secret), timeout=240) as http:

            def saved(episode: dict[str, str], name: str) -> httpx2.Response:
                body = {"name": "write_file", "arguments": {"path": name, "content": "x"}}
                return http.post(f"/e/{episode['episode_id']}/call", json=body)

            opened = [http.post("/episodes", json={"task": TASK, "seed": seed}).json() for seed in range(2)]
            own = {episode["mcp_url"].partition("/e/")[0] for episode in opened}
            assert len(own) == 2
            assert address not in own
            assert [saved(episode, "a.txt").status_code for episode in opened] == [200, 200]
            for base in own:
                direct = [
                    httpx2.get(f"{base}/e/{e['episode_id']}/tools", headers=make_bearer_header(secret), timeout=240)
                    for e in opened
                ]
                assert sorted(answer.status_code for answer in direct) == [200, 421]
            fork = http.post(f"/e/{opened[0]['episode_id']}/fork", json={"at_call": 0}).json()
            assert fork["mcp_url"].partition("/e/")[0] == opened[0]["mcp_url"].partition("/e/")[0]
            before = _list_workers(process.pid)
            dying = os.pidfd_open(before[0])
            os.kill(before[0], signal.SIGKILL)
            select.select([dying], [], [], 60)
            assert [saved(episode, "b.txt").status_code for episode in opened] == [200, 200]
            traces = [http.get(f"/e/{episode['episode_id']}/trace").text.splitlines() for episode in opened]
            assert [len(trace) for trace in traces] == [2, 2]
            workers = {*before[1:], *_list_workers(process.pid)}
            assert len(http.get("/episodes").json()["episodes"]) == 3
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=240)
    assert "worker 0 ended (-9); it is started again" in errors
    assert [worker for worker in workers if Path(f"/proc/{worker}").exists()] == []


@pytest.mark.drill
def test_workers_do_not_outlive_a_gateway_that_is_killed(tmp_path: Path) -> None:
    with _start_gateway(tmp_path, "--workers", "2") as (process, address, _):
        httpx2.get(f"{address}/health", timeout=240)
        workers = [os.pidfd_open(worker) for worker in _list_workers(process.pid)]
        process.kill()
        ended, _, _ = select.select(workers, [], [], 60)
        while len(ended) < 2:
            ended, _, _ = select.select(workers, [], [], 60)
    assert len(workers) == 2


@pytest.mark.drill
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_a_gateway_that_is_stopped_while_a_program_runs_leaves_nothing_behind(
    tmp_path: Path, sent: signal.Signals
) -> None:
    usual, secret = tmp_path / "tmp", "a-secret-of-the-operator"
    usual.mkdir()
    with (
        _start_gateway(tmp_path / "runs", YARDKIT_OPERATOR_TOKEN=secret, TMPDIR=str(usual)) as (process, address, _),
        httpx2.Client(base_url=address, headers=make_bearer_header(secret), timeout=240) as http,
        ThreadPoolExecutor(1) as threads,
    ):
        opened = http.post("/episodes", json={"task": "quickstart/film_evening"}).json()
        body = {"name": "run_solver_code", "arguments": {"code": "while True: pass"}}
        threads.submit(http.post, f"/e/{opened['episode_id']}/call", json=body)
        wait_until(lambda: list(usual.rglob("yardkit-run-*")))
        process.send_signal(sent)
        process.wait(240)
    wait_until(lambda: list(usual.iterdir()) == [])
