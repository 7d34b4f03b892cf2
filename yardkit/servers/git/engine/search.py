"""Searching what was: in messages, in changes, in the files of a revision; and reading a file as it was."""

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from yardkit.servers.git.engine.commits import Commit, CommitSelection, read_commits
from yardkit.servers.git.engine.old_encodings import decode_lines, encode_query
from yardkit.servers.git.engine.repository import Repository
from yardkit.servers.git.engine.revisions import make_resolve_step
from yardkit.servers.git.engine.session import OUTPUT_BYTES, Session, Step, refer_to_output
from yardkit.servers.git.engine.status import format_next_page
from yardkit.world import Problem
from yardkit.world.decoding import decode_bytes, is_binary, note_reading, trim_cut
from yardkit.world.guard import add_notes

Where = Literal["messages", "changes", "files"]
MAX_LINE, MAX_PAGE = 400, 40_000
"""Characters of a found line, and of a page of a file, that are shown."""
_NAMED = 5
"""Files that were not searched and are named."""


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
    if where == "changes" and not matching_commits.commits:
        _note_binary(repository, selection)
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
    shared = ("grep", "-z", "--line-number", "-I", "--full-name", "--no-color", "--no-textconv", "--threads=1")
    place = (refer_to_output("in"), "--", *selection.paths)
    options = ["--fixed-strings" if literal else "--extended-regexp", *(["--ignore-case"] if ignore_case else [])]
    steps = [
        make_resolve_step("in", selection.revision or "HEAD"),
        Step("grep", (*shared, *options, "-e", query, *place), may_fail=(1,)),
    ]
    spellings = encode_query(query, ignore_case=ignore_case) if literal else []
    if spellings:
        # Apart and with regard to case, which git ignores in UTF-8 alone.
        old_words = [word for spelling in spellings for word in ("-e", spelling)]
        steps.append(Step("old", (*shared, "--fixed-strings", *old_words, *place), may_fail=(1,)))
    results = Session(repository).read(*steps)
    prefix = f"{results['in'].out.strip()}:"
    lines = _read_found_lines(repository, results["grep"].data, prefix)
    if spellings:
        # Bytes of an older encoding may stand for other letters.
        old_lines = _read_found_lines(repository, results["old"].data, prefix)
        lines += [line for line in old_lines if query.casefold() in line.text.casefold() and line not in lines]
    lines = [replace(line, text=line.text[:MAX_LINE]) for line in lines]
    if not lines:
        _note_binary(repository, selection)
    if offset and offset >= len(lines):
        raise Problem(f"offset {offset} is beyond the end: {len(lines)} lines were found; start with offset=0")
    return SearchResult([], lines[offset : offset + limit], offset + limit if offset + limit < len(lines) else None)


def _note_binary(repository: Repository, selection: CommitSelection) -> None:
    """Tell which files were not searched, where nothing was found in the others."""
    words = ("grep", "-z", "--files-with-matches", "--full-name", "--no-color", "--no-textconv", "--threads=1")
    place = ("-e", "", refer_to_output("in"), "--", *selection.paths)
    results = Session(repository).read(
        make_resolve_step("in", selection.revision or "HEAD", may_fail=True),
        Step("all", (*words, "--text", *place), may_fail=True, when=("in", (0,))),
        Step("texts", (*words, "-I", *place), may_fail=True, when=("in", (0,))),
    )
    if "all" not in results or results["all"].cut or results["texts"].cut:
        return
    prefix = f"{results['in'].out.strip()}:"
    binary = sorted({*results["all"].fields()} - {*results["texts"].fields()})
    if binary:
        names = ", ".join(repr(repository.name(path.removeprefix(prefix))) for path in binary[:_NAMED])
        more = f" and {len(binary) - _NAMED} others" if len(binary) > _NAMED else ""
        add_notes([f"not searched, since git takes them for binary, as it does UTF-16 text: {names}{more}"])


def _read_found_lines(repository: Repository, output: bytes, prefix: str) -> list[MatchingLine]:
    """What ``git grep -z`` printed; the lines of a file are read in one encoding."""
    texts_by_path: dict[bytes, list[tuple[int, bytes]]] = {}
    for path, number, text in (line.split(b"\0", 2) for line in output.split(b"\n") if line.count(b"\0") > 1):
        texts_by_path.setdefault(path, []).append((int(number), text))
    lines = []
    for path, numbered_texts in texts_by_path.items():
        name = repository.name(path.decode("utf-8", "backslashreplace").removeprefix(prefix))
        texts = decode_lines(b"\n".join(text.replace(b"\r", b" ") for _, text in numbered_texts), name).split("\n")
        lines += [MatchingLine(name, number, text) for (number, _), text in zip(numbered_texts, texts, strict=True)]
    return lines


def read_revision(repository: Repository, path: str, revision: str, *, offset: int = 0) -> OldFile:
    """A page of a text file as it was in a commit.

    Raises:
        Problem: no such revision; no such file in it; a binary file.
    """
    results = Session(repository).read(
        make_resolve_step("commit", revision),
        Step("entry", ("ls-tree", "-z", "--long", refer_to_output("commit"), "--", path)),
        Step("text", ("cat-file", "blob", refer_to_output("commit", f":{path}")), may_fail=(128,)),
    )
    relative_name = repository.name(path)
    if not results["entry"].out:
        raise Problem(
            f"{relative_name!r} is not in {revision!r}; use list_commits with paths to find the commits that changed it"
        )
    shown_text = results["text"]
    if shown_text.code or is_binary(shown_text.data):
        raise Problem(
            f"{relative_name!r} in {revision!r} is binary or not a file; use reset_files to restore it from there"
        )
    decoded = decode_bytes(trim_cut(shown_text.data) if shown_text.cut else shown_text.data)
    note_reading(relative_name, decoded)
    text = decoded.text
    if shown_text.cut:
        text += f"\n[only the first {OUTPUT_BYTES:,} bytes of the file can be read here]"
    if offset and offset >= len(text):
        raise Problem(f"offset {offset} is beyond the end of {len(text):,} characters; start with offset=0")
    end = offset + MAX_PAGE
    end = len(text) if end >= len(text) else text.rfind("\n", offset, end) + 1 or end
    return OldFile(
        relative_name, results["commit"].out.strip(), text[offset:end], len(text), end if end < len(text) else None
    )
