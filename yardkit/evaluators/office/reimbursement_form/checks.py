"""The form holds what receipts, policy and mails say and is still the form; the note explains what is not paid."""

import datetime
from collections.abc import Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.office.documents import Table, read_document
from yardkit.evaluators.readers.office.workbooks import read_book, same_number_format
from yardkit.evaluators.readers.tables import is_near, read_sheets, recompute_sheets, to_date, to_decimal
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

CLAIM, NOTE, FORM = "claim.xlsx", "claim_note.docx", "forms/travel_expenses.xlsx"
FIELDS = {"claimant": "C4", "personnel_no": "C5", "cost_centre": "C6", "purpose": "C7", "country": "C8"}
DATES = {"first_day": "C9", "last_day": "C10"}
EXPENSES, DAYS = range(14, 26), range(30, 38)
INPUT = (
    *FIELDS.values(),
    *DATES.values(),
    *(f"{column}{row}" for row in EXPENSES for column in "BCDEFGI"),
    *(f"{column}{row}" for row in DAYS for column in "BCDEFG"),
)
"""The yellow cells."""
HEADER = ["Receipt", "Paid EUR", "Reimbursed EUR", "Reason"]


CELLS = (f"cells:{CLAIM}#Claim!*", f"sheet:{CLAIM}#Claim", f"rows:{CLAIM}#Claim")
REST = tuple(f"{kind}:{CLAIM}#*" for kind in ("formulas", "validations", "rules", "visibility", "looks", "formats"))
LISTS = (f"cells:{CLAIM}#Lists!*", f"sheet:{CLAIM}#Lists", f"rows:{CLAIM}#Lists")


class _Form:
    """The values of the delivered form by address."""

    def __init__(self, submission: Submission, *, computed: bool = False) -> None:
        sheets = recompute_sheets(submission, CLAIM, {}) if computed else read_sheets(submission, CLAIM)
        if "Claim" not in sheets:
            raise InvalidArtifact(f"{CLAIM} has no sheet 'Claim', only {', '.join(sheets)}")
        self.values = sheets["Claim"].values

    def __getitem__(self, place: str) -> Any:
        row, column = int(place[1:]) - 1, ord(place[0]) - ord("A")
        cells = self.values[row] if row < len(self.values) else []
        value = cells[column] if column < len(cells) else None
        return None if isinstance(value, str) and not value.strip() else value

    def rows(self, lines: Sequence[int], columns: str) -> list[list[Any]]:
        """The rows of a block that hold anything."""
        filled_rows = [[self[f"{column}{line}"] for column in columns] for line in lines]
        return [row for row in filled_rows if any(cell is not None for cell in row)]

    def list_gaps(self, lines: Sequence[int], columns: str) -> list[int]:
        """The empty rows of a block that have others below them."""
        filled = [line for line in lines if any(self[f"{column}{line}"] is not None for column in columns)]
        return [line for line in lines if filled and line < filled[-1] and line not in filled]


@define_leaf("fields", "Name, number, cost centre, purpose, country and days are right", *CELLS, weight=2)
def _check_fields(submission: Submission, facts: Facts) -> Finding:
    form, expected_fields = _Form(submission), facts["fields"]
    form_fields = {name: simplify_text(str(form[place])).removesuffix(".0") for name, place in FIELDS.items()}
    wrong = [
        f"{name} is {text!r}" for name, text in form_fields.items() if text != simplify_text(expected_fields[name])
    ]
    for name, place in DATES.items():
        day = form[place]
        if not isinstance(day, datetime.date) or str(to_date(day)) != expected_fields[name]:
            wrong.append(f"{name} is {day!r}")
    return make_finding(not wrong, "; ".join(wrong) or "the head of the form is right")


def _describe_expense(row: Sequence[Any]) -> tuple[str, str, str, str]:
    """Day, type, amount and currency of a row of the form."""
    day, kind, amount, currency = row
    day_text = str(to_date(day)) if isinstance(day, datetime.date) else f"not a date: {day!r}"
    return day_text, simplify_text(str(kind)), f"{to_decimal(amount) or 0:.2f}", simplify_text(str(currency))


def _list_expected_expenses(facts: Facts) -> list[tuple[str, str, str, str]]:
    return [
        (day, simplify_text(kind), f"{amount:.2f}", simplify_text(money))
        for day, kind, amount, money, *_ in facts["expenses"]
    ]


