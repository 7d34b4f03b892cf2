"""The quota of a workspace and its apps, checked before each save, so that no agent can fill the shared disk."""

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
    """The quota of the directory `files`.

    Attributes:
        max_bytes: the maximum bytes of file content.
        max_entries: the maximum number of files, folders and links.
        changes: the notes of all changes of `files`; without them `files` is counted before each save.
        holder: the name of the directory in errors.
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
        """The quota of the state of all apps of a world."""
        return cls(apps, MAX_APPS_BYTES, MAX_APPS_ENTRIES, holder="the state of the apps")

    def set_usage(self, entries: int, size: int) -> None:
        """Set the current usage of `files`, counted elsewhere."""
        self._usage, self._measured_at = (entries, size), self.changes.count if self.changes is not None else -1

    def require_room(self, path: Path, entries: int, size: int) -> tuple[int, int]:
        """Check that `entries` and `size` bytes fit in place of the current `path`; return the resulting usage.

        A change that does not increase the usage is always allowed.

        Raises:
            Problem: the quota would be exceeded.
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
        """Let the block replace the current `path` by `entries` and `size` bytes.

        Raises:
            Problem: as `require_room`.
        """
        usage, noted = self.require_room(path, entries, size), self._measured_at
        yield
        # The block notes exactly one change; any other, such as a folder made for it, leads to a new count.
        self._usage, self._measured_at = usage, noted + 1

    def _make_full_problem(self, path: Path, usage: str, limit: str) -> Problem:
        return Problem(
            f"no room for {path.name!r}: {self.holder} holds {usage} of at most {limit}; nothing was changed. "
            "Delete what is not needed, then try again"
        )


_current: ContextVar[tuple[Quota, ...]] = ContextVar("yardkit_quota", default=())


@contextmanager
def use_quota(*quotas: Quota) -> Iterator[None]:
    """Apply the quota of the target directory to every save in the block."""
    token = _current.set(quotas)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def room_for(path: Path, draft: Path | None = None) -> Iterator[None]:
    """Let the block put `draft` (by default an empty folder) at `path`; always allowed without a quota.

    Raises:
        Problem: what holds it would hold too much.
    """
    with ExitStack() as stack:
        for quota in _find_quotas(path):
            stack.enter_context(quota.room_for(path, *(measure_usage(draft) if draft else (1, 0))))
        yield


def require_bytes(path: Path, size: int) -> None:
    """Check that a file of `size` bytes fits at `path`; always allowed without a quota.

    Raises:
        Problem: what holds it would hold too much.
    """
    for quota in _find_quotas(path):
        quota.require_room(path, 1, size)


def _find_quotas(path: Path) -> list[Quota]:
    return [quota for quota in _current.get() if path.is_relative_to(quota.files)]
