"""The states that an episode went through, kept so that it can be forked at any call."""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from toolyard.world import Problem, World, unsynced
from toolyard.world.databases import copy_database
from toolyard.world.hashing import Folder, Leaf
from toolyard.world.save import drafting
from toolyard.world.tree import clone_file, clone_or_stand_in, link_file

_ENTRY_BYTES = 256
"""About what one more name of a file takes on the disk."""


class States:
    """States by their hash, each file once and each folder's list once, so that keeping one costs what changed.

    Below `directory`: ``files/<version>``, hard links to files or copies of them; ``folders/<id>``, what a folder held;
    ``<state>.json``, its two outermost folders.

    Attributes:
        max_bytes: how much all may take; a state that does not fit is not kept.
    """

    def __init__(self, directory: Path, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._directory = directory
        self._kept_bytes = 0
        self._names: set[str] = set()

    def keep(self, state: str, folders: Mapping[Path, Folder], *, linked: bool) -> None:
        """Keep `folders`, as they were looked at and still are, under the hash `state`.

        `linked` says that files are only ever replaced. Where the disk or the share of it is full, nothing is kept.
        """
        if self._kept_bytes > self.max_bytes or self._place(f"{state}.json").exists():
            return
        with unsynced(), suppress(OSError, Problem, _Full):
            self._find_names()
            roots = {path.name: self._keep_folder(path, folder, linked) for path, folder in folders.items()}
            self._put(f"{state}.json", lambda draft: draft.write_text(json.dumps(roots), "utf-8"))

    def __contains__(self, state: str) -> bool:
        return self._place(f"{state}.json").exists()

    def restore(self, state: str, world: World, target: Path, *, linked: bool) -> World:
        """The world as it was in a state that is kept, at `target`.

        Raises:
            Problem: what was kept is not that state; a program has changed a file in place to which a link was kept.
        """
        roots: dict[str, str] = json.loads(self._place(f"{state}.json").read_text("utf-8"))

        def fill(root: Path) -> None:
            for name, folder in roots.items():
                self._build(folder, root / name, link_file if linked else clone_file)

        restored = world.rebuilt(target, fill)
        if not linked and restored.state_hash() != state:
            raise Problem("the state after that call was not kept: a program changed its files; fork at another call")
        return restored

    def _keep_folder(self, path: Path, folder: Folder, linked: bool) -> str:
        if not folder.kept:
            held: dict[str, Any] = {}
            for name, leaf in folder.leaves.items():
                held[name] = self._keep_leaf(path / name, leaf, linked)
            for name, below in folder.folders.items():
                held[name] = ["dir", self._keep_folder(path / name, below, linked)]
            listed = json.dumps(held).encode()
            identity = hashlib.sha256(listed).hexdigest()
            self._put(f"folders/{identity}", lambda draft: draft.write_bytes(listed), len(listed))
            folder.kept = identity
        return folder.kept

    def _keep_leaf(self, path: Path, leaf: Leaf, linked: bool) -> list[str]:
        if not leaf.version:
            return ["link", leaf.line.removeprefix("link ")]
        copy = copy_database if leaf.database else link_file if linked else clone_or_stand_in
        self._put(f"files/{leaf.version}", lambda draft: copy(path, draft), leaf.size + _ENTRY_BYTES)
        return ["database" if leaf.database else "file", leaf.version]

    def _build(self, identity: str, target: Path, copy_file: Callable[[Path, Path], None]) -> None:
        target.mkdir()
        held = json.loads(self._place(f"folders/{identity}").read_bytes())
        for name, (kind, value) in held.items():
            if kind == "dir":
                self._build(value, target / name, copy_file)
            elif kind == "link":
                (target / name).symlink_to(value)
            else:
                # A database is edited in place.
                copy = clone_file if kind == "database" else copy_file
                copy(self._place(f"files/{value}"), target / name)

    def _put(self, name: str, write: Callable[[Path], object], size: int = 0) -> None:
        if name in self._names:
            return
        if self._kept_bytes + size > self.max_bytes:
            self._kept_bytes += size
            raise _Full
        place = self._place(name)
        with drafting(place) as draft:
            write(draft)
            draft.rename(place)
        self._names.add(name)
        self._kept_bytes += size

    def _find_names(self) -> None:
        """What an earlier process kept."""
        if not self._names:
            for kind in ("files", "folders"):
                place = self._place(kind)
                place.mkdir(parents=True, exist_ok=True)
                self._names |= {f"{kind}/{path.name}" for path in place.iterdir()}

    def _place(self, name: str) -> Path:
        return self._directory / name


class _Full(Exception):
    """The share of the disk is used up."""
