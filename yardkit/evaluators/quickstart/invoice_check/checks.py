"""One row per photo with what is wrong and what is right, a note on the wrong ones, the sum to pay."""

import re
from collections.abc import Callable
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers, fold, read_number
from yardkit.evaluators.readers.tables import find_records, near, read_csv_rows
from yardkit.evaluators.submission import Submission

REPORT = "report.csv"
COLUMNS = ["file", "invoice", "order", "finding", "billed", "correct"]


def _photo(name: Any) -> str:
    return str(name).strip().rsplit("/", 1)[-1].lower()


def _rows(submission: Submission) -> dict[str, dict[str, Any]]:
    return {_photo(row["file"]): row for row in find_records(read_csv_rows(submission, REPORT), COLUMNS, REPORT)}


def _each_once(submission: Submission, facts: Facts) -> Finding:
    found = sorted(_photo(row["file"]) for row in find_records(read_csv_rows(submission, REPORT), COLUMNS, REPORT))
    wanted = sorted(_photo(name) for name in facts["bills"])
    return finding(found == wanted, f"rows for {found}, expected {wanted}")


def _right(column: str, same: Callable[[Any, Any], bool]) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _rows(submission)
        wrong = [
            f"{name}: {found}, not {bill[column]}"
            for name, bill in facts["bills"].items()
            if not same(found := rows.get(_photo(name), {}).get(column), bill[column])
        ]
        return finding(not wrong, f"{column} of {'; '.join(wrong)}" if wrong else f"every {column} is right")

    return check


def _says(found: Any, expected: str) -> bool:
    return fold(str(found)) == fold(expected)


def _cent(found: Any, expected: float) -> bool:
    return near(found, expected, 0.005)


def _note(submission: Submission, facts: Facts) -> Finding:
    """A line for each bill that is not ok, with its number, finding and excess; none for the others."""
    lines = [line for line in files.read_text(submission, "note.txt").splitlines() if line.strip()]
    problems = [
        f"{bill['invoice']}: {says}" for bill in facts["bills"].values() if (says := _misses(lines, bill)) is not None
    ]
    return finding(not problems, "; ".join(problems) or "a line for each faulty invoice, none for the others")


def _misses(lines: list[str], bill: dict[str, Any]) -> str | None:
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
    good = any(near(number, excess) for number in stated) and len(set(stated)) <= 3
    return None if good else f"{mine[0]!r} does not say {excess:.2f}"


def _answer(submission: Submission, facts: Facts) -> Finding:
    stated = read_number(submission.answer)
    return finding(near(stated, facts["payable"]), f"{stated} was stated, {facts['payable']} is payable")


TABLE = (f"file:{REPORT}", f"text:{REPORT}")

CHECKS = group(
    "invoice_check",
    "The invoices are checked against orders, prices and payments",
    group(
        "report",
        "The report has a right row for each photo",
        leaf("each_once", "Each photo has one row", _each_once, observes=TABLE, kind="format"),
        leaf("invoices", "The invoice numbers are those printed", _right("invoice", _says), observes=TABLE),
        leaf("orders", "The order numbers are those printed", _right("order", _says), observes=TABLE),
        leaf("findings", "Each fault is found", _right("finding", _says), observes=TABLE, weight=3),
        leaf("billed", "The billed totals are those printed", _right("billed", _cent), observes=TABLE, weight=2),
        leaf("correct", "The correct totals are right", _right("correct", _cent), observes=TABLE, weight=3),
        weight=4,
    ),
    leaf(
        "note",
        "The note has a line for each faulty invoice with finding and excess",
        _note,
        observes=("file:note.txt", "text:note.txt"),
        weight=2,
    ),
    leaf("answer", "The answer states the amount to be paid", _answer, observes=("answer",), weight=2),
    leaves.nothing_else(REPORT, "note.txt", says="Ledger, price lists and photos are as they were"),
)
