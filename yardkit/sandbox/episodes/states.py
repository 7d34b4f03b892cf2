"""The states that an episode went through, kept so that it can be forked at any call."""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from yardkit.sandbox.episodes.ledger import append_lines, parse_lines, read_complete_lines
from yardkit.world import Problem, World, skip_syncing
from yardkit.world.hashing import Folder, Leaf
from yardkit.world.save import hold_draft
from yardkit.world.tree import clone_file, clone_or_stand_in, copy_database, link_file

_LISTS = "kept.jsonl"
_ENTRY_BYTES = 256
"""About what one more name of a file takes on the disk."""


class States:
    """States by their hash. Each file and each folder's list is stored once, so keeping a state costs only its changes.

    Below `directory`: ``files/<version>``, hard links to files or copies of them; ``kept.jsonl``, a line for each
    folder version, with its contents, and one for each state, with its outermost folders.

    Attributes:
        max_bytes: the limit on the size of all states; a state that does not fit is not kept.
    """

    def __init__(self, directory: Path, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._directory = directory
        self._kept_bytes = 0
        self._names: set[str] = set()

    def keep(self, state: str, folders: Mapping[Path, Folder], *, linked: bool) -> None:
        """Keep `folders`, as they were listed and still are, under the hash `state`.

        `linked` says that files are only ever replaced, so hard links suffice. If the disk or its share is full,
        nothing is kept.
        """
        if self._kept_bytes > self.max_bytes or state in self:
            return
        fresh: dict[str, tuple[Folder | None, bytes]] = {}
        with skip_syncing(), suppress(OSError, Problem, _Full):
            roots = {path.name: self._keep_folder(path, folder, linked, fresh) for path, folder in folders.items()}
            self._write_lines({**fresh, state: (None, _encode_line(state, roots))})

    def __contains__(self, state: str) -> bool:
        if not self._names:
            self._names = {*self._read_lists(), *(path.name for path in self._directory.glob("files/*"))}
        return state in self._names

    def restore(self, state: str, world: World, target: Path, *, linked: bool) -> World:
        """Restore a kept state of the world at `target`.

        Raises:
            Problem: the kept files no longer match the state, because a program changed a linked file in place.
        """
        lists = self._read_lists()

        def fill(root: Path) -> None:
            for name, folder in lists[state].items():
                self._build_folder(lists, folder, root / name, link_file if linked else clone_file)

        restored = world.rebuild(target, fill)
        if not linked and restored.state_hash() != state:
            raise Problem("the state after that call was not kept: a program changed its files; fork at another call")
        return restored

    def _keep_folder(
        self, path: Path, folder: Folder, linked: bool, fresh: dict[str, tuple[Folder | None, bytes]]
    ) -> str:
        if folder.stored_digest:
            return folder.stored_digest
        folder_entries: dict[str, Any] = {}
        for name, leaf in folder.leaves.items():
            folder_entries[name] = self._keep_leaf(path / name, leaf, linked)
        for name, below in folder.folders.items():
            folder_entries[name] = ["dir", self._keep_folder(path / name, below, linked, fresh)]
        identity = hashlib.sha256(json.dumps(folder_entries).encode()).hexdigest()
        if identity not in self._names:
            fresh[identity] = folder, _encode_line(identity, folder_entries)
        return identity

    def _keep_leaf(self, path: Path, leaf: Leaf, linked: bool) -> list[str]:
        if not leaf.version:
            return ["link", leaf.line.removeprefix("link ")]
        if leaf.version not in self._names:
            self._count_size(leaf.size + _ENTRY_BYTES)
            place = self._directory / "files" / leaf.version
            place.parent.mkdir(parents=True, exist_ok=True)
            if linked and not leaf.database:
                link_file(path, place)
            else:
                with hold_draft(place) as draft:
                    (copy_database if leaf.database else clone_or_stand_in)(path, draft)
                    draft.rename(place)
            self._names.add(leaf.version)
        return ["database" if leaf.database else "file", leaf.version]

    def _write_lines(self, lines: Mapping[str, tuple[Folder | None, bytes]]) -> None:
        data = b"".join(line for _, line in lines.values())
        self._count_size(len(data))
        append_lines(self._directory / _LISTS, data)
        for name, (folder, _) in lines.items():
            self._names.add(name)
            if folder is not None:
                folder.stored_digest = name

    def _count_size(self, size: int) -> None:
        """Add the size of a kept file.

        Raises:
            _Full: the limit is exceeded.
        """
        self._kept_bytes += size
        if self._kept_bytes > self.max_bytes:
            raise _Full

    def _read_lists(self) -> dict[str, Any]:
        return dict(parse_lines(read_complete_lines(self._directory / _LISTS)))

    def _build_folder(
        self, lists: Mapping[str, Any], folder: str, target: Path, copy_file: Callable[[Path, Path], None]
    ) -> None:
        target.mkdir()
        for name, (kind, value) in lists[folder].items():
            if kind == "dir":
                self._build_folder(lists, value, target / name, copy_file)
            elif kind == "link":
                (target / name).symlink_to(value)
            else:
                # A database is edited in place, so a hard link would change with it.
                copy = clone_file if kind == "database" else copy_file
                copy(self._directory / "files" / value, target / name)


class _Full(Exception):
    """The episode's share of the disk is used up."""


def _encode_line(name: str, folder_entries: Mapping[str, Any]) -> bytes:
    return json.dumps([name, folder_entries]).encode() + b"\n"
