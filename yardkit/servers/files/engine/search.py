"""Search by content: regular expressions in linear time, so that no pattern can hang."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.files.engine.globs import make_matcher
from yardkit.servers.files.engine.listing import format_next_page, get_relative_name, take_page, walk_folder
from yardkit.servers.files.engine.texts import decode_text
from yardkit.world import Problem, World
from yardkit.world.wording import format_count

MAX_SEARCHED_BYTES = 10_000_000
"""Larger files are skipped, and named."""
MAX_TOTAL_BYTES = 500_000_000
MAX_PATTERN = 1000
_MAX_LINE_LENGTH = 300
_MAX_NAMED = 20


@dataclass(frozen=True)
class Hit:
    """One matching line.

    Attributes:
        line: its number, from 1.
        column: where the match begins, in characters from 1.
        text: the line; of a long line 300 characters around the match.
        before: lines that precede it, when asked for.
        after: lines that follow it, when asked for.
    """

    path: str
    line: int
    column: int
    text: str
    before: list[str]
    after: list[str]

    def __str__(self) -> str:
        first = self.line - len(self.before)
        around = [f"{self.path}-{first + i}- {text}" for i, text in enumerate(self.before)]
        following = [f"{self.path}-{self.line + 1 + i}- {text}" for i, text in enumerate(self.after)]
        return "\n".join([*around, f"{self.path}:{self.line}:{self.column}: {self.text}", *following])


@dataclass(frozen=True)
class Hits:
    """Matching lines in the order of paths and lines.

    Attributes:
        searched_files: text files looked at for this page.
        skipped: why files were not searched (binary, too large), at most 20 of them.
        next_offset: the offset of the next page; null at the end.
    """

    hits: list[Hit]
    searched_files: int
    skipped: list[str]
    next_offset: int | None

    def __str__(self) -> str:
        skipped = [f"[skipped: {reason}]" for reason in self.skipped]
        hit_lines = [str(hit) for hit in self.hits] or [f"no match in {format_count(self.searched_files, 'file')}"]
        return "\n".join([*hit_lines, *skipped]) + format_next_page(self.next_offset)


def search_files(
    world: World,
    top: Path,
    pattern: str,
    *,
    literal: bool = False,
    ignore_case: bool = False,
    include: Sequence[str],
    exclude: Sequence[str],
    context: int = 0,
    offset: int = 0,
    limit: int = 100,
) -> Hits:
    """One page of the lines that match `pattern` (RE2 syntax) in the text files at or below `top`.

    Raises:
        Problem: the pattern is not valid, or there is too much to search.
    """
    expression = _compile_pattern(unicodedata.normalize("NFC", pattern), literal, ignore_case)
    skipped: list[str] = []
    searched = 0

    def hits() -> Iterator[Hit]:
        nonlocal searched
        for path in _iter_candidates(top, include, exclude):
            try:
                lines = decode_text(path, max_bytes=MAX_SEARCHED_BYTES).text.split("\n")
            except (Problem, OSError) as problem:
                skipped.append(f"{get_relative_name(world, path)}: {problem}")
                continue
            searched += 1
            yield from _in_lines(expression, lines, get_relative_name(world, path), context)

    page_hits, following = take_page(hits(), offset, limit)
    rest = len(skipped) - _MAX_NAMED
    return Hits(page_hits, searched, skipped[:_MAX_NAMED] + ([f"{rest} more files"] if rest > 0 else []), following)


def _compile_pattern(pattern: str, literal: bool, ignore_case: bool) -> Callable[[str], Any]:
    import re2

    if not 0 < len(pattern) <= MAX_PATTERN:
        raise Problem(f"the pattern has {len(pattern)} characters; give 1 to {MAX_PATTERN}")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        compiled: Any = re2.compile(re2.escape(pattern) if literal else pattern, options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
        raise Problem(
            f"{pattern[:100]!r} is not a valid regular expression ({reason}). Use RE2 syntax, without "
            "look-around and back-references, or set literal to find the text exactly"
        ) from error
    search_in: Callable[[str], Any] = compiled.search
    return search_in


def _iter_candidates(top: Path, include: Sequence[str], exclude: Sequence[str]) -> Iterator[Path]:
    if not top.is_dir():
        yield top
        return
    included = make_matcher(include) if include else None
    excluded = make_matcher(exclude) if exclude else None
    total = 0
    for entry, _ in walk_folder(top, None, excluded):
        path = Path(entry.path)
        if not entry.is_file(follow_symlinks=False):
            continue
        if included and not included(path.relative_to(top).as_posix()):
            continue
        total += path.lstat().st_size
        if total > MAX_TOTAL_BYTES:
            raise Problem(f"over {MAX_TOTAL_BYTES:,} bytes would be searched; narrow the search with path or include")
        yield path


def _in_lines(expression: Callable[[str], Any], lines: list[str], name: str, context: int) -> Iterator[Hit]:
    for number, line in enumerate(text.removesuffix("\r") for text in lines):
        match = expression(line) or (not line.isascii() and expression(unicodedata.normalize("NFC", line)))
        if match and (line or number < len(lines) - 1):
            before = [_cut_line(text) for text in lines[max(0, number - context) : number]]
            after = [_cut_line(text) for text in lines[number + 1 : number + 1 + context]]
            yield Hit(name, number + 1, match.start() + 1, _cut_line(line, match.start()), before, after)


def _cut_line(line: str, at: int = 0) -> str:
    line_text = line.rstrip("\r")
    if len(line_text) <= _MAX_LINE_LENGTH:
        return line_text
    start = max(0, at - _MAX_LINE_LENGTH // 3)
    return ("…" if start else "") + line_text[start : start + _MAX_LINE_LENGTH] + "…"
