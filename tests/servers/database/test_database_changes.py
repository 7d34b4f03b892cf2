"""The server `database`: changes, which happen as a whole or not at all."""

import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import make_caller, read_facts, read_text
from support.disks import fill_disk, scarce_disk
from support.scale import count_tries

from yardkit.servers.database.engine.changes import split_sql
from yardkit.servers.database.server import mcp
from yardkit.world import World, use_world
from yardkit.world.save import SAVE_PREFIX

call = make_caller(mcp)
SCHEMA = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INT CHECK (age >= 0));
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INT REFERENCES person (id) ON DELETE CASCADE, made TEXT DEFAULT
    CURRENT_TIMESTAMP);
CREATE TABLE log (what TEXT);
CREATE TRIGGER note AFTER INSERT ON person BEGIN INSERT INTO log VALUES (new.name); END;
INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Bob', 7);
INSERT INTO pet (owner) VALUES (1), (1), (2);
"""


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    created = World.create(tmp_path / "world", task="t", seed=3)
    with closing(sqlite3.connect(created.files / "pets.db")) as connection:
        connection.executescript(SCHEMA)
    with use_world(created):
        yield created


def change_database(*statements: Any, path: str = "pets.db", **more: Any) -> Any:
    return read_facts(call("change_database", path=path, statements=list(statements), **more))


def refuse_change(*statements: Any, path: str = "pets.db", **more: Any) -> str:
    answer = call("change_database", path=path, statements=list(statements), **more)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def read_rows(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_a_change_tells_the_rows_of_each_statement_and_of_each_table(world: World) -> None:
    done = change_database(
        {"sql": "INSERT INTO person (name, age) VALUES (?, ?)", "parameters": [["Cyd", 3], ["Dan", None]]},
        {"sql": "UPDATE person SET age = age + 1 WHERE name = :name", "parameters": {"name": "Ada"}},
        "DELETE FROM person WHERE id = 1",
        "CREATE TABLE extra (x)",
    )
    effects = [
        (statement.get("rows_changed"), statement.get("also_changed", 0)) for statement in done["change"]["statements"]
    ]
    assert effects == [(2, 2), (1, 0), (1, 2), (None, 0)]
    tables = {table["table"]: table["rows"] for table in done["change"]["tables"]}
    assert tables == {"person": 3, "log": 4, "pet": 1, "extra": 0}
    assert read_rows(world.files / "pets.db", "SELECT name FROM person ORDER BY id") == [("Bob",), ("Cyd",), ("Dan",)]


REBUILD = """CREATE TABLE fresh (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO fresh SELECT id, name FROM person;
    DROP TABLE person; ALTER TABLE fresh RENAME TO person;"""


def test_a_dropped_table_tells_the_rows_that_go_with_it() -> None:
    done = change_database("PRAGMA foreign_keys = ON", REBUILD)["change"]
    assert done["statements"][3] == {"sql": "DROP TABLE person;", "also_changed": 3}
    assert {"table": "pet", "rows": 0} in done["tables"]


def test_a_table_can_be_made_anew_and_the_rows_that_name_its_rows_stay(world: World) -> None:
    change_database(f"-- as SQLite's manual says\nPRAGMA foreign_keys=off; {REBUILD} PRAGMA foreign_keys=on;")
    assert read_rows(world.files / "pets.db", "SELECT count(*) FROM pet") == [(3,)]
    assert read_rows(world.files / "pets.db", "SELECT name FROM person") == [("Ada",), ("Bob",)]
    message = refuse_change("PRAGMA foreign_keys = OFF", "DELETE FROM person WHERE id = 2")
    assert "pet row 3 names no row of person" in message


def test_a_text_may_hold_several_statements() -> None:
    script = """-- a script; with a comment
        CREATE TABLE t (a TEXT); /* and; another */ INSERT INTO t VALUES ('x;y');
        CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO log VALUES ('1;'); INSERT INTO log VALUES ('2'); END;
        INSERT INTO t VALUES ('z') -- no end"""
    done = change_database(script)
    assert [statement.get("rows_changed") for statement in done["change"]["statements"]] == [None, 1, None, 1]
    assert "no statement was given" in refuse_change("  -- nothing")
    assert split_sql(" ; ;; -- x\n /* y */") == []
    assert split_sql("SELECT 1; SELECT ';'") == ["SELECT 1;", "SELECT ';'"]
    assert split_sql("SELECT \"';\" AS [;'], `;\"` --;\n; SELECT 'it''s;' /*';*/; '; open; [;") == [
        'SELECT "\';" AS [;\'], `;"` --;\n;',
        "SELECT 'it''s;' /*';*/;",
        "'; open; [;",
    ]


@pytest.mark.parametrize("text", ["'" + ";" * 900_000 + "'", ";[" * 400_000])
def test_a_text_of_semicolons_is_divided_in_a_moment(text: str) -> None:
    begun = time.process_time()
    split_sql(f"SELECT {text}")
    assert time.process_time() - begun < 5


def test_returned_rows_are_told_up_to_a_bound() -> None:
    done = change_database({"sql": "INSERT INTO log VALUES (?) RETURNING what, 1", "parameters": [["a"], ["b"]]})
    assert done["change"]["statements"][0]["result"] == {"columns": ["what", "1"], "rows": [["a", 1], ["b", 1]]}
    many = change_database("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 99) INSERT INTO log "
                  "SELECT i FROM n RETURNING what")  # fmt: skip
    (done,) = many["change"]["statements"]
    assert done["rows_changed"] == 99
    assert len(done["result"]["rows"]) == 50
    assert done["result"]["notes"] == ["there are more rows"]


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        (["INSERT INTO log VALUES (1)", "INSERT INTO person (name) VALUES ('Ada')"], "statement 2 (INSERT INTO person"),
        (["INSERT INTO person (name) VALUES ('Ada')"], "UNIQUE constraint failed: person.name"),
        (["INSERT INTO person (name) VALUES (NULL)"], "NOT NULL constraint failed: person.name; give a value"),
        (["UPDATE person SET age = -1"], "CHECK constraint failed"),
        (["INSERT INTO pet (owner) VALUES (99)"], "FOREIGN KEY constraint failed"),
        (["PRAGMA defer_foreign_keys = ON", "UPDATE pet SET owner = 99"], "pet row 1 names no row of person"),
        (["INSERT INTO person (nme) VALUES ('x')"], "did you mean 'name'?"),
        (["DROP TABLE persn"], "did you mean 'person'?"),
        (["INSERT INTO\nperson VALUE (1)"], "(line 2, column 8)"),
        ([{"sql": "INSERT INTO log VALUES (?)", "parameters": [["a"], [2**70]]}], "with its parameters number 2"),
        ([{"sql": "INSERT INTO log VALUES (?)", "parameters": ["a", ["b"]]}], "mix single values with lists"),
        ([{"sql": "SELECT 1; SELECT 2", "parameters": [1]}], "more than one statement"),
        (["BEGIN", "SELECT 1"], "one transaction already"),
        (["COMMIT"], "one transaction already"),
        (["SAVEPOINT x"], "one transaction already"),
        (["VACUUM"], "VACUUM"),
        (["ATTACH 'x.db' AS x"], "one database"),
        (["PRAGMA journal_mode = WAL"], "refused"),
        (["PRAGMA foreign_keys = OFF"], "must be the first statement"),
        (["PRAGMA writable_schema = ON"], "refused"),
        (["UPDATE sqlite_master SET sql = 'x'"], "may not be modified"),
        (["CREATE VIRTUAL TABLE v USING csv(filename='/etc/passwd')"], "refused"),
        (["CREATE VIEW v AS SELECT load_extension('x')", "SELECT * FROM v"], "load_extension is refused"),
        (["INSERT INTO log SELECT writefile('x', 'y')"], "no such function"),
        (["CREATE TRIGGER t2 AFTER INSERT ON log BEGIN SELECT RAISE(ABORT, 'not today'); END",
          "INSERT INTO log VALUES (1)"], "not today"),
        (["CREATE TABLE big AS WITH RECURSIVE r(x) AS (SELECT zeroblob(1000000) UNION ALL SELECT x FROM r) "
          "SELECT x FROM r"], "larger than 200,000,000 bytes"),
    ],
)  # fmt: skip
def test_a_batch_that_fails_says_where_and_leaves_the_file_byte_for_byte(
    world: World, statements: list[Any], says: str
) -> None:
    before = (world.files / "pets.db").read_bytes()
    message = refuse_change("INSERT INTO log VALUES ('first')", *statements)
    assert says.replace("statement 2", "statement 3") in message
    assert message.endswith("Nothing was changed")
    assert (world.files / "pets.db").read_bytes() == before
    assert os.listdir(world.files) == ["pets.db"]


@settings(max_examples=count_tries(25, 8))
@given(
    good=st.lists(
        st.sampled_from(
            [
                "INSERT INTO log VALUES (randomblob(3000))",
                "DELETE FROM person",
                "DROP TABLE pet",
                "CREATE TABLE more (x UNIQUE)",
                "UPDATE person SET name = name || 'x'",
                "CREATE INDEX i ON log (what)",
            ]
        ),
        max_size=5,
        unique=True,
    ),
    bad=st.sampled_from(
        ["SELEC", "INSERT INTO nix VALUES (1)", "INSERT INTO log VALUES (1, 2)", "PRAGMA page_size = 512"]
    ),
)
def test_whatever_came_before_a_failure_leaves_no_trace(world: World, good: list[str], bad: str) -> None:
    before = (world.files / "pets.db").read_bytes()
    refuse_change(*good, bad)
    assert (world.files / "pets.db").read_bytes() == before


def test_a_new_database_is_made_only_if_asked(world: World) -> None:
    assert "set create" in refuse_change("CREATE TABLE t (x)", path="new/fresh.db")
    assert not (world.files / "new").exists()
    done = change_database("CREATE TABLE t (x)", "INSERT INTO t VALUES (1)", path="new/fresh.db", create=True)
    assert done["created"]
    assert read_rows(world.files / "new" / "fresh.db", "SELECT * FROM t") == [(1,)]
    assert "Nothing was changed" in refuse_change("SELEC", path="other/x.db", create=True)
    assert not (world.files / "other").exists()


def test_a_change_keeps_snapshots_as_they_are(world: World, tmp_path: Path) -> None:
    copy = tmp_path / "snapshot.db"
    os.link(world.files / "pets.db", copy)
    before = copy.read_bytes()
    change_database("DELETE FROM person")
    assert copy.read_bytes() == before


def test_the_same_change_of_the_same_file_gives_the_same_bytes(world: World) -> None:
    first = world.files / "pets.db"
    (world.files / "again.db").write_bytes(first.read_bytes())
    for path in ("pets.db", "again.db"):
        change_database("INSERT INTO log VALUES (random())", "INSERT INTO pet (owner) VALUES (1)", path=path)
    assert first.read_bytes() == (world.files / "again.db").read_bytes()
    assert read_rows(first, "SELECT made FROM pet WHERE id = 4") == [("2026-03-16 09:00:00",)]


def test_temporary_tables_help_and_vanish(world: World) -> None:
    done = change_database(
        "CREATE TEMP TABLE t AS SELECT id FROM person WHERE age < 18",
        "DELETE FROM person WHERE id IN (SELECT id FROM t)",
    )
    assert [table["table"] for table in done["change"]["tables"]] == ["person", "pet"]
    assert read_rows(world.files / "pets.db", "SELECT name FROM person") == [("Ada",)]


def test_full_text_tables_can_be_made_filled_and_dropped(world: World) -> None:
    done = change_database("CREATE VIRTUAL TABLE f USING fts5(words)", "INSERT INTO f VALUES ('red ink'), ('pen')")
    assert done["change"]["tables"] == [{"table": "f", "rows": 2}]
    assert read_rows(world.files / "pets.db", "SELECT words FROM f WHERE f MATCH 'ink'") == [("red ink",)]
    assert change_database("DROP TABLE f")["change"]["tables"] == [{"table": "f", "rows": None}]


def test_faults_that_were_there_before_hinder_no_change(world: World) -> None:
    path = world.files / "pets.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA ignore_check_constraints = ON; UPDATE person SET age = -5 WHERE id = 2;")
    done = change_database("INSERT INTO log VALUES ('x')")
    assert "was already damaged: CHECK constraint failed in person" in done["change"]["notes"][0]


def test_what_only_the_program_that_made_it_has_hinders_no_change_of_the_rest(world: World) -> None:
    with closing(sqlite3.connect(world.files / "phone.db")) as connection:
        connection.create_collation("LOCALIZED", lambda first, other: (first > other) - (first < other))
        connection.executescript("""CREATE TABLE name (n COLLATE LOCALIZED); CREATE INDEX i ON name (n);
            INSERT INTO name VALUES ('a'), ('b'); CREATE TABLE other (x);""")
    done = change_database("INSERT INTO other VALUES (1)", path="phone.db")
    assert "no such collation sequence: LOCALIZED" in done["change"]["notes"][0]
    assert "no such collation sequence" in refuse_change("DELETE FROM name WHERE n = 'a'", path="phone.db")


def test_a_statement_with_a_field_that_is_none_is_refused() -> None:
    assert "params" in refuse_change({"sql": "DELETE FROM log", "params": ["a"]}).removesuffix("Nothing was changed")


@pytest.mark.drill
def test_a_loop_without_end_is_stopped(world: World) -> None:
    before = (world.files / "pets.db").read_bytes()
    loop = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    assert "took longer than 20 s" in refuse_change("DELETE FROM log", loop)
    assert (world.files / "pets.db").read_bytes() == before


def test_on_a_full_disk_everything_stays_as_it_was(tmp_path: Path) -> None:
    with scarce_disk(tmp_path / "disk") as disk:
        full = World.create(disk / "w", task="t", seed=1)
        with use_world(full):
            change_database("CREATE TABLE t (x)", "INSERT INTO t VALUES (1)", path="a.db", create=True)
            fill_disk(disk)
            before = full.state_hash()
            message = refuse_change("INSERT INTO t VALUES (zeroblob(30000000))", path="a.db")
        assert "disk" in message or "cannot save" in message
        assert full.state_hash() == before
        assert not list(full.root.rglob(SAVE_PREFIX + "*"))


def change_again_and_again(root: Path, ready: Any) -> None:
    os.setsid()
    with use_world(World.open(root)):
        for number in range(1, 10_000):
            change_database(f"UPDATE state SET n = {number}", f"UPDATE copy SET n = {number}", path="state.db")
            ready.set()


@pytest.mark.parametrize("after_s", [0.0, 0.003, 0.007, 0.012, 0.02])
@pytest.mark.drill
def test_a_kill_in_a_change_leaves_the_old_or_the_new(world: World, after_s: float) -> None:
    script = "CREATE TABLE state AS SELECT 0 AS n; CREATE TABLE copy AS SELECT 0 AS n, zeroblob(400000) AS b"
    change_database(script, path="state.db", create=True)
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    writer = context.Process(target=change_again_and_again, args=(world.root, ready))
    writer.start()
    assert ready.wait(240)
    assert writer.pid
    time.sleep(after_s)  # another point of the change for each of the examples
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    path = world.files / "state.db"
    assert read_rows(path, "PRAGMA integrity_check") == [("ok",)]
    ((first_number, other),) = read_rows(path, "SELECT state.n, copy.n FROM state, copy")
    assert first_number == other > 0
    change_database("UPDATE state SET n = -1", path="state.db")
