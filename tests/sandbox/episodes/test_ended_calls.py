"""Calls that never end are ended: at their deadline, by a grade, by a deletion; what they started ends with them."""

import asyncio
import dataclasses
import fcntl
import threading
from pathlib import Path

import pytest
from support.gateways import TASK
from support.processes import wait_until
from support.scale import select_drills

from yardkit.sandbox.episodes import deadlines
from yardkit.sandbox.episodes.episode import Episode, open_new
from yardkit.sandbox.episodes.replies import Reply
from yardkit.sandbox.tasks.suites import find_task

ENDLESS = "while True:\n    pass"


@pytest.fixture
def episode(tmp_path: Path) -> Episode:
    task = dataclasses.replace(find_task(TASK), servers=("files", "plot", "render"))
    opened = open_new(task, 1, tmp_path / "runs")
    asyncio.run(opened.tools())  # the first time loads all servers
    return opened


def begin_endless_call(episode: Episode) -> tuple[threading.Thread, list[Reply]]:
    """A call that never ends by itself, at work."""
    replies: list[Reply] = []
    thread = threading.Thread(
        target=lambda: replies.append(episode.call("run_plot_code", code=ENDLESS, target="a.png"))
    )
    thread.start()
    wait_until(lambda: episode._running is not None and bool(episode._running._enders))
    return thread, replies


@pytest.mark.parametrize("end", ["grade", *select_drills("close")])
def test_a_running_call_ends_with_its_episode(episode: Episode, end: str) -> None:
    thread, replies = begin_endless_call(episode)
    (episode.grade if end == "grade" else episode.end_call)()
    thread.join(240)
    assert replies[0].is_error
    assert "the episode is over" in replies[0].text
    assert episode.call("list_folder").is_error


def test_a_call_beyond_its_deadline_is_an_error_in_words_and_no_crash(
    episode: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "CALL_S", 1.0)
    reply = episode.call("run_plot_code", code=ENDLESS, target="a.png")
    assert "run_plot_code was given up after 1 s" in reply.text
    monkeypatch.undo()
    assert not episode.call("list_folder").is_error
    assert [call.crashed for call in episode.ledger.calls] == [False, False]


def test_a_call_that_cannot_be_ended_is_left_behind_and_saves_nothing(
    episode: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "CALL_S", 0.3)
    monkeypatch.setattr(deadlines, "GRACE_S", 0.1)
    episode.call("write_file", path="a.txt", content="first")

    async def scenario() -> None:
        (lock,) = episode.world.locks.iterdir()
        with lock.open("w") as lock_handle:
            fcntl.flock(lock_handle, fcntl.LOCK_EX)
            reply = await episode.call_async("write_file", {"path": "a.txt", "content": "second"})
            assert "given up" in reply.text
            monkeypatch.undo()
            assert not (await episode.call_async("list_folder", {})).is_error
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others, timeout=240)

    asyncio.run(scenario())
    assert (episode.world.files / "a.txt").read_text() == "first"


@pytest.mark.parametrize("text", ["\0", " ", "a\0b"])
def test_a_search_for_nothing_is_refused(episode: Episode, text: str) -> None:
    (episode.world.files / "a.csv").write_text("a,b\n1,2\n")
    assert episode.call("find_on_pages", path="a.csv", query=text).is_error
