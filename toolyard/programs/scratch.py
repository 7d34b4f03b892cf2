"""The scratch tree that isolated code works in: what it sees of a workspace, and what is taken out of it afterwards."""

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from toolyard.world.problem import Problem
from toolyard.world.save import SAVE_PREFIX, saving
from toolyard.world.tree import MAX_DEPTH, clone_file, entries, folders, within_reach

_MAX_COPY_BYTES = 8_000_000
_MAX_COPIES_BYTES = 64_000_000
_Known = tuple[int, int, int]


@dataclass
class Scratch:
    """A writable tree at `tree` that shows the workspace: real directories, copies of small files, links to large ones.

    A link points below `seen_at`, where the isolated code sees the workspace read-only. Nothing written here reaches
    the workspace, whose files may be shared by hard links with other worlds.

    Attributes:
        owner: uid and gid that the code runs as, when it is not ours.
    """

    tree: Path
    workspace: Path
    seen_at: str
    owner: int | None = None
    known: dict[Path, _Known] = field(default_factory=dict)
    copied_bytes: int = 0

    def build(self) -> None:
        self.tree.mkdir()
        self._own(self.tree)
        self._build(self.workspace, self.tree, depth=0)

    def _build(self, source: Path, target: Path, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise Problem(
                f"{source.name!r} lies more than {MAX_DEPTH} folders deep; code cannot run over this workspace"
            )
        for entry in entries(source):
            here, there = Path(entry.path), target / entry.name
            if entry.is_symlink():
                there.symlink_to(here.readlink())
            elif entry.is_dir():
                there.mkdir()
                self._own(there)
                self._build(here, there, depth + 1)
            elif entry.is_file() and os.access(here, os.R_OK):
                self._show(here, there, entry.stat().st_size)

    def _show(self, here: Path, there: Path, size: int) -> None:
        small = size <= _MAX_COPY_BYTES and self.copied_bytes + size <= _MAX_COPIES_BYTES
        if small or not self._readable_inside(here):
            clone_file(here, there)
            there.chmod(stat.S_IMODE(there.stat().st_mode) | 0o600)
            self._own(there)
            self.copied_bytes += size
        else:
            there.symlink_to(Path(self.seen_at) / here.relative_to(self.workspace))
        self.known[there] = _fingerprint(there)

    def _readable_inside(self, path: Path) -> bool:
        """Whether the other user that the code runs as can follow a link to `path`."""
        if self.owner is None:
            return True
        folders = [path.parent, *(p for p in path.parent.parents if p.is_relative_to(self.workspace))]
        return bool(path.stat().st_mode & 0o004) and all(folder.stat().st_mode & 0o001 for folder in folders)

    def _own(self, path: Path) -> None:
        if self.owner is not None:
            os.chown(path, self.owner, self.owner)

    def written(self) -> list[Path]:
        """The new and changed regular files, relative to the tree, in name order; for after the last process ended."""
        return sorted(path.relative_to(self.tree) for path in _regular_files(self.tree) if self._changed(path))

    def _changed(self, path: Path) -> bool:
        known = self.known.get(path)
        if known is None:
            return True
        return known != _fingerprint(path) and not _same_bytes(path, self.workspace / path.relative_to(self.tree))

    def usage(self, enough: int) -> tuple[int, int]:
        """How many entries and bytes the code added; counting stops at `enough` entries."""
        count = size = 0
        for entry in _all_entries(self.tree):
            path = Path(entry.path)
            if path not in self.known:
                count += 1
            try:
                size += entry.stat(follow_symlinks=False).st_size
            except OSError:
                continue
            if count > enough:
                break
        return count, size - self.copied_bytes

    def collect(self, target: Path) -> list[Path]:
        """Save what was written below `target`, whole or not at all per file, and name the files there."""
        saved = []
        for relative in self.written():
            place = target / relative
            if not Path(os.path.realpath(place.parent)).is_relative_to(target.resolve()):
                raise Problem(
                    f"the code wrote {str(relative)!r}, whose folder is a link out of the workspace; rename it"
                )
            if not within_reach(relative):
                raise Problem(f"the code wrote {str(relative)[:100]!r}..., which lies too deep; use fewer folders")
            with saving(place) as draft:
                shutil.copyfile(self.tree / relative, draft)
            saved.append(place)
        return saved


def _regular_files(directory: Path) -> Iterator[Path]:
    for folder in folders(directory):
        for entry in os.scandir(folder):
            if entry.is_file(follow_symlinks=False) and _usable_name(entry.name):
                yield Path(entry.path)


def _usable_name(name: str) -> bool:
    return not name.startswith(SAVE_PREFIX) and name.isprintable()


def _all_entries(directory: Path) -> Iterator[os.DirEntry[str]]:
    stack = [str(directory)]
    while stack:
        try:
            with os.scandir(stack.pop()) as scan:
                found = list(scan)
        except OSError:
            continue
        yield from found
        stack += [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]


def _fingerprint(path: Path) -> _Known:
    # The change time cannot be set by a program, unlike the modification time.
    status = path.lstat()
    return status.st_ino, status.st_size, status.st_ctime_ns


def _same_bytes(one: Path, other: Path) -> bool:
    if one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as left, other.open("rb") as right:
        while chunk := left.read(1 << 20):
            if chunk != right.read(1 << 20):
                return False
    return True
