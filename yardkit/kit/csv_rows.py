"""CSV as programs write it: rows of any field's length, and line ends of all systems."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from yardkit.world import Problem

# The reader's own limit of 131,072 characters is for no format; files are bounded before they are read.
csv.field_size_limit(1 << 30)


def parse_csv_rows(text: str, name: str, *, delimiter: str = "", dialect: Any = "excel") -> list[list[str]]:
    """All rows of a CSV text, empty ones included.

    Args:
        text: of a file.
        name: of the file, for messages.
        delimiter: in the place of the dialect's.
        dialect: as `csv.reader` takes it.

    Raises:
        Problem: it cannot be read as CSV.
    """
    settings: dict[str, Any] = {"delimiter": delimiter} if delimiter else {}
    try:
        return list(csv.reader(io.StringIO(text, newline=""), dialect, **settings))
    except csv.Error as error:
        raise Problem(f"{name!r} is not valid CSV ({error}); check its quotes and its delimiter") from error


def split_lines(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """The fields of single lines; quotes that do not end in a line go on in the next."""
    return list(csv.reader(lines, delimiter=delimiter))
