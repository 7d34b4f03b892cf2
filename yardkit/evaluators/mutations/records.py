"""Mutants of the records of apps: of each that the solver added or changed, and of some that it did not touch.

Targets are ``record:forms/questions#12.text`` and ``record:forms/questions#12``, and for records that must not be
touched ``bystander:forms/responses#7.answers``.
"""

import random
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.answers import changed_word
from yardkit.evaluators.mutations.events import event_mutants
from yardkit.evaluators.mutations.mails import mail_mutants
from yardkit.evaluators.mutations.mutant import Mutant, on_apps
from yardkit.evaluators.mutations.warehouse_tables import table_mutants
from yardkit.evaluators.mutations.web_forms import post_mutants
from yardkit.evaluators.readers.app_records import Row, Table, quote_name, read_tables_in
from yardkit.evaluators.submission import Submission

MAX_RECORDS = 4
"""Records of one table that are mutated in every way; of all others only one is touched."""
MAX_FIELDS = 4
"""Fields of one record that one operator changes, one per mutant."""
_NEIGHBOURS = 500
"""Records among which the nearest one is looked for."""


@dataclass(frozen=True)
class Records:
    """A table of a solved world. database: its path below the apps; before: the table in its initial state."""

    database: str
    table: Table
    before: Table

    @property
    def name(self) -> str:
        return f"{self.database.partition('/')[0]}/{self.table.name}"

    @property
    def touched(self) -> list[str]:
        """The keys of the records that the solver added or changed."""
        return [key for key, row in self.table.by_key.items() if self.before.by_key.get(key) != row]

    def fields_of(self, key: str) -> list[str]:
        """The fields of a record that the solver filled or changed."""
        old, new = self.before.by_key.get(key, {}), self.table.by_key[key]
        return [name for name in new if name not in self.table.key and (name not in old or old[name] != new[name])]


def record_mutants(submission: Submission, rng: random.Random) -> Iterator[Mutant]:
    """Generate all mutants of records, mails, tables, events and sent forms of a solved submission."""
    for path in sorted(submission.apps.glob("*/*.sqlite")):
        relative = path.relative_to(submission.apps).as_posix()
        old = submission.untouched.apps / relative
        before = read_tables_in(submission.untouched.apps, relative) if old.exists() else {}
        for name, table in read_tables_in(submission.apps, relative).items():
            was = before.get(name, Table(name, table.key, []))
            yield from _of_table(Records(relative, table, was), rng)
    yield from mail_mutants(submission, rng)
    yield from table_mutants(submission, rng)
    yield from event_mutants(submission, rng)
    yield from post_mutants(submission, rng)


def _of_table(records: Records, rng: random.Random) -> Iterator[Mutant]:
    touched = records.touched
    for key in sorted(rng.sample(touched, min(MAX_RECORDS, len(touched)))):
        yield from _of_record(records, key)
        for name in _sample_names(records.fields_of(key), rng):
            yield from _of_field(records, key, name, rng)
    for key, row in records.before.by_key.items():
        if key not in records.table.by_key:
            yield _make_mutant("stray_record", records, key, "is there again", _put_row(records, row))
    others = [key for key in records.table.by_key if key not in touched]
    if others:
        yield _change_other_record(records, rng.choice(others), rng)
        yield _add_extra_record(records, rng.choice(others))


def _of_record(records: Records, key: str) -> Iterator[Mutant]:
    row, old = records.table.by_key[key], records.before.by_key.get(key)
    yield _make_mutant("drop_record", records, key, "is missing", _drop_row(records, row))
    yield _make_mutant(
        "double_record", records, key, "is there twice", _put_row(records, _copy_record(records.table, row))
    )
    for name in records.fields_of(key)[:MAX_FIELDS] if old else ():
        yield _change_field("revert_field", records, key, name, (old or {})[name])


def _of_field(records: Records, key: str, name: str, rng: random.Random) -> Iterator[Mutant]:
    value = records.table.by_key[key][name]
    near = _neighbour_value(records.table, key, name)
    if near is not None:
        yield _change_field("neighbour_value", records, key, name, near)
    if isinstance(value, int | float):
        yield _change_field("near_number", records, key, name, _change_number(value, rng))
    moved = _shift_date(value, rng)
    if moved:
        yield _change_field("shift_date", records, key, name, moved)


def _change_other_record(records: Records, key: str, rng: random.Random) -> Mutant:
    row = records.table.by_key[key]
    name = rng.choice([name for name in row if name not in records.table.key] or list(row))
    return _change_field("touch_bystander", records, key, name, _change_value(row[name], rng), kind="bystander")


