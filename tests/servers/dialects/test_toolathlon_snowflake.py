"""The 14 tools of Toolathlon's snowflake server, each in the words and the YAML of mcp-snowflake-server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from support.speaking import Agent
from support.warehouses import make_orders, write_parquet

from yardkit.apps.warehouse import Catalog, Column, Schema, Table, save_catalog
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, save_bytes, use_world


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="toolathlon", seed=1)
    place = world.get_app_folder("warehouse") / "SALES" / "PUBLIC"
    save_bytes(place / "ORDERS.parquet", write_parquet(make_orders()))
    save_bytes(place / "REGIONS.parquet", write_parquet(pa.table({"name": ["North"], "head": ["Ada"]})))
    columns = {"ID": Column(nullable=False, description="Number"), "PIECES": Column(default="1")}
    tables = {"ORDERS": Table("2026-01-05", "All orders", columns), "REGIONS": Table("2026-01-05")}
    save_catalog(world, Catalog("SALES", {"SALES": {"PUBLIC": Schema("2026-01-05", tables=tables)}}))
    with use_world(world):
        yield Agent(load_server("warehouse", "toolathlon"), world.files)


async def query_data(agent: Agent, tool: str, **arguments: Any) -> Any:
    reply = yaml.safe_load(await agent.says(tool, **arguments))
    assert list(reply)[:2] == ["type", "data_id"]
    assert (reply["type"], len(reply["data_id"])) == ("data", 36)
    return reply


async def test_the_catalogue_is_listed_in_upper_case(agent: Agent) -> None:
    assert (await query_data(agent, "list_databases"))["data"] == [{"DATABASE_NAME": "SALES"}]
    schemas = await query_data(agent, "list_schemas", database="sales")
    assert (schemas["database"], schemas["data"]) == ("sales", [{"SCHEMA_NAME": "PUBLIC"}])
    tables = await query_data(agent, "list_tables", database="sales", schema="public")
    assert tables["data"][0] == {
        "TABLE_CATALOG": "SALES",
        "TABLE_SCHEMA": "PUBLIC",
        "TABLE_NAME": "ORDERS",
        "COMMENT": "All orders",
    }


async def test_a_table_is_described_by_its_whole_name(agent: Agent) -> None:
    reply = await query_data(agent, "describe_table", table_name="sales.public.orders")
    assert (reply["database"], reply["schema"], reply["table"]) == ("SALES", "PUBLIC", "ORDERS")
    assert reply["data"][0] == {
        "COLUMN_NAME": "ID",
        "COLUMN_DEFAULT": None,
        "IS_NULLABLE": "NO",
        "DATA_TYPE": "NUMBER",
        "COMMENT": "Number",
    }
    assert [row["DATA_TYPE"] for row in reply["data"]] == ["NUMBER", "TEXT", "DATE", "NUMBER", "NUMBER"]
    assert reply["data"][4]["COLUMN_DEFAULT"] == "1"
    message = await agent.call_for_error("describe_table", table_name="orders")
    assert message == "Error: Table name must be fully qualified as 'database.schema.table'"


async def test_rows_come_as_records_with_names_in_upper_case(agent: Agent) -> None:
    reply = await query_data(
        agent, "read_query", query="select id, amount, day from SALES.PUBLIC.ORDERS where id < 4 order by id"
    )
    assert reply["data"] == [
        {"ID": 1, "AMOUNT": 120.5, "DAY": "2026-03-01"},
        {"ID": 2, "AMOUNT": 80.0, "DAY": "2026-03-08"},
        {"ID": 3, "AMOUNT": None, "DAY": "2026-03-15"},
    ]
    assert (await query_data(agent, "read_query", query="SELECT * FROM SALES.PUBLIC.REGIONS"))["data"] == [
        {"NAME": "North", "HEAD": "Ada"}
    ]
    assert (
        reply["data_id"]
        == (
            await query_data(
                agent, "read_query", query="SELECT ID, AMOUNT, DAY FROM SALES.PUBLIC.ORDERS WHERE ID < 4 ORDER BY ID"
            )
        )["data_id"]
    )


async def test_a_long_answer_goes_on(agent: Agent) -> None:
    query = "SELECT SEQ4() AS N, REPEAT('x', 90) AS X FROM TABLE(GENERATOR(ROWCOUNT => 1000))"
    first = await agent.answer("read_query", query=query)
    parts, offset = [first.structured_content["text"]], first.structured_content["next_offset"]
    while offset:
        more = (await agent.answer("read_query", query=query, offset=offset)).structured_content
        parts.append(more["text"])
        offset = more["next_offset"]
    assert len(yaml.safe_load("".join(parts))["data"]) == 1000


async def test_show_and_describe_are_queries(agent: Agent) -> None:
    assert (await query_data(agent, "read_query", query="SHOW TABLES IN SCHEMA SALES.PUBLIC"))["data"][0][
        "NAME"
    ] == "ORDERS"
    description = (await query_data(agent, "read_query", query="DESCRIBE TABLE SALES.PUBLIC.ORDERS"))["data"]
    assert (description[0]["COLUMN_NAME"], description[0]["DATA_TYPE"]) == ("ID", "NUMBER")
    assert (await query_data(agent, "read_query", query="SHOW DATABASES"))["data"][0]["NAME"] == "SALES"


async def test_reading_and_writing_are_kept_apart(agent: Agent) -> None:
    message = await agent.call_for_error("read_query", query="DELETE FROM SALES.PUBLIC.ORDERS")
    assert message == "Error: Calls to read_query should not contain write operations"
    message = await agent.call_for_error("read_query", query="WITH x AS (SELECT 1) DELETE FROM SALES.PUBLIC.ORDERS")
    assert message.startswith("Error: ")
    message = await agent.call_for_error("write_query", query="select 1")
    assert message == "Error: SELECT queries are not allowed for write_query"
    message = await agent.call_for_error("create_table", query="DROP TABLE SALES.PUBLIC.ORDERS")
    assert message == "Error: Only CREATE TABLE statements are allowed"
    assert (await query_data(agent, "read_query", query="SELECT COUNT(*) AS N FROM SALES.PUBLIC.ORDERS"))["data"] == [
        {"N": 5}
    ]


async def test_what_was_written_is_told_as_snowflake_tells_it(agent: Agent) -> None:
    writes = [
        ("INSERT INTO SALES.PUBLIC.REGIONS VALUES ('West', NULL), ('East', 'Bo')", {"number of rows inserted": 2}),
        (
            "UPDATE SALES.PUBLIC.REGIONS SET HEAD = 'Cy' WHERE NAME = 'West'",
            {"number of rows updated": 1, "number of multi-joined rows updated": 0},
        ),
        ("DELETE FROM SALES.PUBLIC.REGIONS WHERE NAME = 'East'", {"number of rows deleted": 1}),
        ("DROP TABLE SALES.PUBLIC.REGIONS", {"status": "REGIONS successfully dropped."}),
    ]
    for query, expected_reply in writes:
        assert await agent.says("write_query", query=query) == str([expected_reply])


async def test_tables_schemas_and_databases_are_made_and_dropped(agent: Agent) -> None:
    reply = await agent.says("create_table", query="CREATE TABLE SALES.PUBLIC.NOTES (id INT, text VARCHAR)")
    assert reply.startswith("Table created successfully. data_id = ")
    reply = await agent.says("create_databases", databases=["lab", "attic"])
    assert reply == "Database LAB successfully created.\nDatabase ATTIC successfully created."
    assert await agent.says("create_schemas", database="lab", schemas=["raw"]) == "Schema RAW successfully created."
    tables: list[Any] = [
        "CREATE TABLE visits (id INT, page VARCHAR)",
        "counts (day DATE, n INT)",
        {"name": "people", "columns": [{"name": "id", "type": "INT", "nullable": False}]},
    ]
    reply = await agent.says("create_tables", database="LAB", schema="RAW", tables=tables)
    assert reply.splitlines() == [f"Table {name} successfully created." for name in ("VISITS", "COUNTS", "PEOPLE")]
    described = await query_data(agent, "describe_table", table_name="LAB.RAW.PEOPLE")
    assert described["data"][0]["IS_NULLABLE"] == "NO"
    reply = await agent.says("drop_tables", database="LAB", schema="RAW", tables=["visits", "counts"])
    assert reply == "VISITS successfully dropped.\nCOUNTS successfully dropped."
    assert await agent.says("drop_schemas", database="LAB", schemas=["RAW"]) == "RAW successfully dropped."
    reply = await agent.says("drop_databases", databases=["lab", "ATTIC"])
    assert reply == "LAB successfully dropped.\nATTIC successfully dropped."
    assert "there are: SALES" in await agent.call_for_error("drop_databases", databases=["lab"])


async def test_insights_are_kept_in_a_memo(agent: Agent) -> None:
    assert await agent.says("append_insight", insight="North leads") == "Insight added to memo"
    await agent.says("append_insight", insight="South follows")
    memo = agent.files.parent / "apps" / "warehouse" / "@insights.txt"
    assert memo.read_text() == "- North leads\n- South follows\n"
