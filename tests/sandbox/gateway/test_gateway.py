import itertools
import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from fastmcp import Client
from support.gateways import OPERATOR, TASK, Gateway, Opened, make_bearer_header, running_gateway

from yardkit.evaluators.submission import build_manifest
from yardkit.sandbox.episodes.episode import open_episode
from yardkit.sandbox.gateway import Settings
from yardkit.sandbox.serving.registry import server_names
from yardkit.sandbox.tasks.suites import find_task
from yardkit.sandbox.tasks.suites import list_suites as all_suites

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with running_gateway(tmp_path_factory.mktemp("runs")) as running:
        yield running


def _list_files(gateway: Gateway, episode: Opened) -> dict[str, str]:
    return build_manifest(gateway.runs / episode.id / "world" / "files")


def test_an_episode_is_opened_worked_on_and_graded_over_http(gateway: Gateway) -> None:
    episode = gateway.open(seed=3)
    answer = find_task(TASK).proof().solve(episode)
    grade = gateway.grade(episode, answer).json()
    assert grade["passed"] is True
    assert grade["reward"] == 1.0
    assert grade["root_score"] == 10.0


def test_the_introduction_says_all_that_a_runner_needs(gateway: Gateway) -> None:
    introduction = gateway.open(seed=1).introduction
    assert set(introduction) == {"episode_id", "token", "mcp_url", "prompt", "tools_sha256", "now"}
    assert introduction["mcp_url"] == f"{gateway.http.base_url}/e/{introduction['episode_id']}/mcp"
    assert "inbox" in introduction["prompt"]
    assert introduction["now"] == "2026-03-16T09:00:00+00:00"
    assert introduction["tools_sha256"] == gateway.open(seed=2).introduction["tools_sha256"]


async def test_an_episode_in_a_dialect_speaks_it_and_others_do_not(gateway: Gateway) -> None:
    episode, native_episode = gateway.open(task="gta/menu_bill"), gateway.open()
    async with Client(episode.mcp_url, auth=episode.token) as client:
        assert {tool.name for tool in await client.list_tools()} == set(find_task("gta/menu_bill").tools)
        answer = await client.call_tool("Calculator", {"expression": "6 * 7"})
        assert answer.content[0].text.strip() == "42"
    assert "Calculator" not in {tool["name"] for tool in native_episode.get("tools").json()["tools"]}


def test_extra_servers_are_offered_where_they_are_asked_for(gateway: Gateway) -> None:
    body = {"task": TASK, "extra_servers": 4}
    answer = gateway.http.post("/episodes", json=body, headers=make_bearer_header(OPERATOR))
    episode, bare_episode = gateway.make_opened(answer.json()), gateway.open()
    offered, usual = (
        {tool["name"] for tool in opened.get("tools").json()["tools"]} for opened in (episode, bare_episode)
    )
    assert usual < offered
    assert episode.introduction["tools_sha256"] != bare_episode.introduction["tools_sha256"]
    refused = gateway.http.post("/episodes", json={**body, "extra_servers": 99}, headers=make_bearer_header(OPERATOR))
    assert (refused.status_code, "not 99" in refused.json()["error"]) == (400, True)


def test_the_same_seed_gives_the_same_world_and_another_seed_another(gateway: Gateway) -> None:
    hashes = [gateway.open(seed).get("state_hash").json()["state_hash"] for seed in (5, 5, 6)]
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


@ERAS
async def test_a_client_of_either_era_works_on_its_episode(gateway: Gateway, mode: str) -> None:
    episode = await anyio.to_thread.run_sync(gateway.open)
    async with Client(episode.mcp_url, auth=episode.token, mode=mode) as client:
        listed = {tool.name for tool in await client.list_tools()}
        written = await client.call_tool("write_file", {"path": "notes/hello.txt", "content": "hi"})
        failed = await client.call_tool("read_file", {"path": "no-such"}, raise_on_error=False)
    assert {"read_file", "evaluate_expression"} <= listed
    assert "recognize_text" not in listed
    assert not written.is_error
    assert failed.is_error
    assert "notes/hello.txt" in _list_files(gateway, episode)
    calls = [json.loads(line) for line in episode.get("trace").text.split("\n") if line]
    assert [(call["tool"], bool(call["error"])) for call in calls] == [("write_file", False), ("read_file", True)]
    assert calls[0]["state_before"] != calls[0]["state_after"] == calls[1]["state_before"] == calls[1]["state_after"]


@ERAS
async def test_an_address_per_server_shows_that_server_only(gateway: Gateway, mode: str) -> None:
    episode = await anyio.to_thread.run_sync(gateway.open)
    async with Client(f"{episode.mcp_url}/calculator", auth=episode.token, mode=mode) as client:
        listed = {tool.name for tool in await client.list_tools()}
        worked = await client.call_tool("evaluate_expression", {"expression": "2 + 2"})
        refused = await client.call_tool("read_file", {"path": "x"}, raise_on_error=False)
    assert "evaluate_expression" in listed
    assert "read_file" not in listed
    assert "4" in worked.content[0].text
    assert refused.is_error
    assert "read_file" in refused.content[0].text


