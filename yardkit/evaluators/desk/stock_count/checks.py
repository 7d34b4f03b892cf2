"""The shop says what is really there, and the head of Operations has a table of what it had wrong."""

import re
from decimal import Decimal

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import find_numbers
from yardkit.evaluators.submission import Submission

PRODUCTS, MAILS = Records("shop", "products"), Mails(lambda facts: [{"to": [facts["head"]]}])


def _table(submission: Submission, facts: Facts) -> Finding:
    (_, mail), *_ = MAILS.paired(submission, facts)[0]
    lines = mail.own_text.splitlines() if mail else []
    odd = [f"{row[0]} lacks {row[1:]}" for row in facts["listed"] if not any(_tells(line, *row) for line in lines)]
    odd += [f"{sku} is not wrong by that much" for sku in facts["unlisted"] for line in lines if _named(line, sku)]
    counts = {row[0]: sum(_named(line, row[0]) for line in lines) for row in facts["listed"]}
    odd += [f"{sku} is in {count} lines" for sku, count in counts.items() if count > 1]
    return finding(not odd, "; ".join(odd[:6]) or f"{len(facts['listed'])} SKUs are listed")


def _named(line: str, sku: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(sku)}(?![\w-])", line, re.IGNORECASE) is not None


def _tells(line: str, sku: str, *figures: int) -> bool:
    """Whether the figures stand in the line of an SKU, in this order, whatever else does, such as its name."""
    if not _named(line, sku):
        return False
    numbers = iter(find_numbers(re.sub(rf"(?i)(?<![\w-]){re.escape(sku)}(?![\w-])", " ", line)))
    return all(Decimal(figure) in numbers for figure in figures)


def _stocks(facts: Facts) -> tuple[str, ...]:
    fields = ("stock", "stock_status", "modified")
    return tuple(f"shop:products#{row['id']}.{field}" for row in facts["stock"] for field in fields)


CHECKS = group(
    "stock_count",
    "The shop and the shelves agree",
    leaves.records(
        "stock",
        "Each SKU that was counted has the right stock",
        PRODUCTS,
        lambda facts: facts["stock"],
        where=lambda row, facts: row["id"] in {one["id"] for one in facts["stock"]},
        weight=5,
    ),
    group(
        "mail",
        "The head of Operations knows",
        MAILS.sent("sent", "One mail goes to the head of Operations alone"),
        leaf(
            "table",
            "It has a line for each SKU that was wrong by more than 5 %, with its figures, and for no other",
            _table,
            observes=("mail:Sent#text",),
            weight=3,
        ),
        weight=4,
    ),
    leaves.kept_records("mail:sent", "mail:answers", also=_stocks),
    leaves.nothing_else(),
)
