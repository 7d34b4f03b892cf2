"""Every line of the count either stays, cleaned, or is logged with its reason; lists and a warning colour that work."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolyard.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from toolyard.evaluators.readers.answers import single_number, words
from toolyard.evaluators.readers.computing import value_of, value_over
from toolyard.evaluators.readers.files import delivered, only_changed
from toolyard.evaluators.readers.sheets import Grid, Rule, Validation, book
from toolyard.evaluators.readers.tables import Sheet, near, records, to_date, workbook
from toolyard.evaluators.readers.tokens import moved
from toolyard.evaluators.submission import Submission

BOOK = "stock_clean.xlsx"
HEADERS = {
    "Stock": ["SKU", "Description", "Location", "Quantity", "Unit", "Counted", "Reorder level"],
    "Removed": ["Row", "SKU", "Reason"],
    "Lists": ["Units", "Locations"],
}
BASE = ("kg", "l", "m", "pcs")
SAMPLES = ((4.0, 5.0, True), (5.0, 5.0, False), (6.0, 5.0, False), (0.0, 5.0, True), (4.999, 5.0, True))
"""Quantity, reorder level, and whether it is to be coloured."""
EQUAL = ((5.0, 5.0, True), (6.0, 5.0, False))
"""The samples of a rule that colours what is not below, but equal."""
Row = dict[str, Any]
Sample = tuple[float, float, bool]


def _sheet(submission: Submission, name: str) -> Sheet:
    sheets = workbook(submission, BOOK)
    if name not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _rows(submission: Submission, name: str) -> list[Row]:
    return records(_sheet(submission, name).values, HEADERS[name], name)


def _key(row: Row) -> str:
    return f"{str(row['SKU']).strip()} {str(row['Location']).strip()}"


def _each_once(submission: Submission, facts: Facts) -> Finding:
    found = sorted(_key(row) for row in _rows(submission, "Stock"))
    wanted = sorted(facts["stock"])
    odd = sorted(set(found) ^ set(wanted)) or sorted({each for each in found if found.count(each) > 1})
    return finding(found == wanted, f"{len(found)} rows for {len(wanted)} lines that stay; wrong: {', '.join(odd[:8])}")


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, str):
        return str(found).strip() == wanted
    return isinstance(found, int | float) and near(found, wanted, 0.0006)


def _quantities(submission: Submission, facts: Facts) -> Finding:
    rows = {_key(row): row for row in _rows(submission, "Stock")}
    wrong = [
        f"{key} is {rows.get(key, {}).get('Quantity')!r}, not {values[1]:g}"
        for key, values in facts["stock"].items()
        if not _same(rows.get(key, {}).get("Quantity"), values[1])
    ]
    return finding(not wrong, f"{len(wrong)} quantities are wrong: {'; '.join(wrong[:6])}")


def _from_items(submission: Submission, facts: Facts) -> Finding:
    rows = {_key(row): row for row in _rows(submission, "Stock")}
    wrong = [
        f"{key} has {[row.get(name) for name in ('Description', 'Unit', 'Reorder level')]}"
        for key, (name, _, unit, _, level) in facts["stock"].items()
        if not (row := rows.get(key, {}))
        or not (words(str(row["Description"])) == words(name) and _same(row["Unit"], unit))
        or not _same(row["Reorder level"], level)
    ]
    return finding(not wrong, f"{len(wrong)} rows differ from the items: {'; '.join(wrong[:5])}")


def _days(submission: Submission, facts: Facts) -> Finding:
    rows = {_key(row): row["Counted"] for row in _rows(submission, "Stock")}
    wrong = [
        f"{key}: {rows.get(key)!r}, not {values[3]}"
        for key, values in facts["stock"].items()
        if not isinstance(rows.get(key), datetime.date) or str(to_date(rows.get(key))) != values[3]
    ]
    return finding(not wrong, f"{len(wrong)} days are wrong: {'; '.join(wrong[:6])}")


def _sorted(submission: Submission, _facts: Facts) -> Finding:
    keys = [(str(row["SKU"]).strip(), str(row["Location"]).strip()) for row in _rows(submission, "Stock")]
    early = next((number for number in range(1, len(keys)) if keys[number] < keys[number - 1]), 0)
    return finding(len(keys) > 1 and not early, f"{keys[early]} comes after {keys[early - 1]}" if early else "in order")


def _log(submission: Submission) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in _rows(submission, "Removed"):
        number = str(row["Row"]).strip().removesuffix(".0")
        found.setdefault(number, []).append(row)
    return found


def _removed(submission: Submission, facts: Facts) -> Finding:
    log = _log(submission)
    odd = sorted(set(log) ^ set(facts["removed"])) + [number for number, rows in log.items() if len(rows) > 1]
    wrong = [
        f"row {number} is {log[number][0]['SKU']!r}"
        for number in facts["removed"]
        if number in log and str(log[number][0]["SKU"]).strip() != facts["written"][number]
    ]
    says = f"{len(log)} rows for {len(facts['removed'])} removed lines; wrong rows: {odd[:8]}; wrong SKUs: {wrong[:5]}"
    return finding(not odd and not wrong, says)


def _reasons(submission: Submission, facts: Facts) -> Finding:
    log = _log(submission)
    wrong = [
        f"row {number} is {log[number][0]['Reason'] if number in log else 'missing'}, not {reason}"
        for number, reason in facts["removed"].items()
        if number not in log or words(str(log[number][0]["Reason"])) != words(reason)
    ]
    return finding(not wrong, f"{len(wrong)} reasons are wrong: {'; '.join(wrong[:6])}")


def _lists(submission: Submission, facts: Facts) -> Finding:
    sheet = _sheet(submission, "Lists")
    head = [words(str(each)) for each in sheet.values[0]] if sheet.values else []
    if head[:2] != ["units", "locations"]:
        return finding(holds=False, evidence=f"row 1 of Lists is {head}")
    found = [
        sorted(str(row[column]).strip() for row in sheet.values[1:] if row[column] is not None) for column in (0, 1)
    ]
    holds = found == [sorted(BASE), sorted(facts["locations"])]
    return finding(holds, f"{found[0]} and {len(found[1])} of {len(facts['locations'])} places")


def _layout(submission: Submission, _facts: Facts) -> Finding:
    sheets = workbook(submission, BOOK)
    wrong = []
    for name, wanted in HEADERS.items():
        first = sheets[name].values[0] if name in sheets and sheets[name].values else []
        found = [str(each).strip() for each in first if each is not None]
        wrong += [] if found == wanted else [f"{name} has {found}, not {wanted}"]
    return finding(not wrong, "; ".join(wrong) or "sheets and headers are as asked")


def _drop_downs(submission: Submission, facts: Facts) -> Finding:
    """Each row below Unit and Location has a list with just the right items."""
    grid, sheet = book(submission, BOOK).sheets.get("Stock"), _sheet(submission, "Stock")
    if grid is None:
        raise InvalidArtifact("there is no sheet Stock")
    wrong = []
    for name, wanted in (("Unit", sorted(BASE)), ("Location", sorted(facts["locations"]))):
        column, rows = _column(sheet, name), len(_rows(submission, "Stock"))
        lists = [
            each for each in grid.validations if each.kind == "list" and sorted(_items(submission, each)) == wanted
        ]
        covered = {row for each in lists for row in _covered(each.cells, column)}
        bare = [row for row in range(2, rows + 2) if row not in covered]
        wrong += [f"{len(bare)} rows below {name} have no drop-down with the {len(wanted)} right items"] if bare else []
    return finding(not wrong, "; ".join(wrong) or "units and locations have drop-downs")


def _column(sheet: Sheet, name: str) -> int:
    head = [words(str(each)) for each in sheet.values[0]]
    if words(name) not in head:
        raise InvalidArtifact(f"row 1 of Stock has no {name!r}")
    return head.index(words(name)) + 1


def _items(submission: Submission, rule: Validation) -> list[str]:
    """What a list accepts: items of its own, or the cells of a range or defined name."""
    source = rule.formulas[0].lstrip("=")
    if source.startswith('"'):
        return [each.strip() for each in source.strip('"').split(",")]
    source = book(submission, BOOK).names.get(source, source)
    if "(" in source:
        return _computed(submission, source)
    name, _, area = source.rpartition("!")
    sheets = workbook(submission, BOOK)
    name = name.strip("'") or "Stock"
    bounds = _bounds(area)
    if bounds is None or name not in sheets:
        return []
    left, top, right, bottom = bounds
    cells = [row[left - 1 : right] for row in sheets[name].values[top - 1 : bottom]]
    return [str(each).strip() for row in cells for each in row if each is not None]


def _computed(submission: Submission, source: str) -> list[str]:
    """The cells that a formula such as ``OFFSET(Lists!$B$2,0,0,45,1)`` gives."""
    joined = value_of(delivered(submission, BOOK), workbook(submission, BOOK), "Stock", f'=TEXTJOIN("|",TRUE,{source})')
    return [each.strip() for each in str(joined).split("|")]


def _bounds(area: str) -> tuple[int, int, int, int] | None:
    from openpyxl.utils import range_boundaries

    try:
        left, top, right, bottom = range_boundaries(area.replace("$", ""))
    except (ValueError, TypeError):
        return None
    return (left or 1, top or 1, right or left or 1, bottom or 1_048_576)


def _covered(cells: str, column: int) -> Iterator[int]:
    """The rows of a column that lie in some ranges."""
    for area in cells.split():
        bounds = _bounds(area)
        if bounds and bounds[0] <= column <= bounds[2]:
            yield from range(bounds[1], min(bounds[3], 20_000) + 1)


def _warning(submission: Submission, facts: Facts) -> Finding:
    """A rule that colours, covers the quantities, and tells below from not below in its first row and further down."""
    grid, sheet = book(submission, BOOK).sheets.get("Stock"), _sheet(submission, "Stock")
    if grid is None:
        raise InvalidArtifact("there is no sheet Stock")
    quantity, level = _column(sheet, "Quantity"), _column(sheet, "Reorder level")
    colouring = [each for each in grid.rules if _catches_the_eye(each)]
    working = [each for each in colouring if _tells(each, sheet, quantity, level)]
    equal = [each.cells for each in colouring if _tells(each, sheet, quantity, level, EQUAL)]
    covered = {row for each in working for row in _covered(each.cells, quantity)}
    bare = [row for row in range(2, len(facts["stock"]) + 2) if row not in covered]
    says = (
        f"{len(grid.rules)} rules, {len(working)} of them colour just what is below; {len(bare)} quantities have none; "
        f"rules that colour what is equal: {equal}"
    )
    return finding(not bare and not equal, f"{says}; {_shown(grid)}")


def _catches_the_eye(rule: Rule) -> bool:
    return rule.fill not in ("", "FFFFFF") or rule.color not in ("", "000000")


def _shown(grid: Grid) -> str:
    return "; ".join(f"{each.cells} {each.kind} {each.operator} {each.formulas}" for each in grid.rules[:4])


def _tells(rule: Rule, sheet: Sheet, quantity: int, level: int, samples: Sequence[Sample] = SAMPLES) -> bool:
    """Whether a rule holds just where the samples say so, in two rows of different items."""
    bounds = _bounds(rule.cells.split()[0])
    if bounds is None or len(rule.formulas) != 1 or rule.kind not in ("cellIs", "expression"):
        return False
    pair = _rows_of_two_items(sheet, max(bounds[1], 2))
    for amount, limit, wanted in samples:
        other = next(each for each in samples if each[2] is not wanted)
        for row, neighbour in (pair, pair[::-1]):
            cells = _cells_of(sheet, pair)
            cells |= {(row, quantity): amount, (row, level): limit}
            cells |= {(neighbour, quantity): other[0], (neighbour, level): other[1]}
            if _holds(rule, bounds[0], bounds[1], row, quantity, cells) is not wanted:
                return False
    return True


def _rows_of_two_items(sheet: Sheet, top: int) -> tuple[int, int]:
    """A row from `top` on and one some rows below it that holds another item, counted from 1."""
    sku = _column(sheet, "SKU") - 1
    first = sheet.values[top - 1][sku] if top <= len(sheet.values) else None
    others = (row for row in range(top + 7, len(sheet.values) + 1) if sheet.values[row - 1][sku] != first)
    return top, next(others, top + 7)


def _cells_of(sheet: Sheet, rows: Sequence[int]) -> dict[tuple[int, int], float | str]:
    """What stands in some rows, as texts and numbers."""
    from openpyxl.utils.datetime import to_excel

    cells: dict[tuple[int, int], float | str] = {}
    for row in rows:
        for column, value in enumerate(sheet.values[row - 1] if row <= len(sheet.values) else [], 1):
            if isinstance(value, datetime.date):
                cells[row, column] = float(to_excel(value))
            elif value is not None:
                cells[row, column] = value if isinstance(value, int | float) else f"'{value}"
    return cells


def _holds(
    rule: Rule, left: int, top: int, row: int, quantity: int, cells: Mapping[tuple[int, int], float | str]
) -> bool | None:
    """What a rule says of the quantity in `row`, by a computation of its own; None if it cannot be computed."""
    from openpyxl.utils import get_column_letter

    formula = f"={rule.formulas[0].lstrip('=')}"
    at = f"{get_column_letter(quantity)}{row}"
    formula = moved(formula, f"{get_column_letter(left)}{top}", at)
    if rule.kind == "cellIs":
        signs = {"lessThan": "<", "lessThanOrEqual": "<=", "greaterThan": ">", "greaterThanOrEqual": ">="}
        if rule.operator not in signs:
            return None
        formula = f"={at}{signs[rule.operator]}({formula[1:]})"
    if re.search(r"[!\[\]]", formula):
        return None
    found = value_over(cells, formula, (row, quantity))
    return bool(found) if isinstance(found, bool | int | float) else None


def _answer(submission: Submission, facts: Facts) -> Finding:
    found = single_number(submission.answer)
    return finding(found == facts["below"], f"expected {facts['below']}, found {found}")


def _kept(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, BOOK)


def _of(*sheets: str) -> tuple[str, ...]:
    kinds: Sequence[tuple[str, str]] = (("cells", "!*"), ("rows", ""), ("sheet", ""))
    return tuple(f"{kind}:{BOOK}#{sheet}{rest}" for sheet in sheets for kind, rest in kinds)


STOCK, REMOVED, LISTS = _of("Stock"), _of("Removed"), _of("Lists")

CHECKS = group(
    "stock_cleanup",
    "The count is clean",
    group(
        "stock",
        "The lines that stay are clean",
        leaf("each_once", "Each item and place that stays has one row", _each_once, observes=STOCK, weight=2),
        leaf("quantities", "Quantities are in the base unit", _quantities, observes=STOCK, weight=3),
        leaf("from_items", "Description, unit and reorder level are the item's", _from_items, observes=STOCK, weight=2),
        leaf(
            "days",
            "The days of counting are real dates",
            _days,
            observes=(*STOCK, f"formats:{BOOK}#Stock!*"),
            weight=2,
        ),
        leaf("sorted", "The rows are in order", _sorted, observes=STOCK, kind="format"),
        weight=4,
    ),
    group(
        "removed",
        "The lines that do not stay are logged",
        leaf("logged", "Just the lines that do not stay are logged", _removed, observes=REMOVED, weight=2),
        leaf("reasons", "Each has its reason", _reasons, observes=REMOVED, weight=2),
        weight=3,
    ),
    group(
        "guards",
        "The sheet helps whoever goes on with it",
        leaf("lists", "Lists holds the units and places", _lists, observes=LISTS),
        leaf(
            "drop_downs",
            "Unit and Location accept what is in the lists",
            _drop_downs,
            observes=(*STOCK, *LISTS, f"validations:{BOOK}#Stock"),
            weight=2,
        ),
        leaf(
            "warning",
            "What is below its reorder level is coloured",
            _warning,
            observes=(*STOCK, f"rules:{BOOK}#Stock"),
            weight=2,
        ),
        weight=3,
    ),
    leaf(
        "layout",
        "The sheets are laid out as asked",
        _layout,
        observes=(*STOCK, *REMOVED, *LISTS),
        kind="format",
        weight=0.5,
    ),
    leaf("answer", "The answer counts what is below", _answer, observes=("answer",)),
    leaf("kept", "Nothing else was touched", _kept, observes=("input:*", "stray:*"), kind="guardrail"),
)
