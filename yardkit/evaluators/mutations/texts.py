"""Mutants of text files."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from yardkit.evaluators.mutations.answers import FILLER, changed_number, changed_word
from yardkit.evaluators.mutations.mutant import Mutant, on_files

_NUMBER = re.compile(r"(?<![\w#.])\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{4,}")
MAX_EACH = 4
"""Mutants of one operator in one file."""


def generate_mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: a filler for the body; lines dropped; numbers and words changed. None if it is not text."""
    try:
        text = (workspace / path).read_text("utf-8-sig")
    except UnicodeDecodeError:
        return
    yield _make_rewrite_mutant("text_filler", f"text:{path}", f"the body of {path} is a filler", path, FILLER + "\n")
    lines = text.splitlines(keepends=True)
    filled = [number for number, line in enumerate(lines) if _WORD.search(line) or _NUMBER.search(line)]
    for number in rng.sample(filled, min(MAX_EACH, len(filled))):
        rest = "".join(lines[:number] + lines[number + 1 :])
        target = f"text:{path}#line {number + 1}"
        yield _make_rewrite_mutant("line_dropped", target, f"line {number + 1} of {path} is missing", path, rest)
    yield from _change_matches(text, path, "text_number", _NUMBER, lambda word: changed_number(word, rng), rng)
    yield from _change_matches(text, path, "text_word", _WORD, changed_word, rng)


def _change_matches(
    text: str, path: str, operator: str, pattern: re.Pattern[str], other: Callable[[str], str], rng: random.Random
) -> Iterator[Mutant]:
    matches = list(pattern.finditer(text))
    for match in rng.sample(matches, min(MAX_EACH, len(matches))):
        new = other(match.group())
        line = text.count("\n", 0, match.start()) + 1
        description = f"{match.group()!r} became {new!r} in line {line} of {path}"
        mutated = text[: match.start()] + new + text[match.end() :]
        yield _make_rewrite_mutant(operator, f"text:{path}#line {line}", description, path, mutated)


def _make_rewrite_mutant(operator: str, target: str, description: str, path: str, text: str) -> Mutant:
    return Mutant(operator, target, description, on_files(lambda files: (files / path).write_text(text, "utf-8")))
