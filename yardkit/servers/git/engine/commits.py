"""Commits: the list of them, and one with what it changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from yardkit.servers.git.engine.dates import point_in_time
from yardkit.servers.git.engine.diffs import FileChange, diff_steps, page_of, read_changes
from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import EMPTY_TREE, make_resolve_step
from yardkit.servers.git.engine.session import Session, Step, StepResult, refer_to_output
from yardkit.servers.git.engine.status import format_next_page
from yardkit.world import Problem

FIELDS = ("%H", "%P", "%an", "%ae", "%aI", "%s")
FORMAT = "--format=tformat:" + "%x00".join(FIELDS)
REFS = Step("refs", ("for-each-ref", "--format=%(objectname)%00%(*objectname)%00%(refname:short)%00"))
MAX_MESSAGE = 20_000
"""Characters of one message."""


@dataclass(frozen=True)
class Commit:
    """A commit.

    Attributes:
        id: its whole hexadecimal id.
        author: who wrote it.
        date: when it was written, ISO 8601.
        subject: first line of its message.
        parents: ids of the commits before it; several of a merge.
        refs: branches and tags that stand at it.
    """

    id: str
    author: str
    email: str
    date: str
    subject: str
    parents: list[str] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        refs = f" ({', '.join(self.refs)})" if self.refs else ""
        return f"{self.id[:10]} {self.date} {self.author}: {self.subject}{refs}"


@dataclass(frozen=True)
class Commits:
    """Commits, newest first.

    Attributes:
        next_offset: where the list goes on; null at its end.
    """

    commits: list[Commit]
    next_offset: int | None = None

    def __str__(self) -> str:
        return ("\n".join(map(str, self.commits)) or "no commits") + format_next_page(self.next_offset)


@dataclass(frozen=True)
class CommitDetails:
    """A commit with what it changed, of a merge against its first parent.

    Attributes:
        message: the whole of it.
        files: what it did to each file.
        diff: a page of the differences, as a unified diff whose paths are relative to the repository.
        next_offset: where the diff goes on; null at its end.
    """

    commit: Commit
    message: str
    files: list[FileChange]
    diff: str = ""
    next_offset: int | None = None

    def __str__(self) -> str:
        head = [f"commit {self.commit.id}", f"{self.commit.author} <{self.commit.email}>, {self.commit.date}"]
        files = [f"{len(self.files)} files:", *map(str, self.files)]
        return "\n".join([*head, "", self.message, "", *files, "", self.diff]).rstrip() + format_next_page(
            self.next_offset
        )


@dataclass(frozen=True)
class CommitSelection:
    """Which commits are listed.

    Attributes:
        revision: those that it leads back to; empty: those of the branch that is checked out.
        every_branch: those of all branches and tags.
        paths: only those that changed one of them, relative to the repository.
        authors: only those of which name or email holds one of these, in any case.
        since, until: points in time, as `point_in_time` takes them.
        merges: merges too.
    """

    revision: str = ""
    every_branch: bool = False
    paths: Sequence[str] = ()
    authors: Sequence[str] = ()
    since: str = ""
    until: str = ""
    merges: bool = True

    def steps(self, repository: Repository, name: str, options: Sequence[str], offset: int, limit: int) -> list[Step]:
        """A step `name` that prints one commit more than `limit`, and those before it."""
        now = repository.world.now
        words = ["log", "-z", FORMAT, "--no-show-signature", f"--skip={offset}", f"--max-count={limit + 1}", *options]
        if self.since:
            words.append(f"--since=@{point_in_time(self.since, now)}")
        if self.until:
            words.append(f"--until=@{point_in_time(self.until, now, end=True)}")
        if self.authors:
            words += ["--regexp-ignore-case", "--fixed-strings", *(f"--author={author}" for author in self.authors)]
        words += [] if self.merges else ["--no-merges"]
        if self.every_branch:
            return [REFS, Step(name, [*words, "--all", "--", *self.paths])]
        start = make_resolve_step("start", self.revision or "HEAD", may_fail=not self.revision)
        log = Step(name, [*words, refer_to_output("start"), "--", *self.paths], when=("start", (0,)))
        return [REFS, start, log]


def list_commits(repository: Repository, selection: CommitSelection, *, offset: int = 0, limit: int = 50) -> Commits:
    """A page of commits, newest first; none in a repository that has none yet.

    Raises:
        Problem: an unknown revision, or no point in time.
    """
    results = Session(repository).read(*selection.steps(repository, "log", [], offset, limit))
    return read_commits(results, "log", offset, limit)


def read_commits(results: dict[str, StepResult], step: str, offset: int, limit: int) -> Commits:
    """A page of the commits that a step of `Wanted.steps` printed."""
    commits = _parse_commits(results[step].texts(), results) if step in results else []
    if offset and not commits:
        raise Problem(f"offset {offset} is beyond the last commit; start with offset=0")
    return Commits(commits[:limit], offset + limit if len(commits) > limit else None)


def _parse_commits(fields: Sequence[str], results: dict[str, StepResult]) -> list[Commit]:
    refs = _map_references(results["refs"])
    rows = [fields[start : start + len(FIELDS)] for start in range(0, len(fields), len(FIELDS))]
    return [
        Commit(number, author, email, date, subject, parents.split(), refs.get(number, []))
        for number, parents, author, email, date, subject in rows
    ]


def _map_references(result: StepResult) -> dict[str, list[str]]:
    """Branches and tags by the commit at which they stand."""
    refs_by_commit: dict[str, list[str]] = {}
    fields = result.out.split("\0")
    for number, peeled, name in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        refs_by_commit.setdefault(peeled or number.strip(), []).append(name)
    return refs_by_commit


def show_commit(repository: Repository, revision: str, *, context: int = 3, offset: int = 0) -> CommitDetails:
    """A commit, what it did to each file, and a page of its diff.

    Raises:
        Problem: an unknown revision.
    """
    results = Session(repository).read(*commit_steps(revision), *changed_by(revision, context))
    page = page_of(results["diff"], offset)
    commit, message = read_commit(results)
    return CommitDetails(commit, message, read_changes(repository, results), page.diff, page.next_offset)


def changed_by(revision: str, context: int = 3) -> list[Step]:
    """Steps "files" and "diff" of what a commit changed; a merge against its first parent."""
    return [
        Step(EMPTY_TREE.name, EMPTY_TREE.words),
        make_resolve_step("parent", f"{revision}^1", may_fail=True),
        Step("before", ("rev-parse", refer_to_output("parent")), when=("parent", (0,))),
        Step("before", ("rev-parse", refer_to_output("empty")), when=("parent", (128,))),
        make_resolve_step("after", revision),
        *diff_steps([refer_to_output("before"), refer_to_output("after")], context=context),
    ]


def commit_steps(revision: str) -> list[Step]:
    """Steps that `read_commit` reads."""
    log = Step("commit", ("log", "-1", "-z", f"{FORMAT}%x00%B", "--no-show-signature", refer_to_output("id"), "--"))
    return [REFS, make_resolve_step("id", revision), log]


def read_commit(results: dict[str, StepResult]) -> tuple[Commit, str]:
    """The commit of `commit_steps`, and its whole message."""
    *fields, message = results["commit"].texts()
    (commit,) = _parse_commits(fields, results)
    return commit, message.strip()[:MAX_MESSAGE]
