"""One row per photo with what is wrong and what is right, a note on the wrong ones, the sum to pay."""

import re
from collections.abc import Callable
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, define_leaf, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers, read_number, simplify_text
from yardkit.evaluators.readers.tables import find_records, is_near, read_csv_rows
from yardkit.evaluators.submission import Submission

REPORT = "report.csv"
COLUMNS = ["file", "invoice", "order", "finding", "billed", "correct"]


TABLE = (f"file:{REPORT}", f"text:{REPORT}")


def _normalize_photo_name(name: Any) -> str:
    return str(name).strip().rsplit("/", 1)[-1].lower()


def _read_report_rows(submission: Submission) -> dict[str, dict[str, Any]]:
    return {
        _normalize_photo_name(row["file"]): row
        for row in find_records(read_csv_rows(submission, REPORT), COLUMNS, REPORT)
    }


@define_leaf("each_once", "Each photo has one row", *TABLE, kind="format")
def _each_once(submission: Submission, facts: Facts) -> Finding:
    photo_names = sorted(
        _normalize_photo_name(row["file"]) for row in find_records(read_csv_rows(submission, REPORT), COLUMNS, REPORT)
    )
    expected_names = sorted(_normalize_photo_name(name) for name in facts["bills"])
    return make_finding(photo_names == expected_names, f"rows for {photo_names}, expected {expected_names}")


def _check_column(column: str, same: Callable[[Any, Any], bool]) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _read_report_rows(submission)
        wrong = [
            f"{name}: {stored_value}, not {bill[column]}"
            for name, bill in facts["bills"].items()
            if not same(stored_value := rows.get(_normalize_photo_name(name), {}).get(column), bill[column])
        ]
        return make_finding(not wrong, f"{column} of {'; '.join(wrong)}" if wrong else f"every {column} is right")

    return check


def _is_same_text(cell: Any, expected: str) -> bool:
    return simplify_text(str(cell)) == simplify_text(expected)


def _is_same_amount(cell: Any, expected: float) -> bool:
    return is_near(cell, expected, 0.005)


@define_leaf(
    "note",
    "The note has a line for each faulty invoice with finding and excess",
    "file:note.txt",
    "text:note.txt",
    weight=2,
)
def _check_note(submission: Submission, facts: Facts) -> Finding:
    """A line for each bill that is not ok, with its number, finding and excess; none for the others."""
    lines = [line for line in files.read_text(submission, "note.txt").splitlines() if line.strip()]
    problems = [
        f"{bill['invoice']}: {missing_text}"
        for bill in facts["bills"].values()
        if (missing_text := _find_misses(lines, bill)) is not None
    ]
    return make_finding(not problems, "; ".join(problems) or "a line for each faulty invoice, none for the others")


def _find_misses(lines: list[str], bill: dict[str, Any]) -> str | None:
    mine = [line for line in lines if re.search(rf"(?<!\w){bill['invoice']}(?!\w)", line, re.IGNORECASE)]
    if len(mine) != (bill["finding"] != "ok"):
        return f"{len(mine)} lines"
    if not mine:
        return None
    rest = re.sub(bill["invoice"], " ", mine[0], flags=re.IGNORECASE)
    if not re.search(rf"(?<!\w){bill['finding']}(?!\w)", rest, re.IGNORECASE):
        return f"{mine[0]!r} does not say {bill['finding']!r}"
    excess = bill["billed"] - bill["correct"]
    stated = find_numbers(rest)
    good = any(is_near(number, excess) for number in stated) and len(set(stated)) <= 3
    return None if good else f"{mine[0]!r} does not say {excess:.2f}"


@define_leaf("answer", "The answer states the amount to be paid", "answer", weight=2)
def _check_answer(submission: Submission, facts: Facts) -> Finding:
    stated = read_number(submission.answer)
    return make_finding(is_near(stated, facts["payable"]), f"{stated} was stated, {facts['payable']} is payable")


CHECKS = make_group(
    "invoice_check",
    "The invoices are checked against orders, prices and payments",
    make_group(
        "report",
        "The report has a right row for each photo",
        _each_once,
        make_checkpoint(
            "invoices", "The invoice numbers are those printed", _check_column("invoice", _is_same_text), covers=TABLE
        ),
        make_checkpoint(
            "orders", "The order numbers are those printed", _check_column("order", _is_same_text), covers=TABLE
        ),
        make_checkpoint(
            "findings", "Each fault is found", _check_column("finding", _is_same_text), covers=TABLE, weight=3
        ),
        make_checkpoint(
            "billed",
            "The billed totals are those printed",
            _check_column("billed", _is_same_amount),
            covers=TABLE,
            weight=2,
        ),
        make_checkpoint(
            "correct", "The correct totals are right", _check_column("correct", _is_same_amount), covers=TABLE, weight=3
        ),
        weight=4,
    ),
    _check_note,
    _check_answer,
    leaves.nothing_else(REPORT, "note.txt", statement="Ledger, price lists and photos are as they were"),
)
