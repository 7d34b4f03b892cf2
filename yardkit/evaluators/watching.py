"""Reporting which file is being read to the watcher of a grader, so that a file that ends graders is known.

Without a watcher, that is, in a process that is not a fork for one grading, nothing is reported or limited.
"""

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.world.tree import file_digest


@dataclass(frozen=True)
class Reading:
    """A file that is being read, by name and SHA-256."""

    name: str
    digest: str


@dataclass
class Watch:
    """The connection of a watched process to its watcher.

    Attributes:
        report: called with a file before it is read, and with None afterwards.
        broken: the reasons, by SHA-256, why files must not be read again: they ended a process before.
        seconds: the processor time of a reader, after which the process ends.
    """

    report: Callable[[Reading | None], None]
    broken: Mapping[str, str]
    seconds: float
    reading: Reading | None = None


_watches: list[Watch] = []


def be_watched(watch: Watch) -> None:
    """Start watching this process, which is a fork."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _watches[:] = [watch]


@contextmanager
def watch_reading(path: Path) -> Iterator[None]:
    """Watch the block while it reads the regular file at `path`, which may hang or kill it.

    Raises:
        InvalidArtifact: the file ended a process before.
    """
    if not _watches:
        yield
        return
    watch = _watches[-1]
    refuse_broken(path)
    outer, watch.reading = watch.reading, Reading(path.name, file_digest(path))
    watch.report(watch.reading)
    left, _ = signal.setitimer(signal.ITIMER_PROF, watch.seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, left)
        watch.reading = outer
        watch.report(outer)


def refuse_broken(path: Path) -> None:
    """Refuse the regular file at `path` if it ended a process before.

    Raises:
        InvalidArtifact: it did.
    """
    for watch in _watches:
        if watch.broken and (reason := watch.broken.get(file_digest(path))):
            raise InvalidArtifact(f"{path.name} cannot be read: {reason}")
