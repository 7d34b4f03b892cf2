"""The form holds what receipts, policy and mails say and is still the form; the note explains what is not paid."""

import datetime
from collections.abc import Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.collateral import kept_outside
from yardkit.evaluators.readers.answers import find_numbers, fold, read_number
from yardkit.evaluators.readers.office.documents import Table, read_document
from yardkit.evaluators.readers.office.workbooks import read_book, same_number_format
from yardkit.evaluators.readers.tables import near, read_sheets, recompute_sheets, to_date, to_decimal
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
        found = [[self[f"{column}{line}"] for column in columns] for line in lines]
        return [row for row in found if any(cell is not None for cell in row)]

    def gaps(self, lines: Sequence[int], columns: str) -> list[int]:
        """The empty rows of a block that have others below them."""
        filled = [line for line in lines if any(self[f"{column}{line}"] is not None for column in columns)]
        return [line for line in lines if filled and line < filled[-1] and line not in filled]


def _fields(submission: Submission, facts: Facts) -> Finding:
    form, wanted = _Form(submission), facts["fields"]
    found = {name: fold(str(form[place])).removesuffix(".0") for name, place in FIELDS.items()}
    wrong = [f"{name} is {text!r}" for name, text in found.items() if text != fold(wanted[name])]
    for name, place in DATES.items():
        day = form[place]
        if not isinstance(day, datetime.date) or str(to_date(day)) != wanted[name]:
            wrong.append(f"{name} is {day!r}")
    return finding(not wrong, "; ".join(wrong) or "the head of the form is right")


def _expense(row: Sequence[Any]) -> tuple[str, str, str, str]:
    """Day, type, amount and currency of a row of the form."""
    day, kind, amount, currency = row
    told = str(to_date(day)) if isinstance(day, datetime.date) else f"not a date: {day!r}"
    return told, fold(str(kind)), f"{to_decimal(amount) or 0:.2f}", fold(str(currency))


def _wanted(facts: Facts) -> list[tuple[str, str, str, str]]:
    return [(day, fold(kind), f"{amount:.2f}", fold(money)) for day, kind, amount, money, *_ in facts["expenses"]]


def _receipts(submission: Submission, facts: Facts) -> Finding:
    form = _Form(submission)
    rows, gaps = form.rows(EXPENSES, "BCEF"), form.gaps(EXPENSES, "BCEF")
    found, wanted = sorted(map(_expense, rows)), sorted(_wanted(facts))
    odd = [pair for pair in found if pair not in wanted] + [pair for pair in wanted if pair not in found]
    says = f"{len(found)} rows for {len(wanted)} receipts; odd: {odd[:5]}; empty rows between them: {gaps}"
    return finding(found == wanted and not gaps, says)


def _of_rows(submission: Submission, facts: Facts, columns: str, places: Sequence[int], tolerance: float) -> Finding:
    """Whether further columns of each receipt hold what the facts have at some places."""
    rows = {_expense(row[:4]): row[4:] for row in _Form(submission).rows(EXPENSES, f"BCEF{columns}")}
    wrong = [
        f"{key}: {rows.get(key)}, not {[fact[place] for place in places]}"
        for key, fact in zip(_wanted(facts), facts["expenses"], strict=True)
        if key not in rows
        or not all(near(cell, fact[place], tolerance) for cell, place in zip(rows[key], places, strict=True))
    ]
    return finding(not wrong, f"{len(wrong)} receipts are wrong: {'; '.join(wrong[:4])}")


def _rates(submission: Submission, facts: Facts) -> Finding:
    return _of_rows(submission, facts, "G", [4], 0.00002)


def _reimbursed(submission: Submission, facts: Facts) -> Finding:
    amounts = [to_decimal(row[0]) for row in _Form(submission).rows(EXPENSES, "I")]
    odd = [str(amount) for amount in amounts if amount is None or abs(float(amount) - round(float(amount), 2)) > 1e-6]
    if odd:
        return finding(holds=False, evidence=f"no amounts in full cents: {', '.join(odd[:5])}")
    return _of_rows(submission, facts, "I", [6], 0.011)


def _days(submission: Submission, facts: Facts) -> Finding:
    form = _Form(submission)
    rows, gaps = form.rows(DAYS, "BCEFG"), form.gaps(DAYS, "BCEFG")
    found = sorted([str(to_date(row[0])), *(fold(str(cell or "")) for cell in row[1:])] for row in rows)
    wanted = sorted([day, *(fold(cell) for cell in rest)] for day, *rest in facts["days"])
    untyped = [row[0] for row in rows if not isinstance(row[0], datetime.date)]
    odd = [day for day in found if day not in wanted] + [day for day in wanted if day not in found]
    says = f"{len(found)} days, {len(wanted)} expected; odd: {odd[:5]}; empty rows between them: {gaps}"
    return finding(found == wanted and not untyped and not gaps, says)


def _totals(submission: Submission, facts: Facts) -> Finding:
    """The three totals, as stored and as the form computes them."""
    wanted = {"I26": facts["totals"]["receipts"], "H38": facts["totals"]["days"], "H40": facts["totals"]["all"]}
    wrong = []
    for says, form in (("stored", _Form(submission)), ("computed", _Form(submission, computed=True))):
        wrong += [
            f"{place} is {form[place]} ({says}), not {v:.2f}"
            for place, v in wanted.items()
            if not near(form[place], v, 0.03)
        ]
    return finding(not wrong, "; ".join(wrong) or "the totals are right")


