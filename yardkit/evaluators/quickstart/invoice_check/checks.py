"""One row per photo with what is wrong and what is right, a note on the wrong ones, the sum to pay."""

import re
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.leaves import FileName, Number, Table, Text
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.submission import Submission


class PhotoName(FileName):
    """The name of a photo; some systems write it in capitals."""

    def normalize_value(self, value: Any) -> str:
        return super().normalize_value(value).lower()


REPORT = Table(
    "report.csv",
    "",
    {
        "file": PhotoName(),
        **dict.fromkeys(("invoice", "order", "finding"), Text()),
        "billed": Number(),
        "correct": Number(),
    },
    ("file",),
    lambda facts: [{"file": name, **bill} for name, bill in facts["bills"].items()],
)


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


CHECKS = make_group(
    "invoice_check",
    "The invoices are checked against orders, prices and payments",
    make_group(
        "report",
        "The report has a right row for each photo",
        leaves.check_rows("each_once", "Each photo has one row", REPORT, kind="format"),
        leaves.check_cells("invoices", "The invoice numbers are those printed", REPORT, "invoice"),
        leaves.check_cells("orders", "The order numbers are those printed", REPORT, "order"),
        leaves.check_cells("findings", "Each fault is found", REPORT, "finding", weight=3),
        leaves.check_cells("billed", "The billed totals are those printed", REPORT, "billed", weight=2),
        leaves.check_cells("correct", "The correct totals are right", REPORT, "correct", weight=3),
        weight=4,
    ),
    _check_note,
    leaves.answer_number("The answer states the amount to be paid", lambda facts: facts["payable"], 0.005, weight=2),
    leaves.nothing_else("report.csv", "note.txt", statement="Ledger, price lists and photos are as they were"),
)
