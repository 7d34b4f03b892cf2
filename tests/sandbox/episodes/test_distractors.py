"""Servers that are offered besides those of the task."""

import asyncio
from importlib import import_module
from pathlib import Path

import pytest

import yardkit as package
from yardkit.sandbox.episodes.distractors import list_distractors, with_distractors
from yardkit.sandbox.episodes.episode import open_episode, reopen_episode
from yardkit.sandbox.serving.registry import load_server, server_names, tools_of
from yardkit.sandbox.tasks.suites import find_tasks, list_suites
from yardkit.sandbox.tasks.task import load_task
from yardkit.world import Problem

TASK = "quickstart/sort_inbox"
SERVERS = Path(package.__file__).parent / "servers"


def test_task_and_seed_say_which_servers_distract_and_more_contain_fewer() -> None:
    task = load_task(TASK)
    few, many = (with_distractors(task, 3, count).extra_servers for count in (2, 6))
    assert many[:2] == few
    assert set(many) <= set(list_distractors(task))
    assert with_distractors(task, 3, 6) == with_distractors(task, 3, 6)
    assert len({with_distractors(task, seed, 2).extra_servers for seed in range(20)}) > 5
    assert with_distractors(task, 3, 0) is task


def test_no_server_distracts_that_would_do_the_work_of_the_agent() -> None:
    for task in find_tasks(list(list_suites())):
        offered = set(list_distractors(task))
        assert not offered & {*task.servers, *task.withheld, "plot", "solver"}
        assert set(task.withheld) <= set(server_names())


@pytest.mark.parametrize("server", server_names())
def test_a_server_that_runs_code_of_the_agent_says_so(server: str) -> None:
    texts = [path.read_text("utf-8") for path in (SERVERS / server).rglob("*.py")]
    runs = any("programs.runner" in text or "def run_page_script" in text for text in texts)
    assert runs is getattr(import_module(f"yardkit.servers.{server}"), "RUNS_CODE", False)


def test_an_episode_offers_their_tools_and_so_does_one_that_is_opened_again_or_forked() -> None:
    with open_episode(TASK, 3, extra_servers=2) as episode:
        extra = episode.task.extra_servers
        assert episode.task.servers == (*load_task(TASK).servers, *extra)
        offered = {tool["name"] for tool in asyncio.run(episode.tools())}
        assert offered == {tool.name for server in episode.task.servers for tool in tools_of(load_server(server))}
        again, fork = reopen_episode(episode.directory), episode.fork()
        assert again.task == fork.task == reopen_episode(fork.directory).task == episode.task
        fork.close()
    with open_episode(TASK, 3) as bare_episode:
        assert bare_episode.task.extra_servers == ()


def test_a_call_of_a_distractor_is_recorded_as_that_of_its_server() -> None:
    count = len(list_distractors(load_task(TASK)))
    with open_episode(TASK, extra_servers=count) as episode, open_episode(TASK) as bare_episode:
        assert not episode.call("list_forms").is_error
        assert "Unknown tool" in bare_episode.call("list_forms").text
        assert [call.server for call in episode.ledger.calls] == ["forms"]
        assert bare_episode.ledger.calls[0].server == ""


@pytest.mark.parametrize("count", [-1, 99])
def test_more_servers_than_there_are_is_refused(count: int) -> None:
    with pytest.raises(Problem, match=f"can have 0 to .* extra servers, not {count}"):
        with_distractors(load_task(TASK), 0, count)