def _add_extra_record(records: Records, key: str) -> Mutant:
    copied = _copy_record(records.table, records.table.by_key[key])
    return _make_mutant(
        "stray_record", records, records.table.name_of(copied), "was left", _put_row(records, copied), kind="bystander"
    )


def _sample_names(names: Sequence[str], rng: random.Random) -> list[str]:
    return sorted(rng.sample(names, min(MAX_FIELDS, len(names))))


def _neighbour_value(table: Table, key: str, name: str) -> Any:
    """Find a field's value in the most similar record; None if no other record has a different value."""
    row, value = str(table.by_key[key]), table.by_key[key][name]
    others = [other for at, other in table.by_key.items() if at != key and other[name] not in (value, None)]
    likeness = [SequenceMatcher(None, row, str(other), autojunk=False).quick_ratio() for other in others[:_NEIGHBOURS]]
    return others[likeness.index(max(likeness))][name] if likeness else None


def _change_number(value: int | float, rng: random.Random) -> int | float:
    """Change a number by one, by a tenth, or to another unit; 0 and 1, which may mean no and yes, are swapped."""
    if value in (0, 1):
        return 1 - value
    return rng.choice([value + 1, value - 1, value + (round(value / 10) or 1), value * 100])


def _shift_date(value: Any, rng: random.Random) -> str | None:
    """Shift a date or time by a day, or change its offset; None for other values."""
    if not isinstance(value, str) or len(value) < len("2026-03-16"):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if len(value) == len("2026-03-16"):
        return (moment + timedelta(days=rng.choice((-1, 1)))).date().isoformat()
    if moment.tzinfo and rng.random() < 0.5:
        return (moment - timedelta(hours=1)).isoformat()
    return (moment + timedelta(days=rng.choice((-1, 1)))).isoformat()


def _change_value(value: Any, rng: random.Random) -> Any:
    if isinstance(value, int | float):
        return _change_number(value, rng)
    return changed_word(value) + "x" if isinstance(value, str) else "x"


def _copy_record(table: Table, row: Row) -> Row:
    """Copy the record under a new key."""
    if not table.key:
        return row
    last = table.key[-1]
    if isinstance(row[last], int):
        return {**row, last: 1 + max(other[last] for other in table.rows)}
    return {**row, last: f"{row[last]}-2"}


def _change_field(operator: str, records: Records, key: str, name: str, value: Any, kind: str = "record") -> Mutant:
    row = records.table.by_key[key]
    description = f"has {str(value)[:80]!r} as {name} instead of {str(row[name])[:80]!r}"
    statement = (
        f"UPDATE {quote_name(records.table.name)} SET {quote_name(name)} = ? WHERE {_build_where(records.table)}"  # noqa: S608
    )
    change = _run(records, statement, [value, *_get_key(records.table, row)])
    return _make_mutant(operator, records, f"{key}.{name}", description, change, kind)


def _make_mutant(
    operator: str,
    records: Records,
    detail: str,
    description: str,
    change: Callable[[Path], object],
    kind: str = "record",
) -> Mutant:
    return Mutant(
        operator, f"{kind}:{records.name}#{detail}", f"{records.name}#{detail} {description}", on_apps(change)
    )


def _drop_row(records: Records, row: Row) -> Callable[[Path], None]:
    statement = f"DELETE FROM {quote_name(records.table.name)} WHERE {_build_where(records.table)}"  # noqa: S608
    return _run(records, statement, _get_key(records.table, row))


def _put_row(records: Records, row: Row) -> Callable[[Path], None]:
    names, places = ", ".join(map(quote_name, row)), ", ".join("?" * len(row))
    table = quote_name(records.table.name)
    return _run(records, f"INSERT INTO {table} ({names}) VALUES ({places})", list(row.values()))  # noqa: S608


def _build_where(table: Table) -> str:
    return " AND ".join(f"{quote_name(column)} IS ?" for column in _list_key_columns(table))


def _get_key(table: Table, row: Row) -> list[Any]:
    return [row[column] for column in _list_key_columns(table)]


def _list_key_columns(table: Table) -> Sequence[str]:
    return table.key or list(table.rows[0])


def _run(records: Records, statement: str, values: Sequence[Any]) -> Callable[[Path], None]:
    def change(apps: Path) -> None:
        edit_database(apps / records.database, statement, values)

    return change


def edit_database(database: Path, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> None:
    """Change a database of an app with SQL."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement, values)
