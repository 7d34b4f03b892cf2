"""Atomic saving: a file appears completely or not at all, and writers of one file take turns."""

import fcntl
import hashlib
import io
import itertools
import os
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from yardkit.world.guard import before_change, guard_change, note_changed
from yardkit.world.problem import Problem, reason_of
from yardkit.world.tree import SAVE_PREFIX as SAVE_PREFIX

_OFFICE = (".doc", ".dot", ".xls", ".xlt", ".ppt", ".pot", ".pps", ".odt", ".ods", ".odp")
"""How the suffixes of office files begin: .docx and .docm too."""
_MAX_LOCK_BYTES = 4_000
_LONG_STEM, _LONGER_STEM = 7, 8
_STALE_S = 600.0
_SWEEP_EVERY_S = 60.0
_MOST_SWEPT = 1_000
# AT_FDCWD and RENAME_EXCHANGE of renameat2(2).
_HERE, _RENAME_EXCHANGE = -100, 2
_counter = itertools.count()
_syncing: ContextVar[bool] = ContextVar("yardkit_syncing", default=True)
_swept: dict[Path, float] = {}
_freer = ThreadPoolExecutor(1, thread_name_prefix="yardkit-free")
_freeing: list[Future[None]] = []
_freeing_lock = threading.Lock()
_token = secrets.token_hex(4)


@contextmanager
def hold_draft(path: Path) -> Iterator[Path]:
    """Yield an unlisted name beside `path`; anything left there at the end is removed."""
    draft = path.parent / f"{SAVE_PREFIX}{os.getpid()}-{_token}-{next(_counter)}"
    try:
        yield draft
    finally:
        _remove_draft(draft)


