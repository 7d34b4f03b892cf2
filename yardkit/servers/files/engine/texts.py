"""Text files: read in pages with their encoding, write, append, edit by exact replacement."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from yardkit.servers.files.engine.diffs import unified_diff
from yardkit.servers.files.engine.listing import get_relative_name
from yardkit.world import Problem, World, lock_file, save_atomically, save_bytes
from yardkit.world.decoding import BOMS, DecodedText, decode_bytes, is_binary, note_reading
from yardkit.world.limits import check_bytes
from yardkit.world.tree import clone_file
from yardkit.world.wording import format_count

MAX_TEXT_BYTES = 50_000_000
"""The largest file that is read as text."""
MAX_CHARACTERS = 40_000
_BARE_END = re.compile(r"(?<!\r)\n")
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


def decode_text(path: Path, encoding: Encoding = "auto", *, max_bytes: int = MAX_TEXT_BYTES) -> DecodedText:
    """The text of a file.

    ``auto`` looks for a byte order mark, then tries UTF-8, then lets charset-normalizer guess among the common
    legacy encodings.

    Raises:
        Problem: the file is too large, binary, or not in `encoding`.
    """
    check_bytes(path, max_bytes)
    data = path.read_bytes()
    if encoding == "auto":
        return _detect_text(data, path.name)
    try:
        return DecodedText(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        raise Problem(
            f"{path.name!r} is not {encoding} text (byte {error.start:,}: {error.reason}); try another encoding"
        ) from error


def _detect_text(data: bytes, name: str) -> DecodedText:
    if is_binary(data):
        raise Problem(f"{name!r} is binary, not text; use read_media for pictures and sound, or a tool for its format")
    return decode_bytes(data)


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
    decoded = decode_text(path, encoding)
    note_reading(path.name, decoded)
    lines = _split_lines(decoded.text)
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
        encoding=decoded.encoding,
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
    """Add `content` at the end of a file, in its own encoding and with its line ends; true if it was there before."""
    with lock_file(path, world.locks):
        if not path.exists():
            save_bytes(path, _encode_text(content, "utf-8", path))
            return False
        decoded = decode_text(path)
        note_reading(path.name, decoded)
        _, codec = _bom_and_codec(path, decoded.encoding)
        data = _encode_text(_BARE_END.sub(_find_line_end(decoded.text, len(decoded.text)), content), codec, path)
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

    A line break of an edit stands for the file's own; an old_text with carriage returns is taken as it is.

    Raises:
        Problem: an `old_text` is not there, or is there more than once without `replace_all`, or nothing changes.
    """
    with lock_file(path, world.locks):
        decoded = decode_text(path)
        note_reading(path.name, decoded)
        before = after = decoded.text
        replacements = 0
        for number, text_edit in enumerate(edits, 1):
            after, count = replace_text(after, text_edit, number, path.name)
            replacements += count
        if after == before:
            raise Problem(f"the edits do not change {path.name!r}; give a new_text that differs from old_text")
        mark, codec = _bom_and_codec(path, decoded.encoding)
        if decoded.lost or mark + before.encode(codec, "replace") != path.read_bytes():
            raise Problem(
                f"an edit would change other characters of {path.name!r}, too, since not all of it can be read and "
                f"written back as {decoded.encoding}; write it again as UTF-8"
            )
        data = mark + _encode_text(after, codec, path)
        if not dry_run:
            save_bytes(path, data)
    diff = unified_diff(_split_lines(before), _split_lines(after), get_relative_name(world, path), MAX_CHARACTERS)
    return Edited(get_relative_name(world, path), replacements, diff, saved=not dry_run)


def replace_text(text: str, edit: Edit, number: int, name: str) -> tuple[str, int]:
    """The text after an edit, the number of which is for messages, and how many places it changes.

    Raises:
        Problem: the old text is empty, is not there, or is there more than once and may be changed once.
    """
    old, new = edit.old_text, edit.new_text
    if not old:
        raise Problem(f"edit {number} has an empty old_text; give the text to replace, or use append_file")
    pattern = re.escape(old)
    if old not in text:
        pattern = pattern.replace("\\\n", _get_end_pattern(text))
    count = sum(1 for _ in re.finditer(pattern, text))
    if count == 0 and not old.isascii():  # letters with marks may be one character or two
        pattern = "".join(map(_make_letter_pattern, unicodedata.normalize("NFC", old)))
        pattern = pattern.replace("\\\n", _get_end_pattern(text))
        count = sum(1 for _ in re.finditer(pattern, text))
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
    if "\r" in old or "\n" not in new:
        return re.sub(pattern, lambda _: new, text), count
    return re.sub(pattern, lambda match: _with_ends_of_place(new, match), text), count


def _make_letter_pattern(letter: str) -> str:
    parts = unicodedata.normalize("NFD", letter)
    return re.escape(letter) if parts == letter else f"(?:{re.escape(letter)}|{re.escape(parts)})"


def _with_ends_of_place(new: str, match: re.Match[str]) -> str:
    """A new text with the line ends of what it replaces; further ones are as the next line end of the file."""
    ends = re.findall(_get_end_pattern(match.string), match[0])
    further_end = ends[-1] if ends else _find_line_end(match.string, match.end())
    return _BARE_END.sub(lambda _: ends.pop(0) if ends else further_end, new)


def _get_end_pattern(text: str) -> str:
    """What ends the lines of a text: a carriage return does only where there are no line feeds."""
    return r"\r?\n" if "\n" in text else r"\r"


def _find_line_end(text: str, place: int) -> str:
    """The line end that follows a place, else the one before it."""
    mark = "\n" if "\n" in text else "\r"
    place_of_mark = text.find(mark, place)
    place_of_mark = text.rfind(mark, 0, place) if place_of_mark < 0 else place_of_mark
    return (
        "\n"
        if place_of_mark < 0
        else "\r\n"
        if mark == "\n" and text[place_of_mark - 1 : place_of_mark] == "\r"
        else mark
    )


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
