"""What reference solutions do with the warehouse again and again, with calls of tools alone."""

from collections.abc import Mapping
from typing import Any

from yardkit.evaluators.proof import Agent


def find_tables(agent: Agent) -> dict[str, str]:
    """The whole names of all tables by their own names."""
    sets = agent.call("list_datasets")["datasets"]
    return {table: f"{dataset['name']}.{table}" for dataset in sets for table in dataset["tables"]}


def query_rows(agent: Agent, sql: str, **parts: object) -> list[dict[str, Any]]:
    """All rows of a query by column, in the order that it asks for; parts stand in its gaps."""
    rows: list[dict[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        page: Mapping[str, Any] = agent.call("query_warehouse", sql=sql.format(**parts), limit=1000, offset=offset)
        rows += [dict(zip(page["columns"], row, strict=True)) for row in page["rows"]]
        offset = page.get("next_offset")
    return rows


def change_tables(agent: Agent, *statements: str, **parts: object) -> None:
    """Statements that change tables, one after the other; parts stand in their gaps."""
    for sql in statements:
        agent.call("change_warehouse", sql=sql.format(**parts))
