"""Episodes that a command opens, or goes on with."""

from collections.abc import Collection
from pathlib import Path

from toolyard.sandbox.episodes.episode import Episode, open_new, reopen
from toolyard.sandbox.tasks.suites import find_task
from toolyard.sandbox.tasks.task import Task
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


def made(runs: Path) -> Path:
    """The directory of episodes, made if needed, as an absolute path.

    Raises:
        Problem: it cannot be made.
    """
    try:
        runs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"cannot use {str(runs)!r} for episodes ({error.strerror}); name another with --runs") from error
    return runs.resolve()


def _check(task: Task, servers: Collection[str]) -> None:
    for server in servers:
        if server not in task.servers:
            raise Problem(f"{task.id} has no server {server!r}; it has {', '.join(task.servers)}")
