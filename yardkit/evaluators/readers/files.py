"""Finding and reading delivered files."""

import os
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from yardkit.evaluators.checkpoints import (
    EnvironmentInvalid,
    Finding,
    InsufficientEvidence,
    InvalidArtifact,
    make_finding,
)
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import refuse_broken, watch_reading
from yardkit.world.decoding import decode_bytes, is_binary
from yardkit.world.tree import file_digest

Read = TypeVar("Read")
Given = ParamSpec("Given")

MAX_BYTES = 50_000_000
MAX_PLACES = 512
_places: OrderedDict[tuple[str, str], Path] = OrderedDict()


def keeps_outcomes(most: int) -> Callable[[Callable[Given, Read]], Callable[Given, Read]]:
    """Cache the last results of a function and also its exceptions, since many leaves read the same bad file."""

    def decorate(function: Callable[Given, Read]) -> Callable[Given, Read]:
        @lru_cache(maxsize=most)
        def outcome(*args: Any, **kwargs: Any) -> tuple[Any, Exception | None]:
            try:
                return function(*args, **kwargs), None
            except EnvironmentInvalid:
                raise
            except Exception as error:  # noqa: BLE001 - raised again below
                return None, error

        @wraps(function)
        def read_cached(*args: Given.args, **kwargs: Given.kwargs) -> Read:
            result, error = outcome(*args, **kwargs)  # type: ignore[arg-type]
            if error is not None:
                raise error.with_traceback(None)
            cached_outcome: Read = result
            return cached_outcome

        return read_cached

    return decorate


def require_file(submission: Submission, relative: str, max_bytes: int = MAX_BYTES) -> Path:
    """Return the delivered regular file at `relative`.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is a symlink, no regular file, or over `max_bytes`.
    """
    return require_file_in(submission.files, relative, max_bytes)


def require_file_in(folder: Path, relative: str, max_bytes: int = MAX_BYTES) -> Path:
    """Return the regular file at `relative` in a folder of a world.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is a symlink, no regular file, or over `max_bytes`.
    """
    path = folder / relative
    if not path.exists() and not path.is_symlink():
        raise InsufficientEvidence(f"{relative} was not delivered")
    if os.path.realpath(path) != os.path.realpath(folder) + os.sep + relative or path.is_symlink():
        raise InvalidArtifact(f"{relative} is, or is behind, a symbolic link")
    if not path.is_file():
        raise InvalidArtifact(f"{relative} is not a regular file")
    if path.stat().st_size > max_bytes:
        raise InvalidArtifact(f"{relative} has {path.stat().st_size:,} bytes, more than {max_bytes:,}")
    refuse_broken(path)
    return path


def same_file(path: Path, other: Path) -> bool:
    """Whether both are regular files with the same content."""
    regular = all(file_path.is_file() and not file_path.is_symlink() for file_path in (path, other))
    return regular and file_digest(path) == file_digest(other)


def read_text(submission: Submission, relative: str, max_bytes: int = 5_000_000) -> str:
    """Read the text of a delivered file: UTF-8 with or without a byte order mark, UTF-16, or that of another program.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not text.
    """
    raw = require_file(submission, relative, max_bytes).read_bytes()
    decoded = decode_bytes(raw)
    if decoded.lost or (decoded.guessed and is_binary(raw)):
        raise InvalidArtifact(f"{relative} is not text in UTF-8")
    return decoded.text


def only_changed(submission: Submission, *allowed: str) -> Finding:
    """The guardrail of most tasks: nothing except the deliverables was added, changed or deleted.

    `allowed` are relative paths, or folders ending in ``/`` whose entire content may change.
    """
    strays = {
        path: how
        for path, how in submission.list_changed().items()
        if path not in allowed and not any(folder.endswith("/") and path.startswith(folder) for folder in allowed)
    }
    listed = ", ".join(f"{path} {how}" for path, how in list(strays.items())[:20])
    return make_finding(not strays, f"also touched: {listed}" if strays else "nothing else was touched")


def parse_file(submission: Submission, relative: str, read: Callable[[Path], Read], what: str) -> Read:
    """Parse a delivered file with `read` and cache the result for other leaves; any exception is the file's fault.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable `what`.
    """
    path = require_file(submission, relative)
    try:
        return parse_once(read, path)
    except InvalidArtifact:
        raise
    except MemoryError as error:
        raise InvalidArtifact(f"{relative} takes more memory than there is") from error
    except Exception as error:
        # Libraries raise any type for a damaged file, and a reader's failure must not end the grader.
        raise InvalidArtifact(f"{relative} is not a readable {what} ({type(error).__name__}: {error})") from error


def parse_once(read: Callable[[Path], Read], path: Path) -> Read:
    """Parse the file at `path` with `read` and cache the result for any file with the same name and content."""
    digest = file_digest(path)
    result: Read = _parse_path(read, first_place(path, digest), digest)
    return result


def first_place(path: Path, digest: str) -> Path:
    """Return the first existing path of a file with this name and content; copies of a world have the same files."""
    known = _places.pop((path.name, digest), path)
    place = known if known.is_file() and file_digest(known) == digest else path
    _places[path.name, digest] = place
    while len(_places) > MAX_PLACES:
        _places.popitem(last=False)
    return place


@keeps_outcomes(96)
def _parse_path(read: Callable[[Path], Any], path: Path, _digest: str) -> Any:
    with watch_reading(path):
        return read(path)
