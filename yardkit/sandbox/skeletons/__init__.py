"""Skeletons that `yardkit new` writes: the smallest server, app and task that pass every test."""

import keyword
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template

from yardkit.world import Problem, save_text

FOLDER = Path(__file__).parent
_SUFFIX = ".txt"
"""Behind the name of each file of a skeleton, so that no tool takes it for what it is going to be."""


def list_kinds() -> list[str]:
    """List the kinds of skeletons: the folders beside this file."""
    return sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_"))


def write_skeleton(kind: str, name: str, root: Path) -> list[Path]:
    """Write a skeleton into the checkout `root` and return its files; write nothing if one of them exists.

    Args:
        kind: one of `list_kinds`.
        name: the name of the server or app, in lower-case letters; for a task ``suite/task``, in snake_case.
        root: the checkout.

    Raises:
        Problem: `root` is not a checkout, the name is invalid, or something with that name exists.
    """
    if not (root / "pyproject.toml").is_file():
        raise Problem(
            f"{str(root)!r} is not a checkout of Yardkit; `yardkit new` works in a clone of the repository, where this "
            "`yardkit` comes from after `make setup` or `pip install -e .`"
        )
    words = _choose_words(kind, name)
    # Files named only after the suite belong to the suite and may already exist.
    files = {
        path: text
        for path, text, shared in _iter_files(FOLDER / kind, words)
        if not (shared and (root / path).exists())
    }
    taken = [path for path in files if (root / path).exists()]
    if taken:
        raise Problem(f"{str(taken[0])!r} already exists; choose another name")
    for path, text in files.items():
        save_text(root / path, text)
    return list(files)


def _choose_words(kind: str, name: str) -> Mapping[str, str]:
    suite, _, task = name.rpartition("/")
    pattern = r"[a-z][a-z0-9_]*" if kind == "task" else r"[a-z]+"
    if not re.fullmatch(pattern, task) or keyword.iskeyword(task) or bool(suite) != (kind == "task"):
        form = "SUITE/TASK in snake_case, such as office/sort_post" if kind == "task" else "one lower-case word"
        raise Problem(f"{name!r} is not a valid name for a new {kind}: use {form}")
    if suite and not re.fullmatch(r"[a-z]+", suite):
        raise Problem(f"{suite!r} is not a valid name for a suite: use one lower-case word")
    return {"name": task, "suite": suite, "Name": task.capitalize()}


def _iter_files(folder: Path, words: Mapping[str, str]) -> Iterator[tuple[Path, str, bool]]:
    """Yield each file: its path in the checkout, its text, and whether it belongs to the suite and not the new task."""
    for path in sorted(folder.rglob(f"*{_SUFFIX}")):
        pattern = path.relative_to(folder).as_posix().removesuffix(_SUFFIX)
        place = pattern.replace("NAME", words["name"]).replace("SUITE", words["suite"])
        yield Path(place), Template(path.read_text("utf-8")).substitute(words), "NAME" not in pattern
