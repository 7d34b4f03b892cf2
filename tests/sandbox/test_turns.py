import asyncio
import itertools
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import pytest
from anyio import to_thread
from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from support.gateways import TASK, Gateway, Opened, running_gateway

from toolyard.evaluators.submission import manifest
from toolyard.sandbox.episode import Episode, open_new, reopen
from toolyard.sandbox.ledger import Ledger
from toolyard.world import Problem, save_text

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def episode(tmp_path: Path) -> Episode:
    return open_new(TASK, 1, tmp_path / "runs")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with running_gateway(tmp_path_factory.mktemp("runs")) as running:
        yield running


async def test_a_cancelled_call_is_recorded_with_what_it_changed(episode: Episode) -> None:
    started, finish = threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        finish.wait(20)
        save_text(episode.world.files / "late.txt", "x")

    async def run() -> ToolResult:
        await to_thread.run_sync(work)
        await anyio.sleep(0)
        return ToolResult(content=[])

    async with anyio.create_task_group() as group:
        group.start_soon(episode.record, "files", "slow", {}, run)
        await to_thread.run_sync(started.wait)
        group.cancel_scope.cancel()
        finish.set()
    (call,) = episode.ledger.calls
    assert call.error
    assert not call.crashed
    assert call.state_after == episode.state_hash() != call.state_before
    assert not (await episode.acall("list_folder", {"path": "."})).is_error
    assert Ledger.open(episode.directory).calls == episode.ledger.calls


async def test_a_call_that_waits_when_grading_begins_is_refused(episode: Episode) -> None:
    async def never() -> ToolResult:
        raise AssertionError

    refused = asyncio.Event()

    async def late() -> None:
        with pytest.raises(ToolError, match="over"):
            await episode.record("files", "late", {}, never)
        refused.set()

    release = threading.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(episode.in_turn, lambda: release.wait(20))
        await asyncio.sleep(0)
        group.start_soon(late)
        await asyncio.sleep(0)
        episode.closed = True
        release.set()
    assert refused.is_set()
    assert episode.ledger.calls == []


async def test_the_event_loop_goes_on_while_an_episode_is_busy(episode: Episode) -> None:
    release, beats = threading.Event(), 0
    async with anyio.create_task_group() as group:
        group.start_soon(episode.in_turn, lambda: release.wait(20))
        while beats < 50:
            await asyncio.sleep(0)
            beats += 1
        release.set()


def test_calls_and_grading_from_many_threads_take_turns(episode: Episode) -> None:
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda n: episode.call("write_file", path=f"{n}.txt", content="x"), range(12)))
        grades = list(pool.map(lambda _: episode.grade("x"), range(3)))
    assert not any(reply.is_error for reply in replies)
    assert grades[0] == grades[1] == grades[2]
    assert [call.number for call in episode.ledger.calls] == list(range(1, 13))


def test_a_half_written_line_is_dropped_and_the_ledger_goes_on(episode: Episode) -> None:
    episode.call("write_file", path="a.txt", content="1")
    with episode.ledger.path.open("ab") as handle:
        handle.write(b'{"number": 2, "time": "20')
    again = reopen(episode.directory)
    assert [call.number for call in again.ledger.calls] == [1]
    again.call("write_file", path="b.txt", content="2")
    assert [call.number for call in reopen(episode.directory).ledger.calls] == [1, 2]
    assert again.grade().valid


def test_a_reopened_episode_is_what_it_was(episode: Episode) -> None:
    episode.call("write_file", path="a.txt", content="1")
    again = reopen(episode.directory)
    assert again.state_hash() == episode.state_hash()
    assert (again.prompt, again.token, again.opened) == (episode.prompt, episode.token, episode.opened)
    assert (again.exposed, again.closed) == (False, False)
    assert episode.workspace.is_dir()
    assert reopen(episode.directory).exposed
    assert episode.fork(at_call=0).world.files.joinpath("a.txt").exists() is False


def test_an_edit_in_place_of_an_exposed_workspace_does_not_reach_a_fork(episode: Episode) -> None:
    (episode.workspace / "mine.txt").write_text("before")
    episode.call("write_file", path="other.txt", content="x")
    fork = episode.fork()
    with (episode.workspace / "mine.txt").open("r+") as handle:
        handle.write("after!")
    assert (fork.world.files / "mine.txt").read_text() == "before"
    (episode.workspace / "mine.txt").write_text("gone")
    at_call = episode.fork(at_call=1)
    assert (at_call.world.files / "mine.txt").read_text() == "before"


def test_a_freeze_that_was_interrupted_is_made_again(episode: Episode) -> None:
    unfinished = episode.directory / "final.unfinished"
    unfinished.mkdir()
    (unfinished / "half").write_text("x")
    assert episode.grade().valid
    assert manifest(episode.directory / "final" / "files") == manifest(episode.world.files)


def test_an_episode_that_cannot_be_made_leaves_nothing_behind(episode: Episode) -> None:
    runs = episode.directory.parent
    before = set(runs.iterdir())
    (episode.directory / "media").mkdir()
    (episode.directory / "media" / "gone.png").symlink_to("nowhere")
    with pytest.raises(Problem, match="cannot make the episode"):
        episode.fork()
    with pytest.raises(Problem, match="there is no call 5"):
        episode.fork(at_call=5)
    assert set(runs.iterdir()) == before


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
def test_clients_that_leave_in_the_middle_leave_the_ledger_whole(gateway: Gateway, version: str) -> None:
    episode = gateway.open()
    for number in range(12):
        _call_and_leave(gateway, episode, number, version)
    episode.call("write_file", path="last.txt", content="x")
    calls = [json.loads(line) for line in episode.get("trace").text.split("\n") if line]
    assert calls[-1]["arguments"]["path"] == "last.txt"
    for earlier, later in itertools.pairwise(calls):
        assert earlier["state_after"] == later["state_before"]
    changed = {call["arguments"]["path"] for call in calls if call["state_after"] != call["state_before"]}
    made = {path for path in manifest(gateway.runs / episode.id / "world/files") if path.startswith(("left_", "last"))}
    assert changed == made
    assert gateway.grade(episode).json()["valid"] is True


def _call_and_leave(gateway: Gateway, episode: Opened, number: int, version: str) -> None:
    params = {"name": "write_file", "arguments": {"path": f"left_{number}.txt", "content": "x"}, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()
    where = urlsplit(str(gateway.http.base_url))
    head = [
        f"POST /e/{episode.id}/mcp HTTP/1.1",
        f"Host: {where.netloc}",
        f"Authorization: Bearer {episode.token}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"MCP-Protocol-Version: {version}",
        "Mcp-Method: tools/call",
        "Mcp-Name: write_file",
        f"Content-Length: {len(body)}",
    ]
    with socket.create_connection((where.hostname, where.port), timeout=10) as connection:
        connection.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + body)
        if number % 3 == 0:
            connection.recv(1)
