"""What saving changed, noted while it happens, so that nobody need walk a world to find out."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path


class Changes:
    """Paths that were written, made, moved or removed since they were taken last. Threads may share it.

    Attributes:
        count: how many were noted in all.
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
        """What was noted; it is forgotten."""
        with self._lock:
            taken, self._paths = self._paths, set()
        return taken


_current: ContextVar[Changes | None] = ContextVar("yardkit_changes", default=None)


@contextmanager
def use_changes(changes: Changes) -> Iterator[Changes]:
    """Note in `changes` what the body changes."""
    token = _current.set(changes)
    try:
        yield changes
    finally:
        _current.reset(token)


def note_changed(*paths: Path) -> None:
    """Say that what stands at `paths` was written, made, moved or removed just now.

    Whoever changes a world calls it; `saving` does. It matters for files that are edited in place, as the databases of
    apps are, and spares a wait for the clock of the file system for all others.
    """
    changes = _current.get()
    if changes is not None:
        changes.note(*paths)
