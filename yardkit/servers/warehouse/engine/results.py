"""What the engine answers."""

from dataclasses import dataclass, field
from typing import Any, Literal

Value = bool | int | float | str | list[Any] | dict[str, Any] | None
Dialect = Literal["duckdb", "postgres", "snowflake", "bigquery"]
Row = list[Value]


@dataclass(frozen=True)
class DatasetLine:
    """A schema with its tables. name: database.schema; tables: name -> number of rows."""

    name: str
    description: str
    tables: dict[str, int]


@dataclass(frozen=True)
class Datasets:
    """The schemas of the warehouse. database: where a name without a database is looked for."""

    database: str
    datasets: list[DatasetLine]


@dataclass(frozen=True)
class ColumnLine:
    """A column. type: as DuckDB names it; example: a value of it, null if it has none."""

    name: str
    type: str
    nullable: bool
    default: str = ""
    description: str = ""
    nulls: int | None = None
    example: Value = None


@dataclass(frozen=True)
class TableView:
    """A table. name: database.schema.table; size_bytes: of its file."""

    name: str
    description: str
    created: str
    rows: int
    size_bytes: int
    columns: list[ColumnLine]


@dataclass(frozen=True)
class Rows:
    """A page of the rows of a query.

    Attributes:
        total: rows of the whole result.
        next_offset: where the result goes on, null at its end.
    """

    columns: list[str]
    types: list[str]
    rows: list[Row]
    total: int
    next_offset: int | None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Changed:
    """What a statement did.

    Attributes:
        done: such as inserted, updated, deleted, created, dropped.
        object: the table, schema or database, by its whole name.
        rows: that were inserted, changed or deleted; null where rows are not the matter.
        table_rows: that the table has now; null if there is none.
        note: what is otherwise than in the warehouse itself.
    """

    done: str
    object: str
    rows: int | None = None
    table_rows: int | None = None
    note: str | None = None


@dataclass(frozen=True)
class Plan:
    """How a query would be worked out.

    Attributes:
        sql: the statement as DuckDB runs it.
        reads: the tables that it reads, with their rows.
        size_bytes: of their files.
        plan: DuckDB's plan.
    """

    sql: str
    reads: dict[str, int]
    size_bytes: int
    plan: str


@dataclass(frozen=True)
class Exported:
    """How many rows were written."""

    rows: int
    columns: list[str]
