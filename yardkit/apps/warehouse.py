"""The app `warehouse`: tables as Parquet files in databases and schemas, buckets of objects, logs, instances.

``apps/warehouse/catalog.json`` says which databases, schemas and tables there are, and what the Parquet files cannot
say; a table's rows and types are in ``<database>/<schema>/<table>.parquet``. Objects are the files below
``@buckets/<bucket>/``; a log has a JSON line for each entry in ``@logs/<log>.jsonl``; ``@cloud.json`` has the other
data of a cloud project: facts of buckets, sinks, instances, jobs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from yardkit.world import Problem, World, save_text

APP = "warehouse"
CATALOG = "catalog.json"
CLOUD = "@cloud.json"
_NAME = re.compile(r"[^\W\d][\w\- $]{0,127}")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]")
_LOG = re.compile(r"[A-Za-z0-9][\w.\-]{0,127}")

Stored = TypeVar("Stored")


class TableName(NamedTuple):
    """The full name of a table."""

    database: str
    schema: str
    table: str

    def __str__(self) -> str:
        return ".".join(self)

    @property
    def path(self) -> str:
        """The path of its file, below the folder of the app."""
        return f"{self.database}/{self.schema}/{self.table}.parquet"


@dataclass
class Column:
    """The data of a column that the table's file lacks. default: DuckDB SQL; max_length: of texts, 0 for any."""

    nullable: bool = True
    default: str = ""
    description: str = ""
    max_length: int = 0


@dataclass
class Table:
    """The data of a table. created: ISO 8601; columns: only those with additional data."""

    created: str
    description: str = ""
    columns: dict[str, Column] = field(default_factory=dict)


@dataclass
class Schema:
    """A schema of Snowflake or a dataset of BigQuery."""

    created: str
    description: str = ""
    location: str = "US"
    labels: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)


@dataclass
class Catalog:
    """The catalog of databases.

    Attributes:
        database: where a name without a database looks; empty: the only one.
        databases: name of a database -> name of a schema -> schema.
    """

    database: str = ""
    databases: dict[str, dict[str, Schema]] = field(default_factory=dict)

    def tables(self) -> Iterator[TableName]:
        """List all tables, in name order."""
        for database, schemas in sorted(self.databases.items()):
            for schema, facts in sorted(schemas.items()):
                yield from (TableName(database, schema, table) for table in sorted(facts.tables))

    def table(self, name: TableName) -> Table:
        """Return the data of an existing table."""
        return self.databases[name.database][name.schema].tables[name.table]


@dataclass
class Bucket:
    """A bucket of objects. lifecycle: rules such as {"action": "Delete", "age_days": 30}."""

    created: str
    location: str = "US"
    storage_class: str = "STANDARD"
    versioning: bool = False
    labels: dict[str, str] = field(default_factory=dict)
    lifecycle: list[dict[str, str | int]] = field(default_factory=list)


@dataclass
class Sink:
    """A destination to which log entries are forwarded."""

    destination: str
    filter: str = ""


@dataclass
class LogBucket:
    """A bucket of logs."""

    location: str = "global"
    retention_days: int = 30


@dataclass
class Instance:
    """A virtual machine. status: RUNNING, TERMINATED ..."""

    zone: str
    machine_type: str
    status: str
    created: str
    internal_ip: str
    external_ip: str = ""
    disk_gb: int = 10
    tags: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


@dataclass
class Job:
    """A job of BigQuery. state: RUNNING, DONE, PENDING."""

    state: str
    kind: str
    created: str
    error: str = ""


@dataclass
class Cloud:
    """The data of a cloud project other than tables.

    Attributes:
        buckets, sinks, log_buckets, jobs: each by name.
        instances: by zone and name, such as ``europe-west3-a/web-1``.
    """

    project: str = "yardkit-office"
    buckets: dict[str, Bucket] = field(default_factory=dict)
    sinks: dict[str, Sink] = field(default_factory=dict)
    log_buckets: dict[str, LogBucket] = field(default_factory=dict)
    instances: dict[str, Instance] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """An entry of a log. time: ISO 8601, UTC; severity: DEBUG, INFO, WARNING, ERROR, CRITICAL ..."""

    time: str
    severity: str
    message: str
    labels: dict[str, str] = field(default_factory=dict)


