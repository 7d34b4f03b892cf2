"""The pictures of a folder, without its links."""

from collections.abc import Iterator
from pathlib import Path

from yardkit.world import Problem
from yardkit.world.tree import entries

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
"""Names of pictures end so."""


def pictures_of(folder: Path, limit: int) -> list[Path]:
    """The pictures of a folder and of the folders in it, in the order of their paths.

    Raises:
        Problem: there is none, or there are more than `limit`.
    """
    found = list(_walk(folder))
    if not found:
        raise Problem(f"{folder.name!r} contains no pictures; their names must end in {', '.join(SUFFIXES)}")
    if len(found) > limit:
        raise Problem(f"{folder.name!r} has {len(found):,} pictures; the limit is {limit}: name a smaller folder")
    return found


def _walk(folder: Path) -> Iterator[Path]:
    for entry in entries(folder):
        if entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _walk(Path(entry.path))
        elif entry.is_file() and entry.name.lower().endswith(SUFFIXES):
            yield Path(entry.path)
