"""How much a workspace and its apps may hold, checked before each save: no agent can fill the disk that all share."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.world.changes import Changes
from yardkit.world.problem import Problem
from yardkit.world.tree import measure_usage

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
        changes: where everything that changes `files` is noted; without them `files` is counted for each save.
        holder: what the directory is, in words.
    """

    files: Path
    max_bytes: int = MAX_BYTES
    max_entries: int = MAX_ENTRIES
    changes: Changes | None = None
    holder: str = "the workspace"
    _usage: tuple[int, int] = field(default=(0, 0), repr=False)
    _measured_at: int = field(default=-1, repr=False)

    @classmethod
    def of_apps(cls, apps: Path) -> "Quota":
        """What the state of all apps of a world may hold."""
        return cls(apps, MAX_APPS_BYTES, MAX_APPS_ENTRIES, holder="the state of the apps")

    def set_usage(self, entries: int, size: int) -> None:
        """Say what `files` holds now, from a count made elsewhere."""
        self._usage, self._measured_at = (entries, size), self.changes.count if self.changes is not None else -1

    def require_room(self, path: Path, entries: int, size: int) -> tuple[int, int]:
        """Make sure that `entries` and `size` bytes have room where `path` is now: what `files` then holds.

        What does not grow always has room.

        Raises:
            Problem: it would hold too much.
        """
        if self.changes is None or self._measured_at != self.changes.count:
            self.set_usage(*measure_usage(self.files))
        old_entries, old_size = measure_usage(path)
        has_entries, has_bytes = self._usage
        more_entries, more_bytes = entries - old_entries, size - old_size
        if more_entries > 0 and has_entries + more_entries > self.max_entries:
            raise self._make_full_problem(path, f"{has_entries:,} files and folders", f"{self.max_entries:,}")
        if more_bytes > 0 and has_bytes + more_bytes > self.max_bytes:
            raise self._make_full_problem(path, f"{has_bytes:,} bytes", f"{self.max_bytes:,}")
        return has_entries + more_entries, has_bytes + more_bytes

    @contextmanager
    def room_for(self, path: Path, entries: int, size: int) -> Iterator[None]:
        """Let the body put `entries` and `size` bytes where `path` is now.

        Raises:
            Problem: as `require_room`.
        """
        usage, noted = self.require_room(path, entries, size), self._measured_at
        yield
        # The body notes its one change; any other, such as that of a folder made for it, leads to a new count.
        self._usage, self._measured_at = usage, noted + 1

    def _make_full_problem(self, path: Path, usage: str, limit: str) -> Problem:
        return Problem(
            f"no room for {path.name!r}: {self.holder} holds {usage} of at most {limit}; nothing was changed. "
            "Delete what is not needed, then try again"
        )


_current: ContextVar[tuple[Quota, ...]] = ContextVar("yardkit_quota", default=())


@contextmanager
def use_quota(*quotas: Quota) -> Iterator[None]:
    """Hold every save in the body to the quota of the directory that it goes to."""
    token = _current.set(quotas)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def room_for(path: Path, draft: Path | None = None) -> Iterator[None]:
    """Let the body put what stands at `draft` (by default an empty folder) at `path`; without a quota it has room.

    Raises:
        Problem: what holds it would hold too much.
    """
    with ExitStack() as stack:
        for quota in _find_quotas(path):
            stack.enter_context(quota.room_for(path, *(measure_usage(draft) if draft else (1, 0))))
        yield


def require_bytes(path: Path, size: int) -> None:
    """Make sure that a file of `size` bytes has room at `path`; without a quota it has.

    Raises:
        Problem: what holds it would hold too much.
    """
    for quota in _find_quotas(path):
        quota.require_room(path, 1, size)


def _find_quotas(path: Path) -> list[Quota]:
    return [quota for quota in _current.get() if path.is_relative_to(quota.files)]
