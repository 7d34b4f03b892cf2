"""The folder for temporary files of this process and its children, deleted however the process ends."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

PREFIX = "yardkit-tmp-"
_REMOVER = 'read -r _; for try in $(seq 60); do rm -rf -- "$0" && break; sleep 0.3; done'
"""What the shell does: wait for our end, then remove the folder; programs that end with us may still write into it."""
_open_files: list[int] = []
"""Open files that the system closes when this process ends."""


def own_temporary_folder() -> Path:
    """Put all temporary files of this process from now on into a folder that is removed when the process ends.

    A waiting shell removes it even after a signal that cannot be caught. Folders left by a power failure or the end of
    a container are removed by the next process that calls this; a lock shows whether the owner still lives.
    """
    usual = Path(tempfile.gettempdir())
    if usual.name.startswith(PREFIX):  # it belongs to an ancestor, which outlives us
        return usual
    sweep_folders(usual)
    folder, lock = _locked_folder(usual)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    waits, open_end = os.pipe()
    remover = subprocess.Popen(  # noqa: S603 - our own command
        ["/bin/sh", "-c", _REMOVER, str(folder)],
        stdin=waits,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(waits)
    _open_files.extend((lock, open_end))
    remover.returncode = 0  # it outlives this process, so avoid the warning about an unawaited child
    return folder


def sweep_folders(usual: Path) -> None:
    """Remove the folders of processes of this user that have ended."""
    for folder in usual.glob(f"{PREFIX}*"):
        with suppress(OSError):
            lock = _lock_folder(folder)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _locked_folder(usual: Path) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=usual))
        # Before it is locked, another process that sweeps may take the folder for an abandoned one.
        with suppress(OSError):
            lock = _lock_folder(folder)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _lock_folder(folder: Path) -> int:
    """Lock the folder and return it as an open file.

    Raises:
        OSError: another process holds it, or it is gone or a link.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        raise
    return opened
