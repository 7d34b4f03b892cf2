"""Opening and continuing episodes for commands."""

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from yardkit.sandbox.episodes.distractors import with_distractors
from yardkit.sandbox.episodes.episode import Episode, open_new, reopen_episode
from yardkit.sandbox.tasks.suites import find_task
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem
from yardkit.world.world import machine_time

_SHORTLY_S = 120.0
"""A client that starts a process for each call starts the next one within so many seconds."""


def open_new_episode(
    task_name: str, seed: int, runs: Path, servers: Collection[str] = (), extra_servers: int = 0
) -> Episode:
    """Open a new episode below `runs`, with `extra_servers` unrelated servers.

    Raises:
        Problem: the task does not exist, it lacks one of `servers`, or there are too few servers to add.
    """
    task = with_distractors(find_task(task_name), seed, extra_servers)
    _check_servers(task, servers)
    return open_new(task, seed, make_runs_directory(runs))


def continue_episode(directory: Path, servers: Collection[str] = ()) -> Episode:
    """Continue an episode that was opened before and not graded yet.

    Raises:
        Problem: there is no episode, it is over, or its task lacks one of `servers`.
    """
    episode = reopen_episode(directory.resolve())
    if episode.closed:
        raise Problem(f"the episode in {str(directory)!r} was graded and is over; open a new one")
    _check_servers(episode.task, servers)
    return episode


def opened_per_call(task_name: str, seed: int, runs: Path) -> str:
    """Return a warning if the client seems to start a process for each call; else an empty text.

    It seems so if an ungraded episode of the same instance had its last call a short time ago.
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
    """Make the directory of episodes if needed; return its absolute path.

    Raises:
        Problem: it cannot be created.
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
