"""Commits: the list of them, and one with what it changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from yardkit.servers.git.engine.dates import point_in_time
from yardkit.servers.git.engine.diffs import FileChange, diff_steps, page_of, read_changes
from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import EMPTY_TREE, resolve
from yardkit.servers.git.engine.session import Said, Session, Step, output
from yardkit.servers.git.engine.status import more
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
        return ("\n".join(map(str, self.commits)) or "no commits") + more(self.next_offset)


@dataclass(frozen=True)
class ShownCommit:
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
        return "\n".join([*head, "", self.message, "", *files, "", self.diff]).rstrip() + more(self.next_offset)


@dataclass(frozen=True)
class Wanted:
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
        start = resolve("start", self.revision or "HEAD", may_fail=not self.revision)
        log = Step(name, [*words, output("start"), "--", *self.paths], when=("start", (0,)))
        return [REFS, start, log]


def list_commits(repository: Repository, wanted: Wanted, *, offset: int = 0, limit: int = 50) -> Commits:
    """A page of commits, newest first; none in a repository that has none yet.

    Raises:
        Problem: an unknown revision, or no point in time.
    """
    said = Session(repository).read(*wanted.steps(repository, "log", [], offset, limit))
    return read_commits(said, "log", offset, limit)


def read_commits(said: dict[str, Said], step: str, offset: int, limit: int) -> Commits:
    """A page of the commits that a step of `Wanted.steps` printed."""
    commits = _commits(said[step].fields(), said) if step in said else []
    if offset and not commits:
        raise Problem(f"offset {offset} is beyond the last commit; start with offset=0")
    return Commits(commits[:limit], offset + limit if len(commits) > limit else None)


def _commits(fields: Sequence[str], said: dict[str, Said]) -> list[Commit]:
    refs = _refs(said["refs"])
    rows = [fields[start : start + len(FIELDS)] for start in range(0, len(fields), len(FIELDS))]
    return [
        Commit(number, author, email, date, subject, parents.split(), refs.get(number, []))
        for number, parents, author, email, date, subject in rows
    ]


def _refs(said: Said) -> dict[str, list[str]]:
    """Branches and tags by the commit at which they stand."""
    found: dict[str, list[str]] = {}
    fields = said.out.split("\0")
    for number, peeled, name in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        found.setdefault(peeled or number.strip(), []).append(name)
    return found


def show_commit(repository: Repository, revision: str, *, context: int = 3, offset: int = 0) -> ShownCommit:
    """A commit, what it did to each file, and a page of its diff.

    Raises:
        Problem: an unknown revision.
    """
    said = Session(repository).read(*commit_steps(revision), *changed_by(revision, context))
    page = page_of(said["diff"], offset)
    commit, message = read_commit(said)
    return ShownCommit(commit, message, read_changes(repository, said), page.diff, page.next_offset)


def changed_by(revision: str, context: int = 3) -> list[Step]:
    """Steps "files" and "diff" of what a commit changed; a merge against its first parent."""
    return [
        Step(EMPTY_TREE.name, EMPTY_TREE.words),
        resolve("parent", f"{revision}^1", may_fail=True),
        Step("before", ("rev-parse", output("parent")), when=("parent", (0,))),
        Step("before", ("rev-parse", output("empty")), when=("parent", (128,))),
        resolve("after", revision),
        *diff_steps([output("before"), output("after")], context=context),
    ]


def commit_steps(revision: str) -> list[Step]:
    """Steps that `read_commit` reads."""
    log = Step("commit", ("log", "-1", "-z", f"{FORMAT}%x00%B", "--no-show-signature", output("id"), "--"))
    return [REFS, resolve("id", revision), log]


def read_commit(said: dict[str, Said]) -> tuple[Commit, str]:
    """The commit of `commit_steps`, and its whole message."""
    *fields, message = said["commit"].out.removesuffix("\0").split("\0")
    (commit,) = _commits(fields, said)
    return commit, message.strip()[:MAX_MESSAGE]
