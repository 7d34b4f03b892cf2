"""Differences: between files, index and commits, by file and as unified diffs in pages."""

import mimetypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import EMPTY_TREE, make_resolve_step
from yardkit.servers.git.engine.session import Session, Step, StepResult, refer_to_output
from yardkit.servers.git.engine.status import KINDS, Kind, format_next_page
from yardkit.world import Problem
from yardkit.world.guard import add_notes

Compared = Literal["unstaged", "staged", "all"]
MAX_PAGE = 40_000
"""Characters of a diff in one result."""
_OPTIONS = ("--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--ignore-submodules=dirty")
_REPOSITORY_MODE = "160000"
_SHORT = ("--raw", "--numstat", "-z", "--abbrev=40")


@dataclass(frozen=True)
class FileChange:
    """What was done to a file.

    Attributes:
        path: relative to the workspace.
        old_path: what it was renamed or copied from.
        added, removed: lines; null of a binary file.
    """

    path: str
    kind: Kind
    added: int | None
    removed: int | None
    old_path: str = ""

    def __str__(self) -> str:
        lines = "binary" if self.added is None else f"+{self.added} -{self.removed}"
        return f"{self.path}: {self.kind}, {lines}" + (f", from {self.old_path}" if self.old_path else "")


@dataclass(frozen=True)
class DiffPage:
    """A page of a unified diff."""

    diff: str
    next_offset: int | None


@dataclass(frozen=True)
class Diff:
    """Differences.

    Attributes:
        files: what was done to each file.
        diff: a page of them as a unified diff, whose paths are relative to the repository.
        next_offset: where the diff goes on; null at its end.
    """

    files: list[FileChange] = field(default_factory=list)
    diff: str = ""
    next_offset: int | None = None

    def __str__(self) -> str:
        if not self.files:
            return "no differences"
        return "\n".join([f"{len(self.files)} files:", *map(str, self.files), "", self.diff]) + format_next_page(
            self.next_offset
        )


def diff_steps(
    compared: Sequence[str],
    paths: Sequence[str] = (),
    *,
    context: int = 3,
    when: tuple[str, tuple[int, ...]] | None = None,
    prefix: str = "",
) -> list[Step]:
    """Steps "files" and "diff", which print what differs between what `compared` says."""
    shared = ("diff", *_OPTIONS)
    return [
        Step(f"{prefix}files", (*shared, *_SHORT, *compared, "--", *paths), when=when),
        Step(f"{prefix}diff", (*shared, f"--unified={context}", *compared, "--", *paths), when=when),
    ]


def show_diff(
    repository: Repository,
    *,
    compare: Compared = "unstaged",
    revision: str = "",
    other: str = "",
    since_fork: bool = False,
    paths: Sequence[str] = (),
    context: int = 3,
    offset: int = 0,
) -> Diff:
    """Differences of the files or the index, or between commits.

    Args:
        repository: where.
        compare: without revisions: files against index, index against the last commit, or files against that.
        revision: compare this commit with the files, or with `other`.
        other: a second commit.
        since_fork: from where `other` left `revision`, instead of from `revision` itself.
        paths: only these, relative to the repository.
        context: lines around each change.
        offset: characters of the diff to skip.

    Raises:
        Problem: an unknown revision; or files are asked for of a bare repository.
    """
    if (other or since_fork) and not (revision and (other or not since_fork)):
        raise Problem("other and since_fork need a revision; give revision, and also other for since_fork")
    if not other:
        repository.require_files()
    steps, compared = _resolve_sides(compare, revision, other, since_fork)
    results = Session(repository).read(*steps, *diff_steps(compared, paths, context=context))
    page = page_of(results["diff"], offset)
    return Diff(read_changes(repository, results), page.diff, page.next_offset)


def _resolve_sides(compare: Compared, revision: str, other: str, since_fork: bool) -> tuple[list[Step], list[str]]:
    """Steps that find out what is compared, and the words for it."""
    if not revision and compare == "unstaged":
        return [], []
    if not revision:
        # Before the first commit there is only the empty tree to compare with.
        empty = Step(EMPTY_TREE.name, EMPTY_TREE.words)
        last = Step("last", ("rev-parse", "--verify", "--quiet", "HEAD^{tree}"), may_fail=True)
        chosen = Step("tree", ("rev-parse", refer_to_output("last")), when=("last", (0,)))
        first = Step("tree", ("rev-parse", refer_to_output("empty")), when=("last", (1,)))
        return [empty, last, chosen, first], [*(["--cached"] if compare == "staged" else []), refer_to_output("tree")]
    steps = [make_resolve_step("one", revision)]
    if not other:
        return steps, [refer_to_output("one")]
    steps.append(make_resolve_step("two", other))
    if since_fork:
        steps.append(Step("fork", ("merge-base", refer_to_output("one"), refer_to_output("two"))))
        return steps, [refer_to_output("fork"), refer_to_output("two")]
    return steps, [refer_to_output("one"), refer_to_output("two")]


def read_changes(repository: Repository, results: dict[str, StepResult], prefix: str = "") -> list[FileChange]:
    """The files that a step "files" of `diff_steps` printed: ``--raw`` and then ``--numstat``, both with ``-z``."""
    fields = iter(results[f"{prefix}files"].fields())
    kinds: dict[str, Kind] = {}
    nested: set[str] = set()
    changes: dict[str, FileChange] = {}
    for line in fields:
        if line.startswith(":"):
            code = line.rsplit(" ", 1)[1][0]
            path = next(fields)
            path = next(fields) if code in "RC" else path
            # A file with a conflict is told twice: as such (U, without lines), and then as what was done to it.
            kinds[path] = KINDS.get(code, "modified")
            nested |= {path} if _REPOSITORY_MODE in line[1:14].split() else set()
            continue
        added, removed, path = line.split("\t", 2)
        old_path = "" if path else repository.name(next(fields))
        path = path or next(fields)
        kind, counts = (
            kinds.get(path, "modified"),
            [None if line_count == "-" else int(line_count) for line_count in (added, removed)],
        )
        changes[path] = FileChange(repository.name(path), kind, counts[0], counts[1], old_path)
    add_notes(_list_notes(repository, changes, nested))
    return list(changes.values())


def _list_notes(repository: Repository, changes: dict[str, FileChange], nested: set[str]) -> Iterator[str]:
    """What git does not compare by its lines."""
    for path in sorted(nested & changes.keys()):
        yield (
            f"{repository.name(path)!r} is a repository of its own (a submodule): git records which of its commits "
            "is used, not its files"
        )
    kinds = [mimetypes.guess_type(path)[0] or "text/" for path, change in changes.items() if change.added is None]
    if any(kind.startswith("text/") for kind in kinds):
        yield "git compares binary files as a whole, UTF-16 text too; read_revision shows such a text as of a commit"


def page_of(result: StepResult, offset: int) -> DiffPage:
    """A page of a diff, in whole lines where they are not longer than that.

    Raises:
        Problem: `offset` is beyond the end.
    """
    text = result.out
    if offset and offset >= len(text):
        raise Problem(f"offset {offset} is beyond the end: the diff has {len(text):,} characters; start with offset=0")
    end = offset + MAX_PAGE
    if end >= len(text):
        note = "\n[the rest is too long to be shown; name paths to see their differences]" if result.cut else ""
        return DiffPage(text[offset:] + note, None)
    end = text.rfind("\n", offset, end) + 1 or end
    return DiffPage(text[offset:end], end)