_CATALOG: TypeAdapter[Catalog] = TypeAdapter(Catalog)
_CLOUD: TypeAdapter[Cloud] = TypeAdapter(Cloud)
_ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)


def locate_folder(world: World) -> Path:
    """Return the folder of the app, which may not exist."""
    return world.root / "apps" / APP


def read_catalog(world: World) -> Catalog:
    """Read the catalog; empty in a world without a warehouse.

    Raises:
        Problem: ``catalog.json`` is damaged.
    """
    return _read_file(world, CATALOG, _CATALOG) or Catalog()


def save_catalog(world: World, catalog: Catalog) -> None:
    _save_file(world, CATALOG, _CATALOG.dump_json(catalog, indent=1, exclude_defaults=True))


def read_cloud(world: World) -> Cloud:
    """Read the project's data other than tables.

    Raises:
        Problem: ``@cloud.json`` is damaged.
    """
    return _read_file(world, CLOUD, _CLOUD) or Cloud()


def save_cloud(world: World, cloud: Cloud) -> None:
    _save_file(world, CLOUD, _CLOUD.dump_json(cloud, indent=1, exclude_defaults=True))


def checked_name(kind: str, name: str) -> str:
    """Check the name of a database, schema, table or column and return it.

    Raises:
        Problem: it is invalid.
    """
    if not _NAME.fullmatch(name):
        raise Problem(
            f"{name[:80]!r} is not a valid name for a {kind}: letters, digits, _ and -, 128 at most, a letter first"
        )
    return name


def checked_bucket(name: str) -> str:
    """Check the name of a bucket and return it.

    Raises:
        Problem: it is invalid.
    """
    if not _BUCKET.fullmatch(name):
        raise Problem(
            f"{name[:80]!r} is not a valid name for a bucket: 3 to 63 lower-case letters, digits, '.', '_' and '-'"
        )
    return name


def bucket_folder(world: World, bucket: str) -> Path:
    return locate_folder(world) / "@buckets" / checked_bucket(bucket)


def log_file(world: World, log: str) -> Path:
    """Return the file of a log.

    Raises:
        Problem: the name is invalid.
    """
    if not _LOG.fullmatch(log):
        raise Problem(f"{log[:80]!r} is not a valid name for a log: letters, digits, '.', '_' and '-'")
    return locate_folder(world) / "@logs" / f"{log}.jsonl"


def read_entries(path: Path) -> list[Entry]:
    """Read the entries of a log, in the order of the file.

    Raises:
        Problem: a line is not an entry.
    """
    lines = path.read_text("utf-8", "replace").splitlines() if path.exists() else []
    try:
        return [_ENTRY.validate_json(line) for line in lines]
    except ValidationError as error:
        raise Problem(
            f"the log {path.stem!r} is damaged ({_format_first_error(error)}); put back an older copy of it"
        ) from error


def write_entries(path: Path, entries: list[Entry]) -> None:
    lines = [_ENTRY.dump_json(entry, exclude_defaults=True).decode() for entry in entries]
    save_text(path, "".join(f"{line}\n" for line in lines))


def _read_file(world: World, name: str, kind: TypeAdapter[Stored]) -> Stored | None:
    path = locate_folder(world) / name
    if not path.exists():
        return None
    try:
        return kind.validate_json(path.read_bytes())
    except ValidationError as error:
        raise Problem(
            f"{name} of the app {APP!r} is damaged ({_format_first_error(error)}); put back an older copy"
        ) from error


def _save_file(world: World, name: str, data: bytes) -> None:
    world.get_app_folder(APP)
    save_text(locate_folder(world) / name, data.decode() + "\n")


def _format_first_error(error: ValidationError) -> str:
    first_error = error.errors()[0]
    return f"{'.'.join(map(str, first_error['loc'])) or 'it'}: {first_error['msg']}"
