"""What a workbook holds."""

import datetime
import re
from collections.abc import Hashable
from typing import Any

from yardkit.evaluators.collateral.inventory import Inventory, Item, name
from yardkit.evaluators.readers.office.workbooks import CellLook, Grid, Validation, read_book, simplify_number_format
from yardkit.evaluators.readers.tables import read_contents
from yardkit.evaluators.submission import Submission

_WIDTH_TOLERANCE = 1.5


def take(submission: Submission, relative: str) -> Inventory:
    """The inventory of a workbook."""
    from openpyxl.utils import get_column_letter

    cells, read = read_contents(submission, relative), read_book(submission, relative)
    found = Inventory()
    found.ordered["sheets"] = [Item((name("sheet", word),), (word, grid.state)) for word, grid in read.sheets.items()]
    for title, rows in cells.items():
        grid = read.sheets[title]
        for number, row in enumerate(rows, 1):
            for column, content in enumerate(row, 1):
                if content is not None and content != "":
                    place = f"{get_column_letter(column)}{number}"
                    found.key(name("cells", title, place), _content(content))
                    found.key(name("formats", title, place), _look(grid.look(place)))
        _layout(title, grid, found)
    for key, text in read.names.items():
        if not key.split("!")[-1].startswith("_xlnm"):
            found.key(name("names", key), _formula(text))
    for key in ("title", "creator", "subject", "keywords"):
        found.key(name("property", key), read.properties.get(key, ""))
    return found


def _content(written: Any) -> Hashable:
    text = getattr(written, "text", written)
    if isinstance(text, str) and text.startswith("="):
        return ("formula", _formula(text))
    return _value(written)


def _value(value: Any) -> Hashable:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return ("number", float(f"{value:.12g}"))
    if isinstance(value, datetime.datetime):
        return ("time", value.replace(microsecond=0).isoformat())
    if isinstance(value, datetime.date):
        return ("time", f"{value.isoformat()}T00:00:00")
    return str(value).replace("\r\n", "\n")


def _formula(text: str) -> str:
    """A formula for comparison: white space outside texts, case, quotes of sheets and prefixes of functions aside.

    LibreOffice writes TRUE() and FALSE() for the constants.
    """
    pieces = re.split(r'("[^"]*")', text.lstrip("="))
    plain = [piece if piece.startswith('"') else _bare(piece) for piece in pieces]
    return "".join(plain)


def _bare(piece: str) -> str:
    return re.sub(r"\b(TRUE|FALSE)\(\)", r"\1", re.sub(r"_xlfn\.|_xlws\.|[\s']", "", piece, flags=re.I).upper())


def _look(look: CellLook) -> Hashable:
    number_format = simplify_number_format(look.number_format)
    return (number_format, look.bold, look.italic, look.underline, bool(look.fill) and look.fill != "FFFFFF")


def _layout(title: str, grid: Grid, found: Inventory) -> None:
    for kind, value in (
        ("merged", grid.merged),
        ("freeze", grid.freeze),
        ("hidden", (grid.hidden_columns, grid.hidden_rows)),
        ("filter", grid.filtered),
        ("print", (grid.print_area, grid.print_titles, grid.landscape, grid.fit_width, grid.fit_height)),
        ("protection", grid.protected),
        ("pictures", grid.pictures),
    ):
        found.key(name("layout", title, kind), value)
    for letter, width in grid.widths.items():
        place = name("layout", title, f"width {letter}")
        found.keyed[place] = Item((place, name("layout", title, "widths")), "width", (width,), _WIDTH_TOLERANCE)
    for place, text in grid.comments.items():
        found.key(name("comments", title, place), " ".join(text.split()))
    for word, area in grid.tables.items():
        found.key(name("tables", title, word), area)
    _lists(title, grid, found)


def _lists(title: str, grid: Grid, found: Inventory) -> None:
    lists: dict[str, list[Hashable]] = {
        "rules": [(rule.cells, rule.kind, rule.operator, tuple(map(_formula, rule.formulas))) for rule in grid.rules],
        "validations": [_validation(validation) for validation in grid.validations],
        "charts": [
            (
                chart.kind,
                chart.title,
                tuple((series.name, series.values_at.replace("$", "")) for series in chart.series),
            )
            for chart in grid.charts
        ],
        "pivots": [(pivot.rows, pivot.columns, pivot.filters, pivot.values, pivot.functions) for pivot in grid.pivots],
    }
    for kind, values in lists.items():
        stream = f"{kind}#{title}"
        found.ordered[stream] = [Item((name(kind, title, n),), value) for n, value in enumerate(values, 1)]


def _validation(validation: Validation) -> Hashable:
    """A validation for comparison; LibreOffice writes an operator, and a second formula, where they mean nothing."""
    first, second = map(_formula, validation.formulas)
    if validation.kind in ("list", "custom"):
        return validation.cells, validation.kind, first
    operator = validation.operator or "between"
    return validation.cells, validation.kind, operator, first, second if operator in ("between", "notBetween") else ""
