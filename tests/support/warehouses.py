"""Tables of a small company, and the files of its warehouse."""

import io

import pyarrow as pa
import pyarrow.parquet as pq

from yardkit.apps.warehouse import locate_folder
from yardkit.world import World

ORDERS = [
    (1, "North", "2026-03-01", "120.50", 2),
    (2, "South", "2026-03-08", "80.00", 1),
    (3, "North", "2026-03-15", None, 4),
    (4, "East", "2026-02-28", "19.99", 1),
    (4, "East", "2026-02-28", "19.99", 1),
]
"""id, region, day, amount, pieces; one row is there twice, one has no amount."""


def write_parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


def make_orders() -> pa.Table:
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


def read_state(world: World) -> dict[str, bytes]:
    """All files of the app."""
    root = locate_folder(world)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
