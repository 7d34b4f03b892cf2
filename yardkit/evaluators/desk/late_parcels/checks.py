"""Each late order has its voucher, its note and its mail, and nobody else has any."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import find_numbers, fold
from yardkit.evaluators.submission import Submission

LISTS = ("product_ids", "excluded_product_ids", "category_ids", "emails")
COUPONS, NOTES = Records("shop", "coupons", LISTS), Records("shop", "order_notes")
NOTHING = ("percent", "minimum_cents", "maximum_cents", "free_shipping", "exclude_sale_items", "used")
EMPTY: dict[str, object] = {**dict.fromkeys(NOTHING, 0), **{name: [] for name in LISTS[:-1]}}
MAILS = Mails(
    lambda facts: [
        {"to": [one["to"]], "says": [one["code"], one["cents"] / 100, facts["until"]]} for one in facts["vouchers"]
    ],
    apart=True,
)


def _coupons(facts: Facts) -> list[dict[str, object]]:
    """For one use of one customer, until the end of the last day."""
    end = f"{facts['after']}T00:00:00+00:00"
    once = {"kind": "fixed_cart", "status": "publish", "usage_limit": 1, "expires": end} | EMPTY
    return [
        once | {"code": one["code"], "amount_cents": one["cents"], "emails": [one["to"]]} for one in facts["vouchers"]
    ]


def _notes(submission: Submission, facts: Facts) -> Finding:
    known = {row["id"] for row in NOTES.found(submission.untouched)}
    new = [row for row in NOTES.found(submission) if row["id"] not in known]
    odd = [
        f"the note of {one['order']} does not say {one['late']} days and {one['code']}, or is for the customer"
        for one in facts["vouchers"]
        if not any(
            _says(str(row["text"]), one) for row in new if row["order_id"] == one["order"] and not row["for_customer"]
        )
    ]
    orders = sorted(row["order_id"] for row in new)
    wanted = sorted(one["order"] for one in facts["vouchers"])
    return finding(not odd and orders == wanted, "; ".join(odd) or f"notes on {orders}, expected on {wanted}")


def _says(text: str, voucher: Facts) -> bool:
    """The code, and by how many days it was late: as that is said, else as the only number of days, or at all."""
    code, late = fold(voucher["code"]), voucher["late"]
    rest = fold(text).replace(code, "")
    said = re.findall(r"late by (\d+)|\b(\d+) (?:\w+ )?days? late|days late:? (\d+)", rest)
    days = re.findall(r"\d+(?= (?:\w+ )?days?\b)", rest)
    found = [number for numbers in said for number in numbers if number] or days or find_numbers(rest)
    return code in fold(text) and {*map(int, found)} == {late}


CHECKS = group(
    "late_parcels",
    "Each customer who waited longer than promised has the voucher of the terms",
    leaves.records(
        "vouchers",
        "There is a coupon for each late order as the terms want it, and no other",
        COUPONS,
        _coupons,
        added=True,
        weight=4,
    ),
    leaf(
        "notes",
        "Each of these orders, and no other, has a note with days and code",
        _notes,
        observes=(*NOTES.observes, "bystander:shop/order_notes"),
        weight=2,
    ),
    group(
        "mails",
        "The customers know",
        MAILS.sent("sent", "Each of them has one mail per order, and no one else has any", weight=2),
        MAILS.says("says", "It says code, amount and last day", weight=2),
        weight=3,
    ),
    leaves.kept_records("shop:coupons+", "shop:order_notes+", "mail:sent", "mail:answers"),
    leaves.nothing_else(),
)
