"""Make, move, copy and delete files, folders and links. A link is moved, copied or deleted itself, never its target."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from yardkit.servers.files.engine.listing import get_relative_name, walk_folder
from yardkit.world import Problem, World, lock_file, save_atomically
from yardkit.world.guard import note_changed, room_for
from yardkit.world.save import hold_draft, make_parents
from yardkit.world.tree import MAX_DEPTH, MAX_RELATIVE_BYTES, clone_file, copy_tree, within_reach


@dataclass(frozen=True)
class Done:
    """What was done to the workspace.

    Attributes:
        path: where the result is (or, deleted, was), relative to the workspace.
        source: where it came from; null if it was made or deleted.
        entries: how many files, folders and links it concerns.
    """

    action: Literal["made", "moved", "copied", "deleted", "was there already"]
    path: str
    source: str | None
    entries: int

    def __str__(self) -> str:
        source = f"{self.source} -> " if self.source else ""
        return f"{self.action}: {source}{self.path} ({self.entries} {'entry' if self.entries == 1 else 'entries'})"


def make_folder(world: World, path: Path) -> Done:
    """Make a folder with its parents; one that is there already is no error."""
    there = path.is_dir()
    with _translate_problems("make", path), make_parents(path):
        if not there:
            with room_for(path):
                path.mkdir(parents=True, exist_ok=True)
                note_changed(path)
    return Done("was there already" if there else "made", get_relative_name(world, path), None, 1)


def move_path(world: World, source: Path, target: Path, *, overwrite: bool = False) -> Done:
    """Move or rename in one step; missing parents of the target are made.

    Raises:
        Problem: the target is there and not to be replaced, or lies inside the source.
    """
    with _both_locked(world, source, target), _translate_problems("move", source):
        _check_target(world, source, target, overwrite)
        _check_reach(world, source, target)
        entries = _count_entries(source)
        with make_parents(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)
            note_changed(source, target)
    return Done("moved", get_relative_name(world, target), get_relative_name(world, source), entries)


def copy_path(world: World, source: Path, target: Path, *, overwrite: bool = False) -> Done:
    """Copy a file, a link or a whole folder; the copy appears in one step.

    Raises:
        Problem: the target is there and not to be replaced, or lies inside the source, or the disk is full.
    """
    with _both_locked(world, source, target), _translate_problems("copy", source):
        _check_target(world, source, target, overwrite)
        _check_reach(world, source, target)
        if not (source.is_symlink() or source.is_dir() or source.is_file()):
            raise Problem(
                f"{get_relative_name(world, source)!r} is a pipe, socket or device; only files and folders are copied"
            )
        with save_atomically(target) as draft:
            if source.is_symlink():
                draft.symlink_to(source.readlink())
            elif source.is_dir():
                copy_tree(source, draft, clone_file)
            else:
                clone_file(source, draft)
    return Done("copied", get_relative_name(world, target), get_relative_name(world, source), _count_entries(target))


def delete_path(world: World, path: Path, *, recursive: bool = False) -> Done:
    """Delete a file, a link or an empty folder; a folder with its content only if `recursive`.

    It is gone in one step: a folder is renamed out of sight before its content is removed.

    Raises:
        Problem: a folder is not empty and `recursive` is false.
    """
    is_folder = path.is_dir() and not path.is_symlink()
    with lock_file(path, world.locks), _translate_problems("delete", path):
        entries = _count_entries(path)
        if is_folder and entries > 1 and not recursive:
            raise Problem(
                f"the folder {get_relative_name(world, path)!r} is not empty ({entries - 1} entries); set recursive to"
                " delete it"
            )
        if is_folder:
            with hold_draft(path) as draft:
                path.rename(draft)
        else:
            path.unlink()
        note_changed(path)
    return Done("deleted", get_relative_name(world, path), None, entries)


def _check_target(world: World, source: Path, target: Path, overwrite: bool) -> None:
    if target == source:
        raise Problem(f"{get_relative_name(world, source)!r} is both source and target; choose another target")
    if target.is_relative_to(source):
        raise Problem(
            f"{get_relative_name(world, target)!r} is inside {get_relative_name(world, source)!r}; choose a target"
            " outside it"
        )
    if not os.path.lexists(target):
        return
    if target.is_dir() and not target.is_symlink():
        inside = f"{get_relative_name(world, target)}/{source.name}"
        raise Problem(
            f"{get_relative_name(world, target)!r} is a folder; to move into it use {inside!r}, to replace it delete it"
            " first"
        )
    if source.is_dir() and not source.is_symlink():
        raise Problem(f"{get_relative_name(world, target)!r} is a file and a folder cannot replace it; delete it first")
    if not overwrite:
        raise Problem(
            f"{get_relative_name(world, target)!r} already exists; set overwrite to replace it, or choose another"
            " target"
        )


def _check_reach(world: World, source: Path, target: Path) -> None:
    below = [entry.path for entry, _ in walk_folder(source)] if source.is_dir() and not source.is_symlink() else []
    for path in below:
        inner = (target / Path(path).relative_to(source)).relative_to(world.files)
        if not within_reach(inner):
            raise Problem(
                f"{get_relative_name(world, source)!r} has entries that would be nested too deep there: the limits "
                f"are {MAX_DEPTH} folders and {MAX_RELATIVE_BYTES:,} bytes of path; choose a target "
                "nearer to the top"
            )


def _count_entries(path: Path) -> int:
    if path.is_symlink() or not path.is_dir():
        return 1
    return 1 + sum(1 for _ in walk_folder(path))


@contextmanager
def _both_locked(world: World, first: Path, other: Path) -> Iterator[None]:
    """Both locks, always taken in the same order, so that two calls cannot wait for each other."""
    with ExitStack() as stack:
        for path in sorted({first, other}):
            stack.enter_context(lock_file(path, world.locks))
        yield


@contextmanager
def _translate_problems(verb: str, path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, shutil.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise Problem(f"cannot {verb} {path.name!r}: {reason}; nothing was changed") from error
