"""The server `database`: what other programs leave beside a database, and programs that have it open."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.answers import make_caller, read_facts, read_text

from yardkit.servers.database.engine.database_files import prepare_main_file
from yardkit.servers.database.server import mcp
from yardkit.world import World

call = make_caller(mcp)
OTHER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for line in sys.stdin:
    try:
        print(connection.execute(line).fetchall(), flush=True)
    except sqlite3.Error as error:
        print(type(error).__name__, error, flush=True)
"""


pytestmark = pytest.mark.usefixtures("world")


class Other:
    """Another program with a database open."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OTHER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, *statements: str) -> str:
        assert self.process.stdin
        assert self.process.stdout
        output = ""
        for sql in statements:
            self.process.stdin.write(sql + "\n")
            self.process.stdin.flush()
            output = self.process.stdout.readline().strip()
        return output

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


@contextmanager
def run_other(path: Path) -> Iterator[Other]:
    program = Other(path)
    try:
        yield program
    finally:
        program.kill()


def count_rows(path: str = "a.db") -> Any:
    return read_facts(call("query_database", path=path, sql="SELECT count(*) FROM t"))["rows"][0][0]


def read_state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


WAL = ("PRAGMA journal_mode=WAL", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1), (2)", "PRAGMA wal_checkpoint")
MORE = "INSERT INTO t VALUES (3)"


def test_what_is_only_in_the_wal_is_read_while_its_writer_goes_on(world: World) -> None:
    with run_other(world.files / "a.db") as program:
        program.run(*WAL, MORE)
        before = read_state(world.files)
        assert count_rows() == 3
        assert "a.db-wal" in read_facts(call("describe_database", path="a.db"))["notes"][0]
        assert read_state(world.files) == before
        program.run("BEGIN IMMEDIATE", MORE)
        assert "[]" in program.run("INSERT INTO t VALUES (4)")
        assert program.run("COMMIT") == "[]"
        assert count_rows() == 5


def test_what_a_killed_writer_left_in_the_wal_is_read_and_nothing_is_written(world: World) -> None:
    with run_other(world.files / "a.db") as program:
        program.run(*WAL, MORE)
    (world.files / "a.db-shm").unlink()
    before = read_state(world.files)
    assert set(before) == {"a.db", "a.db-wal"}
    assert count_rows() == 3
    assert read_state(world.files) == before
    assert sorted(os.listdir(world.files)) == sorted(before)


def test_a_change_takes_the_wal_in_and_leaves_none_behind(world: World) -> None:
    path = world.files / "a.db"
    with run_other(path) as program:
        program.run(*WAL, MORE)
    read_facts(call("change_database", path="a.db", statements=["INSERT INTO t VALUES (4)"]))
    assert os.listdir(world.files) == ["a.db"]
    assert count_rows() == 4
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT x FROM t ORDER BY x").fetchall() == [(1,), (2,), (3,), (4,)]


def test_a_failed_change_leaves_the_wal_as_it_is(world: World) -> None:
    with run_other(world.files / "a.db") as program:
        program.run(*WAL, MORE)
    before = read_state(world.files)
    assert call("change_database", path="a.db", statements=["DELETE FROM t", "SELEC"]).is_error
    assert read_state(world.files) == before


def test_the_folded_file_and_the_old_wal_together_are_the_same_database(world: World, tmp_path: Path) -> None:
    """So it stands on the disk if the process dies between the two steps of a change."""
    from yardkit.servers.database.engine.drafts import merge_side_files

    path, folder = world.files / "a.db", tmp_path / "both"
    with run_other(path) as program:
        program.run(*WAL, MORE, "CREATE INDEX i ON t (x)", "DELETE FROM t WHERE x = 1")
    folder.mkdir()
    shutil.copy(world.files / "a.db-wal", folder / "a.db-wal")
    merge_side_files(path, folder / "a.db")
    with closing(sqlite3.connect(folder / "a.db")) as connection:
        assert connection.execute("SELECT x FROM t ORDER BY x").fetchall() == [(2,), (3,)]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_database_that_another_program_has_open_is_not_replaced(world: World) -> None:
    with run_other(world.files / "a.db") as program:
        program.run(*WAL)
        answer = call("change_database", path="a.db", statements=[MORE])
        assert "another program has 'a.db' open; close it there" in read_text(answer)
        assert "(2,)" in program.run("SELECT count(*) FROM t")
    read_facts(call("change_database", path="a.db", statements=[MORE]))
    assert count_rows() == 3


JOURNAL = ("CREATE TABLE t (x)", "INSERT INTO t VALUES (zeroblob(50000)), (2)")
MANY = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 900) "
BIG = MANY + "INSERT INTO t SELECT zeroblob(3000) FROM r"


def hot_journal(path: Path) -> None:
    """A transaction that spilled into the file, broken off by a kill."""
    with run_other(path) as program:
        program.run("PRAGMA cache_size=5", *JOURNAL, "BEGIN", "UPDATE t SET x = 'gone'", BIG)
    assert path.with_name(path.name + "-journal").stat().st_size > 0


def test_a_hot_journal_is_rolled_back_for_reading_and_left_alone(world: World) -> None:
    hot_journal(world.files / "a.db")
    before = read_state(world.files)
    assert count_rows() == 2
    assert "a.db-journal" in read_facts(call("describe_database", path="a.db"))["notes"][0]
    assert read_state(world.files) == before


def test_a_change_rolls_a_hot_journal_back(world: World) -> None:
    path = world.files / "a.db"
    hot_journal(path)
    read_facts(call("change_database", path="a.db", statements=["INSERT INTO t VALUES (3)"]))
    assert os.listdir(world.files) == ["a.db"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT typeof(x) FROM t").fetchall() == [("blob",), ("integer",), ("integer",)]


@pytest.mark.drill
def test_a_program_that_keeps_writing_is_waited_for_and_then_named(world: World) -> None:
    with run_other(world.files / "a.db") as program:
        program.run(*JOURNAL, "BEGIN EXCLUSIVE")
        answer = call("query_database", path="a.db", sql="SELECT 1")
        assert read_text(answer) == "another program is writing to 'a.db'; try again when it has finished"
        assert "has 'a.db' open" in read_text(call("change_database", path="a.db", statements=["DELETE FROM t"]))
        program.run("COMMIT")
        assert count_rows() == 2


def test_an_idle_program_in_journal_mode_hinders_nothing_and_cannot_write_into_the_void(world: World) -> None:
    with run_other(world.files / "a.db") as program:
        program.run(*JOURNAL)
        read_facts(call("change_database", path="a.db", statements=["INSERT INTO t VALUES (3)"]))
        assert "Error" in program.run("INSERT INTO t VALUES (4)")
    assert count_rows() == 3


def test_a_journal_that_names_another_file_to_delete_is_refused(world: World, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"")
    path = world.files / "a.db"
    hot_journal(path)
    name = os.fsencode(victim)
    with path.with_name("a.db-journal").open("ab") as journal:
        journal.write(
            (0x40000000 // 4096 + 1).to_bytes(4, "big") + name + len(name).to_bytes(4, "big")
            + sum(name).to_bytes(4, "big") + bytes.fromhex("d9d505f920a163d7")
        )  # fmt: skip
    assert "several databases" in read_text(call("query_database", path="a.db", sql="SELECT 1"))
    assert victim.exists()


def test_a_writer_is_kept_out_as_long_as_a_database_is_read(world: World) -> None:
    path = world.files / "a.db"
    with run_other(path) as program:
        program.run(*JOURNAL, "PRAGMA busy_timeout=0")
        with prepare_main_file(path) as main:
            main.open("rb").close()
            assert "database is locked" in program.run("BEGIN EXCLUSIVE")
        assert program.run("BEGIN EXCLUSIVE") == "[]"


def test_a_query_of_ours_hinders_no_change(world: World) -> None:
    path = world.files / "a.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
    with prepare_main_file(path):
        read_facts(call("change_database", path="a.db", statements=["INSERT INTO t VALUES (1)"]))
    assert count_rows() == 1


def test_a_name_too_long_for_side_files_has_none(world: World) -> None:
    name = "x" * 250 + ".db"
    read_facts(call("change_database", path=name, statements=["CREATE TABLE t (x)"], create=True))
    read_facts(call("change_database", path=name, statements=["INSERT INTO t VALUES (1)"]))
    assert count_rows(name) == 1
    assert read_facts(call("describe_database", path=name))["table_count"] == 1


@pytest.mark.parametrize("ending", ["-wal", "-journal", "-shm"])
def test_side_files_that_are_links_pipes_or_folders_are_refused(world: World, ending: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(world.files / "a.db")) as connection:
        connection.execute("CREATE TABLE t (x)")
    side = world.files / f"a.db{ending}"
    (tmp_path / "secret").write_bytes(b"canary" * 100)
    side.symlink_to(tmp_path / "secret")
    assert "next to the database cannot be read" in read_text(call("query_database", path="a.db", sql="SELECT 1"))
    side.unlink()
    os.mkfifo(side)
    assert "not a regular file" in read_text(call("query_database", path="a.db", sql="SELECT 1"))
    side.unlink()
    side.mkdir()
    assert "not a regular file" in read_text(call("query_database", path="a.db", sql="SELECT 1"))


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_noise_beside_a_database_hinders_nothing(world: World, ending: str) -> None:
    with closing(sqlite3.connect(world.files / "a.db")) as connection:
        connection.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    (world.files / f"a.db{ending}").write_bytes(b"\xd9\xd5\x05 noise" * 200)
    assert count_rows() == 1
    read_facts(call("change_database", path="a.db", statements=["INSERT INTO t VALUES (2)"]))
    assert os.listdir(world.files) == ["a.db"]
    assert count_rows() == 2
