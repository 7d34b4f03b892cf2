"""What a query gives, as a data file."""

from __future__ import annotations

import csv
import json
import math
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from yardkit.servers.database.engine.cells import Parameters, Raw
from yardkit.servers.database.engine.database_files import prepare_main_file
from yardkit.servers.database.engine.guarded_connections import open_reading
from yardkit.servers.database.engine.queries import list_remarks, names_of, start_statement
from yardkit.servers.database.engine.results import Export
from yardkit.servers.database.engine.sqlite_failures import failures_as_problems
from yardkit.world import Problem

ENDINGS = (".csv", ".tsv", ".json", ".jsonl")


def export_query(path: Path, draft: Path, ending: str, sql: str, parameters: Parameters | None = None) -> Export:
    """Write all rows of a reading statement to `draft` as UTF-8.

    CSV is that of RFC 4180 with a header, null as nothing; JSON is a list of objects, JSONL an object a line. Bytes
    become hexadecimal text, infinite numbers the texts Infinity and -Infinity.

    Args:
        path: the database.
        draft: the file to write.
        ending: .csv, .tsv, .json or .jsonl.
        sql: one statement that reads.
        parameters: its values.

    Raises:
        Problem: as for a query; or JSON would have two fields of one name.
    """
    write = _choose_writer(ending)
    with (
        prepare_main_file(path) as main,
        open_reading(main, path.name) as guarded,
        failures_as_problems(guarded, path.name, sql),
    ):
        rows = _Rows(start_statement(guarded, sql, parameters))
        with draft.open("w", encoding="utf-8", newline="") as file:
            write(file, rows)
    return Export(
        rows.count, rows.names, [*rows.list_notes(text=ending in (".csv", ".tsv")), *list_remarks(guarded.guard)]
    )


def _choose_writer(ending: str) -> Callable[[TextIO, _Rows], None]:
    writers = {".csv": _write_csv, ".tsv": _write_tsv, ".json": _write_json, ".jsonl": _write_jsonl}
    if ending not in writers:
        raise Problem(f"{ending or 'no ending'!r} is not a valid export format; end the name in {', '.join(ENDINGS)}")
    return writers[ending]


class _Rows:
    """The rows of a query as plain values; counts them, and what was turned into text."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self.names = names_of(cursor)
        self.count = 0
        self._cursor = cursor
        self._twice = sorted({name for name in self.names if self.names.count(name) > 1})
        self._bytes = self._infinite = self._empty = False

    def __iter__(self) -> Any:
        for row in self._cursor:
            self.count += 1
            yield [self._to_json_value(value) for value in row]

    def records(self) -> Any:
        """The rows as objects."""
        if self._twice:
            raise Problem(f"two columns are called {self._twice[0]!r}, but JSON needs unique names; rename one with AS")
        for row in self:
            yield json.dumps(dict(zip(self.names, row, strict=True)), ensure_ascii=False, allow_nan=False)

    def _to_json_value(self, value: Raw) -> int | float | str | None:
        if isinstance(value, bytes):
            self._bytes = True
            return value.hex()
        if isinstance(value, float) and math.isinf(value):
            self._infinite = True
            return "Infinity" if value > 0 else "-Infinity"
        self._empty = self._empty or value == ""
        return value

    def list_notes(self, *, text: bool) -> list[str]:
        """What the file does not tell."""
        notes = ["bytes are written as hexadecimal text"] if self._bytes else []
        notes += [f"two columns are called {self._twice[0]!r}; AS renames one"] if self._twice else []
        notes += ["infinite numbers are written as the text Infinity or -Infinity"] if self._infinite else []
        return notes + (["empty texts are written as nothing, like null"] if self._empty and text else [])


def _write_csv(file: TextIO, rows: _Rows) -> None:
    _write_separated(file, rows, ",")


def _write_tsv(file: TextIO, rows: _Rows) -> None:
    _write_separated(file, rows, "\t")


def _write_separated(file: TextIO, rows: _Rows, mark: str) -> None:
    writer = csv.writer(file, delimiter=mark)
    writer.writerow(rows.names)
    writer.writerows(rows)


def _write_json(file: TextIO, rows: _Rows) -> None:
    file.write("[")
    for number, record in enumerate(rows.records()):
        file.write((",\n" if number else "\n") + record)
    file.write("\n]\n")


def _write_jsonl(file: TextIO, rows: _Rows) -> None:
    for record in rows.records():
        file.write(record + "\n")
