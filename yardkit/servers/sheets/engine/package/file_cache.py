"""What is known of workbook files as they stand: shared by all threads, bounded, forgotten when a file changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.servers.sheets.engine.package.sheet_source import Source

MAX_BYTES = 300_000_000
MAX_FILES = 16
Version = tuple[int, int, int, int, int]
"""Device, inode, times of change of what is in it and of its inode in nanoseconds, size: another one when a file was
saved anew, also where the inode of a file that was removed was given to one of the same size and date."""


@dataclass(eq=False)
class Known:
    """What is known of one version of a file, which never changes; others may keep more with it, by its identity.

    Attributes:
        sources: sheet parts by name.
        strings: the shared strings.
    """

    sources: dict[str, Source] = field(default_factory=dict)
    strings: list[str] | None = None

    def size(self) -> int:
        """Roughly the bytes that it holds."""
        texts = 60 * len(self.strings or ())
        return texts + sum(len(source.data) + 80 * len(source.starts) for source in self.sources.values())


_known: OrderedDict[Version, Known] = OrderedDict()
_lock = threading.Lock()


def version_of(path: Path) -> Version:
    file_status = path.stat()
    return file_status.st_dev, file_status.st_ino, file_status.st_mtime_ns, file_status.st_ctime_ns, file_status.st_size


def recall_version(version: Version) -> Known:
    """What is known of a version; at first nothing."""
    with _lock:
        entry = _known.setdefault(version, Known())
        _known.move_to_end(version)
        _trim_cache()
        return entry


def remember_version(version: Version, entry: Known, instead_of: Version | None = None) -> None:
    """Put what is known of a new version in the place of the old one's."""
    with _lock:
        if instead_of is not None:
            _known.pop(instead_of, None)
        _known[version] = entry
        _known.move_to_end(version)
        _trim_cache()


def list_latest() -> list[Known]:
    """What is known of all versions, the one that was asked for last first."""
    with _lock:
        return list(reversed(_known.values()))


def _trim_cache() -> None:
    while len(_known) > 1 and (len(_known) > MAX_FILES or sum(entry.size() for entry in _known.values()) > MAX_BYTES):
        _known.popitem(last=False)
