"""Taking back what is not committed."""

from collections.abc import Sequence
from typing import Literal

from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import make_resolve_step
from yardkit.servers.git.engine.session import Session, Step, refer_to_output
from yardkit.servers.git.engine.status import Status, read_status, status_step
from yardkit.world import Problem

Reset = Literal["unstage", "discard"]


def reset_files(
    repository: Repository,
    action: Reset,
    paths: Sequence[str] = (),
    *,
    revision: str = "",
    new_files: bool = False,
) -> Status:
    """Unstage changes, or discard them.

    Args:
        repository: where.
        action: unstage: the files stay as they are, and nothing of them is staged. discard: files and index are what
            they are in `revision`; files that are in it nowhere, and were staged, are gone.
        paths: only these, relative to the repository; by default all.
        revision: by default the last commit.
        new_files: discard also files that are not under version control, but for ignored ones.

    Raises:
        Problem: no such revision, unknown paths, nothing to go back to.
    """
    if action == "unstage" and (revision or new_files):
        raise Problem("revision and new_files only apply to discard; leave them out to unstage")
    steps = (
        _make_unstaging_steps(paths)
        if action == "unstage"
        else _make_discarding_steps(repository, paths, revision or "HEAD", new_files)
    )
    results = Session(repository).change(*steps, status_step(), files=action == "discard")
    return read_status(repository, results["status"].fields())


def _make_unstaging_steps(paths: Sequence[str]) -> list[Step]:
    target_paths = list(paths) or ["."]
    remove = ("rm", "-r", "--quiet", "--cached", "--force", "--ignore-unmatch", "--", *target_paths)
    return [
        make_resolve_step("last", "HEAD", may_fail=True),
        Step("reset", ("reset", "--quiet", refer_to_output("last"), "--", *target_paths), when=("last", (0,))),
        Step("remove", remove, when=("last", (128,))),
    ]


def _make_discarding_steps(repository: Repository, paths: Sequence[str], revision: str, new_files: bool) -> list[Step]:
    target_paths = list(paths) or ["."]
    steps = [make_resolve_step("source", revision)]
    known = [path for path in target_paths if path == "." or not new_files or _is_tracked(repository, path)]
    if known:
        words = (
            "restore",
            "--staged",
            "--worktree",
            "--no-overlay",
            "--source",
            refer_to_output("source"),
            "--",
            *known,
        )
        steps.append(Step("restore", words))
    if new_files:
        steps.append(Step("clean", ("clean", "-d", "--force", "--quiet", "--", *target_paths)))
    return steps


def _is_tracked(repository: Repository, path: str) -> bool:
    """Whether there is a file under version control at a path or below it; git restores no other."""
    return bool(Session(repository).read(Step("files", ("ls-files", "-z", "--", path)))["files"].out)
