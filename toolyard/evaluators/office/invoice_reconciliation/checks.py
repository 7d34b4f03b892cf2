"""Each invoice with its total, postings and payments; sums and counts that follow what they are made of."""

import datetime
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolyard.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from toolyard.evaluators.readers.answers import single_number, words
from toolyard.evaluators.readers.files import only_changed
from toolyard.evaluators.readers.sheets import book, number_format_meaning
from toolyard.evaluators.readers.tables import Sheet, near, recomputed, records, to_date, to_decimal, workbook
from toolyard.evaluators.submission import Submission

BOOK = "reconciliation.xlsx"
HEADERS = {
    "Invoices": ["File", "Vendor", "Invoice no.", "Date", "Total", "Ledger", "Paid", "Difference", "Status"],
    "Payments": ["Entry", "Booked", "Vendor", "Invoice no.", "Amount"],
    "Summary": ["Status", "Invoices", "Total", "Paid"],
}
MONEY = {"Invoices": ("Total", "Ledger", "Paid", "Difference"), "Payments": ("Amount",), "Summary": ("Total", "Paid")}
ADDED = 7.5
"""Euros that the check adds to payments and totals, more for each further row."""
Row = dict[str, Any]
Changes = dict[tuple[str, int, int], float | str]
Sums = Mapping[str, Mapping[str, float]]