def _form_kept(submission: Submission, _facts: Facts) -> Finding:
    """All but the yellow cells is as in the empty form."""
    allowed = [f"{kind}#Claim!{place}" for place in INPUT for kind in ("cells", "formats")]
    return kept_outside(submission, CLAIM, *allowed, was=FORM)


def _formats_kept(submission: Submission, _facts: Facts) -> Finding:
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
    return finding(not wrong, f"{len(wrong)} cells have another format: {', '.join(wrong[:8])}")


def _table(submission: Submission) -> Table:
    tables = read_document(submission, NOTE).tables
    tables = [table for table in tables if table.rows and _plain(table.rows[0]) == _plain(HEADER)]
    if len(tables) != 1:
        raise InvalidArtifact(f"{NOTE} has {len(tables)} tables with the header {HEADER}")
    return tables[0]


def _plain(row: Sequence[str]) -> list[str]:
    return [fold(name) for name in row]


def _receipt(cell: str) -> str:
    """The receipt that a cell names, with its folder and ending or without."""
    return fold(cell).removeprefix("receipts/").removesuffix(".pdf")


def _explained(submission: Submission, facts: Facts) -> Finding:
    rows = [row for row in _table(submission).rows[1:] if row[0].strip()]
    found = sorted(_receipt(row[0]) for row in rows)
    wanted = sorted(name.removesuffix(".pdf") for name in facts["cut"])
    reasons = {name.removesuffix(".pdf"): fold(cut[2]) for name, cut in facts["cut"].items()}
    wrong = [row[0] for row in rows if fold(row[3]) != reasons.get(_receipt(row[0]))]
    odd = sorted(set(found) ^ set(wanted))
    return finding(found == wanted and not wrong, f"{len(found)} rows for {len(wanted)}; odd: {odd}; reasons: {wrong}")


def _amounts(submission: Submission, facts: Facts) -> Finding:
    rows = {_receipt(row[0]): row for row in _table(submission).rows[1:]}
    wrong = []
    for name, wanted in facts["cut"].items():
        row = rows.get(name.removesuffix(".pdf"), ["", "", "", ""])
        found = [find_numbers(cell) for cell in row[1:3]]
        if not all(
            len(sums) == 1 and near(sums[0], value, 0.011) for sums, value in zip(found, wanted[:2], strict=True)
        ):
            wrong.append(f"{name}: {row[1:3]}, not {wanted}")
    return finding(not wrong, "; ".join(wrong[:5]) or "the amounts of the note are right")


def _answer(submission: Submission, facts: Facts) -> Finding:
    found = read_number(submission.answer)
    return finding(near(found, facts["totals"]["all"], 0.021), f"expected {facts['totals']['all']:.2f}, found {found}")


CELLS = (f"cells:{CLAIM}#Claim!*", f"sheet:{CLAIM}#Claim", f"rows:{CLAIM}#Claim")
REST = tuple(f"{kind}:{CLAIM}#*" for kind in ("formulas", "validations", "rules", "visibility", "looks", "formats"))
LISTS = (f"cells:{CLAIM}#Lists!*", f"sheet:{CLAIM}#Lists", f"rows:{CLAIM}#Lists")

CHECKS = group(
    "reimbursement_form",
    "The trip can be paid out",
    group(
        "form",
        "The form is filled in rightly",
        leaf(
            "fields",
            "Name, number, cost centre, purpose, country and days are right",
            _fields,
            observes=CELLS,
            weight=2,
        ),
        leaf("receipts", "Just the receipts that are reimbursed are entered", _receipts, observes=CELLS, weight=3),
        leaf("rates", "Each receipt has the rate of its day", _rates, observes=CELLS, weight=2),
        leaf("reimbursed", "Each gets what the policy allows", _reimbursed, observes=CELLS, weight=3),
        leaf("days", "Each day has its kind and its free meals", _days, observes=CELLS, weight=3),
        leaf("totals", "The form adds up to the amount paid out", _totals, observes=(*CELLS, *LISTS), weight=2),
        weight=5,
    ),
    group(
        "still_the_form",
        "It is still the form",
        leaf("form_kept", "Nothing but yellow cells changed", _form_kept, observes=(*CELLS, *LISTS, *REST), weight=2),
        leaf(
            "formats_kept",
            "The yellow cells kept their formats",
            _formats_kept,
            observes=(*CELLS, *REST),
            kind="format",
        ),
        weight=2,
    ),
    group(
        "note",
        "Accounting knows the unpaid expenses",
        leaf(
            "explained", "Each receipt not paid in full is listed with a reason", _explained, observes=(f"rows:{NOTE}",)
        ),
        leaf("amounts", "The amounts of the note are right", _amounts, observes=(f"rows:{NOTE}",)),
        weight=2,
    ),
    leaf("answer", "The answer is the amount paid out", _answer, observes=("answer",)),
    leaves.nothing_else(CLAIM, NOTE),
)
