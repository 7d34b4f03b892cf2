"""The server `database`: describing and querying, what is refused, what errors say."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import make_caller, read_facts, read_text

from yardkit.servers.database.server import mcp
from yardkit.world import World, use_world
from yardkit.world.hashing import TreeHasher

call = make_caller(mcp)
SCHEMA = """
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'unknown', born INT, UNIQUE (name, born));
CREATE TABLE book (
    id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author (id) ON DELETE CASCADE, title TEXT,
    price REAL CHECK (price > 0), cents INT GENERATED ALWAYS AS (price * 100)
);
CREATE INDEX by_title ON book (title, lower(title)) WHERE title IS NOT NULL;
CREATE TABLE pair (a INT, b INT, PRIMARY KEY (b, a)) STRICT, WITHOUT ROWID;
CREATE VIEW priced AS SELECT title, price, date('now') AS day FROM book;
CREATE TRIGGER tidy AFTER INSERT ON book BEGIN UPDATE book SET title = trim(title) WHERE id = new.id; END;
CREATE VIRTUAL TABLE notes USING fts5(words);
CREATE TABLE [a "b"] (name);
INSERT INTO author VALUES (1, 'Anna', 1950), (2, 'Bert', NULL);
INSERT INTO book (author_id, title, price) VALUES (1, ' Ink ', 2.5), (2, 'Pens', 4), (1, NULL, 9e999);
INSERT INTO notes VALUES ('red ink'), ('blue ink'), ('pencil');
PRAGMA user_version = 7;
"""


def make_database(path: Path, script: str = SCHEMA) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    created = World.create(tmp_path / "world", task="t", seed=3)
    make_database(created.files / "shop.db")
    with use_world(created):
        yield created


def run_query(sql: str, path: str = "shop.db", **more: Any) -> Any:
    return read_facts(call("query_database", path=path, sql=sql, **more))


def refuse_query(sql: str, path: str = "shop.db", **more: Any) -> str:
    answer = call("query_database", path=path, sql=sql, **more)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def describe_tables(**more: Any) -> dict[str, Any]:
    return {table["name"]: table for table in read_facts(call("describe_database", path="shop.db", **more))["tables"]}


def test_a_description_tells_columns_keys_indexes_triggers_and_rows() -> None:
    tables = describe_tables()
    assert {name: table.get("rows") for name, table in tables.items() if table.get("kind") != "shadow"} == {
        'a "b"': 0,
        "author": 2,
        "book": 3,
        "notes": 3,
        "pair": 0,
        "priced": None,
    }
    assert tables["author"]["columns"][:2] == [
        {"name": "id", "type": "INTEGER", "primary_key": 1},
        {"name": "name", "type": "TEXT", "not_null": True, "default": "'unknown'"},
    ]
    assert tables["author"]["indexes"][0] | {"name": ""} == {
        "name": "",
        "columns": ["name", "born"],
        "unique": True,
        "origin": "unique",
    }
    book = tables["book"]
    assert book["columns"][-1] == {"name": "cents", "type": "INT", "generated": True}
    assert book["foreign_keys"] == [
        {"columns": ["author_id"], "to_table": "author", "to_columns": ["id"], "on_delete": "CASCADE"}
    ]
    assert book["indexes"] == [{"name": "by_title", "columns": ["title", None], "partial": True}]
    assert book["triggers"] == [{"name": "tidy"}]
    assert tables["pair"]["strict"]
    assert tables["pair"]["without_rowid"]
    assert [column["primary_key"] for column in tables["pair"]["columns"]] == [2, 1]
    assert tables["priced"]["sql"].startswith("CREATE VIEW priced")
    assert tables["notes"]["kind"] == "virtual"


def test_one_table_is_described_with_its_sql() -> None:
    (book,) = describe_tables(table="BOOK").values()
    assert "CHECK (price > 0)" in book["sql"]
    assert "trim(title)" in book["triggers"][0]["sql"]
    assert "did you mean 'author'?" in read_text(call("describe_database", path="shop.db", table="autor"))


def test_many_tables_come_in_pages(world: World) -> None:
    make_database(world.files / "many.db", "".join(f"CREATE TABLE t{n:03} (x);" for n in range(120)))
    names: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = read_facts(call("describe_database", path="many.db", offset=offset))
        assert page["table_count"] == 120
        names += [table["name"] for table in page["tables"]]
        offset = page.get("next_offset")
    assert names == [f"t{n:03}" for n in range(120)]


def test_a_page_of_wide_tables_is_bounded(world: World) -> None:
    columns = ", ".join(f"a_column_with_a_name_{n} varchar(255) DEFAULT NULL" for n in range(100))
    make_database(world.files / "rails.db", "".join(f"CREATE TABLE t{n} ({columns});" for n in range(20)))
    first = call("describe_database", path="rails.db")
    assert len(read_text(first)) < 60_000
    following = read_facts(first)["next_offset"]
    assert following == len(read_facts(first)["tables"]) > 1
    second = read_facts(call("describe_database", path="rails.db", offset=following))
    assert second["tables"][0]["name"] not in [table["name"] for table in read_facts(first)["tables"]]


def test_a_view_that_cannot_be_used_hinders_nothing(world: World) -> None:
    make_database(
        world.files / "odd.db", "CREATE TABLE a (x); CREATE VIEW v AS SELECT * FROM gone; CREATE TABLE b (y);"
    )
    page = read_facts(call("describe_database", path="odd.db"))
    assert [table["name"] for table in page["tables"]] == ["a", "b", "v"]
    assert "no such table" in page["tables"][2]["sql"]


def test_rows_come_with_their_types() -> None:
    page = run_query("SELECT 1, 2.0, 'x', NULL, x'0aff', 9e999, -9e999, 9223372036854775807")
    assert page["rows"] == [
        [1, 2.0, "x", None, {"blob_bytes": 2, "hex": "0aff"}, "Infinity", "-Infinity", 9223372036854775807]
    ]
    assert "next_offset" not in page


def test_long_texts_and_blobs_are_cut_and_said_to_be() -> None:
    page = run_query("SELECT replace(hex(zeroblob(5000)), '00', 'ä') AS text, zeroblob(100) AS bytes")
    assert page["columns"] == ["text", "bytes"]
    assert page["rows"] == [[{"text": "ä" * 4000, "of_characters": 5000}, {"blob_bytes": 100}]]
    assert "substr" in page["notes"][0]
    assert "hex(substr" in page["notes"][1]


def test_parameters_are_a_list_or_an_object() -> None:
    assert run_query("SELECT ?, ?", parameters=["a'b", None])["rows"] == [["a'b", None]]
    assert run_query("SELECT :a, $b, @c", parameters={"a": 1, "$b": True, "@c": 0.5})["rows"] == [[1, 1, 0.5]]


@settings(max_examples=15)
@given(count=st.integers(0, 60), limit=st.integers(1, 25), width=st.integers(0, 9000))
def test_pages_put_together_are_all_rows_in_order(count: int, limit: int, width: int) -> None:
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?) "
    sql += "SELECT i, substr(hex(zeroblob(5000)), 1, ?) FROM n WHERE i <= ?"
    seen: list[int] = []
    offset: int | None = 0
    while offset is not None:
        page = run_query(sql, parameters=[max(count, 1), width, count], offset=offset, limit=limit)
        assert len(page["rows"]) <= limit
        seen += [row[0] for row in page["rows"]]
        offset = page.get("next_offset")
    assert seen == list(range(1, count + 1))


def test_a_page_of_a_very_wide_table_is_bounded(world: World) -> None:
    make_database(world.files / "wide.db", "CREATE TABLE w (" + ", ".join(f"c{n}" for n in range(1500)) + ");")
    long = ", ".join("hex(zeroblob(2000))" for _ in range(1500))
    answer = call("query_database", path="wide.db", sql=f"SELECT {long} FROM (VALUES (1), (2))")
    assert read_facts(answer)["next_offset"] == 1
    assert len(read_text(answer)) < 200_000


def test_virtual_tables_pragmas_and_plans_can_be_read() -> None:
    assert run_query("SELECT words FROM notes WHERE notes MATCH 'ink' ORDER BY rowid")["rows"] == [
        ["red ink"],
        ["blue ink"],
    ]
    assert run_query("SELECT value FROM json_each('[1, 2]')")["rows"] == [[1], [2]]
    assert run_query("PRAGMA user_version")["rows"] == [[7]]
    assert [row[1] for row in run_query("PRAGMA table_info(author)")["rows"]] == ["id", "name", "born"]
    assert run_query("SELECT name FROM pragma_table_info('author') LIMIT 1")["rows"] == [["id"]]
    assert "SCAN author" in run_query("EXPLAIN QUERY PLAN SELECT * FROM author")["rows"][0][-1]
    checked = run_query("PRAGMA integrity_check")
    assert checked["rows"] == [["ok"]]
    assert "CHECK constraints are not looked at" in checked["notes"][0]


def test_r_trees_can_be_read(world: World) -> None:
    make_database(
        world.files / "map.db", "CREATE VIRTUAL TABLE r USING rtree(id, low, high); INSERT INTO r VALUES (1, 2, 3);"
    )
    assert run_query("SELECT * FROM r WHERE low < 5", path="map.db")["rows"] == [[1, 2.0, 3.0]]
    assert "only reads" in refuse_query("INSERT INTO r VALUES (2, 3, 4)", path="map.db")


def test_schemas_that_use_json_can_be_read_and_changed(world: World) -> None:
    schema = """CREATE TABLE t (data TEXT CHECK (json_valid(data)), k AS (json_extract(data, '$.k')));
        CREATE INDEX i ON t (json_extract(data, '$.k')); CREATE VIEW v AS SELECT data ->> '$.k' AS k FROM t;"""
    make_database(world.files / "django.db", schema)
    insert = {"sql": "INSERT INTO t (data) VALUES (?)", "parameters": ['{"k": 7}']}
    read_facts(call("change_database", path="django.db", statements=[insert]))
    assert run_query("SELECT t.k, v.k FROM t, v", path="django.db")["rows"] == [[7, 7]]
    message = refuse_query("SELECT json_extract('{', '$.k')", path="django.db")
    assert message == "SQLite says: malformed JSON"


@pytest.mark.parametrize(
    "sql",
    [
        *("INSERT INTO author (name) VALUES ('x')", "INSERT INTO author (name) VALUES ('x') RETURNING id"),
        *("UPDATE author SET name = 'x' RETURNING *", "DELETE FROM author", "DROP TABLE author", "CREATE TABLE x (y)"),
        *("CREATE TEMP TABLE x (y)", "CREATE VIEW x AS SELECT 1", "ALTER TABLE author RENAME TO x", "REINDEX"),
        *("ANALYZE", "VACUUM", "VACUUM INTO 'stolen.db'", "ATTACH 'other.db' AS o", "DETACH main", "BEGIN", "COMMIT"),
        *("SAVEPOINT s", "PRAGMA journal_mode = WAL", "PRAGMA writable_schema = ON", "PRAGMA user_version = 8"),
        *(
            "PRAGMA query_only = OFF",
            "PRAGMA temp_store_directory = '/tmp'",
            "PRAGMA wal_checkpoint",
            "PRAGMA optimize",
        ),
        *("PRAGMA trusted_schema = ON", "PRAGMA database_list", "SELECT * FROM pragma_database_list"),
        *("UPDATE sqlite_master SET sql = ''", "INSERT INTO notes (notes) VALUES ('rebuild')"),
        *("SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT writefile('x', 'y')"),
        *("SELECT readfile('/etc/passwd')", "CREATE VIRTUAL TABLE z USING dbstat", "SELECT 1; DELETE FROM author"),
    ],
)
def test_what_does_more_than_read_is_refused(world: World, sql: str) -> None:
    before = TreeHasher().hash_tree(world.files)
    message = refuse_query(sql)
    assert str(world.root) not in message
    assert TreeHasher().hash_tree(world.files) == before


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("SELEC 1", 'near "SELEC": syntax error (line 1, column 1)'),
        ("SELECT 1\n  FROM author WHERE name = 'from' FROM book", "(line 2, column 35)"),
        ("SELECT * FROM authors", "no such table: authors; did you mean 'author'?"),
        ("SELECT nme FROM author", "no such column: nme; did you mean 'name'?"),
        ("SELECT a.titel FROM book a", "did you mean 'title'?"),
        ('SELECT "nme" FROM author', "no such column: nme; did you mean 'name'? (put text in single quotes)"),
        ("SELECT count(*) FROM author WHERE \"nme\" = 'Ada'", "did you mean 'name'?"),
        ('SELECT name FROM author WHERE name = "Ada"', "put text in single quotes"),
        ("SELECT whatever FROM pair", "columns: 'a', 'b'"),
        ("SELECT uppr('x')", "did you mean 'upper'"),
        ("SELECT NOW()", "take datetime('now')"),
        ("SELECT 1 WHERE 'a' REGEXP 'b'", "take LIKE, GLOB or instr()"),
        ("SHOW TABLES", "(line 1, column 1); use describe_database"),
        ("SELECT * FROM author WHERE id = %s", "parameters are written ? or :name"),
        ('SELECT nme FROM [a "b"]', "did you mean 'name'?"),
        ("SELECT (1", "ends too early"),
        ("SELECT 1; SELECT 2", "give one"),
        ("-- nothing", "does not return rows"),
        ("DELETE FROM author", "use change_database"),
        ("SELECT ?", "uses 1, and there are 0 supplied"),
        ("SELECT '\ud800'", "sql: character 9 is an unpaired surrogate"),
        ("SELECT '\0'", "sql: character 9 is U+0000"),
        ("SELECT zeroblob(900000000)", "too big"),
        ("SELECT hex(zeroblob(90000000))", "too big"),
        ("SELECT abs(-9223372036854775808)", "integer overflow"),
    ],
)
def test_an_error_says_what_was_wrong_and_what_to_do(sql: str, says: str) -> None:
    assert says in refuse_query(sql)


def test_a_parameter_that_sqlite_cannot_take_is_named() -> None:
    assert "parameter 2 is 9223372036854775808" in refuse_query("SELECT ?, ?", parameters=[1, 2**63])
    assert "parameters.a: character 1" in refuse_query("SELECT :a", parameters={"a": "\udc80"})
    assert "an object for :name" in refuse_query("SELECT ?", parameters={"a": 1})


def test_time_is_the_worlds_and_chance_begins_anew(tmp_path: Path) -> None:
    sql = "SELECT CURRENT_TIMESTAMP, datetime('now', 'localtime'), strftime('%s'), (SELECT day FROM priced LIMIT 1)"
    first = run_query(sql)["rows"]
    assert first == [["2026-03-16 09:00:00", "2026-03-16 09:00:00", "1773651600", "2026-03-16"]]
    chance = "SELECT random(), hex(randomblob(8)), random()"
    assert run_query(chance) == run_query(chance)
    assert run_query(chance)["rows"][0][0] != run_query(chance)["rows"][0][2]
    own = tmp_path / "own"
    own.mkdir()
    make_database(own / "shop.db")
    with use_world(World.open_user_folder(own)):
        assert run_query("SELECT CURRENT_TIMESTAMP")["rows"] != [["2026-03-16 09:00:00"]]
        assert run_query(chance) != run_query(chance)


def test_an_empty_file_is_an_empty_database(world: World) -> None:
    (world.files / "empty.db").touch()
    assert read_facts(call("describe_database", path="empty.db"))["table_count"] == 0
    assert run_query("SELECT 1", path="empty.db")["rows"] == [[1]]
    assert "there are no tables" in refuse_query("SELECT * FROM x", path="empty.db")


def test_the_world_is_as_it_was_after_any_reading(world: World) -> None:
    before = TreeHasher().hash_tree(world.files)
    run_query("SELECT count(*) FROM book, book, book")
    describe_tables()
    assert TreeHasher().hash_tree(world.files) == before
    assert [path.name for path in world.files.iterdir()] == ["shop.db"]


@pytest.mark.parametrize(
    "name", ["a?b#c%20 d.db", "\u00e4\u4e2d'\".sqlite", "file:x.db", "no ending", "-x.db", "linked.db"]
)
def test_any_name_is_a_name(world: World, name: str) -> None:
    if name == "linked.db":
        (world.files / "linked.db").symlink_to("shop.db")
    else:
        (world.files / name).write_bytes((world.files / "shop.db").read_bytes())
    assert run_query("SELECT count(*) FROM author", path=name)["rows"] == [[2]]
    read_facts(call("change_database", path=name, statements=["INSERT INTO author (name) VALUES ('Cyd')"]))
    assert run_query("SELECT count(*) FROM author", path=name)["rows"] == [[3]]
    assert (world.files / name).is_symlink() == (name == "linked.db")
