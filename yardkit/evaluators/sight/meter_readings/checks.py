"""Each photo is either a reading or flagged with its reason; use and cost follow from the readings."""

import datetime
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Code, Date, FileName, Number, Row, Sheets, Table, Text, Trial

BOOK = "readings.xlsx"
AMOUNT = Number(0.0006, typed=True)
HEAD = ("Meter", "Date", "Reading", "Days", "Used", "Per day")
COLUMNS = ("Photo", "Meter", "Date", "Reading", "Reason")
READINGS = Table(
    BOOK,
    "Readings",
    {"Meter": Code(), "Date": Date(), "Reading": AMOUNT, "Days": AMOUNT, "Used": AMOUNT, "Per day": Number(0.006)},
    ("Meter", "Date"),
    lambda facts: [dict(zip(HEAD, row, strict=True)) for row in facts["readings"]],
)
FLAGGED = Table(
    BOOK,
    "Flagged",
    {"Photo": FileName(), "Meter": Code(), "Date": Date(), "Reading": AMOUNT, "Reason": Text()},
    ("Photo",),
    lambda facts: [dict(zip(COLUMNS, row, strict=True)) for row in facts["flagged"]],
)
SUMMARY = Table(
    BOOK,
    "Summary",
    {"Meter": Code(), "Used": AMOUNT, "Per day": Number(0.006), "Price": AMOUNT, "Cost": Number(0.006)},
    ("Meter",),
    lambda facts: _summarize_readings(READINGS.truth(facts), facts["prices"]),
)


def _summarize_readings(readings: Iterable[Row], prices: Mapping[str, float]) -> list[Row]:
    """Use over the whole month, by meter."""
    rows: list[Row] = []
    for number, price in prices.items():
        own = [row for row in readings if row["Meter"] == number]
        used = own[-1]["Reading"] - own[0]["Reading"]
        per_day = used / (_parse_day(own[-1]) - _parse_day(own[0])).days
        rows.append({"Meter": number, "Used": used, "Per day": per_day, "Price": price, "Cost": used * price})
    return rows


def _parse_day(row: Row) -> datetime.date:
    return datetime.date.fromisoformat(row["Date"])


def _correct_readings(sheets: Sheets, facts: Facts) -> Trial:
    """Each reading but those of January is another one, and so is each price."""
    trial, rows, prices = Trial(), [dict(row) for row in READINGS.truth(facts)], dict(facts["prices"])
    lines = {READINGS.name(line.values): line for line in READINGS.list_lines(sheets)}
    for number in prices:
        own: list[dict[str, Any]] = [row for row in rows if row["Meter"] == number]
        prices[number] += 1.5
        for place, (before, row) in enumerate(pairwise(own), 1):
            row["Reading"] += 0.5 * place**2
            row["Used"] = row["Reading"] - before["Reading"]
            row["Per day"] = row["Used"] / row["Days"]
            if READINGS.name(row) in lines:
                trial.change_cell(lines[READINGS.name(row)], "Reading", row["Reading"])
    for line in SUMMARY.list_lines(sheets):
        for number, price in prices.items():
            if Code().same(line.values["Meter"], number):
                trial.change_cell(line, "Price", price)
    trial.expect_rows(READINGS, rows)
    trial.expect_rows(SUMMARY, _summarize_readings(rows, prices))
    return trial


CHECKS = make_group(
    "meter_readings",
    "February is read",
    make_group(
        "readings",
        "The readings that count are listed",
        leaves.check_rows(
            "each_once", "Each reading that counts has one row, in order", READINGS, ordered=True, weight=2
        ),
        leaves.check_cells("values", "The readings are those of the photos", READINGS, "Reading", weight=3),
        leaves.check_cells("use", "Days, use and use per day are right", READINGS, *HEAD[3:], weight=2),
        leaves.check_types("dates", "Dates are real dates", READINGS, "Date", filled=True),
        weight=4,
    ),
    make_group(
        "flagged",
        "Photos that do not count are reported",
        leaves.check_rows("told", "Just the photos that do not count are flagged", FLAGGED, weight=2),
        leaves.check_cells("reasons", "Each has its reason", FLAGGED, "Reason", weight=3),
        leaves.check_cells(
            "shown",
            "Number, date and reading are those of the photo",
            FLAGGED,
            "Meter",
            "Date",
            "Reading",
            covers=FLAGGED.formats,
        ),
        weight=3,
    ),
    make_group(
        "summary",
        "The month is added up",
        leaves.check_rows("meters", "Each of our meters has one row", SUMMARY),
        leaves.check_cells("sums", "Use, price and cost are right", SUMMARY, weight=2),
        leaves.check_live_formulas(
            "live",
            "Use and cost follow the readings and prices",
            _correct_readings,
            follows=(READINGS, SUMMARY),
            least=lambda facts: len(facts["readings"]),
            weight=3,
        ),
        leaves.check_decimals(
            "decimals", "Use per day and cost have two decimals", {READINGS: ("Per day",), SUMMARY: ("Per day", "Cost")}
        ),
        weight=3,
    ),
    leaves.check_headers("layout", "The sheets are laid out as asked", READINGS, FLAGGED, SUMMARY, weight=0.5),
    leaves.answer_number("The answer is the cost of both", lambda facts: facts["total"], 0.011),
    leaves.nothing_else(BOOK),
)
