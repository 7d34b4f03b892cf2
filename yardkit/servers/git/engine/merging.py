"""Merging branches: what comes of it, and giving a merge up."""

from dataclasses import dataclass, field
from typing import Literal

from yardkit.servers.git.engine.commits import Commit, commit_steps, read_commit
from yardkit.servers.git.engine.diffs import FileChange, diff_steps, read_changes
from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import make_resolve_step
from yardkit.servers.git.engine.session import NOBODY, Author, Session, Step, StepResult, refer_to_output
from yardkit.servers.git.engine.status import Status, find_operation, read_status, status_step
from yardkit.world import Problem

FastForward = Literal["auto", "only", "never"]
_WORDS: dict[FastForward, str] = {"auto": "--ff", "only": "--ff-only", "never": "--no-ff"}
_MOST_CONFLICTS = 10_000


@dataclass(frozen=True)
class Conflict:
    """A file that both sides changed.

    Attributes:
        what: what they did: both modified, deleted by us, deleted by them, both added ...
    """

    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


@dataclass(frozen=True)
class Merged:
    """What came of a merge.

    Attributes:
        outcome: up to date: nothing to merge. fast-forward: the branch moved ahead. merged: by a commit. conflicts:
            the files of `conflicts` hold both sides between markers, until commit_files or abort_merge. aborted: there
            were `conflicts`, and all is as before.
        commit: where the branch stands.
        files: what was done to each file of the branch.
    """

    outcome: Literal["up to date", "fast-forward", "merged", "conflicts", "aborted"]
    commit: Commit
    files: list[FileChange] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.outcome}: {self.commit}", *map(str, self.files)]
        if self.conflicts:
            lines += ["conflicts:", *map(str, self.conflicts)]
        if self.outcome == "conflicts":
            lines.append("resolve them in the files, then commit_files; or abort_merge")
        return "\n".join(lines)


def merge_branch(
    repository: Repository,
    revision: str,
    *,
    message: str = "",
    fast_forward: FastForward = "auto",
    abort_on_conflict: bool = False,
    author: Author = NOBODY,
) -> Merged:
    """Merge a branch, or what another revision leads back to, into the branch that is checked out.

    Args:
        repository: where.
        revision: what is merged.
        message: of the commit of the merge; by default git's own.
        fast_forward: auto: move the branch ahead where that is enough; only: never make a commit; never: always do.
        abort_on_conflict: put everything back where there are conflicts, instead of leaving them in the files.
        author: of the commit.

    Raises:
        Problem: no such revision; no common history; a merge is under way; a fast-forward is not possible; changes
            that are not committed would be lost.
    """
    if busy := find_operation(repository):
        raise Problem(
            f"a {busy} is not finished in {repository.relative_path!r}; conclude it with commit_files or abort it"
        )
    named = ["-m", message] if message.strip() else []
    # The revision itself, made sure to be one, so that git's own message names the branch.
    merge = Step("merge", ("merge", "--quiet", "--no-verify", "--no-edit", "--no-stat", _WORDS[fast_forward], *named,
                           "--", revision), may_fail=(1,))  # fmt: skip
    undo = [Step("undo", ("merge", "--abort"), when=("merge", (1,)))] if abort_on_conflict else []
    session = Session(repository, author)
    results = session.change(
        make_resolve_step("old", "HEAD"),
        make_resolve_step("theirs", revision),
        merge,
        Step("merging", ("rev-parse", "--verify", "--quiet", "MERGE_HEAD"), when=("merge", (1,)), blames="merge"),
        Step("unmerged", ("status", "--porcelain=v2", "-z", "--untracked-files=no")),
        *undo,
        *commit_steps("HEAD"),
        *diff_steps([refer_to_output("old"), refer_to_output("id")]),
        files=True,
    )
    return _read_merge(repository, results, aborted=abort_on_conflict)


def _read_merge(repository: Repository, results: dict[str, StepResult], *, aborted: bool) -> Merged:
    commit, _ = read_commit(results)
    if results["merge"].code:
        files = read_status(repository, results["unmerged"].fields(), limit=_MOST_CONFLICTS).files
        conflicts = [Conflict(file.path, file.conflict) for file in files if file.conflict]
        return Merged("aborted" if aborted else "conflicts", commit, conflicts=conflicts)
    if commit.id == results["old"].out.strip():
        return Merged("up to date", commit)
    ahead = commit.id == results["theirs"].out.strip()
    return Merged("fast-forward" if ahead else "merged", commit, read_changes(repository, results))


def abort_merge(repository: Repository) -> Status:
    """Give up a merge that was left with conflicts: files and index are as before it.

    Raises:
        Problem: no merge is under way.
    """
    if find_operation(repository) != "merge":
        raise Problem(f"no merge is under way in {repository.relative_path!r}; nothing to abort")
    results = Session(repository).change(Step("abort", ("merge", "--abort")), status_step(), files=True)
    return read_status(repository, results["status"].fields())
