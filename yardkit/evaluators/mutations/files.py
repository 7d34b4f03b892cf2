"""Mutants of entire files: missing, renamed, in another folder; inputs changed; extra files added."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from yardkit.evaluators.mutations.mutant import Mutant, on_files

Change = Callable[[Path], object]


def of_deliverable(path: str) -> Iterator[Mutant]:
    """Generate mutants: the delivered file is missing, has another name, or is in another folder."""
    renamed = str(Path(path).with_stem(Path(path).stem + "_final"))
    yield _make_file_mutant("file_missing", path, f"{path} is missing", lambda files: (files / path).unlink())
    yield _make_file_mutant(
        "file_renamed", path, f"{path} is called {renamed}", lambda files: _move_file(files, path, renamed)
    )
    yield _make_file_mutant(
        "file_elsewhere", path, f"{path} is in other/", lambda files: _move_file(files, path, f"other/{path}")
    )


def of_inputs(paths: list[str], rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: some of the untouched files are changed or deleted, and an extra file is added."""
    for path in rng.sample(paths, min(2, len(paths))):
        yield Mutant("input_changed", f"input:{path}", f"the input {path} was changed", on_files(_make_appender(path)))
        yield Mutant("input_deleted", f"input:{path}", f"the input {path} was deleted", on_files(_make_remover(path)))
    extra_path = "scratch_notes.txt"
    yield Mutant(
        "stray_added", f"stray:{extra_path}", f"a stray file {extra_path} was left", on_files(_make_writer(extra_path))
    )


def _make_file_mutant(operator: str, path: str, description: str, change: Change) -> Mutant:
    return Mutant(operator, f"file:{path}", description, on_files(change))


def _move_file(files: Path, source: str, target: str) -> None:
    (files / target).parent.mkdir(parents=True, exist_ok=True)
    (files / source).rename(files / target)


def _make_appender(path: str) -> Change:
    def change(files: Path) -> None:
        with (files / path).open("ab") as handle:
            handle.write(b"\n0")

    return change


def _make_remover(path: str) -> Change:
    return lambda files: (files / path).unlink()


def _make_writer(path: str) -> Change:
    return lambda files: (files / path).write_text("to do\n", "utf-8")
