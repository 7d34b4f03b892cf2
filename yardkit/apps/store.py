"""Records of an app in one SQLite file of its world: typed rows, pages, one transaction per call.

The file is ``apps/<app>/<app>.sqlite``. A record class is a frozen dataclass and the schema of its table: the first
field is the key, a text or a number; ``str``, ``int``, ``float`` and ``bool`` are columns of that type, a field that
may be ``None`` may be null, and everything else is JSON text. The table of ``OrderLine`` is ``order_lines``. Equal
records give equal content, regardless of history, except for numbers that are never reused (`Store.next_id`).
"""

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from yardkit.apps.columns import columns_of
from yardkit.world import Problem, World, current_world, lock_file, save_atomically
from yardkit.world.guard import note_changed, require_bytes, require_running
from yardkit.world.queries import fold_text, split_query
from yardkit.world.save import is_syncing

WAIT_S = 20.0
"""How long a call waits for another writer."""
_NAMED = 10
"""Keys that the message about a missing record names."""
_DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY_CODES = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_OF_THE_DISK = (
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH),
)


class Record(Protocol):
    """A frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Row = TypeVar("Row", bound=Record)
Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A part of a list. total: the number of all matches; next_offset: the start of the next part, null at the end."""

    items: list[Item]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class YardkitCounter:
    """The highest number of a removed record of a table; not a record of the app."""

    table: str
    last: int


class Store:
    """The records of an app within one transaction. `now` is the world's time."""

    def __init__(self, app: str, connection: sqlite3.Connection, now: datetime) -> None:
        self.app, self.now = app, now
        self._sql = connection

    def get(self, kind: type[Row], key: str | int) -> Row:
        """Return the record with this key.

        Raises:
            Problem: it does not exist; the message names existing keys, for texts similar ones.
        """
        matching_records = self.find(kind, f"{_quote_key(kind)} = ?", [key]) if _is_storable(key) else []
        if not matching_records:
            raise Problem(f"there is no {_name_noun(kind)} {key!r}; {self._describe_keys(kind, key)}")
        return matching_records[0]

    def find(self, kind: type[Row], where: str = "1", values: Sequence[Any] = (), *, order: str = "") -> list[Row]:
        """Find all matching records, in the order of `read_page`."""
        return self._read_rows(kind, f"WHERE {where} ORDER BY {_build_order(kind, order)}", values)

    def count(self, kind: type[Record], where: str = "1", values: Sequence[Any] = ()) -> int:
        """Count the matching records."""
        return int(self._sql.execute(f"SELECT count(*) FROM {_name_table(kind)} WHERE {where}", values).fetchone()[0])  # noqa: S608

    def counts(self, kind: type[Record], column: str) -> dict[Any, int]:
        """Count the records with each value of a column; 0 for other values."""
        rows = self._sql.execute(f"SELECT {_quote_column(kind, column)}, count(*) FROM {_name_table(kind)} GROUP BY 1")  # noqa: S608
        return Counter(dict(rows.fetchall()))

    def read_page(
        self,
        kind: type[Row],
        where: str = "1",
        values: Sequence[Any] = (),
        *,
        order: str = "",
        offset: int = 0,
        limit: int = 50,
    ) -> Page[Row]:
        """Read a page of the matching records.

        Args:
            kind: the record class.
            where: an SQL condition with ``?`` for each of `values`; never built from a caller's input.
            values: the values of the condition.
            order: columns separated by commas, each optionally with ``DESC``; the key is added at the end.
            offset: the number of records to skip.
            limit: the number of records on the page.

        Raises:
            Problem: a column to sort by does not exist.
        """
        total = self.count(kind, where, values)
        offset = min(offset, total)
        rest = f"WHERE {where} ORDER BY {_build_order(kind, order)} LIMIT {limit:d} OFFSET {offset:d}"
        items = self._read_rows(kind, rest, values)
        end = offset + len(items)
        return Page(items, total, end if end < total else None)

    def search(
        self,
        kind: type[Row],
        text: str,
        *columns: str,
        where: str = "1",
        values: Sequence[Any] = (),
        order: str = "",
        offset: int = 0,
        limit: int = 50,
    ) -> Page[Row]:
        """Read a page of the records that have each word of `text` in one of `columns`, in any case."""
        matching = f"({where}) AND has_words(?, {', '.join(_quote_column(kind, name) for name in columns)})"
        return self.read_page(kind, matching, [*values, text], order=order, offset=offset, limit=limit)

    def put(self, record: Row) -> Row:
        """Add a record, or replace the one with its key."""
        columns = columns_of(type(record))
        values = [column.to_stored(getattr(record, column.name)) for column in columns]
        places = ", ".join("?" * len(values))
        self._sql.execute(f"INSERT OR REPLACE INTO {_name_table(type(record))} VALUES ({places})", values)  # noqa: S608
        return record

    def change(self, record: Row, **values: Any) -> Row:
        """Replace the named fields; None, empty and False are ordinary values. See `drop_missing`."""
        return self.put(replace(record, **values))

    def remove(self, record: Record) -> None:
        """Remove a record; its number is never reused."""
        kind = type(record)
        key = getattr(record, fields(kind)[0].name)
        if isinstance(key, int) and key + 1 == self.next_id(kind):
            _create_table(self._sql, YardkitCounter)
            self.put(YardkitCounter(_name_table(kind), key))
        self._sql.execute(f"DELETE FROM {_name_table(kind)} WHERE {_quote_key(kind)} = ?", [key])  # noqa: S608

    def next_id(self, kind: type[Record]) -> int:
        """Return one more than any number of a record of this kind, including removed ones."""
        table = _name_table(kind)
        numbers = [self._sql.execute(f"SELECT max({_quote_key(kind)}) FROM {table}").fetchone()[0]]  # noqa: S608
        # Worlds of earlier versions name the table of counters after the package's former name.
        for (name,) in self._sql.execute(
            r"SELECT name FROM sqlite_master WHERE name LIKE '%yard%\_counters' ESCAPE '\'"
        ).fetchall():
            numbers += self._sql.execute(f'SELECT max(last) FROM {name} WHERE "table" = ?', [table]).fetchone()  # noqa: S608
        return max(int(number or 0) for number in numbers) + 1

    def make_stamp(self, kind: type[Record], column: str) -> str:
        """Make the time of a new record, ISO 8601: the world's frozen time, or one second after the last stamp of the
        column if that is later, so that later records sort later.
        """
        last = self._sql.execute(f"SELECT max({_quote_column(kind, column)}) FROM {_name_table(kind)}").fetchone()[0]  # noqa: S608
        return max(self.now, datetime.fromisoformat(last) + timedelta(seconds=1) if last else self.now).isoformat()

    def _read_rows(self, kind: type[Row], rest: str, values: Sequence[Any]) -> list[Row]:
        columns = columns_of(kind)
        names = ", ".join(f'"{column.name}"' for column in columns)
        rows = self._sql.execute(f"SELECT {names} FROM {_name_table(kind)} {rest}", values)  # noqa: S608
        return [kind(*(c.loaded(value) for c, value in zip(columns, row, strict=True))) for row in rows.fetchall()]

    def _describe_keys(self, kind: type[Record], key: str | int) -> str:
        rows = self._sql.execute(f"SELECT {_quote_key(kind)} FROM {_name_table(kind)} ORDER BY 1").fetchall()  # noqa: S608
        keys = [row[0] for row in rows]
        near = get_close_matches(key, keys, _NAMED) if isinstance(key, str) else []
        named = ", ".join(repr(near_key) for near_key in (near or keys)[:_NAMED])
        return f"there are {len(keys)}, such as {named}" if len(keys) > _NAMED else f"there are: {named or 'none'}"


