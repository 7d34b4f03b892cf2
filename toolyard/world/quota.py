"""How much a workspace may hold, checked before each save: one agent cannot fill the disk that all episodes share."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.world.changes import Changes
from toolyard.world.problem import Problem
from toolyard.world.tree import usage

MAX_BYTES = 2_000_000_000
MAX_ENTRIES = 10_000


@dataclass
class Quota:
    """What the directory `files` may hold.

    Attributes:
        max_bytes: of file content.
        max_entries: files, folders and links.
        changes: where everything that changes `files` is noted; without them `files` is counted for each save.
    """

    files: Path
    max_bytes: int = MAX_BYTES
    max_entries: int = MAX_ENTRIES
    changes: Changes | None = None
    _held: tuple[int, int] = field(default=(0, 0), repr=False)
    _held_at: int = field(default=-1, repr=False)

    def hold(self, entries: int, size: int) -> None:
        """Say what `files` holds now, from a count made elsewhere."""
        self._held, self._held_at = (entries, size), self.changes.count if self.changes else -1

    def _usage(self) -> tuple[int, int]:
        if self.changes is None or self._held_at != self.changes.count:
            self.hold(*usage(self.files))
        return self._held

    @contextmanager
    def room_for(self, path: Path, entries: int, size: int) -> Iterator[None]:
        """Let the body put `entries` and `size` bytes where `path` is now. What does not grow always has room.

        Raises:
            Problem: the workspace would hold too much.
        """
        old_entries, old_size = usage(path)
        has_entries, has_bytes = self._usage()
        more_entries, more_bytes = entries - old_entries, size - old_size
        if more_entries > 0 and has_entries + more_entries > self.max_entries:
            raise _full(path, f"{has_entries:,} files and folders", f"{self.max_entries:,}")
        if more_bytes > 0 and has_bytes + more_bytes > self.max_bytes:
            raise _full(path, f"{has_bytes:,} bytes", f"{self.max_bytes:,}")
        noted = self._held_at
        yield
        # The body notes its one change; any other, such as that of a folder made for it, leads to a new count.
        self._held, self._held_at = (has_entries + more_entries, has_bytes + more_bytes), noted + 1


def _full(path: Path, held: str, limit: str) -> Problem:
    return Problem(
        f"no room for {path.name!r}: the workspace holds {held} of at most {limit}; nothing was changed. "
        "Delete what is not needed, then try again"
    )


_current: ContextVar[Quota | None] = ContextVar("toolyard_quota", default=None)


@contextmanager
def use_quota(quota: Quota) -> Iterator[Quota]:
    """Hold every save in the body to `quota`."""
    token = _current.set(quota)
    try:
        yield quota
    finally:
        _current.reset(token)


@contextmanager
def room_for(path: Path, draft: Path | None = None) -> Iterator[None]:
    """Let the body put what stands at `draft` (by default an empty folder) at `path`; without a quota it has room.

    Raises:
        Problem: the workspace would hold too much.
    """
    quota = _current.get()
    if quota is None or not path.is_relative_to(quota.files):
        yield
    else:
        with quota.room_for(path, *(usage(draft) if draft else (1, 0))):
            yield
