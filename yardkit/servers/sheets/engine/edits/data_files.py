"""Data files in and out: CSV, TSV, JSON, Parquet, and the workbooks of other programs."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from yardkit.kit.pages.kinds import true_suffix
from yardkit.servers.sheets.engine.cells.cell_reader import read_all_values, read_stored, unique_names
from yardkit.servers.sheets.engine.edits.cell_writer import Applied, write_cells
from yardkit.servers.sheets.engine.edits.csv_files import csv_text, read_csv, typed_rows
from yardkit.servers.sheets.engine.edits.text_operations import looks_typed
from yardkit.servers.sheets.engine.notation.references import column_name
from yardkit.servers.sheets.engine.notation.values import ERRORS, MAX_EXACT, Scalar
from yardkit.servers.sheets.engine.package.workbook import FOREIGN
from yardkit.world import Problem, save_atomically, save_bytes
from yardkit.world.limits import check_archive, check_bytes

MAX_DATA_BYTES = 200_000_000
_TEXT_SUFFIXES = (".csv", ".tsv", ".txt")
_WORKBOOK_SUFFIXES = (".xlsx", ".xlsm")
_CONVERTED_SUFFIXES = (".ods", ".xls", ".pdf", ".html")
_LOOKED_AT = 1_000
_ONLY_VALUES = "formulas came as values, and cells with errors empty; export_data to .xlsx keeps both"
_LONG = re.compile(r"PT(\d+)H(\d+)M(\d+(?:\.\d+)?)S")


@dataclass(frozen=True)
class Reading:
    """How the text of a CSV file is read: delimiter (None: found), decimal mark, and whether columns get types."""

    delimiter: str | None = None
    decimal: str = "."
    typed: bool = True


def import_data(
    source: Path,
    path: Path,
    sheet: str | None,
    *,
    start: str = "A1",
    from_sheet: str | None = None,
    reading: Reading | None = None,
    now: datetime,
) -> Applied:
    """Write the rows of a data file, or the values of a sheet of another workbook, into a sheet.

    Raises:
        Problem: the file is too large, damaged, empty or of another kind; or as `write_cells`.
    """
    reading = reading or Reading()
    check_bytes(source, MAX_DATA_BYTES)
    suffix = _detect_suffix(source)
    notes = [_ONLY_VALUES] if suffix in FOREIGN else []
    if suffix in _TEXT_SUFFIXES:
        rows = typed_rows(source, "\t" if suffix == ".tsv" else reading.delimiter, reading.decimal, typed=reading.typed)
    elif suffix in (".json", ".jsonl", ".ndjson"):
        rows = _json_rows(source, lines=suffix != ".json")
    elif suffix == ".parquet":
        rows = _parquet_rows(source)
    elif suffix in _WORKBOOK_SUFFIXES:
        stored_data = read_stored(source, from_sheet, None)
        notes = [
            "formulas came as values, and cells with errors empty" if stored_data.formulas else "",
            str(stored_data),
        ]
        rows = [
            [None if stored_data.formulas and value in ERRORS else _protect_value(value) for value in row]
            for row in stored_data.rows
        ]
    elif suffix in FOREIGN:
        rows = _foreign_rows(source, from_sheet)
    else:
        known = ", ".join((*_TEXT_SUFFIXES, ".json", ".jsonl", ".parquet", *_WORKBOOK_SUFFIXES, *FOREIGN))
        raise Problem(f"{source.name!r} is not of a supported type; use {known}")
    if not rows or not any(rows):
        raise Problem(f"{source.name!r} is empty; there is nothing to import")
    applied = write_cells(path, sheet, start, rows, now=now)
    if suffix in _TEXT_SUFFIXES and reading.typed:
        notes = [_left_as_text(rows, applied.area.left)]
    return replace(applied, created="; ".join(filter(None, [applied.created, *notes])))


def _left_as_text(rows: list[list[Scalar]], left: int) -> str:
    """What is said of columns that are text, though most of it looks like numbers or dates."""
    text_columns = []
    for place, column in enumerate(zip(*rows[1 : _LOOKED_AT + 1], strict=True)):
        texts = [value[1:] for value in column if isinstance(value, str) and value.startswith("'")]
        typed = [text for text in texts if looks_typed(text)]
        if len(typed) * 2 > len(texts):
            text_columns.append(f"{column_name(left + place)} ({typed[0].strip()[:20]})")
    if not text_columns:
        return ""
    return (
        f"left as text, though it looks like numbers or dates: {', '.join(text_columns)}; give decimal, or convert them"
    )


def _detect_suffix(path: Path) -> str:
    """The suffix of a file by its content, where it is a workbook under another kind of name."""
    suffix, true = path.suffix.lower(), true_suffix(path)
    return true if true in (".xlsx", *FOREIGN) and not (true == ".xlsx" and suffix in _WORKBOOK_SUFFIXES) else suffix


def _protect_value(value: Scalar) -> Scalar:
    """A value as it was read, so that it is written as the same: texts that look like formulas stay texts."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "'") else value


