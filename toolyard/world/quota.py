"""How much a workspace and its apps may hold, checked before each save: no agent can fill the disk that all share."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from toolyard.world.problem import Problem
from toolyard.world.tree import usage

MAX_BYTES = 2_000_000_000
MAX_ENTRIES = 10_000
MAX_APPS_BYTES = 200_000_000
MAX_APPS_ENTRIES = 20_000


@dataclass
class Quota:
    """What the directory `files` may hold.

    Attributes:
        max_bytes: of file content.
        max_entries: files, folders and links.
        saved_bytes: how much was saved under this quota, replaced files included.
        holder: what the directory is, in words.
    """

    files: Path
    max_bytes: int = MAX_BYTES
    max_entries: int = MAX_ENTRIES
    saved_bytes: int = 0
    holder: str = "the workspace"

    @classmethod
    def of_apps(cls, apps: Path) -> "Quota":
        """What the state of all apps of a world may hold."""
        return cls(apps, MAX_APPS_BYTES, MAX_APPS_ENTRIES, holder="the state of the apps")

    def require_room(self, path: Path, entries: int, size: int) -> None:
        """Make sure that `entries` and `size` bytes have room where `path` is now. What does not grow always has.

        Raises:
            Problem: the workspace would hold too much.
        """
        old_entries, old_size = usage(path)
        has_entries, has_bytes = usage(self.files)
        more_entries, more_bytes = entries - old_entries, size - old_size
        if more_entries > 0 and has_entries + more_entries > self.max_entries:
            raise self._full(path, f"{has_entries:,} files and folders", f"{self.max_entries:,}")
        if more_bytes > 0 and has_bytes + more_bytes > self.max_bytes:
            raise self._full(path, f"{has_bytes:,} bytes", f"{self.max_bytes:,}")
        self.saved_bytes += size

    def _full(self, path: Path, held: str, limit: str) -> Problem:
        return Problem(
            f"no room for {path.name!r}: {self.holder} holds {held} of at most {limit}; nothing was changed. "
            "Delete what is not needed, then try again"
        )


_current: ContextVar[tuple[Quota, ...]] = ContextVar("toolyard_quota", default=())


@contextmanager
def use_quota(*quotas: Quota) -> Iterator[None]:
    """Hold every save in the body to the quota of the directory that it goes to."""
    token = _current.set(quotas)
    try:
        yield
    finally:
        _current.reset(token)


def require_room(path: Path, draft: Path | None = None) -> None:
    """Make sure that what stands at `draft` (by default an empty folder) has room at `path`; without a quota it has.

    Raises:
        Problem: the workspace would hold too much.
    """
    for quota in _current.get():
        if path.is_relative_to(quota.files):
            quota.require_room(path, *(usage(draft) if draft else (1, 0)))


def require_bytes(path: Path, size: int) -> None:
    """Make sure that a file of `size` bytes has room at `path`; without a quota it has.

    Raises:
        Problem: what holds it would hold too much.
    """
    for quota in _current.get():
        if path.is_relative_to(quota.files):
            quota.require_room(path, 1, size)
