"""The columns of a result as their warehouse shows them: intervals in its words, and what an array may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yardkit.servers.warehouse.engine import duck
from yardkit.servers.warehouse.engine.results import Dialect
from yardkit.servers.warehouse.engine.sql.intervals import write_interval

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NO_NULLS = (
    "CASE WHEN len(list_filter({c}, lambda value: value IS NULL)) > 0 THEN error('an array with a NULL element cannot "
    "be a result or be stored in BigQuery; leave them out, as by ARRAY_AGG(... IGNORE NULLS)') "
    "ELSE coalesce({c}, []) END"
)


def show_columns(connection: DuckDBPyConnection, sql: str, dialect: Dialect, *, stored: bool = False) -> str:
    """The query, around which another one writes what DuckDB's own values would not tell.

    A month of an interval would be 30 days; BigQuery refuses NULL in an array and gives an empty one for NULL. What is
    `stored` keeps its intervals.
    """
    from sqlglot import exp

    columns = [(str(row[0]), str(row[1])) for row in connection.execute(f"DESCRIBE {sql}").fetchall()]
    displayed: list[str] = []
    for place, (_, type_) in enumerate(columns):
        column = f"c{place}"
        if type_ == "INTERVAL" and not stored:
            displayed.append(write_interval(exp.column(column), dialect).sql("duckdb"))
        elif dialect == "bigquery" and type_.endswith("[]"):
            displayed.append(_NO_NULLS.format(c=column))
        else:
            displayed.append(column)
    names = [f"c{place}" for place in range(len(columns))]
    if displayed == names:
        return sql
    listed = ", ".join(f"{how} AS {duck.quote_name(name)}" for how, (name, _) in zip(displayed, columns, strict=True))
    return f"SELECT {listed} FROM ({sql}) AS q({', '.join(names)})"  # noqa: S608
