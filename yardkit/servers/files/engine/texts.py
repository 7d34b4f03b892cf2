"""Text files: read in pages with their encoding, write, append, edit by exact replacement."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from yardkit.servers.files.engine.diffs import unified_diff
from yardkit.servers.files.engine.listing import get_relative_name
from yardkit.world import Problem, World, lock_file, save_atomically, save_bytes
from yardkit.world.decoding import BOMS, detect_encoding
from yardkit.world.limits import check_bytes
from yardkit.world.tree import clone_file
from yardkit.world.wording import format_count

MAX_TEXT_BYTES = 50_000_000
"""The largest file that is read as text."""
MAX_CHARACTERS = 40_000
"""Characters of file content in one result."""

Encoding = Literal[
    "auto", "utf-8", "utf-16", "cp1250", "cp1251", "cp1252", "latin-1", "koi8-r", "gb18030", "big5", "shift_jis",
    "euc_jp", "euc_kr",
]  # fmt: skip


@dataclass(frozen=True)
class TextPart:
    """Consecutive lines of a text file.

    Attributes:
        content: exactly as in the file, line ends included.
        encoding: by which the bytes were decoded.
        first_line: number of the first line in `content`, from 1; 0 for an empty file.
        last_line: number of the last line in `content`.
        total_lines: of the file.
        next_offset: the offset to continue with; null at the end of the file.
        next_column: the column to continue with when a long line was cut; null otherwise.
    """

    path: str
    content: str
    encoding: str
    first_line: int
    last_line: int
    total_lines: int
    next_offset: int | None
    next_column: int | None

    def __str__(self) -> str:
        if self.next_offset is None:
            return self.content or "[nothing here: the file has " + f"{self.total_lines} lines]"
        column = f", column={self.next_column}" if self.next_column is not None else ""
        lines = f"lines {self.first_line}-{self.last_line} of {self.total_lines}"
        return f"{self.content}\n[{lines}; continue with offset={self.next_offset}{column}]"


@dataclass(frozen=True)
class TextOrProblem:
    """One of several files: its text, or why it cannot be read."""

    path: str
    text: TextPart | None
    problem: str | None

    def __str__(self) -> str:
        return f"=== {self.path}\n{self.problem or self.text}"


@dataclass(frozen=True)
class Texts:
    """The beginnings of several files."""

    files: list[TextOrProblem]

    def __str__(self) -> str:
        return "\n".join(str(file) for file in self.files)


@dataclass(frozen=True)
class Edit:
    """One exact replacement.

    Attributes:
        old_text: what stands in the file, exactly, white space included; must occur once unless `replace_all`.
        new_text: what stands there afterwards; empty to delete.
        replace_all: replace every occurrence.
    """

    old_text: str
    new_text: str
    replace_all: bool = False


@dataclass(frozen=True)
class Edited:
    """What an edit changes.

    Attributes:
        replacements: how many places changed.
        diff: unified diff, cut at 40,000 characters.
        saved: false after a dry run.
    """

    path: str
    replacements: int
    diff: str
    saved: bool

    def __str__(self) -> str:
        done = "changed" if self.saved else "dry run, nothing saved: would change"
        return f"{done} {format_count(self.replacements, 'place')} in {self.path}\n{self.diff}"


def decode_text(path: Path, encoding: Encoding = "auto", *, max_bytes: int = MAX_TEXT_BYTES) -> tuple[str, str]:
    """The text of a file and the name of its encoding.

    ``auto`` looks for a byte order mark, then tries UTF-8, then lets charset-normalizer guess among the common
    legacy encodings.

    Raises:
        Problem: the file is too large, binary, or not in `encoding`.
    """
    check_bytes(path, max_bytes)
    data = path.read_bytes()
    name = _detect_encoding(data, path.name) if encoding == "auto" else encoding
    try:
        return data.decode(name), name
    except UnicodeDecodeError as error:
        raise Problem(
            f"{path.name!r} is not {name} text (byte {error.start:,}: {error.reason}); try another encoding"
        ) from error


def _detect_encoding(data: bytes, name: str) -> str:
    if b"\0" in data and not any(data.startswith(mark) for mark, _, _ in BOMS):
        raise Problem(f"{name!r} is binary, not text; use read_media for pictures and sound, or a tool for its format")
    encoding = detect_encoding(data)
    if encoding is None:
        raise Problem(f"{name!r} has an encoding that cannot be detected; give `encoding` if it is text")
    return encoding


def read_text(
    world: World,
    path: Path,
    *,
    offset: int = 0,
    limit: int = 2000,
    column: int = 0,
    encoding: Encoding = "auto",
    characters: int = MAX_CHARACTERS,
) -> TextPart:
    """At most `limit` lines and `characters` characters of a text file, after its first `offset` lines.

    A negative `offset` counts from the end. `column` skips that many characters of the first of the lines.
    """
    text, name = decode_text(path, encoding)
    lines = _split_lines(text)
    start = max(0, len(lines) + offset) if offset < 0 else min(offset, len(lines))
    taken: list[str] = []
    room = characters
    for line in lines[start : start + limit]:
        rest = line if taken else line[column:]
        if len(rest) > room:
            break
        taken.append(rest)
        room -= len(rest)
    end, next_column = start + len(taken), None
    if not taken and start < len(lines):
        taken, end, next_column = [lines[start][column : column + characters]], start, column + characters
    going_on = end < len(lines)
    return TextPart(
        path=get_relative_name(world, path),
        content="".join(taken),
        encoding=name,
        first_line=start + 1 if taken else 0,
        last_line=start + len(taken) if taken else 0,
        total_lines=len(lines),
        next_offset=end if going_on else None,
        next_column=next_column if going_on else None,
    )


def read_several(world: World, paths: list[Path]) -> Texts:
    """The beginning of each file, all together at most `MAX_CHARACTERS`; files that are no text say why."""
    share = MAX_CHARACTERS // max(len(paths), 1)
    return Texts([_read_or_problem(world, path, share) for path in paths])


def _read_or_problem(world: World, path: Path, characters: int) -> TextOrProblem:
    try:
        return TextOrProblem(get_relative_name(world, path), read_text(world, path, characters=characters), None)
    except Problem as problem:
        return TextOrProblem(get_relative_name(world, path), None, str(problem))


def write_text(world: World, path: Path, content: str) -> bool:
    """Write `content` as UTF-8, whole or not at all; true if a file was replaced."""
    data = _encode_text(content, "utf-8", path)
    with lock_file(path, world.locks):
        replaced = path.exists()
        save_bytes(path, data)
    return replaced


def append_text(world: World, path: Path, content: str) -> bool:
    """Add `content` at the end of a file, in its own encoding; true if the file was there before."""
    with lock_file(path, world.locks):
        if not path.exists():
            save_bytes(path, _encode_text(content, "utf-8", path))
            return False
        _, codec = _bom_and_codec(path, decode_text(path)[1])
        data = _encode_text(content, codec, path)
        with save_atomically(path) as draft:
            clone_file(path, draft)
            with draft.open("ab") as handle:
                handle.write(data)
    return True


def _bom_and_codec(path: Path, name: str) -> tuple[bytes, str]:
    """What begins the file, and the codec of what follows: Python's own codecs write the machine's byte order."""
    with path.open("rb") as handle:
        head = handle.read(4)
    marked = [(mark, codec) for mark, encoding, codec in BOMS if encoding == name and head.startswith(mark)]
    return marked[0] if marked else (b"", name)


def edit_text(world: World, path: Path, edits: list[Edit], *, dry_run: bool = False) -> Edited:
    """Apply exact replacements one after the other, all or none; encoding and line ends stay as they are.

    Raises:
        Problem: an `old_text` is not there, or is there more than once without `replace_all`, or nothing changes.
    """
    with lock_file(path, world.locks):
        before, name = decode_text(path)
        after, replacements = before, 0
        for number, text_edit in enumerate(edits, 1):
            after, count = _replace_text(after, text_edit, number, path.name)
            replacements += count
        if after == before:
            raise Problem(f"the edits do not change {path.name!r}; give a new_text that differs from old_text")
        mark, codec = _bom_and_codec(path, name)
        data = mark + _encode_text(after, codec, path)
        if not dry_run:
            save_bytes(path, data)
    diff = unified_diff(_split_lines(before), _split_lines(after), get_relative_name(world, path), MAX_CHARACTERS)
    return Edited(get_relative_name(world, path), replacements, diff, saved=not dry_run)


def _replace_text(text: str, edit: Edit, number: int, name: str) -> tuple[str, int]:
    old, new = edit.old_text, edit.new_text
    if not old:
        raise Problem(f"edit {number} has an empty old_text; give the text to replace, or use append_file")
    if old not in text and "\r\n" in text:
        old, new = _with_crlf(old), _with_crlf(new)
    count = text.count(old)
    if count == 0:
        raise Problem(
            f"edit {number}: {_shorten_text(edit.old_text)} is not in {name!r}; nothing was changed. "
            "Read the file again and copy the text exactly, with its spaces and line breaks"
        )
    if count > 1 and not edit.replace_all:
        raise Problem(
            f"edit {number}: {_shorten_text(edit.old_text)} is in {name!r} {count} times; nothing was "
            "changed. Include more of the text around it, or set replace_all"
        )
    return text.replace(old, new), count


def _with_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _shorten_text(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:80] + "...")


def _encode_text(text: str, encoding: str, path: Path) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        bad = text[error.start : error.start + 1]
        raise Problem(f"{bad!r} cannot be written in the {encoding} of {path.name!r}; leave it out") from error


def _split_lines(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends a line, as for ``grep`` and ``wc``."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
