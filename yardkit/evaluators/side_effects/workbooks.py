"""What a workbook holds."""

import datetime
import re
from collections.abc import Hashable
from typing import Any

from yardkit.evaluators.readers.office.workbooks import CellLook, Grid, Validation, read_book, simplify_number_format
from yardkit.evaluators.readers.tables import read_contents
from yardkit.evaluators.side_effects.inventory import Inventory, Item, make_name
from yardkit.evaluators.submission import Submission

_WIDTH_TOLERANCE = 1.5


def take_inventory(submission: Submission, relative: str) -> Inventory:
    """The inventory of a workbook."""
    from openpyxl.utils import get_column_letter

    cells, read = read_contents(submission, relative), read_book(submission, relative)
    inventory = Inventory()
    inventory.ordered["sheets"] = [
        Item((make_name("sheet", word),), (word, grid.state)) for word, grid in read.sheets.items()
    ]
    for title, rows in cells.items():
        grid = read.sheets[title]
        for number, row in enumerate(rows, 1):
            for column, content in enumerate(row, 1):
                if content is not None and content != "":
                    place = f"{get_column_letter(column)}{number}"
                    inventory.key(make_name("cells", title, place), _describe_content(content))
                    inventory.key(make_name("formats", title, place), _describe_look(grid.look(place)))
        _add_layout(title, grid, inventory)
    for key, text in read.names.items():
        if not key.split("!")[-1].startswith("_xlnm"):
            inventory.key(make_name("names", key), _normalize_formula(text))
    for key in ("title", "creator", "subject", "keywords"):
        inventory.key(make_name("property", key), read.properties.get(key, ""))
    return inventory


def _describe_content(written: Any) -> Hashable:
    text = getattr(written, "text", written)
    if isinstance(text, str) and text.startswith("="):
        return ("formula", _normalize_formula(text))
    return _normalize_value(written)


def _normalize_value(value: Any) -> Hashable:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return ("number", float(f"{value:.12g}"))
    if isinstance(value, datetime.datetime):
        return ("time", value.replace(microsecond=0).isoformat())
    if isinstance(value, datetime.date):
        return ("time", f"{value.isoformat()}T00:00:00")
    return str(value).replace("\r\n", "\n")


def _normalize_formula(text: str) -> str:
    """A formula for comparison: white space outside texts, case, quotes of sheets and prefixes of functions aside.

    LibreOffice writes TRUE() and FALSE() for the constants.
    """
    pieces = re.split(r'("[^"]*")', text.lstrip("="))
    bare_pieces = [piece if piece.startswith('"') else _strip_piece(piece) for piece in pieces]
    return "".join(bare_pieces)


def _strip_piece(piece: str) -> str:
    return re.sub(r"\b(TRUE|FALSE)\(\)", r"\1", re.sub(r"_xlfn\.|_xlws\.|[\s']", "", piece, flags=re.I).upper())


def _describe_look(look: CellLook) -> Hashable:
    number_format = simplify_number_format(look.number_format)
    return (number_format, look.bold, look.italic, look.underline, bool(look.fill) and look.fill != "FFFFFF")


def _add_layout(title: str, grid: Grid, inventory: Inventory) -> None:
    for kind, value in (
        ("merged", grid.merged),
        ("freeze", grid.freeze),
        ("hidden", (grid.hidden_columns, grid.hidden_rows)),
        ("filter", grid.filtered),
        ("print", (grid.print_area, grid.print_titles, grid.landscape, grid.fit_width, grid.fit_height)),
        ("protection", grid.protected),
        ("pictures", grid.pictures),
    ):
        inventory.key(make_name("layout", title, kind), value)
    for letter, width in grid.widths.items():
        place = make_name("layout", title, f"width {letter}")
        inventory.keyed[place] = Item(
            (place, make_name("layout", title, "widths")), "width", (width,), _WIDTH_TOLERANCE
        )
    for place, text in grid.comments.items():
        inventory.key(make_name("comments", title, place), " ".join(text.split()))
    for word, area in grid.tables.items():
        inventory.key(make_name("tables", title, word), area)
    _add_lists(title, grid, inventory)


def _add_lists(title: str, grid: Grid, inventory: Inventory) -> None:
    lists: dict[str, list[Hashable]] = {
        "rules": [
            (rule.cells, rule.kind, rule.operator, tuple(map(_normalize_formula, rule.formulas))) for rule in grid.rules
        ],
        "validations": [_describe_validation(validation) for validation in grid.validations],
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
        inventory.ordered[stream] = [Item((make_name(kind, title, n),), value) for n, value in enumerate(values, 1)]


def _describe_validation(validation: Validation) -> Hashable:
    """A validation for comparison; LibreOffice writes an operator, and a second formula, where they mean nothing."""
    first, second = map(_normalize_formula, validation.formulas)
    if validation.kind in ("list", "custom"):
        return validation.cells, validation.kind, first
    operator = validation.operator or "between"
    return validation.cells, validation.kind, operator, first, second if operator in ("between", "notBetween") else ""
