"""Reading tables in text files for LibreOffice: as UTF-8, the delimiter, columns that must stay text."""

from __future__ import annotations

import re
from pathlib import Path

from yardkit.kit.csv_rows import split_lines
from yardkit.world.decoding import decode_file

_DELIMITERS = ("\t", ";", "|", ",")
"""A comma comes last, since between others it is a decimal comma."""
_SAMPLE_BYTES = 200_000
_SAMPLE_ROWS = 1000
_UTF8 = 76
"""LibreOffice's number of the character set."""
_MOST_BYTES = 20_000_000
_UNCHANGED_FIELD = re.compile(r"-?(?:0|[1-9]\d{0,8})(?:\.\d{0,3}[1-9])?|(?!(?i:true|false)$)[^\W\d_][^\d]*")
_CODE = re.compile(r"0\d+|[+-]?\d{16,}")


def csv_options(path: Path, *, as_written: bool = False) -> str:
    """Build the options of LibreOffice's filter for a .csv or .tsv file in UTF-8.

    A column with digits that a number would lose (004711, 16 digits and more) becomes text; with `as_written`, also a
    column with any field that would be displayed differently (1E5, -5%, =1+1, 2.50, dates).
    """
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES if as_written else _SAMPLE_BYTES)
    text = data.decode("utf-8-sig", "ignore")  # a sample may end inside a character
    lines = [line for line in text.splitlines() if line.strip()][: None if as_written else _SAMPLE_ROWS]
    if not as_written and len(data) == _SAMPLE_BYTES:
        lines = lines[:-1]
    mark = "\t" if path.suffix.lower() == ".tsv" else detect_delimiter(lines[:20])
    changes = _is_displayed_differently if as_written else _CODE.fullmatch
    texts = {at for row in split_lines(lines, mark) for at, field in enumerate(row, 1) if changes(field)}
    columns = "/".join(f"{at}/2" for at in sorted(texts))
    return f"{ord(mark)},34,{_UTF8},1,{columns}".rstrip(",")


def _is_displayed_differently(field: str) -> bool:
    """Whether a table would display a field differently: it is not empty, not a word and not a short number."""
    return bool(field) and not _UNCHANGED_FIELD.fullmatch(field)


def as_utf8(path: Path) -> None:
    """Rewrite a text file in another encoding as UTF-8, since LibreOffice cannot detect the encoding.

    Raises:
        Problem: it is no text.
    """
    decoded = decode_file(path.read_bytes(), path.name)
    if decoded.encoding not in ("utf-8", "utf-8-sig"):
        path.write_bytes(decoded.text.encode("utf-8"))


def detect_delimiter(lines: list[str]) -> str:
    """What parts all lines into the same number of fields; else a comma."""
    counts = {mark: {len(row) for row in split_lines(lines, mark)} for mark in _DELIMITERS}
    return next(
        (mark for mark, field_counts in counts.items() if len(field_counts) == 1 and max(field_counts) > 1), ","
    )
