"""Solutions and near misses of office/invoice_reconciliation."""

import csv
import datetime
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.sheet_layout import format_sheets
from yardkit.evaluators.solving.solver import find_paths, read_full_sheet, read_full_text, to_iso_day, write_book

BOOK = "reconciliation.xlsx"
INVOICES = ["File", "Vendor", "Invoice no.", "Date", "Total", "Ledger", "Paid", "Difference", "Status"]
PAYMENTS = ["Entry", "Booked", "Vendor", "Invoice no.", "Amount"]
SUMMARY = ["Status", "Invoices", "Total", "Paid"]
STATES = ["not posted", "ledger differs", "unpaid", "paid twice", "matched", "amount differs"]
DAYS = ("%d %B %Y", "%Y-%m-%d", "%d.%m.%Y")
Row = list[Any]
Invoice = dict[str, Any]


def solve(agent: Agent) -> str:
    """Read each invoice, sum its postings, find its transfers; SUMIFS by vendor and number, COUNTIF by status."""
    return _deliver_reconciliation(agent, live_status=False)


def alternative_statuses_by_formula_saved_without_values(agent: Agent, files: Path) -> str:
    """Statuses computed, SUMPRODUCT for payments, payments the other way round, saved by openpyxl."""
    answer = _deliver_reconciliation(agent, live_status=True)
    with open_edited(files / BOOK) as book:
        vendors, numbers, amounts = (f"Payments!${x}$2:${x}${book['Payments'].max_row}" for x in "CDE")
        for row in book["Invoices"].iter_rows(min_row=2):
            at = row[0].row
            row[6].value = f"=SUMPRODUCT(({vendors}=B{at})*({numbers}=C{at})*{amounts})"
        book.move_sheet("Summary", -2)
    return f"In all:\n**{answer} EUR**"


def alternative_totals_from_the_invoices_and_other_formats(agent: Agent, files: Path) -> str:
    """The last row of the summary taken from the invoices themselves, a currency in the formats, a file's folder."""
    answer = _deliver_reconciliation(agent, live_status=False)
    with open_edited(files / BOOK) as book:
        book["Summary"]["B8"], book["Summary"]["C8"] = "=COUNTA(Invoices!A2:A31)", "=SUM(Invoices!E2:E31)"
        for row in book["Invoices"].iter_rows(min_row=2):
            row[0].value = f"invoices/{row[0].value}"
            row[3].value = datetime.datetime.combine(row[3].value, datetime.time())
            for cell in row[4:8]:
                cell.number_format = '#,##0.00 "€"'
    return answer


def _credit_one_invoice(book: Any, _work: Solved) -> None:
    """One of the two invoices of a transfer gets all of it."""
    rows = list(book["Payments"].iter_rows(min_row=2))
    entries = [row[0].value for row in rows]
    first, second = next(
        (first_row, other)
        for first_row, other in pairwise(sorted(rows, key=lambda row: row[0].value))
        if first_row[0].value == other[0].value and entries.count(first_row[0].value) == 2
    )
    first[4].value += second[4].value
    book["Payments"].delete_rows(second[0].row)


def _make_copy_row(work: Solved) -> Row:
    name = next((work.files / "invoices" / "copies").glob("copy_of_*")).name
    return [name, "x", "1", datetime.date(2026, 2, 1), 1, 1, 0, -1, "unpaid"]


def _count_invoices(_old: Any, row: Mapping[str, Any], work: Solved) -> int:
    return sum(invoice["status"] == row["Status"] for invoice in work.facts["invoices"].values())


def _every_posting(book: Any, _work: Solved) -> None:
    """Postings count whatever their sign."""
    for row in book["Invoices"].iter_rows(min_row=2):
        if row[8].value == "matched" and row[0].row % 2:
            row[5].value, row[8].value = row[5].value * 2, "ledger differs"


in_invoices, in_summary, in_payments = (misses.InSheet(BOOK, name) for name in ("Invoices", "Summary", "Payments"))
near_miss_paid_pasted_as_values = in_invoices.frozen("Paid", caught_by="live_payments")
near_miss_counts_pasted_as_values = in_summary.column(
    "Invoices", _count_invoices, where=lambda row: row["Status"] != "Total", caught_by="live_summary"
)
near_miss_payments_found_by_number_alone = in_invoices.column(
    "Paid", (r"Payments!\$C\$2:\$C\$\d+,B\d+,", ""), caught_by="live_payments"
)
near_miss_reversals_not_counted = misses.edit_file(BOOK, _every_posting, caught_by=("ledger", "status"))
near_miss_collective_transfer_in_one_row = misses.edit_file(BOOK, _credit_one_invoice, caught_by=("payments", "paid"))
near_miss_returned_transfer_left_out = in_payments.row_gone(where=lambda row: row["Amount"] < 0, caught_by="payments")
near_miss_everything_paid_is_matched = in_invoices.column(
    "Status", (r"paid twice|amount differs", "matched"), caught_by=("status", "counted")
)
near_miss_copies_listed = in_invoices.row_added(_make_copy_row, caught_by="listed")
near_miss_totals_without_tax = in_invoices.column("Total", lambda total: round(total / 1.23, 2), caught_by="printed")
near_miss_answer_without_its_sign = misses.change_answer(
    lambda work: work.answer[1:] if work.answer.startswith("-") else f"-{work.answer}"
)
near_miss_copies_deleted = misses.delete_file("invoices/copies/copy_of_*")


