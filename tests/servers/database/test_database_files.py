"""The server `database`: data files in and out."""

import csv
import json
import math
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import make_caller, read_facts, read_text
from support.scale import count_tries

from yardkit.servers.database.server import mcp
from yardkit.world import World, current_world

call = make_caller(mcp)
PEOPLE = 'id,name,zip,height,note\n1,Ada,01234,1.70,\n2,Bob,99999,2,ok\n3,"O\'Hara, ""Cyd""",10115,1.5e0,\n'


pytestmark = pytest.mark.usefixtures("world")


def import_text(text: str | bytes, name: str = "data.csv", **more: Any) -> Any:
    """The result of the import of a file into the table t of a.db."""
    (current_world().files / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return call("import_table", **({"source": name, "path": "a.db", "table": "t", "create": True} | more))


def query_rows(sql: str = "SELECT * FROM t") -> Any:
    return read_facts(call("query_database", path="a.db", sql=sql))["rows"]


def map_columns(answer: Any) -> dict[str, str]:
    return {column["name"]: column.get("type", "") for column in read_facts(answer)["imported"]["columns"]}


def test_columns_get_the_type_that_keeps_all_their_values() -> None:
    answer = import_text(PEOPLE)
    assert map_columns(answer) == {"id": "INTEGER", "name": "TEXT", "zip": "TEXT", "height": "REAL", "note": "TEXT"}
    assert read_facts(answer)["created"]
    assert read_facts(answer)["imported"]["table_rows"] == read_facts(answer)["imported"]["rows"] == 3
    assert query_rows() == [
        [1, "Ada", "01234", 1.7, None],
        [2, "Bob", "99999", 2.0, "ok"],
        [3, 'O\'Hara, "Cyd"', "10115", 1.5, None],
    ]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", "0", "", "9223372036854775807"], "INTEGER"),
        (["1", "2.5", "1e3"], "REAL"),
        (["9223372036854775807", "0.5"], "NUMERIC"),
        (["9223372036854775808"], "TEXT"),
        (["007"], "TEXT"),
        (["+49"], "TEXT"),
        (["-0"], "TEXT"),
        (["1e999"], "TEXT"),
        (["0.10000000000000000001"], "TEXT"),
        (["nan", "1"], "TEXT"),
        (["2026-03-16"], "TEXT"),
        (["TRUE"], "TEXT"),
        (["", ""], "TEXT"),
    ],
)
def test_a_number_is_one_only_if_nothing_is_lost(cells: list[str], kind: str) -> None:
    assert map_columns(import_text("x,y\n" + "\n".join(f"{cell},a" for cell in cells))) == {"x": kind, "y": "TEXT"}


def test_types_can_be_said() -> None:
    assert map_columns(import_text(PEOPLE, types={"ID": "TEXT", "zip": "INTEGER"}))["id"] == "TEXT"
    assert query_rows("SELECT id, zip FROM t LIMIT 1") == [["1", 1234]]
    assert "did you mean 'zip'" in read_text(import_text(PEOPLE, table="u", types={"zipp": "TEXT"}))
    assert "line 3, 'name': 'Bob' is not a valid INTEGER value" in read_text(
        import_text("name\n5\nBob\n", table="u", types={"name": "INTEGER"})
    )


def test_json_keeps_types_and_nested_values_become_text() -> None:
    records = [{"a": 1, "b": "x", "c": True, "d": [1, {"e": "ü"}]}, {"a": 2.5, "b": 7, "f": None}]
    answer = import_text(json.dumps(records), name="data.json")
    assert map_columns(answer) == {"a": "REAL", "b": "", "c": "INTEGER", "d": "TEXT", "f": "TEXT"}
    assert query_rows() == [[1.0, "x", 1, '[1, {"e": "ü"}]', None], [2.5, 7, None, None, None]]
    lines = "\n".join(map(json.dumps, records)) + "\n"
    assert read_facts(import_text(lines, name="data.jsonl", table="u"))["imported"]["rows"] == 2


def test_rows_are_appended_by_the_names_of_columns() -> None:
    import_text(PEOPLE)
    answer = import_text("NOTE;id\nnew;4\n;005\n", mode="append")
    assert read_facts(answer)["imported"]["table_rows"] == 5
    assert query_rows("SELECT id, note FROM t WHERE id > 3") == [[4, "new"], [5, None]]


