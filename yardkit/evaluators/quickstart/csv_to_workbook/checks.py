"""Every order once, with its true values; sums by month and region that follow their orders."""

import datetime
from collections.abc import Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers import tables
from yardkit.evaluators.readers.answers import fold, mentions
from yardkit.evaluators.readers.tables import Rows, Sheet, near, to_date, to_decimal
from yardkit.evaluators.submission import Submission

BOOK = "sales_q1.xlsx"
DATA = ["Order", "Date", "Region", "Product", "Units", "Unit price", "Amount"]
REGIONS = ["East", "North", "South", "West"]
SUMMARY = ["Month", *REGIONS, "Total"]
RAISE = 1000.0
"""Euros by which the check raises prices to see whether the sums follow."""
MONTHS = ("2026-01", "2026-02", "2026-03")
RAISED: Mapping[str, tuple[str, ...]] = {"East": ("2026-01",), "North": ("2026-02", "2026-03"), "South": ("2026-03",)}
"""Months whose prices are raised: not every sum changes alike."""


def _sheet(sheets: dict[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _orders(submission: Submission) -> list[dict[str, Any]]:
    return tables.find_records(_sheet(tables.read_sheets(submission, BOOK), "Data").values, DATA, "Data")


def _summary(sheets: dict[str, Sheet]) -> dict[str, dict[str, Any]]:
    rows = tables.find_records(_sheet(sheets, "Summary").values, SUMMARY, "Summary")
    return {fold(str(row["Month"])): row for row in rows}


def _each_once(submission: Submission, facts: Facts) -> Finding:
    found = sorted(str(row["Order"]).strip() for row in _orders(submission))
    wanted = sorted(facts["orders"])
    odd = sorted(set(found) ^ set(wanted)) or sorted({order for order in found if found.count(order) > 1})
    return finding(found == wanted, f"{len(found)} rows for {len(wanted)} orders; wrong: {', '.join(odd[:10])}")


def _values(submission: Submission, facts: Facts) -> Finding:
    rows = {str(row["Order"]).strip(): row for row in _orders(submission)}
    wrong = [number for number, fact in facts["orders"].items() if not _is(rows.get(number, {}), fact)]
    return finding(not wrong, f"{len(wrong)} orders with other values: {', '.join(wrong[:10])}")


def _is(row: dict[str, Any], fact: dict[str, Any]) -> bool:
    named = str(row.get("Product")).strip() == fact["product"] and fold(str(row.get("Region"))) == fold(fact["region"])
    counted = near(row.get("Units"), fact["units"]) and near(row.get("Unit price"), fact["price"])
    day = to_date(row.get("Date"))
    return named and counted and day is not None and day.isoformat() == fact["date"]


def _types(submission: Submission, _facts: Facts) -> Finding:
    wrong = [
        f"{row['Order']}: {name} is {row[name]!r}"
        for row in _orders(submission)
        for name, kinds in (("Date", (datetime.date,)), ("Units", (int, float)), ("Unit price", (int, float)))
        if not isinstance(row[name], kinds)
    ]
    return finding(not wrong, f"not typed: {'; '.join(wrong[:5])}" if wrong else "dates and numbers are typed")


def _amounts(submission: Submission, facts: Facts) -> Finding:
    rows = {str(row["Order"]).strip(): row["Amount"] for row in _orders(submission)}
    wanted = {number: fact["units"] * fact["price"] for number, fact in facts["orders"].items()}
    wrong = [number for number, amount in wanted.items() if not near(rows.get(number), amount)]
    return finding(not wrong, f"{len(wrong)} orders with another amount: {', '.join(wrong[:10])}")


def _rows_of_summary(submission: Submission, facts: Facts) -> Finding:
    sheet = _sheet(tables.read_sheets(submission, BOOK), "Summary")
    found = [str(row["Month"]).strip() for row in tables.find_records(sheet.values, SUMMARY, "Summary")]
    header = [str(cell).strip() for cell in sheet.values[0] if cell is not None]
    good = found == list(facts["sums"]) and header == SUMMARY
    return finding(good, f"rows {found}, expected {list(facts['sums'])}; columns {header}, expected {SUMMARY}")


def _wrong(sheets: dict[str, Sheet], sums: Mapping[str, Mapping[str, float]]) -> dict[tuple[str, str], str]:
    """Which sums differ, by month and region, each with what was found."""
    rows = _summary(sheets)
    return {
        (month, column): f"{month} {column} is {found}, not {amount:.2f}"
        for month, row in sums.items()
        for column, amount in row.items()
        if not near(found := rows.get(fold(month), {}).get(column), amount)
    }


def _cells(submission: Submission, facts: Facts, *, totals: bool) -> Finding:
    found = _wrong(tables.read_sheets(submission, BOOK), facts["sums"])
    wrong = [says for place, says in found.items() if ("Total" in place) == totals]
    return finding(not wrong, "; ".join(wrong[:6]) or "they are right")


def _sums(submission: Submission, facts: Facts) -> Finding:
    return _cells(submission, facts, totals=False)


def _totals(submission: Submission, facts: Facts) -> Finding:
    return _cells(submission, facts, totals=True)


def _live(submission: Submission, facts: Facts) -> Finding:
    """Raise the prices of some orders, other months in each region, then of all, and look at all sums."""
    sheets = tables.read_sheets(submission, BOOK)
    wrong: list[str] = []
    raised = 0
    for months in (RAISED, dict.fromkeys(REGIONS, MONTHS)):
        changes, expected = _raised(_sheet(sheets, "Data").values, facts, months)
        wrong += _wrong(tables.recompute_sheets(submission, BOOK, changes), expected).values()
        raised = len(changes)
    says = f"after raising up to {raised} prices by {RAISE:g}: "
    return finding(raised > 0 and not wrong, says + ("; ".join(wrong[:4]) or "all sums follow"))


def _raised(
    data: Rows, facts: Facts, raised: Mapping[str, tuple[str, ...]]
) -> tuple[dict[tuple[str, int, int], float], dict[str, dict[str, float]]]:
    """Cells to change, and the sums that must follow."""
    header = [fold(str(cell)) for cell in data[0]]
    if "unit price" not in header or "order" not in header:
        raise InvalidArtifact(f"row 1 of Data is {data[0]}; it should hold {', '.join(DATA)}")
    order, price = header.index("order"), header.index("unit price")
    changes, sums = {}, {month: dict(row) for month, row in facts["sums"].items()}
    for row, cells in enumerate(data):
        fact, old = facts["orders"].get(str(cells[order]).strip()), to_decimal(cells[price])
        if fact is None or old is None or fact["date"][:7] not in raised.get(fact["region"], ()):
            continue
        changes["Data", row, price] = float(old) + RAISE
        for month in (fact["date"][:7], "Total"):
            for column in (fact["region"], "Total"):
                sums[month][column] += RAISE * fact["units"]
    return changes, sums


def _answer(submission: Submission, facts: Facts) -> Finding:
    named = [region for region in REGIONS if mentions(submission.answer, region)]
    return finding(named == [facts["best"]], f"named {named}, expected {facts['best']}")


ORDERS = (f"cells:{BOOK}#Data!*", f"rows:{BOOK}#Data", f"sheet:{BOOK}#Data")
DATES = (f"formats:{BOOK}#Data!*", f"looks:{BOOK}#Data")
SUMS = (f"cells:{BOOK}#Summary!*", f"rows:{BOOK}#Summary", f"sheet:{BOOK}#Summary")

CHECKS = group(
    "csv_to_workbook",
    "The exports are one live workbook",
    group(
        "data",
        "The orders of the quarter are in Data",
        leaf("each_once", "Each order of the quarter has one row", _each_once, observes=ORDERS, weight=2),
        leaf(
            "values",
            "Date, region, product, units and price are those of the order",
            _values,
            observes=ORDERS,
            weight=3,
        ),
        leaf("types", "Dates are dates, numbers are numbers", _types, observes=(*ORDERS, *DATES), kind="format"),
        leaf("amounts", "Amount is units times price", _amounts, observes=ORDERS, weight=2),
        weight=4,
    ),
    group(
        "summary",
        "Summary adds them up",
        leaf("layout", "Summary has the months and regions asked for", _rows_of_summary, observes=SUMS, kind="format"),
        leaf("sums", "The sums by month and region are right", _sums, observes=SUMS, weight=3),
        leaf("totals", "The totals are right", _totals, observes=SUMS, weight=2),
        leaf(
            "live",
            "The sums follow when a price is corrected",
            _live,
            observes=(*SUMS, *ORDERS, f"formulas:{BOOK}"),
            weight=3,
        ),
        weight=4,
    ),
    leaf("answer", "The answer names the region that sold most", _answer, observes=("answer",)),
    leaves.nothing_else(BOOK),
)
