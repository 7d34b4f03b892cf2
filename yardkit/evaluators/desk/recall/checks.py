"""Money, vouchers, notes and one letter a person for the recalled pieces; nothing for anybody else."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Exact, Mails, Number, Records, Table

LOTS = Table(
    "stock/lots.csv",
    "",
    {"place": Exact(), "lot": Exact(), "sku": Exact(), "units": Number(), "status": Exact(), "since": Exact()},
    ("place", "lot", "sku"),
    lambda facts: facts["rows"],
)
LISTS = ("emails", "product_ids", "excluded_product_ids", "category_ids")
PRODUCTS, REFUNDS, COUPONS = Records("shop", "products"), Records("shop", "refunds"), Records("shop", "coupons", LISTS)
NOTES, MAILS = Records("shop", "order_notes"), Mails(lambda facts: facts["mails"], separate_mails=True)
ONCE = {
    "kind": "fixed_cart", "status": "publish", "percent": 0, "usage_limit": 1, "used": 0, "expires": None,
    "minimum_cents": 0, "maximum_cents": 0, "product_ids": [], "excluded_product_ids": [], "category_ids": [],
    "free_shipping": 0, "exclude_sale_items": 0,
}  # fmt: skip
"""What each voucher is."""


def _list_hidden_fields(facts: Facts) -> tuple[str, ...]:
    return tuple(f"shop:products#{number}.{field}" for number in facts["hidden"] for field in ("status", "modified"))


CHECKS = make_group(
    "recall",
    "The recall is carried out",
    make_group(
        "shop",
        "The shop gives back what is owed, and sells nothing that is recalled",
        leaves.check_records(
            "hidden",
            "The variants of the lots are private",
            PRODUCTS,
            lambda facts: [{"id": number, "status": "private"} for number in facts["hidden"]],
            where=lambda row, facts: row["id"] in facts["hidden"],
        ),
        leaves.check_records(
            "refunds", "Each order gets its money, once", REFUNDS, lambda f: f["refunds"], added=True, weight=3
        ),
        leaves.check_records(
            "vouchers",
            "Older orders get their vouchers",
            COUPONS,
            lambda facts: [{**ONCE, **coupon} for coupon in facts["coupons"]],
            added=True,
            weight=2,
        ),
        leaves.check_records("notes", "Each order has its note", NOTES, lambda facts: facts["notes"], added=True),
        weight=3,
    ),
    leaves.check_exact_rows("held", "The lots are on hold", LOTS),
    make_group(
        "letters",
        "Each person gets one mail",
        MAILS.check_sent("sent", "Just the buyers get one, each at the right address", weight=2),
        MAILS.says("said", "It has all orders, amounts and vouchers"),
        weight=2,
    ),
    leaves.answer_number("The answer is the sum of the refunds", lambda facts: facts["total"], 0.005),
    leaves.check_unchanged_records(
        "shop:refunds+", "shop:coupons+", "shop:order_notes+", "mail:sent", also=_list_hidden_fields
    ),
    leaves.nothing_else(LOTS.path, id="files"),
)
