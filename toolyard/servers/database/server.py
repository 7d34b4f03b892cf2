"""The tools of the `database` server."""

from typing import Annotated

from pydantic import Field

from toolyard.servers.database.calls import apart
from toolyard.servers.database.engine import describing, querying, results
from toolyard.servers.database.engine.cells import Parameter
from toolyard.servers.surface import make_server, tool
from toolyard.world import InFile, current_world

mcp = make_server(
    "database",
    "Works on SQLite databases of the workspace. query_database reads with SQL and cannot change anything; a change is "
    "one transaction: everything is done or nothing. Values go into `parameters`, not into the text of the SQL.",
)

Database = Annotated[InFile, Field(description="SQLite database, relative to the workspace.")]
Parameters = Annotated[
    list[Parameter] | dict[str, Parameter] | None,
    Field(description="Values: a list for ?, an object for :name."),
]
Offset = Annotated[int, Field(description="Rows to skip; take next_offset of the page before.", ge=0)]


@tool(mcp, bulk=True)
def describe_database(
    path: Database,
    table: Annotated[
        str | None, Field(description="Only this table or view, with the SQL that made it and its triggers.")
    ] = None,
    offset: Annotated[int, Field(description="Tables to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Tables per page.", ge=1, le=200)] = 50,
) -> results.Description:
    """Tell tables and views with columns, keys, indexes, triggers and numbers of rows."""
    return apart(describing.describe, path, current_world().relative(path), table, offset, limit)


@tool(mcp, bulk=True)
def query_database(
    path: Database,
    sql: Annotated[
        str,
        Field(
            description="One statement that reads: SELECT, WITH, VALUES, EXPLAIN, PRAGMA table_info(...).", min_length=1
        ),
    ],
    parameters: Parameters = None,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Rows per page.", ge=1, le=1000)] = 100,
) -> results.Rows:
    """Run one reading SQL statement; long results come in pages, which an ORDER BY keeps in order."""
    return apart(querying.query, path, sql, parameters, offset, limit)
