"""Episodes that a command opens, or goes on with."""

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from yardkit.sandbox.episodes.distractors import with_distractors
from yardkit.sandbox.episodes.episode import Episode, open_new, reopen_episode
from yardkit.sandbox.tasks.suites import find_task
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem
from yardkit.world.clock import machine_time

_SHORTLY_S = 120.0
"""A client that starts a process for each call starts the next one within so many seconds."""


def open_new_episode(
    task_name: str, seed: int, runs: Path, servers: Collection[str] = (), extra_servers: int = 0
) -> Episode:
    """A new episode below `runs`, with so many unrelated `extra_servers`.

    Raises:
        Problem: there is no such task, it does not have one of `servers`, or not so many can distract from it.
    """
    task = with_distractors(find_task(task_name), seed, extra_servers)
    _check_servers(task, servers)
    return open_new(task, seed, make_runs_directory(runs))


def continue_episode(directory: Path, servers: Collection[str] = ()) -> Episode:
    """An episode that was opened before and not graded yet.

    Raises:
        Problem: there is none, it is over, or its task does not have one of `servers`.
    """
    episode = reopen_episode(directory.resolve())
    if episode.closed:
        raise Problem(f"the episode in {str(directory)!r} was graded and is over; open a new one")
    _check_servers(episode.task, servers)
    return episode


def opened_per_call(task_name: str, seed: int, runs: Path) -> str:
    """What to tell a client that starts a process for each call, where it seems so; else empty.

    It seems so where an episode of the same instance had its last call shortly ago and was not graded.
    """
    task = find_task(task_name)
    for directory in _called_shortly_ago(runs):
        with suppress(OSError, ValueError, KeyError):
            record = json.loads((directory / "episode.json").read_text("utf-8"))
            if (record["task"], record["seed"]) == (task.id, seed) and not (directory / "final").exists():
                return (
                    f"This process opened a new episode of {task.id}, seed {seed}, though {directory.name} had a call "
                    "just before; its changes are not visible here. If your client starts one process per call (like "
                    "LangChain's get_tools does), keep one session (client.session), or open an episode with "
                    "`yardkit open` and start `yardkit mcp --episode DIR`, or serve it with `yardkit mcp --http`."
                )
    return ""


def _called_shortly_ago(runs: Path) -> Iterator[Path]:
    earliest = machine_time().timestamp() - _SHORTLY_S
    for ledger in runs.glob("e*/ledger.jsonl"):
        with suppress(OSError):
            if ledger.stat().st_mtime >= earliest:
                yield ledger.parent


def make_runs_directory(runs: Path) -> Path:
    """The directory of episodes, made if needed, as an absolute path.

    Raises:
        Problem: it cannot be made.
    """
    try:
        runs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"cannot use {str(runs)!r} for episodes ({error.strerror}); name another with --runs") from error
    return runs.resolve()


def _check_servers(task: Task, servers: Collection[str]) -> None:
    for server in servers:
        if server not in task.servers:
            raise Problem(f"{task.id} has no server {server!r}; it has {', '.join(task.servers)}")
