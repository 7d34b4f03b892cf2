"""Each invoice with its total, postings and payments; sums and counts that follow what they are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import Code, Date, FileName, Kind, Line, Number, Row, Sheets, Table, Text, Trial
from yardkit.evaluators.readers.tables import to_decimal

if TYPE_CHECKING:
    from yardkit.state_init.office.invoice_reconciliation import InvoiceReconciliationFacts as Facts

BOOK = "reconciliation.xlsx"
EUROS = Number()
PRINTED = ("Vendor", "Invoice no.", "Date", "Total")
ADDED = 7.5
"""Euros that the check adds to payments, more for each further row."""


def _list_invoices(facts: Facts) -> list[Row]:
    return [
        {"File": file, "Vendor": invoice["vendor"], "Invoice no.": invoice["number"], "Date": invoice["date"],
         "Total": invoice["total"], "Ledger": invoice["ledger"], "Paid": invoice["paid"],
         "Difference": invoice["paid"] - invoice["total"], "Status": invoice["status"]}
        for file, invoice in sorted(facts["invoices"].items())
    ]  # fmt: skip


def _sum_invoices(facts: Facts, invoices: Iterable[Row]) -> list[Row]:
    """The rows of the summary, by status and in total."""
    rows = list(invoices)
    by_state = {state: [row for row in rows if row["Status"] == state] for state in facts["states"]} | {"Total": rows}
    return [
        {"Status": state, "Invoices": len(of), **{name: sum(row[name] for row in of) for name in ("Total", "Paid")}}
        for state, of in by_state.items()
    ]


INVOICES = Table(
    BOOK,
    "Invoices",
    {"File": FileName(), "Vendor": Text(), "Invoice no.": Code(), "Date": Date(),
     **dict.fromkeys(("Total", "Ledger", "Paid", "Difference"), EUROS), "Status": Text()},
    ("File",),
    _list_invoices,
)  # fmt: skip
PAID: dict[str, Kind] = {"Entry": Code(), "Booked": Date(), "Vendor": Text(), "Invoice no.": Code(), "Amount": EUROS}
PAYMENTS = Table(
    BOOK,
    "Payments",
    PAID,
    ("Entry",),
    lambda facts: [dict(zip(PAID, payment, strict=True)) for payment in facts["payments"]],
)
SUMMARY = Table(
    BOOK,
    "Summary",
    {"Status": Text(), **dict.fromkeys(("Invoices", "Total", "Paid"), EUROS)},
    ("Status",),
    lambda facts: _sum_invoices(facts, _list_invoices(facts)),
)


def _payments_moved(sheets: Sheets, facts: Facts) -> Trial:
    """Raise every payment and total and give some payments to the invoices that have none; statuses may follow."""
    trial, paid = Trial(), defaultdict[str, float](float)
    lines = {INVOICES.name(line.values): line for line in INVOICES.list_lines(sheets)}
    truth = {str(row["File"]): row for row in _list_invoices(facts)}
    totals = {file: row["Total"] + 100 + number for number, (file, row) in enumerate(truth.items())}
    for file in [file for file in totals if file in lines]:
        trial.change_cell(lines[file], "Total", totals[file])
    of = {_get_owner(INVOICES, row): file for file, row in truth.items()}
    bare = [file for file, row in truth.items() if row["Paid"] == 0 and file in lines]
    for line in PAYMENTS.list_lines(sheets):
        file, amount = of.get(_get_owner(PAYMENTS, line.values), ""), to_decimal(line.values["Amount"])
        if file and amount is not None:
            file = _reassign_payment(trial, line, lines[bare.pop()]) if bare else file
            more = float(amount) + ADDED + line.number
            trial.change_cell(line, "Amount", more)
            paid[file] += more
    trial.expect_rows(
        INVOICES, [{"File": file, "Paid": paid[file], "Difference": paid[file] - totals[file]} for file in totals]
    )
    trial.expect_rows(SUMMARY, [{"Status": "Total", "Total": sum(totals.values()), "Paid": sum(paid.values())}])
    return trial


def _get_owner(table: Table, row: Row) -> tuple[str, ...]:
    return tuple(table.columns[column].normalize_value(row[column]) for column in ("Vendor", "Invoice no."))


def _reassign_payment(trial: Trial, payment: Line, invoice: Line) -> str:
    """Let a payment belong to another invoice; the invoice's file."""
    for column in ("Vendor", "Invoice no."):
        trial.change_cell(payment, column, str(invoice.values[column]))
    return invoice.normalize_cell("File")


