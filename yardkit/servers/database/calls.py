"""Calls in a process of their own: killed at their limits, and with the clock and the chance of the world."""

from __future__ import annotations

import ctypes
import os
import random
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from yardkit.programs.bounded import run_bounded
from yardkit.servers.database.engine import drafts
from yardkit.servers.database.engine.guarded_connections import SECONDS
from yardkit.world import Problem, current_world, lock_file, save_atomically
from yardkit.world.guard import note_changed
from yardkit.world.limits import MAX_FILE_BYTES

Result = TypeVar("Result")

PRELOAD = (
    "yardkit.servers.database.engine.changes",
    "yardkit.servers.database.engine.description",
    "yardkit.servers.database.engine.exports",
    "yardkit.servers.database.engine.imports",
    "yardkit.servers.database.engine.queries",
)
_GRACE_S = 100.0
"""For reading an import, copying and checking a database, on top of the time of the SQL."""
_MEMORY_BYTES = 1_000_000_000
_MAX_WRITTEN_BYTES = MAX_FILE_BYTES + 1_000_000
_EPOCH_JULIAN_MS = 210_866_760_000_000
"""1970-01-01 as SQLite counts: milliseconds since noon of 24 November 4714 BC."""
_VFS_VERSION = 2
"""From here on SQLite asks for the time in milliseconds."""
_retained_objects: list[Any] = []
"""What SQLite calls must not be freed."""


@dataclass(frozen=True)
class Moment:
    """What time it is in SQL, and the seed of ``random()``."""

    now: datetime
    seed: str


def run_isolated(function: Callable[..., Result], *args: object) -> Result:
    """Run a function of the engine in a process of its own, at the world's time if that is frozen."""
    world = current_world()
    moment = Moment(world.now, f"{world.task}:{world.seed}") if world.frozen_now else None
    seconds = SECONDS + _GRACE_S
    result: Result = run_bounded(_run_isolated, function, moment, *args, seconds=seconds, memory_bytes=_MEMORY_BYTES)
    return result


def rewrite_database(path: Path, function: Callable[..., Result], *args: object) -> Result:
    """Run ``function(path, draft, *args)``, which writes the changed database to the draft, and replace the file.

    Should the process die at any point, the file holds the old state or the new one.

    Raises:
        Problem: another program has the database open, or changed it meanwhile; or the function's own.
    """
    with lock_file(path, current_world().locks), save_atomically(path) as draft:
        drafts.require_unused(path)
        before = drafts.make_stamp(path)
        result = run_isolated(function, path, draft, *args)
        drafts.require_unused(path)
        if drafts.make_stamp(path) != before:
            raise Problem(f"another program changed {path.name!r} in the meantime; nothing was changed. Try again")
        if beside := drafts.list_side_files(path):
            # Else what is beside the old file would be taken for a part of the new one.
            with save_atomically(path) as merged_path:
                run_isolated(drafts.merge_side_files, path, merged_path)
            for side in beside:
                side.unlink()
                note_changed(side)
    return result


def _run_isolated(function: Callable[..., Result], moment: Moment | None, *args: object) -> Result:
    """Call `function` in a process that ends afterwards, with the clock and the chance of `moment`, if there is one."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_WRITTEN_BYTES, _MAX_WRITTEN_BYTES))
    if moment is not None:
        _stop_clock(moment)
    return function(*args)


class _Vfs(ctypes.Structure):
    """``sqlite3_vfs``, version 2: https://www.sqlite.org/c3ref/vfs.html."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("iVersion", "szOsFile", "mxPathname")),
        *((name, ctypes.c_void_p) for name in ("pNext", "zName", "pAppData", "xOpen", "xDelete", "xAccess")),
        *((name, ctypes.c_void_p) for name in ("xFullPathname", "xDlOpen", "xDlError", "xDlSym", "xDlClose")),
        *((name, ctypes.c_void_p) for name in ("xRandomness", "xSleep", "xCurrentTime", "xGetLastError")),
        ("xCurrentTimeInt64", ctypes.c_void_p),
    )


def _stop_clock(moment: Moment) -> None:
    """Let SQLite ask us for time and chance, as its interface to the system foresees; local time becomes UTC.

    Functions of our own in the place of ``datetime`` and the like would not do: views and triggers must not call them,
    and CURRENT_TIMESTAMP would not.
    """
    library = _load_library()
    if library is None:
        return
    stamp = _EPOCH_JULIAN_MS + round(moment.now.timestamp() * 1000)
    chance = random.Random(moment.seed)  # noqa: S311 - reproducibility, not secrecy

    def current_time(_: int, milliseconds: Any) -> int:
        milliseconds[0] = stamp
        return 0

    def randomness(_: int, count: int, buffer: Any) -> int:
        ctypes.memmove(buffer, chance.randbytes(count), count)
        return count

    integer_pointer, bytes_pointer = ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_char)
    time_call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, integer_pointer)(current_time)
    chance_call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, bytes_pointer)(randomness)
    _retained_objects.extend([time_call, chance_call])
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    library.sqlite3_vfs_find.argtypes = [ctypes.c_char_p]
    vfs = library.sqlite3_vfs_find(None).contents
    if vfs.iVersion < _VFS_VERSION:
        return
    vfs.xCurrentTimeInt64 = ctypes.cast(time_call, ctypes.c_void_p).value
    vfs.xRandomness = ctypes.cast(chance_call, ctypes.c_void_p).value
    library.sqlite3_randomness(0, None)
    os.environ["TZ"] = "UTC"
    time.tzset()


def _load_library() -> ctypes.CDLL | None:
    """The very SQLite that Python's module uses; none where Python hides it inside itself."""
    import _sqlite3

    try:
        library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        _ = library.sqlite3_vfs_find, library.sqlite3_randomness
    except (OSError, AttributeError):
        return None
    return library
