"""Files that are not to be replaced: read-only ones, and office files that another program has open."""

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

    Those programs put a file beside an open one, ``~$name`` or ``.~lock.name#``, with the name of who opened it.

    Raises:
        Problem: so it is; it says how the file becomes free.
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
    """Where the lock file may stand; Word leaves out the first letters of long names in its own."""
    yield path.with_name(f".~lock.{path.name}#")
    yield path.with_name(f"~${path.name}")
    if path.suffix.lower().startswith(".do") and len(path.stem) >= _LONG_STEM:
        yield path.with_name(f"~${path.name[2 if len(path.stem) >= _LONGER_STEM else 1 :]}")


def _read_lock_owner(lock: Path) -> str:
    """Who opened the file, as the lock file says: fields with commas, or a length and that many letters."""
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
