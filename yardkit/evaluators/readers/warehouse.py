"""Reading the tables of the app `warehouse` with pyarrow, from files that an agent may have manipulated."""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers.files import require_file_in
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading

MAX_BYTES = 200_000_000
MAX_ROWS = 2_000_000
APP = "warehouse"

Row = dict[str, Any]


@dataclass(frozen=True)
class WarehouseTable:
    """A table. name: database.schema.table; types by column: int, float, money, text, date, time, yes, other."""

    name: str
    types: dict[str, str]
    rows: list[Row]

    @cached_property
    def counted(self) -> Counter[tuple[Any, ...]]:
        """Count each row, given as the values of its columns in name order."""
        names = sorted(self.types)
        return Counter(tuple(to_comparable(row[name]) for name in names) for row in self.rows)


def read_table(submission: Submission, name: str) -> WarehouseTable:
    """Read a table by its full name, in any case.

    Raises:
        InsufficientEvidence: the table does not exist.
        InvalidArtifact: the catalogue or its file cannot be read, or it is too large.
    """
    paths = table_paths(submission)
    table_path = next(
        (known for normalize in (str, str.casefold) for known in paths if normalize(known) == normalize(name)), None
    )
    if table_path is None:
        raise InsufficientEvidence(f"the warehouse has no table {name}")
    return read_table_at(submission.apps, paths[table_path], table_path)


def table_paths(submission: Submission) -> dict[str, str]:
    """List the paths of the tables' files below the apps, by full name; none without a warehouse.

    Raises:
        InvalidArtifact: the catalogue cannot be read.
    """
    relative = f"{APP}/catalog.json"
    if not (submission.apps / relative).exists():
        return {}
    path = require_file_in(submission.apps, relative, MAX_BYTES)
    try:
        databases = json.loads(path.read_bytes())["databases"]
        return {
            f"{database}.{schema}.{table}": f"{APP}/{database}/{schema}/{table}.parquet"
            for database, schemas in databases.items()
            for schema, facts in schemas.items()
            for table in facts.get("tables", {})
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidArtifact(f"{relative} is not a catalogue ({error})") from error


def read_table_at(apps: Path, relative: str, name: str) -> WarehouseTable:
    """Read a table from its file; raises as `read_table` does."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = require_file_in(apps, relative, MAX_BYTES)
    with watch_reading(path):
        try:
            with pq.ParquetFile(path) as file:
                if file.metadata.num_rows > MAX_ROWS:
                    raise InvalidArtifact(f"{name} has {file.metadata.num_rows:,} rows, more than {MAX_ROWS:,}")
                table = file.read(use_threads=False)
            types = {field.name: find_type_family(field.type) for field in table.schema}
            return WarehouseTable(name, types, table.to_pylist())
        except (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError) as error:
            raise InvalidArtifact(f"{name} cannot be read as Parquet ({str(error)[:200]})") from error


def find_type_family(type_: Any) -> str:
    """Find the family of an Arrow type."""
    import pyarrow as pa

    families = {
        "yes": pa.types.is_boolean,
        "int": pa.types.is_integer,
        "float": pa.types.is_floating,
        "money": pa.types.is_decimal,
        "date": pa.types.is_date,
        "time": pa.types.is_timestamp,
        "text": lambda arrow_type: pa.types.is_string(arrow_type) or pa.types.is_large_string(arrow_type),
    }
    return next((name for name, holds in families.items() if holds(type_)), "other")


def to_comparable(value: Any) -> Any:
    """Normalize a value so that equal meanings compare equal: integral decimals as integers, times without zone."""
    if isinstance(value, Decimal):
        return value.normalize()
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.replace(tzinfo=None) - (value.utcoffset() or value.resolution * 0)
    return str(value) if isinstance(value, list | dict) else value


def agrees_with(value: Any, expected: Any, tolerance: float = 0.005) -> bool:
    """Whether a value is the expected one: numbers within the tolerance, dates also as ISO 8601, exact texts."""
    if isinstance(expected, bool) or isinstance(value, bool):
        return value is expected
    if isinstance(expected, int | float | Decimal):
        return isinstance(value, int | float | Decimal) and abs(float(value) - float(expected)) <= tolerance + 1e-9
    if isinstance(value, datetime):
        return bool(value.isoformat(timespec="seconds")[:19] == str(expected)[:19].replace(" ", "T"))
    if isinstance(value, date):
        return value.isoformat() == str(expected)
    return bool(value == expected)
