"""Statements that want out of the warehouse, or never end."""

import pytest
from support.answers import Call
from support.warehouses import read_state

from yardkit.servers.warehouse.engine import stored_warehouse
from yardkit.world import World

OUTSIDE = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('{root}/world.json')",
    "SELECT * FROM '{root}/world.json'",
    'SELECT * FROM "{root}/apps/warehouse/SALES/PUBLIC/REGIONS.parquet"',
    "SELECT * FROM read_parquet('https://example.com/x.parquet')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM parquet_metadata('{root}/apps/warehouse/SALES/PUBLIC/REGIONS.parquet')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('regions')",
    "SELECT current_setting('allowed_paths')",
    "SELECT getenv('HOME')",
    "SELECT (SELECT content FROM read_blob('/etc/passwd'))",
    "FROM sniff_csv('/etc/passwd')",
    "SELECT 1; SELECT 2",
    "COPY regions TO '{root}/x.csv'",
    "EXPORT DATABASE '{root}/x'",
    "ATTACH '{root}/x.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "SET enable_external_access = true",
    "CALL duckdb_settings()",
    "CREATE MACRO f() AS 1",
    "CREATE SECRET s (TYPE s3)",
    "IMPORT DATABASE '/tmp'",
    "VACUUM",
    "BEGIN",
]
INSIDE = ("duckdb_settings", "current_setting", "SELECT 1", "PRAGMA", "MACRO", "VACUUM", "BEGIN")
"""They tell of the connection alone."""


@pytest.mark.parametrize("sql", OUTSIDE)
def test_nothing_outside_of_the_named_tables_is_reached(shop: World, refused: Call, sql: str) -> None:
    before = read_state(shop)
    for tool in ("query_warehouse", "change_warehouse"):
        message = refused(tool, sql=sql.format(root=shop.root))
        assert "root:" not in message
    assert read_state(shop) == before


def test_duckdb_itself_has_no_way_out_either(shop: World) -> None:
    from yardkit.apps.warehouse import TableName, locate_folder, read_catalog
    from yardkit.servers.warehouse.engine import duck

    ground = duck.Ground(locate_folder(shop), read_catalog(shop), shop.now, "x")
    name = TableName("SALES", "PUBLIC", "REGIONS")
    connection = duck.connect_files([ground.path(name)])
    duck.register_view(connection, ground, "t_0", name)
    duck.lock_settings(connection, "x", "duckdb")
    for sql in OUTSIDE:
        statement = sql.format(root=shop.root).replace("SALES/PUBLIC/REGIONS", "SALES/PUBLIC/ORDERS")
        if any(
            word in sql
            for word in ("duckdb_settings", "current_setting", "SELECT 1", "PRAGMA", "MACRO", "VACUUM", "BEGIN")
        ):
            continue  # they tell of the connection alone
        with pytest.raises(
            Exception, match=r"(?i)permission|disabled|catalog error|parser error|invalid input|not exist|binder"
        ):
            connection.execute(statement).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a FROM r) SELECT count(*) FROM r",
        "SELECT count(*) FROM range(10000000) a CROSS JOIN range(10000000) b",
        "SELECT max(a.range * b.range) FROM range(10000000) a, range(10000000) b",
    ],
)
def test_what_does_not_end_is_ended(
    shop: World, rows: Call, refused: Call, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    rows("SELECT 1")  # the process that others are forked from is up
    monkeypatch.setattr(stored_warehouse, "SECONDS", 1.0)
    assert "limit of 1 s" in refused("query_warehouse", sql=sql)


def test_results_and_memory_are_bounded(shop: World, rows: Call, refused: Call) -> None:
    assert "more than 1,000,000 rows" in refused("query_warehouse", sql="SELECT * FROM range(100000000000)")
    assert rows("SELECT range FROM range(100000000000) LIMIT 2") == [[0], [1]]
    assert "emory" in refused("query_warehouse", sql="SELECT list(range) FROM range(1000000000)")
    assert "at most 100000 characters" in refused("query_warehouse", sql="SELECT " + "1" * 99_994)


def test_a_deeply_nested_statement_is_refused(shop: World, refused: Call) -> None:
    sql = "SELECT " + "(" * 5000 + "1" + ")" * 5000
    assert refused("query_warehouse", sql=sql)


def test_a_long_cell_is_cut_and_said(shop: World, done: Call) -> None:
    reply = done("query_warehouse", sql="SELECT repeat('x', 9000) AS long")
    assert len(reply["rows"][0][0]) == 4000
    assert "cut at 4,000" in reply["notes"][0]
