"""Files that must not be replaced: read-only ones, and office files that another program has open."""

import stat
from collections.abc import Iterator
from pathlib import Path

from yardkit.world.problem import Problem

_OFFICE = (".doc", ".dot", ".xls", ".xlt", ".ppt", ".pot", ".pps", ".odt", ".ods", ".odp")
"""How the suffixes of office files begin: .docx and .docm too."""
_MAX_LOCK_BYTES = 4_000
_LONG_STEM, _LONGER_STEM = 7, 8


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
