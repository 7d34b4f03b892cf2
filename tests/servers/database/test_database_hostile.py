"""The server `database`: files that are damaged or made to do harm, and SQL that asks for too much."""

import random
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import make_caller, read_facts, read_text
from support.scale import count_tries

from yardkit.servers.database.server import mcp
from yardkit.world import World

call = make_caller(mcp)
SCHEMA = """
CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, more BLOB);
CREATE INDEX i ON t (name);
CREATE TABLE u (x REFERENCES t (id));
CREATE VIEW v AS SELECT name FROM t;
CREATE VIRTUAL TABLE f USING fts5(words);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
    INSERT INTO t SELECT i, 'name ' || i, zeroblob(i * 7) FROM n;
INSERT INTO f VALUES ('red'), ('blue');
"""
READS = ("SELECT * FROM t", "SELECT * FROM v ORDER BY name DESC", "SELECT * FROM f WHERE f MATCH 'red'")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "a.db"
    make_database(path, SCHEMA)
    return path.read_bytes()


pytestmark = pytest.mark.usefixtures("world")


def make_database(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def call_all_tools() -> list[str]:
    """What each tool says about a.db; none of them may crash."""
    answers = [call("describe_database", path="a.db")]
    answers += [call("query_database", path="a.db", sql=sql) for sql in (*READS, "PRAGMA integrity_check")]
    answers += [call("export_query", path="a.db", sql="SELECT * FROM t", target="out.csv")]
    return [read_text(answer) for answer in answers]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"hello", "is not a SQLite database"),
        (random.Random(5).randbytes(20_000), "or is encrypted"),
        (b"SQLite format 3\0", "truncated in its header"),
        (b"SQLite format 3\0" + b"\xff" * 5000, "'a.db' is damaged"),
        (b"SQLite format 3\0" + bytes(5000), "'a.db' is damaged"),
        (b"SQLite 2.1 database" + bytes(5000), "is not a SQLite database"),
    ],
)
def test_what_is_no_database_is_said_to_be_none_and_stays(world: World, data: bytes, says: str) -> None:
    (world.files / "a.db").write_bytes(data)
    for tool, more in (
        ("describe_database", {}),
        ("query_database", {"sql": "SELECT * FROM t"}),
        ("change_database", {"statements": ["CREATE TABLE x (y)"]}),
    ):
        assert says in read_text(call(tool, path="a.db", **more)), tool
    assert (world.files / "a.db").read_bytes() == data


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_database_that_is_cut_off_is_said_to_be(world: World, sound: bytes, share: float) -> None:
    (world.files / "a.db").write_bytes(sound[: int(len(sound) * share)])
    assert f"but its header says {len(sound):,}" in read_text(call("query_database", path="a.db", sql="SELECT 1"))


@settings(max_examples=count_tries(40, 8))
@given(data=st.data())
def test_damage_anywhere_is_a_problem_or_an_answer_and_never_a_crash(
    world: World, sound: bytes, data: st.DataObject
) -> None:
    broken = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, len(broken) - 1))
        broken[place] = data.draw(st.integers(0, 255))
    (world.files / "a.db").write_bytes(broken)
    for message in call_all_tools():
        assert "failed unexpectedly" not in message
        assert str(world.root) not in message
    changed = call("change_database", path="a.db", statements=["UPDATE t SET name = 'x' WHERE id < 9"])
    if changed.is_error:
        assert "failed unexpectedly" not in read_text(changed)
        assert (world.files / "a.db").read_bytes() == broken


def write_schema(path: Path, script: str, name: str, sql: str) -> None:
    """A database in whose schema something stands that no statement can put there."""
    make_database(path, script)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, name))
        connection.commit()


@pytest.mark.parametrize(
    ("name", "sql"),
    [
        ("v", "CREATE VIEW v AS SELECT load_extension('/tmp/evil') AS name"),
        ("v", "CREATE VIEW v AS SELECT fts3_tokenizer('x') AS name"),
        ("v", "CREATE VIEW v AS SELECT * FROM v"),
        ("v", "CREATE VIEW v AS nonsense"),
        ("t", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT AS (load_extension(more)), more BLOB)"),
        ("t", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT CHECK (load_extension(name)), more BLOB)"),
        ("t", "CREATE TABLE t (id INTEGER PRIMARY KEY)"),
        ("t", "CREATE VIRTUAL TABLE t USING nothing(x)"),
        ("f", "CREATE VIRTUAL TABLE f USING fts5(words, content='t', tokenize='evil')"),
    ],
)
def test_a_schema_made_to_do_harm_does_none(world: World, name: str, sql: str) -> None:
    path = world.files / "a.db"
    write_schema(path, SCHEMA, name, sql)
    before = path.read_bytes()
    for message in call_all_tools():
        assert "failed unexpectedly" not in message
    assert path.read_bytes() == before


