"""Searching what was: in messages, in changes, in the files of a revision; and reading a file as it was."""

import re
from dataclasses import dataclass, field
from typing import Literal

from yardkit.servers.git.engine.commits import Commit, CommitSelection, read_commits
from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import make_resolve_step
from yardkit.servers.git.engine.session import OUTPUT_BYTES, Session, Step, refer_to_output
from yardkit.servers.git.engine.status import format_next_page
from yardkit.world import Problem

Where = Literal["messages", "changes", "files"]
MAX_LINE, MAX_PAGE = 400, 40_000
"""Characters of a found line, and of a page of a file, that are shown."""


@dataclass(frozen=True)
class MatchingLine:
    """A line that was found.

    Attributes:
        path: relative to the workspace.
        line: its number, from 1.
    """

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@dataclass(frozen=True)
class SearchResult:
    """What was found: commits, newest first, or lines of files.

    Attributes:
        next_offset: where the list goes on; null at its end.
    """

    commits: list[Commit] = field(default_factory=list)
    lines: list[MatchingLine] = field(default_factory=list)
    next_offset: int | None = None

    def __str__(self) -> str:
        return "\n".join(map(str, [*self.commits, *self.lines]) or ["nothing found"]) + format_next_page(
            self.next_offset
        )


@dataclass(frozen=True)
class OldFile:
    """A page of a file as it was in a commit.

    Attributes:
        commit: its id.
        total_characters: of the whole text.
        next_offset: where the text goes on; null at its end.
    """

    path: str
    commit: str
    text: str
    total_characters: int
    next_offset: int | None = None

    def __str__(self) -> str:
        return self.text + format_next_page(self.next_offset)


def search_history(
    repository: Repository,
    query: str,
    where: Where,
    *,
    selection: CommitSelection,
    literal: bool = True,
    ignore_case: bool = True,
    offset: int = 0,
    limit: int = 50,
) -> SearchResult:
    """Search messages of commits, lines that commits added or removed, or the text files of a revision.

    Args:
        repository: where.
        query: text, or without `literal` a POSIX extended regular expression.
        where: what is searched.
        selection: the commits that are searched; of files, the one of which.
        literal: the query is no expression.
        ignore_case: upper and lower case are the same.
        offset: how many to skip.
        limit: how many at most.

    Raises:
        Problem: no expression, an unknown revision.
    """
    if not query.strip("\n") or "\n" in query:
        raise Problem(f"the query {query!r} is empty or has several lines; search for a part of one line")
    case = ["--regexp-ignore-case"] if ignore_case else []
    if where == "files":
        return _search_files(repository, query, selection, literal, ignore_case, offset, limit)
    if where == "messages":
        kind = "--fixed-strings" if literal else "--extended-regexp"
        options = [*case, kind, f"--grep={query}"]
    else:
        options = [*case, "--no-ext-diff", "--no-textconv", f"-G{_escape_text(query) if literal else query}"]
    results = Session(repository).read(*selection.steps(repository, "log", options, offset, limit))
    matching_commits = read_commits(results, "log", offset, limit)
    return SearchResult(matching_commits.commits, next_offset=matching_commits.next_offset)


def _escape_text(text: str) -> str:
    """A text as a POSIX extended regular expression that matches it alone."""
    return re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", text)


def _search_files(
    repository: Repository,
    query: str,
    selection: CommitSelection,
    literal: bool,
    ignore_case: bool,
    offset: int,
    limit: int,
) -> SearchResult:
    options = ["--fixed-strings" if literal else "--extended-regexp", *(["--ignore-case"] if ignore_case else [])]
    words = ("grep", "-z", "--line-number", "-I", "--full-name", "--no-color", "--no-textconv", "--threads=1", *options,
             "-e", query, refer_to_output("in"), "--", *selection.paths)  # fmt: skip
    results = Session(repository).read(
        make_resolve_step("in", selection.revision or "HEAD"), Step("grep", words, may_fail=(1,))
    )
    prefix = f"{results['in'].out.strip()}:"
    lines = [
        MatchingLine(repository.name(path.removeprefix(prefix)), int(number), text[:MAX_LINE])
        for path, number, text in (
            line.split("\0", 2) for line in results["grep"].out.split("\n") if line.count("\0") > 1
        )
    ]
    if offset and offset >= len(lines):
        raise Problem(f"offset {offset} is beyond the end: {len(lines)} lines were found; start with offset=0")
    return SearchResult([], lines[offset : offset + limit], offset + limit if offset + limit < len(lines) else None)


def read_revision(repository: Repository, path: str, revision: str, *, offset: int = 0) -> OldFile:
    """A page of a text file as it was in a commit.

    Raises:
        Problem: no such revision; no such file in it; a binary file.
    """
    results = Session(repository).read(
        make_resolve_step("commit", revision),
        Step("entry", ("ls-tree", "-z", "--long", refer_to_output("commit"), "--", path)),
        # Every line of a text matches nothing; of a binary file, with -I, none does.
        Step("lines", ("grep", "--quiet", "-I", "-e", "", refer_to_output("commit"), "--", path), may_fail=(1,)),
        Step(
            "text", ("cat-file", "blob", refer_to_output("commit", f":{path}")), when=("lines", (0,)), may_fail=(128,)
        ),
    )
    relative_name = repository.name(path)
    if not results["entry"].out:
        raise Problem(
            f"{relative_name!r} is not in {revision!r}; use list_commits with paths to find the commits that changed it"
        )
    kind, size = results["entry"].out.split()[1::2][:2]
    shown_text = results.get("text")
    text = shown_text.out if shown_text else ""
    if kind != "blob" or (text == "" and size != "0"):
        raise Problem(
            f"{relative_name!r} in {revision!r} is binary or not a file; use reset_files to restore it from there"
        )
    if shown_text and shown_text.cut:
        text += f"\n[only the first {OUTPUT_BYTES:,} bytes of the file can be read here]"
    if offset and offset >= len(text):
        raise Problem(f"offset {offset} is beyond the end of {len(text):,} characters; start with offset=0")
    end = offset + MAX_PAGE
    end = len(text) if end >= len(text) else text.rfind("\n", offset, end) + 1 or end
    return OldFile(
        relative_name, results["commit"].out.strip(), text[offset:end], len(text), end if end < len(text) else None
    )