@pytest.mark.parametrize(
    ("text", "more", "says"),
    [
        ("id,nme\n1,x\n", {"mode": "append"}, "did you mean 'name'?"),
        ("id\nx\n", {"mode": "append"}, "line 2, 'id': 'x' is not a valid INTEGER value"),
        ("id\n1\n", {"mode": "append", "table": "tt"}, "the table 'tt' does not exist; did you mean 't'?"),
        ("id\n1\n", {}, "the table 't' already exists"),
        ("id\n1,2\n", {"table": "u"}, "line 2: 2 cells for 1 column names"),
        ('id\n"open\n', {"table": "u"}, "line 2: unexpected end of data"),
        ("", {"table": "u"}, "is empty"),
        (b"\0\1", {"table": "u"}, "is binary"),
        ("id\n1\n", {"table": "sqlite_x"}, "reserved"),
        ("[1]", {"table": "u", "name": "d.json"}, "must hold a list of objects"),
        ("[{}]", {"table": "u", "name": "d.json"}, "no columns"),
        ('[{"a": NaN}]', {"table": "u", "name": "d.json"}, "NaN is not valid JSON"),
        ('[{"a": 1e5}, {"a": 99999999999999999999}]', {"table": "u", "name": "d.json"}, "record 2, 'a'"),
        ('[{"a": 1, "a": 2}]', {"table": "u", "name": "d.json"}, "the field 'a' twice"),
        ("id\n1_000\n", {"mode": "append"}, "line 2, 'id': '1_000' is not a valid INTEGER value"),
        ("id\n\uff11\n", {"mode": "append"}, "is not a valid INTEGER value"),
        ('{"a": 1}\n{"a": \n', {"table": "u", "name": "d.jsonl"}, "line 2"),
        ('[{"a": "\\ud800"}]', {"table": "u", "name": "d.json"}, "not valid Unicode"),
        ("[" * 100_000, {"table": "u", "name": "d.json"}, "recursion"),
        ("id\n1\n", {"table": "u", "name": "d.xml"}, "is not a .csv"),
    ],
)
def test_an_import_that_fails_says_where_and_changes_nothing(
    world: World, text: str | bytes, more: dict[str, Any], says: str
) -> None:
    import_text(PEOPLE)
    before = (world.files / "a.db").read_bytes()
    answer = import_text(text, **more)
    assert answer.is_error
    assert says in read_text(answer)
    assert read_text(answer).endswith("Nothing was changed")
    assert (world.files / "a.db").read_bytes() == before


def test_a_constraint_that_fails_in_an_import_names_the_line(world: World) -> None:
    sql = "CREATE TABLE t (id INTEGER PRIMARY KEY)"
    read_facts(call("change_database", path="a.db", statements=[sql], create=True))
    assert "line 4: SQLite says: UNIQUE constraint failed: t.id" in read_text(
        import_text("id\n1\n2\n1\n", mode="append")
    )
    assert query_rows() == []


def test_column_names_are_made_distinct_and_said_so() -> None:
    answer = import_text('a,A,,"x ""y"" z"\n1,2,3,4\n')
    assert list(map_columns(answer)) == ["a", "A_2", "column_3", 'x "y" z']
    assert read_facts(answer)["imported"]["notes"][0] == "column 2 is called 'A_2', since its name is taken"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("a,b,c\n1,2\n3,4,5\n6\n", "2 rows with fewer cells than columns, such as line 2"),
        ("package,version\nx,1.10\ny,1.9\n", "'1.10' is stored as 1.1"),
        ("sku\n12E3\n45E7\n", "'12E3' is stored as 12000.0"),
        ("price\n1.10\n1.90\n", ""),
        ("size\n1.0\n2.5\n1.25\n", ""),
    ],
)
def test_what_an_import_fills_up_or_writes_otherwise_is_said(text: str, note: str) -> None:
    assert note in " ".join(read_facts(import_text(text))["imported"].get("notes", []))
    assert bool(read_facts(import_text(text, table="u"))["imported"].get("notes")) == bool(note)


def test_a_delimiter_that_the_first_line_states_for_excel_is_used() -> None:
    import_text("sep=;\r\nname;price\r\nA,B;1\r\n")
    assert query_rows("SELECT name, price FROM t") == [["A,B", 1]]


def test_numbers_of_json_that_are_longer_than_a_real_keep_their_digits() -> None:
    import_text('[{"x": 0.1234567890123456789, "y": 1e400, "z": 1.10}]', name="data.json")
    assert query_rows() == [["0.1234567890123456789", "1e400", 1.1]]


def test_whole_numbers_are_read_as_programs_write_them() -> None:
    import_text("n\n1\n")
    assert not import_text("n\n1.0\n+2\n 3\n", mode="append").is_error
    assert query_rows() == [[1], [1], [2], [3]]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_other_encodings_and_delimiters_are_found(encoding: str) -> None:
    import_text("größe\tk\n1,5\té\n".encode(encoding))
    assert query_rows("SELECT größe, k FROM t") == [["1,5", "é"]]


def export_query(sql: str, target: str, **more: Any) -> Any:
    return call("export_query", path="a.db", sql=sql, target=target, **more)


