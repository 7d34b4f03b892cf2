"""Reading tables in text files: the delimiter, the encoding, columns that must stay text."""

from __future__ import annotations

import csv
import re
from pathlib import Path

_DELIMITERS = ("\t", ";", "|", ",")
"""A comma comes last, since between others it is a decimal comma."""
_SAMPLE_BYTES = 200_000
_SAMPLE_ROWS = 1000
# LibreOffice's numbers of character sets.
_UTF8, _UTF16, _WINDOWS = 76, 65535, 1
_MOST_BYTES = 20_000_000
_UNCHANGED_FIELD = re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d{0,3}[1-9])?|(?!(?i:true|false)$)[^\W\d_][^\d]*")
_CODE = re.compile(r"0\d+|[+-]?\d{16,}")


def csv_options(path: Path, *, as_written: bool = False) -> str:
    """Build the options of LibreOffice's filter for a .csv or .tsv file.

    A column with digits that a number would lose (004711, 16 digits and more) becomes text; with `as_written`, also a
    column with any field that would be displayed differently (1E5, -5%, =1+1, 2.50, dates).
    """
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES if as_written else _SAMPLE_BYTES)
    text, encoding = _decode_text(data, complete=len(data) < _SAMPLE_BYTES)
    lines = [line for line in text.splitlines() if line.strip()][: None if as_written else _SAMPLE_ROWS]
    if not as_written and len(data) == _SAMPLE_BYTES:
        lines = lines[:-1]
    mark = "\t" if path.suffix.lower() == ".tsv" else detect_delimiter(lines[:20])
    changes = _is_displayed_differently if as_written else _CODE.fullmatch
    texts = {at for row in csv.reader(lines, delimiter=mark) for at, field in enumerate(row, 1) if changes(field)}
    columns = "/".join(f"{at}/2" for at in sorted(texts))
    return f"{ord(mark)},34,{encoding},1,{columns}".rstrip(",")


def _is_displayed_differently(field: str) -> bool:
    """Whether a table would display a field differently: it is not empty, not a word and not a short number."""
    return bool(field) and not _UNCHANGED_FIELD.fullmatch(field)


def text_of(path: Path) -> str:
    """Decode the text of a file in UTF-8, UTF-16 or the encoding of older Windows programs."""
    return _decode_text(path.read_bytes(), complete=True)[0]


def as_utf8(path: Path) -> None:
    """Rewrite a text file in another encoding as UTF-8, since LibreOffice cannot detect the encoding."""
    data = path.read_bytes()
    text, encoding = _decode_text(data, complete=True)
    if encoding != _UTF8:
        path.write_bytes(text.encode("utf-8"))


def _decode_text(data: bytes, *, complete: bool) -> tuple[str, int]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), _UTF16
    try:
        return data.decode("utf-8-sig"), _UTF8
    except UnicodeDecodeError as error:
        cut = not complete and error.start >= len(data) - 3  # the sample may end inside a character
        return (data[: error.start].decode("utf-8-sig"), _UTF8) if cut else (data.decode("cp1252", "replace"), _WINDOWS)


def detect_delimiter(lines: list[str]) -> str:
    """Detect the delimiter that splits all lines into the same number of fields; else a comma."""
    counts = {mark: {len(row) for row in csv.reader(lines, delimiter=mark)} for mark in _DELIMITERS}
    return next(
        (mark for mark, field_counts in counts.items() if len(field_counts) == 1 and max(field_counts) > 1), ","
    )