@define_leaf("receipts", "Just the receipts that are reimbursed are entered", *CELLS, weight=3)
def _check_receipts(submission: Submission, facts: Facts) -> Finding:
    form = _Form(submission)
    rows, gaps = form.rows(EXPENSES, "BCEF"), form.list_gaps(EXPENSES, "BCEF")
    expenses, expected_expenses = sorted(map(_describe_expense, rows)), sorted(_list_expected_expenses(facts))
    unexpected = [pair for pair in expenses if pair not in expected_expenses] + [
        pair for pair in expected_expenses if pair not in expenses
    ]
    evidence = (
        f"{len(expenses)} rows for {len(expected_expenses)} receipts; odd: {unexpected[:5]}; empty rows between them:"
        f" {gaps}"
    )
    return make_finding(expenses == expected_expenses and not gaps, evidence)


def _of_rows(submission: Submission, facts: Facts, columns: str, places: Sequence[int], tolerance: float) -> Finding:
    """Whether further columns of each receipt hold what the facts have at some places."""
    rows = {_describe_expense(row[:4]): row[4:] for row in _Form(submission).rows(EXPENSES, f"BCEF{columns}")}
    wrong = [
        f"{key}: {rows.get(key)}, not {[fact[place] for place in places]}"
        for key, fact in zip(_list_expected_expenses(facts), facts["expenses"], strict=True)
        if key not in rows
        or not all(is_near(cell, fact[place], tolerance) for cell, place in zip(rows[key], places, strict=True))
    ]
    return make_finding(not wrong, f"{len(wrong)} receipts are wrong: {'; '.join(wrong[:4])}")


@define_leaf("rates", "Each receipt has the rate of its day", *CELLS, weight=2)
def _check_rates(submission: Submission, facts: Facts) -> Finding:
    return _of_rows(submission, facts, "G", [4], 0.00002)


@define_leaf("reimbursed", "Each gets what the policy allows", *CELLS, weight=3)
def _check_reimbursed(submission: Submission, facts: Facts) -> Finding:
    amounts = [to_decimal(row[0]) for row in _Form(submission).rows(EXPENSES, "I")]
    unrounded = [
        str(amount) for amount in amounts if amount is None or abs(float(amount) - round(float(amount), 2)) > 1e-6
    ]
    if unrounded:
        return make_finding(holds=False, evidence=f"no amounts in full cents: {', '.join(unrounded[:5])}")
    return _of_rows(submission, facts, "I", [6], 0.011)


@define_leaf("days", "Each day has its kind and its free meals", *CELLS, weight=3)
def _check_days(submission: Submission, facts: Facts) -> Finding:
    form = _Form(submission)
    rows, gaps = form.rows(DAYS, "BCEFG"), form.list_gaps(DAYS, "BCEFG")
    day_rows = sorted([str(to_date(row[0])), *(simplify_text(str(cell or "")) for cell in row[1:])] for row in rows)
    expected_days = sorted([day, *(simplify_text(cell) for cell in rest)] for day, *rest in facts["days"])
    untyped = [row[0] for row in rows if not isinstance(row[0], datetime.date)]
    unexpected = [day for day in day_rows if day not in expected_days] + [
        day for day in expected_days if day not in day_rows
    ]
    evidence = (
        f"{len(day_rows)} days, {len(expected_days)} expected; odd: {unexpected[:5]}; empty rows between them: {gaps}"
    )
    return make_finding(day_rows == expected_days and not untyped and not gaps, evidence)


@define_leaf("totals", "The form adds up to the amount paid out", *CELLS, *LISTS, weight=2)
def _check_totals(submission: Submission, facts: Facts) -> Finding:
    """The three totals, as stored and as the form computes them."""
    expected_totals = {
        "I26": facts["totals"]["receipts"],
        "H38": facts["totals"]["days"],
        "H40": facts["totals"]["all"],
    }
    wrong = []
    for source_name, form in (("stored", _Form(submission)), ("computed", _Form(submission, computed=True))):
        wrong += [
            f"{place} is {form[place]} ({source_name}), not {v:.2f}"
            for place, v in expected_totals.items()
            if not is_near(form[place], v, 0.03)
        ]
    return make_finding(not wrong, "; ".join(wrong) or "the totals are right")