def drop_missing(**values: Any) -> dict[str, Any]:
    """Drop values that are None, for callers for whom None means that a field is not changed."""
    return {name: value for name, value in values.items() if value is not None}


def hex_id(app: str, kind: type[Record], number: int, digits: int = 32) -> str:
    """Make an opaque name of a record for interfaces that show one; always the same for the same record."""
    return hashlib.sha256(f"{app}/{_name_noun(kind)}/{number}".encode()).hexdigest()[:digits]


@contextmanager
def open_store(app: str, *kinds: type[Record], writes: bool = False, world: World | None = None) -> Iterator[Store]:
    """Open the records of these kinds of an app, by default in the current world.

    With `writes`, the block is one transaction, which is rolled back if the block raises; writing calls take turns.
    Without, nothing can be changed, and no file is made if the app was never used.

    Raises:
        Problem: the file is damaged, locked, or has tables of another shape; the disk or the quota of apps is full.
    """
    world = world or current_world()
    path = world.root / "apps" / app / f"{app}.sqlite"
    with _translate_errors(app), _open_for_writing(path, world) if writes else _open_for_reading(path) as connection:
        for kind in kinds:
            _require_shape(connection, app, kind)
            _create_table(connection, kind, "" if writes else "TEMP")
        if not writes:
            connection.execute("PRAGMA query_only=ON")
        yield Store(app, connection, world.now)


