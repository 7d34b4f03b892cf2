"""What stands in the files and the index that is not committed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.session import Session, Step
from yardkit.world import Problem
from yardkit.world.guard import add_notes

Kind = Literal["", "added", "modified", "deleted", "renamed", "copied", "type changed"]
KINDS: dict[str, Kind] = {
    ".": "",
    "A": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "T": "type changed",
}
CONFLICTS = {
    "DD": "both deleted",
    "AU": "added by us",
    "UD": "deleted by them",
    "UA": "added by them",
    "DU": "deleted by us",
    "AA": "both added",
    "UU": "both modified",
}
"""What happened to a file of a conflict: us is the branch that is checked out, them the one that is merged."""
MARKED = ("both modified", "both added")
"""Conflicts that stand between markers in a text."""
_OPERATIONS = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


@dataclass(frozen=True)
class FileStatus:
    """A file that differs from the last commit.

    Attributes:
        path: relative to the workspace.
        staged: what the next commit does to it as it is staged.
        unstaged: what was done to it beyond that.
        new: it is not under version control.
        conflict: what both sides of a merge did to it.
        old_path: what it was renamed or copied from.
    """

    path: str
    staged: Kind = ""
    unstaged: Kind = ""
    new: bool = False
    conflict: str = ""
    old_path: str = ""

    def __str__(self) -> str:
        parts = [f"{self.staged} (staged)"] * bool(self.staged) + [self.unstaged] * bool(self.unstaged)
        state_text = f"conflict: {self.conflict}" if self.conflict else "new" if self.new else ", ".join(parts)
        return f"{self.path}: {state_text}" + (f", from {self.old_path}" if self.old_path else "")


@dataclass(frozen=True)
class Status:
    """How a repository stands.

    Attributes:
        repository: its folder, relative to the workspace.
        branch: the one that is checked out; empty where a commit is (detached HEAD).
        commit: id of the last commit; empty where there is none yet.
        upstream: the branch that it follows, with how many commits it is `ahead` and `behind`.
        operation: what was begun and is not finished: merge, rebase, cherry-pick, revert, bisect.
        files: those that differ from the last commit.
        total: how many these are.
        next_offset: where the list goes on.
    """

    repository: str
    branch: str
    commit: str
    upstream: str = ""
    ahead: int = 0
    behind: int = 0
    operation: str = ""
    files: list[FileStatus] = field(default_factory=list)
    total: int = 0
    next_offset: int | None = None

    def __str__(self) -> str:
        place = f"on branch {self.branch}" if self.branch else f"at commit {self.commit[:10]} (detached HEAD)"
        lines = [f"{self.repository}: {place}" + ("" if self.commit else ", without commits yet")]
        if self.upstream:
            lines.append(f"follows {self.upstream}: {self.ahead} ahead, {self.behind} behind")
        if self.operation:
            lines.append(f"a {self.operation} is not finished")
        lines.append(f"{self.total} files differ from the last commit" if self.total else "nothing to commit")
        lines += map(str, self.files)
        return "\n".join(lines) + format_next_page(self.next_offset)


def format_next_page(next_offset: int | None) -> str:
    """The closing line of a page that is not the last."""
    return "" if next_offset is None else f"\n[more: call again with offset={next_offset}]"


def show_status(repository: Repository, paths: Sequence[str] = (), *, offset: int = 0, limit: int = 500) -> Status:
    """What differs from the last commit, in the whole repository or in `paths`.

    Raises:
        Problem: it is bare, or damaged.
    """
    repository.require_files()
    if (repository.top / ".gitmodules").is_file():
        add_notes(["changes of files inside submodules are not shown, and not committed with this repository"])
    results = Session(repository).read(status_step(paths))
    return read_status(repository, results["status"].fields(), offset, limit)


def status_step(paths: Sequence[str] = ()) -> Step:
    """The step "status", whose fields `read_status` reads."""
    words = ("status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--ignore-submodules=dirty")
    return Step("status", (*words, "--", *paths))


def read_status(repository: Repository, fields: Sequence[str], offset: int = 0, limit: int = 500) -> Status:
    """The status that the fields of ``git status --porcelain=v2 -z`` tell."""
    rest = iter(fields)
    heads: dict[str, str] = {}
    files = list(_iter_files(repository, rest, heads))
    if offset and offset >= len(files):
        raise Problem(f"offset {offset} is beyond the end: {len(files)} files differ; start with offset=0")
    branch, commit = heads.get("branch.head", ""), heads.get("branch.oid", "")
    ahead, _, behind = heads.get("branch.ab", "+0 -0").partition(" ")
    return Status(
        repository.relative_path,
        "" if branch == "(detached)" else branch,
        "" if commit == "(initial)" else commit,
        heads.get("branch.upstream", ""),
        abs(int(ahead)),
        abs(int(behind)),
        find_operation(repository),
        list(islice(files, offset, offset + limit)),
        len(files),
        offset + limit if offset + limit < len(files) else None,
    )


def find_operation(repository: Repository) -> str:
    """What was begun in a repository and is not finished."""
    git_dir = repository.top / ".git"
    if (git_dir / "rebase-merge").is_dir() or (git_dir / "rebase-apply").is_dir():
        return "rebase"
    return next((word for name, word in _OPERATIONS.items() if (git_dir / name).is_file()), "")


def _iter_files(repository: Repository, fields: Iterator[str], heads: dict[str, str]) -> Iterator[FileStatus]:
    """The files of a status; headers go into `heads`. Format: git-status(1), "Porcelain Format Version 2"."""
    for line in fields:
        kind, _, rest = line.partition(" ")
        if kind == "#":
            name, _, value = rest.partition(" ")
            heads[name] = value
        elif kind == "?":
            yield FileStatus(repository.name(rest), new=True)
        elif kind == "u":
            codes, *_, path = rest.split(" ", 9)
            yield FileStatus(repository.name(path), conflict=CONFLICTS.get(codes, codes))
        elif kind in "12":
            codes, *_, path = rest.split(" ", 7 if kind == "1" else 8)
            old_path = repository.name(next(fields)) if kind == "2" else ""
            staged, unstaged = KINDS.get(codes[0], ""), KINDS.get(codes[1], "")
            yield FileStatus(repository.name(path), staged, unstaged, old_path=old_path)
