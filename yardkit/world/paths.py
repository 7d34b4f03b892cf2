"""Paths that cannot leave the workspace, as types of tool arguments, and files as parts of results."""

import itertools
import mimetypes
import os
import stat
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BeforeValidator, StringConstraints

from yardkit.world.problem import Problem
from yardkit.world.tree import MAX_DEPTH, MAX_RELATIVE_BYTES, SAVE_PREFIX, within_reach
from yardkit.world.world import current_world

# NAME_MAX and PATH_MAX of Linux.
MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4096
MAX_COMPARED = 2000
"""How many names of a folder are compared with one that is not there."""


@dataclass(frozen=True)
class FileRef:
    """A file in the workspace as part of a result; a picture or a sound is shown.

    Attributes:
        path: relative to the workspace.
        media_type: such as ``image/png``.
        size_bytes: its size.
    """

    path: str
    media_type: str
    size_bytes: int

    @classmethod
    def from_path(cls, path: Path) -> "FileRef":
        """Describe the existing file `path` of the current world."""
        media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return cls(current_world().to_relative(path), media_type, path.stat().st_size)

    def __str__(self) -> str:
        return f"{self.path} ({self.media_type}, {self.size_bytes:,} bytes)"


def resolve_path(path: object) -> Path:
    """Resolve `path` to an absolute path inside the current workspace, following every symlink.

    Absolute paths are accepted inside the workspace; ``..`` and symlinks if they stay inside.

    Raises:
        Problem: the path is unusable or leaves the workspace.
    """
    world = current_world()
    try:
        text = _as_spelled(world.files, _check_path(path))
        named = str(world.files / text)
        real = named if _has_no_detours(world.files, text) else os.path.realpath(named)
        # After a loop of symlinks realpath does not resolve the rest, whose links may lead anywhere.
        in_circle = real != named and os.path.realpath(real) != real
    except (OSError, ValueError) as error:
        # An OSError's own message contains the path on this machine.
        reason = getattr(error, "strerror", None) or error
        raise Problem(f"{_shorten_path(text)} is not a usable path ({reason}); name a file in the workspace") from error
    resolved = Path(real)
    if in_circle:
        raise Problem(f"{_shorten_path(text)} goes through symlinks that form a circle; name the file without them")
    if not resolved.is_relative_to(world.files):
        raise Problem(
            f"{_shorten_path(text)} is outside the workspace; use a path relative to it, such as 'notes/a.txt'"
        )
    check_reach(resolved)
    return resolved


def _as_spelled(folder: Path, text: str) -> str:
    """Spell `text` like the existing names on its way: macOS decomposes accents, while models write composed ones.

    Exact names take precedence; a name that does not exist in another form stays as given.
    """
    relative = text.removeprefix(f"{folder}/")
    if text.isascii() or relative.startswith("/") or os.path.lexists(folder / text):
        return text
    parts: list[str] = []
    for part in relative.split("/"):
        parts.append(part if part.isascii() else _find_spelling(folder.joinpath(*parts), part))
    return "/".join(parts)


def _find_spelling(folder: Path, name: str) -> str:
    if os.path.lexists(folder / name):
        return name
    composed = unicodedata.normalize("NFC", name)
    try:
        with os.scandir(folder) as entries:
            same_names = (entry.name for entry in entries if unicodedata.normalize("NFC", entry.name) == composed)
            return min(same_names, default=name)
    except OSError:
        return name


def _has_no_detours(folder: Path, text: str) -> bool:
    """Whether `text`, a path relative to the real path `folder`, has no symlink and no ``..``."""
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts:
        return False
    steps = itertools.accumulate(path.parts, os.path.join, initial=str(folder))
    return not any(os.path.islink(step) for step in steps)  # noqa: PTH114 - making a Path takes longer than asking


