"""SQLite databases, the same bytes from every version of the library."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing

Cell = int | float | str | bytes | None
_WRITTEN_BY = slice(96, 100)
"""Where a file says which version of the library wrote it last (https://sqlite.org/fileformat2.html)."""
_VERSION = 3_040_000


def build_database(schema: str, rows: Mapping[str, Iterable[Sequence[Cell]]]) -> bytes:
    """A database as a file.

    Args:
        schema: statements that make its tables.
        rows: of each table, all columns in their order.
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        # What is deleted or moved leaves zeros: without it, versions leave other bytes behind.
        connection.executescript(f"PRAGMA page_size = 4096; PRAGMA secure_delete = ON; {schema}")
        for table, cells in rows.items():
            some = list(cells)
            places = ", ".join("?" * len(some[0])) if some else ""
            connection.executemany(f'INSERT INTO "{table}" VALUES ({places})', some)  # noqa: S608 - our own names
        connection.commit()
        connection.execute("VACUUM")
        data = bytearray(connection.serialize())
    data[_WRITTEN_BY] = _VERSION.to_bytes(4, "big")
    return bytes(data)
