"""The view of the finished episode that checkpoints judge: frozen world, answer, calls, and the initial state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.world.tree import file_digest


@dataclass(frozen=True)
class Submission:
    """The end of an episode.

    Attributes:
        root: the frozen world; ``root / "files"`` is the workspace.
        answer: the agent's final text.
        initial: SHA-256 by relative path of each file of the untouched workspace.
        calls: the ledger, one mapping per call, in order.
        before: finds the untouched world, or seeds it again, and returns its root; None if that is not possible.
        scratch: a folder for results that several leaves share; None for a folder of this process.
    """

    root: Path
    answer: str = ""
    initial: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[Mapping[str, Any], ...] = ()
    before: Callable[[], Path] | None = None
    scratch: Path | None = None

    @property
    def files(self) -> Path:
        """The delivered workspace."""
        return self.root / "files"

    @property
    def apps(self) -> Path:
        """The state of the apps."""
        return self.root / "apps"

    @property
    def untouched(self) -> "Submission":
        """The initial workspace as a separate submission, on which every reader works, too.

        Raises:
            LookupError: `before` is missing, which is our fault.
        """
        if self.before is None:
            raise LookupError("this submission was made without a way to its untouched world")
        return Submission(self.before(), initial=self.initial, scratch=self.scratch)

    def list_changed(self) -> dict[str, str]:
        """List the relative paths that differ from the start, each with ``added``, ``changed`` or ``deleted``."""
        return _list_changes(self.initial, build_manifest(self.files))

    def changed_apps(self) -> dict[str, str]:
        """List the same for the files of the apps, such as ``forms/forms.sqlite``, by their bytes.

        `yardkit.evaluators.side_effects.apps` finds the records that differ.
        """
        return _list_changes(build_manifest(self.untouched.apps), build_manifest(self.apps))


def _list_changes(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    changes = {path: "deleted" for path in before if path not in now}
    changes |= {path: "added" for path in now if path not in before}
    changes |= {path: "changed" for path in now if path in before and now[path] != before[path]}
    return dict(sorted(changes.items()))


def build_manifest(files: Path) -> dict[str, str]:
    """Compute SHA-256 by relative path of each file below `files`; a symlink counts by its target, not its content."""
    digests = {}
    for path in sorted(files.rglob("*")):
        relative = path.relative_to(files).as_posix()
        if path.is_symlink():
            digests[relative] = f"link:{path.readlink()}"
        elif path.is_file():
            digests[relative] = file_digest(path)
        elif path.exists() and not path.is_dir():
            digests[relative] = "special"
    return digests