def _deliver_reconciliation(agent: Agent, *, live_status: bool) -> str:
    invoices = [_read_invoice(agent, path) for path in find_paths(agent, "invoices", ".pdf")]
    _sum_postings(agent, invoices)
    payments = _read_payments(agent, invoices)
    last = len(payments) + 1
    rows = [_build_row(invoice, number, last, live_status=live_status) for number, invoice in enumerate(invoices, 2)]
    sheets: dict[str, list[Row]] = {
        "Invoices": [INVOICES, *rows],
        "Payments": [PAYMENTS, *(payments[::-1] if live_status else payments)],
        "Summary": [SUMMARY, *_build_summary(len(invoices) + 1)],
    }
    write_book(agent, BOOK, sheets, {"Invoices": "E2:H31", "Payments": f"E2:E{last}", "Summary": "C2:D8"})
    format_sheets(agent, BOOK, "Invoices", right="D1:H1", separator="I:I")
    format_sheets(agent, BOOK, "Payments", left="A:B", right="E1")
    format_sheets(agent, BOOK, "Summary", right="B1:D1")
    agent.call(
        "format_cells", path=BOOK, sheet="Summary", range="A8:D8", bold=True, border="thin", border_sides=["top"]
    )
    differences = agent.call("read_cells", path=BOOK, sheet="Invoices", range="H2:H31")["rows"]
    return f"{sum(row[0] for row in differences):.2f}"


def _build_row(invoice: Invoice, row: int, last: int, *, live_status: bool) -> Row:
    paid = f"=SUMIFS(Payments!$E$2:$E${last},Payments!$C$2:$C${last},B{row},Payments!$D$2:$D${last},C{row})"
    total, ledger, given = invoice["total"], invoice["ledger"], round(invoice["paid"], 2)
    status: str = "amount differs"
    if ledger is None:
        status = "not posted"
    elif abs(ledger - total) > 0.005:
        status = "ledger differs"
    elif given in (0, round(2 * total, 2), total):
        status = {0: "unpaid", total: "matched"}.get(given, "paid twice")
    if live_status and ledger is not None:
        states = f'IF(ROUND(G{row}-2*E{row},2)=0,"paid twice",IF(ROUND(G{row}-E{row},2)=0,"matched","amount differs"))'
        status = f'=IF(ROUND(F{row}-E{row},2)<>0,"ledger differs",IF(ROUND(G{row},2)=0,"unpaid",{states}))'
    names = [invoice["file"], invoice["vendor"], f"'{invoice['number']}", invoice["date"]]
    return [*names, total, ledger or 0, paid, f"=G{row}-E{row}", status]


def _build_summary(last: int) -> list[Row]:
    rows: list[Row] = []
    for row, state in enumerate(STATES, 2):
        status = f"Invoices!$I$2:$I${last}"
        sums = [f"=SUMIFS(Invoices!${name}$2:${name}${last},{status},A{row})" for name in "EG"]
        rows.append([state, f"=COUNTIF({status},A{row})", *sums])
    return [*rows, ["Total", *(f"=SUM({name}2:{name}7)" for name in "BCD")]]


def _read_invoice(agent: Agent, path: str) -> Invoice:
    text = agent.call("read_pdf_text", path=path)["pages"][0]["text"]
    invoice_fields = {name: re.findall(rf"^{name}:? (.+)$", text, re.M)[0] for name in ("Invoice", "Date")}
    total = re.findall(r"Total EUR\s+([\d,.]+)", text)[0]
    return {
        "file": path.rpartition("/")[2],
        "vendor": text.splitlines()[0].strip(),
        "number": invoice_fields["Invoice"].strip(),
        "date": to_iso_day(invoice_fields["Date"].strip(), *DAYS),
        "total": float(total.replace(",", "")),
        "ledger": None,
        "paid": 0.0,
    }


def _sum_postings(agent: Agent, invoices: list[Invoice]) -> None:
    by_key = {(invoice["vendor"], invoice["number"]): invoice for invoice in invoices}
    for row in read_full_sheet(agent, "ledger.xlsx", "Postings 2026"):
        posted = by_key.get((row[3], str(row[4])))
        if posted is not None:
            posted["ledger"] = round((posted["ledger"] or 0) + row[6], 2)


def _read_payments(agent: Agent, invoices: list[Invoice]) -> list[Row]:
    """The rows of the sheet; what was paid is added to the invoices."""
    lines = read_full_text(agent, "bank_2026q1.csv").splitlines()
    rows: list[Row] = []
    for entry, booked, who, reference, amount in csv.reader(filter(None, lines), delimiter=";"):
        mine = [invoice for invoice in invoices if invoice["vendor"] == who]
        if not entry.isdigit() or not mine:
            continue
        paid = -float(amount.replace(".", "").replace(",", "."))
        named = [record for record in mine if _strip_signs(record["number"]) in _strip_signs(reference)]
        if not named and not re.search(r"\d{4}-\d{4}", reference):
            named = [record for record in mine if record["total"] == paid]
        for record in named:
            share = paid if len(named) == 1 else record["total"]
            record["paid"] += share
            rows.append([int(entry), to_iso_day(booked, *DAYS), who, f"'{record['number']}", share])
    return rows


def _strip_signs(text: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", text.upper())
