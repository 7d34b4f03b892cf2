"""The tools of the `database` server."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.database.calls import rewrite_database, run_isolated
from yardkit.servers.database.engine import changes, description, exports, imports, queries, results
from yardkit.servers.database.engine.cells import Parameter
from yardkit.world import FileRef, InFile, OutFile, Problem, current_world, lock_file, save_atomically

mcp = make_server(
    "database",
    "Work on SQLite databases of the workspace. query_database is read-only; a change is one transaction, "
    "all or nothing. Put values in `parameters`, not in the SQL text.",
)

Database = Annotated[InFile, Field(description="SQLite database, relative to the workspace.")]
Parameters = Annotated[
    list[Parameter] | dict[str, Parameter] | None,
    Field(description="Parameter values: a list for ?, an object for :name."),
]
Sql = Annotated[
    str,
    Field(description="One read-only statement: SELECT, WITH, VALUES, EXPLAIN, PRAGMA table_info(...).", min_length=1),
]
OutDatabase = Annotated[OutFile, Field(description="SQLite database, relative to the workspace.")]
Create = Annotated[bool, Field(description="Create the database if it does not exist.")]
Offset = Annotated[int, Field(description="Rows to skip; use next_offset of the previous page.", ge=0)]


@dataclass(frozen=True)
class Changed:
    """What a change did, and the file as it is now.

    Attributes:
        created: whether the file is new.
    """

    file: FileRef
    change: results.Change
    created: bool = False


@dataclass(frozen=True)
class Imported:
    """What came into a table, and the database as it is now.

    Attributes:
        created: whether the database is new.
    """

    file: FileRef
    imported: results.Import
    created: bool = False


@dataclass(frozen=True)
class Exported:
    """The file that was written."""

    file: FileRef
    exported: results.Export


def _existing_or_new(path: Path, *, create: bool) -> bool:
    """Whether there is a database; if there is none, a new one must be wanted."""
    if not path.exists() and not create:
        name = current_world().to_relative(path)
        raise Problem(f"{name!r} does not exist; list the folder to see its files, or set create for a new database")
    return path.exists()


@tool(mcp, bulk=True)
def describe_database(
    path: Database,
    table: Annotated[str | None, Field(description="Only this table or view, with its SQL and its triggers.")] = None,
    offset: Annotated[int, Field(description="Tables to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Tables per page.", ge=1, le=200)] = 50,
) -> results.Description:
    """List tables and views with columns, keys, indexes, triggers and row counts."""
    return run_isolated(description.describe_database, path, current_world().to_relative(path), table, offset, limit)


@tool(mcp, bulk=True)
def query_database(
    path: Database,
    sql: Sql,
    parameters: Parameters = None,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Rows per page.", ge=1, le=1000)] = 100,
) -> results.Rows:
    """Run one read-only SQL statement; long results are paged, so use ORDER BY for a stable order."""
    return run_isolated(queries.run_query, path, sql, parameters, offset, limit)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def change_database(
    path: OutDatabase,
    statements: Annotated[
        list[str | changes.Statement],
        Field(
            description="SQL in order: INSERT, UPDATE, DELETE, CREATE, ALTER, DROP ...; as text, or as an object with "
            "`parameters`: a list for ?, an object for :name, or a list of those to run it once for each. "
            "To rebuild a table (create, copy, drop, rename), begin with PRAGMA foreign_keys = OFF: "
            "otherwise DROP TABLE cascades.",
            min_length=1,
            max_length=1000,
        ),
    ],
    create: Create = False,
) -> Changed:
    """Change a database in one transaction: all statements or none; foreign keys are enforced."""
    existing = _existing_or_new(path, create=create)
    done = rewrite_database(path, changes.change_database, statements)
    return Changed(FileRef.from_path(path), done, created=not existing)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def import_table(
    source: Annotated[InFile, Field(description="Data file: .csv, .tsv, .txt, .json (list of objects) or .jsonl.")],
    path: OutDatabase,
    table: Annotated[str, Field(description="Name of the table.", min_length=1, max_length=200)],
    mode: Annotated[
        Literal["new", "append"],
        Field(description="new creates the table, with types that fit all values; append matches columns by name."),
    ] = "new",
    types: Annotated[
        dict[str, imports.Type] | None, Field(description='Column types of a new table, such as {"zip": "TEXT"}.')
    ] = None,
    delimiter: Annotated[
        str | None, Field(description="CSV delimiter; detected by default.", min_length=1, max_length=1)
    ] = None,
    create: Create = False,
) -> Imported:
    """Import a data file into a table, all rows or none; an empty CSV cell becomes NULL."""
    existing = _existing_or_new(path, create=create)
    done = rewrite_database(path, imports.import_table, source, table, mode, types, delimiter)
    return Imported(FileRef.from_path(path), done, created=not existing)


@tool(mcp, bulk=True, writes=True, destructive=True)
def export_query(
    path: Database,
    sql: Sql,
    target: Annotated[OutFile, Field(description="File to write: .csv, .tsv, .json or .jsonl.")],
    parameters: Parameters = None,
) -> Exported:
    """Export all rows of a read-only SQL statement to a data file."""
    if target == path:
        raise Problem(f"{path.name!r} is the database itself; choose another file to write")
    with lock_file(target, current_world().locks), save_atomically(target) as draft:
        done = run_isolated(exports.export_query, path, draft, target.suffix.lower(), sql, parameters)
    return Exported(FileRef.from_path(target), done)