def _sheet(sheets: Mapping[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _rows(sheets: Mapping[str, Sheet], name: str) -> list[Row]:
    return records(_sheet(sheets, name).values, HEADERS[name], name)


def _by_file(sheets: Mapping[str, Sheet]) -> dict[str, Row]:
    return {str(row["File"]).strip().rpartition("/")[2]: row for row in _rows(sheets, "Invoices")}


def _listed(submission: Submission, facts: Facts) -> Finding:
    found = [str(row["File"]).strip().rpartition("/")[2] for row in _rows(workbook(submission, BOOK), "Invoices")]
    wanted = sorted(facts["invoices"])
    odd = sorted(set(found) ^ set(wanted)) or "none"
    return finding(found == wanted, f"{len(found)} rows for {len(wanted)} invoices by file name; odd: {odd}")


def _wrong(submission: Submission, facts: Facts, *columns: str) -> Finding:
    """Which invoices have other values in some columns than the facts."""
    rows = _by_file(workbook(submission, BOOK))
    wrong = [
        f"{file}: {name} is {rows[file][name] if file in rows else 'missing'}, not {truth}"
        for file, fact in facts["invoices"].items()
        for name, truth in _truths(fact).items()
        if name in columns and (file not in rows or not _same(rows[file][name], truth))
    ]
    return finding(not wrong, f"{len(wrong)} values are wrong: {'; '.join(wrong[:5])}" if wrong else "all are right")


def _truths(fact: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "Vendor": fact["vendor"],
        "Invoice no.": fact["number"],
        "Date": datetime.date.fromisoformat(fact["date"]),
        "Total": fact["total"],
        "Ledger": fact["ledger"],
        "Paid": fact["paid"],
        "Difference": fact["paid"] - fact["total"],
        "Status": fact["status"],
    }


def _same(found: Any, truth: Any) -> bool:
    if isinstance(truth, datetime.date):
        return isinstance(found, datetime.date) and to_date(found) == truth
    if isinstance(truth, float | int):
        return near(found, truth)
    return _plain(found) == _plain(truth)


def _plain(value: Any) -> str:
    """A text for comparison; an invoice number such as 004711 may have become a number."""
    text = words(str(value)).removesuffix(".0")
    return text.lstrip("0") if text.isdigit() else text


def _printed(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, "Vendor", "Invoice no.", "Date", "Total")


def _ledger(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, "Ledger")


def _paid(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, "Paid", "Difference")


def _status(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, "Status")


def _payments(submission: Submission, facts: Facts) -> Finding:
    rows = _rows(workbook(submission, BOOK), "Payments")
    found = sorted(
        [_plain(row["Entry"]), str(to_date(row["Booked"])), _plain(row["Vendor"]), _plain(row["Invoice no."]),
         f"{to_decimal(row['Amount']) or 0:.2f}"]
        for row in rows
    )  # fmt: skip
    wanted = sorted(
        [entry, day, _plain(vendor), _plain(number), f"{amount:.2f}"]
        for entry, day, vendor, number, amount in facts["payments"]
    )
    odd = [each for each in found if each not in wanted] + [each for each in wanted if each not in found]
    untyped = [row["Entry"] for row in rows if not isinstance(row["Booked"], datetime.date)]
    says = f"{len(found)} rows for {len(wanted)} payments; odd: {odd[:4]}; without a date: {untyped[:4]}"
    return finding(found == wanted and not untyped, says)


def _expected(facts: Facts) -> dict[str, dict[str, float]]:
    return _summed(
        facts["states"], [(each["status"], each["total"], each["paid"]) for each in facts["invoices"].values()]
    )


def _summed(states: list[str], invoices: list[tuple[str, float, float]]) -> dict[str, dict[str, float]]:
    """The summary by status and in total, of status, total and paid amount of each invoice."""
    found = {}
    for state in (*states, "Total"):
        of = [each for each in invoices if state in (each[0], "Total")]
        found[state] = {"Invoices": len(of), "Total": sum(each[1] for each in of), "Paid": sum(each[2] for each in of)}
    return found


def _off(sheets: Mapping[str, Sheet], expected: Sums, *columns: str) -> list[str]:
    rows = {words(str(row["Status"])): row for row in _rows(sheets, "Summary")}
    return [
        f"{column} of {state} is {rows.get(words(state), {}).get(column)}, not {values[column]:.2f}"
        for state, values in expected.items()
        for column in columns
        if not near(rows.get(words(state), {}).get(column), values[column])
    ]


def _counted(submission: Submission, facts: Facts) -> Finding:
    """Rows in order, each figure right."""
    sheets, wanted = workbook(submission, BOOK), [*facts["states"], "total"]
    found = [words(str(row["Status"])) for row in _rows(sheets, "Summary")]
    wrong = _off(sheets, _expected(facts), "Invoices", "Total", "Paid")
    return finding(found == wanted and not wrong, f"rows {found}; wrong: {'; '.join(wrong[:5])}")


def _live_payments(submission: Submission, facts: Facts) -> Finding:
    """Raise every payment and total and give some payments to the invoices that have none; statuses may follow."""
    sheets = workbook(submission, BOOK)
    changes, paid, totals = _payments_moved(sheets, facts)
    after = recomputed(submission, BOOK, changes)
    rows = _by_file(after)
    wrong = [
        f"{name} of {file} is {rows.get(file, {}).get(name)}, not {value:.2f}"
        for file in facts["invoices"]
        for name, value in (("Paid", paid[file]), ("Difference", paid[file] - totals[file]))
        if not near(rows.get(file, {}).get(name), value)
    ]
    every = {"Total": {"Total": sum(totals.values()), "Paid": sum(paid.values()), "Invoices": len(paid)}}
    wrong += _off(after, every, "Total", "Paid")
    says = f"after {len(changes)} corrections of payments and totals: "
    return finding(len(changes) > 60 and not wrong, says + ("; ".join(wrong[:4]) or "everything follows"))


def _payments_moved(sheets: Mapping[str, Sheet], facts: Facts) -> tuple[Changes, dict[str, float], dict[str, float]]:
    """Cells to change, and what each file is then paid and totals."""
    changes: Changes = {}
    invoices, payments = _sheet(sheets, "Invoices"), _sheet(sheets, "Payments")
    named = _columns(invoices, "Invoices")
    lines = {str(row[named["File"]]).strip().rpartition("/")[2]: (n, row) for n, row in enumerate(invoices.values)}
    totals = {file: fact["total"] for file, fact in facts["invoices"].items()}
    paid = dict.fromkeys(totals, 0.0)
    files = {(_plain(each["vendor"]), _plain(each["number"])): file for file, each in facts["invoices"].items()}
    bare = [file for file, each in facts["invoices"].items() if each["paid"] == 0 and file in lines]
    for number, file in enumerate(totals):
        if file in lines:
            totals[file] += 100 + number
            changes["Invoices", lines[file][0], named["Total"]] = totals[file]
    at = _columns(payments, "Payments")
    for number, row in enumerate(payments.values):
        file = files.get((_plain(row[at["Vendor"]]), _plain(row[at["Invoice no."]])), "")
        amount = to_decimal(row[at["Amount"]])
        if not file or amount is None:
            continue
        if bare:
            file = bare.pop()
            for column in ("Vendor", "Invoice no."):
                changes["Payments", number, at[column]] = _as_typed(lines[file][1][named[column]])
        changes["Payments", number, at["Amount"]] = float(amount) + ADDED + number
        paid[file] += float(amount) + ADDED + number
    return changes, paid, totals


def _as_typed(value: Any) -> str:
    """What a person types to get the same cell: a text of digits begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1].isdigit() else str(value)


def _columns(sheet: Sheet, name: str) -> dict[str, int]:
    head = [words(str(each)) for each in sheet.values[0]]
    missing = [each for each in HEADERS[name] if words(each) not in head]
    if missing:
        raise InvalidArtifact(f"row 1 of {name} has no {', '.join(missing)}")
    return {each: head.index(words(each)) for each in HEADERS[name]}


def _live_summary(submission: Submission, facts: Facts) -> Finding:
    """Give every invoice another status: the summary must count anew."""
    sheets, states = workbook(submission, BOOK), facts["states"]
    at = _columns(_sheet(sheets, "Invoices"), "Invoices")
    changes: Changes = {}
    invoices = []
    for number, row in enumerate(sheets["Invoices"].values):
        fact = facts["invoices"].get(str(row[at["File"]]).strip().rpartition("/")[2])
        if fact is not None:
            state = states[(states.index(fact["status"]) + 1 + number // 4) % len(states)]
            changes["Invoices", number, at["Status"]] = state
            invoices.append((state, fact["total"], fact["paid"]))
    wrong = _off(recomputed(submission, BOOK, changes), _summed(states, invoices), "Invoices", "Total", "Paid")
    written = [str(cell) for row in sheets["Summary"].formulas[1:8] for cell in row[1:4]]
    wrong += [f"{each} is typed in" for each in written if not each.startswith("=")]
    says = f"after {len(changes)} changes of status: "
    return finding(len(changes) > 20 and not wrong, says + ("; ".join(wrong[:4]) or "everything follows"))


def _layout(submission: Submission, _facts: Facts) -> Finding:
    sheets = workbook(submission, BOOK)
    wrong = []
    for name, wanted in HEADERS.items():
        first = sheets[name].values[0] if name in sheets and sheets[name].values else []
        found = [str(each).strip() for each in first if each is not None]
        wrong += [] if found == wanted else [f"{name} has {found}, not {wanted}"]
    return finding(not wrong, "; ".join(wrong) or "sheets and headers are as asked")


def _decimals(submission: Submission, _facts: Facts) -> Finding:
    sheets, looks = workbook(submission, BOOK), book(submission, BOOK)
    wrong = [
        f"{name}!{place}"
        for name, columns in MONEY.items()
        for place in _places(_sheet(sheets, name), columns)
        if not re.search(r"0\.00(?![0#?%])", number_format_meaning(looks.sheets[name].look(place).number_format))
    ]
    return finding(not wrong, f"{len(wrong)} amounts are not shown with two decimals: {', '.join(wrong[:8])}")


def _places(sheet: Sheet, columns: tuple[str, ...]) -> Iterator[str]:
    """The addresses of all numbers in some columns."""
    wanted = {words(each) for each in columns}
    for column, head in enumerate(sheet.values[0]):
        if words(str(head)) in wanted:
            for row, cells in enumerate(sheet.values[1:], 2):
                if to_decimal(cells[column]) is not None:
                    yield f"{chr(65 + column)}{row}"


def _answer(submission: Submission, facts: Facts) -> Finding:
    wanted = sum(each["paid"] - each["total"] for each in facts["invoices"].values())
    found = single_number(submission.answer)
    return finding(near(found, wanted), f"expected {wanted:.2f}, found {found}")


def _kept(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, BOOK)


def _of(*sheets: str) -> tuple[str, ...]:
    kinds = (("cells", "!*"), ("rows", ""), ("sheet", ""))
    return tuple(f"{kind}:{BOOK}#{sheet}{rest}" for sheet in sheets for kind, rest in kinds)


INVOICES, PAYMENTS, SUMMARY = _of("Invoices"), _of("Payments"), _of("Summary")
FORMATS = tuple(f"formats:{BOOK}#{sheet}!*" for sheet in HEADERS)

CHECKS = group(
    "invoice_reconciliation",
    "The invoices of the quarter are reconciled",
    group(
        "invoices",
        "Each invoice stands there with what it is",
        leaf("listed", "Each invoice has one row, by file name", _listed, observes=INVOICES),
        leaf(
            "printed",
            "Vendor, number, date and total are as printed",
            _printed,
            observes=(*INVOICES, *FORMATS),
            weight=2,
        ),
        leaf("ledger", "The sums of the ledger are right", _ledger, observes=INVOICES, weight=2),
        leaf("paid", "Paid amounts and differences are right", _paid, observes=(*INVOICES, *PAYMENTS), weight=2),
        leaf("status", "Each status is right", _status, observes=INVOICES, weight=3),
        weight=4,
    ),
    leaf(
        "payments",
        "Just the transfers for these invoices are listed, each with its share",
        _payments,
        observes=(*PAYMENTS, *FORMATS),
        weight=2,
    ),
    group(
        "summary",
        "The figures are live",
        leaf("counted", "The summary is right", _counted, observes=(*SUMMARY, *INVOICES, *PAYMENTS), weight=2),
        leaf(
            "live_payments",
            "Paid and Difference follow payments and totals",
            _live_payments,
            observes=(*INVOICES, *PAYMENTS, *SUMMARY, f"formulas:{BOOK}#*"),
            weight=2,
        ),
        leaf(
            "live_summary",
            "The summary follows the statuses",
            _live_summary,
            observes=(*INVOICES, *SUMMARY, f"formulas:{BOOK}#Summary!*"),
            weight=2,
        ),
        weight=3,
    ),
    leaf("layout", "The sheets are laid out as asked", _layout, observes=_of(*HEADERS), kind="format", weight=0.5),
    leaf("decimals", "Amounts have two decimals", _decimals, observes=FORMATS, kind="format", weight=0.5),
    leaf("answer", "The answer is the sum of the differences", _answer, observes=("answer",)),
    leaf("kept", "Nothing else was touched", _kept, observes=("input:*", "stray:*"), kind="guardrail"),
)
