"""Tables in CSV, TSV and JSON files: their columns, their rows, and the types that hold them without loss."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from yardkit.kit.csv_rows import split_lines
from yardkit.servers.database.engine.cells import shorten_text
from yardkit.world import Problem
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes
from yardkit.world.wording import format_count

MAX_SOURCE_BYTES = 50_000_000
_MAX_COLUMNS = 2_000
_DELIMITERS = ("\t", ";", "|", ",")
_SAMPLE_LINES = 20
_STATED_DELIMITER = re.compile(r"\"?sep=(.)\"?\r?\n", re.IGNORECASE)
_INTEGER = re.compile(r"-?[1-9]\d{0,18}|0", re.ASCII)
_REAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+([eE][-+]?\d+)?|[eE][-+]?\d+)", re.ASCII)
_LARGEST = 2**63
_EXACT = 2**53
_SAFE_DIGITS = 15
Cell = int | float | str | None
Kind = type[int] | type[float] | type[str]


@dataclass(frozen=True)
class Source:
    """A table in a file.

    Attributes:
        names: of its columns, each different from the others, also without regard to capitals.
        rows: gives the cells of each row, with the place for messages; can be called again.
        text: whether cells are text that may stand for numbers.
        notes: what was made of it.
    """

    names: list[str]
    rows: Callable[[], Iterator[tuple[str, Sequence[Cell]]]]
    text: bool
    notes: list[str] = field(default_factory=list)


def read_source(path: Path, delimiter: str | None = None) -> Source:
    """The table of a .csv, .tsv, .txt, .json or .jsonl file.

    Raises:
        Problem: it is of another kind, too large, or holds no table.
    """
    check_bytes(path, MAX_SOURCE_BYTES)
    ending = path.suffix.lower()
    if ending in (".json", ".jsonl", ".ndjson"):
        return _from_json(_read_text(path), path.name, lines=ending != ".json")
    if ending in (".csv", ".tsv", ".tab", ".txt"):
        return _from_csv(_read_text(path), path.name, delimiter or ("\t" if ending in (".tsv", ".tab") else None))
    raise Problem(f"{path.name!r} is not a .csv, .tsv, .txt, .json or .jsonl file; export the data as one of these")


def _read_text(path: Path) -> str:
    return decode_file(path.read_bytes(), path.name).text


def _from_csv(text: str, name: str, delimiter: str | None) -> Source:
    stated = _STATED_DELIMITER.match(text)  # a line for Excel alone
    text = text[stated.end() :] if stated else text
    mark = delimiter or (stated[1] if stated else _detect_delimiter(text))

    def records() -> Iterator[tuple[str, list[str]]]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
        try:
            for row in reader:
                if row:
                    yield f"line {reader.line_num}", row
        except csv.Error as error:
            raise Problem(f"{name!r}, line {reader.line_num}: {error}; check quotes and the delimiter") from error

    first = next(records(), None)
    if first is None:
        raise Problem(f"{name!r} is empty; its first line must contain the column names")
    names, notes = _make_distinct([cell.strip() for cell in first[1]])

    def rows() -> Iterator[tuple[str, Sequence[Cell]]]:
        cell_rows = records()
        next(cell_rows)
        for place, row in cell_rows:
            if len(row) > len(names):
                raise Problem(
                    f"{name!r}, {place}: {len(row)} cells for {len(names)} column names; check that "
                    f"the delimiter is {mark!r}"
                )
            yield place, [*(cell or None for cell in row), *[None] * (len(names) - len(row))]

    short = [place for place, row in records() if len(row) < len(names)]
    if short:
        rows_text = format_count(len(short), "row")
        notes.append(f"{rows_text} with fewer cells than columns, such as {short[0]}; the rest of them is null")
    return Source(names, rows, text=True, notes=notes)


def _detect_delimiter(text: str) -> str:
    """What parts the first lines into the same number of cells; else a comma, which comes last as a decimal mark."""
    lines = [line for line in text[:100_000].splitlines()[:_SAMPLE_LINES] if line.strip()]
    counts = {mark: {len(row) for row in split_lines(lines, mark)} for mark in _DELIMITERS}
    return next((mark for mark in _DELIMITERS if len(counts[mark]) == 1 and counts[mark] != {1}), ",")


def _make_distinct(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Names for columns: none empty, none twice; and a note of what was renamed."""
    used: set[str] = set()
    result, notes = [], []
    for number, name in enumerate(names, 1):
        unique_name = base = name or f"column_{number}"
        again = 1
        while unique_name.lower() in used:
            again += 1
            unique_name = f"{base}_{again}"
        if unique_name != name:
            notes.append(
                f"column {number} is called {unique_name!r}, since its name is {'empty' if not name else 'taken'}"
            )
        used.add(unique_name.lower())
        result.append(unique_name)
    if len(result) > _MAX_COLUMNS:
        raise Problem(f"there are {len(result):,} columns; the limit is {_MAX_COLUMNS:,}. Check the delimiter")
    return result, notes


