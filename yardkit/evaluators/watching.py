"""Which file is being read: told to whoever watches over a grader, so that a file that ends graders is known.

Where nobody watches, nothing is told or limited: in a process that is not a fork for one grading.
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
    """What a watched process knows of its watcher.

    Attributes:
        report: called with what begins to be read, and with None when nothing is read any more.
        broken: why files, by SHA-256, are not to be read again: they ended a process before.
        seconds: of processor time that a reader may take; then the process ends.
    """

    report: Callable[[Reading | None], None]
    broken: Mapping[str, str]
    seconds: float
    reading: Reading | None = None


_watches: list[Watch] = []


def be_watched(watch: Watch) -> None:
    """From now on this process, a fork, is watched."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _watches[:] = [watch]


@contextmanager
def watch_reading(path: Path) -> Iterator[None]:
    """The body reads the regular file at `path`, and may hang or die of it.

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
    """Nothing, unless the regular file at `path` ended a process before.

    Raises:
        InvalidArtifact: it did.
    """
    for watch in _watches:
        if watch.broken and (reason := watch.broken.get(file_digest(path))):
            raise InvalidArtifact(f"{path.name} cannot be read: {reason}")