def _states_moved(sheets: Sheets, facts: Facts) -> Trial:
    """Give every invoice another status: the summary must count anew."""
    trial, states, rows = Trial(), facts["states"], []
    truth = {str(row["File"]): row for row in _list_invoices(facts)}
    for line in INVOICES.list_lines(sheets):
        row = truth.get(line.normalize_cell("File"))
        if row is not None:
            state = states[(states.index(row["Status"]) + 1 + line.number // 4) % len(states)]
            trial.change_cell(line, "Status", state)
            rows.append({**row, "Status": state})
    trial.expect_rows(SUMMARY, _sum_invoices(facts, rows))
    return trial


PRINTED_RIGHT = "Vendor, number, date and total are as printed"
PAID_RIGHT = "Paid amounts and differences are right"
CHECKS = make_group(
    "invoice_reconciliation",
    "The invoices of the quarter are reconciled",
    make_group(
        "invoices",
        "Each invoice is listed with its data",
        leaves.check_rows("listed", "Each invoice has one row, by file name", INVOICES, ordered=True),
        leaves.check_cells("printed", PRINTED_RIGHT, INVOICES, *PRINTED, covers=INVOICES.formats, weight=2),
        leaves.check_cells("ledger", "The sums of the ledger are right", INVOICES, "Ledger", weight=2),
        leaves.check_cells("paid", PAID_RIGHT, INVOICES, "Paid", "Difference", covers=PAYMENTS.covers, weight=2),
        leaves.check_cells("status", "Each status is right", INVOICES, "Status", weight=3),
        weight=4,
    ),
    leaves.check_exact_rows(
        "payments",
        "Just the transfers for these invoices are listed, each with its share",
        PAYMENTS,
        covers=PAYMENTS.formats,
        weight=2,
    ),
    make_group(
        "summary",
        "The figures are live",
        leaves.all_of(
            "counted",
            "The summary is right",
            leaves.check_rows("", "", SUMMARY, ordered=True),
            leaves.check_cells("", "", SUMMARY, covers=(*INVOICES.covers, *PAYMENTS.covers)),
            weight=2,
        ),
        leaves.check_live_formulas(
            "live_payments",
            "Paid and Difference follow payments and totals",
            _payments_moved,
            follows=(INVOICES, SUMMARY),
            of=(PAYMENTS,),
            least=lambda _: 61,
            weight=2,
        ),
        leaves.all_of(
            "live_summary",
            "The summary follows the statuses",
            leaves.check_live_formulas("", "", _states_moved, follows=(SUMMARY,), of=(INVOICES,), least=lambda _: 21),
            leaves.check_formulas("", "", SUMMARY, "Invoices", "Total", "Paid"),
            weight=2,
        ),
        weight=3,
    ),
    leaves.check_headers("layout", "The sheets are laid out as asked", INVOICES, PAYMENTS, SUMMARY, weight=0.5),
    leaves.check_decimals(
        "decimals",
        "Amounts have two decimals",
        {INVOICES: ("Total", "Ledger", "Paid", "Difference"), PAYMENTS: ("Amount",), SUMMARY: ("Total", "Paid")},
        weight=0.5,
    ),
    leaves.answer_number(
        "The answer is the sum of the differences",
        lambda facts: sum(invoice["paid"] - invoice["total"] for invoice in facts["invoices"].values()),
        0.005,
    ),
    leaves.nothing_else(BOOK),
)
