"""Every order once, with its true values; sums by month and region that follow their orders."""

import datetime
from collections.abc import Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, define_leaf, make_finding, make_group
from yardkit.evaluators.readers import tables
from yardkit.evaluators.readers.answers import mentions_name, simplify_text
from yardkit.evaluators.readers.tables import Rows, Sheet, is_near, to_date, to_decimal
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


ORDERS = (f"cells:{BOOK}#Data!*", f"rows:{BOOK}#Data", f"sheet:{BOOK}#Data")
DATES = (f"formats:{BOOK}#Data!*", f"looks:{BOOK}#Data")
SUMS = (f"cells:{BOOK}#Summary!*", f"rows:{BOOK}#Summary", f"sheet:{BOOK}#Summary")


def _find_sheet(sheets: dict[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _list_orders(submission: Submission) -> list[dict[str, Any]]:
    return tables.find_records(_find_sheet(tables.read_sheets(submission, BOOK), "Data").values, DATA, "Data")


def _map_summary(sheets: dict[str, Sheet]) -> dict[str, dict[str, Any]]:
    rows = tables.find_records(_find_sheet(sheets, "Summary").values, SUMMARY, "Summary")
    return {simplify_text(str(row["Month"])): row for row in rows}


@define_leaf("each_once", "Each order of the quarter has one row", *ORDERS, weight=2)
def _each_once(submission: Submission, facts: Facts) -> Finding:
    order_numbers = sorted(str(row["Order"]).strip() for row in _list_orders(submission))
    expected_numbers = sorted(facts["orders"])
    unexpected = sorted(set(order_numbers) ^ set(expected_numbers)) or sorted(
        {order for order in order_numbers if order_numbers.count(order) > 1}
    )
    return make_finding(
        order_numbers == expected_numbers,
        f"{len(order_numbers)} rows for {len(expected_numbers)} orders; wrong: {', '.join(unexpected[:10])}",
    )


@define_leaf("values", "Date, region, product, units and price are those of the order", *ORDERS, weight=3)
def _check_values(submission: Submission, facts: Facts) -> Finding:
    rows = {str(row["Order"]).strip(): row for row in _list_orders(submission)}
    wrong = [number for number, fact in facts["orders"].items() if not _matches_order(rows.get(number, {}), fact)]
    return make_finding(not wrong, f"{len(wrong)} orders with other values: {', '.join(wrong[:10])}")


def _matches_order(row: dict[str, Any], fact: dict[str, Any]) -> bool:
    named = str(row.get("Product")).strip() == fact["product"] and simplify_text(
        str(row.get("Region"))
    ) == simplify_text(fact["region"])
    counted = is_near(row.get("Units"), fact["units"]) and is_near(row.get("Unit price"), fact["price"])
    day = to_date(row.get("Date"))
    return named and counted and day is not None and day.isoformat() == fact["date"]


@define_leaf("types", "Dates are dates, numbers are numbers", *ORDERS, *DATES, kind="format")
def _check_types(submission: Submission, _facts: Facts) -> Finding:
    wrong = [
        f"{row['Order']}: {name} is {row[name]!r}"
        for row in _list_orders(submission)
        for name, kinds in (("Date", (datetime.date,)), ("Units", (int, float)), ("Unit price", (int, float)))
        if not isinstance(row[name], kinds)
    ]
    return make_finding(not wrong, f"not typed: {'; '.join(wrong[:5])}" if wrong else "dates and numbers are typed")


@define_leaf("amounts", "Amount is units times price", *ORDERS, weight=2)
def _check_amounts(submission: Submission, facts: Facts) -> Finding:
    rows = {str(row["Order"]).strip(): row["Amount"] for row in _list_orders(submission)}
    expected_amounts = {number: fact["units"] * fact["price"] for number, fact in facts["orders"].items()}
    wrong = [number for number, amount in expected_amounts.items() if not is_near(rows.get(number), amount)]
    return make_finding(not wrong, f"{len(wrong)} orders with another amount: {', '.join(wrong[:10])}")


@define_leaf("layout", "Summary has the months and regions asked for", *SUMS, kind="format")
def _rows_of_summary(submission: Submission, facts: Facts) -> Finding:
    sheet = _find_sheet(tables.read_sheets(submission, BOOK), "Summary")
    months = [str(row["Month"]).strip() for row in tables.find_records(sheet.values, SUMMARY, "Summary")]
    header = [str(cell).strip() for cell in sheet.values[0] if cell is not None]
    good = months == list(facts["sums"]) and header == SUMMARY
    return make_finding(good, f"rows {months}, expected {list(facts['sums'])}; columns {header}, expected {SUMMARY}")


def _find_wrong_sums(sheets: dict[str, Sheet], sums: Mapping[str, Mapping[str, float]]) -> dict[tuple[str, str], str]:
    """Which sums differ, by month and region, each with what was found."""
    rows = _map_summary(sheets)
    return {
        (month, column): f"{month} {column} is {stored_amount}, not {amount:.2f}"
        for month, row in sums.items()
        for column, amount in row.items()
        if not is_near(stored_amount := rows.get(simplify_text(month), {}).get(column), amount)
    }


def _check_summary_cells(submission: Submission, facts: Facts, *, totals: bool) -> Finding:
    wrong_sums = _find_wrong_sums(tables.read_sheets(submission, BOOK), facts["sums"])
    wrong = [message for place, message in wrong_sums.items() if ("Total" in place) == totals]
    return make_finding(not wrong, "; ".join(wrong[:6]) or "they are right")


@define_leaf("sums", "The sums by month and region are right", *SUMS, weight=3)
def _check_sums(submission: Submission, facts: Facts) -> Finding:
    return _check_summary_cells(submission, facts, totals=False)


@define_leaf("totals", "The totals are right", *SUMS, weight=2)
def _check_totals(submission: Submission, facts: Facts) -> Finding:
    return _check_summary_cells(submission, facts, totals=True)


@define_leaf("live", "The sums follow when a price is corrected", *SUMS, *ORDERS, f"formulas:{BOOK}", weight=3)
def _check_live_formulas(submission: Submission, facts: Facts) -> Finding:
    """Raise the prices of some orders, other months in each region, then of all, and look at all sums."""
    sheets = tables.read_sheets(submission, BOOK)
    wrong: list[str] = []
    raised = 0
    for months in (RAISED, dict.fromkeys(REGIONS, MONTHS)):
        changes, expected = _raise_prices(_find_sheet(sheets, "Data").values, facts, months)
        wrong += _find_wrong_sums(tables.recompute_sheets(submission, BOOK, changes), expected).values()
        raised = len(changes)
    evidence = f"after raising up to {raised} prices by {RAISE:g}: "
    return make_finding(raised > 0 and not wrong, evidence + ("; ".join(wrong[:4]) or "all sums follow"))


def _raise_prices(
    data: Rows, facts: Facts, raised: Mapping[str, tuple[str, ...]]
) -> tuple[dict[tuple[str, int, int], float], dict[str, dict[str, float]]]:
    """Cells to change, and the sums that must follow."""
    header = [simplify_text(str(cell)) for cell in data[0]]
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


@define_leaf("answer", "The answer names the region that sold most", "answer")
def _check_answer(submission: Submission, facts: Facts) -> Finding:
    named = [region for region in REGIONS if mentions_name(submission.answer, region)]
    return make_finding(named == [facts["best"]], f"named {named}, expected {facts['best']}")


CHECKS = make_group(
    "csv_to_workbook",
    "The exports are one live workbook",
    make_group(
        "data",
        "The orders of the quarter are in Data",
        _each_once,
        _check_values,
        _check_types,
        _check_amounts,
        weight=4,
    ),
    make_group(
        "summary", "Summary adds them up", _rows_of_summary, _check_sums, _check_totals, _check_live_formulas, weight=4
    ),
    _check_answer,
    leaves.nothing_else(BOOK),
)