def _convert_cell(value: Any) -> Scalar:
    """A value of another library as a cell takes it."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    if isinstance(value, int | float):
        is_exact_integer = float(value).is_integer() and abs(value) < MAX_EXACT
        return (
            int(value)
            if is_exact_integer
            else value
            if abs(value) < MAX_EXACT or isinstance(value, float)
            else f"'{value}"
        )
    if isinstance(value, Decimal):
        return _convert_cell(float(value))
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return value.isoformat(timespec="seconds")
    if isinstance(value, timedelta):
        return value.total_seconds() / 86400
    if isinstance(value, str | bytes):
        return "'" + _text_of(value) if value else None
    return "'" + json.dumps(value, ensure_ascii=False, default=str)


def _text_of(value: str | bytes) -> str:
    """A text, which many programs write as bytes into Parquet files; of other bytes, the hexadecimal digits."""
    if isinstance(value, str):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.hex()


def _json_rows(source: Path, *, lines: bool) -> list[list[Scalar]]:
    text = read_csv(source)
    try:
        data = [json.loads(line) for line in text.splitlines() if line.strip()] if lines else json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Problem(f"{source.name!r} is not valid JSON ({error}); correct it") from error
    if isinstance(data, dict):
        lists = [key for key, value in data.items() if isinstance(value, list)]
        data = data[lists[0]] if len(lists) == 1 else [data]
    if not isinstance(data, list):
        raise Problem(f"{source.name!r} does not contain a list; import a list of objects or of rows")
    if all(isinstance(row, dict) for row in data):
        columns = list(dict.fromkeys(key for row in data for key in row))
        return [
            [_convert_cell(str(key)) for key in columns],
            *([_convert_cell(row.get(key)) for key in columns] for row in data),
        ]
    return [[_convert_cell(value) for value in (row if isinstance(row, list) else [row])] for row in data]


def _parquet_rows(source: Path) -> list[list[Scalar]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(source)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise Problem(f"{source.name!r} is not valid Parquet ({str(error)[:120]})") from error
    columns = [[_convert_cell(value) for value in column.to_pylist()] for column in table.columns]
    return [[_convert_cell(name) for name in table.column_names], *map(list, zip(*columns, strict=True))]


def _foreign_rows(source: Path, sheet: str | None) -> list[list[Scalar]]:
    import python_calamine

    if true_suffix(source) in (".ods", ".xlsb"):
        check_archive(source)
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.read_bytes()))
        names = book.sheet_names
        name = sheet or (names[0] if names else "")
        if name not in names:
            raise Problem(f"there is no sheet {sheet!r} in {source.name!r}; it has {', '.join(map(repr, names))}")
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
    except python_calamine.PasswordError as error:
        raise Problem(f"{source.name!r} is protected by a password; save it without one") from error
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise Problem(f"{source.name!r} is not a valid workbook ({str(error)[:120]}); it is damaged") from error
    return [[_convert_cell(_convert_duration(value)) for value in row] for row in rows]


def _convert_duration(value: Any) -> Any:
    """A duration beyond a day, which the reader leaves in ODS's words (``PT30H05M00S``), as such."""
    duration_match = _LONG.fullmatch(value) if isinstance(value, str) else None
    return (
        value
        if duration_match is None
        else timedelta(hours=int(duration_match[1]), minutes=int(duration_match[2]), seconds=float(duration_match[3]))
    )


