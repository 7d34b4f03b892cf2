"""Shared steps of reference solutions with the warehouse, using only tool calls."""

from collections.abc import Mapping
from typing import Any

from yardkit.evaluators.proof import Agent


def find_tables(agent: Agent) -> dict[str, str]:
    """Map the names of all tables to their full names."""
    sets = agent.call("list_datasets")["datasets"]
    return {table: f"{dataset['name']}.{table}" for dataset in sets for table in dataset["tables"]}


def query_rows(agent: Agent, sql: str, **parts: object) -> list[dict[str, Any]]:
    """Return all rows of a query by column, in its order; `parts` fill its placeholders."""
    rows: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        page: Mapping[str, Any] = agent.call("query_warehouse", sql=sql.format(**parts), limit=1000, offset=offset)
        rows += [dict(zip(page["columns"], row, strict=True)) for row in page["rows"]]
        offset = page.get("next_offset")
    return rows


def change_tables(agent: Agent, *statements: str, **parts: object) -> None:
    """Run statements that change tables in order; `parts` fill their placeholders."""
    for sql in statements:
        agent.call("change_warehouse", sql=sql.format(**parts))
