"""The stdio twin of the gateway: one process, one episode."""

from collections.abc import Collection
from pathlib import Path

from toolyard.sandbox.episode import Episode, open_new, reopen
from toolyard.sandbox.gateway.serve import made
from toolyard.sandbox.serving import run_stdio
from toolyard.sandbox.tasks import Task, find_task
from toolyard.sandbox.toolset import current_episode, current_servers, toolset
from toolyard.world import Problem


def opened(task_name: str, seed: int, runs: Path, servers: Collection[str] = ()) -> Episode:
    """A new episode below `runs`.

    Raises:
        Problem: there is no such task, or it does not have one of `servers`.
    """
    task = find_task(task_name)
    _check(task, servers)
    return open_new(task, seed, made(runs))


def continued(directory: Path, servers: Collection[str] = ()) -> Episode:
    """An episode that was opened before and not graded yet.

    Raises:
        Problem: there is none, it is over, or its task does not have one of `servers`.
    """
    episode = reopen(directory.resolve())
    if episode.closed:
        raise Problem(f"the episode in {str(directory)!r} was graded and is over; open a new one")
    _check(episode.task, servers)
    return episode


def serve_episode_stdio(episode: Episode, servers: Collection[str] = ()) -> None:
    """Answer on stdin and stdout until stdin closes, with the tools of `servers` (all of the task's if empty)."""
    current_episode.set(episode)
    current_servers.set(frozenset(servers))
    run_stdio(toolset())


def _check(task: Task, servers: Collection[str]) -> None:
    for server in servers:
        if server not in task.servers:
            raise Problem(f"{task.id} has no server {server!r}; it has {', '.join(task.servers)}")