def export_data(
    path: Path, sheet: str | None, area: str | None, target: Path, *, delimiter: str | None = None
) -> tuple[int, int, str]:
    """Write the values of a range (without: all used cells) as a data file; rows, columns, and what is to be said.

    Raises:
        Problem: as `read_cells`; or the kind of `target` is none of those known.
    """
    suffix = target.suffix.lower()
    if suffix in _CONVERTED_SUFFIXES or (suffix == ".xlsx" and _detect_suffix(path) in FOREIGN):
        return _convert_file(path, sheet, area, target)
    stored_data = read_stored(path, sheet, area)
    rows = stored_data.rows
    if suffix in _TEXT_SUFFIXES:
        data = csv_text(rows, delimiter=delimiter or ("\t" if suffix == ".tsv" else ",")).encode("utf-8")
    elif suffix in (".json", ".jsonl", ".ndjson"):
        data = _json_text(rows, lines=suffix != ".json").encode("utf-8")
    elif suffix == ".parquet":
        data = _write_parquet(rows)
    else:
        known = ", ".join((*_TEXT_SUFFIXES, ".json", ".jsonl", ".parquet", *_CONVERTED_SUFFIXES))
        raise Problem(f"{target.name!r} has no supported extension; use {known}")
    save_bytes(target, data)
    return len(rows), max((len(row) for row in rows), default=0), str(stored_data)


def _convert_file(path: Path, sheet: str | None, area: str | None, target: Path) -> tuple[int, int, str]:
    from yardkit.kit.pages.libreoffice import convert_file

    if sheet or area:
        raise Problem(f"{target.suffix} files contain the entire workbook; leave out sheet and range")
    with save_atomically(target) as draft:
        converted_path = draft.with_name(draft.name + target.suffix.lower())
        try:
            convert_file(path, converted_path)
            rows = read_all_values(converted_path if converted_path.suffix == ".xlsx" else path, None, None)
            converted_path.replace(draft)
        finally:
            converted_path.unlink(missing_ok=True)
    message = "all sheets, converted through LibreOffice (the size is the first one's); look at it"
    return len(rows), max((len(row) for row in rows), default=0), message


def _json_text(rows: list[list[Scalar]], *, lines: bool) -> str:
    names = unique_names(rows[0]) if rows else []
    records = [dict(zip(names, row, strict=True)) for row in rows[1:]]
    if lines:
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _write_parquet(rows: list[list[Scalar]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = unique_names(rows[0]) if rows else []
    columns = [_to_arrow([row[index] for row in rows[1:]]) for index in range(len(names))]
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns, names=names), buffer)
    return buffer.getvalue()


def _to_arrow(column: list[Scalar]) -> Any:
    """A column with one type: numbers, dates, moments, booleans, else text."""
    import pyarrow as pa

    filled = [value for value in column if value is not None]
    if filled and all(isinstance(value, bool) for value in filled):
        return pa.array(column, pa.bool_())
    if filled and all(isinstance(value, int | float) and not isinstance(value, bool) for value in filled):
        return pa.array(column, pa.int64() if all(isinstance(value, int) for value in filled) else pa.float64())
    for parse, kind in ((date.fromisoformat, pa.date32()), (datetime.fromisoformat, pa.timestamp("us"))):
        try:
            moments = [None if value is None else parse(value) for value in column]  # type: ignore[arg-type]
        except (ValueError, TypeError):
            continue
        if filled:
            return pa.array(moments, kind)
    return pa.array([None if value is None else str(value) for value in column], pa.string())