@define_leaf("form_kept", "Nothing but yellow cells changed", *CELLS, *LISTS, *REST, weight=2)
def _check_form_unchanged(submission: Submission, _facts: Facts) -> Finding:
    """All but the yellow cells is as in the empty form."""
    allowed = [f"{kind}#Claim!{place}" for place in INPUT for kind in ("cells", "formats")]
    return check_unchanged_outside(submission, CLAIM, *allowed, was=FORM)


@define_leaf("formats_kept", "The yellow cells kept their formats", *CELLS, *REST, kind="format")
def _check_formats_unchanged(submission: Submission, _facts: Facts) -> Finding:
    """The yellow cells look and are locked as in the empty form."""
    now = read_book(submission, CLAIM).sheets.get("Claim")
    before = read_book(submission.untouched, FORM).sheets["Claim"]
    if now is None:
        raise InvalidArtifact(f"{CLAIM} has no sheet 'Claim'")
    wrong = [
        place
        for place in INPUT
        if not same_number_format(now.look(place).number_format, before.look(place).number_format)
        or (now.look(place).locked, bool(now.look(place).fill)) != (before.look(place).locked, True)
    ]
    return make_finding(not wrong, f"{len(wrong)} cells have another format: {', '.join(wrong[:8])}")


def _find_table(submission: Submission) -> Table:
    tables = read_document(submission, NOTE).tables
    tables = [table for table in tables if table.rows and _normalize_row(table.rows[0]) == _normalize_row(HEADER)]
    if len(tables) != 1:
        raise InvalidArtifact(f"{NOTE} has {len(tables)} tables with the header {HEADER}")
    return tables[0]


def _normalize_row(row: Sequence[str]) -> list[str]:
    return [simplify_text(name) for name in row]


def _parse_receipt_name(cell: str) -> str:
    """The receipt that a cell names, with its folder and ending or without."""
    return simplify_text(cell).removeprefix("receipts/").removesuffix(".pdf")


@define_leaf("explained", "Each receipt not paid in full is listed with a reason", f"rows:{NOTE}")
def _check_explanations(submission: Submission, facts: Facts) -> Finding:
    rows = [row for row in _find_table(submission).rows[1:] if row[0].strip()]
    receipt_names = sorted(_parse_receipt_name(row[0]) for row in rows)
    expected_names = sorted(name.removesuffix(".pdf") for name in facts["cut"])
    reasons = {name.removesuffix(".pdf"): simplify_text(cut[2]) for name, cut in facts["cut"].items()}
    wrong = [row[0] for row in rows if simplify_text(row[3]) != reasons.get(_parse_receipt_name(row[0]))]
    unexpected = sorted(set(receipt_names) ^ set(expected_names))
    return make_finding(
        receipt_names == expected_names and not wrong,
        f"{len(receipt_names)} rows for {len(expected_names)}; odd: {unexpected}; reasons: {wrong}",
    )


@define_leaf("amounts", "The amounts of the note are right", f"rows:{NOTE}")
def _check_amounts(submission: Submission, facts: Facts) -> Finding:
    rows = {_parse_receipt_name(row[0]): row for row in _find_table(submission).rows[1:]}
    wrong = []
    for name, expected_amounts in facts["cut"].items():
        row = rows.get(name.removesuffix(".pdf"), ["", "", "", ""])
        cell_numbers = [find_numbers(cell) for cell in row[1:3]]
        if not all(
            len(sums) == 1 and is_near(sums[0], value, 0.011)
            for sums, value in zip(cell_numbers, expected_amounts[:2], strict=True)
        ):
            wrong.append(f"{name}: {row[1:3]}, not {expected_amounts}")
    return make_finding(not wrong, "; ".join(wrong[:5]) or "the amounts of the note are right")


CHECKS = make_group(
    "reimbursement_form",
    "The trip can be paid out",
    make_group(
        "form",
        "The form is filled in rightly",
        _check_fields,
        _check_receipts,
        _check_rates,
        _check_reimbursed,
        _check_days,
        _check_totals,
        weight=5,
    ),
    make_group("still_the_form", "It is still the form", _check_form_unchanged, _check_formats_unchanged, weight=2),
    make_group("note", "Accounting knows the unpaid expenses", _check_explanations, _check_amounts, weight=2),
    leaves.answer_number("The answer is the amount paid out", lambda facts: facts["totals"]["all"], 0.021),
    leaves.nothing_else(CLAIM, NOTE),
)
