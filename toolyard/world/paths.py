"""Paths that cannot leave the workspace, as types of tool arguments."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from toolyard.world.problem import Problem
from toolyard.world.save import SAVE_PREFIX
from toolyard.world.world import current_world

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4096


def resolve(path: object) -> Path:
    """The absolute path inside the current workspace that `path` names, with every symlink followed.

    Absolute paths are taken when they lie inside the workspace; ``..`` and symlinks when they stay inside.

    Raises:
        Problem: it is no usable path, or it leaves the workspace.
    """
    text = _checked(path)
    world = current_world()
    try:
        resolved = Path(os.path.realpath(world.files / text))
    except (OSError, ValueError) as error:
        raise Problem(f"{_shown(text)} is not a usable path ({error}); name a file in the workspace") from error
    if not resolved.is_relative_to(world.files):
        raise Problem(f"{_shown(text)} is outside the workspace; use a path relative to it, such as 'notes/a.txt'")
    return resolved


def in_path(path: object) -> Path:
    """An existing file or directory."""
    resolved = resolve(path)
    if not os.path.lexists(resolved):
        raise Problem(f"{_shown(str(path))} does not exist; list the folder to see what is there")
    return resolved


def in_file(path: object) -> Path:
    """An existing, readable, regular file."""
    resolved = in_path(path)
    if resolved.is_dir():
        raise Problem(f"{_shown(str(path))} is a directory; name a file in it")
    if not resolved.is_file():
        raise Problem(f"{_shown(str(path))} is not a regular file; pipes, sockets and devices cannot be read")
    if not os.access(resolved, os.R_OK):
        raise Problem(f"{_shown(str(path))} is not readable; change its permissions")
    return resolved


def in_dir(path: object) -> Path:
    """An existing directory."""
    resolved = in_path(path)
    if not resolved.is_dir():
        raise Problem(f"{_shown(str(path))} is not a directory; name the folder that holds it")
    return resolved


def out_file(path: object) -> Path:
    """A file to be made or replaced. Its parents are made when it is saved."""
    resolved = resolve(path)
    if resolved == current_world().files or resolved.is_dir():
        raise Problem(f"{_shown(str(path))} is a directory; name a file to write")
    if resolved.exists() and not resolved.is_file():
        raise Problem(f"{_shown(str(path))} is not a regular file; name another file to write")
    return _with_possible_parents(resolved, str(path))


def out_dir(path: object) -> Path:
    """A directory to be made or filled."""
    resolved = resolve(path)
    if resolved.exists() and not resolved.is_dir():
        raise Problem(f"{_shown(str(path))} is a file; name a directory")
    return _with_possible_parents(resolved, str(path))


def _with_possible_parents(resolved: Path, text: str) -> Path:
    for parent in resolved.parents:
        if parent.exists():
            if not parent.is_dir():
                raise Problem(f"{_shown(text)} cannot be made: {parent.name!r} is a file, not a directory")
            break
    return resolved


def _checked(path: object) -> str:
    if not isinstance(path, str | Path):
        raise Problem(f"a path must be text, not {type(path).__name__}; such as 'notes/a.txt'")
    text = str(path)
    if not text.strip():
        raise Problem("the path is empty; use '.' for the workspace itself")
    if "\0" in text:
        raise Problem(f"{_shown(text)} contains a null byte; remove it")
    try:
        encoded = text.encode("utf-8")
    except UnicodeEncodeError:
        raise Problem(f"{_shown(text)} is not valid Unicode text; remove the stray surrogates") from None
    if len(encoded) > MAX_PATH_BYTES or any(len(part) > MAX_NAME_BYTES for part in encoded.split(b"/")):
        raise Problem(f"the path {_shown(text)} is too long; names end at {MAX_NAME_BYTES} bytes")
    if any(part.startswith(SAVE_PREFIX) for part in text.split("/")):
        raise Problem(f"{_shown(text)} is a name that Toolyard uses while it saves; choose another")
    return text


def _shown(text: str) -> str:
    return repr(text if len(text) <= 120 else text[:100] + "..." + text[-15:])


_TEXT = WithJsonSchema({"type": "string", "minLength": 1})
InPath = Annotated[Path, BeforeValidator(in_path), _TEXT]
"""Argument type: an existing file or directory in the workspace."""
InFile = Annotated[Path, BeforeValidator(in_file), _TEXT]
"""Argument type: an existing file in the workspace."""
InDir = Annotated[Path, BeforeValidator(in_dir), _TEXT]
"""Argument type: an existing directory in the workspace."""
OutFile = Annotated[Path, BeforeValidator(out_file), _TEXT]
"""Argument type: a file in the workspace to be made or replaced."""
OutDir = Annotated[Path, BeforeValidator(out_dir), _TEXT]
"""Argument type: a directory in the workspace to be made or filled."""
