"""Columns of a CSV file as series."""

import re
from pathlib import Path

from yardkit.kit.csv_rows import parse_csv_rows
from yardkit.servers.plot.engine.spec import MAX_POINTS, Series
from yardkit.world import Problem
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes

MAX_CSV_BYTES = 50_000_000
_GAP_TEXTS = {"", "na", "n/a", "nan", "null", "none", "-"}
_GROUPED = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?")
_ONLY_COMMA = re.compile(r"[-+]?(\d{4,}|0|\d{1,3}(\.\d{3})+),\d+|[-+]?\d*,(\d{1,2}|\d{4,})|[-+]?\d{1,3}(\.\d{3}){2,}")
_ONLY_POINT = re.compile(r"[-+]?(\d{4,}|0|\d{1,3}(,\d{3})+)\.\d+|[-+]?\d*\.(\d{1,2}|\d{4,})|[-+]?\d{1,3}(,\d{3}){2,}")
"""Numbers that are such only with a decimal comma, or only with a decimal point."""
_THREE_DIGITS = re.compile(r"[-+]?\d{1,3},\d{3}")
"""A number that may be either: 1,789 is 1.789 or 1789."""
_COMMA_NUMBER = re.compile(r"[-+]?(\d{1,3}(\.\d{3})+|\d*)(,\d+)? ?%?")
_SPACES = re.compile(r"(?<=\d)[ \u00a0\u202f'\u2019](?=\d{3}(\D|$))")
_SPACED = re.compile(r"[-+]?\d{1,3}([ \u00a0\u202f'\u2019]\d{3})+([.,]\d+)?( ?%)?")

Row = dict[str, str]


def read_series(
    path: Path, x_column: str | None, y_columns: list[str] | None, group_column: str | None
) -> tuple[list[float | str] | None, list[Series]]:
    """The x values and a series per y column; with `group_column` a series per group of one y column.

    Without `y_columns`, every column that holds only numbers is drawn.

    Raises:
        Problem: no such column, a value that is no number, or nothing to draw.
    """
    header, rows = read_rows(path)
    for name in [x_column, group_column, *(y_columns or [])]:
        if name is not None and name not in header:
            raise Problem(f"{path.name!r} has no column {name!r}; it has {', '.join(map(repr, header))}")
    if y_columns is None:
        y_columns = [name for name in header if name not in (x_column, group_column) and _is_numeric(rows, name)]
    if not y_columns:
        raise Problem(f"{path.name!r} has no column of numbers; choose y_columns from {', '.join(map(repr, header))}")
    if group_column is not None:
        return None, _build_groups(rows, x_column, y_columns, group_column)
    x = [parse_cell(row[x_column]) for row in rows] if x_column else None
    return x, [Series(read_numbers(rows, name), name) for name in y_columns]


def _build_groups(rows: list[Row], x_column: str | None, y_columns: list[str], group_column: str) -> list[Series]:
    if len(y_columns) != 1:
        raise Problem(
            f"group_column needs exactly one of y_columns; there are {len(y_columns)}: {', '.join(y_columns)}"
        )
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[group_column], []).append(row)
    return [
        Series(
            read_numbers(members, y_columns[0]),
            name,
            x=[parse_cell(row[x_column]) for row in members] if x_column else None,
        )
        for name, members in groups.items()
    ]


def read_rows(path: Path) -> tuple[list[str], list[Row]]:
    """Header and rows of a CSV file; the delimiter is the most frequent of ``, ; tab |`` in the header.

    Raises:
        Problem: it is too big, no text, or has no rows.
    """
    check_bytes(path, MAX_CSV_BYTES)
    content = decode_file(path.read_bytes(), path.name).text
    first = content.split("\n", 1)[0]
    delimiter = max(",;\t|", key=first.count)
    lines = [line for line in parse_csv_rows(content, path.name, delimiter=delimiter) if any(line)]
    if len(lines) < 2:
        raise Problem(f"{path.name!r} has no rows below its header; give a CSV file with a header and data")
    if len(lines) > MAX_POINTS:
        raise Problem(f"{path.name!r} has {len(lines):,} rows; the limit is {MAX_POINTS:,}. Aggregate it first")
    header = [name.strip() for name in lines[0]]
    lines = [lines[0], *_use_decimal_points(lines[1:], delimiter, path.name)]
    return header, [dict(zip(header, line + [""] * (len(header) - len(line)), strict=False)) for line in lines[1:]]


def _use_decimal_points(lines: list[list[str]], delimiter: str, name: str) -> list[list[str]]:
    """The lines with decimal points, of a file that has decimal commas.

    A file tells by any number that only one of the two can be (12,5 or 1.234,5). Where none does, a comma beside
    semicolons is a decimal comma: such files come from where semicolons part cells because commas part decimals.

    Raises:
        Problem: numbers of both kinds are in it.
    """
    lines = [[_join_thousands(cell) for cell in line] for line in lines]
    cells = [cell.strip().removesuffix("%").strip() for line in lines for cell in line]
    with_comma = next(filter(_ONLY_COMMA.fullmatch, cells), None)
    with_point = next(filter(_ONLY_POINT.fullmatch, cells), None)
    if with_comma and with_point:
        raise Problem(
            f"{name!r} has decimal commas and decimal points ({with_comma}, {with_point}); write all numbers in one way"
        )
    is_comma = bool(with_comma) or (delimiter == ";" and not with_point and any(map(_THREE_DIGITS.fullmatch, cells)))
    return [[_write_with_point(cell) for cell in line] for line in lines] if is_comma else lines


def _join_thousands(cell: str) -> str:
    """A cell; if it is a number, without spaces and apostrophes between its thousands."""
    return _SPACES.sub("", cell.strip()) if _SPACED.fullmatch(cell.strip()) else cell


def _write_with_point(cell: str) -> str:
    """A cell; if it is a number with a decimal comma, with a point."""
    return cell.replace(".", "").replace(",", ".") if _COMMA_NUMBER.fullmatch(cell.strip()) else cell


def parse_number(text: str) -> float | None:
    """The number that a cell shows, `12%` as 12; None for an empty one.

    Raises:
        ValueError: it is no number.
    """
    bare = text.strip().removesuffix("%").strip()
    if bare.lower() in _GAP_TEXTS:
        return None
    return float(bare.replace(",", "") if _GROUPED.fullmatch(bare) else bare)


def read_numbers(rows: list[Row], column: str) -> list[float | None]:
    """The numbers of a column, None for empty cells.

    Raises:
        Problem: a cell holds something else.
    """
    values = []
    for index, row in enumerate(rows, 2):
        try:
            values.append(parse_number(row[column]))
        except ValueError:
            raise Problem(
                f"row {index} of column {column!r} is {row[column]!r}, not a number; clean the column "
                "or leave it out of y_columns"
            ) from None
    return values


def parse_cell(text: str) -> float | str:
    """A number where the cell is one, else its text."""
    try:
        value = parse_number(text)
    except ValueError:
        return text.strip()
    return text.strip() if value is None or text.strip().endswith("%") else value


def _is_numeric(rows: list[Row], column: str) -> bool:
    try:
        return any(parse_number(row[column]) is not None for row in rows[:1000])
    except ValueError:
        return False
