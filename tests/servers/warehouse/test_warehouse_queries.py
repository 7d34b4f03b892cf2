"""What reads: datasets, tables, queries in pages, plans, files of results."""

import json

import pyarrow.parquet as pq
import pytest
from support.answers import Call

from yardkit.apps.warehouse import locate_folder
from yardkit.world import World


def test_datasets_and_tables_are_told_with_their_rows(shop: World, done: Call) -> None:
    assert done("list_datasets")["datasets"][0]["tables"] == {"ORDERS": 5, "REGIONS": 3}
    reply = done("describe_table", table="orders")
    assert (reply["name"], reply["rows"], reply["description"]) == ("SALES.PUBLIC.ORDERS", 5, "One row for each order")
    columns = {column["name"]: column for column in reply["columns"]}
    assert columns["ID"] == {
        "name": "ID",
        "type": "BIGINT",
        "nullable": False,
        "description": "Number of the order",
        "nulls": 0,
        "example": 1,
    }
    assert (columns["AMOUNT"]["type"], columns["AMOUNT"]["nulls"]) == ("DECIMAL(12,2)", 1)


def test_a_query_gives_pages_that_go_on(shop: World, done: Call) -> None:
    sql = "SELECT id, amount, day FROM orders ORDER BY id, day"
    first = done("query_warehouse", sql=sql, limit=2)
    assert first["rows"] == [[1, 120.5, "2026-03-01"], [2, 80.0, "2026-03-08"]]
    assert (first["total"], first["next_offset"]) == (5, 2)
    last = done("query_warehouse", sql=sql, limit=2, offset=4)
    assert last["rows"] == [[4, 19.99, "2026-02-28"]]
    assert last.get("next_offset") is None


@pytest.mark.parametrize(
    "name", ["SALES.PUBLIC.ORDERS", "sales.public.orders", "public.orders", '"SALES".public."ORDERS"']
)
def test_a_table_is_found_by_the_end_of_its_name(rows: Call, name: str) -> None:
    assert rows(f"SELECT count(*) FROM {name}") == [[5]]


def test_a_name_that_is_none_says_what_there_is(shop: World, refused: Call) -> None:
    assert "there are: SALES.PUBLIC.ORDERS, SALES.PUBLIC.REGIONS" in refused(
        "query_warehouse", sql="SELECT * FROM ordr"
    )
    assert "AMOUNT" in refused("query_warehouse", sql="SELECT amont FROM orders")
    assert "ORDERS" in refused("describe_table", table="public.nothing")


def test_a_common_table_expression_may_have_the_name_of_a_table(rows: Call) -> None:
    sql = "WITH orders AS (SELECT * FROM orders WHERE id < 3) SELECT count(*) FROM orders"
    assert rows(sql) == [[2]]


def test_joins_windows_and_the_catalogue_are_worked_out(rows: Call) -> None:
    sql = "SELECT r.head, sum(o.pieces) FROM orders o JOIN regions r ON r.name = o.region GROUP BY 1 ORDER BY 1"
    assert rows(sql) == [["Ada", 6], ["Bo", 1], [None, 2]]
    assert rows("SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY id) = 2") == [[4]]
    sql = "SELECT column_name, is_nullable FROM sales.information_schema.columns WHERE table_name = 'ORDERS' LIMIT 2"
    assert rows(sql) == [["ID", "NO"], ["REGION", "YES"]]
    assert rows("SELECT table_name, row_count FROM information_schema.tables ORDER BY 1") == [
        ["ORDERS", 5],
        ["REGIONS", 3],
    ]


def test_the_clock_and_chance_are_the_worlds(rows: Call) -> None:
    expected_rows = [["2026-03-16", "2026-03-16T09:00:00+00:00"]]
    for dialect in ("duckdb", "postgres", "snowflake", "bigquery"):
        assert rows("SELECT CURRENT_DATE, CURRENT_TIMESTAMP", dialect) == expected_rows
    assert rows("SELECT random(), uuid()") == rows("SELECT random(), uuid()")


def test_a_query_leaves_no_trace(shop: World, rows: Call) -> None:
    before = shop.state_hash()
    rows("SELECT * FROM orders JOIN regions ON true")
    assert shop.state_hash() == before


def test_a_plan_tells_what_is_read(shop: World, done: Call) -> None:
    plan = done("explain_query", sql="SELECT sum(amount) FROM orders")
    assert plan["reads"] == {"SALES.PUBLIC.ORDERS": 5}
    assert str(shop.root) not in str(plan)


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl", "parquet"])
def test_a_result_is_written_to_a_file(shop: World, done: Call, ending: str) -> None:
    sql = "SELECT id, region FROM orders WHERE id < 3 ORDER BY id"
    assert done("export_result", sql=sql, target=f"out/part.{ending}")["rows"] == 2
    path = shop.files / f"out/part.{ending}"
    expected_rows = [{"ID": 1, "REGION": "North"}, {"ID": 2, "REGION": "South"}]
    if ending == "csv":
        assert path.read_text() == "ID,REGION\n1,North\n2,South\n"
    elif ending == "parquet":
        assert pq.read_table(path).to_pylist() == expected_rows
    else:
        text = path.read_text()
        assert (
            json.loads(text) if ending == "json" else [json.loads(line) for line in text.splitlines()]
        ) == expected_rows


def test_a_damaged_table_is_named_and_the_others_work(shop: World, rows: Call, refused: Call) -> None:
    (locate_folder(shop) / "SALES/PUBLIC/REGIONS.parquet").write_bytes(b"PAR1 no more")
    message = refused("query_warehouse", sql="SELECT * FROM regions")
    assert "SALES.PUBLIC.REGIONS cannot be read" in message
    assert str(shop.root) not in message
    assert rows("SELECT count(*) FROM orders") == [[5]]


def test_a_damaged_catalogue_is_named(shop: World, refused: Call) -> None:
    (locate_folder(shop) / "catalog.json").write_text('{"databases": 3}')
    assert "catalog.json of the app 'warehouse' is damaged (databases" in refused("list_datasets")


def test_an_empty_world_has_an_empty_warehouse(world: World, done: Call, refused: Call) -> None:
    assert done("list_datasets")["datasets"] == []
    assert "there are: none" in refused("query_warehouse", sql="SELECT * FROM t")
    assert not locate_folder(world).exists()
