"""The tools of the `get_warehouse` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.warehouse.engine import buckets, logs
from yardkit.servers.warehouse.engine.results import Changed, Datasets, Dialect, Exported, Plan, Rows, TableView
from yardkit.servers.warehouse.settings import get_warehouse
from yardkit.world import InFile, OutFile, current_world

mcp = make_server(
    "warehouse",
    "The company's data warehouse: tables in schemas of databases, buckets of objects, logs. "
    "Tables are named database.schema.table. Each statement is a transaction; queries cannot "
    "change anything.",
)

Sql = Annotated[str, Field(description="One SQL statement.", min_length=1, max_length=100_000)]
Words = Annotated[Dialect, Field(description="SQL dialect.")]
TableOf = Annotated[str, Field(description="database.schema.table, or its last parts.", min_length=1, max_length=400)]
Offset = Annotated[int, Field(description="Items to skip; use next_offset of the previous page.", ge=0)]
BucketName = Annotated[str, Field(description="Bucket, from list_buckets.", min_length=3, max_length=63)]
ObjectName = Annotated[
    str, Field(description="Object name, such as reports/2026/march.csv.", min_length=1, max_length=900)
]
Severity = Literal["DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY"]


@tool(mcp, bulk=True)
def list_datasets() -> Datasets:
    """List the warehouse's schemas with their tables and row counts."""
    return get_warehouse().list_datasets()


@tool(mcp, bulk=True)
def describe_table(table: TableOf) -> TableView:
    """Describe a table's columns: types, constraints, null counts, an example of each."""
    return get_warehouse().describe(table)


@tool(mcp, bulk=True)
def query_warehouse(
    sql: Sql,
    dialect: Words = "duckdb",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Rows per page.", ge=1, le=1000)] = 100,
) -> Rows:
    """Run a query; long results are paged, and ORDER BY keeps the pages in order."""
    return get_warehouse().query(sql, dialect, offset, limit)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def change_warehouse(sql: Sql, dialect: Words = "duckdb") -> Changed:
    """Run a statement that changes rows, tables or schemas, as one transaction."""
    return get_warehouse().change(sql, dialect)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_dataset(
    schema: Annotated[
        str, Field(description="database.schema; a missing database is created, by default main.", min_length=1)
    ],
) -> Changed:
    """Create an empty schema for tables."""
    database, _, name = schema.rpartition(".")
    return get_warehouse().create_schema(database, name)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def load_table(
    source: Annotated[InFile, Field(description=".csv, .tsv, .json (list of objects), .jsonl or .parquet.")],
    table: TableOf,
    mode: Annotated[
        Literal["new", "append", "replace"],
        Field(description="new creates the table; append matches columns by name; replace replaces all rows."),
    ] = "new",
) -> Changed:
    """Load a workspace data file into a table: all rows or none."""
    return get_warehouse().load(source, table, mode)


@tool(mcp, bulk=True, writes=True, destructive=True)
def export_result(
    sql: Sql,
    target: Annotated[OutFile, Field(description="File to write: .csv, .tsv, .json, .jsonl or .parquet.")],
    dialect: Words = "duckdb",
) -> Exported:
    """Export all rows of a query to a workspace file."""
    return get_warehouse().export(sql, dialect, target)


@tool(mcp, bulk=True)
def explain_query(sql: Sql, dialect: Words = "duckdb") -> Plan:
    """Explain what a query reads and how it is executed, without running it."""
    return get_warehouse().explain(sql, dialect)


@tool(mcp, bulk=True)
def list_buckets() -> buckets.Buckets:
    """List the buckets with their object counts and sizes in bytes."""
    return buckets.list_buckets(current_world())


@tool(mcp, bulk=True)
def list_objects(
    bucket: BucketName,
    prefix: Annotated[str, Field(description="Prefix of the names.", max_length=900)] = "",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Objects per page.", ge=1, le=1000)] = 200,
) -> buckets.Objects:
    """List the objects in a bucket, by name."""
    return buckets.list_objects(current_world(), bucket, prefix, offset, limit)


@tool(mcp, bulk=True)
def read_object(bucket: BucketName, object_name: ObjectName, offset: Offset = 0) -> buckets.ObjectText:
    """Read a text object."""
    return buckets.read_object(current_world(), bucket, object_name, offset)


@tool(mcp, bulk=True, writes=True, destructive=True)
def save_object(
    bucket: BucketName,
    object_name: ObjectName,
    source: Annotated[InFile, Field(description="Workspace file to upload.")],
) -> buckets.ObjectChanged:
    """Save a workspace file in a bucket; an object of this name is replaced."""
    return buckets.save_object(current_world(), bucket, object_name, source)


@tool(mcp, bulk=True, writes=True, destructive=True)
def copy_object(
    bucket: BucketName,
    object_name: ObjectName,
    target_bucket: Annotated[str, Field(description="Bucket to copy to; by default the same.", max_length=63)] = "",
    target_name: Annotated[str, Field(description="New name; by default the same.", max_length=900)] = "",
    move: Annotated[bool, Field(description="Delete the original afterwards.")] = False,
) -> buckets.ObjectChanged:
    """Copy or move an object; an object with the new name is replaced."""
    new = (target_bucket or bucket, target_name or object_name)
    return buckets.copy_object(current_world(), bucket, object_name, *new, move=move)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_object(bucket: BucketName, object_name: ObjectName) -> buckets.ObjectChanged:
    """Delete an object."""
    return buckets.delete_object(current_world(), bucket, object_name)


@tool(mcp, bulk=True)
def search_logs(
    query: Annotated[str, Field(description="Words that must all occur in the message.", max_length=1_000)] = "",
    log: Annotated[str, Field(description="Log; by default all.", max_length=128)] = "",
    severity: Annotated[Severity | None, Field(description="Lowest severity.")] = None,
    since: Annotated[str, Field(description="Earliest date or time (ISO 8601).", max_length=40)] = "",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Entries per page.", ge=1, le=500)] = 50,
) -> logs.LogLines:
    """Search log entries, newest first."""
    return logs.find_entries(current_world(), query, log, severity or "", since, offset, limit)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def write_log(
    log: Annotated[str, Field(description="Log; created if missing.", min_length=1, max_length=128)],
    message: Annotated[str, Field(description="Text of the entry.", min_length=1, max_length=10_000)],
    severity: Annotated[Severity, Field(description="Severity of the entry.")] = "INFO",
) -> logs.LogLine:
    """Add an entry to a log."""
    return logs.write_entry(current_world(), log, message, severity)
