"""Git's own words for people, which a dialect hands on, and the plain steps of git: add, commit what is staged."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from yardkit.servers.git.engine.branches import switch_branch
from yardkit.servers.git.engine.commits import changed_by
from yardkit.servers.git.engine.dates import point_in_time
from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.resetting import reset_files
from yardkit.servers.git.engine.revisions import branch_name, make_resolve_step
from yardkit.servers.git.engine.session import Session, Step, refer_to_output
from yardkit.servers.git.engine.status import Status
from yardkit.world import Problem

_QUOTED = ("-c", "core.quotePath=true")
"""Names as git quotes them if nobody says otherwise."""
_WHAT = {"local": (), "remote": ("--remotes",), "all": ("--all",)}


def _run_steps(repository: Repository, *steps: Step) -> str:
    """What the last step printed, without the line end behind it."""
    return Session(repository).read(*steps)[steps[-1].name].out.removesuffix("\n")


def get_status(repository: Repository) -> str:
    """``git status``."""
    repository.require_files()
    return _run_steps(repository, Step("status", (*_QUOTED, "status")))


def get_diff(repository: Repository, context: int, *, staged: bool = False, target: str = "") -> str:
    """``git diff`` of files and index, of the index and the last commit, or of a commit and the files.

    Raises:
        Problem: an unknown target.
    """
    repository.require_files()
    compared = ["--cached"] if staged else [refer_to_output("target")] if target else []
    words = (*_QUOTED, "diff", "--no-ext-diff", "--no-textconv", f"--unified={context}", *compared)
    return _run_steps(repository, *([make_resolve_step("target", target)] if target else []), Step("diff", words))


def add(repository: Repository, paths: Sequence[str]) -> bool:
    """Stage files; whether that changed anything.

    Raises:
        Problem: unknown paths, or ignored ones.
    """
    listed = ("ls-files", "--stage", "-z", "--", *paths)
    results = Session(repository).change(
        Step("before", listed), Step("add", ("add", "--", *paths)), Step("after", listed), files=False
    )
    return results["before"].out != results["after"].out


def commit_staged(repository: Repository, message: str) -> str:
    """Commit what is staged, with the message as it is; the id of the commit.

    Raises:
        Problem: nothing is staged, conflicts are not resolved, or the message is empty.
    """
    if not message.strip():
        raise Problem("the message is empty; say what the commit changes")
    words = ("commit", "--quiet", "--no-verify", "--cleanup=verbatim", "--file=-")
    messages = {1: "No changes staged for commit. Use git_add to stage changes first; "
            "git_status shows what is currently staged."}  # fmt: skip
    results = Session(repository).change(
        Step("commit", words, stdin=message, says=messages), make_resolve_step("id", "HEAD"), files=False
    )
    return results["id"].out.strip()


def reset_index(repository: Repository) -> None:
    """Unstage everything."""
    reset_files(repository, "unstage")


def read_log(repository: Repository, count: int, since: str, until: str) -> list[str]:
    """The last commits, each in four lines; the message as it is.

    Raises:
        Problem: no commits yet, or no point in time.
    """
    now = repository.world.now
    words = ["log", "-z", f"--max-count={count}", "--no-show-signature", "--format=tformat:%H%x00%an%x00%ad%x00%B",
             "--date=format:%Y-%m-%d %H:%M:%S %z"]  # fmt: skip
    words += [f"--since=@{point_in_time(since, now)}"] if since else []
    words += [f"--until=@{point_in_time(until, now, end=True)}"] if until else []
    results = Session(repository).read(
        make_resolve_step("start", "HEAD"), Step("log", [*words, refer_to_output("start"), "--"])
    )
    fields = results["log"].fields()
    rows = [fields[start : start + 4] for start in range(0, len(fields), 4)]
    return [
        f"Commit: {row[0]}\nAuthor: {row[1]}\nDate: {_format_zoned_date(row[2])}\nMessage: {row[3]}\n" for row in rows
    ]


def _format_zoned_date(date: str) -> str:
    """A date as Python writes it, with a colon in its zone."""
    return re.sub(r" ([+-]\d\d)(\d\d)$", r"\1:\2", date)


def create_branch(repository: Repository, name: str, base: str) -> str:
    """Make a branch at `base`, by default the current branch; the name of that.

    Raises:
        Problem: there is one of that name, no such base, or no current branch.
    """
    detached = "HEAD is detached, so there is no current branch to branch from; pass base_branch"
    head = Step("head", ("symbolic-ref", "--quiet", "--short", "HEAD"), may_fail=bool(base), says={1: detached})
    results = Session(repository).change(
        head,
        make_resolve_step("start", base or "HEAD"),
        Step("branch", ("branch", "--no-track", branch_name(name), refer_to_output("start"))),
        files=False,
    )
    return base or results["head"].out.strip()


def checkout_revision(repository: Repository, name: str) -> Status:
    """Check out a branch, or any other revision as a detached HEAD.

    Raises:
        Problem: an unknown revision; or changes that are not committed would be lost.
    """
    ref = Step("branch", ("rev-parse", "--verify", "--quiet", f"refs/heads/{branch_name(name)}"), may_fail=(1, 128))
    is_branch = Session(repository).read(ref)["branch"].code == 0
    return switch_branch(repository, name, detach=not is_branch)


def list_branch_lines(
    repository: Repository, which: Literal["local", "remote", "all"], contains: str, without: str
) -> str:
    """``git branch``.

    Raises:
        Problem: an unknown revision.
    """
    steps, words = [], [*_QUOTED, "branch", "--no-color", *_WHAT[which]]
    for name, revision, option in (("with", contains, "--contains"), ("without", without, "--no-contains")):
        if revision:
            steps.append(make_resolve_step(name, revision))
            words += [option, refer_to_output(name)]
    return _run_steps(repository, *steps, Step("list", words))


def show_revision(repository: Repository, revision: str) -> str:
    """A commit with its differences to the first parent; the text of a file or the names in a folder of a commit.

    Raises:
        Problem: an unknown revision.
    """
    session = Session(repository)
    id_step = Step("id", ("rev-parse", "--verify", "--end-of-options", revision),
                 says={128: f"{revision!r} does not exist; use git_log and git_branch to see what does"})  # fmt: skip
    kind = session.read(id_step, Step("kind", ("cat-file", "-t", refer_to_output("id"))))["kind"].out.strip()
    if kind == "blob":
        return session.read(id_step, Step("text", ("cat-file", "blob", refer_to_output("id"))))["text"].out
    if kind == "tree":
        entries = session.read(id_step, Step("names", ("ls-tree", "-z", refer_to_output("id"))))["names"].fields()
        rows = [entry.split("\t", 1) for entry in entries]
        return "\n".join(f"{name}/" if facts.split()[1] == "tree" else name for facts, name in rows)
    return _read_commit(session, revision)


def _read_commit(session: Session, revision: str) -> str:
    log = ("log", "-1", "-z", "--no-show-signature", "--format=tformat:%H%x00%an%x00%ae%x00%ad%x00%B",
           "--date=format:%Y-%m-%d %H:%M:%S %z", refer_to_output("after"), "--")  # fmt: skip
    results = session.read(*changed_by(revision), Step("log", log))
    number, author, email, date, message = results["log"].texts()
    indented = "".join(f"    {line}\n" for line in message.rstrip("\n").split("\n"))
    head = f"commit {number}\nAuthor: {author} <{email}>\nDate:   {date}\n\n{indented}"
    return head + "".join(_iter_patches(results["files"].fields(), results["diff"].out))


def _iter_patches(fields: Sequence[str], diff_text: str) -> Iterator[str]:
    """Each file's differences below its two names; both formats of git name the files in the same order."""
    chunks = re.split(r"^diff --git ", diff_text, flags=re.MULTILINE)[1:]
    rest = iter(fields)
    for chunk in chunks:
        code = next(rest).rsplit(" ", 1)[1][0]
        old = next(rest)
        new = next(rest) if code in "RC" else old
        names = ("/dev/null" if code == "A" else f"a/{old}", "/dev/null" if code == "D" else f"b/{new}")
        start = re.search(r"^(?:@@ |Binary files )", chunk, flags=re.MULTILINE)
        yield f"\n--- {names[0]}\n+++ {names[1]}\n" + (chunk[start.start() :] if start else "")
