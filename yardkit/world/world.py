"""World: a directory that contains all state."""

import hashlib
import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from yardkit.world.guard import note_changed
from yardkit.world.hashing import TreeHasher
from yardkit.world.problem import Problem, reason_of
from yardkit.world.save import hold_draft, save_text, skip_syncing
from yardkit.world.tree import clone_or_stand_in, copy_tree, link_file, remove_tree
from yardkit.world.undo_log import change_together, undo_unfinished

DEFAULT_NOW = "2026-03-16T09:00:00+00:00"


@dataclass(frozen=True)
class World:
    """The workspace that an agent sees (`files`), the state of apps (`apps`) and the identity (`world.json`).

    A world made by `create` is a directory ``root`` with ``files/``, ``apps/`` and ``world.json``. One opened by
    `open_user_folder` is the user's own folder: ``files`` is that folder, nothing is added to it, and its clock is the
    machine's.
    """

    root: Path
    files: Path
    task: str
    seed: int
    frozen_now: str

    @classmethod
    def create(cls, root: Path, *, task: str, seed: int, now: str = DEFAULT_NOW) -> "World":
        """Make an empty world at `root`, which must not exist or be empty."""
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise Problem(f"cannot create a world at {str(root)!r}: it is not an empty directory; name a new one")
        parse_time(now)
        (root / "files").mkdir(parents=True)
        (root / "apps").mkdir()
        save_text(root / "world.json", json.dumps({"task": task, "seed": seed, "now": now}, indent=2) + "\n")
        return cls.open(root)

    @classmethod
    def open(cls, root: Path) -> "World":
        """Open the world at `root`."""
        root = root.resolve()
        try:
            facts = json.loads((root / "world.json").read_text("utf-8"))
            world = cls(root, root / "files", str(facts["task"]), int(facts["seed"]), str(facts["now"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Problem(
                f"no world at {str(root)!r} ({reason_of(error)}); make one with `yardkit open TASK`"
            ) from error
        undo_unfinished(world.root, world.files, world.locks)
        return world

    @classmethod
    def open_user_folder(cls, workspace: Path) -> "World":
        """Open a user's own folder as a world. Side state (locks, apps) is in the user's cache, not in the folder."""
        if not workspace.is_dir():
            raise Problem(f"the workspace {str(workspace)!r} is not a directory; make it or name another one")
        files = workspace.resolve()
        name = hashlib.sha256(os.fsencode(files)).hexdigest()[:16]
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        world = cls(cache / "yardkit" / "worlds" / name, files, task="", seed=0, frozen_now="")
        undo_unfinished(world.root, world.files, world.locks)
        return world

    @property
    def now(self) -> datetime:
        """The frozen clock of a seeded world; the machine's clock in a user's own folder."""
        return parse_time(self.frozen_now) if self.frozen_now else machine_time()

    @property
    def locks(self) -> Path:
        """The folder of lock files, outside the workspace and every snapshot."""
        return self.root / ".locks"

    @contextmanager
    def change_together(self) -> Iterator[None]:
        """Let the body change several files as one: if it raises or dies, they are what they were."""
        with change_together(self.root, self.files, self.locks):
            yield

    def make_rng(self) -> random.Random:
        """Make the only source of randomness: the same for the same task and seed on every machine."""
        return random.Random(f"{self.task}:{self.seed}")  # noqa: S311 - reproducibility, not secrecy

    def get_app_folder(self, name: str) -> Path:
        """Return the state directory of an app, making it if needed."""
        directory = self.root / "apps" / name
        if not directory.is_dir():
            directory.mkdir(parents=True, exist_ok=True)
            note_changed(directory)
        return directory

    def to_relative(self, path: Path) -> str:
        """Convert `path` to the agent's form: relative to the workspace, with forward slashes."""
        return Path(os.path.realpath(path)).relative_to(self.files).as_posix()

    def state_hash(self, hasher: TreeHasher | None = None) -> str:
        """Digest the files and the state of the apps. Pass the same `hasher` again to read only changes."""
        hasher = hasher or TreeHasher()
        apps = self.root / "apps"
        parts = [hasher.hash_tree(self.files), hasher.hash_tree(apps, databases=True) if apps.is_dir() else ""]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def snapshot(self, target: Path) -> "World":
        """Copy the state to `target` by hard links. For worlds whose files are only changed by our tools."""
        return self._copy_world(target, link_file)

    fork = snapshot

    def freeze(self, target: Path) -> "World":
        """Copy the state to `target` as separate, read-only files, for worlds that others may still write to."""
        frozen = self._copy_world(target, clone_or_stand_in)
        for path in [target, *target.rglob("*")]:
            if not path.is_symlink():
                # A folder needs the right to execute to be entered.
                path.chmod(0o555 if path.is_dir() else 0o444)
        return frozen

    def detach(self, target: Path) -> "World":
        """Copy the state to `target` as separate, writable files, which a mutation may edit in place."""
        return self._copy_world(target, clone_or_stand_in)

    def _copy_world(self, target: Path, copy_file: Callable[[Path, Path], None]) -> "World":
        def fill(root: Path) -> None:
            copy_tree(self.files, root / "files", copy_file)
            if (self.root / "apps").is_dir():
                copy_tree(self.root / "apps", root / "apps", copy_file, databases=True)

        return self.rebuild(target, fill)

    def rebuild(self, target: Path, fill: Callable[[Path], None]) -> "World":
        """Make a world at `target` with this one's identity and clock; `fill` makes its ``files/`` and ``apps/``."""
        if target.exists():
            raise Problem(f"cannot copy the world to {str(target)!r}: it exists; name a new directory")
        facts = {"task": self.task, "seed": self.seed, "now": self.frozen_now or self.now.isoformat()}
        with hold_draft(target) as draft, skip_syncing():
            draft.mkdir()
            fill(draft)
            save_text(draft / "world.json", json.dumps(facts, indent=2) + "\n")
            draft.rename(target)
        return World.open(target)


def parse_time(text: str) -> datetime:
    """Parse an ISO 8601 time with an offset, as in ``world.json``; without an offset it is UTC."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def machine_time() -> datetime:
    """Return the wall clock, for ledgers and users' own folders; never for anything seeded or graded."""
    return datetime.now(UTC)


def remove_world(root: Path) -> None:
    """Delete a world, including a frozen one."""
    remove_tree(root)


_current: ContextVar[World] = ContextVar("yardkit_world")


def current_world() -> World:
    """Return the world of the running tool call.

    Raises:
        Problem: no world was set; the process was started without ``--workspace``.
    """
    try:
        return _current.get()
    except LookupError:
        raise Problem("no workspace is set; start the server with --workspace DIR") from None


def set_world(world: World) -> None:
    """Set the world for this process or task and everything that it starts."""
    _current.set(world)


@contextmanager
def use_world(world: World) -> Iterator[World]:
    """Set the world for a ``with`` block."""
    token = _current.set(world)
    try:
        yield world
    finally:
        _current.reset(token)
