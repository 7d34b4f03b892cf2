"""Where a repository is in the workspace, and how its paths are named."""

import os
from dataclasses import dataclass
from pathlib import Path

from yardkit.world import Problem, World

_MAX_LINK_BYTES = 4096


@dataclass(frozen=True)
class Repository:
    """A repository of the workspace.

    Attributes:
        top: the folder of its files; of a bare one the repository itself.
        bare: it has no files.
    """

    world: World
    top: Path
    bare: bool = False

    @property
    def relative_path(self) -> str:
        """Its folder, relative to the workspace."""
        return self.top.relative_to(self.world.files).as_posix()

    def name(self, inner: str) -> str:
        """A path that git names, relative to the workspace."""
        return inner if self.bare or self.top == self.world.files else f"{self.relative_path}/{inner}"

    def get_inner_path(self, path: Path, *, own: bool = False) -> str:
        """A path of the workspace as git names it, relative to the repository.

        One that is not below it is taken as one in the repository, where nothing else stands; with `own`, and of a
        bare one, all are but for those of which only the other is there.

        Raises:
            Problem: it lies elsewhere.
        """
        relative, own = path.relative_to(self.world.files), own or self.bare
        if path.is_relative_to(self.top) and not (own and os.path.lexists(self.top / relative)):
            inner = path.relative_to(self.top)
        elif own or not os.path.lexists(path):
            inner = relative
        else:
            raise Problem(
                f"{self.world.to_relative(path)!r} is not in the repository {self.relative_path!r}; choose a path in it"
            )
        if inner.parts[:1] == (".git",):
            raise Problem("'.git' is not part of the repository's files; choose another path")
        return inner.as_posix()

    def require_files(self) -> None:
        """Make sure that it has files.

        Raises:
            Problem: it is bare.
        """
        if self.bare:
            raise Problem(f"{self.relative_path!r} is a bare repository without files; it can only be read")


def find_repository(world: World, folder: Path) -> Repository:
    """The repository that `folder` is or lies in.

    Raises:
        Problem: there is none within the workspace, or it is one that lies elsewhere (a worktree, a submodule).
    """
    for candidate in [folder, *folder.parents]:
        if not candidate.is_relative_to(world.files):
            break
        if os.path.lexists(candidate / ".git"):
            _require_own(world, candidate)
            return Repository(world, candidate)
        if candidate.name != ".git" and _is_bare(candidate):
            return Repository(world, candidate, bare=True)
    raise Problem(
        f"{world.to_relative(folder)!r} is not in a git repository; choose a folder in one, or use create_repository"
    )


def _is_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _require_own(world: World, top: Path) -> None:
    place = top / ".git"
    relative_path = world.to_relative(top)
    if place.is_symlink():
        raise Problem(f"'.git' in {relative_path!r} is a symlink; use the repository that it points to")
    if place.is_file():
        with place.open("rb") as file:
            words = file.read(_MAX_LINK_BYTES).decode("utf-8", "replace")
        target = Path(os.path.normpath(top / words.removeprefix("gitdir:").strip()))
        inside = target.is_relative_to(world.files)
        where = f"is in {target.relative_to(world.files).as_posix()!r}" if inside else "is outside the workspace"
        raise Problem(
            f"{relative_path!r} is a worktree or submodule whose repository {where}; use the folder of the main"
            " repository"
        )
    if not place.is_dir():
        raise Problem(f"'.git' in {relative_path!r} is not a folder; choose another repository")
