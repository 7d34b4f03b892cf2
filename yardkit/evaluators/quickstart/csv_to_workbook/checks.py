"""Every order once, with its true values; sums by month and region that follow their orders."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Date, Exact, Kind, Number, Row, Sheets, Table, Text, Trial
from yardkit.evaluators.readers.tables import to_decimal

BOOK = "sales_q1.xlsx"
REGIONS = ("East", "North", "South", "West")
RAISE = 1000.0
"""Euros by which the check raises prices to see whether the sums follow."""
Months = Mapping[str, tuple[str, ...]]
ALL: Months = dict.fromkeys(REGIONS, ("2026-01", "2026-02", "2026-03"))
RAISED: Months = {"East": ("2026-01",), "North": ("2026-02", "2026-03"), "South": ("2026-03",)}
"""Months whose prices are raised first: not every sum changes alike."""


def _list_orders(facts: Facts) -> Iterator[Row]:
    for number, order in facts["orders"].items():
        units, price = order["units"], order["price"]
        named = {"Order": number, "Date": order["date"], "Region": order["region"], "Product": order["product"]}
        yield named | {"Units": units, "Unit price": price, "Amount": units * price}


def _list_sums(sums: Mapping[str, Mapping[str, float]]) -> list[Row]:
    return [{"Month": month, **row} for month, row in sums.items()]


VALUES: dict[str, Kind] = {"Date": Date(typed=False), "Region": Text(), "Product": Exact()}
VALUES |= {"Units": Number(), "Unit price": Number()}
DATA = Table(BOOK, "Data", {"Order": Exact(), **VALUES, "Amount": Number()}, ("Order",), _list_orders)
AMOUNTS = dict.fromkeys((*REGIONS, "Total"), Number())
SUMMARY = Table(BOOK, "Summary", {"Month": Text(), **AMOUNTS}, ("Month",), lambda facts: _list_sums(facts["sums"]))
SPELLED = replace(SUMMARY, columns={"Month": Exact(), **AMOUNTS})


def _raise_prices(months: Months, sheets: Sheets, facts: Facts) -> Trial:
    """The prices of some months in each region are raised; the sums that must follow."""
    trial, sums = Trial(), {month: dict(row) for month, row in facts["sums"].items()}
    for line in DATA.list_lines(sheets):
        order, price = facts["orders"].get(line.normalize_cell("Order")), to_decimal(line.values["Unit price"])
        if order and price is not None and order["date"][:7] in months.get(order["region"], ()):
            trial.change_cell(line, "Unit price", float(price) + RAISE)
            for month in (order["date"][:7], "Total"):
                for column in (order["region"], "Total"):
                    sums[month][column] += RAISE * order["units"]
    trial.expect_rows(SUMMARY, _list_sums(sums))
    return trial


CHECKS = make_group(
    "csv_to_workbook",
    "The exports are one live workbook",
    make_group(
        "data",
        "The orders of the quarter are in Data",
        leaves.check_rows("each_once", "Each order of the quarter has one row", DATA, weight=2),
        leaves.check_cells(
            "values", "Date, region, product, units and price are those of the order", DATA, *VALUES, weight=3
        ),
        leaves.check_types(
            "types",
            "Dates are dates, numbers are numbers",
            DATA,
            *("Date", "Units", "Unit price"),
            filled=True,
            covers=(f"looks:{BOOK}#Data",),
        ),
        leaves.check_cells("amounts", "Amount is units times price", DATA, "Amount", weight=2),
        weight=4,
    ),
    make_group(
        "summary",
        "Summary adds them up",
        leaves.all_of(
            "layout",
            "Summary has the months and regions asked for",
            leaves.check_headers("", "", SUMMARY),
            leaves.check_rows("", "", SPELLED, ordered=True),
            kind="format",
        ),
        leaves.check_cells(
            "sums",
            "The sums by month and region are right",
            SUMMARY,
            *REGIONS,
            where=lambda row: row["Month"] != "Total",
            weight=3,
        ),
        leaves.all_of(
            "totals",
            "The totals are right",
            leaves.check_cells("", "", SUMMARY, "Total"),
            leaves.check_cells("", "", SUMMARY, *REGIONS, where=lambda row: row["Month"] == "Total"),
            weight=2,
        ),
        leaves.all_of(
            "live",
            "The sums follow when a price is corrected",
            *(
                leaves.check_live_formulas("", "", partial(_raise_prices, months), follows=(SUMMARY, DATA))
                for months in (RAISED, ALL)
            ),
            weight=3,
        ),
        weight=4,
    ),
    leaves.answer_name(
        "The answer names the region that sold most", lambda facts: facts["best"], lambda _facts: REGIONS
    ),
    leaves.nothing_else(BOOK),
)