@pytest.mark.parametrize("function", ["load_extension('x')", "load_extension('x', 'y')", "fts3_tokenizer('simple')"])
def test_a_check_that_reaches_outside_is_refused(world: World, function: str) -> None:
    make_database(world.files / "a.db", f"CREATE TABLE t (x CHECK ({function}))")
    assert "raised exception" in read_text(
        call("change_database", path="a.db", statements=["INSERT INTO t VALUES (1)"])
    )


def test_a_trigger_that_calls_what_it_must_not_is_stopped(world: World) -> None:
    path = world.files / "a.db"
    make_database(path, SCHEMA + "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT load_extension('/tmp/evil'); END;")
    before = path.read_bytes()
    message = read_text(call("change_database", path="a.db", statements=["INSERT INTO t (name) VALUES ('x')"]))
    assert "load_extension" in message
    (world.files / "in.csv").write_text("name\nx\n")
    message = read_text(call("import_table", source="in.csv", path="a.db", table="t", mode="append"))
    assert "load_extension" in message
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT zeroblob(99000000), zeroblob(99000000) FROM (VALUES (1), (2), (3))",
        "SELECT hex(randomblob(99000000))",
        "SELECT printf('%99000000d', 1)",
        "SELECT replace(hex(zeroblob(40000)), '0', hex(zeroblob(40000)))",
        "SELECT a.x FROM (SELECT group_concat(hex(zeroblob(9000000))) AS x FROM t) AS a",
        "SELECT json_group_array(hex(zeroblob(9000000))) FROM t",
        "SELECT zeroblob(90000000) AS z FROM t ORDER BY z",
        "SELECT 1 FROM t WHERE name LIKE '" + "%a" * 600 + "'",
        "SELECT " + "(" * 900 + "1" + ")" * 900,
        "SELECT " + "+".join(["1"] * 5000),
        " UNION ALL ".join(["SELECT 1"] * 2000),
        "SELECT " + ", ".join(["1"] * 5000),
    ],
)
def test_a_bomb_is_bounded(world: World, sound: bytes, sql: str) -> None:
    (world.files / "a.db").write_bytes(sound)
    answer = call("query_database", path="a.db", sql=sql)
    assert "failed unexpectedly" not in read_text(answer)
    assert len(read_text(answer)) < 300_000


@pytest.mark.drill
def test_a_query_without_end_is_stopped(world: World, sound: bytes) -> None:
    (world.files / "a.db").write_bytes(sound)
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    assert "took longer than 20 s and was stopped" in read_text(call("query_database", path="a.db", sql=sql))


def test_a_sparse_giant_is_refused_by_its_size(world: World, sound: bytes) -> None:
    with (world.files / "a.db").open("wb") as file:
        file.write(sound)
        file.truncate(300_000_000)
    assert "at most 200,000,000 can be read" in read_text(call("describe_database", path="a.db"))


def test_a_journal_that_would_blow_the_file_up_is_bounded(world: World, sound: bytes) -> None:
    (world.files / "a.db").write_bytes(sound)
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 7, 0xFFFFFFF0, 512, 4096)
    (world.files / "a.db-journal").write_bytes(header.ljust(512, b"\0"))
    assert "failed unexpectedly" not in read_text(call("query_database", path="a.db", sql="SELECT 1"))
    assert (world.files / "a.db").read_bytes() == sound


def test_names_that_look_like_sql_are_names(world: World) -> None:
    name = "a\"; DROP TABLE 't'; -- [x] `y`"
    (world.files / "in.csv").write_text('"x""; --",y\n1,2\n')
    read_facts(call("import_table", source="in.csv", path="a.db", table=name, create=True))
    (table,) = read_facts(call("describe_database", path="a.db"))["tables"]
    assert (table["name"], table["rows"]) == (name, 1)
    assert [column["name"] for column in table["columns"]] == ['x"; --', "y"]
