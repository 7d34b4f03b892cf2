"""Branches and tags: the list of them, new ones, and the one that is checked out."""

from dataclasses import dataclass, field
from typing import Literal

from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import branch_name, make_resolve_step
from yardkit.servers.git.engine.session import Session, Step, StepResult, refer_to_output
from yardkit.servers.git.engine.status import Status, format_next_page, read_status, status_step
from yardkit.world import Problem
from yardkit.world.guard import add_notes

Which = Literal["local", "remote", "tags", "all"]
_FOLDERS: dict[Which, tuple[str, ...]] = {
    "local": ("refs/heads",),
    "remote": ("refs/remotes",),
    "tags": ("refs/tags",),
    "all": ("refs/heads", "refs/remotes", "refs/tags"),
}
_FIELDS = ("HEAD", "refname", "objectname", "*objectname", "committerdate:iso-strict", "subject", "upstream:short")
_FORMAT = "%00".join(f"%({name})" for name in _FIELDS) + "%00"

_BEFORE = Step("before", ("rev-parse", "--verify", "--quiet", "HEAD"), may_fail=True)
_LEFT = Step("left", ("rev-list", "--count", refer_to_output("before"), "--not", "HEAD", "--branches", "--tags",
                      "--remotes", "--"), may_fail=True)  # fmt: skip
"""Commits that were checked out and that nothing leads to after a switch."""


@dataclass(frozen=True)
class Branch:
    """A branch or tag.

    Attributes:
        kind: local, remote (as it was when it was fetched) or tag.
        commit: id of the commit at which it stands.
        date: of that commit, ISO 8601.
        subject: first line of its message.
        current: it is checked out.
        upstream: the branch that it follows.
    """

    name: str
    kind: Literal["local", "remote", "tag"]
    commit: str
    date: str
    subject: str
    current: bool = False
    upstream: str = ""

    def __str__(self) -> str:
        mark = "* " if self.current else "  "
        kind = "" if self.kind == "local" else f" ({self.kind})"
        return f"{mark}{self.name}{kind} {self.commit[:10]} {self.date} {self.subject}"


@dataclass(frozen=True)
class Branches:
    """Branches and tags in name order.

    Attributes:
        detached_at: the commit that is checked out, where that is no branch.
        next_offset: where the list goes on; null at its end.
    """

    branches: list[Branch] = field(default_factory=list)
    detached_at: str = ""
    next_offset: int | None = None

    def __str__(self) -> str:
        lines = [f"* {self.detached_at[:10]} (detached HEAD)"] if self.detached_at else []
        return "\n".join([*lines, *map(str, self.branches)] or ["no branches yet"]) + format_next_page(self.next_offset)


def list_branches(
    repository: Repository,
    *,
    which: Which = "local",
    contains: str = "",
    without: str = "",
    offset: int = 0,
    limit: int = 200,
) -> Branches:
    """A page of branches and tags.

    Args:
        repository: where.
        which: of what kind.
        contains: only those that lead back to this commit.
        without: only those that do not lead back to this one.
        offset: how many to skip.
        limit: how many at most.

    Raises:
        Problem: an unknown revision.
    """
    steps, words = [], ["for-each-ref", f"--format={_FORMAT}"]
    for name, revision, option in (("with", contains, "--contains"), ("without", without, "--no-contains")):
        if revision:
            steps.append(make_resolve_step(name, revision))
            words += [option, refer_to_output(name)]
    refs = Step("refs", [*words, *_FOLDERS[which]])
    head = Step("head", ("symbolic-ref", "--quiet", "HEAD"), may_fail=True)
    results = Session(repository).read(*steps, refs, head, make_resolve_step("at", "HEAD", may_fail=True))
    fields = results["refs"].out.split("\0")
    rows = [fields[start : start + len(_FIELDS)] for start in range(0, len(fields) - 1, len(_FIELDS))]
    branches = [_parse_branch([field.removeprefix("\n") for field in row]) for row in rows]
    if offset and offset >= len(branches):
        raise Problem(f"offset {offset} is beyond the end: there are {len(branches)}; start with offset=0")
    detached = results["at"].out.strip() if results["head"].code and not results["at"].code else ""
    following = offset + limit if offset + limit < len(branches) else None
    return Branches(branches[offset : offset + limit], detached, following)


def _parse_branch(row: list[str]) -> Branch:
    mark, ref, number, peeled, date, subject, upstream = row
    kind: Literal["local", "remote", "tag"] = (
        "tag" if ref.startswith("refs/tags/") else "remote" if ref.startswith("refs/remotes/") else "local"
    )
    return Branch(ref.split("/", 2)[2], kind, peeled or number, date, subject, mark == "*", upstream)


def create_branch(repository: Repository, name: str, revision: str = "HEAD", *, switch: bool = False) -> Status:
    """Make a branch at a revision, and check it out with `switch`.

    Raises:
        Problem: there is one of that name, or no such revision; or changes of files that are not committed would be
            lost by the switch.
    """
    start = make_resolve_step("start", revision)
    if switch:
        words: tuple[str, ...] = (
            "switch",
            "--quiet",
            "--no-track",
            "--create",
            branch_name(name),
            refer_to_output("start"),
        )
    else:
        words = ("branch", "--no-track", branch_name(name), refer_to_output("start"))
    results = Session(repository).change(start, _BEFORE, Step("branch", words), _LEFT, status_step(), files=switch)
    _note_left(results)
    return read_status(repository, results["status"].fields())


def switch_branch(repository: Repository, revision: str, *, detach: bool = False) -> Status:
    """Check out a branch or, with `detach`, any commit.

    Changes that are not committed are kept.

    Raises:
        Problem: no such branch; or changes that are not committed would be lost.
    """
    if detach:
        steps = [
            make_resolve_step("start", revision),
            Step("switch", ("switch", "--quiet", "--detach", refer_to_output("start"))),
        ]
    else:
        steps = [Step("switch", ("switch", "--quiet", "--no-guess", branch_name(revision)))]
    results = Session(repository).change(_BEFORE, *steps, _LEFT, status_step(), files=True)
    _note_left(results)
    return read_status(repository, results["status"].fields())


def _note_left(results: dict[str, StepResult]) -> None:
    """Tell of commits that no branch leads to any more, as git does."""
    count = results["left"].out.strip()
    if not results["left"].code and count not in ("", "0"):
        add_notes(
            [
                f"commits left behind that are on no branch: {count}, the last of them "
                f"{results['before'].out.strip()[:10]}; create_branch with it as revision keeps them"
            ]
        )


def delete_branch(repository: Repository, name: str, *, unmerged: bool = False) -> Branches:
    """Delete a branch; one whose commits are on no other branch that is checked out or followed with `unmerged` alone.

    Raises:
        Problem: no such branch; it is checked out; or it is not merged.
    """
    words = ("branch", "--quiet", "--delete", *(["--force"] if unmerged else []), branch_name(name))
    Session(repository).change(Step("branch", words), files=False)
    return list_branches(repository)
