"""Worlds that a program with the workspace in its hands has played with, and disks that are full."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.disks import ROOM, fill_disk, scarce_disk

from yardkit.world import Problem, World, remove_world, save_bytes, save_text
from yardkit.world.guard import Quota, use_guard
from yardkit.world.hashing import TreeHasher
from yardkit.world.tree import MAX_DEPTH, measure_usage

COPIES = (World.snapshot, World.freeze, World.detach)


def make_world(root: Path) -> World:
    world = World.create(root, task="t", seed=1)
    save_text(world.files / "a.txt", "a")
    return world


def dig_folders(directory: Path, levels: int) -> None:
    """A tree so deep that its paths are longer than the system takes."""
    here = Path.cwd()
    try:
        os.chdir(directory)
        for _ in range(levels):
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(here)


@pytest.mark.parametrize("copy", COPIES)
def test_a_tree_of_any_depth_is_copied_hashed_and_removed(tmp_path: Path, copy: Callable[..., World]) -> None:
    world = make_world(tmp_path / "w")
    dig_folders(world.files, 2_500)
    copied = copy(world, tmp_path / "copy")
    assert copied.state_hash() == world.state_hash()
    assert len(list(copied.files.rglob("d"))) == MAX_DEPTH
    assert measure_usage(world.files)[0] > MAX_DEPTH
    for root in (copied.root, world.root):
        remove_world(root)
        assert not root.exists()


def _remove_files(files: Path) -> None:
    remove_world(files)


def _a_file(files: Path) -> None:
    remove_world(files)
    files.write_text("x")


def _a_link(files: Path) -> None:
    remove_world(files)
    files.symlink_to(files.parent.parent / "outside")


@pytest.mark.parametrize("play", [_remove_files, _a_file, _a_link])
@pytest.mark.parametrize("copy", COPIES)
def test_a_workspace_that_is_no_folder_any_more_counts_as_empty(
    tmp_path: Path, play: Callable[[Path], None], copy: Callable[..., World]
) -> None:
    world = make_world(tmp_path / "w")
    empty = World.create(tmp_path / "empty", task="t", seed=1).state_hash()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    play(world.files)
    copied = copy(world, tmp_path / "copy")
    assert copied.state_hash() == world.state_hash() == empty
    assert list(copied.files.iterdir()) == []


@contextmanager
def _as_an_ordinary_user() -> Iterator[Path]:
    """A folder of a user whom permissions bind, even where the tests run as root."""
    with tempfile.TemporaryDirectory() as directory:
        if os.geteuid() != 0:
            yield Path(directory)
            return
        os.chown(directory, 65_534, 65_534)
        os.seteuid(65_534)
        try:
            yield Path(directory)
        finally:
            os.seteuid(0)


@pytest.mark.parametrize("copy", COPIES)
def test_what_may_not_be_read_counts_as_empty_and_can_be_removed(copy: Callable[..., World]) -> None:
    with _as_an_ordinary_user() as directory:
        world = make_world(directory / "w")
        save_text(world.files / "sealed" / "b.txt", "b")
        (world.files / "sealed").chmod(0)
        (world.files / "a.txt").chmod(0)
        save_bytes(world.files / "x.db", b"SQLite format 3\x00")
        (world.files / "x.db").chmod(0)
        copied = copy(world, directory / "copy")
        assert copied.state_hash() == world.state_hash()
        assert list((copied.files / "sealed").iterdir()) == []
        for root in (copied.root, world.root):
            remove_world(root)
            assert not root.exists()


def test_a_copy_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    with scarce_disk(tmp_path / "disk") as disk:
        world = make_world(tmp_path / "w")
        save_bytes(world.files / "big.bin", bytes(range(256)) * (10 * ROOM // 256))
        fill_disk(disk)
        with pytest.raises(OSError, match=r"space|large"):
            world.detach(disk / "copy")
        assert [path.name for path in disk.iterdir() if path.name != "ballast"] == []


def test_a_save_that_fails_takes_the_folders_it_made_away_again(tmp_path: Path) -> None:
    with scarce_disk(tmp_path / "disk") as disk:
        save_text(disk / "there" / "a.txt", "a")
        fill_disk(disk)
        with pytest.raises(Problem, match="nothing was changed"):
            save_bytes(disk / "there" / "new" / "folder" / "big.bin", bytes(2 * ROOM))
        assert [path.name for path in (disk / "there").iterdir()] == ["a.txt"]


def test_after_a_fork_only_changed_files_are_read_again(tmp_path: Path) -> None:
    world = make_world(tmp_path / "w")
    os.utime(world.files / "a.txt", (0, 0))
    hasher = TreeHasher(replaced=True)
    before = world.state_hash(hasher)
    known = dict(hasher.known)
    fork = world.fork(tmp_path / "fork")
    assert world.state_hash(hasher) == fork.state_hash(hasher) == before
    assert hasher.known == known
    save_text(world.files / "a.txt", "b")
    assert world.state_hash(hasher) != before


def test_an_edit_in_place_with_its_time_set_back_is_seen_where_programs_work(tmp_path: Path) -> None:
    world = make_world(tmp_path / "w")
    path, hasher = world.files / "a.txt", TreeHasher()
    os.utime(path, (0, 0))
    before = world.state_hash(hasher)
    path.write_text("b")
    os.utime(path, (0, 0))
    assert world.state_hash(hasher) != before


def test_a_workspace_holds_no_more_than_its_quota(tmp_path: Path) -> None:
    world = make_world(tmp_path / "w")
    with use_guard(Quota(world.files, max_bytes=1_000, max_entries=4)):
        save_bytes(world.files / "b.bin", bytes(900))
        with pytest.raises(Problem, match="901 bytes of at most 1,000"):
            save_bytes(world.files / "c.bin", bytes(100))
        save_bytes(world.files / "c.bin", bytes(99))
        with pytest.raises(Problem, match="4 files and folders of at most 4"):
            save_bytes(world.files / "d.bin", b"")
        save_bytes(world.files / "b.bin", bytes(10))
        save_bytes(tmp_path / "elsewhere.bin", bytes(5_000))
    assert sorted(path.name for path in world.files.iterdir()) == ["a.txt", "b.bin", "c.bin"]


def test_a_world_that_is_too_large_already_may_shrink(tmp_path: Path) -> None:
    world = make_world(tmp_path / "w")
    save_bytes(world.files / "b.bin", bytes(900))
    with use_guard(Quota(world.files, max_bytes=100)):
        save_bytes(world.files / "b.bin", bytes(500))
        with pytest.raises(Problem, match="no room for"):
            save_bytes(world.files / "b.bin", bytes(501))
    assert (world.files / "b.bin").stat().st_size == 500


@pytest.mark.parametrize("text", ["[]", "{", '{"task": "t"}', '{"task": "t", "seed": [], "now": ""}'])
def test_a_damaged_world_file_is_a_problem(tmp_path: Path, text: str) -> None:
    (tmp_path / "world.json").write_text(text)
    with pytest.raises(Problem, match="no world at"):
        World.open(tmp_path)


def test_a_world_is_not_made_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("x")
    with pytest.raises(Problem, match="not an empty directory"):
        World.create(tmp_path / "w", task="t", seed=0)


def test_a_fork_shares_every_file_with_its_world(tmp_path: Path) -> None:
    world = make_world(tmp_path / "w")
    for number in range(50):
        (world.files / f"{number}.bin").write_bytes(bytes(100))
    fork = world.fork(tmp_path / "fork")
    for path in world.files.iterdir():
        assert path.samefile(fork.files / path.name)
