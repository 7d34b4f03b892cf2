"""Noting changes as they are saved, so that a world need not be walked to find them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path


class Changes:
    """Paths that were written, made, moved or removed since they were last taken. Threads may share it.

    Attributes:
        count: the total number of noted changes.
    """

    def __init__(self) -> None:
        self.count = 0
        self._paths: set[Path] = set()
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._paths)

    def note(self, *paths: Path) -> None:
        with self._lock:
            self._paths.update(paths)
            self.count += len(paths)

    def take_noted(self) -> set[Path]:
        """Return the noted changes and forget them."""
        with self._lock:
            taken, self._paths = self._paths, set()
        return taken


_current: ContextVar[Changes | None] = ContextVar("yardkit_changes", default=None)
_done: ContextVar[set[Path] | None] = ContextVar("yardkit_done", default=None)


@contextmanager
def use_changes(changes: Changes) -> Iterator[Changes]:
    """Note the changes made in the block in `changes`."""
    token = _current.set(changes)
    try:
        yield changes
    finally:
        _current.reset(token)


def note_changed(*paths: Path) -> None:
    """Note that the entries at `paths` were just written, made, moved or removed.

    All code that changes a world must call it; `yardkit.world.save` does. It is required for files that are edited in
    place, such as the databases of apps, and saves waiting for the file system's clock for all others.
    """
    changes = _current.get()
    if changes is not None:
        changes.note(*paths)
    done = _done.get()
    if done is not None:
        done.update(paths)


def note_undone(*paths: Path) -> None:
    """Note that the entries at `paths` are what they were before the change."""
    note_changed(*paths)
    done = _done.get()
    if done is not None:
        done.difference_update(paths)


@contextmanager
def collect_done() -> Iterator[set[Path]]:
    """Yield the paths that the block changes and does not undo."""
    paths: set[Path] = set()
    token = _done.set(paths)
    try:
        yield paths
    finally:
        _done.reset(token)
