import random
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from yardkit.world import Problem, World, remove_world, save_text
from yardkit.world.limits import check_archive, check_pixels


@pytest.fixture
def world(tmp_path: Path) -> World:
    new_world = World.create(tmp_path / "w", task="t", seed=1)
    save_text(new_world.files / "a.txt", "a")
    save_text(new_world.files / "sub" / "b.txt", "b")
    (new_world.files / "link").symlink_to("a.txt")
    return new_world


@pytest.mark.parametrize("copy", [World.snapshot, World.fork, World.freeze, World.detach])
def test_a_copy_has_the_hash_of_its_original(world: World, tmp_path: Path, copy: Callable[..., World]) -> None:
    assert copy(world, tmp_path / "copy").state_hash() == world.state_hash()
    remove_world(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda files: save_text(files / "a.txt", "A"),
    "name": lambda files: (files / "a.txt").rename(files / "c.txt"),
    "missing": lambda files: (files / "sub" / "b.txt").unlink(),
    "new file": lambda files: save_text(files / "n.txt", ""),
    "new folder": lambda files: (files / "empty").mkdir(),
    "place": lambda files: (files / "sub" / "b.txt").rename(files / "b.txt"),
    "link target": lambda files: ((files / "link").unlink(), (files / "link").symlink_to("sub")),
    "link to file": lambda files: ((files / "link").unlink(), save_text(files / "link", "a")),
    "app": lambda files: save_text(files.parent / "apps" / "mail" / "1.eml", "x"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_kind_of_change_changes_the_hash(world: World, tmp_path: Path, change: str) -> None:
    fork = world.fork(tmp_path / "fork")
    before = world.state_hash()
    CHANGES[change](fork.files)
    assert fork.state_hash() != before
    assert world.state_hash() == before


def test_a_database_of_an_app_is_hashed_by_content_and_copied_while_a_writer_is_at_work(
    world: World, tmp_path: Path
) -> None:
    path = world.get_app_folder("crm") / "crm.sqlite"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("CREATE TABLE t (x)")
        writer.execute("INSERT INTO t VALUES (1)")
        writer.commit()
        before = world.state_hash()
        writer.execute("INSERT INTO t VALUES (2)")  # not committed: no part of the state
        fork = world.snapshot(tmp_path / "fork")
        assert fork.state_hash() == before == world.state_hash()
        writer.commit()
        assert world.state_hash() != before
    with closing(sqlite3.connect(fork.get_app_folder("crm") / "crm.sqlite")) as copy:
        assert copy.execute("SELECT x FROM t").fetchall() == [(1,)]
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_a_damaged_database_in_the_workspace_is_hashed_and_copied_as_bytes(world: World, tmp_path: Path) -> None:
    (world.files / "x.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 500)
    (world.files / "x.db-journal").write_bytes(b"planted")
    copy = world.snapshot(tmp_path / "copy")
    assert copy.state_hash() == world.state_hash()
    assert (copy.files / "x.db-journal").read_bytes() == b"planted"


def test_a_detached_copy_may_be_edited_in_place(world: World, tmp_path: Path) -> None:
    detached = world.detach(tmp_path / "copy")
    with (detached.files / "a.txt").open("a") as handle:
        handle.write("more")
    assert (world.files / "a.txt").read_text() == "a"


def test_a_frozen_copy_is_read_only(world: World, tmp_path: Path) -> None:
    frozen = world.freeze(tmp_path / "copy")
    assert (frozen.files / "a.txt").stat().st_mode & 0o777 == 0o444
    assert frozen.files.stat().st_mode & 0o777 == 0o555


def test_a_zip_bomb_is_refused_unopened(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("zeros", bytes(50_000_000))
    with pytest.raises(Problem, match="zip bomb"):
        check_archive(tmp_path / "bomb.zip")
    (tmp_path / "no.zip").write_bytes(zlib.compress(b"x"))
    with pytest.raises(Problem, match="not a readable package"):
        check_archive(tmp_path / "no.zip")


def test_a_zip_bomb_is_refused_beside_what_does_not_shrink(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("media/blank.bmp", bytes(11_000_000))
        archive.writestr("media/noise.png", random.Random(1).randbytes(300_000))
    check_archive(path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b"<si/>" * 2_200_000)
    with pytest.raises(Problem, match=r"'xl/sharedStrings\.xml' in 'bomb\.xlsx' would unpack to 11,000,000"):
        check_archive(path)


def test_a_picture_of_30000_by_30000_pixels_is_refused() -> None:
    with pytest.raises(Problem, match="30,000 x 30,000"):
        check_pixels(30_000, 30_000, "big.png")
