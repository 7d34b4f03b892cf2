"""Globs: ``*``, ``?``, ``[...]``, ``**`` for any number of folders, ``{a,b}`` for alternatives."""

import fnmatch
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from yardkit.world import Problem

MAX_PATTERN = 300
MAX_ALTERNATIVES = 64
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


def make_matcher(patterns: Sequence[str], *, match_full_path: bool = False) -> Callable[[str], bool]:
    """Whether a relative path matches one of `patterns`.

    A pattern without a slash is compared with the name alone, at any depth; one with a slash, or any if `whole`, with
    the whole path.
    Letters with marks are the same whether they are one character or two.

    Raises:
        Problem: a pattern is empty, too long or has too many alternatives.
    """
    composed = [unicodedata.normalize("NFC", pattern) for pattern in patterns]
    glob_parts = [
        tuple(alternative.split("/")) for pattern in composed for alternative in _expand_alternatives(pattern)
    ]

    def matches(path: str) -> bool:
        parts = tuple(unicodedata.normalize("NFC", path).split("/"))
        return any(
            _matches_glob(parts if match_full_path or len(glob) > 1 else parts[-1:], glob) for glob in glob_parts
        )

    return matches


def _expand_alternatives(pattern: str) -> list[str]:
    if not 0 < len(pattern) <= MAX_PATTERN:
        raise Problem(
            f"the glob has {len(pattern)} characters; give 1 to {MAX_PATTERN}, such as '*.csv' or 'data/**/*.csv'"
        )
    done, waiting = [], [pattern.removeprefix("./").rstrip("/")]
    while waiting:
        first = waiting.pop()
        braces = _BRACES.search(first)
        if braces:
            waiting.extend(first[: braces.start()] + part + first[braces.end() :] for part in braces[1].split(","))
        else:
            done.append(first)
        if len(done) + len(waiting) > MAX_ALTERNATIVES:
            raise Problem(
                f"the glob {pattern[:80]!r} has over {MAX_ALTERNATIVES} alternatives in braces; search in several calls"
            )
    return done


def _matches_glob(parts: tuple[str, ...], glob: tuple[str, ...]) -> bool:
    """Dynamic programming over path parts, so that many ``**`` cannot explode."""
    reachable = {0}
    for piece in glob:
        if piece == "**":
            reachable = set(range(min(reachable, default=len(parts) + 1), len(parts) + 1))
        else:
            test = _compile_piece(piece)
            # A name such as [slug] is found by itself, too.
            reachable = {at + 1 for at in reachable if at < len(parts) and (parts[at] == piece or test(parts[at]))}
    return len(parts) in reachable


@lru_cache(maxsize=512)
def _compile_piece(piece: str) -> Callable[[str], object]:
    return re.compile(fnmatch.translate(piece)).match
