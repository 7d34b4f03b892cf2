"""A row for each kind of bottle, for the deposit and the cover: counts, menu prices, amounts; and the sum of all."""

from functools import partial

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Number, Row, Table, Text

FIGURES = ("count", "unit_price", "amount")


def _list_rows(facts: Facts) -> list[Row]:
    return [{"item": item, **dict(zip(FIGURES, row, strict=True))} for item, row in facts["rows"].items()]


BILL = Table("bill.csv", "", {"item": Text(), **dict.fromkeys(FIGURES, Number())}, ("item",), _list_rows)
of_bottles = partial(leaves.check_cells, where=lambda row: row["item"] not in ("Deposit", "Cover"), weight=2)
CHECKS = make_group(
    "bottles_bill",
    "The bill is right",
    leaves.answer_number(
        "The answer states the amount to be paid",
        lambda facts: round(sum(amount for _, _, amount in facts["rows"].values()), 2),
        0.005,
        id="total",
        weight=3,
    ),
    leaves.check_rows(
        "items",
        "There is one row for each kind of bottle, one for the deposit and one for the cover",
        BILL,
        kind="format",
    ),
    of_bottles("counts", "The bottles are counted", BILL, "count"),
    of_bottles("prices", "The prices are those of bottles on the menu that counts", BILL, "unit_price"),
    of_bottles("amounts", "The amounts follow, with the discount where it applies", BILL, "amount"),
    leaves.check_cells(
        "deposit", "The deposit is charged for all bottles", BILL, where=lambda row: row["item"] == "Deposit"
    ),
    leaves.check_cells(
        "cover",
        "The cover is charged for all who are on the print",
        BILL,
        where=lambda row: row["item"] == "Cover",
        weight=2,
    ),
    leaves.nothing_else("bill.csv"),
)