@contextmanager
def save_atomically(path: Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; on a clean exit it replaces `path` atomically.

    The result may be a file, a symlink or a directory; a directory can only replace nothing or a directory. If the
    block raises, the disk is full or the process dies, `path` is unchanged. Missing parents are made.

    Raises:
        Problem: the file cannot be written (disk full, read-only, not a directory ...), with the system's reason; it is
            open in an office program; or the workspace would hold more than its quota.
    """
    with make_parents(path), hold_draft(path) as draft:
        try:
            before_change(path)
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True)
            _wait_until_freed()
            require_free(path)
            _sweep_drafts(path.parent)
            yield draft
            with guard_change(path, draft):
                _commit_draft(draft, path)
        except OSError as error:
            raise Problem(
                f"cannot save {path.name!r}: {reason_of(error)}; nothing was changed. "
                "Free disk space or choose another place, then try again"
            ) from error


@contextmanager
def make_parents(path: Path) -> Iterator[None]:
    """Make the folders above `path`, and remove them again, if still empty, when the block fails."""
    missing = list(itertools.takewhile(lambda parent: not os.path.lexists(parent), path.parents))
    try:
        yield
        note_changed(*missing)
    except BaseException:
        for parent in missing:
            with suppress(OSError):
                parent.rmdir()
        raise


@contextmanager
def skip_syncing() -> Iterator[None]:
    """Save in the block without waiting for the disk, for data that can be recreated, such as a world from its seed.

    Saves are still atomic for every process; only a power failure may lose files.
    """
    token = _syncing.set(False)
    try:
        yield
    finally:
        _syncing.reset(token)


def is_syncing() -> bool:
    """Whether saves wait for the disk; False in a block of `skip_syncing`."""
    return _syncing.get()


def save_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically."""
    with save_atomically(path) as draft:
        draft.write_bytes(data)


def save_text(path: Path, text: str) -> None:
    """Write `text` to `path` atomically, as UTF-8 without changing line ends."""
    save_bytes(path, text.encode("utf-8"))


@contextmanager
def lock_file(path: Path, locks: Path, wait_s: float = 20.0) -> Iterator[None]:
    """Hold the lock for `path` while reading, changing and saving it; `locks` is the directory of lock files.

    It works between threads and between processes; the system releases it when a process dies.

    Raises:
        Problem: another writer held it for longer than `wait_s` seconds.
    """
    descriptor = _open_lock(path, locks)
    try:
        deadline = time.monotonic() + wait_s
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise Problem(f"another writer has held {path.name!r} for {wait_s:g} s; try again when it has finished")
            time.sleep(0.002)
        yield
    finally:
        os.close(descriptor)


def _open_lock(path: Path, locks: Path) -> int:
    """Open the lock file of `path` as a descriptor, since a file object takes four more system calls."""
    lock = locks / hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
    try:
        try:
            return os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except FileNotFoundError:
            locks.mkdir(parents=True, exist_ok=True)
            return os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Problem(
            f"cannot lock {path.name!r}: {reason_of(error)}; nothing was changed. Free disk space, then try again"
        ) from error


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def require_free(path: Path) -> None:
    """Refuse to replace a file that is marked read-only, or that Word, Excel, PowerPoint or LibreOffice has open.

    These programs put a lock file beside an open file, ``~$name`` or ``.~lock.name#``, with the user's name.

    Raises:
        Problem: the file is protected; the message says how to free it.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        return
    if not mode & 0o222:
        raise Problem(f"{path.name!r} is read-only; write to another name, or make it writable. Nothing was changed")
    if not path.suffix.lower().startswith(_OFFICE):
        return
    for lock in _list_locks(path):
        if lock.is_file() and not lock.is_symlink():
            raise Problem(
                f"{path.name!r} is open in another program{_read_lock_owner(lock)}: close it there, or write to another"
                f" name; if it is no longer open, delete {lock.name!r}. Nothing was changed"
            )


def _list_locks(path: Path) -> Iterator[Path]:
    """List the possible paths of the lock file; Word omits the first letters of long names."""
    yield path.with_name(f".~lock.{path.name}#")
    yield path.with_name(f"~${path.name}")
    if path.suffix.lower().startswith(".do") and len(path.stem) >= _LONG_STEM:
        yield path.with_name(f"~${path.name[2 if len(path.stem) >= _LONGER_STEM else 1 :]}")


def _read_lock_owner(lock: Path) -> str:
    """Read the user's name from a lock file: fields with commas, or a length and that many letters."""
    try:
        with lock.open("rb") as handle:
            data = handle.read(_MAX_LOCK_BYTES)
    except OSError:
        return ""
    if lock.name.startswith(".~lock."):
        name = next((field for field in data.decode("utf-8", "replace").split(",")[:2] if field.strip()), "")
    else:
        name = data[1 : 1 + data[0]].decode("latin-1") if data else ""
    owner_name = "".join(letter for letter in name if letter.isprintable()).strip()
    return f" ({owner_name[:60]})" if owner_name else ""


def _commit_draft(draft: Path, path: Path) -> None:
    kind = stat.S_IFMT(draft.lstat().st_mode)
    if kind == stat.S_IFDIR:
        for file in draft.rglob("*"):
            if file.is_file() and not file.is_symlink():
                _sync_path(file)
    elif kind != stat.S_IFLNK:
        if path.is_file():
            # Replacing a file must not change its permissions.
            draft.chmod(path.stat().st_mode & 0o7777)
        _sync_path(draft)
    # The folder is not synced: after a power failure it has the old file or the new one, and both are complete.
    if kind == stat.S_IFDIR and path.is_dir():
        _exchange_folders(draft, path)
        return
    with _freed_later(path):
        draft.replace(path)


def _exchange_folders(draft: Path, path: Path) -> None:
    """Swap two folders atomically by renameat2(2), or in three steps if the system or the disk does not support it."""
    import ctypes

    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if exchange is None or exchange(_HERE, os.fsencode(draft), _HERE, os.fsencode(path), _RENAME_EXCHANGE):
        aside = draft.with_name(f"{draft.name}-old")
        path.rename(aside)
        draft.rename(path)
        aside.rename(draft)


@contextmanager
def _freed_later(path: Path) -> Iterator[None]:
    """Free the blocks of the file that the block replaces in the background.

    A file system that discards freed blocks takes about a millisecond for the smallest file, and longer for large ones.
    """
    try:
        # O_PATH keeps the inode without opening the file, so it works for unreadable files, too.
        old = io.FileIO(path, opener=lambda name, _: os.open(name, os.O_PATH | os.O_NOFOLLOW))
    except OSError:
        yield
        return
    try:
        yield
    finally:
        try:
            freed = _freer.submit(old.close)
        except RuntimeError:  # the interpreter is shutting down, or no more threads are available
            old.close()
        else:
            with _freeing_lock:
                _freeing.append(freed)


def _wait_until_freed() -> None:
    """Wait until the files replaced by earlier saves are freed; a save on a nearly full disk may need the space."""
    with _freeing_lock:
        waiting = list(_freeing)
    for freed in waiting:
        freed.result()
    with _freeing_lock:
        for freed in waiting:
            with suppress(ValueError):  # another save may have waited for it, too
                _freeing.remove(freed)


def _after_fork() -> None:
    """Reset the state after a fork: a forked process lacks its parent's threads and needs its own one."""
    global _freer, _freeing, _freeing_lock
    _freer, _freeing, _freeing_lock = ThreadPoolExecutor(1, thread_name_prefix="yardkit-free"), [], threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def _sync_path(path: Path) -> None:
    if not _syncing.get():
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_draft(draft: Path) -> None:
    with suppress(OSError):
        try:
            draft.unlink()
        except (IsADirectoryError, PermissionError):  # the type for a folder depends on the system
            shutil.rmtree(draft)


def _sweep_drafts(directory: Path) -> None:
    """Remove drafts of killed processes, at most once a minute, since listing a large folder takes time."""
    now = time.monotonic()
    if now < _swept.get(directory, now):
        return
    if len(_swept) >= _MOST_SWEPT:
        _swept.clear()
    _swept[directory] = now + _SWEEP_EVERY_S
    with os.scandir(directory) as scan:
        left = [entry for entry in scan if entry.name.startswith(SAVE_PREFIX) and not _is_alive(entry.name)]
    for entry in left:
        with suppress(OSError):
            # On a shared disk, a process of another machine looks dead from here, so only old drafts are removed.
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > _STALE_S:
                _remove_draft(Path(entry.path))


def _is_alive(draft_name: str) -> bool:
    pid, _, rest = draft_name.removeprefix(SAVE_PREFIX).partition("-")
    if pid == str(os.getpid()):
        # In a container a restarted process often has the same id as the killed one, so compare a token.
        return rest.startswith(_token)
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
