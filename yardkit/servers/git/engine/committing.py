"""Making commits, and repositories to make them in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.servers.git.engine.commits import Commit, changed_by, commit_steps, read_commit
from yardkit.servers.git.engine.diffs import FileChange, read_changes
from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import branch_name
from yardkit.servers.git.engine.session import NOBODY, Author, Session, Step, StepResult
from yardkit.servers.git.engine.status import (
    MARKED,
    FileStatus,
    Status,
    find_operation,
    read_status,
    show_status,
    status_step,
)
from yardkit.world import Problem, World
from yardkit.world.guard import add_notes, room_for
from yardkit.world.save import make_parents

_LOOKED_AT = 8_000
"""Bytes by a zero among which git takes a file for binary."""
_NOTHING = "nothing to commit: there are no such changes since the last commit; use show_status to see what differs"


@dataclass(frozen=True)
class Committed:
    """A commit that was made.

    Attributes:
        files: what it did to each file.
        left: how many files still differ from the last commit.
    """

    commit: Commit
    files: list[FileChange] = field(default_factory=list)
    left: int = 0

    def __str__(self) -> str:
        rest = f"\n{self.left} files still differ from the last commit" if self.left else ""
        return "\n".join([str(self.commit), f"{len(self.files)} files:", *map(str, self.files)]) + rest


def commit_files(
    repository: Repository,
    message: str,
    *,
    paths: Sequence[str] = (),
    staged_only: bool = False,
    amend: bool = False,
    author: Author = NOBODY,
) -> Committed:
    """Commit changes; new and deleted files are changes, ignored ones are not.

    Args:
        repository: where.
        message: of the commit.
        paths: commit what was done to these and below them, relative to the repository; by default all.
        staged_only: commit what is staged as it is staged.
        amend: put the commit in the place of the last one.
        author: who wrote it, where that is not the repository's user.

    Raises:
        Problem: nothing to commit; unknown paths; a merge whose conflicts are not resolved.
    """
    if staged_only and paths:
        raise Problem("staged_only commits everything that is staged; leave out paths or staged_only")
    if not message.strip():
        raise Problem("the message is empty; say what the commit changes")
    merging = find_operation(repository) == "merge"
    steps = [] if staged_only else [Step("add", ("add", "--all", "--", *(paths or ["."])))]
    if merging and not staged_only:
        steps.insert(0, Step("check", ("diff", "--check", "HEAD", "--", *paths)))
        steps.insert(0, Step("unmerged", ("status", "--porcelain=v2", "-z", "--untracked-files=no", "--", *paths)))
    only = ["--only", "--", *paths] if paths and not merging else []
    options = ["--amend", "--reset-author"] if amend and author.name else ["--amend"] if amend else []
    words = ("commit", "--quiet", "--no-verify", "--cleanup=whitespace", "--file=-", *options, *only)
    steps.append(Step("commit", words, stdin=message, says={1: _NOTHING}))
    results = Session(repository, author).change(
        *steps, *commit_steps("HEAD"), *changed_by("HEAD"), status_step(), files=False
    )
    if "unmerged" in results:
        add_notes(_list_unmarked(repository, read_status(repository, results["unmerged"].fields()).files))
    return read_committed(repository, results)


def _list_unmarked(repository: Repository, files: Sequence[FileStatus]) -> Iterator[str]:
    """Conflicts that git leaves without markers, so that nothing shows whether somebody resolved them."""
    for file in files:
        place = repository.world.files / file.path
        marked = file.conflict in MARKED and not (place.is_file() and b"\0" in place.read_bytes()[:_LOOKED_AT])
        if file.conflict and not marked:
            state = "as it is in the folder" if place.exists() else "as deleted"
            yield f"{file.path!r} ({file.conflict}) has no conflict markers and is committed {state}"


def read_committed(repository: Repository, results: dict[str, StepResult]) -> Committed:
    """What the steps of `commit_steps`, `changed_by` and `status_step` printed."""
    left = read_status(repository, results["status"].fields()).total
    return Committed(read_commit(results)[0], read_changes(repository, results), left)


def create_repository(world: World, folder: Path, branch: str = "main") -> Status:
    """Make an empty repository of a folder and what is in it.

    Raises:
        Problem: it is one already, or the name of the branch is none.
    """
    if (folder / ".git").exists():
        raise Problem(f"{world.to_relative(folder)!r} is already a git repository; use show_status to see its state")
    repository = Repository(world, folder)
    steps = [
        Step("init", ("init", "--quiet", "--template=", f"--initial-branch={branch_name(branch)}")),
        Step("files", ("config", "core.bare", "false")),
        Step("log", ("config", "core.logAllRefUpdates", "true")),
    ]
    with make_parents(folder / ".git"):
        if not folder.is_dir():
            with room_for(folder):
                folder.mkdir(parents=True)
        Session(repository, begins=True).change(*steps, files=False)
    return show_status(repository)