@ERAS
async def test_parallel_clients_of_different_episodes_do_not_mix(gateway: Gateway, mode: str) -> None:
    episodes = await anyio.to_thread.run_sync(lambda: [gateway.open(seed) for seed in range(8)])

    async def work(episode: Opened, number: int) -> None:
        async with Client(episode.mcp_url, auth=episode.token, mode=mode) as client:
            for step in range(5):
                await client.call_tool("write_file", {"path": f"mine_{number}_{step}.txt", "content": str(number)})

    async with anyio.create_task_group() as group:
        for number, episode in enumerate(episodes):
            group.start_soon(work, episode, number)
    for number, episode in enumerate(episodes):
        own = {path for path in _list_files(gateway, episode) if path.startswith("mine_")}
        assert own == {f"mine_{number}_{step}.txt" for step in range(5)}


def test_parallel_calls_on_one_episode_are_taken_in_turn(gateway: Gateway) -> None:
    episode = gateway.open()
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: episode.call("append_file", path="log.txt", content=f"line {n}\n"), range(36)))
    calls = [json.loads(line) for line in episode.get("trace").text.split("\n") if line]
    assert [call["number"] for call in calls] == list(range(1, 37))
    for earlier, later in itertools.pairwise(calls):
        assert earlier["state_after"] == later["state_before"]
    lines = (gateway.runs / episode.id / "world/files/log.txt").read_text().splitlines()
    assert sorted(lines) == sorted(f"line {n}" for n in range(36))


def test_a_call_answers_in_content_structure_and_text(gateway: Gateway) -> None:
    episode = gateway.open()
    good = episode.post("call", {"name": "evaluate_expression", "arguments": {"expression": "6*7"}}).json()
    assert set(good) == {"content", "structured_content", "is_error", "text"}
    assert not good["is_error"]
    assert good["content"][0]["text"] == good["text"]
    assert "42" in json.dumps(good["structured_content"])
    wrong = episode.post("call", {"name": "evaluate_expression", "arguments": {"expresion": "6*7"}}).json()
    assert wrong["is_error"]
    assert "expresion" in wrong["text"]
    unknown = episode.post("call", {"name": "no_such_tool"}).json()
    assert unknown["is_error"]
    assert "no_such_tool" in unknown["text"]


def test_tools_come_in_the_shape_of_each_model_api(gateway: Gateway) -> None:
    episode = gateway.open()

    def tools(form: str) -> list[dict[str, Any]]:
        return episode.get(f"tools?format={form}").json()["tools"]

    mcp = {tool["name"]: tool for tool in tools("mcp")}
    openai = {tool["function"]["name"]: tool["function"] for tool in tools("openai")}
    anthropic = {tool["name"]: tool for tool in tools("anthropic")}
    gemini = {tool["name"]: tool for tool in tools("gemini")[0]["functionDeclarations"]}
    assert mcp.keys() == openai.keys() == anthropic.keys() == gemini.keys()
    for name, tool in mcp.items():
        assert tool["inputSchema"]["type"] == "object"
        assert openai[name]["parameters"] == tool["inputSchema"] == anthropic[name]["input_schema"]
        assert gemini[name]["parametersJsonSchema"] == tool["inputSchema"]
        assert openai[name]["description"] == tool["description"]
    refused = episode.get("tools?format=telepathy")
    assert refused.status_code == 400
    assert "openai" in refused.json()["error"]


def test_a_fork_at_any_call_stands_where_the_episode_stood(gateway: Gateway) -> None:
    episode = gateway.open(seed=9)
    stood = [_list_files(gateway, episode)]
    for path, text in (("a.txt", "1"), ("b/c.txt", "2"), ("a.txt", "3")):
        episode.call("write_file", path=path, content=text)
        stood.append(_list_files(gateway, episode))
    episode.call("delete_path", path="inbox", recursive=True)
    stood.append(_list_files(gateway, episode))
    for at_call, files in enumerate(stood):
        fork = gateway.fork(episode, at_call)
        assert _list_files(gateway, fork) == files, f"fork at call {at_call}"
        assert len(fork.get("trace").text.splitlines()) == at_call
        assert fork.token != episode.token


def test_a_fork_and_its_episode_go_on_apart(gateway: Gateway) -> None:
    episode = gateway.open()
    fork = gateway.fork(episode)
    fork.call("write_file", path="fork.txt", content="x")
    episode.call("write_file", path="episode.txt", content="x")
    assert "fork.txt" not in _list_files(gateway, episode)
    assert "episode.txt" not in _list_files(gateway, fork)
    assert gateway.grade(episode).status_code == 200
    fork.call("write_file", path="more.txt", content="x")


