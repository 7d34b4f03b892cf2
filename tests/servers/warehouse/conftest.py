"""A small company in a warehouse."""

import io
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from toolyard.apps.warehouse import Catalog, Column, Schema, Table, folder, save_catalog
from toolyard.world import World, save_bytes

ORDERS = [
    (1, "North", "2026-03-01", "120.50", 2),
    (2, "South", "2026-03-08", "80.00", 1),
    (3, "North", "2026-03-15", None, 4),
    (4, "East", "2026-02-28", "19.99", 1),
    (4, "East", "2026-02-28", "19.99", 1),
]
"""id, region, day, amount, pieces; one row is there twice, one has no amount."""


def parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def orders() -> pa.Table:
    columns = list(zip(*ORDERS, strict=True))
    return pa.table(
        {
            "ID": pa.array(columns[0], pa.int64()),
            "REGION": pa.array(columns[1]),
            "DAY": pa.array(columns[2]).cast(pa.date32()),
            "AMOUNT": pa.array(columns[3]).cast(pa.decimal128(12, 2)),
            "PIECES": pa.array(columns[4], pa.int64()),
        }
    )


@pytest.fixture
def shop(world: World) -> World:
    """A world with SALES.PUBLIC.ORDERS and SALES.PUBLIC.REGIONS."""
    regions = pa.table({"NAME": ["North", "South", "East"], "HEAD": ["Ada", "Bo", None]})
    place = world.app("warehouse") / "SALES" / "PUBLIC"
    save_bytes(place / "ORDERS.parquet", parquet(orders()))
    save_bytes(place / "REGIONS.parquet", parquet(regions))
    columns = {"ID": Column(nullable=False, description="Number of the order")}
    tables = {
        "ORDERS": Table("2026-01-05T08:00:00Z", "One row for each order", columns),
        "REGIONS": Table("2026-01-05"),
    }
    save_catalog(world, Catalog("SALES", {"SALES": {"PUBLIC": Schema("2026-01-05", "Sold goods", tables=tables)}}))
    return world


@pytest.fixture
def rows(shop: World, done: Callable[..., Any]) -> Callable[..., Any]:
    """The rows of a query."""

    def run(sql: str, dialect: str = "duckdb", **arguments: Any) -> Any:
        return done("query_warehouse", sql=sql, dialect=dialect, **arguments)["rows"]

    return run


def state(world: World) -> dict[str, bytes]:
    """All files of the app."""
    root = folder(world)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
