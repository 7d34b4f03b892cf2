"""Several files that are one change: all of it happens, or none, whatever fails and whoever is killed.

Beside the world's state stands ``.changing/log`` while a change runs, a line for each path before it is changed, and
hard links to what was there. The change is done when the log is gone; what fails or is killed halfway is undone.
"""

import errno
import itertools
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from yardkit.world.guard import is_changing, note_undone, use_guard
from yardkit.world.problem import Problem, is_full, reason_of
from yardkit.world.save import lock_file

_LOG = "log"


class UndoLog:
    """The paths of a world that a change is about to change, and what was there. Made when the first is noted.

    They lie below `root`, or below `files`, which may be a user's folder elsewhere.
    """

    def __init__(self, root: Path, files: Path) -> None:
        self.root, self.files, self.folder = root, files, root / ".changing"
        self._count = itertools.count()

    def keep(self, path: Path) -> None:
        """Note what stands at `path`, with all that is in it, before it is written, moved or removed.

        Raises:
            Problem: the disk is full.
        """
        if not path.is_relative_to(self.root) and not path.is_relative_to(self.files):
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for missing in reversed([parent for parent in path.parents if not parent.exists()]):
                self._write_line(missing, "")
            self._keep_entry(path)
            for entry in sorted(path.rglob("*")) if path.is_dir() and not path.is_symlink() else ():
                self._keep_entry(entry)
        except OSError as error:
            raise Problem(
                f"cannot change {path.name!r}: {reason_of(error)}; nothing was changed. Free disk space, then try again"
            ) from error

    def undo(self) -> bool:
        """Put back what was there, the last change first; whether all of it is back.

        What cannot be put back now stays beside the world, so that it can be tried again.
        """
        lines = self._read_lines()
        for relative, name in reversed(lines):
            path = self.root / relative
            with suppress(OSError):  # what is put back already, or stands in a folder that is in use
                if name == "/":
                    path.mkdir(parents=True, exist_ok=True)
                elif name:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    _put_back(self.folder / name, path)
                elif path.is_dir() and not path.is_symlink():
                    path.rmdir()
                else:
                    path.unlink()
                note_undone(path)
        if any(os.path.lexists(self.folder / name) for _, name in lines if name not in ("", "/")):
            return False
        self.forget()
        return True

    def forget(self) -> None:
        """The change is done: what it replaced is gone for good."""
        (self.folder / _LOG).unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _keep_entry(self, path: Path) -> None:
        if path.is_dir() and not path.is_symlink():
            self._write_line(path, "/")
        elif os.path.lexists(path):
            name = str(next(self._count))
            try:
                os.link(path, self.folder / name, follow_symlinks=False)
            except OSError as error:  # a file system without hard links
                if is_full(error):
                    raise
                shutil.copy2(path, self.folder / name, follow_symlinks=False)
            self._write_line(path, name)
        else:
            self._write_line(path, "")

    def _write_line(self, path: Path, name: str) -> None:
        # Not synced: a process that is killed leaves it, and a power failure may take the change itself, too.
        with (self.folder / _LOG).open("ab", buffering=0) as log:
            place = path.relative_to(self.root) if path.is_relative_to(self.root) else path
            line = json.dumps([place.as_posix(), name]).encode() + b"\n"
            if log.write(line) != len(line):
                raise OSError(28, "the disk is full")

    def _read_lines(self) -> list[tuple[str, str]]:
        try:
            lines = (self.folder / _LOG).read_bytes().split(b"\n")[:-1]
        except OSError:
            return []
        return [tuple(json.loads(line)) for line in lines if line.endswith(b"]")]


def _put_back(link: Path, path: Path) -> None:
    try:
        link.replace(path)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copy2(link, path, follow_symlinks=False)  # a user's folder on another file system
    # Of two links to one file, which is unchanged then, none is replaced.
    link.unlink(missing_ok=True)


@contextmanager
def change_together(root: Path, files: Path, locks: Path) -> Iterator[None]:
    """Let the body change what is below `root` or `files` as one: if it raises or dies, all is what it was.

    One such change runs at a time in a world; take its lock before others. A change within a change is part of it.
    """
    if is_changing():
        yield
        return
    with lock_file(root / ".changing", locks):
        log = UndoLog(root, files)
        if not log.undo():
            raise Problem("an earlier change that was cut off cannot be undone now; free disk space, then try again")
        try:
            with use_guard(undo=log):
                yield
        except BaseException:
            log.undo()
            raise
        log.forget()


def undo_unfinished(root: Path, files: Path, locks: Path) -> None:
    """Undo a change that a killed process left half done, unless another process is at it."""
    if (root / ".changing").exists():
        with suppress(Problem), lock_file(root / ".changing", locks, wait_s=0):
            UndoLog(root, files).undo()
