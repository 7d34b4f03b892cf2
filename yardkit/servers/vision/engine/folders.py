"""The pictures of a folder, without its links."""

from collections.abc import Iterator
from pathlib import Path

from yardkit.world import Problem
from yardkit.world.pictures import READ_SUFFIXES
from yardkit.world.tree import list_entries


def pictures_of(folder: Path, limit: int) -> list[Path]:
    """The pictures of a folder and of the folders in it, in the order of their paths.

    Raises:
        Problem: there is none, or there are more than `limit`.
    """
    pictures = list(_walk_pictures(folder))
    if not pictures:
        raise Problem(f"{folder.name!r} contains no pictures; their names must end in {', '.join(READ_SUFFIXES)}")
    if len(pictures) > limit:
        raise Problem(f"{folder.name!r} has {len(pictures):,} pictures; the limit is {limit}: name a smaller folder")
    return pictures


def _walk_pictures(folder: Path) -> Iterator[Path]:
    for entry in list_entries(folder):
        if entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _walk_pictures(Path(entry.path))
        elif entry.is_file() and entry.name.lower().endswith(READ_SUFFIXES):
            yield Path(entry.path)
