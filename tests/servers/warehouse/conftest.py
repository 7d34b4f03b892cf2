"""A small company in a warehouse."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pyarrow as pa
import pytest
from support.postgresql import run_postgresql
from support.warehouses import make_orders, write_parquet

from yardkit.apps.warehouse import Catalog, Column, Schema, Table, save_catalog
from yardkit.world import World, save_bytes


@pytest.fixture
def shop(world: World) -> World:
    """A world with SALES.PUBLIC.ORDERS and SALES.PUBLIC.REGIONS."""
    regions = pa.table({"NAME": ["North", "South", "East"], "HEAD": ["Ada", "Bo", None]})
    place = world.get_app_folder("warehouse") / "SALES" / "PUBLIC"
    save_bytes(place / "ORDERS.parquet", write_parquet(make_orders()))
    save_bytes(place / "REGIONS.parquet", write_parquet(regions))
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


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a database `lab` on a PostgreSQL server of our own, with a table of three rows."""
    with run_postgresql() as url:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE orders (id int NOT NULL, region text, amount numeric(12, 2), day date)")
            connection.execute("COMMENT ON TABLE orders IS 'All orders'")
            connection.execute(
                "INSERT INTO orders VALUES (1, 'a', 1.5, '2026-03-01'), (2, 'b', NULL, '2026-03-08'), (3, 'a', 4, NULL)"
            )
        yield url