def check_reach(path: Path) -> None:
    """Refuse a path in the workspace that snapshots would not cover.

    Raises:
        Problem: it is too deep or too long.
    """
    relative = path.relative_to(current_world().files)
    if not within_reach(relative):
        raise Problem(
            f"{_shorten_path(relative.as_posix())} is nested too deeply; at most {MAX_DEPTH} folders and "
            f"{MAX_RELATIVE_BYTES:,} bytes of path are possible. Choose a shorter path"
        )


def in_path(path: object) -> Path:
    """Check that the path is an existing file or directory."""
    resolved = resolve_path(path)
    kind = _detect_kind(resolved)
    if kind == "missing":
        raise _report_missing(path)
    if kind == "other":
        raise Problem(f"{_shorten_path(str(path))} is not a regular file; pipes, sockets and devices cannot be read")
    return resolved


def in_file(path: object) -> Path:
    """Check that the path is an existing, readable, regular file."""
    resolved = in_path(path)
    if _detect_kind(resolved) == "directory":
        raise Problem(f"{_shorten_path(str(path))} is a directory; name a file in it")
    if not os.access(resolved, os.R_OK):
        raise Problem(f"{_shorten_path(str(path))} is not readable; change its permissions")
    return resolved


def in_dir(path: object) -> Path:
    """Check that the path is an existing directory."""
    resolved = in_path(path)
    if _detect_kind(resolved) != "directory":
        raise Problem(f"{_shorten_path(str(path))} is not a directory; name the folder that holds it")
    return resolved


def in_entry(path: object) -> Path:
    """Check that the path is an existing file, directory or symlink; for a symlink, the link itself, not its target."""
    entry = _resolve_entry(path)
    if not os.path.lexists(entry):
        raise _report_missing(path)
    return entry


def out_file(path: object) -> Path:
    """Check a path for a file to be made or replaced. Its parents are made when it is saved."""
    resolved = resolve_path(path)
    kind = _detect_kind(resolved)
    if kind == "directory":
        raise Problem(f"{_shorten_path(str(path))} is a directory; name a file to write")
    if kind == "other":
        raise Problem(f"{_shorten_path(str(path))} is not a regular file; name another file to write")
    return _with_possible_parents(resolved, str(path))


def out_dir(path: object) -> Path:
    """Check a path for a directory to be made or filled."""
    resolved = resolve_path(path)
    if _detect_kind(resolved) not in ("missing", "directory"):
        raise Problem(f"{_shorten_path(str(path))} is a file; name a directory")
    return _with_possible_parents(resolved, str(path))


def out_entry(path: object) -> Path:
    """Check a path to which a file or directory is moved or copied; a symlink there means the link itself."""
    return _with_possible_parents(_resolve_entry(path), str(path))


def any_entry(path: object) -> Path:
    """Check a path in the workspace, existing or not; a symlink there means the link itself."""
    is_root = Path(_check_path(path)) == current_world().files
    return resolve_path(path) if is_root or Path(str(path)).name in ("", "..") else _resolve_entry(path)


def _resolve_entry(path: object) -> Path:
    """Resolve the symlinks of the parents of `path`, but not `path` itself."""
    text = _check_path(path)
    parent, _, name = text.rstrip("/").rpartition("/")
    if name in ("", ".", ".."):
        entry = resolve_path(text)
    else:
        folder = resolve_path(parent + "/" if parent or text.startswith("/") else ".")
        entry = folder / (name if name.isascii() else _find_spelling(folder, name))
    if entry == current_world().files:
        raise Problem(f"{_shorten_path(text)} is the workspace itself; name a file or folder in it")
    check_reach(entry)
    return entry


def _report_missing(path: object) -> Problem:
    near = _find_near_paths(str(path))
    advice = (
        f"did you mean {' or '.join(map(_shorten_path, near))}?" if near else "list the folder to see what is there"
    )
    return Problem(f"{_shorten_path(str(path))} does not exist; {advice}")


