"""Automatic mutants: typed operators that change one thing in a solved world, each naming the target it changed.

A target is ``kind:path#detail``: ``answer``, ``file:a.csv``, ``text:a.md#line 3``, ``cells:a.xlsx#Sheet1!B2``,
``rows:a.xlsx#Sheet1``, ``sheet:a.xlsx#Sheet1``, ``image:a.png``, ``input:b.txt``, ``stray:new.txt``. The leaves whose
``observes`` match the target are the ones that must notice.
"""

import random
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from toolyard.evaluators.mutations import answers, files, images, texts, workbooks
from toolyard.evaluators.mutations.mutant import Mutant

__all__ = ["Mutant", "matches", "mutants"]

_TEXT_SUFFIXES = {".txt", ".md", ".csv", ".tsv", ".json", ".html", ".xml", ".svg", ".yaml", ".toml", ".ics", ".tex"}
_IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp"}


MAX_FILES = 10
"""Delivered files of one world that are mutated, each in every way its type allows."""


def mutants(
    workspace: Path, answer: str, changed: Mapping[str, str], initial: Mapping[str, str], rng: random.Random
) -> Iterator[Mutant]:
    """All mutants of a solved world: of its answer, of each delivered file by type, and of the untouched inputs.

    Args:
        workspace: the solved workspace; it is read, never changed.
        answer: the solver's final text.
        changed: relative paths that the solver added or changed, with how.
        initial: digests of the untouched workspace by relative path.
        rng: chooses cells, lines and numbers.
    """
    yield from answers.mutants(answer, rng)
    delivered = [path for path, how in changed.items() if how != "deleted"]
    for path in sorted(rng.sample(delivered, min(MAX_FILES, len(delivered)))):
        yield from files.of_deliverable(path)
        yield from _by_type(workspace, path, rng)
    yield from files.of_inputs(sorted(path for path in initial if path not in changed), rng)


def _by_type(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    suffix = Path(path).suffix.lower()
    if suffix in _TEXT_SUFFIXES:
        yield from texts.mutants(workspace, path, rng)
    elif suffix == ".xlsx":
        yield from workbooks.mutants(workspace, path, rng)
    elif suffix in _IMAGE_SUFFIXES:
        yield from images.mutants(workspace, path)


def matches(pattern: str, target: str) -> bool:
    """Whether a leaf that observes `pattern` looks at `target`.

    A change to a file as a whole (``file:``) concerns every leaf that looks at anything in that file.
    """
    if fnmatchcase(target, pattern) or fnmatchcase(target.split("#")[0], pattern):
        return True
    kind, _, path = target.partition(":")
    return kind == "file" and fnmatchcase(path, pattern.partition(":")[2].split("#")[0] or "\0")
