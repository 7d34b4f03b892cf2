"""Hostile files that a grader may find in place of a deliverable."""

import io
import os
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from functools import cache, partial
from pathlib import Path

from yardkit.sandbox.proofs.hostile_formats import ENDLESS_NUMBER, Make, list_makers

Plant = Callable[[Path, str], None]
STORE = ".sqlite"
"""The ending of databases of apps."""

HOSTILE_ANSWERS = (
    *("", "\0" * 100, "9" * 200_000, ENDLESS_NUMBER, "\u202e\u2066" * 500, "NaN", "[" * 50_000),
    *("\ud83d", "".join(map(chr, range(1, 32)))),
)
"""Final texts that must neither crash a grader nor pass."""


def plant_hostile() -> tuple[Plant, ...]:
    """List functions that replace a path of a workspace with something hostile."""
    return (
        empty_file,
        truncate_file,
        other_type,
        zip_bomb,
        huge_sparse_file,
        link_outside,
        link_loop,
        a_directory,
        a_pipe,
    )


def plant_hostile_formats(path: str) -> tuple[Plant, ...]:
    """List such functions for the type of `path` only, which make the hostile file from the existing one."""
    return tuple(partial(_write_hostile, name, make) for name, make in list_makers(kind_of(path)).items())


def kind_of(path: str) -> str:
    """The suffix of a file in lower case; for a message in a Maildir, without its flags."""
    return Path(path).suffix.lower().partition(":")[0]


def name_of(plant: Plant) -> str:
    """A one-word name for the hostile file."""
    return str(plant.args[0]) if isinstance(plant, partial) else plant.__name__


def plant_hostile_records() -> tuple[Plant, ...]:
    """List functions that make the SQL of a database determine its records."""
    return (endless_views, computed_columns, a_trigger)


def _write_hostile(_name: str, make: Make, files: Path, path: str) -> None:
    target = files / path
    hostile_data = make(target.read_bytes())
    _clear_path(files, path).write_bytes(hostile_data)


def empty_file(files: Path, path: str) -> None:
    _clear_path(files, path).write_bytes(b"")


def truncate_file(files: Path, path: str) -> None:
    target = files / path
    data = target.read_bytes() if target.is_file() else b"PK\x03\x04"
    _clear_path(files, path).write_bytes(data[: len(data) // 2 - len(data) % 2])


def other_type(files: Path, path: str) -> None:
    _clear_path(files, path).write_bytes(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 8)


def zip_bomb(files: Path, path: str) -> None:
    _clear_path(files, path).write_bytes(_make_bomb())


def huge_sparse_file(files: Path, path: str) -> None:
    with _clear_path(files, path).open("wb") as handle:
        # A terabyte that takes no space on the disk and hours to read.
        handle.truncate(1 << 40)


def link_outside(files: Path, path: str) -> None:
    _clear_path(files, path).symlink_to("/etc/passwd")


def link_loop(files: Path, path: str) -> None:
    target = _clear_path(files, path)
    target.symlink_to(target.name)


def a_directory(files: Path, path: str) -> None:
    _clear_path(files, path).mkdir()


def a_pipe(files: Path, path: str) -> None:
    os.mkfifo(_clear_path(files, path))


def endless_views(files: Path, path: str) -> None:
    """Each table is a view that yields rows endlessly."""
    _each_table(
        files / path,
        'ALTER TABLE "{0}" RENAME TO "{0}_kept"; CREATE VIEW "{0}" AS WITH RECURSIVE n(i) AS '
        '(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT k.* FROM "{0}_kept" AS k, n;',
    )


def computed_columns(files: Path, path: str) -> None:
    """Each table has a column that is computed when it is read."""
    _each_table(files / path, 'ALTER TABLE "{0}" ADD COLUMN more GENERATED ALWAYS AS (zeroblob(900000000));')


def a_trigger(files: Path, path: str) -> None:
    """Adding a record deletes all others."""
    _each_table(files / path, 'CREATE TRIGGER "{0}_t" AFTER INSERT ON "{0}" BEGIN DELETE FROM "{0}"; END;')


def _each_table(path: Path, script: str) -> None:
    """Run a script for each table; {0} in it is the table's name."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        connection.executescript("".join(map(script.format, tables)))


@cache
def _make_bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("xl/workbook.xml", "[Content_Types].xml", "xl/worksheets/sheet1.xml"):
            archive.writestr(name, b"\0" * 30_000_000)
    return buffer.getvalue()


def _clear_path(files: Path, path: str) -> Path:
    target = files / path
    target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target
