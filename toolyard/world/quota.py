"""How much a workspace may hold, checked before each save: one agent cannot fill the disk that all episodes share."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

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
        saved_bytes: how much was saved under this quota, replaced files included.
    """

    files: Path
    max_bytes: int = MAX_BYTES
    max_entries: int = MAX_ENTRIES
    saved_bytes: int = 0

    def require_room(self, path: Path, entries: int, size: int) -> None:
        """Make sure that `entries` and `size` bytes have room where `path` is now. What does not grow always has.

        Raises:
            Problem: the workspace would hold too much.
        """
        old_entries, old_size = usage(path)
        has_entries, has_bytes = usage(self.files)
        more_entries, more_bytes = entries - old_entries, size - old_size
        if more_entries > 0 and has_entries + more_entries > self.max_entries:
            raise _full(path, f"{has_entries:,} files and folders", f"{self.max_entries:,}")
        if more_bytes > 0 and has_bytes + more_bytes > self.max_bytes:
            raise _full(path, f"{has_bytes:,} bytes", f"{self.max_bytes:,}")
        self.saved_bytes += size


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


def require_room(path: Path, draft: Path | None = None) -> None:
    """Make sure that what stands at `draft` (by default an empty folder) has room at `path`; without a quota it has.

    Raises:
        Problem: the workspace would hold too much.
    """
    quota = _current.get()
    if quota is not None and path.is_relative_to(quota.files):
        quota.require_room(path, *(usage(draft) if draft else (1, 0)))
