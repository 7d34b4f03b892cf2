"""Near misses of entire files; a pattern such as ``inbox/*_v1.xlsx`` selects the files that match it."""

from collections.abc import Iterator
from pathlib import Path

from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.proof import Miss, Solved


def delete_file(pattern: str, caught_by: Leaves = "kept", *, all_of: bool = False) -> Miss:
    """The first matching file, or all of them, are deleted."""

    def corrupt_world(work: Solved) -> None:
        matching_files = list(_find_files(work, pattern))
        for path in matching_files if all_of else matching_files[:1]:
            path.unlink()

    return make_miss(caught_by, corrupt_world)


def move_file(pattern: str, target: str, caught_by: Leaves) -> Miss:
    """The first matching file is moved; a target that ends in ``/`` is a folder."""

    def corrupt_world(work: Solved) -> None:
        path = next(_find_files(work, pattern))
        to = work.files / target / path.name if target.endswith("/") else work.files / target
        to.parent.mkdir(parents=True, exist_ok=True)
        path.rename(to)

    return make_miss(caught_by, corrupt_world)


def overwrite_file(pattern: str, source: str, caught_by: Leaves = "kept") -> Miss:
    """The first matching file has the content of another one."""

    def corrupt_world(work: Solved) -> None:
        next(_find_files(work, pattern)).write_bytes((work.files / source).read_bytes())

    return make_miss(caught_by, corrupt_world)


def _find_files(work: Solved, pattern: str) -> Iterator[Path]:
    """Find the matching files, in order.

    Raises:
        FileNotFoundError: none matches, which is a fault of the proof.
    """
    matching_files = sorted(path for path in work.files.glob(pattern) if path.is_file())
    if not matching_files:
        raise FileNotFoundError(f"no file of the solved world matches {pattern!r}")
    yield from matching_files