def test_a_query_is_written_as_csv_or_json(world: World) -> None:
    import_text(PEOPLE)
    sql = "SELECT id, name, note FROM t WHERE id > ? ORDER BY id"
    done = read_facts(export_query(sql, "out/some.csv", parameters=[1]))
    assert (done["exported"]["rows"], done["file"]["path"]) == (2, "out/some.csv")
    with (world.files / "out/some.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["id", "name", "note"], ["2", "Bob", "ok"], ["3", 'O\'Hara, "Cyd"', ""]]
    read_facts(export_query(sql, "some.json", parameters=[1]))
    assert json.loads((world.files / "some.json").read_text())[0] == {"id": 2, "name": "Bob", "note": "ok"}
    read_facts(export_query(sql, "some.jsonl", parameters=[1]))
    assert len((world.files / "some.jsonl").read_text().splitlines()) == 2
    read_facts(export_query(sql, "some.tsv", parameters=[99]))
    assert (world.files / "some.tsv").read_text() == "id\tname\tnote\n"
    read_facts(export_query("SELECT 1 AS a WHERE 0", "none.json"))
    assert json.loads((world.files / "none.json").read_text()) == []


NOT_UTF8 = "some texts are not valid UTF-8"


def test_what_a_file_cannot_tell_is_said(world: World) -> None:
    import_text(PEOPLE)
    notes = read_facts(export_query("SELECT x'00ff' AS b, 9e999 AS i, '' AS e", "a.csv"))["exported"]["notes"]
    assert [note.split(" are")[0] for note in notes] == ["bytes", "infinite numbers", "empty texts"]
    assert (world.files / "a.csv").read_text() == "b,i,e\n00ff,Infinity,\n"
    notes = read_facts(export_query("SELECT CAST(x'47f6' AS TEXT) AS a, 1 AS a", "b.csv"))["exported"]["notes"]
    assert [note.split(":")[0] for note in notes] == ["two columns are called 'a'; AS renames one", NOT_UTF8]
    rows = read_facts(call("query_database", path="a.db", sql="SELECT CAST(x'47f6' AS TEXT)"))
    assert rows["rows"] == [["G\ufffd"]]
    assert rows["notes"][0].startswith(NOT_UTF8)


@pytest.mark.parametrize(
    ("sql", "target", "says"),
    [
        ("SELECT 1 AS a, 2 AS a", "x.json", "two columns are called 'a'"),
        ("SELECT 1", "x.xlsx", "'.xlsx' is not a valid export format"),
        ("SELECT 1", "a.db", "is the database itself"),
        ("DELETE FROM t", "x.csv", "only reads"),
        ("SELECT nix FROM t", "x.csv", "no such column"),
        pytest.param(
            "WITH RECURSIVE n(i) AS (VALUES (zeroblob(9000000)) UNION ALL SELECT i FROM n) SELECT i FROM n", "x.csv",
            "cannot save", marks=pytest.mark.drill,
        ),
    ],
)  # fmt: skip
def test_an_export_that_fails_writes_nothing(world: World, sql: str, target: str, says: str) -> None:
    import_text(PEOPLE)
    answer = export_query(sql, target)
    assert answer.is_error
    assert says in read_text(answer)
    assert sorted(os.listdir(world.files)) == ["a.db", "data.csv"]


CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
)


def fill_table(path: Path, rows: list[Any]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE IF EXISTS t")
        connection.execute("CREATE TABLE t (a, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        connection.commit()


@settings(max_examples=count_tries(40, 10))
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8))
def test_what_is_exported_as_json_comes_back_the_same(world: World, rows: list[Any]) -> None:
    fill_table(world.files / "a.db", rows)
    read_facts(export_query("SELECT * FROM t", "out.json"))
    (world.files / "b.db").unlink(missing_ok=True)
    read_facts(call("import_table", source="out.json", path="b.db", table="t", create=True))
    with closing(sqlite3.connect(world.files / "b.db")) as connection:
        assert connection.execute("SELECT * FROM t").fetchall() == rows


def has_null_characters(rows: list[Any]) -> bool:
    """By which an import tells binary files."""
    return any(isinstance(cell, str) and "\0" in cell for row in rows for cell in row)


@settings(max_examples=count_tries(40, 10))
@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8).filter(lambda rows: not has_null_characters(rows))
)
def test_what_is_exported_as_csv_comes_back_the_same_text(world: World, rows: list[Any]) -> None:
    fill_table(world.files / "a.db", rows)
    read_facts(export_query("SELECT * FROM t", "out.csv"))
    (world.files / "b.db").unlink(missing_ok=True)
    read_facts(call("import_table", source="out.csv", path="b.db", table="t", create=True))
    read_facts(call("export_query", path="b.db", sql="SELECT * FROM t", target="again.csv"))
    with closing(sqlite3.connect(world.files / "b.db")) as connection:
        table_rows = connection.execute("SELECT * FROM t").fetchall()
    assert [[normalize_cell(cell) for cell in row] for row in table_rows] == [
        [normalize_cell(cell) for cell in row] for row in rows
    ]


def normalize_cell(cell: Any) -> Any:
    """Cells that CSV cannot tell apart: a number, and the text of it."""
    try:
        return cell if cell is None or math.isnan(float(cell)) else float(cell)
    except ValueError:
        return cell