def _from_json(text: str, name: str, *, lines: bool) -> Source:
    records = _json_lines(text, name) if lines else _parse_json(text, name, "")
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise Problem(f'{name!r} must hold a list of objects, such as [{{"name": "pen", "price": 1.5}}]')
    keys = list(dict.fromkeys(key for record in records for key in record))
    if not keys:
        raise Problem(f"{name!r} contains no object with a field, so there are no columns")
    names, notes = _make_distinct(keys)

    def rows() -> Iterator[tuple[str, Sequence[Cell]]]:
        for number, record in enumerate(records, 1):
            yield f"record {number}", [_to_cell(record.get(key)) for key in keys]

    return Source(names, rows, text=False, notes=notes)


def _json_lines(text: str, name: str) -> list[Any]:
    return [_parse_json(line, name, f"line {n}: ") for n, line in enumerate(text.split("\n"), 1) if line.strip()]


def _parse_json(text: str, name: str, place: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not valid JSON")

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            names = [key for key, _ in pairs]
            raise ValueError(f"an object has the field {next(key for key in names if names.count(key) > 1)!r} twice")
        return record

    try:
        return json.loads(text, parse_constant=refuse, parse_float=_parse_real, object_pairs_hook=collect)
    except (ValueError, RecursionError) as error:
        raise Problem(f"{name!r}: {place}{error}; correct it, then try again") from error


def _to_cell(value: Any) -> Cell:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value


def parse_cell(cell: str) -> Cell:
    """What a text of a CSV file stands for: a number if it is written as one and SQLite keeps it exactly."""
    if _INTEGER.fullmatch(cell) and -_LARGEST <= int(cell) < _LARGEST:
        return int(cell)
    return _parse_real(cell) if _REAL.fullmatch(cell) else cell


def _parse_real(text: str) -> float | str:
    """A number with a point or an exponent, or its text where a REAL would not keep all of its digits."""
    number = float(text)
    short = sum(map(str.isdigit, text)) <= _SAFE_DIGITS
    return number if math.isfinite(number) and (short or Decimal(text) == Decimal(repr(number))) else text


def find_rewritten(source: Source, types: Sequence[str]) -> list[str]:
    """A note for each REAL column whose texts may be codes: 12E3, or 1.10 beside 1.9."""
    if not source.text:
        return []
    decimals: list[dict[int, str]] = [{} for _ in types]
    codes: list[str] = [""] * len(types)
    for _, row in source.rows():
        for place, cell in enumerate(row):
            if types[place] == "REAL" and isinstance(cell, str):
                digits = cell.partition(".")[2]
                decimals[place].setdefault(len(digits), cell)
                if (digits.endswith("0") and digits != "0") or ("." not in cell and "e" in cell.lower()):
                    codes[place] = codes[place] or cell
    return [
        f"column {name!r} is REAL, so {code!r} is stored as {float(code)!r}; set types for it to TEXT if it is a code"
        for name, code, lengths in zip(source.names, codes, decimals, strict=True)
        if code and ("." not in code or len(lengths) > 1)
    ]


def types_of(source: Source) -> list[str]:
    """The type of each column that keeps all its values: INTEGER, REAL, NUMERIC, TEXT, or none (mixed)."""
    seen: list[set[str]] = [set() for _ in source.names]
    for _, row in source.rows():
        for kinds, cell in zip(seen, row, strict=True):
            if cell is not None:
                kinds.add(_detect_kind(parse_cell(cell) if source.text and isinstance(cell, str) else cell))
    return [_choose_type(kinds, text=source.text) for kinds in seen]


def _detect_kind(value: Cell) -> str:
    if isinstance(value, int):
        return "INTEGER" if abs(value) <= _EXACT else "LARGE"
    return "REAL" if isinstance(value, float) else "TEXT"


def _choose_type(kinds: set[str], *, text: bool) -> str:
    if "TEXT" in kinds or not kinds:
        return "TEXT" if text or kinds <= {"TEXT"} else ""
    if kinds <= {"INTEGER", "LARGE"}:
        return "INTEGER"
    return "REAL" if "LARGE" not in kinds else "NUMERIC"


def check_value(value: Cell, place: str, column: str) -> Cell:
    """A value that SQLite can keep.

    Raises:
        Problem: an integer has more than 64 bits, or a text is no valid Unicode.
    """
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        raise Problem(f"{place}, {column!r}: {value} has more than 64 bits; write it as text")
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Problem(f"{place}, {column!r}: {shorten_text(repr(value))} is not valid Unicode text") from None
    return value
