"""Each late order has its voucher, its note and its mail, and nobody else has any."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.submission import Submission

LISTS = ("product_ids", "excluded_product_ids", "category_ids", "emails")
COUPONS, NOTES = Records("shop", "coupons", LISTS), Records("shop", "order_notes")
NOTHING = ("percent", "minimum_cents", "maximum_cents", "free_shipping", "exclude_sale_items", "used")
EMPTY: dict[str, object] = {**dict.fromkeys(NOTHING, 0), **{name: [] for name in LISTS[:-1]}}
MAILS = Mails(
    lambda facts: [
        {"to": [voucher["to"]], "says": [voucher["code"], voucher["cents"] / 100, facts["until"]]}
        for voucher in facts["vouchers"]
    ],
    separate_mails=True,
)


def _list_coupons(facts: Facts) -> list[dict[str, object]]:
    """For one use of one customer, until the end of the last day."""
    end = f"{facts['after']}T00:00:00+00:00"
    once = {"kind": "fixed_cart", "status": "publish", "usage_limit": 1, "expires": end} | EMPTY
    return [
        once | {"code": voucher["code"], "amount_cents": voucher["cents"], "emails": [voucher["to"]]}
        for voucher in facts["vouchers"]
    ]


def _check_notes(submission: Submission, facts: Facts) -> Finding:
    known = {row["id"] for row in NOTES.read_rows(submission.untouched)}
    new = [row for row in NOTES.read_rows(submission) if row["id"] not in known]
    problems = [
        f"the note of {voucher['order']} does not say {voucher['late']} days and {voucher['code']}, or is for the"
        " customer"
        for voucher in facts["vouchers"]
        if not any(
            _states_lateness(str(row["text"]), voucher)
            for row in new
            if row["order_id"] == voucher["order"] and not row["for_customer"]
        )
    ]
    orders = sorted(row["order_id"] for row in new)
    expected_orders = sorted(voucher["order"] for voucher in facts["vouchers"])
    return make_finding(
        not problems and orders == expected_orders,
        "; ".join(problems) or f"notes on {orders}, expected on {expected_orders}",
    )


def _states_lateness(text: str, voucher: Facts) -> bool:
    """The code, and by how many days it was late: as that is said, else as the only number of days, or at all."""
    code, late = simplify_text(voucher["code"]), voucher["late"]
    rest = simplify_text(text).replace(code, "")
    day_matches = re.findall(r"late by (\d+)|\b(\d+) (?:\w+ )?days? late|days late:? (\d+)", rest)
    days = re.findall(r"\d+(?= (?:\w+ )?days?\b)", rest)
    day_counts = [number for numbers in day_matches for number in numbers if number] or days or find_numbers(rest)
    return code in simplify_text(text) and {*map(int, day_counts)} == {late}


CHECKS = make_group(
    "late_parcels",
    "Each customer who waited longer than promised has the voucher of the terms",
    leaves.check_records(
        "vouchers",
        "There is a coupon for each late order as the terms want it, and no other",
        COUPONS,
        _list_coupons,
        added=True,
        weight=4,
    ),
    make_checkpoint(
        "notes",
        "Each of these orders, and no other, has a note with days and code",
        _check_notes,
        covers=(*NOTES.covers, "bystander:shop/order_notes"),
        weight=2,
    ),
    make_group(
        "mails",
        "The customers know",
        MAILS.check_sent("sent", "Each of them has one mail per order, and no one else has any", weight=2),
        MAILS.says("says", "It says code, amount and last day", weight=2),
        weight=3,
    ),
    leaves.check_unchanged_records("shop:coupons+", "shop:order_notes+", "mail:sent", "mail:answers"),
    leaves.nothing_else(),
)