def test_a_fork_at_a_call_that_never_was_is_refused(gateway: Gateway) -> None:
    refused = gateway.open().post("fork", {"at_call": 7})
    assert refused.status_code == 400
    assert "there is no call 7" in refused.json()["error"]


def test_grading_ends_the_episode_for_its_agent_and_keeps_the_trace_for_the_operator(gateway: Gateway) -> None:
    episode = gateway.open()
    episode.call("write_file", path="a.txt", content="1")
    assert gateway.grade(episode, "done").json()["passed"] is False
    for path in ("tools", "state_hash", "trace", "mcp", "mcp/files"):
        assert episode.get(path).status_code == 410, path
    for path in ("call", "fork", "mcp"):
        answer = episode.post(path, {"name": "list_folder"} if path == "call" else None)
        assert answer.status_code == 410, path
        assert "over" in answer.json()["error"]
    assert "write_file" in episode.get("trace", OPERATOR).text
    atif = episode.get("trace?format=atif", OPERATOR).json()
    assert atif["steps"][-1]["message"] == "done"


def test_the_token_of_a_graded_episode_is_answered_from_the_record_alone(gateway: Gateway) -> None:
    episode = gateway.open()
    gateway.grade(episode)
    shutil.rmtree(gateway.runs / episode.id / "world")
    (gateway.runs / episode.id / "ledger.jsonl").unlink(missing_ok=True)
    assert [episode.get(path).status_code for path in ("tools", "state_hash", "trace")] == [410] * 3
    assert episode.post("call", {"name": "list_folder"}).status_code == 410


def test_grading_twice_gives_the_same_grade(gateway: Gateway) -> None:
    episode = gateway.open()
    assert gateway.grade(episode, "x").json() == gateway.grade(episode, "x").json()


def test_a_deleted_episode_is_gone(gateway: Gateway) -> None:
    episode = gateway.open()
    assert gateway.http.delete(f"/e/{episode.id}", headers=make_bearer_header(OPERATOR)).status_code == 204
    assert not (gateway.runs / episode.id).exists()
    assert episode.get("tools").status_code == 401
    assert gateway.http.delete(f"/e/{episode.id}", headers=make_bearer_header(OPERATOR)).status_code == 404


def test_episodes_and_tasks_are_listed(gateway: Gateway) -> None:
    episode = gateway.open(seed=11)
    listed = gateway.http.get("/episodes", headers=make_bearer_header(OPERATOR)).json()["episodes"]
    mine = next(row for row in listed if row["episode_id"] == episode.id)
    assert (mine["task"], mine["seed"], mine["state"]) == (TASK, 11, "open")
    assert episode.token not in json.dumps(listed)
    tasks = gateway.http.get("/tasks").json()["tasks"]
    assert [task["id"] for task in tasks] == [task for suite in all_suites().values() for task in suite]
    assert all(set(task["servers"]) <= set(server_names()) for task in tasks if task["id"] == TASK)
    assert gateway.http.get("/health").json()["status"] == "ok"


def test_episodes_of_an_earlier_gateway_go_on(tmp_path: Path) -> None:
    with running_gateway(tmp_path) as earlier:
        episode = earlier.open(seed=4)
        episode.call("write_file", path="kept.txt", content="x")
        over = earlier.open()
        earlier.grade(over)
    with running_gateway(tmp_path) as later:
        again = later.make_opened({**episode.introduction})
        assert "kept.txt" in again.text("list_folder", path=".")
        again.call("write_file", path="new.txt", content="x")
        assert [json.loads(line)["number"] for line in again.get("trace").text.splitlines()] == [1, 2, 3]
        assert later.make_opened({**over.introduction}).get("tools").status_code == 410
        assert later.grade(again).json()["valid"] is True


def test_the_number_of_open_episodes_is_limited(tmp_path: Path) -> None:
    with running_gateway(tmp_path, Settings(max_open=2)) as gateway:
        first = gateway.open()
        gateway.open()
        refused = gateway.http.post("/episodes", json={"task": TASK}, headers=make_bearer_header(OPERATOR))
        assert refused.status_code == 503
        assert "2 episodes are open" in refused.json()["error"]
        assert first.post("fork").status_code == 503
        gateway.grade(first)
        gateway.open()


def test_a_gateway_behind_a_proxy_gives_its_public_address(tmp_path: Path) -> None:
    with running_gateway(tmp_path, Settings(public_url="https://yard.example/")) as gateway:
        episode = gateway.open()
    assert episode.mcp_url == f"https://yard.example/e/{episode.id}/mcp"


def test_the_python_twin_sees_the_same_tools_and_world(gateway: Gateway) -> None:
    remote = gateway.open(seed=2)
    with open_episode(TASK, 2) as local:
        assert local.state_hash() == remote.get("state_hash").json()["state_hash"]
        assert anyio.run(local.tools) == remote.get("tools").json()["tools"]
        assert local.prompt == remote.prompt
