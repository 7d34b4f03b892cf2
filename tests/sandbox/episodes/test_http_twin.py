import os
from pathlib import Path

import httpx2
import pytest
from fastmcp import Client
from support.commands import Run
from support.gateways import TASK, make_bearer_header
from support.processes import COMMAND, exchange_messages, make_request, start_listening

from yardkit.sandbox.episodes.episode import open_new, reopen_episode
from yardkit.sandbox.episodes.opening import opened_per_call

SECRET = "a-token-of-the-operator"


async def test_all_clients_of_the_address_work_on_one_episode_until_it_is_graded(yardkit: Run, tmp_path: Path) -> None:
    arguments = ("mcp", "--task", TASK, "--seed", "4", "--http", "--server", "files")
    with start_listening(*arguments, cwd=tmp_path, YARDKIT_TOKEN=SECRET) as (url, process):
        assert httpx2.get(url.replace("/mcp", "/health"), timeout=240).json() == {"status": "ok"}
        assert httpx2.post(url, timeout=240, json={}).status_code == 401
        assert httpx2.post(url, timeout=240, json={}, headers=make_bearer_header("another")).status_code == 401
        (directory,) = (tmp_path / "runs").glob("e*")
        assert process.stderr.readline().strip() == f"yardkit: grade with: yardkit grade {directory}"
        for mode in ("auto", "legacy"):
            async with Client(url, auth=SECRET, mode=mode) as client:
                listed = {tool.name for tool in await client.list_tools()}
                assert "read_file" in listed
                assert "evaluate_expression" not in listed
                await client.call_tool("write_file", {"path": f"{mode}.txt", "content": "x"})
        async with Client(url, auth=SECRET) as client:
            assert yardkit("grade", str(directory), "--answer", "done").returncode == 1
            late = await client.call_tool("write_file", {"path": "late.txt", "content": "x"}, raise_on_error=False)
    assert late.is_error
    assert "the episode is over" in late.content[0].text
    episode = reopen_episode(directory)
    assert [call.arguments["path"] for call in episode.ledger.calls] == ["auto.txt", "legacy.txt"]
    assert not (episode.world.files / "late.txt").exists()


def test_without_a_token_of_the_operator_the_episodes_own_is_needed_and_printed(tmp_path: Path) -> None:
    with start_listening("mcp", "--task", TASK, "--http", cwd=tmp_path, YARDKIT_TOKEN="") as (url, process):
        printed_lines = [process.stderr.readline() for _ in range(2)]
        token = printed_lines[1].removeprefix("yardkit: token: ").strip()
        assert len(token) >= 32
        assert httpx2.post(url, timeout=240, json={}).status_code == 401
        assert httpx2.post(url, timeout=240, json={}, headers=make_bearer_header(token)).status_code != 401


def test_a_client_that_starts_a_process_per_call_is_told(tmp_path: Path) -> None:
    episode = open_new(TASK, 4, tmp_path / "runs")
    command = [*COMMAND, "mcp", "--task", TASK, "--seed", "4"]
    assert opened_per_call(TASK, 4, tmp_path / "runs") == ""
    episode.ledger.path.write_text("{}\n")
    _, *responses = exchange_messages(command, make_request(1, "server/discover"), tmp_path)
    for words in responses:
        assert f"though {episode.id} had a call just before; its changes are not visible here" in words
        assert "`yardkit mcp --episode DIR`" in words
    assert opened_per_call(TASK, 5, tmp_path / "runs") == ""
    os.utime(episode.ledger.path, (0, 0))
    assert opened_per_call("sort_inbox", 4, tmp_path / "runs") == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mcp", "--task", TASK, "--port", "1"], "--port needs --http"),
        (["mcp", "--task", TASK, "--http", "--port", "99999"], "port 99999"),
    ],
)
def test_misuse_is_told(yardkit: Run, arguments: list[str], says: str) -> None:
    done = yardkit(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