@contextmanager
def _translate_errors(app: str) -> Iterator[None]:
    """Translate SQLite's errors that are not our code's fault into problems."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # The lower byte is the primary result code, without extensions.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGE_CODES or isinstance(error, UnicodeDecodeError):
            message = (
                f"the state of the app {app!r} is damaged ({error}); put back an older copy of it, or start with a new "
                "one"
            )
        elif code in _BUSY_CODES:
            message = (
                f"another program has been using the state of the app {app!r} for {WAIT_S:g} s; try again when it is "
                "done"
            )
        elif code in _OF_THE_DISK:
            message = (
                f"the state of the app {app!r} cannot be used ({error}); nothing was changed. Free disk space or "
                "correct the permissions"
            )
        else:
            raise
        raise Problem(message) from error


@contextmanager
def _open_for_writing(path: Path, world: World) -> Iterator[sqlite3.Connection]:
    with lock_file(path, world.locks, WAIT_S):
        if path.exists():
            with _begin_transaction(path) as connection:
                yield connection
                pages, size = (
                    connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
                )
                require_bytes(path, pages * size)
            note_changed(path)
        else:
            with save_atomically(path) as draft, _begin_transaction(draft) as connection:
                yield connection


@contextmanager
def _begin_transaction(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(_connect_database(f"{path.as_uri()}?mode=rwc")) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute(f"PRAGMA synchronous={'FULL' if is_syncing() else 'OFF'}")
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        require_running()
        connection.execute("COMMIT")


@contextmanager
def _open_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    # Not read-only, since SQLite may have to roll back the transaction of a killed writer.
    where = f"{path.as_uri()}?mode=rw" if path.exists() else ":memory:"
    with closing(_connect_database(where)) as connection:
        connection.execute("BEGIN")
        yield connection


def _connect_database(where: str) -> sqlite3.Connection:
    connection = sqlite3.connect(where, isolation_level=None, timeout=WAIT_S, uri=True)
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.create_function("has_words", -1, _has_words, deterministic=True)
    return connection


def _has_words(text: str, *columns: Any) -> bool:
    column_texts = [fold_text(str(column)) for column in columns]
    return all(any(word in column for column in column_texts) for word in split_query(text))


def _create_table(connection: sqlite3.Connection, kind: type[Record], temporary: str = "") -> None:
    if not _has_table(connection, kind):
        columns = ", ".join(column.sql for column in columns_of(kind))
        # Stores rows in the order of their keys, regardless of history; with integer keys SQLite always does.
        rest = "WITHOUT ROWID" if columns_of(kind)[0].declared == "TEXT" else ""
        connection.execute(f"CREATE {temporary} TABLE {_name_table(kind)} ({columns}) {rest}")


def _has_table(connection: sqlite3.Connection, kind: type[Record]) -> bool:
    return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [_name_table(kind)]).fetchall())


def _require_shape(connection: sqlite3.Connection, app: str, kind: type[Record]) -> None:
    shape = connection.execute(f"PRAGMA table_xinfo({_name_table(kind)})").fetchall()
    actual_shape = [(name, type_, bool(key)) for _, name, type_, _, _, key, _ in shape]
    expected_shape = [(column.name, column.declared, column.key) for column in columns_of(kind)]
    if actual_shape and actual_shape != expected_shape:
        raise Problem(
            f"the state of the app {app!r} was made by another version: its table {_name_table(kind)!r} has the columns"
            f" {', '.join(name for name, _, _ in actual_shape)}. Start with a new one, or use the version that made it"
        )


def _build_order(kind: type[Record], order: str) -> str:
    names = {column.name for column in columns_of(kind)}
    parts = [part.split() for part in order.split(",") if part.strip()]
    wrong = [part for part in parts if part[0] not in names or part[1:] not in ([], ["ASC"], ["DESC"])]
    if wrong:
        raise Problem(f"cannot sort by {' '.join(wrong[0])!r}; there are {', '.join(sorted(names))}")
    return ", ".join([*(" ".join([_quote_column(kind, name), *way]) for name, *way in parts), _quote_key(kind)])


def _is_storable(key: str | int) -> bool:
    """Whether a number fits into SQLite's 64 bits."""
    return not isinstance(key, int) or -(2**63) <= key < 2**63


def _name_table(kind: type[Record]) -> str:
    noun = _name_noun(kind)
    if re.search("[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search("(s|x|z|ch|sh)$", noun) else "s")


def _name_noun(kind: type[Record]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _quote_key(kind: type[Record]) -> str:
    return f'"{columns_of(kind)[0].name}"'


def _quote_column(kind: type[Record], name: str) -> str:
    """Quote a known column's name; SQLite would treat an unknown quoted name as a text."""
    if name not in {column.name for column in columns_of(kind)}:
        raise ValueError(f"{kind.__name__} has no field {name!r}")
    return f'"{name}"'
