"""Several files that are one change: all of it happens, or none, whatever fails and whoever is killed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from yardkit.world.problem import Problem
from yardkit.world.save import lock_file
from yardkit.world.undo_log import UndoLog, is_changing, use_undo_log


@contextmanager
def change_together(root: Path, files: Path, locks: Path) -> Iterator[None]:
    """Let the body change what is below `root` or `files` as one: if it raises or dies, all is what it was.

    One such change runs at a time in a world; take its lock before others. A change within a change is part of it.
    """
    if is_changing():
        yield
        return
    with lock_file(root / ".changing", locks):
        if not UndoLog(root, files).undo():
            raise Problem("an earlier change that was cut off cannot be undone now; free disk space, then try again")
        with use_undo_log(UndoLog(root, files)):
            yield


def undo_unfinished(root: Path, files: Path, locks: Path) -> None:
    """Undo a change that a killed process left half done, unless another process is at it."""
    if (root / ".changing").exists():
        with suppress(Problem), lock_file(root / ".changing", locks, wait_s=0):
            UndoLog(root, files).undo()
