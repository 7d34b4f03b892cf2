"""The shop says what is really there, and the head of Operations has a table of what it had wrong."""

import re
from decimal import Decimal

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import find_numbers
from yardkit.evaluators.submission import Submission

PRODUCTS, MAILS = Records("shop", "products"), Mails(lambda facts: [{"to": [facts["head"]]}])


def _check_table(submission: Submission, facts: Facts) -> Finding:
    (_, mail), *_ = MAILS.pair_mails(submission, facts)[0]
    lines = mail.own_text.splitlines() if mail else []
    problems = [
        f"{row[0]} lacks {row[1:]}" for row in facts["listed"] if not any(_states_figures(line, *row) for line in lines)
    ]
    problems += [
        f"{sku} is not wrong by that much" for sku in facts["unlisted"] for line in lines if _names_sku(line, sku)
    ]
    counts = {row[0]: sum(_names_sku(line, row[0]) for line in lines) for row in facts["listed"]}
    problems += [f"{sku} is in {count} lines" for sku, count in counts.items() if count > 1]
    return make_finding(not problems, "; ".join(problems[:6]) or f"{len(facts['listed'])} SKUs are listed")


def _names_sku(line: str, sku: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(sku)}(?![\w-])", line, re.IGNORECASE) is not None


def _states_figures(line: str, sku: str, *figures: int) -> bool:
    """Whether the figures stand in the line of an SKU, in this order, whatever else does, such as its name."""
    if not _names_sku(line, sku):
        return False
    numbers = iter(find_numbers(re.sub(rf"(?i)(?<![\w-]){re.escape(sku)}(?![\w-])", " ", line)))
    return all(Decimal(figure) in numbers for figure in figures)


def _list_stock_fields(facts: Facts) -> tuple[str, ...]:
    fields = ("stock", "stock_status", "modified")
    return tuple(f"shop:products#{row['id']}.{field}" for row in facts["stock"] for field in fields)


CHECKS = make_group(
    "stock_count",
    "The shop and the shelves agree",
    leaves.check_records(
        "stock",
        "Each SKU that was counted has the right stock",
        PRODUCTS,
        lambda facts: facts["stock"],
        where=lambda row, facts: row["id"] in {stock_row["id"] for stock_row in facts["stock"]},
        weight=5,
    ),
    make_group(
        "mail",
        "The head of Operations knows",
        MAILS.check_sent("sent", "One mail goes to the head of Operations alone"),
        make_checkpoint(
            "table",
            "It has a line for each SKU that was wrong by more than 5 %, with its figures, and for no other",
            _check_table,
            covers=("mail:Sent#text",),
            weight=3,
        ),
        weight=4,
    ),
    leaves.check_unchanged_records("mail:sent", "mail:answers", also=_list_stock_fields),
    leaves.nothing_else(),
)