def _find_near_paths(text: str) -> list[str]:
    """Find up to three paths similar to `text`: its name in another case or spelling, in the same folder."""
    parent, _, name = text.rstrip("/").rpartition("/")
    try:
        with os.scandir(resolve_path(parent + "/" if parent or text.startswith("/") else ".")) as entries:
            there = {
                dir_entry.name
                for dir_entry in islice(entries, MAX_COMPARED)
                if not dir_entry.name.startswith(SAVE_PREFIX)
            }
    except (OSError, Problem):
        return []
    by_case: dict[str, list[str]] = {}
    for word in sorted(there):
        by_case.setdefault(word.casefold(), []).append(word)
    close = get_close_matches(name.casefold(), by_case, n=3, cutoff=0.75)
    near_words = [word for normalized_word in close for word in by_case[normalized_word]]
    return [f"{parent}/{word}" if parent else word for word in near_words[:3]]


def _detect_kind(path: Path) -> Literal["missing", "file", "directory", "other"]:
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "missing"
    except OSError as error:
        raise Problem(f"{_shorten_path(path.name)} cannot be used ({error.strerror}); name another path") from error
    return "directory" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "other"


def _with_possible_parents(resolved: Path, text: str) -> Path:
    for parent in resolved.parents:
        kind = _detect_kind(parent)
        if kind not in ("missing", "directory"):
            raise Problem(f"{_shorten_path(text)} cannot be made: {parent.name!r} is a file, not a directory")
        if kind == "directory":
            break
    return resolved


def _check_path(path: object) -> str:
    if not isinstance(path, str | Path):
        raise Problem(f"a path must be text, not {type(path).__name__}; such as 'notes/a.txt'")
    text = str(path)
    if not text.strip():
        raise Problem("the path is empty; use '.' for the workspace itself")
    if "\0" in text:
        raise Problem(f"{_shorten_path(text)} contains a null byte; remove it")
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise Problem(f"{_shorten_path(text)} is not valid Unicode text; remove the stray surrogates") from None
    if len(encoded) > MAX_PATH_BYTES or any(len(part) > MAX_NAME_BYTES for part in encoded.split(b"/")):
        raise Problem(f"the path {_shorten_path(text)} is too long; names end at {MAX_NAME_BYTES} bytes")
    if any(part.startswith(SAVE_PREFIX) for part in text.split("/")):
        raise Problem(f"{_shorten_path(text)} is a name that Yardkit uses while it saves; choose another")
    return text


def _shorten_path(text: str) -> str:
    return repr(text if len(text) <= 120 else text[:100] + "..." + text[-15:])


_Text = Annotated[str, StringConstraints(min_length=1)]
InPath = Annotated[Path, BeforeValidator(in_path, json_schema_input_type=_Text)]
"""Argument type: an existing file or directory in the workspace."""
InFile = Annotated[Path, BeforeValidator(in_file, json_schema_input_type=_Text)]
"""Argument type: an existing file in the workspace."""
InDir = Annotated[Path, BeforeValidator(in_dir, json_schema_input_type=_Text)]
"""Argument type: an existing directory in the workspace."""
OutFile = Annotated[Path, BeforeValidator(out_file, json_schema_input_type=_Text)]
"""Argument type: a file in the workspace to be made or replaced."""
OutDir = Annotated[Path, BeforeValidator(out_dir, json_schema_input_type=_Text)]
"""Argument type: a directory in the workspace to be made or filled."""
InEntry = Annotated[Path, BeforeValidator(in_entry, json_schema_input_type=_Text)]
"""Argument type: an existing file, directory or symlink in the workspace, symlinks not followed."""
AnyEntry = Annotated[Path, BeforeValidator(any_entry, json_schema_input_type=_Text)]
"""Argument type: a place in the workspace, whether or not anything stands there; symlinks not followed."""
OutEntry = Annotated[Path, BeforeValidator(out_entry, json_schema_input_type=_Text)]
"""Argument type: a place in the workspace to move or copy something to, symlinks not followed."""
