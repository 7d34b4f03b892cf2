"""A disk that is nearly full."""

import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOM = 200_000
"""Bytes that one file may still have, about."""


@contextmanager
def scarce_disk(directory: Path) -> Iterator[Path]:
    """`directory` on a tmpfs with room for `ROOM` bytes; who may not mount gets a limit on the size of each file."""
    directory.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(directory)]
    if os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        try:
            yield directory
        finally:
            subprocess.run(["umount", "-l", str(directory)], check=True)
        return
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, before[1]))
    try:
        yield directory
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def fill_disk(directory: Path, room: int = ROOM) -> None:
    """Leave about `room` bytes on the disk of `directory`; on a disk that is not small nothing needs filling."""
    free = os.statvfs(directory)
    left = free.f_bavail * free.f_frsize - room
    if free.f_blocks * free.f_frsize < 10_000_000 and left > 0:
        (directory / "ballast").write_bytes(bytes(left))
