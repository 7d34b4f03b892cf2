"""Blank records of apps: each mail, event and row that a solver added, with nothing in it."""

import json
import sqlite3
from contextlib import closing
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.app_records import Row, Table, quote_name, read_tables_in
from yardkit.evaluators.readers.mails import is_mail, read_new
from yardkit.evaluators.submission import Submission

_ENVELOPE = ("From", "Date", "Message-ID")
_EVENT = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//blank//EN\nBEGIN:VEVENT\nUID:{uid}\nDTSTAMP:{day}T000000Z\n" + (
    "DTSTART;VALUE=DATE:{day}\nEND:VEVENT\nEND:VCALENDAR\n"
)
_DAY = "20000101"


def add_blank_records(solved: Submission, apps: Path) -> None:
    """Add to the untouched `apps`, for each mail, event and row that the solver added, one with nothing in it."""
    changes = solved.changed_apps()
    added = [path for path, how in changes.items() if how == "added"]
    if any(is_mail(path) for path in added):
        # To know whom to write to is work: a blank mail goes to its sender, in no thread.
        for mail in (mail for mail in read_new(solved) if "/.Sent/" in f"/{mail.path}"):
            _write(apps / mail.path, _empty_mail((solved.apps / mail.path).read_bytes()))
    for path in (path for path in added if path.endswith(".ics")):
        _write(apps / path, _EVENT.format(uid=Path(path).stem, day=_DAY).replace("\n", "\r\n").encode())
    for path in (path for path, how in changes.items() if how == "changed" and path.endswith(".sqlite")):
        _add_rows(apps / path, read_tables_in(solved.untouched.apps, path), read_tables_in(solved.apps, path))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _empty_mail(data: bytes) -> bytes:
    """The mail to its own sender, without subject, text and files."""
    full, empty = message_from_bytes(data), Message()
    for name, value in full.raw_items():
        if name in _ENVELOPE:
            empty[name] = str(value)
    empty["To"] = str(full["From"])
    empty.set_payload("\n")
    return empty.as_bytes()


def _add_rows(database: Path, before: dict[str, Table], after: dict[str, Table]) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        for name, table in after.items():
            known = before.get(name, Table(name, table.key, [])).by_key
            links = {row[3] for row in connection.execute(f"PRAGMA foreign_key_list({quote_name(name)})")}
            for row in (row for key, row in table.by_key.items() if key not in known):
                _insert_row(connection, name, _empty_row(row, {*table.key, *links}))


def _insert_row(connection: sqlite3.Connection, table: str, row: Row) -> None:
    names, places = ", ".join(map(quote_name, row)), ", ".join("?" * len(row))
    # A table may refuse what a row must not be without.
    connection.execute(f"INSERT OR IGNORE INTO {quote_name(table)} ({names}) VALUES ({places})", list(row.values()))  # noqa: S608


def _empty_row(row: Row, keys: set[str]) -> Row:
    return {name: value if name in keys else _empty_value(value) for name, value in row.items()}


def _empty_value(value: Any) -> Any:
    """A text without letters, 0, an empty list or object as JSON."""
    if not isinstance(value, str):
        return None if value is None else type(value)()
    try:
        known = json.loads(value)
    except ValueError:
        return ""
    return "[]" if isinstance(known, list) else "{}" if isinstance(known, dict) else ""
