"""What guards the changes of a call: it can be ended, it has quotas, what it changes is noted and can be undone.

All code that changes a world asks the guard: `yardkit.world.save` does, and who edits a file in place or moves it must.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.world.problem import Problem
from yardkit.world.tree import measure_usage

if TYPE_CHECKING:
    from yardkit.world.undo_log import UndoLog

MAX_BYTES = 2_000_000_000
MAX_ENTRIES = 10_000
MAX_APPS_BYTES = 200_000_000
MAX_APPS_ENTRIES = 20_000
_MOST_NOTES = 20


class Running:
    """One call. Ending it also ends the programs that work for it; it can then start and save nothing more.

    Attributes:
        owner: names those that share their turns at programs: an episode and its forks.
        reason: why it was ended, in words; empty while it was not.
    """

    def __init__(self, owner: str = "") -> None:
        self.owner = owner
        self.reason = ""
        self._enders: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def end(self, reason: str) -> None:
        """End the call, with a `reason` for its caller; may be called from any thread and more than once."""
        with self._lock:
            self.reason = self.reason or reason
            enders = list(self._enders)
        for ender in enders:
            ender()

    @contextmanager
    def ended_by(self, ender: Callable[[], object]) -> Iterator[None]:
        """Call `ender` if the call is ended while the block runs; it must not raise, and may be called late.

        Raises:
            Problem: the call was ended.
        """
        with self._lock:
            self.require_running()
            self._enders.append(ender)
        try:
            yield
        finally:
            with self._lock:
                self._enders.remove(ender)
        self.require_running()

    def require_running(self) -> None:
        """Raise if the call was ended.

        Raises:
            Problem: it was ended.
        """
        if self.reason:
            raise Problem(self.reason)


class Changes:
    """Paths that were written, made, moved or removed since they were last taken. Threads may share it."""

    def __init__(self) -> None:
        self._paths: set[Path] = set()
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._paths)

    def note(self, *paths: Path) -> None:
        with self._lock:
            self._paths.update(paths)

    def take_noted(self) -> set[Path]:
        """Return the noted changes and forget them."""
        with self._lock:
            taken, self._paths = self._paths, set()
        return taken


@dataclass
class Quota:
    """The quota of the directory `files`, so that no agent can fill the shared disk.

    Attributes:
        max_bytes: the maximum bytes of file content.
        max_entries: the maximum number of files, folders and links.
        tracked: whether all changes of `files` are noted; if not, `files` is counted before each save.
        holder: the name of the directory in errors.
    """

    files: Path
    max_bytes: int = MAX_BYTES
    max_entries: int = MAX_ENTRIES
    tracked: bool = False
    holder: str = "the workspace"
    _usage: tuple[int, int] = field(default=(0, 0), repr=False)
    _noted: int = field(default=0, repr=False)
    _measured_at: int = field(default=-1, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of_apps(cls, apps: Path) -> "Quota":
        """The quota of the state of all apps of a world, which only our tools change."""
        return cls(apps, MAX_APPS_BYTES, MAX_APPS_ENTRIES, tracked=True, holder="the state of the apps")

    def note(self, *paths: Path) -> None:
        """Note changes; those below `files` count."""
        changed = sum(path.is_relative_to(self.files) for path in paths)
        if changed:
            with self._lock:
                self._noted += changed

    def set_usage(self, entries: int, size: int) -> None:
        """Set the current usage of `files`, counted elsewhere."""
        self._usage, self._measured_at = (entries, size), self._noted

    def require_room(self, path: Path, entries: int, size: int) -> tuple[int, int]:
        """Check that `entries` and `size` bytes fit in place of the current `path`; return the resulting usage.

        A change that does not increase the usage is always allowed.

        Raises:
            Problem: the quota would be exceeded.
        """
        if not self.tracked or self._measured_at != self._noted:
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


@dataclass(frozen=True)
class Guard:
    """What a call is guarded by; outside of calls by nothing.

    Attributes:
        running: the call, which can be ended.
        quotas: of the directories that it may write to.
        changes: where its changes are noted, so that the world need not be walked to find them.
        done: the paths that it has changed and not undone.
        undo: what the running change of several files replaces.
        notes: on files that the result rests on.
    """

    running: Running | None = None
    quotas: tuple[Quota, ...] = ()
    changes: Changes | None = None
    done: set[Path] | None = None
    undo: "UndoLog | None" = None
    notes: list[str] | None = None


_NO_GUARD = Guard()
_current: ContextVar[Guard] = ContextVar("yardkit_guard", default=_NO_GUARD)


@contextmanager
def _use_guard(guard: Guard) -> Iterator[None]:
    token = _current.set(guard)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def use_guard(
    *quotas: Quota,
    running: Running | None = None,
    changes: Changes | None = None,
    undo: "UndoLog | None" = None,
) -> Iterator[None]:
    """Guard the block by what is given, and by what it is guarded by already."""
    guard = _current.get()
    with _use_guard(
        replace(
            guard,
            running=running or guard.running,
            quotas=quotas or guard.quotas,
            changes=guard.changes if changes is None else changes,
            undo=undo or guard.undo,
        )
    ):
        yield


@contextmanager
def ended_by(ender: Callable[[], object]) -> Iterator[None]:
    """Call `ender` if the call that the block works for is ended; never called outside of calls.

    Raises:
        Problem: the call was ended.
    """
    running = _current.get().running
    if running is None:
        yield
        return
    with running.ended_by(ender):
        yield


def current_owner() -> str:
    """Whom the call works for; empty outside of episodes."""
    running = _current.get().running
    return running.owner if running else ""


def require_running() -> None:
    """Raise if the current call, if any, was ended.

    Raises:
        Problem: it was ended.
    """
    running = _current.get().running
    if running is not None:
        running.require_running()


@contextmanager
def guard_change(path: Path, draft: Path) -> Iterator[None]:
    """Let the block put `draft` at `path`, as a change of the call.

    Raises:
        Problem: the call was ended, or what holds `path` would hold too much.
    """
    require_running()
    with room_for(path, draft):
        yield
        note_changed(path)


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
    return [quota for quota in _current.get().quotas if path.is_relative_to(quota.files)]


def before_change(*paths: Path) -> None:
    """Say that what stands at `paths` is about to be written, moved or removed; `save_atomically` does so itself.

    Raises:
        Problem: a change of several files is running, and what it replaces cannot be kept.
    """
    undo = _current.get().undo
    if undo is not None:
        for path in paths:
            undo.keep(path)


def is_changing() -> bool:
    """Whether the caller is inside a change of several files."""
    return _current.get().undo is not None


def note_changed(*paths: Path) -> None:
    """Note that the entries at `paths` were just written, made, moved or removed.

    All code that changes a world must call it; `yardkit.world.save` does. It is required for files that are edited in
    place, such as the databases of apps, and saves waiting for the file system's clock for all others.
    """
    guard = _current.get()
    if guard.changes is not None:
        guard.changes.note(*paths)
    for quota in guard.quotas:
        quota.note(*paths)
    if guard.done is not None:
        guard.done.update(paths)


def note_undone(*paths: Path) -> None:
    """Note that the entries at `paths` are what they were before the change."""
    note_changed(*paths)
    done = _current.get().done
    if done is not None:
        done.difference_update(paths)


@contextmanager
def collect_done() -> Iterator[set[Path]]:
    """Yield the paths that the block changes and does not undo."""
    done = set[Path]()
    with _use_guard(replace(_current.get(), done=done)):
        yield done


@contextmanager
def collect_notes() -> Iterator[list[str]]:
    """The notes that are added in the block, each once and at most 20.

    They are on files of a call that its result does not show: pages that were not used, a guessed encoding, a loss.
    What works deep inside a tool adds them; the surface puts them under the result.
    """
    notes: list[str] = []
    with _use_guard(replace(_current.get(), notes=notes)):
        yield notes


def add_notes(notes: Iterable[str]) -> None:
    """Add notes on files that the result rests on; outside of a call nobody reads them."""
    collected = _current.get().notes
    if collected is not None:
        collected += [note for note in dict.fromkeys(notes) if note and note not in collected]
        del collected[_MOST_NOTES:]
