"""A row for each kind of bottle, for the deposit and the cover: counts, menu prices, amounts; and the sum of all."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.tables import find_records, near, read_csv_rows
from yardkit.evaluators.submission import Submission

COLUMNS = ("item", "count", "unit_price", "amount")
CHARGES = ("deposit", "cover")


def _found(submission: Submission) -> list[tuple[str, dict[str, object]]]:
    rows = find_records(read_csv_rows(submission, "bill.csv"), COLUMNS, "bill.csv")
    return [(fold(str(row["item"])), row) for row in rows]


def _total(submission: Submission, facts: Facts) -> Finding:
    stated = read_number(submission.answer)
    right = round(sum(amount for _, _, amount in facts["rows"].values()), 2)
    return finding(near(stated, right), f"{stated} was stated, {right:.2f} is to be paid")


def _items(submission: Submission, facts: Facts) -> Finding:
    found, wanted = sorted(item for item, _ in _found(submission)), sorted(map(fold, facts["rows"]))
    return finding(found == wanted, f"rows for {found}, expected {wanted}")


def _column(name: str) -> Check:
    """Whether this column is right for every kind of bottle."""
    place = COLUMNS.index(name) - 1

    def check(submission: Submission, facts: Facts) -> Finding:
        rows = dict(_found(submission))
        wanted = {fold(item): figures[place] for item, figures in facts["rows"].items() if fold(item) not in CHARGES}
        stated = {item: rows.get(item, {}).get(name) for item in wanted}
        good = all(near(stated[item], figure) for item, figure in wanted.items())
        return finding(good, f"{name} is {stated}, expected {wanted}")

    return check


def _charge(name: str) -> Check:
    """Whether the row of the deposit, or of the cover, is right."""

    def check(submission: Submission, facts: Facts) -> Finding:
        row = dict(_found(submission)).get(fold(name), {})
        stated = [row.get(column) for column in COLUMNS[1:]]
        wanted = facts["rows"][name]
        good = all(near(value, figure) for value, figure in zip(stated, wanted, strict=True))
        return finding(good, f"the row {name} has {stated}, expected {wanted}")

    return check


BILL = ("file:bill.csv", "text:bill.csv")

CHECKS = group(
    "bottles_bill",
    "The bill is right",
    leaf("total", "The answer states the amount to be paid", _total, observes=("answer",), weight=3),
    leaf(
        "items",
        "There is one row for each kind of bottle, one for the deposit and one for the cover",
        _items,
        observes=BILL,
        kind="format",
    ),
    leaf("counts", "The bottles are counted", _column("count"), observes=BILL, weight=2),
    leaf(
        "prices",
        "The prices are those of bottles on the menu that counts",
        _column("unit_price"),
        observes=BILL,
        weight=2,
    ),
    leaf(
        "amounts", "The amounts follow, with the discount where it applies", _column("amount"), observes=BILL, weight=2
    ),
    leaf("deposit", "The deposit is charged for all bottles", _charge("Deposit"), observes=BILL),
    leaf("cover", "The cover is charged for all who are on the print", _charge("Cover"), observes=BILL, weight=2),
    leaves.nothing_else("bill.csv"),
)
