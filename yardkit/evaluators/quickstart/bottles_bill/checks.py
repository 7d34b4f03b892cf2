"""A row for each kind of bottle, for the deposit and the cover: counts, menu prices, amounts; and the sum of all."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, define_leaf, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import read_number, simplify_text
from yardkit.evaluators.readers.tables import find_records, is_near, read_csv_rows
from yardkit.evaluators.submission import Submission

COLUMNS = ("item", "count", "unit_price", "amount")
CHARGES = ("deposit", "cover")


BILL = ("file:bill.csv", "text:bill.csv")


def _read_bill_rows(submission: Submission) -> list[tuple[str, dict[str, object]]]:
    rows = find_records(read_csv_rows(submission, "bill.csv"), COLUMNS, "bill.csv")
    return [(simplify_text(str(row["item"])), row) for row in rows]


@define_leaf("total", "The answer states the amount to be paid", "answer", weight=3)
def _check_total(submission: Submission, facts: Facts) -> Finding:
    stated = read_number(submission.answer)
    right = round(sum(amount for _, _, amount in facts["rows"].values()), 2)
    return make_finding(is_near(stated, right), f"{stated} was stated, {right:.2f} is to be paid")


@define_leaf(
    "items", "There is one row for each kind of bottle, one for the deposit and one for the cover", *BILL, kind="format"
)
def _check_items(submission: Submission, facts: Facts) -> Finding:
    bill_items, expected_items = (
        sorted(item for item, _ in _read_bill_rows(submission)),
        sorted(map(simplify_text, facts["rows"])),
    )
    return make_finding(bill_items == expected_items, f"rows for {bill_items}, expected {expected_items}")


def _check_column(name: str) -> Check:
    """Whether this column is right for every kind of bottle."""
    place = COLUMNS.index(name) - 1

    def check(submission: Submission, facts: Facts) -> Finding:
        rows = dict(_read_bill_rows(submission))
        expected_values = {
            simplify_text(item): figures[place]
            for item, figures in facts["rows"].items()
            if simplify_text(item) not in CHARGES
        }
        stated = {item: rows.get(item, {}).get(name) for item in expected_values}
        good = all(is_near(stated[item], figure) for item, figure in expected_values.items())
        return make_finding(good, f"{name} is {stated}, expected {expected_values}")

    return check


def _check_charge(name: str) -> Check:
    """Whether the row of the deposit, or of the cover, is right."""

    def check(submission: Submission, facts: Facts) -> Finding:
        row = dict(_read_bill_rows(submission)).get(simplify_text(name), {})
        stated = [row.get(column) for column in COLUMNS[1:]]
        expected_row = facts["rows"][name]
        good = all(is_near(value, figure) for value, figure in zip(stated, expected_row, strict=True))
        return make_finding(good, f"the row {name} has {stated}, expected {expected_row}")

    return check


CHECKS = make_group(
    "bottles_bill",
    "The bill is right",
    _check_total,
    _check_items,
    make_checkpoint("counts", "The bottles are counted", _check_column("count"), covers=BILL, weight=2),
    make_checkpoint(
        "prices",
        "The prices are those of bottles on the menu that counts",
        _check_column("unit_price"),
        covers=BILL,
        weight=2,
    ),
    make_checkpoint(
        "amounts",
        "The amounts follow, with the discount where it applies",
        _check_column("amount"),
        covers=BILL,
        weight=2,
    ),
    make_checkpoint("deposit", "The deposit is charged for all bottles", _check_charge("Deposit"), covers=BILL),
    make_checkpoint(
        "cover", "The cover is charged for all who are on the print", _check_charge("Cover"), covers=BILL, weight=2
    ),
    leaves.nothing_else("bill.csv"),
)
