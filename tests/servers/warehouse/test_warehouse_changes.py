"""What changes: rows, tables, schemas, files taken in; each whole or not at all."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from support.answers import Call
from support.warehouses import make_orders, read_state, write_parquet

from yardkit.apps.warehouse import locate_folder
from yardkit.world import World, use_world

NEW = (
    "CREATE TABLE sales.public.visits (id NUMBER(10,0) NOT NULL, page VARCHAR DEFAULT 'home', "
    "at TIMESTAMP_NTZ DEFAULT CURRENT_TIMESTAMP())"
)


def test_rows_are_inserted_changed_merged_and_deleted(done: Call, rows: Call) -> None:
    def change(sql: str) -> tuple[str, int]:
        reply = done("change_warehouse", sql=sql)
        return reply["done"], reply["rows"]

    assert change("INSERT INTO regions VALUES ('West', 'Cy'), ('Far', NULL)") == ("inserted", 2)
    assert change("UPDATE regions SET head = 'Di' WHERE name = 'Far'") == ("updated", 1)
    merge = (
        "MERGE INTO regions r USING (SELECT 'West' AS name, 'Ed' AS head UNION ALL SELECT 'Mid', 'Flo') AS s "
        "ON r.name = s.name WHEN MATCHED THEN UPDATE SET head = s.head "
        "WHEN NOT MATCHED THEN INSERT VALUES (s.name, s.head)"
    )
    assert change(merge) == ("merged", 2)
    assert change("DELETE FROM regions WHERE head IS NULL") == ("deleted", 1)
    expected_rows = [["Far", "Di"], ["Mid", "Flo"], ["North", "Ada"], ["South", "Bo"], ["West", "Ed"]]
    assert rows("SELECT * FROM regions ORDER BY name") == expected_rows
    assert change("TRUNCATE TABLE regions") == ("deleted", 5)


def test_only_the_changed_table_differs_and_twice_the_same_gives_the_same_bytes(shop: World, done: Call) -> None:
    before = read_state(shop)
    done("change_warehouse", sql="UPDATE orders SET pieces = pieces + 1 WHERE id = 2")
    after = read_state(shop)
    assert {name for name in after if after[name] != before.get(name)} == {"SALES/PUBLIC/ORDERS.parquet"}
    (locate_folder(shop) / "SALES/PUBLIC/ORDERS.parquet").write_bytes(write_parquet(make_orders()))
    done("change_warehouse", sql="UPDATE orders SET pieces = pieces + 1 WHERE id = 2")
    assert read_state(shop) == after


def test_rules_and_defaults_of_columns_hold(shop: World, done: Call, rows: Call, refused: Call) -> None:
    done("change_warehouse", sql=NEW, dialect="snowflake")
    done("change_warehouse", sql="INSERT INTO visits (id) VALUES (1)")
    assert rows("SELECT * FROM visits") == [[1, "home", "2026-03-16T09:00:00"]]
    assert "NOT NULL constraint failed: VISITS.ID" in refused(
        "change_warehouse", sql="INSERT INTO visits (page) VALUES ('x')"
    )
    assert "NOT NULL" in refused("change_warehouse", sql="UPDATE orders SET id = NULL")
    assert rows("SELECT count(id) FROM orders") == [[5]]


REPEATED = "(SELECT 'North' AS name, 'Ed' AS head UNION ALL SELECT 'North', 'Flo') AS s"
MERGE = f"MERGE INTO regions r USING {REPEATED} ON r.name = s.name WHEN MATCHED"


@pytest.mark.parametrize(
    ("dialect", "sql", "why"),
    [
        ("bigquery", "DELETE FROM public.regions", "must have a WHERE clause in BigQuery"),
        ("bigquery", "UPDATE public.regions SET head = 'x'", "use WHERE TRUE for all rows"),
        *((dialect, f"{MERGE} THEN DELETE", "several rows match") for dialect in ("snowflake", "bigquery", "postgres")),
        ("snowflake", f"{MERGE} THEN UPDATE SET head = s.head", "several rows match"),
        (
            "bigquery",
            f"UPDATE public.regions r SET head = s.head FROM {REPEATED} WHERE r.name = s.name",
            "several rows match",
        ),
        ("bigquery", "INSERT INTO public.orders (id, pieces) VALUES (9, 2.5)", "does not convert FLOAT64 to INT64"),
        ("bigquery", "UPDATE public.regions SET head = 5 WHERE TRUE", "does not convert INT64 to STRING"),
        (
            "bigquery",
            "MERGE public.orders o USING public.regions r ON FALSE WHEN NOT MATCHED THEN INSERT (pieces) VALUES ('7')",
            "does not convert STRING to INT64",
        ),
    ],
)
def test_what_its_warehouse_refuses_is_refused_and_changes_nothing(
    shop: World, rows: Call, refused: Call, dialect: str, sql: str, why: str
) -> None:
    before = rows("SELECT * FROM regions ORDER BY name")
    assert why in refused("change_warehouse", sql=sql, dialect=dialect)
    assert rows("SELECT * FROM regions ORDER BY name") == before


def test_repeated_matches_are_no_harm_where_one_at_most_changes_a_row(shop: World, done: Call) -> None:
    done("change_warehouse", sql=f"{MERGE} AND s.head = 'Flo' THEN UPDATE SET head = s.head", dialect="snowflake")
    inserting = (
        f"MERGE INTO regions r USING {REPEATED} ON r.name = s.head WHEN NOT MATCHED THEN INSERT (name) VALUES (s.name)"
    )
    assert done("change_warehouse", sql=inserting, dialect="snowflake")["rows"] == 2
    assert done("change_warehouse", sql="DELETE FROM public.regions WHERE TRUE", dialect="bigquery")["rows"] == 5


def test_texts_keep_to_the_length_that_their_column_has(shop: World, done: Call, rows: Call, refused: Call) -> None:
    done("change_warehouse", sql="CREATE TABLE sales.public.codes (a VARCHAR(3), b VARCHAR)", dialect="snowflake")
    for sql in ("INSERT INTO codes VALUES ('four', 'four')", "INSERT INTO codes SELECT name, name FROM regions"):
        assert "a text for A is longer than 3 characters" in refused("change_warehouse", sql=sql)
    done("change_warehouse", sql="INSERT INTO codes VALUES ('Ulm', 'four')")
    assert "longer than 3" in refused("change_warehouse", sql="UPDATE codes SET a = 'four'", dialect="postgres")
    altered = "ALTER TABLE codes ALTER COLUMN a SET DATA TYPE VARCHAR"
    assert "longer than 2" in refused("change_warehouse", sql=f"{altered}(2)", dialect="snowflake")
    done("change_warehouse", sql=f"{altered}(4)", dialect="snowflake")
    done("change_warehouse", sql="UPDATE codes SET a = 'four'")
    assert done("describe_table", table="codes")["columns"][0]["type"] == "VARCHAR(4)"
    assert rows("SELECT a FROM codes") == [["four"]]


def test_rules_that_are_not_enforced_are_named(shop: World, done: Call) -> None:
    sql = "CREATE TABLE sales.public.pairs (a INT PRIMARY KEY, b INT UNIQUE REFERENCES x (y), CHECK (b > 0))"
    note = done("change_warehouse", sql=sql, dialect="postgres")["note"]
    assert "not enforced here" in note
    assert all(rule in note for rule in ("PRIMARY KEY", "UNIQUE", "REFERENCES", "CHECK"))


def test_tables_are_made_altered_renamed_and_dropped(shop: World, done: Call, rows: Call, refused: Call) -> None:
    for sql in (
        "CREATE TABLE sales.public.sums AS SELECT region, sum(amount) AS total FROM orders GROUP BY region",
        "ALTER TABLE sums ADD COLUMN note VARCHAR DEFAULT 'new'",
        "ALTER TABLE sums RENAME COLUMN note TO remark",
        "ALTER TABLE sums ALTER COLUMN total TYPE DOUBLE",
        "ALTER TABLE sums RENAME TO totals",
    ):
        done("change_warehouse", sql=sql)
    assert rows("SELECT region, remark, typeof(total) FROM totals ORDER BY 1 LIMIT 1") == [["East", "new", "DOUBLE"]]
    assert "a table SALES.PUBLIC.totals already exists" in refused(
        "change_warehouse", sql="CREATE TABLE public.totals AS SELECT 1 AS a"
    )
    done("change_warehouse", sql="CREATE OR REPLACE TABLE public.totals AS SELECT 1 AS a")
    assert rows("SELECT * FROM totals") == [[1]]
    assert done("change_warehouse", sql="DROP TABLE totals")["done"] == "dropped"
    assert done("change_warehouse", sql="DROP TABLE IF EXISTS totals")["done"] == "unchanged"
    assert [name for name in read_state(shop) if "totals" in name or "sums" in name] == []


def test_a_table_is_replaced_only_where_that_is_said(shop: World, done: Call, rows: Call, refused: Call) -> None:
    assert "already exists; use CREATE OR REPLACE" in refused("change_warehouse", sql="CREATE TABLE regions (x INT)")
    assert done("change_warehouse", sql="CREATE TABLE IF NOT EXISTS regions (x INT)")["done"] == "unchanged"
    assert rows("SELECT count(*) FROM regions") == [[3]]
    done("change_warehouse", sql="CREATE OR REPLACE TABLE regions (x INT)")
    assert rows("SELECT count(*) FROM regions") == [[0]]


def test_columns_come_and_go(shop: World, done: Call, rows: Call, refused: Call) -> None:
    done("change_warehouse", sql="ALTER TABLE regions DROP COLUMN head")
    assert rows("SELECT * FROM regions LIMIT 1") == [["North"]]
    for sql in ("DROP COLUMN IF EXISTS head", "ADD COLUMN IF NOT EXISTS name VARCHAR"):
        reply = done("change_warehouse", sql=f"ALTER TABLE regions {sql}", dialect="postgres")
        assert reply["done"] == "unchanged", sql
    for sql, why in {
        "DROP COLUMN head": "there is no column 'head'; there are NAME",
        "ADD COLUMN name VARCHAR": "a column 'NAME' already exists",
        "ADD COLUMN head VARCHAR NOT NULL": "NOT NULL, and 3 rows have no value",
    }.items():
        assert why in refused("change_warehouse", sql=f"ALTER TABLE regions {sql}", dialect="postgres")


def test_a_changed_column_may_be_named_with_its_table(shop: World, done: Call, rows: Call) -> None:
    done("change_warehouse", sql="UPDATE regions r SET r.head = 'Cy' WHERE r.name = 'East'", dialect="snowflake")
    assert rows("SELECT head FROM regions WHERE name = 'East'") == [["Cy"]]


def test_a_change_that_would_give_rows_is_refused(shop: World, rows: Call, refused: Call) -> None:
    sql = "INSERT INTO regions VALUES ('West', NULL) RETURNING name"
    assert "query them" in refused("change_warehouse", sql=sql, dialect="postgres")
    assert rows("SELECT count(*) FROM regions") == [[3]]


def test_schemas_and_databases_come_and_go_with_their_tables(shop: World, done: Call, refused: Call) -> None:
    before = read_state(shop)
    done("create_dataset", schema="LAB.RAW")
    assert "a schema LAB.RAW already exists" in refused("create_dataset", schema="lab.raw")
    done("change_warehouse", sql="CREATE TABLE lab.raw.t AS SELECT 1 AS a")
    done("change_warehouse", sql="DROP SCHEMA lab.raw")
    done("change_warehouse", sql="DROP DATABASE lab")
    assert read_state(shop) == before


def test_the_first_steps_in_an_empty_warehouse_say_what_is_to_be_made(world: World, done: Call, refused: Call) -> None:
    advice = "there is none yet: create a schema first, such as main.sales"
    assert advice in refused("change_warehouse", sql="CREATE TABLE t (a INT)")
    assert advice in refused("change_warehouse", sql="CREATE SCHEMA sales")
    done("create_dataset", schema="sales")
    done("change_warehouse", sql="CREATE TABLE t (a INT)")
    assert done("list_datasets")["datasets"] == [{"name": "main.sales", "description": "", "tables": {"t": 0}}]


def test_files_of_the_workspace_are_taken_into_tables(shop: World, done: Call, rows: Call, refused: Call) -> None:
    (shop.files / "more.csv").write_text("NAME,HEAD\nWest,Cy\nFar,\n")
    assert done("load_table", source="more.csv", table="regions", mode="append")["table_rows"] == 5
    assert rows("SELECT head FROM regions WHERE name = 'Far'") == [[None]]
    assert "a table SALES.PUBLIC.REGIONS already exists" in refused("load_table", source="more.csv", table="regions")
    assert done("load_table", source="more.csv", table="public.fresh")["object"] == "SALES.PUBLIC.fresh"
    assert done("load_table", source="more.csv", table="regions", mode="replace")["table_rows"] == 2
    (shop.files / "odd.csv").write_text("TOWN\nUlm\n")
    assert "does not fit SALES.PUBLIC.REGIONS" in refused(
        "load_table", source="odd.csv", table="regions", mode="append"
    )


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO regions SELECT name, error('late') FROM regions",
        "UPDATE regions SET head = CAST(name AS INTEGER)",
        "CREATE TABLE public.bad AS SELECT CAST('x' AS DATE) AS d",
    ],
)
def test_what_fails_leaves_all_as_it_was(shop: World, refused: Call, sql: str) -> None:
    before = read_state(shop)
    refused("change_warehouse", sql=sql)
    assert read_state(shop) == before


def test_changes_at_once_take_turns(shop: World, done: Call, rows: Call) -> None:
    def add(number: int) -> None:
        with use_world(shop):
            done("change_warehouse", sql=f"INSERT INTO regions VALUES ('R{number}', NULL)")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(6)))
    assert rows("SELECT count(*) FROM regions") == [[9]]
