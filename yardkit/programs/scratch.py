"""The scratch tree of isolated code: its view of a workspace, and the files taken out afterwards."""

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.world.guard import before_change, note_changed, room_for
from yardkit.world.problem import Problem
from yardkit.world.save import SAVE_PREFIX, save_atomically
from yardkit.world.tree import MAX_DEPTH, clone_file, link_file, list_entries, within_reach

_MAX_COPY_BYTES = 8_000_000
_MAX_COPIES_BYTES = 64_000_000
_MAX_COMPLETE_BYTES = 1_000_000_000
_LONGEST_OPENED = 1_000
"""Characters of a path that the system surely takes at once."""
MAX_PATH_LENGTH = 20_000
"""Characters of a path up to which folders are opened: how long that takes grows with their square."""
_Known = tuple[int, int, int]


@dataclass
class Scratch:
    """A writable tree at `tree` that shows the workspace: real directories, copies of small files, links to large ones.

    A link points below `seen_at`, where the isolated code sees the workspace read-only. Nothing written here reaches
    the workspace, whose files may be shared by hard links with other worlds.

    Attributes:
        owner: uid and gid that the code runs as, when it is not ours.
        complete: large files are copies, too, for programs to which a link is another thing than its file.
        known: the files that the tree shows, as they were then.
        folders: all entries that it shows, and which of them are folders.
        outward: links of the workspace that already led out of it.
        unkept: new links that are not kept, since they are absolute or lead out of the workspace.
    """

    tree: Path
    workspace: Path
    seen_at: str
    owner: int | None = None
    complete: bool = False
    known: dict[Path, _Known] = field(default_factory=dict)
    folders: dict[Path, bool] = field(default_factory=dict)
    outward: set[Path] = field(default_factory=set)
    unkept: list[Path] = field(default_factory=list)
    copied_bytes: int = 0

    def build(self, *, empty: bool = False) -> None:
        """Make the tree; `empty` where the code only reads the workspace."""
        self.tree.mkdir()
        self._change_owner(self.tree)
        if not empty:
            self._build_folder(self.workspace, self.tree, depth=0)

    def _build_folder(self, source: Path, target: Path, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise Problem(f"{source.name!r} is more than {MAX_DEPTH} folders deep; code cannot run over this workspace")
        for entry in list_entries(source):
            here, there = Path(entry.path), target / entry.name
            self.folders[there] = entry.is_dir(follow_symlinks=False)
            if entry.is_symlink():
                there.symlink_to(here.readlink())
                if _leads_out(here, self.workspace):
                    self.outward.add(here)
            elif entry.is_dir():
                there.mkdir()
                self._change_owner(there)
                self._build_folder(here, there, depth + 1)
            elif entry.is_file() and os.access(here, os.R_OK):
                self._expose_file(here, there, entry.stat().st_size)

    def _expose_file(self, here: Path, there: Path, size: int) -> None:
        if self.complete and self.copied_bytes + size > _MAX_COMPLETE_BYTES:
            raise Problem(
                f"{self.workspace.name!r} holds more than {_MAX_COMPLETE_BYTES:,} bytes, too much to be changed"
            )
        small = self.complete or (size <= _MAX_COPY_BYTES and self.copied_bytes + size <= _MAX_COPIES_BYTES)
        if small or not self._readable_inside(here):
            clone_file(here, there)
            there.chmod(stat.S_IMODE(there.stat().st_mode) | 0o600)
            self._change_owner(there)
            self.copied_bytes += size
        else:
            there.symlink_to(Path(self.seen_at) / here.relative_to(self.workspace))
        self.known[there] = _make_fingerprint(there)

    def _readable_inside(self, path: Path) -> bool:
        """Whether the other user that the code runs as can follow a link to `path`."""
        if self.owner is None:
            return True
        folders = [path.parent, *(p for p in path.parent.parents if p.is_relative_to(self.workspace))]
        return bool(path.stat().st_mode & 0o004) and all(folder.stat().st_mode & 0o001 for folder in folders)

    def _change_owner(self, path: Path) -> None:
        if self.owner is not None:
            os.chown(path, self.owner, self.owner)

    def list_written(self) -> list[Path]:
        """The new and changed files, relative to the tree, in name order; for after the last process ended.

        A link to a large file of the workspace that was moved or copied is that file in its new place.

        Raises:
            Problem: one is nested too deeply to be kept, or has a name that is no Unicode text.
        """
        self._require_unicode_names()
        files, links = list(_regular_files(self.tree)), self._list_links()
        for path in files:
            if path not in self.known and not within_reach(relative := path.relative_to(self.tree)):
                raise Problem(
                    f"the code wrote {str(relative)[:100]!r}..., which is nested too deeply, so nothing was saved; "
                    "use fewer folders"
                )
        written_paths = [*files, *(path for path in links if self._find_linked(path))]
        return sorted(path.relative_to(self.tree) for path in written_paths if self._is_changed(path))

    def _require_unicode_names(self) -> None:
        """Refuse new names that no tool could be told: results are Unicode."""
        for path, entry in _walk_tree(self.tree):
            if not entry.name.isascii() and Path(path) not in self.folders and not _is_unicode(entry.name):
                name = os.fsencode(entry.name).decode("utf-8", "backslashreplace")
                raise Problem(
                    f"the code wrote {name[:100]!r}, whose name is not UTF-8 text, so nothing was saved; "
                    "give it another name"
                )

    def _list_links(self) -> list[Path]:
        return [Path(path) for path, entry in _walk_tree(self.tree) if entry.is_symlink()]

    def _find_linked(self, link: Path) -> Path | None:
        """Find the workspace file behind a link made by `_show`, even if the link was moved."""
        target = link.readlink()
        if not target.is_relative_to(self.seen_at):
            return None
        workspace_path = self.workspace / target.relative_to(self.seen_at)
        inside = Path(os.path.realpath(workspace_path)).is_relative_to(self.workspace)
        return workspace_path if inside and workspace_path.is_file() and _usable_name(link.name) else None

    def settle(self, last: str = "") -> tuple[list[Path], list[Path]]:
        """Make the workspace what the tree is: save what was written, remove what was removed, make new folders.

        Links that the code made are kept where they are relative and lead to places inside, others come to `unkept`; a
        link that leads out since then is removed. The folder `last` comes at the end, and takes its place in one step.
        Returns what was saved and what was removed, as paths of the workspace.

        Raises:
            Problem: a file cannot be saved there; those before it are, unless all of it is one change.
        """
        written = [path for path in self.list_written() if not last or path.parts[0] != last]
        gone = self._list_removed(last)
        in_the_way = [
            path
            for path in gone
            if any(
                path == written_path or path in written_path.parents or written_path in path.parents
                for written_path in written
            )
        ]
        self._remove_paths(in_the_way)
        saved = self._save_written(self.workspace, written)
        self._remove_paths([path for path in gone if path not in in_the_way])
        self._make_links(last)
        self._make_folders(last)
        if last:
            self.replace(last)
        return saved, [*(self.workspace / path for path in gone), *self._remove_outward_links()]

    def replace(self, folder: str = "") -> None:
        """Put a folder of the tree, or all of it, in the place of that of the workspace in one step.

        Raises:
            Problem: it cannot be saved there; nothing is changed.
        """
        with save_atomically(self.workspace / folder) as draft:
            self._fill_draft(self.tree / folder, draft)

    def _fill_draft(self, folder: Path, draft: Path) -> None:
        draft.mkdir()
        for entry in list_entries(folder):
            here, there = Path(entry.path), draft / entry.name
            if not _usable_name(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                self._fill_draft(here, there)
            elif self.known.get(here) == _make_fingerprint(here):
                link_file(self.workspace / here.relative_to(self.tree), there)
            elif source := self._find_linked(here) if entry.is_symlink() else here if entry.is_file() else None:
                shutil.copyfile(source, there)
                there.chmod(0o644 | (here.stat().st_mode & 0o111))

    def _list_removed(self, last: str) -> list[Path]:
        """What is no more of what the tree showed, outside of the folder `last`, relative and in name order."""
        gone: dict[Path, None] = {}
        for path in sorted(self.folders):
            relative = path.relative_to(self.tree)
            if (not last or relative.parts[0] != last) and (relative.parent in gone or self._is_gone(path)):
                gone[relative] = None
        return list(gone)

    def _is_gone(self, path: Path) -> bool:
        """Whether what the tree showed there is no more, or is a folder where a file was, or the other way round."""
        return not os.path.lexists(path) or self.folders[path] != (path.is_dir() and not path.is_symlink())

    def _remove_paths(self, gone: list[Path]) -> None:
        for relative in reversed(gone):
            path = self.workspace / relative
            before_change(path)
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
            elif os.path.lexists(path):
                path.unlink()
            note_changed(path)

    def _make_links(self, last: str) -> None:
        for link in self._list_links():
            relative = link.relative_to(self.tree)
            place, target = self.workspace / relative, link.readlink()
            ends = os.path.normpath(place.parent / target)
            same = place.is_symlink() and place.readlink() == target
            if same or relative.parts[0] == last or not all(map(_usable_name, relative.parts)):
                continue
            if target.is_absolute() or not Path(ends).is_relative_to(self.workspace):
                if not target.is_relative_to(self.seen_at):  # which stands for a large file
                    self.unkept.append(place)
                continue
            with save_atomically(place) as draft:
                draft.symlink_to(target)

    def _remove_outward_links(self) -> list[Path]:
        """Remove the links of the workspace that lead out of it only since the run; which of them it had before.

        By its words a link may be inside that another link on its way leads out, one that was there or is new.
        """
        places = [self.workspace / link.relative_to(self.tree) for link in self._list_links()]
        links = [place for place in places if place.is_symlink() and place not in self.outward]
        led_out = [place for place in links if _leads_out(place, self.workspace)]
        for place in led_out:
            before_change(place)
            place.unlink()
            note_changed(place)
        removed = [place for place in led_out if self.tree / place.relative_to(self.workspace) in self.folders]
        self.unkept += [place for place in led_out if place not in removed]
        return removed

    def _make_folders(self, last: str) -> None:
        for path, entry in _walk_tree(self.tree):
            relative = Path(path).relative_to(self.tree)
            if relative.parts[0] == last:
                continue
            place = self.workspace / relative
            usable = all(map(_usable_name, relative.parts)) and within_reach(relative)
            if entry.is_dir(follow_symlinks=False) and usable and not os.path.lexists(place):
                with room_for(place):
                    before_change(place)
                    place.mkdir(parents=True)
                    note_changed(place)

    def _is_changed(self, path: Path) -> bool:
        known = self.known.get(path)
        if known is None or path.is_symlink():
            return known != _make_fingerprint(path)
        was = self.workspace / path.relative_to(self.tree)
        return known != _make_fingerprint(path) and not (
            _same_bytes(path, was) and _is_executable(path) == _is_executable(was)
        )

    def measure_usage(self, enough: int) -> tuple[int, int, int]:
        """How many entries and bytes the code added, and the characters of the longest path.

        Counting stops at `enough` entries, and below paths of `MAX_PATH_LENGTH`.
        """
        count = size = longest = 0
        for path, entry in _walk_tree(self.tree):
            count += Path(path) not in self.known
            longest = max(longest, len(path))
            try:
                size += entry.stat(follow_symlinks=False).st_size
            except OSError:
                continue
            if count > enough:
                break
        return count, size - self.copied_bytes, longest

    def collect(self, target: Path) -> list[Path]:
        """Save what was written below `target`, whole or not at all per file, and name the files there."""
        return self._save_written(target, self.list_written())

    def _save_written(self, target: Path, written: list[Path]) -> list[Path]:
        saved = []
        for relative in written:
            place = target / relative
            if not Path(os.path.realpath(place.parent)).is_relative_to(target.resolve()):
                raise Problem(
                    f"the code wrote {str(relative)!r}, whose folder is a link out of the workspace; rename it"
                )
            scratch_path = self.tree / relative
            source = (self._find_linked(scratch_path) if scratch_path.is_symlink() else None) or scratch_path
            with save_atomically(place) as draft:
                shutil.copyfile(source, draft)
                draft.chmod(0o644 | (source.stat().st_mode & 0o111))
            if _is_executable(place) != _is_executable(source):  # it took the place, and the mode, of an older file
                place.chmod((place.stat().st_mode & ~0o111) | (source.stat().st_mode & 0o111))
            saved.append(place)
        return saved


def readable_by_others(directory: Path) -> bool:
    """Whether another user can read all that is in `directory`."""
    modes = (directory.stat(), *(entry.stat(follow_symlinks=False) for _, entry in _walk_tree(directory)))
    return all(
        mode & 0o004 and (mode & 0o001 or not stat.S_ISDIR(mode)) for mode in (status.st_mode for status in modes)
    )


def _regular_files(directory: Path) -> Iterator[Path]:
    for path, entry in _walk_tree(directory):
        if entry.is_file(follow_symlinks=False) and _usable_name(entry.name):
            yield Path(path)


def _leads_out(link: Path, directory: Path) -> bool:
    return not Path(os.path.realpath(link)).is_relative_to(os.path.realpath(directory))


def _usable_name(name: str) -> bool:
    return not name.startswith(SAVE_PREFIX)


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _walk_tree(directory: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """All entries below `directory` with their paths, up to `MAX_PATH_LENGTH`; each may be asked until the next."""
    stack = [str(directory)]
    while stack:
        folder = stack.pop()
        try:
            descriptor = _open_folder(folder)
        except OSError:
            continue
        try:
            with os.scandir(descriptor) as scan:
                entries = list(scan)
            for entry in entries:
                path = f"{folder}/{entry.name}"
                if len(path) <= MAX_PATH_LENGTH and entry.is_dir(follow_symlinks=False):
                    stack.append(path)
                yield path, entry
        finally:
            os.close(descriptor)


def _open_folder(path: str) -> int:
    """A descriptor of a folder, made listable, whose path may be longer than the system takes at once."""
    parent = None
    while path:
        cut = path.rfind("/", 1, _LONGEST_OPENED) if len(path) > _LONGEST_OPENED else len(path)
        part, path = path[:cut], path[cut + 1 :]
        try:
            descriptor = _open_listable(part, parent)
        finally:
            if parent is not None:
                os.close(parent)
        parent = descriptor
    assert parent is not None  # noqa: S101 - no path is empty
    return parent


def _open_listable(part: str, parent: int | None) -> int:
    flags = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(part, flags | os.O_RDONLY, dir_fd=parent)
    except PermissionError:
        handle = os.open(part, flags | os.O_PATH, dir_fd=parent)
    try:
        # By the descriptor: the code may put a link in the place of its folder at any time.
        Path(f"/proc/self/fd/{handle}").chmod(0o700)
    finally:
        os.close(handle)
    return os.open(part, flags | os.O_RDONLY, dir_fd=parent)


def _make_fingerprint(path: Path) -> _Known:
    # The change time cannot be set by a program, unlike the modification time.
    status = path.lstat()
    return status.st_ino, status.st_size, status.st_ctime_ns


def _is_executable(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o100)


def _same_bytes(first: Path, other: Path) -> bool:
    if first.stat().st_size != other.stat().st_size:
        return False
    with first.open("rb") as left, other.open("rb") as right:
        while chunk := left.read(1 << 20):
            if chunk != right.read(1 << 20):
                return False
    return True
