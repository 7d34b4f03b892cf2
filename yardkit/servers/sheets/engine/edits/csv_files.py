"""CSV in, with types by column, and out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from yardkit.kit.csv_rows import parse_csv_rows, split_lines
from yardkit.servers.sheets.engine.notation.values import Scalar, is_exact, parse_number
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes

MAX_CSV_BYTES = 50_000_000
_NUMBER = re.compile(r"[-+]?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_COMMA = re.compile(r"[-+]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?([eE][-+]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?")
_TRUTH_TEXTS = ("TRUE", "FALSE")
_DELIMITERS = ("\t", ";", "|", ",")


def typed_rows(
    path: Path, delimiter: str | None = None, decimal: str = ".", *, typed: bool = True
) -> list[list[Scalar]]:
    """The rows of a CSV file as cells take them; a column of numbers, ISO dates or TRUE and FALSE gets
    that type, all else is text.

    Numbers with leading zeros, those with more digits than a cell keeps, and text that begins with "=" stay text.

    Raises:
        Problem: too large, not text, or not CSV.
    """
    text = read_csv(path)
    rows = [row for row in parse_csv_rows(text, path.name, delimiter=delimiter or _detect_delimiter(text)) if row]
    return _convert_rows(rows, decimal, typed=typed) if rows else []


def csv_text(rows: Sequence[Sequence[Scalar]], *, delimiter: str = ",", line_end: str = "\r\n") -> str:
    """Rows as CSV (RFC 4180): null as nothing, truth as TRUE or FALSE."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=line_end)
    writer.writerows([["" if value is None else _format_value(value) for value in row] for row in rows])
    return buffer.getvalue()


def _format_value(value: Scalar) -> str:
    return str(value).upper() if isinstance(value, bool) else str(value)


def read_csv(path: Path) -> str:
    """The text of a CSV file, in whatever encoding.

    Raises:
        Problem: it is too large, or no text.
    """
    check_bytes(path, MAX_CSV_BYTES)
    return decode_file(path.read_bytes(), path.name).text


def _detect_delimiter(text: str) -> str:
    """The delimiter that parts the first lines into the same number of fields; else the one that makes the most.

    A comma comes last, since between other delimiters it is a decimal comma.
    """
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    counts = {mark: [len(row) for row in split_lines(lines, mark)] for mark in _DELIMITERS}
    even = [mark for mark in _DELIMITERS if len(set(counts[mark])) == 1 and counts[mark][0] > 1]
    return even[0] if even else max(_DELIMITERS, key=lambda mark: max(counts[mark], default=0))


def _convert_rows(rows: list[list[str]], decimal: str, *, typed: bool) -> list[list[Scalar]]:
    width = max(len(row) for row in rows)
    padded = [row + [""] * (width - len(row)) for row in rows]
    kinds = [_detect_kind([row[column] for row in padded[1:]], decimal) if typed else "text" for column in range(width)]
    return [[_parse_value(cell, kinds[column], decimal) for column, cell in enumerate(row)] for row in padded]


def _detect_kind(column: list[str], decimal: str) -> str:
    filled = [cell.strip() for cell in column if cell.strip()]
    if filled and all(_parse_number(cell, decimal) is not None for cell in filled):
        return "number"
    if filled and all(cell.upper() in _TRUTH_TEXTS for cell in filled):
        return "truth"
    return "date" if filled and all(_DATE.fullmatch(cell) for cell in filled) else "text"


def _parse_number(cell: str, decimal: str) -> int | float | None:
    if decimal == ",":
        if not _COMMA.fullmatch(cell):
            return None
        cell = cell.replace(".", "").replace(",", ".")
    return parse_number(cell) if _NUMBER.fullmatch(cell) and is_exact(cell) else None


def _parse_value(cell: str, kind: str, decimal: str) -> Scalar:
    if not cell:
        return None
    if kind == "number" and (parsed_number := _parse_number(cell.strip(), decimal)) is not None:
        return parsed_number
    if kind == "truth" and cell.strip().upper() in _TRUTH_TEXTS:
        return cell.strip().upper() == "TRUE"
    return cell if kind == "date" and _DATE.fullmatch(cell) else "'" + cell
